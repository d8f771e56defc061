"""The SQL of the lobby: tables as rows of a list. Reads only."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Select, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.tables.models import GameTable, TableSeat


@dataclass(frozen=True, slots=True)
class Sitter:
    """Who sits on a seat of a listed table."""

    seat: int
    kind: str
    player: UUID | None
    name: str
    avatar: str
    level: int | None
    bot: str | None


@dataclass(frozen=True, slots=True)
class Listed:
    """A table as the lobby shows it. ``options`` are the host's, as events carry them."""

    id: int
    code: str
    status: str
    host: UUID | None
    options: dict[str, Any]
    opened_at: datetime
    sitters: tuple[Sitter, ...]

    @property
    def players(self) -> int:
        """How many seats it has."""
        return int(self.options["rules"]["players"])


async def open_tables(session: AsyncSession, limit: int) -> list[Listed]:
    """Public tables that wait for players, the oldest first."""
    query = _tables().where(GameTable.visibility == "public", GameTable.status == "waiting")
    return await _listed(session, query.order_by(GameTable.id).limit(limit))


async def by_code(session: AsyncSession, code: str) -> Listed | None:
    """One table, whatever its state."""
    found = await _listed(session, _tables().where(GameTable.code == code))
    return found[0] if found else None


async def joinable(session: AsyncSession, preset: str, speed: str | None, limit: int) -> list[str]:
    """Codes of public tables of a preset with a free seat: first those that start by themselves,
    then those where somebody is; each the oldest first."""
    sitting = select(func.count()).where(TableSeat.table_id == GameTable.id).scalar_subquery()
    seats = GameTable.options["rules"]["players"].as_integer()
    fills = GameTable.options["fill"].as_boolean()
    query = (
        select(GameTable.code)
        .where(
            GameTable.status == "waiting",
            GameTable.visibility == "public",
            GameTable.preset == preset,
            sitting < seats,
            fills | GameTable.idle_since.is_(None),
        )
        .order_by(fills.desc(), GameTable.id)
        .limit(limit)
    )
    if speed is not None:
        query = query.where(GameTable.options["speed"].as_string() == speed)
    return list(await session.scalars(query))


def _tables() -> Select[Any]:
    return select(
        GameTable.id,
        GameTable.code,
        GameTable.status,
        GameTable.host,
        GameTable.options,
        GameTable.opened_at,
    )


async def _listed(session: AsyncSession, query: Select[Any]) -> list[Listed]:
    rows = (await session.execute(query)).all()
    sitters = await _sitters(session, [row.id for row in rows])
    return [
        Listed(
            id=row.id,
            code=row.code,
            status=row.status,
            host=row.host,
            options=row.options,
            opened_at=row.opened_at,
            sitters=tuple(sitters.get(row.id, ())),
        )
        for row in rows
    ]


async def _sitters(session: AsyncSession, table_ids: Sequence[int]) -> dict[int, list[Sitter]]:
    found: dict[int, list[Sitter]] = {}
    if not table_ids:
        return found
    rows = await session.scalars(
        select(TableSeat)
        .where(TableSeat.table_id.in_(table_ids))
        .order_by(TableSeat.table_id, TableSeat.seat)
    )
    for row in rows:
        sitter = Sitter(row.seat, row.kind, row.player_id, row.name, row.avatar, row.level, row.bot)
        found.setdefault(row.table_id, []).append(sitter)
    return found
