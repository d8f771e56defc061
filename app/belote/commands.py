"""What may be asked of a match. A command proposes, ``engine.decide`` disposes (D1).

Commands carry everything that the core can't make itself: a deal carries the order of the pack,
the end of an abandoned match its reason. The docstrings show the message a client sends.
"""

from dataclasses import dataclass

from app.belote.cards import Card, Seat, Trump
from app.belote.events import BidValue, Cards, EndReason


@dataclass(frozen=True, slots=True)
class Deal:
    """Deal the next pack (server only). ``pack`` is the order in which cards are dealt, made by
    ``shuffle.pack_from_bytes`` from the bytes committed before; ``next_secret`` (hex, 32 bytes) and
    its SHA-256 ``next_commit`` are for the deal after this one. ``cut``: how many cards were lifted
    and put below, where the pack is cut."""

    pack: tuple[Card, ...]
    next_secret: str
    next_commit: str
    cut: int | None = None


@dataclass(frozen=True, slots=True)
class Pass:
    """``{"type": "pass"}``"""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Take:
    """``{"type": "take"}`` the turned-up card; its suit becomes trump."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Name:
    """``{"type": "name", "trump": "H"}`` in the second round, or where a trump is called."""

    seat: Seat
    trump: Trump


@dataclass(frozen=True, slots=True)
class Bid:
    """``{"type": "bid", "value": 90, "trump": "H"}``, ``"value": "capot"``, or without a value
    where contracts are bid."""

    seat: Seat
    trump: Trump
    value: BidValue | None = None


@dataclass(frozen=True, slots=True)
class Double:
    """``{"type": "double"}`` the others' standing bid; in some games out of turn too."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Redouble:
    """``{"type": "redouble"}`` one's own side's doubled bid."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class ThirdDouble:
    """``{"type": "third"}``: after a redouble, by the doubling side."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Annul:
    """``{"type": "annul"}``: the dealer, who must name a trump, throws the deal in."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Declare:
    """``{"type": "declare", "declarations": [["9H", "TH", "JH"]]}`` before the lead; an empty list
    declares nothing, null all that the hand holds."""

    seat: Seat
    declarations: tuple[Cards, ...] | None = None


@dataclass(frozen=True, slots=True)
class Play:
    """``{"type": "play", "card": "AH"}``, with the first card ``"declare": [["9H", "TH", "JH"]]``
    (null: all that the hand holds), with king or queen of trumps ``"belote": false`` to say
    nothing (null: it is said)."""

    seat: Seat
    card: Card
    declare: tuple[Cards, ...] | None = None
    belote: bool | None = None


@dataclass(frozen=True, slots=True)
class Continue:
    """``{"type": "continue"}`` after a deal's score sheet."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class End:
    """End the match before its target (server only): abandoned, or a side resigned."""

    reason: EndReason
    winner: int | None = None


CallCommand = Pass | Take | Name | Bid | Double | Redouble | ThirdDouble | Annul
Command = Deal | CallCommand | Declare | Play | Continue | End
