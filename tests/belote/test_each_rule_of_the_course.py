"""Each rule of the deal, the auction and the course of play in which two games differ does what its
value says. The rules of play, declarations and score are in test_each_rule.py.

``direction`` is the screen's, ``targets`` the host's, ``first_dealer`` the table's.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from app.belote.cards import KING, QUEEN, Card, Seat, Trump
from app.belote.declarations import held
from app.belote.engine import State, also, legal, next_deal
from app.belote.events import DeclarationsSettled, TrickTaken
from app.belote.presets import BOOK
from app.belote.ranking import mask_of
from app.belote.rules import FIELDS, Doubling, Packets, RuleSet

from .driver import by_seed, finish, play_match, start, step
from .test_auctions import auction
from .test_each_rule import OTHERWISE

Observe = Callable[[RuleSet], Any]
SOMEBODY_TAKES = {"levels": "100 S, -, -, -", "contracts": "S, -, -, -", "call": "S"}


def taken(rules: RuleSet, wanted: Callable[[State], bool] = lambda state: True) -> State:
    """A deal that eldest has taken in spades, the first of many that is as wanted."""
    calls = SOMEBODY_TAKES[rules.auction]
    for number in range(500):
        state = auction(rules, calls, seed=f"taken {number}")
        if wanted(state):
            return state
    raise AssertionError("no such deal")


def declares(state: State) -> bool:
    """Whether the leader holds a declaration."""
    rules = replace(state.rules, declare="automatic")
    return bool(held(rules, Trump.SPADES, Seat(0), state.hands[0]))


def has_belote(state: State) -> bool:
    """Whether the leader holds king and queen of trumps."""
    pair = mask_of((Card(QUEEN), Card(KING)))
    return state.hands[0] & pair == pair


def settled_after(rules: RuleSet) -> int:
    """How many tricks have been taken when declarations are settled."""
    _, events = finish(taken(rules, declares), by_seed("settled"))
    at = next(i for i, event in enumerate(events) if isinstance(event, DeclarationsSettled))
    return sum(isinstance(event, TrickTaken) for event in events[:at])


def second_pack_is_the_first_gathered(rules: RuleSet) -> bool:
    """Whether a passed-out deal's cards are cut and dealt again as they were held: of the five
    cards that eldest was dealt, all go round again side by side."""
    state = auction(rules, "-, -, -, -", seed="gathered")
    hand = set(state.dealt[0])
    pack = next_deal(state, "11" * 32).pack
    places = sorted(pack.index(card) for card in hand)
    around = [(b - a) % 32 for a, b in zip(places, [*places[1:], places[0]], strict=True)]
    return sorted(around)[:-1] == [1] * (len(hand) - 1)


def dealt(rules: RuleSet) -> tuple[int, ...]:
    return tuple(hand.bit_count() for hand in auction(rules, "").hands)


def opened(rules: RuleSet) -> tuple[str, ...]:
    """What eldest may call first."""
    state = auction(rules, "")
    assert state.turn is not None
    return legal(state, state.turn).calls


# field: (the game it is tried in, what is looked at, what is seen under each value)
ROWS: dict[str, tuple[str, Observe, dict[object, Any]]] = {
    "players": (
        "belot-trio",
        dealt,
        {3: (5, 5, 5), 4: (5, 5, 5, 5), 2: (5, 5)},
    ),
    "pack": (
        "belot-duel",
        lambda rules: len(next_deal(start(rules, "pack"), "00" * 32).pack),
        {24: 24, 32: 32},
    ),
    "packets": (
        "belot",
        dealt,
        {Packets((3, 2), (3,)): (5,) * 4, Packets((3, 3), (2,)): (6,) * 4,
         Packets((3, 2, 3)): (8,) * 4},
    ),
    "layout": (
        "belot-open",
        lambda rules: [len(cards) for cards in auction(rules, "").up],
        {"open": [4, 4], "hand": [0, 0]},
    ),
    "handling": (
        "belote-international",
        second_pack_is_the_first_gathered,
        {"cut": True, "shuffle": False},
    ),
    "all_pass": (
        "coinche",
        lambda rules: auction(rules, "-, -, -, -").next_dealer,
        {"same": 3, "next": 0, "previous": 2},
    ),
    "auction": (
        "belot",
        opened,
        {"contracts": ("pass", "bid"), "call": ("pass", "name"), "turn_up": ("pass", "take")},
    ),
    "lead": (
        "belot",
        lambda rules: taken(rules).turn,
        {"eldest": 0, "dealer": 3},
    ),
    "declare": (
        "belot",
        lambda rules: bool(legal(taken(rules, declares), Seat(0)).declarations),
        {"player": True, "automatic": False},
    ),
    "declare_at": (
        "belot",
        lambda rules: taken(rules).phase,
        {"first_card": "play", "before_lead": "declaring"},
    ),
    "declarations_shown": (
        "coinche",
        settled_after,
        {"after_first_trick": 1, "after_last_trick": 8},
    ),
    "belote_said": (
        "belot",
        lambda rules: len(legal(taken(rules, has_belote), Seat(0)).belote),
        {"player": 2, "automatic": 0},
    ),
    "double": (
        "coinche",
        lambda rules: also(auction(rules, "100 S"), Seat(3)),
        {Doubling("any_time", 2): ("double",), Doubling("in_turn", 2): ()},
    ),
    "redouble": (
        "coinche",
        lambda rules: auction(rules, "100 S, double, redouble").contract is not None,
        {Doubling("any_time", 4): True, Doubling("in_turn", 4): True},  # the order is fixed
    ),
    "trumps": (
        "coinche",
        lambda rules: set(legal(auction(rules, ""), Seat(0)).trumps),
        {BOOK[game].trumps: set(BOOK[game].trumps) for game in ("coinche", "contree")},
    ),
    "bids": (
        "coinche",
        lambda rules: legal(auction(rules, ""), Seat(0)).values,
        {BOOK["coinche"].bids: (*BOOK["coinche"].bids, "capot"), (100, 120): (100, 120, "capot")},
    ),
}  # fmt: skip
ELSEWHERE = {"direction", "targets", "first_dealer"}


def cases() -> list[Any]:
    return [
        pytest.param(field, value, id=f"{field}: {value}")
        for field, (_, _, expected) in ROWS.items() for value in expected
    ]  # fmt: skip


@pytest.mark.parametrize(("field", "value"), cases())
def test_a_rule_of_the_course_does_what_its_value_says(field: str, value: Any) -> None:
    game, observe, expected = ROWS[field]
    assert observe(replace(BOOK[game], **{field: value})) == expected[value]


def test_a_dealer_who_must_name_a_trump_passes_nothing_out() -> None:
    assert "pass" not in opened_last(BOOK["bela"])
    assert "pass" in opened_last(replace(BOOK["bela"], all_pass="next"))


def opened_last(rules: RuleSet) -> tuple[str, ...]:
    """What the dealer may call when all others have passed."""
    return legal(auction(rules, "-, -, -"), Seat(3)).calls


def test_every_rule_that_is_not_tried_with_the_score_is_tried_here() -> None:
    assert set(ROWS) - {"declare"} == OTHERWISE - ELSEWHERE
    assert set(FIELDS) >= set(ROWS)


def test_a_gathered_pack_is_every_card_once() -> None:
    for done in play_match(BOOK["french"], "whole packs", 3):
        state = done.after
        if state.phase in ("scored", "passed_out"):
            pack = next_deal(state, "22" * 32).pack
            assert sorted(pack) == list(range(32))
            assert step(state, next_deal(state, "22" * 32)).after.phase == "auction"
