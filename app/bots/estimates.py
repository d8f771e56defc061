"""How many points a hand may bring home with a trump, before the auction ends.

``estimate`` speaks in points of a deal of 162, whatever the game counts: so the four kinds of
auction can weigh a hand alike. Rules of thumb like ``valuing``, which judges a suit; held to what
they must achieve by tests/bots/test_strength.py.
"""

from collections.abc import Iterable

from app.belote.cards import ACE, JACK, NINE, TEN, Suit, Trump, rank_of, suit_of
from app.belote.events import Cards
from app.bots import valuing

HALF = 45.0
"""What an ordinary hand brings home beside its strength, a partner's share included."""
A_UNIT = 5.0
"""Points for a unit of ``valuing.worth``."""
EARLY = 1.35
"""A hand of which a part is still to come is judged as if it grew in proportion."""

NO_TRUMPS = {"base": 10.0, "ace": 21.0, "ten": 11.0, "bare_ten": 2.0, "length": 4.0}
ALL_TRUMPS = {"base": 10.0, "jack": 22.0, "nine": 12.0, "bare_nine": 3.0, "length": 4.0}

TRUMP_TRICKS = {JACK: 24.0, NINE: 17.0, ACE: 11.0, TEN: 9.0}
"""What trumps of the defence take from a taker."""
SIDE_ACE = 13.0
GUARDED_TEN = 5.0
PARTNERS_SHARE = 24.0


def estimate(cards: Cards, trump: Trump, whole: int) -> float:
    """The points that a taker with these cards may hope for. ``whole`` is how many cards a seat
    will have in the play: fewer now, and the hand is judged as if it grew."""
    share = 1.0 if len(cards) >= whole else min(EARLY, whole / max(len(cards), 1))
    suit = trump.suit
    if suit is not None:
        strength = valuing.worth(cards, suit)
        return HALF + A_UNIT * strength * share if strength else 0.0
    if trump is Trump.NO_TRUMPS:
        return _no_trumps(cards) * share
    return _all_trumps(cards) * share


def _no_trumps(cards: Cards) -> float:
    value = NO_TRUMPS["base"]
    for ranks in _by_suit(cards):
        if ACE in ranks:
            value += NO_TRUMPS["ace"] + NO_TRUMPS["length"] * max(len(ranks) - 2, 0)
            value += NO_TRUMPS["ten"] if TEN in ranks else 0.0
        elif TEN in ranks:
            value += NO_TRUMPS["bare_ten"]
    return value


def _all_trumps(cards: Cards) -> float:
    value = ALL_TRUMPS["base"]
    for ranks in _by_suit(cards):
        if JACK in ranks:
            value += ALL_TRUMPS["jack"] + ALL_TRUMPS["length"] * max(len(ranks) - 2, 0)
            value += ALL_TRUMPS["nine"] if NINE in ranks else 0.0
        elif NINE in ranks and len(ranks) > 1:
            value += ALL_TRUMPS["bare_nine"]
    return value


def support(cards: Cards, trump: Trump) -> float:
    """The points that these cards add to a partner's contract: its trumps and side aces."""
    suit = trump.suit
    if suit is None:
        high = ACE if trump is Trump.NO_TRUMPS else JACK
        return 10.0 * sum(1 for card in cards if rank_of(card) == high)
    trumps = {rank_of(card) for card in cards if suit_of(card) == suit}
    value = 4.0 * len(trumps) + (8.0 if trumps & {JACK, NINE} else 0.0)
    return value + 7.0 * _side_aces(cards, suit)


def defence(cards: Cards, trump: Trump) -> float:
    """The points that these cards, with an ordinary partner, take from an opponent's contract."""
    suit = trump.suit
    if suit is None:
        own = _no_trumps(cards) if trump is Trump.NO_TRUMPS else _all_trumps(cards)
        return own + PARTNERS_SHARE / 2
    trumps = [rank_of(card) for card in cards if suit_of(card) == suit]
    held = len(trumps) > 1 or JACK in trumps
    value = sum(TRUMP_TRICKS.get(rank, 2.0) for rank in trumps) if held else 0.0
    value += SIDE_ACE * _side_aces(cards, suit)
    for index, ranks in enumerate(_by_suit(cards)):
        if index != suit and TEN in ranks and ACE not in ranks and len(ranks) > 1:
            value += GUARDED_TEN
    return value + PARTNERS_SHARE


def _side_aces(cards: Cards, suit: Suit) -> int:
    return sum(1 for card in cards if rank_of(card) == ACE and suit_of(card) != suit)


def _by_suit(cards: Iterable[int]) -> list[set[int]]:
    suits: list[set[int]] = [set(), set(), set(), set()]
    for card in cards:
        suits[card >> 3].add(card & 7)
    return suits
