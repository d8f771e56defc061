"""What is open to a seat: the words in which the referee answers, and in which a bot is asked.

Apart from ``engine``, which makes them, because bots may see these and not the engine (D11).
"""

from dataclasses import dataclass
from typing import Literal

from app.belote.cards import Card, Seat, Trump
from app.belote.events import BidValue, CallKind, Cards, Declaration
from app.belote.play import Refusal


@dataclass(frozen=True, slots=True)
class Turn:
    """Whose decision is open, and whether it is a call, declarations or a card."""

    seat: Seat
    kind: Literal["call", "declare", "play"]


@dataclass(frozen=True, slots=True)
class Legal:
    """What a seat may do now; all empty when it is not its turn. ``trumps`` may be named or bid,
    each with each of ``values`` where bids have them. ``why`` has the cards of its hand that may
    not be played. Where the player chooses: ``declarations`` may be made now, ``belote`` are the
    cards with which belote may be said or not."""

    calls: tuple[CallKind, ...] = ()
    trumps: tuple[Trump, ...] = ()
    cards: Cards = ()
    why: tuple[tuple[Card, Refusal], ...] = ()
    values: tuple[BidValue, ...] = ()
    declarations: tuple[Declaration, ...] = ()
    belote: Cards = ()
