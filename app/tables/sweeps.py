"""Small statements over many tables: whose deadline is overdue, who was left alone, the heartbeat.

They scan the partial index of live tables (architecture, *Store*, rule 5). Nothing here commits.
"""

from datetime import datetime, timedelta
from typing import Final, cast
from uuid import UUID

from sqlalchemy import case, func, select, text, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.tables.match import Outcome
from app.tables.models import LIVE, ConductRow, GameTable, TableSeat

_LIVE: Final = text(LIVE)


def _ms(value: int) -> timedelta:
    return timedelta(milliseconds=value)


async def seats_of(session: AsyncSession, player: UUID) -> list[tuple[str, str, str, int]]:
    """(code, status, preset, seat) of the live tables where a person sits, newest first."""
    rows = await session.execute(
        select(GameTable.code, GameTable.status, GameTable.preset, TableSeat.seat)
        .join(TableSeat, TableSeat.table_id == GameTable.id)
        .where(TableSeat.player_id == player, GameTable.status != "closed")
        .order_by(GameTable.id.desc())
    )
    return [(code, status, preset, seat) for code, status, preset, seat in rows]


async def outcomes(
    session: AsyncSession, player: UUID, most: int
) -> list[tuple[Outcome, datetime]]:
    """How a player's newest rated matches have ended, newest first, and when."""
    rows = await session.execute(
        select(ConductRow.outcome, ConductRow.at)
        .where(ConductRow.player_id == player)
        .order_by(ConductRow.at.desc(), ConductRow.match_id.desc())
        .limit(most)
    )
    return [(cast(Outcome, outcome), at) for outcome, at in rows]


async def mark_idle(session: AsyncSession, table_id: int, limit_ms: int) -> None:
    """Say that nobody is at a table where no match runs; it is given up after ``limit_ms``."""
    await session.execute(
        update(GameTable)
        .where(GameTable.id == table_id, GameTable.idle_since.is_(None))
        .values(idle_since=func.clock_timestamp(), idle_limit_ms=limit_ms)
    )


async def mark_busy(session: AsyncSession, table_id: int) -> None:
    """Say that somebody is there again."""
    await session.execute(
        update(GameTable)
        .where(GameTable.id == table_id)
        .values(idle_since=None, idle_limit_ms=None)
    )


async def overdue(session: AsyncSession, late_ms: int, most: int) -> list[str]:
    """Tables whose deadline has passed for longer than whoever set it needs."""
    late = func.clock_timestamp() - _ms(late_ms)
    found = await session.scalars(
        select(GameTable.code)
        .where(_LIVE, GameTable.deadline_at < late)
        .order_by(GameTable.deadline_at)
        .limit(most)
    )
    return list(found)


async def given_up(session: AsyncSession, most: int) -> list[str]:
    """Tables that nobody came back to in time."""
    until = GameTable.idle_since + GameTable.idle_limit_ms * text("interval '1 ms'")
    found = await session.scalars(
        select(GameTable.code)
        .where(_LIVE, until < func.clock_timestamp())
        .order_by(GameTable.idle_since)
        .limit(most)
    )
    return list(found)


async def attended(session: AsyncSession, after: int, most: int) -> list[tuple[int, str]]:
    """(id, code) of the live tables that somebody was at when last heard of, by id."""
    rows = await session.execute(
        select(GameTable.id, GameTable.code)
        .where(_LIVE, GameTable.id > after, GameTable.idle_since.is_(None))
        .order_by(GameTable.id)
        .limit(most)
    )
    return [(table_id, code) for table_id, code in rows]


_ASK_NOBODY: Final = ("bot", "next_deal")
_BEAT: Final = text(
    "WITH old AS MATERIALIZED (SELECT at FROM heartbeat WHERE id = 1 FOR UPDATE)"
    " UPDATE heartbeat SET at = clock_timestamp() FROM old WHERE id = 1"
    " RETURNING (extract(epoch FROM clock_timestamp() - old.at) * 1000)::bigint"
)


async def beat(session: AsyncSession, gap_ms: int, bonus_ms: int) -> int | None:
    """Beat the heart. After a gap of more than ``gap_ms`` time has stood still for the tables: in
    the same transaction every live deadline moves by it, and those that ask people by the bonus,
    in which they come back (a bot or the next deal needs none); so does the moment since when a
    table is empty. Answers the gap in milliseconds, None if there was none worth it.

    A clock that was put back looks like a beat from the future: the gap is negative, and without
    the same move all alarms would wait for the hours to come round again.
    """
    gap: int = (await session.execute(_BEAT)).scalar_one()
    if abs(gap) <= gap_ms:
        return None
    held = (
        select(GameTable.id)
        .where(_LIVE, GameTable.deadline_at.is_not(None) | GameTable.idle_since.is_not(None))
        .order_by(GameTable.id)
        .with_for_update(key_share=True)
        .cte("held")
        .prefix_with("MATERIALIZED", dialect="postgresql")
    )
    moved = case((GameTable.deadline_kind.in_(_ASK_NOBODY), _ms(gap)), else_=_ms(gap + bonus_ms))
    await session.execute(
        update(GameTable)
        .where(GameTable.id == held.c.id)
        .values(
            deadline_at=GameTable.deadline_at + moved,
            idle_since=GameTable.idle_since + _ms(gap),
        )
        .execution_options(synchronize_session=False)
    )
    return gap
