"""What past matches look like over REST."""

from datetime import datetime
from typing import Any, Literal, Self
from uuid import UUID

from pydantic import BaseModel, Field

from app.history.repository import PastMatch, PastPlayer, PresetRecord
from app.players.models import Player
from app.progress.experience import Standing
from app.progress.schemas import MatchExperience


class MatchSeat(BaseModel):
    """Who sat where, and how the match ended for that seat; nulls while it is being played."""

    seat: int
    side: int
    id: UUID | None = Field(description="The player; null for a bot.")
    name: str
    avatar: str
    bot: str | None
    outcome: Literal["finished", "quit", "abandoned"] | None
    won: bool | None
    xp: int | None

    @classmethod
    def of(cls, player: PastPlayer) -> Self:
        """From the repository's record."""
        return cls.model_validate(player, from_attributes=True)


class MatchSummary(BaseModel):
    """A match as a list shows it. `table` is the code of its table."""

    id: UUID
    table: str
    preset: str
    target: int
    started_at: datetime
    ended_at: datetime | None
    reason: Literal["target", "resigned", "abandoned"] | None
    winner: int | None
    totals: list[int] | None
    deals: int | None
    players: list[MatchSeat]

    @classmethod
    def fields_of(cls, match: PastMatch) -> dict[str, Any]:
        """From the repository's record, for this shape and those that add to it."""
        return {
            "id": match.id,
            "table": match.table,
            "preset": match.preset,
            "target": match.target,
            "started_at": match.started_at,
            "ended_at": match.ended_at,
            "reason": match.reason,
            "winner": match.winner,
            "totals": match.totals,
            "deals": match.deals,
            "players": [MatchSeat.of(player) for player in match.players],
        }

    @classmethod
    def of(cls, match: PastMatch) -> Self:
        """From the repository's record."""
        return cls(**cls.fields_of(match))


class Matches(BaseModel):
    """A page of matches, the latest first; `next` is the cursor of the page after it."""

    matches: list[MatchSummary]
    next: UUID | None


class MatchPage(BaseModel):
    """One match. `deals` are replaced by the score sheets (`deal_scored` as the socket told it),
    `experience` is the asker's account, null if the asker has none."""

    id: UUID
    table: str
    preset: str
    target: int
    number: int
    rules: dict[str, Any]
    running: bool
    started_at: datetime
    ended_at: datetime | None
    reason: Literal["target", "resigned", "abandoned"] | None
    winner: int | None
    totals: list[int] | None
    players: list[MatchSeat]
    deals: list[dict[str, Any]]
    experience: MatchExperience | None


class PresetFigures(BaseModel):
    """How a player has done in one game; matches played to their end, and those left."""

    preset: str
    matches: int
    won: int
    quit: int

    @classmethod
    def of(cls, record: PresetRecord) -> Self:
        """From the repository's record."""
        return cls.model_validate(record, from_attributes=True)


class Profile(BaseModel):
    """A player as everybody may see it."""

    id: UUID
    name: str
    avatar: str
    guest: bool
    since: datetime
    xp: int
    level: int
    level_from: int
    level_to: int
    presets: list[PresetFigures]

    @classmethod
    def of(cls, player: Player, standing: Standing, presets: list[PresetRecord]) -> Self:
        """From the rows of three rooms."""
        return cls(
            id=player.id,
            name=player.name,
            avatar=player.avatar,
            guest=player.guest,
            since=player.created_at,
            xp=standing.xp,
            level=standing.level,
            level_from=standing.level_from,
            level_to=standing.level_to,
            presets=[PresetFigures.of(record) for record in presets],
        )
