"""The SQL of past matches. The log itself is read through ``tables.store`` alone."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.tables.models import GameTable, Match, MatchPlayer


@dataclass(frozen=True, slots=True)
class PastPlayer:
    """A seat of a match. ``outcome`` and what follows are None while it is being played."""

    seat: int
    side: int
    id: UUID | None
    name: str
    avatar: str
    bot: str | None
    outcome: str | None
    won: bool | None
    xp: int | None


@dataclass(frozen=True, slots=True)
class PastMatch:
    """A match row with its table's code; ``players`` is empty until its end is written."""

    id: UUID
    table_id: int
    table: str
    number: int
    preset: str
    target: int
    rules: dict[str, Any]
    started_at: datetime
    ended_at: datetime | None
    reason: str | None
    winner: int | None
    totals: list[int] | None
    deals: int | None
    seq_from: int
    seq_to: int | None
    players: tuple[PastPlayer, ...] = ()

    @property
    def running(self) -> bool:
        """Whether it is still being played: nothing but public fields may leave (D4)."""
        return self.ended_at is None or self.seq_to is None


@dataclass(frozen=True, slots=True)
class PresetRecord:
    """A player's matches in one game, the abandoned ones left out."""

    preset: str
    matches: int
    won: int
    quit: int


_MATCHES = select(
    Match.id,
    Match.table_id,
    GameTable.code.label("table"),
    Match.number,
    Match.preset,
    Match.target,
    Match.rules,
    Match.started_at,
    Match.ended_at,
    Match.reason,
    Match.winner,
    Match.totals,
    Match.deals,
    Match.seq_from,
    Match.seq_to,
).join(GameTable, GameTable.id == Match.table_id)


async def by_id(session: AsyncSession, match_id: UUID) -> PastMatch | None:
    """The match with its players, or None."""
    row = (await session.execute(_MATCHES.where(Match.id == match_id))).one_or_none()
    if row is None:
        return None
    players = await _players(session, [match_id])
    return replace(PastMatch(**row._mapping), players=players.get(match_id, ()))


async def of_player(
    session: AsyncSession, player_id: UUID, before: UUID | None, limit: int
) -> list[PastMatch]:
    """A player's ended matches, the latest first, those before the cursor.

    Match ids are ordered by time (UUID version 7), so the index of ``match_player`` alone finds a
    page, however many matches there are.
    """
    mine = select(MatchPlayer.match_id).where(MatchPlayer.player_id == player_id)
    if before is not None:
        mine = mine.where(MatchPlayer.match_id < before)
    page = mine.order_by(MatchPlayer.match_id.desc()).limit(limit).subquery()
    rows = await session.execute(
        _MATCHES.join(page, page.c.match_id == Match.id).order_by(Match.id.desc())
    )
    matches = [PastMatch(**row._mapping) for row in rows]
    players = await _players(session, [match.id for match in matches])
    return [replace(match, players=players.get(match.id, ())) for match in matches]


async def record_of(session: AsyncSession, player_id: UUID) -> list[PresetRecord]:
    """How the player has done in each game, most played first."""
    finished = func.count().filter(MatchPlayer.outcome == "finished").label("matches")
    rows = await session.execute(
        select(
            Match.preset,
            finished,
            func.count().filter(MatchPlayer.won.is_(True)).label("won"),
            func.count().filter(MatchPlayer.outcome == "quit").label("quit"),
        )
        .join(MatchPlayer, MatchPlayer.match_id == Match.id)
        .where(MatchPlayer.player_id == player_id, MatchPlayer.outcome != "abandoned")
        .group_by(Match.preset)
        .order_by(finished.desc(), Match.preset)
    )
    return [PresetRecord(**row._mapping) for row in rows]


async def _players(
    session: AsyncSession, match_ids: Sequence[UUID]
) -> dict[UUID, tuple[PastPlayer, ...]]:
    if not match_ids:
        return {}
    rows = await session.scalars(
        select(MatchPlayer)
        .where(MatchPlayer.match_id.in_(match_ids))
        .order_by(MatchPlayer.match_id, MatchPlayer.seat, MatchPlayer.stint)
    )
    found: dict[UUID, tuple[PastPlayer, ...]] = {}
    for row in rows:
        player = PastPlayer(
            seat=row.seat,
            side=row.side,
            id=row.player_id,
            name=row.name,
            avatar=row.avatar,
            bot=row.bot,
            outcome=row.outcome,
            won=row.won,
            xp=row.xp,
        )
        found[row.match_id] = (*found.get(row.match_id, ()), player)
    return found


async def table_of(session: AsyncSession, match_id: UUID) -> int | None:
    """The table at which a match is or was played."""
    found: int | None = await session.scalar(select(Match.table_id).where(Match.id == match_id))
    return found
