"""Which card wins, and what the cards are worth."""

import pytest

from app.belote.cards import PACK_32, Card, Trump, card_named, name_of
from app.belote.presets import BOOK
from app.belote.ranking import (
    ABOVE_PLAIN,
    ABOVE_TRUMP,
    LAST_TEN,
    POINTS,
    best_of,
    card_points,
    cards_of,
    is_trump,
    mask_of,
)

from .driver import cards


@pytest.mark.parametrize(
    ("trump", "total"),
    [("H", 162), ("S", 162), ("D", 162), ("C", 162), ("NT", 130), ("AT", 258)],
)
def test_the_pack_and_the_last_ten_add_up(trump: str, total: int) -> None:
    assert sum(POINTS[Trump(trump)]) + LAST_TEN == total


@pytest.mark.parametrize(
    ("trump", "trick", "winner"),
    [
        ("H", "7S AS TS 8S", "AS"),
        ("H", "AS 7H TS 8S", "7H"),
        ("H", "AS 7H 8H 8S", "8H"),  # seven and eight of trumps are not equal
        ("H", "9H AH JH TH", "JH"),
        ("H", "KH AH 9H QH", "9H"),
        ("H", "7S AD AC KC", "7S"),  # only the suit led or a trump can win
        ("NT", "9S TS JS QS", "TS"),  # the nine does not beat the ten at no trumps
        ("NT", "7S AH AD AC", "7S"),
        ("AT", "TS JH 9D AC", "TS"),  # an off-suit jack wins nothing at all trumps
        ("AT", "TS 9S AS JS", "JS"),
    ],
)
def test_the_best_card_wins(trump: str, trick: str, winner: str) -> None:
    cards_ = cards(trick)
    assert name_of(cards_[best_of(cards_, Trump(trump))]) == winner


def names(mask: int) -> str:
    return " ".join(name_of(card) for card in cards_of(mask))


def test_above_lists_the_cards_of_the_suit_that_beat_a_card() -> None:
    assert names(ABOVE_TRUMP[card_named("TH")]) == "9H JH AH"
    assert names(ABOVE_PLAIN[card_named("TH")]) == "AH"
    assert names(ABOVE_TRUMP[card_named("JC")]) == ""
    assert names(ABOVE_PLAIN[card_named("7D")]) == "8D 9D TD JD QD KD AD"


def test_every_card_is_trump_at_all_trumps_and_none_at_no_trumps() -> None:
    assert all(is_trump(card, Trump.ALL_TRUMPS) for card in PACK_32)
    assert not any(is_trump(card, Trump.NO_TRUMPS) for card in PACK_32)
    assert sum(is_trump(card, Trump.CLUBS) for card in PACK_32) == 8


def test_masks_and_cards_are_the_same_set() -> None:
    assert cards_of(mask_of(cards("AC 7S KH"))) == cards("7S KH AC")
    assert cards_of(0) == ()
    assert mask_of(PACK_32) == 2**32 - 1
    assert mask_of([Card(31)]) == 1 << 31


def worth(trump: str) -> list[int]:
    """What 7 8 9 10 J Q K A of hearts count in coinche."""
    points = card_points(BOOK["coinche"], Trump(trump))
    return [points[card] for card in cards("7H 8H 9H TH JH QH KH AH")]


def test_scaled_points_make_every_contract_worth_162() -> None:
    assert worth("NT") == [0, 0, 0, 10, 2, 3, 4, 19]
    assert worth("AT") == [0, 0, 9, 5, 13, 1, 3, 7]
    assert worth("H") == [0, 0, 14, 10, 20, 3, 4, 11]
    assert worth("S") == [0, 0, 0, 10, 2, 3, 4, 11]
    for trump in Trump:
        assert sum(card_points(BOOK["coinche"], trump)) + LAST_TEN == 162
        assert card_points(BOOK["belot"], trump) == POINTS[trump]
