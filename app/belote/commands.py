"""What may be asked of a match. A command proposes, ``engine.decide`` disposes (D1).

Commands carry everything that the core can't make itself: a deal carries the order of the pack,
the end of an abandoned match its reason. The docstrings show the message a client sends.
"""

from dataclasses import dataclass

from app.belote.cards import Card, Seat, Trump
from app.belote.events import EndReason


@dataclass(frozen=True, slots=True)
class Deal:
    """Deal the next pack (server only). ``pack`` is the order in which cards are dealt, made by
    ``shuffle.pack_from_bytes`` from the bytes committed before; ``next_secret`` (hex, 32 bytes) and
    its SHA-256 ``next_commit`` are for the deal after this one."""

    pack: tuple[Card, ...]
    next_secret: str
    next_commit: str


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
    """``{"type": "name", "trump": "H"}`` in the second round."""

    seat: Seat
    trump: Trump


@dataclass(frozen=True, slots=True)
class Play:
    """``{"type": "play", "card": "AH"}``"""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class Continue:
    """``{"type": "continue"}`` after a deal's score sheet."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class End:
    """End the match before its target (server only): abandoned, or a side resigned."""

    reason: EndReason
    winner: int | None = None


Command = Deal | Pass | Take | Name | Play | Continue | End
