"""Cards, suits, trumps and seats: the words every other module speaks (rules.md §1).

A card is a small integer, ``suit * 8 + rank``, so that a hand can also be a bit mask; its name in
messages and records is rank and suit, ``"TH"`` for the ten of hearts.
"""

from enum import StrEnum
from typing import NewType

Card = NewType("Card", int)
Suit = NewType("Suit", int)
Seat = NewType("Seat", int)
Side = NewType("Side", int)


RANKS = "789TJQKA"
"""In the order of sequences: seven to ace are the ranks 0 to 7."""
SUITS = "SHDC"
SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING, ACE = range(8)
SPADES, HEARTS, DIAMONDS, CLUBS = (Suit(i) for i in range(4))

PACK_32: tuple[Card, ...] = tuple(Card(i) for i in range(32))
"""The full pack, spades first, each suit from the seven to the ace."""
PACK_24: tuple[Card, ...] = tuple(card for card in PACK_32 if card & 7 >= NINE)
"""Without the sevens and eights."""

NAMES: tuple[str, ...] = tuple(RANKS[i % 8] + SUITS[i // 8] for i in range(32))
_BY_NAME: dict[str, Card] = {name: Card(i) for i, name in enumerate(NAMES)}


class Trump(StrEnum):
    """What the auction names: a suit, no trumps or all trumps."""

    SPADES = "S"
    HEARTS = "H"
    DIAMONDS = "D"
    CLUBS = "C"
    NO_TRUMPS = "NT"
    ALL_TRUMPS = "AT"

    @property
    def suit(self) -> Suit | None:
        """The trump suit, or None at no trumps and all trumps."""
        index = SUITS.find(self)
        return Suit(index) if index >= 0 else None


SUIT_TRUMPS: tuple[Trump, ...] = (Trump.SPADES, Trump.HEARTS, Trump.DIAMONDS, Trump.CLUBS)


def suit_of(card: Card) -> Suit:
    """The suit of a card, 0 to 3 in the order of ``SUITS``."""
    return Suit(card >> 3)


def rank_of(card: Card) -> int:
    """The rank of a card, 0 (seven) to 7 (ace), in the order of sequences."""
    return card & 7


def name_of(card: Card) -> str:
    """The card's name in messages and records, such as ``"TH"``."""
    return NAMES[card]


def card_named(name: str) -> Card:
    """The card with that name; raises ``ValueError`` for anything that is not a card's name."""
    try:
        return _BY_NAME[name]
    except KeyError:
        raise ValueError(f"not a card: {name!r}") from None


def side_of(seat: Seat, players: int) -> Side:
    """Partners differ by two; with two or three players each seat is a side."""
    return Side(seat % 2) if players == 4 else Side(seat)


def sides(players: int) -> int:
    """How many sides play: two at a table of four, else one a seat."""
    return 2 if players == 4 else players
