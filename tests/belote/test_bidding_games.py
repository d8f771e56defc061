"""The auctions of the other games: levels, ranked contracts, calling (docs/rules.md §3)."""

from collections.abc import Mapping
from typing import Any

import pytest

from app.belote.cards import Seat, Trump
from app.belote.commands import (
    Annul,
    Bid,
    CallCommand,
    Double,
    Name,
    Pass,
    Redouble,
    Take,
    ThirdDouble,
)
from app.belote.engine import RuleError, State, also, decide, legal
from app.belote.events import DealAnnulled, Passed, PassedOut
from app.belote.presets import BOOK
from app.belote.rules import RuleSet, overridden
from app.belote.view import view

from .driver import cards, deal_of, start, step

CALLS = {"p": Pass, "x": Double, "xx": Redouble, "xxx": ThirdDouble, "take": Take, "annul": Annul}


def rules(preset: str, **house: object) -> RuleSet:
    return overridden(BOOK[preset], house)


def command(seat: int, word: str) -> CallCommand:
    """``p``, ``x``, ``90H``, ``capotS``, ``NT``, ``=H`` (name); a seat before it: ``3:x``."""
    if ":" in word:
        number, word = word.split(":")
        seat = int(number)
    if word in CALLS:
        return CALLS[word](Seat(seat))
    if word.startswith("="):
        return Name(Seat(seat), Trump(word[1:]))
    for value in ("capot", *map(str, range(160, 70, -10))):
        if word.startswith(value):
            bid = "capot" if value == "capot" else int(value)
            return Bid(Seat(seat), Trump(word.removeprefix(value)), bid)
    return Bid(Seat(seat), Trump(word))


def said(game: RuleSet, text: str, dealer: int = 3, state: State | None = None) -> State:
    """The auction after those calls, each by the seat in turn unless told otherwise."""
    state = state or start(game, "auction", dealer)
    if state.phase != "auction":
        state = step(state, deal_of(state, "auction")).after
    for word in text.split():
        assert state.turn is not None
        state = step(state, command(state.turn, word)).after
    return state


def contract(state: State) -> tuple[Any, ...]:
    assert state.phase in ("play", "declaring")
    assert state.contract is not None
    made = state.contract
    return int(made.taker), made.trump.value, made.value, made.factor


def refusal(state: State, word: str) -> tuple[str, Mapping[str, object]]:
    assert state.turn is not None
    with pytest.raises(RuleError) as error:
        decide(state, command(state.turn, word))
    return error.value.code, error.value.facts


COINCHE, CONTREE, BELOT = rules("coinche"), rules("contree"), rules("belot")
DUEL, TRIO, BELA = rules("belot-duel"), rules("belot-trio"), rules("bela")


@pytest.mark.parametrize(
    ("game", "calls", "result"),
    [
        (COINCHE, "90H p p p", (0, "H", 90, 1)),
        (COINCHE, "p p p 80NT p p p", (3, "NT", 80, 1)),
        (COINCHE, "80H 90S p 100S p p p", (3, "S", 100, 1)),
        (COINCHE, "80H p 100H p p p", (2, "H", 100, 1)),
        (COINCHE, "80H p p 90S p 110H p p p", (1, "H", 110, 1)),
        (COINCHE, "p 80C 90D p p p", (2, "D", 90, 1)),
        (COINCHE, "p 80C p p 90D p p p", (0, "D", 90, 1)),
        (COINCHE, "capotAT p p p", (0, "AT", "capot", 1)),
        (COINCHE, "80H x p p", (0, "H", 80, 2)),
        (COINCHE, "80H x xx", (0, "H", 80, 4)),
        (COINCHE, "80H x p xx", (0, "H", 80, 4)),
        (COINCHE, "capotS p p x p p", (0, "S", "capot", 2)),
        (CONTREE, "80H p p x p p", (0, "H", 80, 2)),
        (CONTREE, "100C x xx", (0, "C", 100, 4)),
        (BELOT, "C p p p", (0, "C", None, 1)),
        (BELOT, "S x NT p p p", (2, "NT", None, 1)),
        (BELOT, "H x xx p p p", (0, "H", None, 4)),
        (BELOT, "H x p p xx p p p", (0, "H", None, 4)),
        (BELOT, "H x xx AT p p p", (3, "AT", None, 1)),
        (BELOT, "H p S p p p", (2, "S", None, 1)),
        (BELOT, "H p p x p p p", (0, "H", None, 2)),
        (BELOT, "p p p D p p p", (3, "D", None, 1)),
        (DUEL, "C p", (0, "C", None, 1)),
        (DUEL, "C x p", (0, "C", None, 2)),
        (DUEL, "C x xx p", (0, "C", None, 4)),
        (TRIO, "C p p", (0, "C", None, 1)),
        (TRIO, "C p x p p", (0, "C", None, 2)),
        (TRIO, "C D x p p", (1, "D", None, 2)),
        (BELA, "=H", (0, "H", None, 1)),
        (BELA, "p p p =C", (3, "C", None, 1)),
    ],
)
def test_an_auction_ends_in_a_contract(game: RuleSet, calls: str, result: tuple[Any, ...]) -> None:
    dealer = game.players - 1
    state = said(game, calls, dealer)
    assert contract(state) == result
    assert not also(state, Seat(0))


