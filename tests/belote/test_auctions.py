"""Auctions of levels, ranked contracts and calls: what ends them, what they refuse, who may double.

An auction is written as its calls in turn: ``"100 H, -, double, -"``; ``"2: double"`` is said by
seat 2 out of turn. The turn-up is tried in test_bidding.py.
"""

from dataclasses import replace

import pytest

from app.belote.cards import Seat, Trump, name_of
from app.belote.commands import Annul, Bid, Command, Double, Name, Pass, Redouble, ThirdDouble
from app.belote.engine import RuleError, State, also, decide, legal
from app.belote.events import BidValue
from app.belote.presets import BOOK
from app.belote.ranking import PLAIN_POINTS, cards_of
from app.belote.rules import RuleSet, overridden

from .driver import deal_of, start, step

SIMPLE = {"-": Pass, "double": Double, "redouble": Redouble, "third": ThirdDouble, "annul": Annul}


def said(seat: Seat, call: str, rules: RuleSet) -> Command:
    """One call of the text."""
    if call in SIMPLE:
        return SIMPLE[call](seat)
    *values, trump = call.split()
    if rules.auction == "call":
        return Name(seat, Trump(trump))
    value: BidValue | None = None
    if values:
        value = "capot" if values[0] == "capot" else int(values[0])
    return Bid(seat, Trump(trump), value)


def auction(
    game: str | RuleSet, calls: str, dealer: int | None = None, seed: str = "auction"
) -> State:
    """A deal after those calls; seat 0 speaks first unless another dealer is named."""
    rules = BOOK[game] if isinstance(game, str) else game
    state = start(rules, seed, rules.players - 1 if dealer is None else dealer)
    state = step(state, deal_of(state, seed)).after
    for text in (each.strip() for each in calls.split(",") if each.strip()):
        state = step(state, next_call(state, text)).after
    return state


def next_call(state: State, text: str) -> Command:
    """A call by the seat in turn, or by the seat that it names."""
    seat, _, call = text.rpartition(": ")
    by = Seat(int(seat)) if seat else state.turn
    assert by is not None
    return said(by, call, state.rules)


def refused(state: State, text: str) -> str:
    """The code with which a call is refused, which changes nothing."""
    before = hash(state)
    with pytest.raises(RuleError) as error:
        decide(state, next_call(state, text))
    assert hash(state) == before
    return error.value.code


def contract(state: State) -> str:
    """The contract as words, or that there is none yet."""
    found = state.contract
    if found is None:
        return state.phase
    value = "" if found.value is None else f" {found.value}"
    factor = "" if found.factor == 1 else f" ×{found.factor}"
    return f"{found.taker}: {found.trump}{value}{factor}"


@pytest.mark.parametrize(
    ("game", "calls", "ends"),
    [
        # figures of the page
        ("belot", "S, double, NT, -, -, -", "2: NT"),
        ("belot-duel", "C, -", "0: C"),
        # all pass, n − 1 passes
        ("coinche", "-, -, -, -", "passed_out"),
        ("belot-trio", "-, -, -", "passed_out"),
        ("belot-duel", "-, -", "passed_out"),
        ("belot-trio", "-, AT, -, -", "1: AT"),
        ("coinche", "80 H, -, -, -", "0: H 80"),
        ("coinche", "-, -, -, 80 H, -, -", "auction"),
        ("coinche", "-, -, -, 80 H, -, -, -", "3: H 80"),
        # a pass does not erase a bid, and who passed may bid again
        ("coinche", "80 H, -, -, 90 S, -, -, 100 S, -, -, 110 C, -, -, -", "1: C 110"),
        ("coinche", "80 H, -, 90 H, -, -, -", "2: H 90"),  # one's partner is raised
        ("coinche", "80 H, 160 S, capot H, -, -, -", "2: H capot"),
        ("contree", "80 H, -, -, double, -, -", "0: H 80 ×2"),
        ("contree", "80 H, double, -, -", "0: H 80 ×2"),
        ("contree", "80 H, double, redouble", "0: H 80 ×4"),
        ("contree", "80 H, double, -, redouble", "0: H 80 ×4"),
        ("coinche", "capot H, double, -, -", "0: H capot ×2"),
        # out of turn, also after passing, until the pass that ends the auction
        ("coinche", "80 H, 3: double, -, -", "0: H 80 ×2"),
        ("coinche", "80 H, -, -, 1: double, redouble", "0: H 80 ×4"),
        ("coinche", "-, 80 H, -, -, 2: double, -, -", "1: H 80 ×2"),
        # ranked contracts: a higher one cancels doubles, n − 1 passes follow them
        ("belot", "S, double, -, -, -", "0: S ×2"),
        ("belot", "S, double, redouble, -, -, -", "0: S ×4"),
        ("belot", "S, double, redouble, AT, -, -, -", "3: AT"),
        ("belot", "C, double, -, -, redouble, -, -, -", "0: C ×4"),
        ("belot-trio", "C, double, D, double, -, -", "2: D ×2"),
        ("bela", "H", "0: H"),
        ("bela", "-, -, -, C", "3: C"),
    ],
)
def test_an_auction_ends_in_its_contract(game: str, calls: str, ends: str) -> None:
    state = auction(game, calls)
    found = contract(state)
    assert found == ends


