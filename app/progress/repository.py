"""The SQL of progress: sums, ledger lines, the ranking. Never commits.

Lock order (architecture, *Store* rule 4): whoever holds a table's row comes here with it, and here
rows are taken in the order of player ids, so that two matches that end at once can't deadlock.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.players.models import Player
from app.progress.experience import Reason, XpLine
from app.progress.models import Progress, XpEntry


@dataclass(frozen=True, slots=True)
class Ranked:
    """A row of the ranking; equal sums share a rank."""

    rank: int
    player_id: UUID
    name: str
    avatar: str
    xp: int
    matches: int
    won: int


_RANKED = (
    select(
        func.rank().over(order_by=Progress.xp.desc()).label("rank"),
        Progress.player_id,
        Player.name,
        Player.avatar,
        Progress.xp,
        Progress.matches,
        Progress.won,
    )
    .join(Player, Player.id == Progress.player_id)
    .where(Progress.matches > 0)
)
"""The ranking, not yet ordered."""


async def locked(session: AsyncSession, player_ids: Sequence[UUID]) -> dict[UUID, Progress]:
    """The players' rows, made where missing, held until the transaction ends."""
    ids = sorted(player_ids)
    if not ids:
        return {}
    fresh = insert(Progress).values([{"player_id": player_id} for player_id in ids])
    await session.execute(fresh.on_conflict_do_nothing())
    held = (
        select(Progress)
        .where(Progress.player_id.in_(ids))
        .order_by(Progress.player_id)
        .with_for_update()
        .execution_options(populate_existing=True)
    )
    return {row.player_id: row for row in await session.scalars(held)}


async def add_lines(
    session: AsyncSession, player_id: UUID, match_id: UUID, at: datetime, lines: Sequence[XpLine]
) -> list[XpLine]:
    """Write lines; those that the ledger has already are left alone and not among the answer."""
    if not lines:  # a latecomer who has won nothing yet
        return []
    rows = [
        {
            "player_id": player_id,
            "match_id": match_id,
            "reason": line.reason,
            "count": line.count,
            "points": line.points,
            "at": at,
        }
        for line in lines
    ]
    written = await session.scalars(
        insert(XpEntry).values(rows).on_conflict_do_nothing().returning(XpEntry.reason)
    )
    reasons = set(written)
    return [line for line in lines if line.reason in reasons]


async def lines_of(session: AsyncSession, player_id: UUID, match_id: UUID) -> list[XpLine]:
    """A player's lines of one match, in the order in which they were written."""
    rows = await session.execute(
        select(XpEntry.reason, XpEntry.count, XpEntry.points)
        .where(XpEntry.player_id == player_id, XpEntry.match_id == match_id)
        .order_by(XpEntry.id)
    )
    return [XpLine(_reason(reason), count, points) for reason, count, points in rows]


async def sum_before(session: AsyncSession, player_id: UUID, match_id: UUID) -> int:
    """What the player had before that match's lines; all it has if the match gave none.

    Ids tell the order: a player's lines are only written while its progress row is held.
    """
    first = (
        select(func.min(XpEntry.id))
        .where(XpEntry.player_id == player_id, XpEntry.match_id == match_id)
        .scalar_subquery()
    )
    total = select(func.coalesce(func.sum(XpEntry.points), 0)).where(
        XpEntry.player_id == player_id,
        XpEntry.id < func.coalesce(first, select(func.max(XpEntry.id) + 1).scalar_subquery()),
    )
    return int((await session.scalars(total)).one())


async def of_player(session: AsyncSession, player_id: UUID) -> Progress | None:
    """A player's sum, None before the first match."""
    return await session.get(Progress, player_id)


async def ranking(session: AsyncSession, limit: int, offset: int) -> list[Ranked]:
    """A page of the ranking by experience; among equals the older player (smaller id) first."""
    page = _RANKED.order_by(Progress.xp.desc(), Progress.player_id).limit(limit).offset(offset)
    return [_row(row) for row in await session.execute(page)]


async def rank_of(session: AsyncSession, player_id: UUID) -> Ranked | None:
    """The player's own row, None before its first match."""
    board = _RANKED.subquery()
    row = (await session.execute(select(board).where(board.c.player_id == player_id))).first()
    return None if row is None else _row(row)


async def ranked_players(session: AsyncSession) -> int:
    """How many players the ranking has."""
    played = select(func.count()).select_from(Progress).where(Progress.matches > 0)
    return int((await session.scalars(played)).one())


def _row(row: Any) -> Ranked:
    return Ranked(
        rank=row.rank,
        player_id=row.player_id,
        name=row.name,
        avatar=row.avatar,
        xp=row.xp,
        matches=row.matches,
        won=row.won,
    )


def _reason(text: str) -> Reason:
    for reason in ("played", "won", "deals", "tricks"):
        if text == reason:
            return reason
    raise ValueError(f"not a reason: {text!r}")
