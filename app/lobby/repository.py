"""The SQL of the lobby: tables as rows of a list. Reads only."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import Select, and_, func, or_, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from app.belote.notation import rules_record
from app.belote.rules import RuleSet
from app.tables.models import LIVE, GameTable, TableSeat


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


async def public_tables(session: AsyncSession, unattended_ms: int, limit: int) -> list[Listed]:
    """Public tables in the order of their opening: those that wait, also where nobody has been
    connected for a little while, and matches that somebody without a seat may watch or join."""
    options = GameTable.options
    since = func.clock_timestamp() - timedelta(milliseconds=unattended_ms)
    bot = (
        select(TableSeat)
        .where(TableSeat.table_id == GameTable.id, TableSeat.kind == "bot")
        .exists()
    )
    late = options["latecomers"].as_boolean() & options["rated"].as_boolean().is_(False) & bot
    query = _tables().where(
        text(LIVE),
        GameTable.visibility == "public",
        or_(
            and_(
                GameTable.status == "waiting",
                or_(GameTable.idle_since.is_(None), GameTable.idle_since > since),
            ),
            and_(
                GameTable.status == "playing",
                GameTable.idle_since.is_(None),
                or_(options["spectators"].as_boolean(), late),
            ),
        ),
    )
    return await _listed(session, query.order_by(GameTable.id).limit(limit))


async def by_code(session: AsyncSession, code: str) -> Listed | None:
    """One table, whatever its state."""
    found = await _listed(session, _tables().where(GameTable.code == code))
    return found[0] if found else None


async def late_tables(
    session: AsyncSession, rules: RuleSet, preset: str, speed: str, limit: int
) -> list[str]:
    """Codes of casual public matches between two deals, of exactly these rules, where somebody is
    and a bot has a seat; those with the fewest bots first."""
    bots = (
        select(func.count())
        .where(TableSeat.table_id == GameTable.id, TableSeat.kind == "bot")
        .scalar_subquery()
    )
    options = GameTable.options
    query = (
        select(GameTable.code)
        .where(
            text(LIVE),
            GameTable.status == "playing",
            GameTable.deadline_kind == "next_deal",
            GameTable.deadline_at > func.clock_timestamp(),
            GameTable.idle_since.is_(None),
            GameTable.visibility == "public",
            GameTable.preset == preset,
            options["rules"] == rules_record(rules),
            options["speed"].as_string() == speed,
            options["rated"].as_boolean().is_(False),
            options["latecomers"].as_boolean(),
            bots > 0,
        )
        .order_by(bots, GameTable.id)
        .limit(limit)
    )
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