@pytest.mark.parametrize(
    ("game", "calls", "call", "code"),
    [
        ("coinche", "90 H", "80 S", "bid_too_low"),
        ("coinche", "90 H", "90 S", "bid_too_low"),
        ("coinche", "90 H, -, -", "90 S", "bid_too_low"),
        ("coinche", "capot H", "160 S", "bid_too_low"),
        ("coinche", "", "85 S", "value_not_open"),
        ("coinche", "", "170 S", "value_not_open"),
        ("contree", "", "80 NT", "trump_not_open"),
        ("coinche", "80 H, -", "double", "own_bid"),  # one's own side is not doubled
        ("coinche", "80 H", "2: double", "not_your_turn"),
        ("coinche", "", "double", "nothing_to_double"),
        ("coinche", "80 H, double", "90 S", "auction_frozen"),
        ("coinche", "80 H, double", "capot S", "auction_frozen"),
        ("coinche", "80 H, double", "3: double", "not_your_turn"),
        ("coinche", "80 H", "redouble", "not_doubled"),
        ("contree", "80 H", "3: double", "not_your_turn"),  # in turn alone
        ("belot", "H", "D", "bid_too_low"),
        ("belot", "H", "H", "bid_too_low"),
        ("belot", "AT", "NT", "bid_too_low"),
        ("belot", "H, double", "third", "call_not_open"),
        ("belot", "H, double", "double", "already_doubled"),
        ("belot", "H, double, -", "redouble", "not_your_bid"),
        ("belot", "H, double, redouble", "third", "call_not_open"),
        ("belot", "H", "100 S", "value_not_open"),
        ("bela", "-, -, -", "-", "must_name"),
        ("bela", "-, -, -", "annul", "call_not_open"),
        ("bela", "", "NT", "trump_not_open"),
    ],
)
def test_a_call_that_is_not_open_is_refused_with_its_reason(
    game: str, calls: str, call: str, code: str
) -> None:
    assert refused(auction(game, calls), call) == code


def test_a_third_double_is_for_the_doubling_side_after_a_redouble() -> None:
    third = overridden(BOOK["belot"], {"third_double": "match"})
    assert contract(auction(third, "H, double, redouble, third, -, -, -")) == "0: H ×match"
    assert contract(auction(third, "H, double, redouble, third, S, -, -, -")) == "0: S"
    assert refused(auction(third, "H, double, redouble, third"), "redouble") == "already_doubled"
    assert refused(auction(third, "H, double, redouble, -"), "third") == "own_bid"
    assert refused(auction(third, "H, double, -"), "third") == "not_doubled"


def test_only_the_bidding_side_answers_a_double_in_order_from_the_doubler() -> None:
    state = auction("coinche", "-, 80 H, -, -, 0: double")
    assert state.turn == 1
    assert legal(state, Seat(1)).calls == ("pass", "redouble")
    state = step(state, Pass(Seat(1))).after
    assert state.turn == 3
    assert contract(step(state, Pass(Seat(3))).after) == "1: H 80 ×2"


def test_a_double_out_of_turn_is_open_to_both_opponents_while_the_bid_stands() -> None:
    state = auction("coinche", "80 H")
    assert [also(state, Seat(seat)) for seat in (0, 2, 3)] == [(), (), ("double",)]
    assert "double" in legal(state, Seat(1)).calls
    state = step(state, Bid(Seat(1), Trump.SPADES, 90)).after
    assert [also(state, Seat(seat)) for seat in range(4)] == [("double",), (), (), ()]
    assert also(auction("coinche", "80 H, double"), Seat(3)) == ()
    assert also(auction("contree", "80 H"), Seat(3)) == ()


def test_who_deals_after_all_have_passed() -> None:
    # From dealer 3; the page's figure for the turn-up games is in test_bidding.py.
    for game in ("coinche", "contree", "belot"):
        assert auction(game, "-, -, -, -").next_dealer == 0
    assert auction("belot-duel", "-, -", dealer=1).next_dealer == 0


def dealer_with(points: str) -> State:
    """A forced dealer in bela whose six cards count at most 7, or more."""
    for number in range(200):
        rules = overridden(BOOK["bela"], {"dealer_cancel": "at_most_7"})
        state = auction(rules, "-, -, -", seed=f"cancel {number}")
        worth = sum(PLAIN_POINTS[card & 7] for card in cards_of(state.hands[3]))
        if (worth <= 7) == (points == "few"):
            return state
    raise AssertionError("no such hand")


def test_a_forced_dealer_names_from_six_and_may_throw_a_poor_deal_in() -> None:
    poor = dealer_with("few")
    assert len(cards_of(poor.hands[3])) == 6, [name_of(c) for c in cards_of(poor.hands[3])]
    annulled = step(poor, Annul(Seat(3))).after
    assert (annulled.phase, annulled.next_dealer, annulled.deals) == ("passed_out", 0, ())
    assert refused(dealer_with("many"), "annul") == "too_many_points"
    always = overridden(BOOK["bela"], {"dealer_cancel": "any"})
    assert step(auction(always, "-, -, -"), Annul(Seat(3))).after.phase == "passed_out"
    assert refused(auction(always, "-, -"), "annul") == "call_not_open"


def test_a_capot_may_not_be_bid_where_there_is_none() -> None:
    without = replace(BOOK["coinche"], capot_bid=None)
    assert refused(auction(without, ""), "capot H") == "value_not_open"
    assert refused(auction(without, "160 H"), "capot S") == "bid_too_low"
