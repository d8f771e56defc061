"""The arithmetic of experience (docs/rules.md §7), against its own words and figures."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.belote.cards import Card, Seat, Side, Trump
from app.belote.events import (
    CardPlayed,
    Contract,
    DealOutcome,
    DealScored,
    Event,
    MatchEnded,
    PassedOut,
    Score,
    TrickTaken,
)
from app.progress.experience import (
    POINTS,
    How,
    XpLine,
    capped,
    level_of,
    lines,
    needs,
    standing,
    tally_of,
)


def scored(taker: int, outcome: DealOutcome) -> DealScored:
    score = Score(
        (81, 71), Side(0), (4, 4), (0, 0), (0, 0), outcome, None, None, (0, 0), 0, 0, (0, 0)
    )
    contract = Contract(Seat(taker), Trump.HEARTS)
    return DealScored(1, Seat(0), contract, (), (), score, Seat(1), None)


def trick(winner: int, how: How, others: How = "human") -> list[tuple[Event, How]]:
    played: list[tuple[Event, How]] = [
        (CardPlayed(Seat(seat), Card(seat)), how if seat == winner else others) for seat in range(4)
    ]
    return [*played, (TrickTaken(1, Seat(winner), 10), others)]


def test_the_worked_figure() -> None:
    outcomes: tuple[DealOutcome, ...] = ("made", "made", "made", "litige")
    events: list[tuple[Event, How]] = [(scored(0, outcome), "human") for outcome in outcomes]
    events += [(scored(1, "failed"), "human")] * 2
    events += [each for _ in range(11) for each in trick(0, "human")]
    tally = tally_of(4, events)
    given_lines = lines(True, tally.deals_of(Seat(0)), tally.own_tricks[0])
    assert [(line.reason, line.points) for line in given_lines] == [
        ("played", 15),
        ("won", 25),
        ("deals", 10),
        ("tricks", 11),
    ]
    assert sum(line.points for line in given_lines) == 61


def test_a_failed_contract_is_won_by_the_defence_and_a_hanging_one_by_nobody() -> None:
    assert tally_of(4, [(scored(0, "failed"), "human")]).deals_won == (0, 1)
    assert tally_of(4, [(scored(1, "made"), "human")]).deals_won == (0, 1)
    assert tally_of(4, [(scored(1, "litige"), "human")]).deals_won == (0, 0)
    assert tally_of(4, [(PassedOut(1, Seat(1)), "human")]).deals_won == (0, 0)


def test_a_deal_that_wins_the_match_goes_to_its_winner() -> None:
    events: list[tuple[Event, How]] = [
        (scored(0, "match"), "human"),
        (MatchEnded(Side(1), "target", (0, 0), 1), "human"),
    ]
    assert tally_of(4, events).deals_won == (0, 1)


@pytest.mark.parametrize(("how", "tricks"), [("human", 1), ("timeout", 1), ("bot", 0)])
def test_a_trick_counts_unless_a_bot_played_its_winning_card(how: How, tricks: int) -> None:
    assert tally_of(4, trick(2, how)).own_tricks == (0, 0, tricks, 0)


def test_bots_in_other_seats_do_not_take_a_trick_away() -> None:
    assert tally_of(4, trick(2, "human", others="bot")).own_tricks == (0, 0, 1, 0)


def test_a_lost_match_without_a_deal_or_a_trick_gives_its_fifteen() -> None:
    assert lines(False, 0, 0) == (XpLine("played", 1, 15),)


@pytest.mark.parametrize(("level", "points"), [(0, 0), (1, 50), (2, 150), (10, 2_750)])
def test_levels_begin_where_the_rules_say(level: int, points: int) -> None:
    assert needs(level) == points
    assert level_of(points) == level
    assert points == 0 or level_of(points - 1) == level - 1


@given(st.integers(0, 10_000_000))
def test_a_sum_lies_within_its_level(xp: int) -> None:
    found = standing(xp)
    assert found.level_from <= xp < found.level_to
    assert found.level_to == needs(found.level + 1)


@given(st.booleans(), st.integers(0, 40), st.integers(0, 200), st.integers(-20, 400))
def test_a_limit_cuts_points_and_nothing_else(
    won: bool, deals: int, tricks: int, left: int
) -> None:
    whole = lines(won, deals, tricks)
    cut = capped(whole, left)
    assert [(line.reason, line.count) for line in cut] == [
        (line.reason, line.count) for line in whole
    ]
    assert sum(line.points for line in cut) == min(max(left, 0), sum(line.points for line in whole))
    assert all(0 <= line.points <= line.count * POINTS[line.reason] for line in cut)
