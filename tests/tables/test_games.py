"""What the other games ask of a table: doubles out of turn, questions before the lead, the pack
that is cut, the winners' deal. Pure: no database, no clock."""

from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import pytest

from app.belote.cards import Seat
from app.belote.commands import Command, Declare, End
from app.belote.engine import decide, legal, sensible
from app.belote.events import BidMade, Declared, HandDealt
from app.belote.presets import PRESETS
from app.belote.rules import RuleSet
from app.infra.config import Timing
from app.infra.rng import SeededRng
from app.tables import deadlines, drafts, orders
from app.tables import events as ev
from app.tables import table as tables
from app.tables.check_log import difference
from app.tables.codec import turn_json
from app.tables.drafts import ClientCommand, Means, Refused
from app.tables.events import How, Occupant, Options
from app.tables.table import Also, Chair, TableState, TurnInfo
from tests.belote.driver import by_seed, moves, out_of_turn
from tests.clocks import FakeClock

PEOPLE = tuple(UUID(int=n + 1) for n in range(4))


class Table:
    """A table of people, one event after the other."""

    def __init__(self, rules: RuleSet, seed: int | str = 1) -> None:
        self.rng, self.clock = SeededRng(seed), FakeClock()
        options = Options(rules.preset, rules)
        self.state = TableState("K7Q2MD", "waiting", None, options, (Chair(),) * rules.players)
        self.add(ev.Opened("K7Q2MD", PEOPLE[0], options))
        for seat in range(rules.players):
            who = Occupant("person", PEOPLE[seat], f"P{seat}", "qh", 0)
            self.add(ev.SeatTaken(Seat(seat), who))

    @property
    def game(self) -> Any:
        assert self.state.game is not None
        return self.state.game

    def add(self, *events: Any, how: How = "human") -> None:
        self.state = drafts.fold(self.state, events, how)

    def start(self) -> tuple[Any, ...]:
        events = drafts.match_start(self.state, self.rng, self.clock, lambda _: "Bot")
        self.add(*events)
        return events

    def do(self, command: Command) -> None:
        self.add(*decide(self.game, command))

    def ask(self, seat: int, c: dict[str, Any], decision: int | None) -> None:
        means = Means(self.rng, self.clock, lambda _: "Bot", lambda _: frozenset())
        asked = ClientCommand(uuid4(), decision, c)
        self.add(*orders.command(self.state, PEOPLE[seat], asked, means).events)

    def turn(self) -> int:
        assert self.game.turn is not None
        return int(self.game.turn)


def bidding() -> tuple[Table, int, int]:
    """Coinche after the eldest's bid and a pass: the table, the bidder, the bid's number."""
    table = Table(PRESETS["coinche"])
    table.start()
    bidder = table.turn()
    table.ask(bidder, {"type": "bid", "value": 90, "trump": "H"}, table.state.decision)
    bid = table.state.seq
    table.ask(table.turn(), {"type": "pass"}, table.state.decision)
    return table, bidder, bid


def test_a_double_out_of_turn_is_open_as_long_as_its_bid_stands() -> None:
    table, bidder, bid = bidding()
    passed = Seat((bidder + 1) % 4)
    assert table.turn() == (bidder + 2) % 4
    assert dict(tables.also(table.state)) == {
        passed: Also("double", bid), Seat((bidder + 3) % 4): Also("double", bid)
    }  # fmt: skip
    table.ask(passed, {"type": "double"}, bid)
    assert table.game.doubler == passed
    assert table.turn() == (bidder + 2) % 4, "the bidding side answers, in order from the doubler"
    assert tables.also(table.state) == ()
    with pytest.raises(Refused, match="stale"):
        table.ask((bidder + 3) % 4, {"type": "double"}, bid)


def test_a_double_of_a_bid_that_was_raised_comes_too_late() -> None:
    table, bidder, bid = bidding()
    table.ask(table.turn(), {"type": "bid", "value": 100, "trump": "H"}, table.state.decision)
    with pytest.raises(Refused, match="stale"):
        table.ask((bidder + 1) % 4, {"type": "double"}, bid)
    table.ask((bidder + 1) % 4, {"type": "double"}, table.state.seq)
    assert table.game.standing.value == 100
    assert table.game.standing.factor == 2


