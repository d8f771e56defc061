"""What a hand is worth as a taker's hand, before the auction ends.

The weights are a player's rule of thumb, tuned by playing matches (tests/bots/test_strength.py
holds what they must achieve); they are not points of the game.
"""

from collections.abc import Iterable

from app.belote.cards import (
    ACE,
    JACK,
    KING,
    NINE,
    QUEEN,
    TEN,
    Suit,
)
from app.belote.events import Cards

TRUMPS = {JACK: 5.0, NINE: 3.5, ACE: 2.5, TEN: 1.8, KING: 1.5, QUEEN: 1.5}
SMALL_TRUMP = 1.0
BELOTE = 1.5
SIDE_ACE = 2.0
TEN_UNDER_ACE = 1.0
GUARDED_TEN = 0.4
VOID = 0.8
ENOUGH = 7.0
"""From here on a hand takes."""
FEWEST_TRUMPS = 3


def worth(hand: Iterable[int], trump: Suit) -> float:
    """How good the cards are with that trump. The turn-up must be among them: the taker gets it.

    A hand without three trumps, or with neither jack nor nine (unless it has five), is no trump
    hand whatever else it holds, and is worth 0.
    """
    by_suit = _ranks_by_suit(hand)
    mine = by_suit[trump]
    if len(mine) < FEWEST_TRUMPS or not (mine & {JACK, NINE} or len(mine) > FEWEST_TRUMPS + 1):
        return 0.0
    value = sum(TRUMPS.get(rank, SMALL_TRUMP) for rank in mine)
    value += BELOTE if {KING, QUEEN} <= mine else 0.0
    return value + sum(_side(ranks) for suit, ranks in enumerate(by_suit) if suit != trump)


def _side(ranks: set[int]) -> float:
    if not ranks:
        return VOID
    if ACE in ranks:
        return SIDE_ACE + (TEN_UNDER_ACE if TEN in ranks else 0.0)
    return GUARDED_TEN if TEN in ranks and len(ranks) > 1 else 0.0


def _ranks_by_suit(hand: Iterable[int]) -> list[set[int]]:
    suits: list[set[int]] = [set(), set(), set(), set()]
    for card in hand:
        suits[card >> 3].add(card & 7)
    return suits


def best_trump(cards: Cards, suits: Iterable[Suit]) -> tuple[Suit, float]:
    """The suit in which the cards are worth most, and how much; the first among equals."""
    valued = [(suit, worth(cards, suit)) for suit in suits]
    return max(valued, key=lambda pair: pair[1])


def length(hand: Iterable[int], suit: Suit) -> int:
    """How many cards of the suit."""
    return sum(1 for card in hand if card >> 3 == suit)
