"""Faults that other programs of this game have really had, in play, declarations and score.

Each is the shortest case that shows it. Faults of auctions and of hidden cards are tried in
test_bidding.py and test_view.py.
"""

from dataclasses import replace

import pytest

from app.belote.cards import Seat, Trump, card_named, name_of
from app.belote.declarations import belote_call, held, points_by_side, settled, winning_side
from app.belote.play import legal_mask
from app.belote.presets import BOOK, CLASSIC
from app.belote.ranking import LAST_TEN, best_of, cards_of, mask_of
from app.belote.rules import RuleSet
from app.belote.scoring import match_winner

from .driver import cards
from .test_worked_figures import Deal

FOUR = [name for name, rules in BOOK.items() if rules.players == 4]


def wins(trick: str, trump: str) -> str:
    table = cards(trick)
    return name_of(table[best_of(table, Trump(trump))])


def may(rules: RuleSet, trick: str, hand: str) -> set[str]:
    mask = legal_mask(rules, Trump.HEARTS, mask_of(cards(hand)), cards(trick))
    return {name_of(card) for card in cards_of(mask)}


def side(rules: RuleSet, *hands: str) -> int | None:
    """The side whose declarations count, seat 0 leading, under hearts."""
    made = [d for seat, hand in enumerate(hands)
            for d in held(rules, Trump.HEARTS, Seat(seat), mask_of(cards(hand)))]  # fmt: skip
    return winning_side(rules, Trump.HEARTS, Seat(0), made)


def test_the_nine_does_not_beat_the_ten_at_no_trumps() -> None:
    assert wins("9S TS", "NT") == "TS"
    assert wins("9S TS", "AT") == "9S"


@pytest.mark.parametrize("trump", ["NT", "AT"])
def test_no_card_of_another_suit_wins_without_a_trump_suit(trump: str) -> None:
    assert wins("7S JH AD 9C", trump) == "7S"


def test_a_partner_who_wins_with_a_trump_still_exempts() -> None:
    assert may(CLASSIC, "AS 8H 7S", "QH KD") == {"QH", "KD"}
    assert may(CLASSIC, "7S 8H TS", "QH KD") == {"QH", "KD"}


def test_a_partner_who_led_and_is_beaten_does_not_exempt() -> None:
    assert may(CLASSIC, "TS AS", "QH KD") == {"QH"}
    assert may(CLASSIC, "TS 8H", "QH KD") == {"QH"}


@pytest.mark.parametrize("game", FOUR)
def test_trumps_led_by_an_opponent_must_be_beaten(game: str) -> None:
    assert may(BOOK[game], "TH", "AH 8H KD") == {"AH"}


@pytest.mark.parametrize("game", FOUR)
def test_a_ruff_must_be_overtrumped(game: str) -> None:
    assert may(BOOK[game], "7S AS 8H", "9H 7H KD") == {"9H"}


def test_the_eight_of_trumps_beats_the_seven_though_both_count_nothing() -> None:
    assert wins("7H 8H", "H") == "8H"
    assert may(CLASSIC, "7H", "8H QS") == {"8H"}
    assert may(CLASSIC, "8H", "7H QS") == {"7H"}


@pytest.mark.parametrize("game", FOUR)
def test_a_suit_is_followed_when_trumps_are_led(game: str) -> None:
    assert may(BOOK[game], "JH", "7H AS KD") == {"7H"}


def test_belote_needs_both_cards_in_one_hand() -> None:
    for card in ("KH", "QH"):
        alone = mask_of(cards(f"{card} AS"))
        assert belote_call(CLASSIC, Trump.HEARTS, alone, 0, card_named(card), ()) is None


def test_equal_tierces_of_one_side_do_not_cancel_each_other() -> None:
    void = replace(CLASSIC, declaration_tie="void")
    assert side(void, "7S 8S 9S", "", "7D 8D 9D") == 0
    assert side(void, "7S 8S 9S", "", "7D 8D 9D", "TC JC QC") == 1


def test_a_sequence_to_the_ten_is_compared_as_one() -> None:
    assert side(CLASSIC, "8S 9S TS", "9D TD JD") == 1
    assert side(CLASSIC, "8S 9S TS", "7D 8D 9D") == 0


def test_the_last_trick_is_worth_ten() -> None:
    result = Deal("classic", (82, 80), ()).under(CLASSIC)
    assert sum(result.cards) + LAST_TEN == 162
    assert result.outcome == "made"
    assert result.awarded == (82, 80)


@pytest.mark.parametrize("game", [name for name in FOUR if BOOK[name].auction != "levels"])
def test_a_capot_is_paid_in_a_capot_alone(game: str) -> None:
    result = Deal(game, (100, 62), ()).under(BOOK[game])
    tens = BOOK[game].scoring == "match_points"
    assert sum(result.awarded) == (16 if tens else 162)


def test_nothing_is_declared_at_no_trumps() -> None:
    for game in ("coinche", "belot", "belote-international"):
        hand = mask_of(cards("7S 8S 9S TS AS AH AD AC"))
        found = held(BOOK[game], Trump.NO_TRUMPS, Seat(0), hand)
        shown = settled(BOOK[game], Trump.NO_TRUMPS, Seat(0), found)
        assert points_by_side(BOOK[game], shown) == (0, 0)


@pytest.mark.parametrize("game", [name for name in FOUR if BOOK[name].tie == "litige"])
def test_an_equal_deal_hangs_and_is_not_given_away(game: str) -> None:
    bid = 80 if BOOK[game].auction == "levels" else None
    result = Deal(game, (81, 81), (), bid=bid).under(BOOK[game])
    assert result.outcome == "litige"
    assert result.awarded[0] == 0
    assert result.hung > 0


@pytest.mark.parametrize("game", BOOK)
def test_equal_totals_end_no_match(game: str) -> None:
    rules = BOOK[game]
    above = rules.target + 5
    assert match_winner(rules, (above,) * rules.sides, None) is None
    assert match_winner(rules, (above, *(above - 1,) * (rules.sides - 1)), None) == 0
