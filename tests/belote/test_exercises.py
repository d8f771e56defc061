"""Exercises for who learns a game: made by its rules, one of each kind that it knows."""

from collections.abc import Iterator

import pytest

from app.belote.exercises import KINDS, Exercise, exercises
from app.belote.play import legal_mask, refusal
from app.belote.presets import PRESETS, validated
from app.belote.ranking import best_of, cards_of, mask_of

ROUNDS = 4


def _every() -> Iterator[tuple[str, Exercise]]:
    return (
        (name, one)
        for name, rules in PRESETS.items()
        for number in range(ROUNDS)
        for one in exercises(rules, number)
    )


def test_what_may_be_played_in_an_exercise_is_what_the_referee_allows() -> None:
    for name, one in _every():
        rules = PRESETS[name]
        hand = mask_of(one.hand)
        assert one.legal == cards_of(legal_mask(rules, one.trump, hand, one.trick))
        assert one.best == best_of(one.trick, one.trump)
        assert {*one.legal, *dict(one.why)} == {*one.hand}
        for card, why in one.why:
            assert why == refusal(rules, one.trump, hand, one.trick, card)


def test_no_card_is_in_an_exercise_twice() -> None:
    for _, one in _every():
        cards = (*one.hand, *one.trick)
        assert len(set(cards)) == len(cards) == 5 + len(one.trick)


@pytest.mark.parametrize("name", PRESETS)
def test_a_round_has_no_kind_twice_and_begins_with_following(name: str) -> None:
    round_ = exercises(PRESETS[name], 0)
    assert round_[0].why
    assert 3 <= len(round_) <= len(KINDS)
    taught = [frozenset(why.code for _, why in one.why) - {"must_follow"} for one in round_]
    assert len({*taught}) >= len(round_) - 1  # following suit and being free both teach no code


def test_another_number_brings_other_cards_and_the_same_number_the_same() -> None:
    classic = PRESETS["classic"]
    assert exercises(classic, 1) == exercises(classic, 1) != exercises(classic, 2)


def test_a_house_rule_changes_the_exercises() -> None:
    forced = {"partner_winning": "no_exemption", "undertrump": "forced", "plain_led": "beat"}
    strict = exercises(validated("classic", forced), 0)
    codes = {why.code for one in strict for _, why in one.why}
    assert {"must_undertrump", "must_beat_plain"} <= codes
    assert all(one.why for one in strict)  # nobody is free who holds a trump
    usual = {why.code for one in exercises(PRESETS["classic"], 0) for _, why in one.why}
    assert not usual & {"must_undertrump", "must_beat_plain"}
