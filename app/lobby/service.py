"""The lobby's tables: the list, one by its code, a new one."""

from app.infra.config import Timing
from app.infra.db import Database
from app.infra.errors import AppError
from app.lobby import repository
from app.lobby.repository import Listed
from app.players.models import PlayerRef
from app.tables.events import Options
from app.tables.service import Tables

LIST_LIMIT = 500
"""Tables that are looked at for a list."""


class Lobby:
    """The service; one a process."""

    def __init__(self, db: Database, tables: Tables, timing: Timing) -> None:
        self._db = db
        self._tables = tables
        self._timing = timing

    async def public_tables(self) -> list[Listed]:
        """Public tables where somebody is, the oldest first: those that wait, and the matches that
        one may watch, or join between two deals."""
        async with self._db.unit_of_work() as session:
            return await repository.public_tables(
                session, self._timing.lobby_unattended, LIST_LIMIT
            )

    async def table(self, code: str) -> Listed:
        """One table; AppError ``table_not_found``."""
        async with self._db.unit_of_work() as session:
            found = await repository.by_code(session, code)
        if found is None:
            raise AppError("table_not_found")
        return found

    async def create(
        self, player: PlayerRef, options: Options, address: bytes | None
    ) -> tuple[str, int]:
        """Open a table with the player on seat 0; its code and seat."""
        return await self._tables.open(player, options, address), 0

    async def join(
        self, code: str, player: PlayerRef, seat: int | None, address: bytes | None
    ) -> int:
        """Sit down; the AppErrors of ``Tables.join``."""
        return await self._tables.join(code, player, seat, address)
