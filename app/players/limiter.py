"""A limit in memory: how many of a thing one address or player may do in a window.

Windows are counted from a key's first deed and start anew after their length; that is coarse,
cheap and enough against a script. Keys are forgotten with their window.
"""

from functools import lru_cache
from ipaddress import ip_address, ip_network

from app.infra.clock import Clock

MOST_KEYS = 50_000
"""When more are remembered, those whose window is over go; if none is, the eldest goes."""


@lru_cache(maxsize=4_096)  # asked for each command of each socket
def address_key(host: str | None) -> str:
    """Whom a limit counts: an IPv4 address, or the /64 that one IPv6 customer gets."""
    if host is None:
        return "unknown"
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if address.version == 6:
        mapped = address.ipv4_mapped
        return str(mapped or ip_network((address, 64), strict=False))
    return str(address)


class Limiter:
    """At most `most` in `window_ms` for each key."""

    def __init__(self, clock: Clock, most: int, window_ms: int) -> None:
        self._clock = clock
        self._most = most
        self._window_ms = window_ms
        self._seen: dict[str, tuple[int, int]] = {}

    def wait_ms(self, key: str) -> int:
        """How long the key has to wait before one more; 0 if it need not."""
        found = self._seen.get(key)
        if found is None or found[1] < self._most:
            return 0
        return max(0, self._window_ms - (self._clock.monotonic_ms() - found[0]))

    def count(self, key: str) -> None:
        """Count one, in a window of its own if the key's last one is over."""
        now = self._clock.monotonic_ms()
        began, count = self._seen.get(key, (now, 0))
        if now - began >= self._window_ms:
            began, count = now, 0
        if key not in self._seen and len(self._seen) >= MOST_KEYS:
            self._forget(now)
        self._seen[key] = (began, count + 1)

    def _forget(self, now: int) -> None:
        over = [key for key, (began, _) in self._seen.items() if now - began >= self._window_ms]
        for key in over or [next(iter(self._seen))]:
            del self._seen[key]
