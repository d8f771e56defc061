"""A socket that looks for a game: what the matchmaker says, as frames."""

from typing import TYPE_CHECKING
from uuid import UUID

from app.infra.clock import Clock
from app.infra.errors import AppError
from app.lobby.places import Place
from app.realtime import protocol

if TYPE_CHECKING:
    from app.realtime.connection import Connection


class Seeker:
    """Listens on behalf of a socket (`lobby.places.Listener`), until it has said the last word."""

    __slots__ = ("_clock", "_connection", "key", "silent")

    def __init__(self, connection: "Connection", clock: Clock) -> None:
        self._connection = connection
        self._clock = clock
        self.key: UUID | None = None
        """What the matchmaker knows it by, once it does."""
        self.silent = False
        """Over, or replaced by another one of the same socket."""

    def queued(self, place: Place, people: int) -> None:
        """Still looking."""
        if not self.silent:
            left_ms = max(0, place.since_ms + place.wait_ms - self._clock.monotonic_ms())
            told = left_ms if place.together else None
            self._connection.put_latest("queued", "", protocol.queued(place, people, told))

    def matched(self, code: str, seat: int) -> None:
        """A seat."""
        self._last(protocol.matched(code, seat))

    def cancelled(self, error: AppError) -> None:
        """None, and why."""
        self._last(protocol.cancelled(error))

    def _last(self, text: str) -> None:
        if self.silent:
            return
        self.silent = True
        self._connection.outbox.drop(("queued", ""))
        self._connection.put(text)
