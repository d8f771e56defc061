"""What is open to a seat: the words in which the referee answers, and in which a bot is asked.

Apart from ``engine``, which makes them, because bots may see these and not the engine (D11).
"""

from dataclasses import dataclass
from typing import Literal

from app.belote.cards import Card, Seat, Trump
from app.belote.events import CallKind, Cards
from app.belote.play import Refusal


@dataclass(frozen=True, slots=True)
class Turn:
    """Whose decision is open, and whether it is a call or a card."""

    seat: Seat
    kind: Literal["call", "play"]


@dataclass(frozen=True, slots=True)
class Legal:
    """What a seat may do now; all empty when it is not its turn. ``why`` has the cards of its hand
    that may not be played."""

    calls: tuple[CallKind, ...] = ()
    trumps: tuple[Trump, ...] = ()
    cards: Cards = ()
    why: tuple[tuple[Card, Refusal], ...] = ()
