"""Leading to a trick: draw trumps for the taker, cash what is high, else give little away."""

from app.belote.cards import JACK, NINE, TEN, Card, rank_of, suit_of
from app.bots.following import chance_ours, kept_worth
from app.bots.reading import Reading

DRAW = 60.0
"""Above everything else while the opponents may hold trumps."""
FORCE = 55.0
"""A small trump that brings out the master goes before side aces, which are safe afterwards."""
CASH = 40.0
ENOUGH_TO_DRAW = 3
LIKELY = 0.55
"""A master is led when it stands at least this chance of not being ruffed."""
TRUMP_IN_DEFENCE = -12.0
BARE_TEN = -6.0
SINGLETON = 2.0


def score(reading: Reading, card: Card) -> float:
    """How good it is to lead the card. The bands of the constants keep the rules' order."""
    if reading.is_trump(card):
        return _trump(reading, card)
    ours = chance_ours(reading, card)
    if reading.is_master(card) and ours >= LIKELY:
        return CASH + ours * 10 + reading.worth(card) * 0.1
    return _low(reading, card, ours)


def _trump(reading: Reading, card: Card) -> float:
    if not reading.opponents_may_trump():
        # The last trumps are kept for the end, unless nothing else is left to lead.
        return CASH / 2 if reading.is_master(card) and _only_trumps(reading) else TRUMP_IN_DEFENCE
    if reading.taker == reading.me:
        return _draw_as_taker(reading, card)
    if reading.taker == reading.partner:
        return _draw_for_partner(reading, card)
    return TRUMP_IN_DEFENCE - kept_worth(reading, card)


def _draw_as_taker(reading: Reading, card: Card) -> float:
    if reading.is_master(card):
        return DRAW + reading.worth(card) * 0.1
    mine = [c for c in reading.hand if reading.is_trump(c)]
    if len(mine) >= ENOUGH_TO_DRAW and not any(reading.is_master(c) for c in mine):
        # Force the master out with the cheapest; the others are high afterwards.
        return FORCE - reading.worth(card) * 0.5
    return TRUMP_IN_DEFENCE


def _draw_for_partner(reading: Reading, card: Card) -> float:
    if reading.trump in reading.voids[reading.taker]:
        return TRUMP_IN_DEFENCE
    if reading.is_master(card) or rank_of(card) == JACK:
        return DRAW
    if rank_of(card) == NINE:
        return 0.0  # alone under the jack it falls
    return DRAW / 2 - reading.worth(card) * 0.1


def _only_trumps(reading: Reading) -> bool:
    return all(reading.is_trump(card) for card in reading.hand)


def _low(reading: Reading, card: Card, ours: float) -> float:
    """A lead that may lose: few points, no ten laid bare; a singleton if there is a trump to ruff
    with later."""
    mates = [c for c in reading.hand if suit_of(c) == suit_of(card) and c != card]
    value = (2 * ours - 1) * reading.worth(card) - kept_worth(reading, card)
    if rank_of(card) == TEN:
        value += BARE_TEN
    has_trump = any(reading.is_trump(c) for c in reading.hand)
    if not mates and has_trump and not reading.ours(reading.taker):
        value += SINGLETON
    return value
