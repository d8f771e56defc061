"""What the end of a match gives, and what a player may ask of it. Never commits."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from app.progress import experience, repository
from app.progress.experience import Standing, XpLine
from app.progress.repository import BotDay


@dataclass(frozen=True, slots=True)
class PlayerTally:
    """What one player did in a match that it stayed in to the end."""

    player_id: UUID
    won: bool
    deals_won: int
    own_tricks: int
    end_points: bool = True
    """False for a latecomer that had less than half of the deals."""


@dataclass(frozen=True, slots=True)
class MatchAccount:
    """A match's lines for one player, and its standing before and after."""

    lines: tuple[XpLine, ...]
    before: Standing
    after: Standing

    @property
    def total(self) -> int:
        """All points of the match."""
        return sum(line.points for line in self.lines)


async def award(
    session: AsyncSession,
    *,
    match_id: UUID,
    ended_at: datetime,
    players: Sequence[PlayerTally],
    bots_alone: bool,
) -> dict[UUID, list[XpLine]]:
    """Write the experience of a match that has ended, in the transaction of its last event.

    ``players`` are those who stayed (who left for good gets 0, an abandoned match gives nobody
    any: give none). ``bots_alone``: nobody else at the table was a person; then the day's limit
    holds. Written twice it gives once: the answer has only the lines that are new.
    """
    today = ended_at.astimezone(UTC).date()
    held = await repository.held(session, [player.player_id for player in players])
    lines: dict[UUID, tuple[XpLine, ...]] = {}
    for player in players:
        own = experience.lines(
            player.won, player.deals_won, player.own_tricks, end_points=player.end_points
        )
        if bots_alone:
            own = experience.capped(own, _left_today(held[player.player_id], today))
        lines[player.player_id] = own
    bot_day = today if bots_alone else None
    return await repository.book(session, match_id, ended_at, lines, bot_day)


def _left_today(spent: BotDay, today: date) -> int:
    return experience.BOT_MATCHES_A_DAY - (spent.points if spent.day == today else 0)


async def account(session: AsyncSession, player_id: UUID, match_id: UUID) -> MatchAccount:
    """A player's account of one match; no lines if it gave none."""
    lines = tuple(await repository.lines_of(session, player_id, match_id))
    before = await repository.sum_before(session, player_id, match_id)
    after = before + sum(line.points for line in lines)
    return MatchAccount(lines, experience.standing(before), experience.standing(after))


async def standing_of(session: AsyncSession, player_id: UUID) -> Standing:
    """A player's level now."""
    row = await repository.of_player(session, player_id)
    return experience.standing(0 if row is None else row.xp)
