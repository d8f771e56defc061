"""Who is connected to a table: sockets counted by player. A thing of this process and its memory.

Presence has no number and may be dropped (D5). The tables are told when a player's first socket
comes and when its last one goes; what absence means is theirs to say (D10).
"""

from collections.abc import Iterable
from uuid import UUID


class Presence:
    """The sockets at one table."""

    __slots__ = ("_sockets",)

    def __init__(self) -> None:
        self._sockets: dict[UUID, int] = {}

    def come(self, player_id: UUID) -> bool:
        """Count a socket; True if it is the player's first here."""
        count = self._sockets.get(player_id, 0) + 1
        self._sockets[player_id] = count
        return count == 1

    def go(self, player_id: UUID) -> bool:
        """Count one socket less; True if it was the player's last here."""
        count = self._sockets.get(player_id, 0) - 1
        if count > 0:
            self._sockets[player_id] = count
            return False
        return self._sockets.pop(player_id, None) is not None

    def here(self, player_id: UUID) -> bool:
        """Whether the player has a socket here."""
        return player_id in self._sockets

    def watching(self, people: Iterable[UUID | None]) -> int:
        """How many players are here who have none of the seats."""
        return len(self._sockets.keys() - set(people))

    def seats(self, people: Iterable[UUID | None]) -> list[bool | None]:
        """By seat: whether its person is here; None where no person sits."""
        return [None if person is None else person in self._sockets for person in people]