def test_the_bids_number_serves_a_seat_whose_turn_has_come_meanwhile_too() -> None:
    table, bidder, bid = bidding()
    table.ask(table.turn(), {"type": "pass"}, table.state.decision)
    assert table.turn() == (bidder + 3) % 4
    table.ask(table.turn(), {"type": "double"}, bid)
    assert table.game.doubler == (bidder + 3) % 4


def test_after_the_last_pass_it_is_too_late() -> None:
    table, bidder, bid = bidding()
    for _ in range(2):
        table.ask(table.turn(), {"type": "pass"}, table.state.decision)
    assert table.game.phase == "play"
    with pytest.raises(Refused, match="stale"):
        table.ask((bidder + 1) % 4, {"type": "double"}, bid)


def test_ones_own_side_can_not_be_doubled() -> None:
    table, bidder, bid = bidding()
    with pytest.raises(Refused, match="own_bid"):
        table.ask(table.turn(), {"type": "double"}, table.state.decision)
    with pytest.raises(Refused, match="not_your_turn"):
        table.ask(bidder, {"type": "double"}, bid)


def declaring(holds: bool) -> Table:
    """Bela when a seat is asked that holds something, or nothing."""
    for seed in range(50):
        table = Table(PRESETS["bela"], seed)
        table.start()
        table.do(moves(table.game)[0])
        while table.game.phase == "declaring":
            if bool(legal(table.game, Seat(table.turn())).declarations) == holds:
                return table
            table.do(Declare(Seat(table.turn())))
    raise AssertionError("no such deal")


def test_for_a_seat_that_has_nothing_the_server_answers_after_a_bots_pace() -> None:
    table = declaring(holds=False)
    assert deadlines.wanted(table.state) == ("bot", table.state.decision)
    draft = drafts.bot(table.state, None)
    assert draft is not None
    assert draft.how == "system", "nobody can tell it from the person's own answer"
    (event,) = draft.events
    assert isinstance(event, Declared)
    assert event.kinds == ()


def test_a_seat_that_holds_something_is_waited_for() -> None:
    table = declaring(holds=True)
    assert deadlines.wanted(table.state) == ("turn", table.state.decision)


def test_withholding_and_having_nothing_look_the_same_to_others() -> None:
    table = declaring(holds=True)
    seat = table.turn()
    table.ask(seat, {"type": "declare", "declarations": []}, table.state.decision)
    nothing = declaring(holds=False)
    before = nothing.turn()
    draft = drafts.bot(nothing.state, None)
    assert draft is not None
    (theirs,) = draft.events
    assert isinstance(theirs, Declared)
    mine = Declared(Seat(before), (), tuple(() if s == before else None for s in range(4)))
    assert theirs == mine
    assert table.game.declarations == () or all(d.seat != seat for d in table.game.declarations)


def test_the_clock_of_a_question_is_told_to_its_own_seat_alone() -> None:
    turn = TurnInfo(40, Seat(2), "declare", 5_000, None)
    told = {seat: turn_json(turn, seat, 1_000) for seat in (0, 1, 2, 3, None)}
    assert [each and each["left_ms"] for each in told.values()] == [None, None, 4_000, None, None]
    play = turn_json(replace(turn, kind="play", whole_ms=20_000), 0, 1_000)
    assert play is not None
    assert (play["left_ms"], play["whole_ms"]) == (4_000, 20_000)
    secret = turn_json(replace(turn, whole_ms=20_000), 0, 1_000)
    assert secret is not None
    assert "whole_ms" not in secret


def finished(table: Table) -> None:
    """The match played to its end by the server."""
    while table.state.status == "playing":
        turn = tables.open_turn(table.state)
        assert turn is not None
        if turn.seat is None:
            table.add(*drafts.deal(table.game, table.rng), how="system")
        else:
            command = sensible(table.game, turn.seat)
            if table.game.phase == "auction" and table.game.standing is None:
                command = moves(table.game)[0]
            table.do(command)


