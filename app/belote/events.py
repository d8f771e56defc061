"""What happened in a match, as facts: outcomes are carried, never computed again (D1).

Every field of an event has one audience (D4): unmarked fields are ``public``; a field marked
``PRIVATE`` holds one entry a seat and a viewer gets its own alone; a field marked ``HIDDEN`` is
for the server. What a viewer gets is *composed* by ``view.redact`` from the public fields and its
own private entries, so a field that somebody forgot to mark for a viewer reaches nobody.

The tables layer adds events of its own (seats, hosts, pauses) on the same base class.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, ClassVar, Literal

from app.belote.cards import Card, Seat, Side, Suit, Trump
from app.belote.gather import Leavings


class Audience(StrEnum):
    """Who may read a field of an event, beside everybody."""

    PRIVATE = "private"
    HIDDEN = "hidden"


PRIVATE = Audience.PRIVATE
HIDDEN = Audience.HIDDEN

Cards = tuple[Card, ...]

BidValue = int | Literal["capot"]
CallKind = Literal["pass", "take", "name", "bid", "double", "redouble", "third", "annul"]
DeclarationKind = Literal["tierce", "quarte", "quinte", "carre"]
DeclarationOutcome = Literal["scored", "beaten", "void", "lost", "taken", "withheld"]
DealOutcome = Literal["made", "failed", "litige", "match"]
EndReason = Literal["target", "resigned", "abandoned"]
"""target: won by play, past the target or by a deal that wins the match by itself."""
BeloteCall = Literal["belote", "rebelote"]


@dataclass(frozen=True, slots=True)
class Contract:
    """What the taker must make. ``value`` is the bid in points (or "capot"), None where the game
    has no levels; ``factor`` is 1, doubled 2, redoubled 4, or "match" for a third double."""

    taker: Seat
    trump: Trump
    value: BidValue | None = None
    factor: int | Literal["match"] = 1


@dataclass(frozen=True, slots=True)
class Call:
    """One call of the auction, as the record lists it."""

    seat: Seat
    call: CallKind
    trump: Trump | None = None
    value: BidValue | None = None


@dataclass(frozen=True, slots=True)
class Declaration:
    """A declaration with its cards, low to high. Known to its owner and the server until shown."""

    seat: Seat
    kind: DeclarationKind
    cards: Cards
    points: int


@dataclass(frozen=True, slots=True)
class SeenDeclaration:
    """A declaration as everybody knows it. ``cards`` and ``points`` are None until it is shown,
    and for ever when it does not count (rules.md §1 "When"); ``outcome`` is None until settled."""

    seat: Seat
    kind: DeclarationKind
    cards: Cards | None = None
    points: int | None = None
    outcome: DeclarationOutcome | None = None


@dataclass(frozen=True, slots=True)
class BeloteSaid:
    """King and queen of a trump suit in one hand: ``said`` is 1 after belote, 2 after rebelote."""

    seat: Seat
    suit: Suit
    said: int = 1


@dataclass(frozen=True, slots=True)
class Score:
    """The score of a deal, in the words of record.md. Tuples have one entry a side. ``last_ten`` is
    None in a deal that a run of eight ended before any trick (``outcome`` match)."""

    cards: tuple[int, ...]
    last_ten: Side | None
    tricks: tuple[int, ...]
    declarations: tuple[int, ...]
    belote: tuple[int, ...]
    outcome: DealOutcome
    capot: Side | None
    rounded: tuple[int, ...] | None
    awarded: tuple[int, ...]
    carried_in: int
    hung: int
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Event:
    """Base of every event. ``TYPE`` is its stored name, ``V`` the version of its stored shape; a
    stored shape is never edited: a change is a new version and an upcaster in the codec."""

    TYPE: ClassVar[str]
    V: ClassVar[int] = 1


@dataclass(frozen=True, slots=True)
class HandDealt(Event):
    """The first packets, and the turn-up where the game has one. ``commit`` is the SHA-256 of this
    deal's bytes, ``next_commit`` that of the next deal's, so that the server can't choose a pack
    after it knows what others add (architecture.md, *Fair deals*). ``up`` are a seat's face-up
    cards by place, ``down`` how many lie face down (``under`` has them: unknown to their owner
    too), ``cutter`` who cut. ``before`` and ``cut``: what a cut pack came from, and how."""

    TYPE: ClassVar[str] = "hand_dealt"
    deal: int
    dealer: Seat
    counts: tuple[int, ...]
    turned: Card | None
    commit: str
    next_commit: str
    cards: Annotated[tuple[Cards | None, ...], PRIVATE]
    up: tuple[Cards, ...] = ()
    down: tuple[int, ...] = ()
    cutter: Seat | None = None
    under: Annotated[tuple[Cards, ...], HIDDEN] = ()
    stock: Annotated[Cards, HIDDEN] = ()
    before: Annotated[Leavings | None, HIDDEN] = None
    cut: Annotated[int | None, HIDDEN] = None
    secret: Annotated[str, HIDDEN] = ""
    next_secret: Annotated[str, HIDDEN] = ""


@dataclass(frozen=True, slots=True)
class Passed(Event):
    """A seat passed. ``round`` of the auction, from 1. Where two cards lay face down it may now see
    its own (bela)."""

    TYPE: ClassVar[str] = "passed"
    seat: Seat
    round: int
    cards: Annotated[tuple[Cards | None, ...], PRIVATE] = ()


@dataclass(frozen=True, slots=True)
class BidMade(Event):
    """A seat took the turn-up ("take"), named a trump ("name") or bid ("bid"). A named trump shows
    the face-down cards to those who have not seen theirs (bela)."""

    TYPE: ClassVar[str] = "bid_made"
    seat: Seat
    call: CallKind
    trump: Trump
    value: BidValue | None = None
    cards: Annotated[tuple[Cards | None, ...], PRIVATE] = ()


@dataclass(frozen=True, slots=True)
class Doubled(Event):
    """A seat doubled the others' standing bid (coinche, contra), perhaps out of turn."""

    TYPE: ClassVar[str] = "doubled"
    seat: Seat
    factor: int


