"""Which card beats which, and what each is worth (docs/rules.md §1), as tables over card numbers.

Sets of cards are bit masks here: bit ``n`` is card ``n``.
"""

from collections.abc import Iterable, Mapping

from app.belote.cards import ACE, Card, Suit, Trump, rank_of, suit_of
from app.belote.events import Cards
from app.belote.rules import RuleSet

Mask = int
"""A set of cards, bit ``n`` for card ``n``."""

#                7  8  9   10  J   Q  K  A
TRUMP_POINTS = (0, 0, 14, 10, 20, 3, 4, 11)
PLAIN_POINTS = (0, 0, 0, 10, 2, 3, 4, 11)
TRUMP_ORDER = (0, 1, 6, 4, 7, 2, 3, 5)
PLAIN_ORDER = (0, 1, 2, 6, 3, 4, 5, 7)
SCALED_NO_TRUMPS = (0, 0, 0, 10, 2, 3, 4, 19)
SCALED_ALL_TRUMPS = (0, 0, 9, 5, 13, 1, 3, 7)
"""Points under ``card_points`` scaled_162, where no trumps and all trumps also come to 152."""
LAST_TEN = 10
"""Points of the last trick, *dix de der*."""

SUIT_MASKS: tuple[Mask, ...] = tuple(0xFF << 8 * suit for suit in range(4))


def is_trump(card: Card, trump: Trump) -> bool:
    """Whether the card has the trump order; at all trumps every card has."""
    return trump is Trump.ALL_TRUMPS or trump.suit == suit_of(card)


def _points(trump: Trump) -> tuple[int, ...]:
    return tuple(
        (TRUMP_POINTS if is_trump(Card(c), trump) else PLAIN_POINTS)[c & 7] for c in range(32)
    )


def _strength(trump: Trump, led: Suit) -> tuple[int, ...]:
    """How strong each card is in a trick where ``led`` was led: 0 can't win, a trump in a suit
    contract beats the suit led. At no trumps and all trumps only the suit led can win."""

    def of(card: Card) -> int:
        if trump.suit == suit_of(card):
            return 101 + TRUMP_ORDER[rank_of(card)]
        if suit_of(card) != led:
            return 0
        return 1 + (TRUMP_ORDER if is_trump(card, trump) else PLAIN_ORDER)[rank_of(card)]

    return tuple(of(Card(c)) for c in range(32))


POINTS: Mapping[Trump, tuple[int, ...]] = {trump: _points(trump) for trump in Trump}
"""Card points by trump and card."""

_SCALED_POINTS: Mapping[Trump, tuple[int, ...]] = {
    **POINTS,
    Trump.NO_TRUMPS: SCALED_NO_TRUMPS * 4,
    Trump.ALL_TRUMPS: SCALED_ALL_TRUMPS * 4,
}


def card_points(rules: RuleSet, trump: Trump) -> tuple[int, ...]:
    """What each card counts under these rules, by card."""
    return (POINTS if rules.card_points == "natural" else _SCALED_POINTS)[trump]


STRENGTH: Mapping[Trump, tuple[tuple[int, ...], ...]] = {
    trump: tuple(_strength(trump, Suit(led)) for led in range(4)) for trump in Trump
}
"""Strength in a trick by trump, suit led and card."""


def _above(order: tuple[int, ...]) -> tuple[Mask, ...]:
    return tuple(
        sum(1 << (c & ~7 | r) for r in range(ACE + 1) if order[r] > order[c & 7]) for c in range(32)
    )


ABOVE_TRUMP: tuple[Mask, ...] = _above(TRUMP_ORDER)
"""For each card, the cards of its suit that beat it in the trump order."""
ABOVE_PLAIN: tuple[Mask, ...] = _above(PLAIN_ORDER)
"""The same in the plain order."""


def best_of(trick: Cards, trump: Trump) -> int:
    """The place, from 0, of the card that wins the trick as it lies; the trick is not empty."""
    strength = STRENGTH[trump][trick[0] >> 3]
    best = 0
    for place in range(1, len(trick)):
        if strength[trick[place]] > strength[trick[best]]:
            best = place
    return best


def mask_of(cards: Iterable[Card]) -> Mask:
    """The cards as a bit mask."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def cards_of(mask: Mask) -> Cards:
    """The cards of a bit mask in the order of their numbers."""
    cards = []
    while mask:
        low = mask & -mask
        cards.append(Card(low.bit_length() - 1))
        mask ^= low
    return tuple(cards)
