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
from app.belote.gather import Leavings
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
    match waits for four people); ``fill``: *Play now* opened the table.
    ``spectators``: who has no seat may watch a match; ``latecomers``: a person may take a bot's
    seat between two deals of a casual match."""

    preset: str
    rules: RuleSet
    speed: Speed = "normal"
    visibility: Visibility = "public"
    rated: bool = False
    bots: BotLevel | None = "novice"
    fill: bool = False
    spectators: bool = False
    latecomers: bool = True


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
    """Somebody sits down, on a free seat or in a bot's place: between matches, or between two
    deals (architecture, *Events*; ``Options.latecomers``)."""

    TYPE: ClassVar[str] = "seat_taken"
    seat: Seat
    occupant: Occupant


@dataclass(frozen=True, slots=True)
class SeatLeft(Event):
    """Somebody got up while no match was running; the seat is free. ``removed``: by the host, and
    may not sit down at this table again."""

    TYPE: ClassVar[str] = "seat_left"
    seat: Seat
    removed: bool = False


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

    ``number`` counts the table's matches; ``commit`` is the SHA-256 of the first deal's bytes;
    ``removed`` are the people whom a host has sent away; ``left`` is what the last match left of a
    pack that is cut and not shuffled.
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
    removed: Annotated[tuple[UUID, ...], HIDDEN] = ()
    left: Annotated[Leavings | None, HIDDEN] = None


@dataclass(frozen=True, slots=True)
class ReadyAsked(Event):
    """The host (in ``seat``) asks everybody whether the match may start; the host is ready.
    ``bots``: they take the free seats whatever the options say."""

    TYPE: ClassVar[str] = "ready_asked"
    seat: Seat
    bots: bool = False


@dataclass(frozen=True, slots=True)
class ReadyAnswered(Event):
    """A seat is ready, or not: then the start is called off."""

    TYPE: ClassVar[str] = "ready_answered"
    seat: Seat
    yes: bool


@dataclass(frozen=True, slots=True)
class RematchOffered(Event):
    """A seat would like another match with the same people; that is its own yes. Bots say yes."""

    TYPE: ClassVar[str] = "rematch_offered"
    seat: Seat


@dataclass(frozen=True, slots=True)
class RematchAnswered(Event):
    """A seat's yes to a rematch, or a no, which calls it off."""

    TYPE: ClassVar[str] = "rematch_answered"
    seat: Seat
    yes: bool


@dataclass(frozen=True, slots=True)
class ResignOffered(Event):
    """A seat would resign the match, if its partner agrees before the next deal."""

    TYPE: ClassVar[str] = "resign_offered"
    seat: Seat


@dataclass(frozen=True, slots=True)
class ResignAnswered(Event):
    """The partner agrees, and the match's end follows; or not, until the next deal."""

    TYPE: ClassVar[str] = "resign_answered"
    seat: Seat
    yes: bool


@dataclass(frozen=True, slots=True)
class Claimed(Event):
    """The seat on lead wins the rest whatever the others hold (``belote.claims``); the cards
    follow in the same batch."""

    TYPE: ClassVar[str] = "claimed"
    seat: Seat


@dataclass(frozen=True, slots=True)
class SeatToBot(Event):
    """A bot plays from now on: for an absent person until the seat is taken back, or, when the
    person left for good, until the end (D10). ``left_ms``: what the person had left of a turn that
    it interrupts; who comes back gets no more."""

    TYPE: ClassVar[str] = "seat_to_bot"
    seat: Seat
    reason: SitInReason
    bot: BotLevel
    left_ms: Annotated[int | None, HIDDEN] = None


@dataclass(frozen=True, slots=True)
class SeatReclaimed(Event):
    """The person plays again."""

    TYPE: ClassVar[str] = "seat_reclaimed"
    seat: Seat


@dataclass(frozen=True, slots=True)
class Paused(Event):
    """Nobody is connected: no clock runs until somebody comes back. ``left_ms``: what was left of
    the open turn."""

    TYPE: ClassVar[str] = "paused"
    left_ms: Annotated[int | None, HIDDEN] = None


@dataclass(frozen=True, slots=True)
class Resumed(Event):
    """Somebody is back; the open turn goes on with what was left of it."""

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
    | ReadyAsked
    | ReadyAnswered
    | RematchOffered
    | RematchAnswered
    | ResignOffered
    | ResignAnswered
    | Claimed
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
    ReadyAsked,
    ReadyAnswered,
    RematchOffered,
    RematchAnswered,
    ResignOffered,
    ResignAnswered,
    Claimed,
    SeatToBot,
    SeatReclaimed,
    Paused,
    Resumed,
    Abandoned,
    Closed,
)
ALL_EVENTS: tuple[type[Event], ...] = TABLE_EVENTS + GAME_EVENTS
"""Every type that a log may hold; a registry test compares it with the subclasses of ``Event``."""
