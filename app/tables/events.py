"""What happens at a table around the game: seats, hosts, options, matches, absence.

They stand on the core's base class and in the same log, so one number runs through both. Each
field has its audience as in ``belote.events`` (D4); all fields here are public but the secret
bytes of a match's first deal.
"""

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal
from uuid import UUID

from app.belote.cards import Seat
from app.belote.events import GAME_EVENTS, HIDDEN, Event, GameEvent
from app.belote.rules import RuleSet

How = Literal["human", "timeout", "bot", "system"]
"""Who acted: a person, the server at a person's deadline, a bot, or the server on its own."""
Speed = Literal["fast", "normal", "relaxed"]
Visibility = Literal["public", "private"]
BotLevel = Literal["novice"]
SitInReason = Literal["deadline", "away", "left"]
CloseReason = Literal["idle", "empty", "abandoned"]


@dataclass(frozen=True, slots=True)
class Options:
    """What the host chose. ``bots`` is the level that fills free seats at the start (None: the
    match waits for four people); ``fill``: bots come by themselves after ``Timing.fill``."""

    preset: str
    rules: RuleSet
    speed: Speed = "normal"
    visibility: Visibility = "public"
    rated: bool = False
    bots: BotLevel | None = "novice"
    fill: bool = False


@dataclass(frozen=True, slots=True)
class Occupant:
    """Who takes a seat: a person (``player``, ``level``) or a bot (``bot`` is its level)."""

    kind: Literal["person", "bot"]
    player: UUID | None
    name: str
    avatar: str
    level: int | None = None
    bot: BotLevel | None = None


@dataclass(frozen=True, slots=True)
class Opened(Event):
    """The table's first event."""

    TYPE: ClassVar[str] = "opened"
    code: str
    host: UUID | None
    options: Options


@dataclass(frozen=True, slots=True)
class SeatTaken(Event):
    """Somebody sits down, on a free seat or, between matches, in a bot's place."""

    TYPE: ClassVar[str] = "seat_taken"
    seat: Seat
    occupant: Occupant


@dataclass(frozen=True, slots=True)
class SeatLeft(Event):
    """Somebody got up while no match was running; the seat is free."""

    TYPE: ClassVar[str] = "seat_left"
    seat: Seat


@dataclass(frozen=True, slots=True)
class HostChanged(Event):
    """Another person may start matches from now on."""

    TYPE: ClassVar[str] = "host_changed"
    host: UUID | None


@dataclass(frozen=True, slots=True)
class OptionsSet(Event):
    """The host chose other options, between matches."""

    TYPE: ClassVar[str] = "options_set"
    options: Options


@dataclass(frozen=True, slots=True)
class MatchStarted(Event):
    """A match begins. A complete base: whoever reads the log may begin here (``base_seq``).

    ``number`` counts the table's matches; ``commit`` is the SHA-256 of the first deal's bytes.
    """

    TYPE: ClassVar[str] = "match_started"
    match: str
    number: int
    rules: RuleSet
    options: Options
    host: UUID | None
    seats: tuple[Occupant, ...]
    dealer: Seat
    commit: str
    secret: Annotated[str, HIDDEN] = ""


@dataclass(frozen=True, slots=True)
class SeatToBot(Event):
    """A bot plays from now on: for an absent person until the seat is taken back, or, when the
    person left for good, until the end (D10)."""

    TYPE: ClassVar[str] = "seat_to_bot"
    seat: Seat
    reason: SitInReason
    bot: BotLevel


@dataclass(frozen=True, slots=True)
class SeatReclaimed(Event):
    """The person plays again."""

    TYPE: ClassVar[str] = "seat_reclaimed"
    seat: Seat


@dataclass(frozen=True, slots=True)
class Paused(Event):
    """Nobody is connected: no clock runs until somebody comes back."""

    TYPE: ClassVar[str] = "paused"


@dataclass(frozen=True, slots=True)
class Resumed(Event):
    """Somebody is back; the open turn begins afresh."""

    TYPE: ClassVar[str] = "resumed"


@dataclass(frozen=True, slots=True)
class Abandoned(Event):
    """Nobody came back in time; the match's end follows in the same batch."""

    TYPE: ClassVar[str] = "abandoned"


@dataclass(frozen=True, slots=True)
class Closed(Event):
    """The table's last event."""

    TYPE: ClassVar[str] = "closed"
    reason: CloseReason


TableEvent = (
    Opened
    | SeatTaken
    | SeatLeft
    | HostChanged
    | OptionsSet
    | MatchStarted
    | SeatToBot
    | SeatReclaimed
    | Paused
    | Resumed
    | Abandoned
    | Closed
)
AnyEvent = TableEvent | GameEvent

TABLE_EVENTS: tuple[type[Event], ...] = (
    Opened,
    SeatTaken,
    SeatLeft,
    HostChanged,
    OptionsSet,
    MatchStarted,
    SeatToBot,
    SeatReclaimed,
    Paused,
    Resumed,
    Abandoned,
    Closed,
)
ALL_EVENTS: tuple[type[Event], ...] = TABLE_EVENTS + GAME_EVENTS
"""Every type that a log may hold; a registry test compares it with the subclasses of ``Event``."""
