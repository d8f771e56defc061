"""The table as a value: D6 at its level, decisions, strikes, what the table waits for."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.belote.cards import Seat
from app.belote.events import GAME_EVENTS, Continued
from app.belote.presets import PRESETS
from app.tables import events as ev
from app.tables import table as tables
from app.tables import views
from app.tables.table import open_turn

from .histories import CODE, PEOPLE, STRANGER, Life, life, match_of
from .vectors import same_seat

VIEWERS = (*PEOPLE, STRANGER, None)


@given(st.integers(0, 10**6))
@settings(max_examples=15)
def test_what_a_viewer_folds_is_what_the_server_would_show(seed: int) -> None:
    """D6: the view after an event is the event, as the viewer gets it, applied to the view."""
    _d6(life(seed))


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_the_same_in_every_game_with_claims_and_resignations(preset: str) -> None:
    for seed in range(3):
        lived = match_of(preset, seed)
        assert lived.table.status == "finished"
        _d6(lived)
        start = next(n for n, m in enumerate(lived.moments) if isinstance(m.event, ev.MatchStarted))
        base = lived.moments[start]
        state = tables.begin(CODE, base.event, base.after.seq, base.how)
        for moment in lived.moments[start + 1 :]:
            state = tables.evolve(state, moment.event, moment.after.seq, moment.how)
        assert state == lived.table


def _d6(lived: Life) -> None:
    for moment in lived.moments:
        for viewer in VIEWERS:
            if not same_seat(moment, viewer):
                continue  # answered with a snapshot
            seat = moment.before.seat_of(viewer)
            told = views.redact(moment.event, seat, len(moment.before.seats))
            seen = views.apply(views.view(moment.before, viewer), told, moment.how)
            assert seen == views.view(moment.after, viewer), moment.event.TYPE


@given(st.integers(0, 10**6))
@settings(max_examples=15)
def test_a_decision_is_the_number_of_the_last_event_of_the_batch_that_opened_it(seed: int) -> None:
    last_game = asked = None
    for batch in life(seed).batches:
        for moment in batch:
            if type(moment.event) in GAME_EVENTS and not isinstance(moment.event, Continued):
                last_game = moment.after.seq
            if isinstance(moment.event, ev.ReadyAsked | ev.RematchOffered):
                asked = moment.after.seq
        turn = open_turn(batch[-1].after)
        if turn is not None:
            assert turn.decision == (asked if turn.kind in ("ready", "rematch") else last_game)


@given(st.integers(0, 10**6))
@settings(max_examples=10)
def test_numbers_have_no_gap(seed: int) -> None:
    seqs = [moment.after.seq for moment in life(seed).moments]
    assert all(after == before + 1 for before, after in pairwise(seqs))


@given(st.integers(0, 10**6))
@settings(max_examples=10)
def test_a_match_start_is_a_complete_base(seed: int) -> None:
    moments = life(seed).moments
    starts = [n for n, m in enumerate(moments) if isinstance(m.event, ev.MatchStarted)]
    for first in starts:
        base = moments[first]
        state = tables.begin(base.after.code, base.event, base.after.seq, base.how)
        for moment in moments[first + 1 :]:
            state = tables.evolve(state, moment.event, moment.after.seq, moment.how)
        assert state == moments[-1].after


def _playing() -> Life:
    lived = Life("strikes")
    for seat in range(4):
        lived.sit(seat, PEOPLE[seat])
    lived.start()
    return lived


def _strikes(lived: Life) -> list[int]:
    return [chair.strikes for chair in lived.table.seats]


def test_a_strike_is_counted_at_a_deadline_and_forgotten_when_the_person_acts() -> None:
    lived = _playing()
    turn = open_turn(lived.table)
    assert turn is not None
    seat = turn.seat
    assert seat is not None
    lived.move("timeout")
    assert _strikes(lived)[seat] == 1
    for _ in range(3):
        lived.move("human")
    assert _strikes(lived)[seat] == 1, "others' moves change nothing"
    lived.move("human")
    assert _strikes(lived) == [0, 0, 0, 0]


def test_a_bot_that_sits_in_wipes_the_strikes_and_so_does_the_return() -> None:
    lived = _playing()
    lived.move("timeout")
    seat = Seat(_strikes(lived).index(1))
    lived.write([ev.SeatToBot(seat, "deadline", "novice")], "system")
    chair = lived.table.seats[seat]
    assert (chair.kind, chair.sitting_in, chair.bot, chair.strikes) == ("person", True, "novice", 0)
    lived.write([ev.SeatReclaimed(seat)], "human")
    chair = lived.table.seats[seat]
    assert (chair.sitting_in, chair.bot, chair.strikes) == (False, None, 0)


def test_who_leaves_for_good_has_no_seat_any_more_but_stays_in_the_match() -> None:
    lived = _playing()
    lived.write([ev.SeatToBot(Seat(2), "left", "novice")], "human")
    assert lived.table.seat_of(PEOPLE[2]) is None
    assert lived.table.seats[2].kind == "bot"
    assert lived.table.match is not None
    assert lived.table.match.left == (False, False, True, False)
    assert lived.table.match.players[2].player == PEOPLE[2]
    assert not tables.alone(lived.table)


def test_one_person_among_bots_is_alone() -> None:
    lived = Life("alone")
    lived.sit(0, PEOPLE[0])
    assert tables.alone(lived.table)
    lived.sit(1, PEOPLE[1])
    assert not tables.alone(lived.table)


def test_a_paused_table_waits_for_nothing_and_keeps_its_decision() -> None:
    lived = _playing()
    before = open_turn(lived.table)
    lived.write([ev.Paused()], "system")
    assert open_turn(lived.table) is None
    assert lived.table.decision is not None
    lived.write([ev.Resumed()], "system")
    assert open_turn(lived.table) == before