@dataclass(frozen=True, slots=True)
class Redoubled(Event):
    """The bidding side redoubled (surcoinche, recontra)."""

    TYPE: ClassVar[str] = "redoubled"
    seat: Seat
    factor: int


@dataclass(frozen=True, slots=True)
class ThirdDoubled(Event):
    """The doubling side doubled once more: the deal's winner wins the match."""

    TYPE: ClassVar[str] = "third_doubled"
    seat: Seat


@dataclass(frozen=True, slots=True)
class DealAnnulled(Event):
    """The dealer, who had to name, threw the deal in: it does not count."""

    TYPE: ClassVar[str] = "deal_annulled"
    deal: int
    seat: Seat
    next_dealer: Seat


@dataclass(frozen=True, slots=True)
class PassedOut(Event):
    """Nobody took: the deal does not count; ``next_dealer`` deals next."""

    TYPE: ClassVar[str] = "passed_out"
    deal: int
    next_dealer: Seat


@dataclass(frozen=True, slots=True)
class RestDealt(Event):
    """The packets after the auction; ``counts`` are cards held now, the taker's turn-up among
    them. ``cards`` is each seat's whole hand when play begins, ``leader`` leads the first trick."""

    TYPE: ClassVar[str] = "rest_dealt"
    contract: Contract
    leader: Seat
    counts: tuple[int, ...]
    cards: Annotated[tuple[Cards | None, ...], PRIVATE]


@dataclass(frozen=True, slots=True)
class Declared(Event):
    """A seat declares with its first card, or before the lead where all are asked: kinds only (no
    kinds: it declares nothing); which cards, its owner alone knows."""

    TYPE: ClassVar[str] = "declared"
    seat: Seat
    kinds: tuple[DeclarationKind, ...]
    declarations: Annotated[tuple[tuple[Declaration, ...] | None, ...], PRIVATE]


@dataclass(frozen=True, slots=True)
class CardPlayed(Event):
    """A card on the table; ``belote`` is what its seat said with it."""

    TYPE: ClassVar[str] = "card_played"
    seat: Seat
    card: Card
    belote: BeloteCall | None = None


@dataclass(frozen=True, slots=True)
class TrickTaken(Event):
    """The trick is complete: its winner, and its card points with the last ten in the last."""

    TYPE: ClassVar[str] = "trick_taken"
    trick: int
    winner: Seat
    points: int


@dataclass(frozen=True, slots=True)
class CardTurnedUp(Event):
    """A face-down card is turned up at its ``place``, from 0: the one upon it was played."""

    TYPE: ClassVar[str] = "card_turned_up"
    seat: Seat
    place: int
    card: Card


@dataclass(frozen=True, slots=True)
class DeclarationsSettled(Event):
    """All declarations of the deal in order of play, with cards for those that count."""

    TYPE: ClassVar[str] = "declarations_settled"
    declarations: tuple[SeenDeclaration, ...]


@dataclass(frozen=True, slots=True)
class DealScored(Event):
    """The deal's score sheet, whole; ``secret`` reveals the bytes of a played, shuffled deal."""

    TYPE: ClassVar[str] = "deal_scored"
    deal: int
    dealer: Seat
    contract: Contract
    declarations: tuple[SeenDeclaration, ...]
    belote: tuple[BeloteSaid, ...]
    score: Score
    next_dealer: Seat
    secret: str | None


@dataclass(frozen=True, slots=True)
class Continued(Event):
    """A seat is ready for the next deal."""

    TYPE: ClassVar[str] = "continued"
    seat: Seat


@dataclass(frozen=True, slots=True)
class RevealedSecret:
    """The bytes of a deal that was not scored, told when the match is over (hex)."""

    deal: int
    secret: str


@dataclass(frozen=True, slots=True)
class MatchEnded(Event):
    """The result, and it alone: experience and ratings are ledger rows. ``winner`` is None when
    the match was abandoned. ``secrets`` are those of passed-out and unfinished deals."""

    TYPE: ClassVar[str] = "match_ended"
    winner: Side | None
    reason: EndReason
    totals: tuple[int, ...]
    deals: int
    secrets: tuple[RevealedSecret, ...] = field(default=())


GameEvent = (
    HandDealt
    | Passed
    | BidMade
    | Doubled
    | Redoubled
    | ThirdDoubled
    | DealAnnulled
    | PassedOut
    | RestDealt
    | Declared
    | CardPlayed
    | TrickTaken
    | CardTurnedUp
    | DeclarationsSettled
    | DealScored
    | Continued
    | MatchEnded
)
GAME_EVENTS: tuple[type[Event], ...] = (
    HandDealt,
    Passed,
    BidMade,
    Doubled,
    Redoubled,
    ThirdDoubled,
    DealAnnulled,
    PassedOut,
    RestDealt,
    Declared,
    CardPlayed,
    TrickTaken,
    CardTurnedUp,
    DeclarationsSettled,
    DealScored,
    Continued,
    MatchEnded,
)
