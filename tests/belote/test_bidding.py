"""The turn-up auction, through the referee."""

from dataclasses import replace

import pytest

from app.belote.cards import Seat, suit_of
from app.belote.commands import Name, Pass, Take
from app.belote.engine import RuleError, State, decide, legal, turn_of
from app.belote.events import BidMade, PassedOut, RestDealt
from app.belote.presets import BOOK, CLASSIC

from .driver import deal_of, finish, start, step, trump


def auction(preset: str = "classic", dealer: int = 0, passes: int = 0) -> State:
    """A dealt hand after so many passes."""
    state = start(BOOK[preset], "auction", dealer)
    state = step(state, deal_of(state, "auction")).after
    for _ in range(passes):
        assert state.turn is not None
        state = step(state, Pass(state.turn)).after
    return state


def test_eldest_speaks_first_and_the_turn_goes_round_twice() -> None:
    seats = []
    state = auction(dealer=1)
    for _ in range(8):
        turn = turn_of(state)
        assert turn is not None
        assert turn.kind == "call"
        seats.append((state.round, turn.seat))
        done = step(state, Pass(turn.seat))
        state = done.after
    assert seats == [(1, 2), (1, 3), (1, 0), (1, 1), (2, 2), (2, 3), (2, 0), (2, 1)]
    assert done.events[1] == PassedOut(1, Seat(2))


def test_a_take_makes_the_turned_suit_trump() -> None:
    state = auction(passes=2)
    assert state.turned is not None
    assert legal(state, Seat(3)).calls == ("pass", "take")
    done = step(state, Take(Seat(3)))
    bid, rest = done.events
    assert isinstance(bid, BidMade)
    assert isinstance(rest, RestDealt)
    assert (bid.call, bid.trump.suit) == ("take", suit_of(state.turned))
    assert rest.contract.taker == 3
    assert rest.contract.trump == bid.trump
    assert done.after.hands[3] >> state.turned & 1
    assert rest.counts == (8, 8, 8, 8)


def test_the_second_round_names_another_suit_and_the_taker_gets_the_turn_up_too() -> None:
    state = auction(passes=4)
    assert state.turned is not None
    options = legal(state, Seat(1))
    assert options.calls == ("pass", "name")
    assert len(options.trumps) == 3
    assert suit_of(state.turned) not in {each.suit for each in options.trumps}
    done = step(state, Name(Seat(1), options.trumps[0]))
    assert done.after.contract is not None
    assert done.after.contract.trump == options.trumps[0]
    assert done.after.hands[1] >> state.turned & 1


@pytest.mark.parametrize(
    ("preset", "dealer", "following"),
    [
        ("classic", 1, (2, 3)),
        ("classic-clockwise", 1, (1, 2)),
        ("classic-dealer-leads", 1, (0, 1)),
        ("classic-dealer-leads", 0, (3, 0)),
        ("sans-annonces", 3, (0, 1)),
    ],
)
def test_who_deals_after_a_deal_that_nobody_took(
    preset: str, dealer: int, following: tuple[int, int]
) -> None:
    state = auction(preset, dealer, passes=8)
    assert state.phase == "passed_out"
    assert state.next_dealer == following[0]
    state = step(state, deal_of(state, "auction")).after
    assert (state.dealer, state.deal) == (following[0], 2)
    assert state.turn == (following[0] + 1) % 4
    assert state.round == 1
    assert state.auction == ()
    # and on from there, once that deal is taken
    assert state.turn is not None
    state = step(state, Take(state.turn)).after
    assert finish(state)[0].next_dealer == following[1]


def test_eldest_or_the_dealer_leads() -> None:
    for preset, leader in (("classic", 3), ("classic-dealer-leads", 2)):
        state = auction(preset, dealer=2, passes=1)
        assert step(state, Take(Seat(0))).after.turn == leader


@pytest.mark.parametrize(
    ("passes", "command", "code"),
    [
        (0, Pass(Seat(2)), "not_your_turn"),
        (0, Take(Seat(0)), "not_your_turn"),
        (0, Name(Seat(1), trump("H")), "call_not_open"),
        (4, Take(Seat(1)), "call_not_open"),
        (4, Name(Seat(1), trump("NT")), "trump_not_open"),
        (4, Name(Seat(2), trump("H")), "not_your_turn"),
    ],
)
def test_a_call_that_is_not_open_is_refused(
    passes: int, command: Pass | Take | Name, code: str
) -> None:
    with pytest.raises(RuleError) as error:
        decide(auction(passes=passes), command)
    assert error.value.code == code


def test_the_turned_suit_may_not_be_named() -> None:
    state = auction(passes=4)
    assert state.turned is not None
    turned = trump("SHDC"[suit_of(state.turned)])
    with pytest.raises(RuleError) as error:
        decide(state, Name(Seat(1), turned))
    assert error.value.code == "trump_not_open"
    assert turned.value not in error.value.facts["trumps"]  # type: ignore[operator]


def test_hanging_points_outlive_a_deal_that_nobody_took() -> None:
    state = replace(start(CLASSIC, "hang"), hanging=162)
    state = step(state, deal_of(state, "hang")).after
    for _ in range(8):
        assert state.turn is not None
        state = step(state, Pass(state.turn)).after
    assert state.hanging == 162
    assert state.totals == (0, 0)