@pytest.mark.parametrize(
    ("game", "calls"), [(COINCHE, "p p p p"), (BELOT, "p p p p"), (DUEL, "p p"), (TRIO, "p p p")]
)
def test_a_deal_that_nobody_wants_is_dealt_again_by_the_next_seat(
    game: RuleSet, calls: str
) -> None:
    state = said(game, calls, dealer=0)
    assert (state.phase, state.next_dealer) == ("passed_out", 1)
    again = step(state, deal_of(state, "auction")).after
    assert again.turn == 2 % game.players
    assert (again.standing, again.doubler, again.auction) == (None, None, ())
    assert sum(hand.bit_count() for hand in again.hands) == sum(map(len, again.dealt))


@pytest.mark.parametrize(
    ("game", "calls", "word", "code"),
    [
        (COINCHE, "90H", "90S", "bid_too_low"),
        (COINCHE, "90H", "80S", "bid_too_low"),
        (COINCHE, "capotH", "160S", "bid_too_low"),
        (COINCHE, "90H p", "x", "own_bid"),
        (COINCHE, "90H x", "100H", "auction_frozen"),
        (COINCHE, "90H x", "x", "already_doubled"),
        (COINCHE, "90H", "xx", "not_doubled"),
        (COINCHE, "", "x", "nothing_to_double"),
        (COINCHE, "", "take", "call_not_open"),
        (COINCHE, "", "=H", "call_not_open"),
        (COINCHE, "", "NT", "value_not_open"),
        (COINCHE, "90H x", "xxx", "call_not_open"),
        (CONTREE, "", "80NT", "trump_not_open"),
        (CONTREE, "", "80AT", "trump_not_open"),
        (BELOT, "H", "D", "bid_too_low"),
        (BELOT, "H", "H", "bid_too_low"),
        (BELOT, "AT", "AT", "bid_too_low"),
        (BELOT, "", "80H", "value_not_open"),
        (BELOT, "H p", "x", "own_bid"),
        (BELOT, "H x p", "x", "already_doubled"),
        (BELOT, "H x xx", "xxx", "call_not_open"),
        (BELA, "", "=NT", "trump_not_open"),
        (BELA, "p p p", "p", "must_name"),
        (BELA, "p p p", "annul", "call_not_open"),
        (BELA, "", "80H", "call_not_open"),
    ],
)
def test_a_call_that_is_not_open_is_refused_with_its_reason_and_what_is(
    game: RuleSet, calls: str, word: str, code: str
) -> None:
    state = said(game, calls)
    got, facts = refusal(state, word)
    assert got == code
    assert state.turn is not None
    options = legal(state, state.turn)
    assert facts["calls"] == list(options.calls)
    assert facts.get("trumps", []) == [trump.value for trump in options.trumps]
    assert facts.get("values", []) == list(options.values)


def test_values_rise_by_ten_and_nothing_is_above_a_capot() -> None:
    assert legal(said(COINCHE, ""), Seat(0)).values == (*range(80, 170, 10), "capot")
    assert legal(said(COINCHE, "140H"), Seat(1)).values == (150, 160, "capot")
    above = legal(said(COINCHE, "capotH"), Seat(1))
    assert (above.calls, above.values, above.trumps) == (("pass", "double"), (), ())
    assert legal(said(COINCHE, "capotH"), Seat(2)).calls == ()


def test_a_game_without_a_capot_bid_ends_at_its_highest_value() -> None:
    assert legal(said(rules("coinche", capot_bid="none"), ""), Seat(0)).values[-1] == 160


def test_contracts_are_ranked_clubs_to_all_trumps() -> None:
    assert [t.value for t in legal(said(BELOT, ""), Seat(0)).trumps] == [
        "C", "D", "H", "S", "NT", "AT",
    ]  # fmt: skip
    assert [t.value for t in legal(said(BELOT, "S"), Seat(1)).trumps] == ["NT", "AT"]
    assert legal(said(BELOT, "AT"), Seat(2 - 1)).calls == ("pass", "double")


def test_the_bidding_side_answers_a_double_in_order_from_the_doubler() -> None:
    state = said(COINCHE, "p 90H p p")
    assert state.turn == 0
    state = said(COINCHE, "2:x", state=state)
    assert state.turn == 3, "the seat after the doubler, of the bidding side"
    assert view(state, None).doubler == 2
    state = said(COINCHE, "p", state=state)
    assert state.turn == 1
    assert legal(state, Seat(1)).calls == ("pass", "redouble")


def test_doubles_any_time_are_open_to_both_opponents_until_the_last_pass() -> None:
    state = said(COINCHE, "90H p")
    assert [also(state, Seat(seat)) for seat in range(4)] == [(), ("double",), (), ("double",)]
    state = said(COINCHE, "p", state=state)
    assert legal(state, Seat(3)).calls == ("pass", "bid", "double")
    assert [also(state, Seat(seat)) for seat in range(4)] == [(), ("double",), (), ()]
    done = said(COINCHE, "p", state=state)
    assert all(also(done, Seat(seat)) == () for seat in range(4))


