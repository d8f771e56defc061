"""Each rule in which two games differ does what its value says, and something else under another.

``ROWS`` has an observation for each field of the score, the declarations and the play, and what it
must be for each value that a game has. What a value is in which game, test_presets.py says.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from app.belote.cards import PACK_32, Seat, Trump, card_named, name_of
from app.belote.declarations import (
    belote_call,
    held,
    points_by_side,
    run_of_eight,
    settled,
)
from app.belote.play import legal_mask
from app.belote.presets import BOOK
from app.belote.ranking import card_points, cards_of, mask_of
from app.belote.rules import (
    FIELDS,
    RuleSet,
    RuleSetError,
    checked,
    field_from_record,
    field_to_record,
)
from app.belote.scoring import match_winner

from .driver import cards
from .test_worked_figures import Deal

Observe = Callable[[RuleSet], Any]


def may_play(hand: str, trick: str) -> Observe:
    """The cards of a hand that may be added to a trick under hearts."""

    def observed(rules: RuleSet) -> str:
        mask = legal_mask(rules, Trump.HEARTS, mask_of(cards(hand)), cards(trick))
        return " ".join(name_of(card) for card in cards_of(mask))

    return observed


def worth(*deals: Deal) -> Observe:
    """What deals come to: the award, and what hangs if anything does."""

    def observed(rules: RuleSet) -> Any:
        results = [deal.under(rules) for deal in deals]
        told = [(*each.awarded, f"{each.hung} hang") if each.hung else each.awarded
                for each in results]  # fmt: skip
        return told if len(told) > 1 else told[0]

    return observed


def outcomes(*deals: Deal) -> Observe:
    """Whether deals are made."""
    return lambda rules: " ".join(deal.under(rules).outcome for deal in deals)


def declared(*hands: str, trump: Trump = Trump.HEARTS) -> Observe:
    """What the declarations of seats 0, 1, … come to by side, seat 0 leading."""

    def observed(rules: RuleSet) -> Any:
        made = [d for seat, hand in enumerate(hands)
                for d in held(rules, trump, Seat(seat), mask_of(cards(hand)))]  # fmt: skip
        winner = run_of_eight(rules, made)
        shown = settled(rules, trump, Seat(0), made)
        return points_by_side(rules, shown) if winner is None else f"seat {winner} wins the match"

    return observed


def says(card: str, trick: str) -> Observe:
    """What the holder of king and queen of hearts says with one of them."""

    def observed(rules: RuleSet) -> str | None:
        hand = mask_of(cards("KH QH"))
        return belote_call(rules, Trump.HEARTS, hand, 0, card_named(card), cards(trick))

    return observed


def enough(rules: RuleSet) -> int:
    """The least total that wins a match."""
    return next(n for n in range(3_000) if match_winner(rules, (n, 0), None) is not None)


def deal(points: tuple[int, ...], **more: Any) -> Deal:
    return Deal("", points, (), **more)


EVERY, NONE = (162, 0), (0, 162)
EQUAL = deal((81, 81), bid=80)
NT_CAPOT = deal((130, 0), trump="NT")
TIERCES = ("7S 8S 9S", "7H 8H 9H")
EIGHT_HEARTS = "7H 8H 9H TH JH QH KH AH"

# field: (the game it is tried in, what is looked at, what is seen under each value)
ROWS: dict[str, tuple[str, Observe, dict[object, Any]]] = {
    "declare": (
        "classic",
        declared("7S 8S 9S"),
        {"automatic": (20, 0), "none": (0, 0)},
    ),
    "declaration_tie": (
        "classic",
        declared(*TIERCES),
        {"trump_then_first": (0, 20), "void": (0, 0), "first": (20, 0)},
    ),
    "declaration_pools": (
        "belot",
        declared("TS TH TD TC", "7S 8S 9S"),
        {"one": (100, 0), "separate": (100, 20)},
    ),
    "run_of_eight": (
        "bela",
        declared(EIGHT_HEARTS),
        {
            "quinte": (100, 0),
            "quinte_and_tierce": (120, 0),
            "wins_match": "seat 0 wins the match",
        },
    ),
    "cards_shared": (
        "classic",
        declared("JS QS KS AS KH KD KC 7C"),
        {False: (100, 0), True: (150, 0)},
    ),
    "declarations_without_trick": (
        "classic",
        worth(deal(EVERY, declared=(0, 50))),
        {"kept": (252, 50), "lost": (252, 0), "to_others": (302, 0)},
    ),
    "nt_declarations": (
        "coinche",
        declared("7S 8S 9S AS AH AD AC", trump=Trump.NO_TRUMPS),
        {"none": (0, 0), "all": (120, 0)},
    ),
    "nt_four_aces": (
        "belote-international",
        declared("7S 8S 9S AS AH AD AC", trump=Trump.NO_TRUMPS),
        {0: (0, 0), 200: (200, 0)},
    ),
    "belote": ("classic", says("KH", ""), {"trump": "belote", "none": None}),
    "belote_when": (
        "belot",
        says("KH", "7H"),
        {"any": "belote", "lead_ruff_or_partner": None},
    ),
    "belote_on_failure": (
        "classic",
        worth(deal((60, 102), belote=(20, 0))),
        {"kept": (20, 162), "lost": (0, 182)},
    ),
    "belote_in_litige": (
        "classic",
        worth(deal((71, 91), belote=(20, 0))),
        {"hangs": (0, 91, "91 hang"), "kept": (20, 91, "71 hang")},
    ),
    "trump_led": (
        "classic",
        may_play("AH 8H", "TH 7H"),
        {"beat_unless_partner": "8H AH", "beat_always": "AH"},
    ),
    "plain_led": ("bela", may_play("AD 7D", "TD"), {"follow": "7D AD", "beat": "AD"}),
    "partner_winning": (
        "classic",
        may_play("QH 7H KD", "7S 8H TS"),
        {"free": "7H QH KD", "trump_any": "7H QH", "no_exemption": "QH"},
    ),
    "undertrump": (
        "classic",
        may_play("QH 7H KD", "AS 7S 9H"),
        {"free": "7H QH KD", "forced": "7H QH"},
    ),
    "contract_counts": (
        "classic",
        outcomes(deal((75, 87), belote=(20, 0)), deal((75, 87), declared=(20, 0))),
        {"tricks": "failed failed", "belote": "made failed", "all": "made made"},
    ),
    "made_if": (
        "french",  # whose equal deals fail
        outcomes(EQUAL, deal((80, 82), bid=80), deal((90, 72), bid=100), deal((90, 72), bid=80)),
        {
            "at_least": "made failed made made",
            "more": "failed failed made made",
            "bid": "made made failed made",
            "bid_and_more": "failed failed failed made",
        },
    ),
    "tie": (
        "classic",
        worth(EQUAL),
        {"failed": (0, 162), "litige": (0, 81, "81 hang")},
    ),
    "failed": (
        "classic",
        worth(deal((60, 70))),
        {"all_162": (0, 162), "everything": (0, 130), "bid_and_160": (0, 160)},
    ),
    "failed_trio": (
        "belot-trio",
        worth(deal((60, 71, 31))),
        {"higher": (0, 13, 3), "vanish": (0, 7, 3), "both": (0, 13, 9)},
    ),
    "declarations_on_failure": (
        "classic",
        worth(deal((60, 102), declared=(20, 0))),
        {"owner": (20, 162), "defence": (0, 182)},
    ),
    "capot_bid": (
        "contree",
        worth(deal((150, 12), bid="capot"), deal(EVERY, bid="capot", belote=(0, 20))),
        {"flat_500": [(0, 500), (500, 20)], "contract_250": [(0, 410), (500, 20)]},
    ),
    "capot_to": ("classic", worth(deal(NONE)), {"either": (0, 252), "taker": (0, 162)}),
    "capot_doubling": (
        "belot",
        worth(deal(EVERY, factor=2)),
        {"after": (41, 0), "before": (50, 0)},
    ),
    "doubled": (
        "coinche",
        worth(
            deal((110, 52), bid=100, factor=2, declared=(0, 20), belote=(0, 20)),
            deal((60, 102), bid=100, factor=2, declared=(20, 0)),
            deal((40, 122), bid=100, factor=2, belote=(20, 0)),
        ),
        {
            "base_and_bid": [(520, 20), (0, 540), (20, 520)],
            "winner_takes_all": [(560, 0), (0, 540), (0, 540)],
        },
    ),
    "doubled_capot": (
        "coinche",
        worth(deal(EVERY, bid=120, factor=2)),
        {250: (740, 0), 160: (560, 0)},
    ),
    "card_points": (
        "coinche",
        lambda rules: [sum(card_points(rules, Trump(t))[c] for c in PACK_32) for t in ("NT", "AT")],
        {"natural": [120, 248], "scaled_162": [152, 152]},
    ),
    "nt_factor": ("belot", worth(deal((68, 62), trump="NT")), {1: (7, 6), 2: (14, 12)}),
    "rounding": (
        "coinche",
        worth(deal((83, 79), bid=80), deal((85, 77), bid=80)),
        {None: [(163, 79), (165, 77)], "ten": [(160, 80), (170, 80)]},
    ),
    "failure_penalty": (
        "belot",
        worth(deal((56, 106)), deal((100, 62), factor=2), deal(EVERY), deal((81, 81), factor=2)),
        {
            0: [(0, 16), (32, 0), (25, 0), (0, 0, "32 hang")],
            10: [(-10, 16), (32, -10), (25, -10), (0, 0, "32 hang")],
        },
    ),
    "target": ("classic", enough, {n: n for n in (151, 500, 501, 1000, 1001, 2000)}),
    "finish_on_capot": (
        "belot",
        lambda rules: [match_winner(rules, (160, 100), capot) for capot in (0, None)],  # type: ignore[arg-type]
        {True: [0, 0], False: [None, 0]},
    ),
    "scoring": (
        "french",
        worth(deal((100, 62), bid=80)),
        {"points": (100, 62), "points_and_bid": (180, 62), "match_points": (10, 6)},
    ),
}  # fmt: skip

CAPOTS: dict[str, dict[str, Any]] = {
    "capot": {"bonus 90": (220, 0), "total 252": (252, 0), "total 250": (250, 0),
              "match 9": "conflict"},
    "solo_capot": {"none": (220, 0), "total 350": (350, 0), "bonus 490": (620, 0),
                   "match 9": "conflict"},
}  # fmt: skip
"""What every trick of one seat at no trumps, 130 points, pays in a game in points."""

OTHERWISE = {
    "players", "pack", "layout", "direction", "handling", "first_dealer", "packets", "all_pass",
    "auction", "trumps", "bids", "declare_at", "declarations_shown", "belote_said", "lead",
    "double", "redouble", "targets",
}  # fmt: skip
"""Fields of the table, the deal, the auction and the course of play: test_engine.py and others."""


def cases() -> list[Any]:
    return [
        pytest.param(field, value, id=f"{field}: {field_to_record(field, value)}")
        for field, (_, _, expected) in ROWS.items() for value in expected
    ]  # fmt: skip


@pytest.mark.parametrize(("field", "value"), cases())
def test_a_rule_does_what_its_value_says(field: str, value: Any) -> None:
    game, observe, expected = ROWS[field]
    assert observe(replace(BOOK[game], **{field: value})) == expected[value]


@pytest.mark.parametrize("field", ROWS)
def test_no_two_values_of_a_rule_do_the_same(field: str) -> None:
    seen = [str(each) for each in ROWS[field][2].values()]
    assert len(set(seen)) == len(seen)


@pytest.mark.parametrize("field", CAPOTS)
def test_every_trick_pays_what_the_rule_says(field: str) -> None:
    for record, paid in CAPOTS[field].items():
        rules = replace(BOOK["classic"], **{field: field_from_record(field, record)})
        if paid == "conflict":
            with pytest.raises(RuleSetError, match=f"{field}: conflict"):
                checked(rules)
        else:
            assert worth(replace(NT_CAPOT, solo=True))(rules) == paid


@pytest.mark.parametrize(
    ("game", "field", "value"),
    [("classic", "scoring", "match_points"), ("coinche", "scoring", "points"),
     ("belot", "scoring", "points_and_bid"), ("belot", "doubled", "base_and_bid")],
)  # fmt: skip
def test_a_scoring_that_is_not_the_auctions_is_refused(game: str, field: str, value: str) -> None:
    with pytest.raises(RuleSetError, match=f"{field}: conflict"):
        checked(replace(BOOK[game], **{field: value}))  # type: ignore[arg-type]


def test_every_rule_in_which_two_games_differ_is_tried() -> None:
    for field in FIELDS:
        values = {getattr(rules, field) for rules in BOOK.values()} - {None}
        if len(values) < 2 or field in OTHERWISE or field in ("preset", *CAPOTS):
            continue
        tried = set(ROWS[field][2])
        assert values - tried <= ({"player"} if field == "declare" else set()), field


@pytest.mark.parametrize(
    "game", [name for name, rules in BOOK.items() if rules.auction == "levels"]
)
def test_doubling_multiplies_the_bid_and_what_stands_for_the_points(game: str) -> None:
    assert worth(deal((110, 52), bid=100, factor=2))(BOOK[game]) == (520, 0)


@pytest.mark.parametrize("game", ["belot", "belote-international", "belot-duel", "belot-open"])
def test_doubled_match_points_go_to_the_winner(game: str) -> None:
    assert worth(deal((100, 62), factor=2))(BOOK[game]) == (32, 0)
