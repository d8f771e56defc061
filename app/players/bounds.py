"""How much a player or an address may do: all windows of this process in one place.

They are counted in memory, so each process counts for itself. `docs/protocol.md` tells them to
whoever writes a client.
"""

from typing import Final
from uuid import UUID

from app.infra import metrics
from app.infra.clock import Clock
from app.infra.config import Limits
from app.infra.errors import AppError
from app.players.limiter import Limiter

MINUTE_MS: Final = 60_000
HOUR_MS: Final = 60 * MINUTE_MS

HIT = metrics.counter("rebelote_limits_hit_total", "Refusals because of a limit, by which.")


class Bounds:
    """One a process. Everything raises AppError ``too_many_requests`` with the seconds to wait."""

    def __init__(self, clock: Clock, limits: Limits) -> None:
        def window(most: int, window_ms: int) -> Limiter:
            return Limiter(clock, most, window_ms)

        self._guests = window(limits.guests_per_address_per_hour, HOUR_MS)
        self._requests = window(limits.requests_per_minute, MINUTE_MS)
        self._asked = window(limits.requests_per_player_per_minute, MINUTE_MS)
        self._opened = window(limits.tables_per_player_per_hour, HOUR_MS)
        self._opened_from = window(limits.tables_per_address_per_hour, HOUR_MS)
        self._searches = window(limits.searches_per_player_per_minute, MINUTE_MS)
        self._questions = window(limits.questions_per_address_per_minute, MINUTE_MS)
        self._handshakes = window(limits.handshakes_per_address_per_minute, MINUTE_MS)
        self._commands = window(limits.commands_per_player, limits.window_ms)
        self._commands_from = window(limits.commands_per_address, limits.window_ms)
        missed_ms = limits.code_misses_window_ms
        self._missed = window(limits.code_misses_per_player, missed_ms)
        self._missed_from = window(limits.code_misses_per_address, missed_ms)

    def guest(self, address: str) -> None:
        """Somebody becomes a guest."""
        _take("guests", (self._guests, address))

    def request(self, address: str) -> None:
        """A request, whoever makes it."""
        _take("requests", (self._requests, address))

    def asked(self, player: UUID) -> None:
        """A request of a player's."""
        _take("player_requests", (self._asked, str(player)))

    def opened(self, player: UUID, address: str) -> None:
        """A player opens a table, or a party."""
        _take("tables", (self._opened, str(player)), (self._opened_from, address))

    def search(self, player: UUID) -> None:
        """A player looks for a game."""
        _take("searches", (self._searches, str(player)))

    def question(self, address: str) -> None:
        """Somebody asks the referee, or for exercises."""
        _take("questions", (self._questions, address))

    def handshake(self, address: str) -> None:
        """Somebody opens a socket."""
        _take("handshakes", (self._handshakes, address))

    def command(self, player: UUID, address: str) -> None:
        """A player commands something at a table."""
        _take("commands", (self._commands, str(player)), (self._commands_from, address))

    def code_missed(self, player: UUID | None, address: str) -> None:
        """A code was tried that does not exist. Never refuses: ``guessing`` does."""
        if player is not None:
            self._missed.count(str(player))
        self._missed_from.count(address)

    def guessing(self, player: UUID | None, address: str) -> AppError | None:
        """The refusal for who has tried too many codes that do not exist."""
        wait_ms = self._missed_from.wait_ms(address)
        if player is not None:
            wait_ms = max(wait_ms, self._missed.wait_ms(str(player)))
        return None if wait_ms == 0 else _refusal("codes", wait_ms)


def _take(name: str, *windows: tuple[Limiter, str]) -> None:
    """Count one in each window; in none if one of them is full."""
    wait_ms = max(limiter.wait_ms(key) for limiter, key in windows)
    if wait_ms:
        raise _refusal(name, wait_ms)
    for limiter, key in windows:
        limiter.count(key)


def _refusal(name: str, wait_ms: int) -> AppError:
    HIT.add(limit=name)
    return AppError("too_many_requests", retry_after=max(1, -(-wait_ms // 1000)))
