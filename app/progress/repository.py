"""The SQL of progress: sums, ledger lines, the ranking. Never commits.

Lock order (architecture, *Store* rule 4): whoever holds a table's row comes here with it, and here
rows are taken in the order of player ids, so that two matches that end at once can't deadlock. A
match's end is a statement for all its players, not one for each: others wait for it (D21).
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import func, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from app.infra.db import as_rows
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


@dataclass(frozen=True, slots=True)
class BotDay:
    """What matches against bots alone have given a player, and on which day (UTC)."""

    day: date | None
    points: int


_HOLD = text("""
INSERT INTO progress AS p (player_id)
SELECT id FROM unnest(CAST(:players AS uuid[])) AS id ORDER BY id
ON CONFLICT (player_id) DO UPDATE SET xp = p.xp
RETURNING player_id, bot_xp_day, bot_xp""")
"""Made where missing and locked in one round trip, which a plain select could not."""

_BOOK = text("""
WITH new AS (
  INSERT INTO xp_ledger (player_id, match_id, reason, count, points, at)
  SELECT player_id, match_id, reason, count, points, at
  FROM jsonb_populate_recordset(CAST(NULL AS xp_ledger), CAST(:rows AS jsonb))
  ON CONFLICT (player_id, match_id, reason) DO NOTHING
  RETURNING player_id, reason, points),
gain AS (
  SELECT player_id, array_agg(reason) AS reasons, sum(points) AS points FROM new GROUP BY player_id)
UPDATE progress AS p SET
  xp = p.xp + g.points,
  matches = p.matches + CAST('played' = ANY(g.reasons) AS int),
  won = p.won + CAST('won' = ANY(g.reasons) AS int),
  bot_xp = CASE WHEN CAST(:bot_day AS date) IS NULL THEN p.bot_xp
                WHEN p.bot_xp_day = :bot_day THEN p.bot_xp + g.points ELSE g.points END,
  bot_xp_day = coalesce(:bot_day, p.bot_xp_day)
FROM gain AS g WHERE p.player_id = g.player_id
RETURNING p.player_id, g.reasons""")


async def held(session: AsyncSession, players: Collection[UUID]) -> dict[UUID, BotDay]:
    """Hold the players' sums, made where missing, until the transaction ends."""
    rows = await session.execute(_HOLD, {"players": list(players)})
    return {player: BotDay(day, points) for player, day, points in rows}


async def book(
    session: AsyncSession,
    match_id: UUID,
    at: datetime,
    lines: Mapping[UUID, Sequence[XpLine]],
    bot_day: date | None,
) -> dict[UUID, list[XpLine]]:
    """Write lines and add them to the sums, which the caller holds. Lines that the ledger has
    already are left alone and not among the answer. ``bot_day``: the day whose limit they use up.
    """
    rows = [
        {"player_id": player, "match_id": match_id, "at": at, **asdict(line)}
        for player, own in lines.items()
        for line in own
    ]
    written = await session.execute(_BOOK, {"rows": as_rows(rows), "bot_day": bot_day})
    new = {player: set(reasons) for player, reasons in written}
    return {
        player: [line for line in own if line.reason in new.get(player, ())]
        for player, own in lines.items()
    }


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


def _reason(word: str) -> Reason:
    for reason in ("played", "won", "deals", "tricks"):
        if word == reason:
            return reason
    raise ValueError(f"not a reason: {word!r}")
