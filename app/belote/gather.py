"""The pack of a game that is cut and not shuffled (docs/rules.md §2 ``handling``).

One pack serves the table: shuffled once, then only gathered and cut. Everything that the players
can't see of it comes from the deal's committed bytes (architecture, *Fair deals*), drawn in this
order from ``shuffle.words_of``: the order of the sides' piles, the first on top; in each pile the
order of its tricks; in each trick the order of its cards; the place of the cut. After a deal that
nobody took: each hand's order, from eldest, then the place of the cut; the stock lies below the
hands as it was. Were the cut alone secret, a seat's first cards would betray all four hands.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.belote.cards import Card, Seat, Side
from app.belote.shuffle import below, shuffled

LEAST = 3
"""Cards that stay on either side of the cut."""


@dataclass(frozen=True, slots=True)
class WonTrick:
    """A trick as it was played, and the side whose pile it lies in."""

    side: Side
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Leavings:
    """What a deal leaves on the table: its tricks in the order taken; or, when nobody took it, the
    hands from eldest. ``stock`` are the cards that were never dealt, the turn-up first."""

    tricks: tuple[WonTrick, ...] = ()
    hands: tuple[tuple[Card, ...], ...] = ()
    stock: tuple[Card, ...] = ()


def cut(pack: Sequence[Card], words: Iterator[int]) -> tuple[tuple[Card, ...], int]:
    """The pack after the cut, and how many cards were lifted from the top and put below."""
    lifted = LEAST + below(len(pack) - 2 * LEAST + 1, words)
    return (*pack[lifted:], *pack[:lifted]), lifted


def gathered(left: Leavings, words: Iterator[int]) -> tuple[Card, ...]:
    """The pack from the top, before the cut."""
    pack: list[Card] = []
    for side in shuffled(sorted({trick.side for trick in left.tricks}), words):
        pile = [trick.cards for trick in left.tricks if trick.side == side]
        for cards in shuffled(pile, words):
            pack += shuffled(cards, words)
    for hand in left.hands:
        pack += shuffled(hand, words)
    return (*pack, *left.stock)


def cutter(players: int, dealer: Seat, first: bool) -> Seat:
    """Who cuts: the seat before the dealer, in a match's ``first`` deal the dealer's partner."""
    back = 2 if first and players == 4 else 1
    return Seat((dealer - back) % players)