def test_doubles_in_turn_are_open_in_turn_alone() -> None:
    for game in (CONTREE, BELOT):
        state = said(game, "80H p" if game is CONTREE else "H p")
        assert all(also(state, Seat(seat)) == () for seat in range(4))
        with pytest.raises(RuleError, match="not_your_turn"):
            decide(state, Double(Seat(1)))


def test_a_game_without_a_redouble_ends_with_the_double() -> None:
    game = rules("coinche", redouble="none")
    assert contract(said(game, "90H x")) == (0, "H", 90, 2)


def test_a_third_double_is_for_the_doubling_side_after_a_redouble() -> None:
    game = rules("belot", third_double="match")
    assert "third" not in legal(said(game, "H x"), Seat(2)).calls
    state = said(game, "H x xx")
    assert legal(state, Seat(3)).calls == ("pass", "bid", "third")
    assert legal(said(game, "H x xx p p"), Seat(1)).calls == ("pass", "bid", "third")
    assert contract(said(game, "H x xx 3:xxx p p p")) == (0, "H", None, "match")
    assert refusal(said(game, "H x xx xxx"), "xx")[0] == "already_doubled"
    assert contract(said(game, "H x xx xxx S p p p")) == (0, "S", None, 1)


def test_a_bid_stands_through_passes_and_a_seat_that_passed_may_bid_again() -> None:
    state = said(COINCHE, "80H p p 90S")
    assert state.standing is not None
    assert (state.standing.taker, state.standing.value) == (3, 90)
    assert "bid" in legal(state, Seat(0)).calls
    state = said(COINCHE, "p p", state=state)
    assert state.standing is not None
    assert state.standing.taker == 3, "a pass erases no bid"
    assert "bid" in legal(state, Seat(2)).calls


# Calling


def test_a_dealer_names_from_six_cards_and_the_others_see_theirs_as_they_pass() -> None:
    state = said(BELA, "")
    for seat in range(4):
        seen = view(state, Seat(seat))
        assert (len(seen.hand or ()), seen.counts, seen.down) == (6, (6,) * 4, ((1, 1),) * 4)
    done = step(state, Pass(Seat(0)))
    (event,) = done.events
    assert isinstance(event, Passed)
    assert [cards_ and len(cards_) for cards_ in event.cards] == [2, None, None, None]
    mine, theirs = view(done.after, Seat(0)), view(done.after, Seat(1))
    assert (len(mine.hand or ()), len(theirs.hand or ())) == (8, 6)
    assert mine.counts == theirs.counts == (8, 6, 6, 6)
    assert mine.down == ((), (1, 1), (1, 1), (1, 1))
    state = said(BELA, "p p", state=done.after)
    assert (state.turn, legal(state, Seat(3)).calls) == (3, ("name",))
    assert len(view(state, Seat(3)).hand or ()) == 6
    state = said(BELA, "=H", state=state)
    assert all(len(view(state, Seat(seat)).hand or ()) == 8 for seat in range(4))


def test_a_dealer_may_annul_where_the_rules_let_it() -> None:
    for cancel, open_ in (("no", False), ("any", True)):
        state = said(rules("bela", dealer_cancel=cancel), "p p p")
        assert ("annul" in legal(state, Seat(3)).calls) == open_
    done = step(state, Annul(Seat(3)))
    assert done.events == (DealAnnulled(1, Seat(3), Seat(0)),)
    assert (done.after.phase, done.after.next_dealer) == ("passed_out", 0)
    assert done.after.auction[-1].call == "annul"
    assert not any(isinstance(event, PassedOut) for event in done.events)


def test_seven_points_at_plain_values_in_the_six_cards_it_sees_let_a_dealer_annul() -> None:
    game = rules("bela", dealer_cancel="at_most_7")
    for hand, points, allowed in (
        ("7S 8S JH KH 9C 9D", 6, True),
        ("7S QS KH 9C 9D 8D", 7, True),
        ("7S 8S KS KH 9C 9D", 8, False),
    ):
        state = said(game, "p p p", state=dealt_to_dealer(game, hand))
        assert ("annul" in legal(state, Seat(3)).calls) == allowed, points
        if not allowed:
            assert refusal(state, "annul")[0] == "too_many_points"
    assert refusal(said(game, ""), "annul")[0] == "call_not_open"


def dealt_to_dealer(game: RuleSet, hand: str) -> State:
    """Seat 3 deals itself those six cards; its two face down are a jack and an ace."""
    mine = list(cards(hand))
    others = [card for card in range(32) if card not in mine]
    pack: list[int] = []
    for packet in (mine[:3], mine[3:]):
        pack += [*others[:9], *packet]
        others = others[9:]
    state = start(game, "annul", 3)
    return step(state, deal_of(state, "annul", [*pack, *others])).after  # type: ignore[list-item]


def test_nothing_is_called_once_the_auction_is_over() -> None:
    state = said(BELOT, "H p p p")
    assert state.phase == "play"
    with pytest.raises(RuleError, match="wrong_phase"):
        decide(state, Pass(Seat(0)))
