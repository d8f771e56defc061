"""Who is connected to which table, in this process: never in the log, never numbered (D5)."""

from uuid import UUID

from app.infra.clock import Clock
from app.tables.table import TableState


class Presence:
    """Counts sockets a player and table; the hub tells of each one that comes and goes."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._sockets: dict[str, dict[UUID, int]] = {}
        self._gone_ms: dict[tuple[str, UUID], int] = {}

    def add(self, code: str, player: UUID) -> bool:
        """One more socket; True if it is the player's first."""
        here = self._sockets.setdefault(code, {})
        here[player] = here.get(player, 0) + 1
        self._gone_ms.pop((code, player), None)
        return here[player] == 1

    def remove(self, code: str, player: UUID) -> bool:
        """One socket less; True if it was the player's last. One too many does nothing."""
        here = self._sockets.get(code, {})
        if player not in here:
            return False
        here[player] -= 1
        if here[player] > 0:
            return False
        del here[player]
        if not here:
            self._sockets.pop(code, None)
        self._gone_ms[code, player] = self._clock.monotonic_ms()
        return True

    def online(self, code: str, player: UUID | None) -> bool:
        """Whether the player has a socket at the table."""
        return player is not None and player in self._sockets.get(code, {})

    def gone_ms(self, code: str, player: UUID, default: int) -> int:
        """Since when (monotonic) the player is away; ``default`` if it was never here."""
        return self._gone_ms.get((code, player), default)

    def anybody(self, table: TableState) -> bool:
        """Whether any person who sits at the table is connected."""
        here = self._sockets.get(table.code)
        return here is not None and any(chair.player in here for chair in table.seats)

    def away(self, table: TableState) -> frozenset[int]:
        """The seats of people who are not connected."""
        here = self._sockets.get(table.code, {})
        return frozenset(
            seat
            for seat, chair in enumerate(table.seats)
            if chair.kind == "person" and chair.player not in here
        )

    def of_seats(self, table: TableState) -> tuple[bool | None, ...]:
        """True for a connected person, False for an absent one, None for a bot or a free seat."""
        here = self._sockets.get(table.code, {})
        return tuple(
            chair.player in here if chair.kind == "person" else None for chair in table.seats
        )

    def forget(self, code: str) -> None:
        """The table is closed."""
        for key in [key for key in self._gone_ms if key[0] == code]:
            del self._gone_ms[key]
