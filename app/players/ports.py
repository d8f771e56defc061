"""What players need of the rooms above them; `main.py` passes the implementations."""

from typing import Protocol
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession


class Level(Protocol):
    """A player's level with its bounds, in points of experience."""

    @property
    def xp(self) -> int: ...
    @property
    def level(self) -> int: ...
    @property
    def level_from(self) -> int: ...
    @property
    def level_to(self) -> int: ...


class Levels(Protocol):
    """Where levels come from (`app/progress`)."""

    async def __call__(self, session: AsyncSession, player_id: UUID, /) -> Level:
        """The player's level now."""
        ...


class Doormen(Protocol):
    """Who must hear at once that sessions have ended (the sockets' hub)."""

    def sessions_ended(self, player_id: UUID, token_hash: bytes | None) -> None:
        """One session of the player is over, or with None all of them."""
        ...
