"""What the lobby sends and gets over REST."""

from datetime import datetime
from typing import Any, Literal, Self
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from app.infra.rest import Sent
from app.lobby.house_rules import house_rules_of
from app.lobby.parties import PartyOf
from app.lobby.repository import Listed
from app.players.schemas import OwnProfile

Speed = Literal["fast", "normal", "relaxed"]
PRESET = Field(max_length=40, examples=["classic"])


class PlayNow(Sent):
    """What to play. ``speed`` null is normal, ``target`` null the game's own; ``wait_ms``: how long
    to wait for people before bots take the free seats (null: 5 s); ``party``: together with the
    partner of one's party, who must ask as well."""

    preset: str = Field(default="classic", max_length=40)
    target: int | None = Field(default=None, ge=1, le=10_000)
    speed: Speed | None = None
    rated: bool = False
    wait_ms: int | None = Field(default=None, ge=0, le=20_000)
    party: bool = False


class NewTable(Sent):
    """A table to open. ``rules`` are house rules over the preset, in the words of
    `GET /api/presets`; ``bots`` null: the match waits for people on all seats. ``spectators``:
    people without a seat may watch (null: at a public table); ``latecomers``: a person may take a
    bot's seat between two deals of a casual match."""

    preset: str = PRESET
    target: int | None = Field(default=None, ge=1, le=10_000)
    speed: Speed = "normal"
    visibility: Literal["public", "private"] = "public"
    rated: bool = False
    bots: Literal["novice"] | None = "novice"
    spectators: bool | None = None
    latecomers: bool = True
    rules: dict[str, Any] = Field(default_factory=dict, max_length=60)


class Join(Sent):
    """Which seat; null: the first that is free."""

    seat: int | None = Field(default=None, ge=0, le=3)


class Seated(BaseModel):
    """The table and one's seat at it."""

    table: str
    seat: int


class Seat(BaseModel):
    """One's seat."""

    seat: int


class ListedSeat(BaseModel):
    """A seat of a listed table."""

    kind: Literal["person", "bot", "free"]
    player: UUID | None = None
    name: str | None = None
    avatar: str | None = None
    level: int | None = None
    bot: str | None = None


class Summary(BaseModel):
    """A table as the lobby shows it."""

    code: str
    status: Literal["waiting", "playing", "finished", "closed"]
    preset: str
    target: int
    speed: Speed
    visibility: Literal["public", "private"]
    rated: bool
    bots: str | None
    fill: bool
    spectators: bool
    latecomers: bool
    host: UUID | None
    opened_at: datetime
    seats: list[ListedSeat]
    free: int
    open: int = Field(description="Seats that a person may take: free ones, and those of bots.")
    house: dict[str, Any] = Field(description="House rules: what differs from the preset.")

    @classmethod
    def of(cls, table: Listed) -> Self:
        """From the repository's row."""
        seats = [ListedSeat(kind="free") for _ in range(table.players)]
        for sitter in table.sitters:
            seats[sitter.seat] = ListedSeat(
                kind="bot" if sitter.kind == "bot" else "person",
                player=sitter.player,
                name=sitter.name,
                avatar=sitter.avatar,
                level=sitter.level,
                bot=sitter.bot,
            )
        options = table.options
        return cls.model_validate(
            {
                "code": table.code,
                "status": table.status,
                "preset": options["preset"],
                "target": options["rules"]["target"],
                "speed": options["speed"],
                "visibility": options["visibility"],
                "rated": options["rated"],
                "bots": options["bots"],
                "fill": options["fill"],
                "spectators": options.get("spectators", False),
                "latecomers": options.get("latecomers", True),
                "host": table.host,
                "opened_at": table.opened_at,
                "seats": seats,
                "free": sum(seat.kind == "free" for seat in seats),
                "open": _open(table.status, options, seats),
                "house": house_rules_of(options["preset"], options["rules"]),
            }
        )


def _open(status: str, options: dict[str, Any], seats: list[ListedSeat]) -> int:
    taken = sum(seat.kind == "person" for seat in seats)
    if status == "playing" and (options["rated"] or not options.get("latecomers", True)):
        return 0
    return 0 if status == "closed" else len(seats) - taken


class Summaries(BaseModel):
    """The lobby's list; ``more``: it goes on."""

    tables: list[Summary]
    more: bool = False


class PartyMember(BaseModel):
    """A member of a party. ``queued``: it looks for a game now."""

    model_config = ConfigDict(from_attributes=True)

    player: UUID
    name: str
    avatar: str
    queued: bool


class PartyOffer(BaseModel):
    """A party; with two members it is whole."""

    code: str
    members: list[PartyMember]

    @classmethod
    def of(cls, party: PartyOf) -> Self:
        """From the service's record."""
        return cls.model_validate(party, from_attributes=True)


class OwnTable(BaseModel):
    """A table where the asking player has a seat."""

    code: str
    status: str = Field(description="`waiting`, `playing` or `finished`")
    preset: str
    seat: int
    your_turn: bool


class MeWithTables(BaseModel):
    """The asking player and where it sits."""

    player: OwnProfile
    tables: list[OwnTable]


class Session(BaseModel):
    """The asking player, where it sits and whose partner it is, or nobody."""

    player: OwnProfile | None
    tables: list[OwnTable]
    party: PartyOffer | None = None


class PresetOffer(BaseModel):
    """A game that can be played, with every rule of it as records write them."""

    name: str
    rules: dict[str, Any]