def test_one_pack_serves_a_table_for_its_life() -> None:
    """The next match's first pack is cut from the last deal's tricks; a match that ends within a
    deal leaves a fresh one."""
    table = Table(replace(PRESETS["belote-international"], target=20))
    first = [event for event in table.start() if isinstance(event, HandDealt)]
    assert first[0].before is None
    assert first[0].cut is not None
    finished(table)
    last = table.game
    second = table.start()
    started = next(event for event in second if isinstance(event, ev.MatchStarted))
    dealt = next(event for event in second if isinstance(event, HandDealt))
    assert started.left == dealt.before == last.left
    assert last.left is not None
    played = [card for trick in last.left.tricks for card in trick.cards]
    assert tuple(played) == last.played
    table.do(moves(table.game)[0])
    table.do(End("resigned", 0))
    third = table.start()
    assert next(event for event in third if isinstance(event, HandDealt)).before is None


def test_the_winners_deal_first_in_the_next_match() -> None:
    table = Table(replace(PRESETS["belote-international"], target=20))
    table.start()
    finished(table)
    last = table.game
    assert last.result is not None
    started = next(e for e in table.start() if isinstance(e, ev.MatchStarted))
    expected = next(
        seat for seat in ((last.dealer + n) % 4 for n in range(1, 5))
        if seat % 2 == last.result.winner
    )  # fmt: skip
    assert started.dealer == expected


def test_the_dealer_is_drawn_after_a_match_that_nobody_won() -> None:
    dealers = set()
    for seed in range(12):
        table = Table(PRESETS["belote-international"], seed)
        table.start()
        table.do(End("abandoned"))
        started = next(e for e in table.start() if isinstance(e, ev.MatchStarted))
        dealers.add(started.dealer)
    assert len(dealers) > 2


def test_a_bid_and_a_double_strike_nobody_who_makes_them() -> None:
    table, bidder, bid = bidding()
    struck = replace(table.state.seats[(bidder + 1) % 4], strikes=1)
    seats = tuple(struck if n == (bidder + 1) % 4 else c for n, c in enumerate(table.state.seats))
    table.state = replace(table.state, seats=seats)
    table.ask((bidder + 1) % 4, {"type": "double"}, bid)
    assert table.state.seats[(bidder + 1) % 4].strikes == 0


def test_a_turn_for_two_and_three_players_goes_round_their_seats() -> None:
    for preset, players in (("belot-duel", 2), ("belot-trio", 3)):
        table = Table(PRESETS[preset])
        started = table.start()
        assert len(next(e for e in started if isinstance(e, ev.MatchStarted)).seats) == players
        seats = []
        for _ in range(players):
            seats.append(table.turn())
            table.do(moves(table.game)[-1])
        assert sorted(seats) == list(range(players))
        assert not any(isinstance(e, BidMade) for e in started)


@pytest.mark.parametrize("preset", PRESETS)
def test_the_referee_of_today_writes_every_batch_as_it_stands(preset: str) -> None:
    """check-log --referee in every game: choices are read back from the events they left."""
    table = Table(replace(PRESETS[preset], target=40), preset)
    before = table.state
    assert difference(before, table.start()) is None
    while table.state.status == "playing":
        before, game = table.state, table.game
        if game.turn is None:
            batch = drafts.deal(game, table.rng)
        else:
            late = out_of_turn(game)
            batch = decide(game, late[0] if late else by_seed(preset)(game, moves(game)))
        table.add(*batch)
        assert difference(before, batch) is None


def test_a_timing_for_questions_is_a_bots() -> None:
    table = declaring(holds=False)
    timing = Timing()
    keep, due = deadlines.plan(None, table.state, (), timing, SeededRng(1))
    assert not keep
    assert due is not None
    assert timing.bot_min <= due.ms <= timing.bot_max
