"""What progress looks like over REST."""

from typing import Self
from uuid import UUID

from pydantic import BaseModel, Field

from app.progress.experience import Reason, XpLine, level_of
from app.progress.repository import Ranked
from app.progress.service import MatchAccount


class Line(BaseModel):
    """One line of a match's experience."""

    reason: Reason
    count: int = Field(description="How often the reason applied: deals won, own tricks, or 1.")
    points: int = Field(description="Fewer than its worth where the day's limit was reached.")

    @classmethod
    def of(cls, line: XpLine) -> Self:
        """From the service's record."""
        return cls(reason=line.reason, count=line.count, points=line.points)


class MatchExperience(BaseModel):
    """What a match gave the asker. `level_from` and `level_to` bound the level after it."""

    lines: list[Line]
    total: int
    level_before: int
    level_after: int
    xp_before: int
    xp_after: int
    level_from: int
    level_to: int

    @classmethod
    def of(cls, account: MatchAccount) -> Self:
        """From the service's record."""
        return cls(
            lines=[Line.of(line) for line in account.lines],
            total=account.total,
            level_before=account.before.level,
            level_after=account.after.level,
            xp_before=account.before.xp,
            xp_after=account.after.xp,
            level_from=account.after.level_from,
            level_to=account.after.level_to,
        )


class RankedPlayer(BaseModel):
    """Who stands in the ranking."""

    id: UUID
    name: str
    avatar: str


class RankingRow(BaseModel):
    """One row; equal sums share a rank and the next rank is left out."""

    rank: int
    player: RankedPlayer
    xp: int
    level: int
    matches: int
    won: int

    @classmethod
    def of(cls, row: Ranked) -> Self:
        """From the repository's record."""
        player = RankedPlayer(id=row.player_id, name=row.name, avatar=row.avatar)
        return cls(
            rank=row.rank,
            player=player,
            xp=row.xp,
            level=level_of(row.xp),
            matches=row.matches,
            won=row.won,
        )


class Ranking(BaseModel):
    """A page of the ranking, and the asker's own row wherever it stands."""

    rows: list[RankingRow]
    me: RankingRow | None
    total: int
