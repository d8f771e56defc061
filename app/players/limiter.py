"""A limit by address, in memory: how many of a thing one address may do in a window.

Windows are counted from an address's first request and start anew after their length; that is
coarse, cheap and enough against a script. Addresses are forgotten with their window.
"""

from ipaddress import ip_address, ip_network

from app.infra.clock import Clock
from app.infra.errors import AppError

MOST_ADDRESSES = 50_000
"""When more are remembered, those whose window is over go; if none is, the eldest goes."""


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

    def take(self, key: str) -> None:
        """Count one; AppError ``too_many_requests`` with the seconds to wait."""
        now = self._clock.monotonic_ms()
        began, count = self._seen.get(key, (now, 0))
        if now - began >= self._window_ms:
            began, count = now, 0
        if count >= self._most:
            wait_ms = self._window_ms - (now - began)
            raise AppError("too_many_requests", retry_after=max(1, -(-wait_ms // 1000)))
        if key not in self._seen and len(self._seen) >= MOST_ADDRESSES:
            self._forget(now)
        self._seen[key] = (began, count + 1)

    def _forget(self, now: int) -> None:
        over = [key for key, (began, _) in self._seen.items() if now - began >= self._window_ms]
        for key in over or [next(iter(self._seen))]:
            del self._seen[key]
