"""Finding a table, or opening one. Who gets a contested seat, the tables decide (D2); the lobby
only proposes and tries the next."""

from collections.abc import Mapping
from typing import Final
from uuid import UUID

from app.belote.presets import PRESETS, validated
from app.belote.rules import RuleSet, RuleSetError
from app.infra.db import Database
from app.infra.errors import AppError
from app.lobby import repository
from app.lobby.repository import Listed
from app.players.models import PlayerRef
from app.tables.events import Options, Speed
from app.tables.service import Tables

LIST_LIMIT: Final = 200
"""Rows of the lobby; more than anybody reads."""
CANDIDATES: Final = 5
ROUNDS: Final = 3
"""Looks for a seat before opening a table: each lost race means that somebody else sat down."""

_LOST_RACE: Final = frozenset(
    {"table_full", "seat_taken", "wrong_status", "table_closed", "table_not_found", "conflict"}
)
_SEATED_MEANWHILE: Final = frozenset({"already_seated", "busy_elsewhere"})
"""The same person was faster: a second click, another tab, a request sent again."""


def rules_for(preset: str, overrides: Mapping[str, object]) -> RuleSet:
    """A preset with house rules; AppError ``unknown_preset`` or ``bad_options``."""
    if preset not in PRESETS:
        raise AppError("unknown_preset")
    try:
        return validated(preset, overrides)
    except RuleSetError as error:
        raise AppError("bad_options", message=str(error)) from error


class Lobby:
    """The service; one a process."""

    def __init__(self, db: Database, tables: Tables) -> None:
        self._db = db
        self._tables = tables

    async def open_tables(self) -> list[Listed]:
        """Public tables with people waiting, the oldest first."""
        async with self._db.unit_of_work() as session:
            return await repository.open_tables(session, LIST_LIMIT)

    async def table(self, code: str) -> Listed:
        """One table; AppError ``table_not_found``."""
        async with self._db.unit_of_work() as session:
            found = await repository.by_code(session, code)
        if found is None:
            raise AppError("table_not_found")
        return found

    async def create(self, player: PlayerRef, options: Options) -> tuple[str, int]:
        """Open a table with the player on seat 0; its code and seat."""
        return await self._tables.open(player, options), 0

    async def play_now(
        self, player: PlayerRef, preset: str, speed: Speed | None
    ) -> tuple[str, int]:
        """A seat at a public table of the preset: one's own unfinished one, else the oldest that
        is free, else a new one that bots fill. AppError ``unknown_preset``."""
        rules = rules_for(preset, {})
        seated = await self._own(player.id, preset)
        if seated is not None:
            return seated
        try:
            return await self._seat(player, preset, rules, speed)
        except AppError as error:
            if error.code not in _SEATED_MEANWHILE:
                raise
            seated = await self._own(player.id, preset)
            if seated is None:
                raise
            return seated

    async def _seat(
        self, player: PlayerRef, preset: str, rules: RuleSet, speed: Speed | None
    ) -> tuple[str, int]:
        for _ in range(ROUNDS):
            async with self._db.unit_of_work() as session:
                codes = await repository.joinable(session, preset, speed, CANDIDATES)
            if not codes:
                break
            for code in codes:
                seat = await self._try(code, player)
                if seat is not None:
                    return code, seat
        options = Options(preset=preset, rules=rules, speed=speed or "normal", fill=True)
        return await self.create(player, options)

    async def _own(self, player_id: UUID, preset: str) -> tuple[str, int] | None:
        for sitting in await self._tables.seats_of(player_id):
            if sitting.preset == preset and sitting.status in ("waiting", "playing"):
                return sitting.code, sitting.seat
        return None

    async def _try(self, code: str, player: PlayerRef) -> int | None:
        """The seat got at a table, None if it was lost to others."""
        try:
            return await self._tables.join(code, player, None)
        except AppError as error:
            if error.code in _LOST_RACE:
                return None
            raise
