"""Deadlines are rows (D9): the database judges them, alarms are punctual, the sweeper is late."""

import asyncio
import random
from datetime import datetime, timedelta

import orjson
import pytest

from app.belote.cards import Card
from app.belote.commands import Play
from app.belote.events import CardPlayed
from app.infra.clock import SystemClock
from app.infra.config import Limits
from app.infra.db import Database
from app.infra.rng import SeededRng
from app.tables import service
from app.tables import table as tables
from app.tables.alarms import EARLY
from app.tables.cache import Deadline
from app.tables.service import Ack, Nak
from app.tables.store import Head, Store

from .kit import HOUR, House, Recorder, Seated, opened, rules, timing


async def overdue(table: Seated, ms: int = 1) -> None:
    """Let the row's deadline be past, without the process knowing."""
    await table.house.database.pool.execute(
        "UPDATE game_table SET deadline_at = clock_timestamp() - $1 * interval '1 ms'"
        " WHERE code = $2 AND deadline_at IS NOT NULL",
        ms,
        table.code,
    )


async def row(table: Seated) -> tuple[str | None, int | None, timedelta | None]:
    """The row's deadline: kind, decision, time left."""
    found = await table.house.database.pool.fetchrow(
        "SELECT deadline_kind, deadline_seq, deadline_at - clock_timestamp() AS left"
        " FROM game_table WHERE code = $1",
        table.code,
    )
    return found["deadline_kind"], found["deadline_seq"], found["left"]


async def test_a_turn_that_opens_sets_its_deadline_in_the_row(house: House) -> None:
    table = await house.playing(4)
    kind, seq, left = await row(table)
    assert (kind, seq) == ("turn", table.state.decision)
    assert left is not None
    assert timedelta(minutes=59) < left <= timedelta(hours=1)
    first = table.state.decision
    await table.send(table.turn_player, {"type": "pass"})
    kind, seq, _ = await row(table)
    assert (kind, seq) == ("turn", table.state.decision)
    assert seq != first


async def test_at_the_deadline_the_server_plays_a_sensible_card(database: Database) -> None:
    async with opened(database, fast_turn=1) as house:
        table = await house.playing(4, speed="fast")
        await table.until(lambda state: any(chair.strikes for chair in state.seats))
        event = next(e for p in house.recorder.seen for e in p.events if e.how == "timeout")
        assert event.type == "passed", "in the auction the sensible call is a pass"


async def test_after_two_deadlines_in_a_row_a_bot_sits_in(database: Database) -> None:
    async with opened(database, fast_turn=1) as house:
        table = await house.playing(2, speed="fast")
        await table.until(lambda state: all(c.sitting_in for c in state.seats if c.player))
        types = house.recorder.types(table.code)
        assert types.count("seat_to_bot") == 2
        timeouts = [p for p in house.recorder.seen if any(e.how == "timeout" for e in p.events)]
        assert len(timeouts) == 2, "one sensible call or card each, then the bots"
        await table.until(lambda state: state.status == "finished")
        assert table.state.match is not None
        assert (
            await database.pool.fetchval(
                "SELECT count(*) FROM match_player WHERE outcome = 'finished'"
            )
            == 4
        )


async def test_a_command_takes_the_seat_back_and_is_carried_out(house: House) -> None:
    table = await _with_a_bot_sitting_in(house)
    player = table.people[0].id
    await _until_turn_of(table, 0)
    answer = await table.send(player, table.move())
    assert isinstance(answer, Ack)
    chair = table.state.seats[0]
    assert (chair.sitting_in, chair.strikes) == (False, 0)


async def test_a_seat_is_taken_back_even_when_the_card_is_stale(house: House) -> None:
    table = await _with_a_bot_sitting_in(house)
    player = table.people[0].id
    answer = await table.send(player, {"type": "pass"}, decision=1)
    assert answer == Nak("stale")
    assert not table.state.seats[0].sitting_in
    assert house.recorder.types(table.code)[-1] == "seat_reclaimed"


async def test_a_seat_can_be_asked_back_without_a_decision(house: House) -> None:
    table = await _with_a_bot_sitting_in(house)
    player = table.people[0].id
    assert isinstance(await table.send(player, {"type": "reclaim"}, decision=None), Ack)
    assert not table.state.seats[0].sitting_in


async def _with_a_bot_sitting_in(house: House) -> Seated:
    """Four people; a bot sits in at seat 0, whose turn it is not."""
    table = await house.playing(4, rules=rules())
    for strike in range(2):
        await _until_turn_of(table, 0)
        await overdue(table)
        await house.tables.expire(table.code)
        assert strike or table.state.seats[0].strikes == 1
    assert table.state.seats[0].sitting_in
    await table.until(lambda state: _seat_to_act(state) not in (0, None))
    return table


def _seat_to_act(state: tables.TableState) -> int | None:
    turn = tables.open_turn(state)
    return None if turn is None else turn.seat


async def _until_turn_of(table: Seated, seat: int) -> None:
    rng = random.Random(7)
    await table.play_on(rng, lambda state: _seat_to_act(state) == seat)


async def test_a_move_before_the_expiry_makes_it_nothing(house: House) -> None:
    table = await house.playing(4)
    await overdue(table)
    assert isinstance(await table.send(table.turn_player, {"type": "pass"}), Ack)
    seq = table.state.seq
    await house.tables.expire(table.code)
    assert table.state.seq == seq
    assert all(chair.strikes == 0 for chair in table.state.seats)


async def test_an_expiry_before_the_move_makes_it_stale(house: House) -> None:
    table = await house.playing(4)
    player, decision = table.turn_player, table.state.decision
    await overdue(table)
    await house.tables.expire(table.code)
    assert house.recorder.seen[-1].events[-1].how == "timeout"
    assert await table.send(player, {"type": "pass"}, decision=decision) == Nak("stale")


async def test_an_expiry_that_comes_early_changes_nothing_and_is_set_again(
    database: Database,
) -> None:
    """The process believes that the time is up, the database does not."""
    async with opened(database, fast_turn=HOUR) as house:
        table = await house.playing(4, speed="fast")
        alarms, desk = house.tables._alarms, house.tables._desk
        live = await desk.table(table.code)
        now, seq, early = desk.clock.monotonic_ms(), table.state.seq, EARLY.value()
        live.deadline = Deadline("turn", live.state.decision, now)
        alarms.arm(live, HOUR)
        await desk.run(live, lambda: alarms.expire(live))
        assert EARLY.value() == early + 1
        assert table.state.seq == seq
        assert live.deadline.due_ms > now + HOUR // 2, "as the row says"
        assert "deadline" in live.timers


async def test_two_processes_answer_a_deadline_once(database: Database) -> None:
    async with opened(database) as house, opened(database, seed=2) as other:
        table = await house.playing(4)
        await other.tables.snapshot(table.code, None)
        await overdue(table)
        seq = table.state.seq
        await asyncio.gather(house.tables.expire(table.code), other.tables.expire(table.code))
        await house.tables.refresh(table.code)
        assert table.state.seq == seq + 1


async def test_the_sweeper_answers_for_a_process_that_died(database: Database) -> None:
    async with opened(database) as house:
        table = await house.playing(4)
    await overdue(table, 5_000)
    async with opened(database, seed=2, sweep_late=2_000) as other:
        await other.tables.sweep()
        state = other.tables.state(table.code)
        assert state is not None
        assert sum(chair.strikes for chair in state.seats) == 1


async def test_the_sweeper_plays_for_a_bot_that_died(database: Database) -> None:
    async with opened(database, bot_min=HOUR, bot_max=HOUR) as house:
        table = await house.playing(1)
        while _seat_to_act(table.state) == 0:
            await table.send(table.turn_player, {"type": "pass"})
        bot, seq = _seat_to_act(table.state), table.state.seq
    await overdue(table, 5_000)
    async with opened(database, seed=2, bot_min=HOUR, bot_max=HOUR) as other:
        await other.tables.sweep()
        state = other.tables.state(table.code)
        assert state is not None
        assert state.seq > seq
        played = other.recorder.seen[-1].events[0]
        assert played.how == "bot"
        assert orjson.loads(played.public)["seat"] == bot


async def test_a_bot_that_breaks_the_rules_hangs_nobody(database: Database) -> None:
    def broken(view: object, legal: object, level: object, rng: object) -> Play:
        raise ZeroDivisionError

    def wrong(view: object, legal: object, level: object, rng: object) -> Play:
        return Play(view.viewer, Card(0))  # type: ignore[attr-defined]

    for brain in (broken, wrong):
        recorder = Recorder()
        tables_ = service.Tables(
            database, recorder, timing=timing(), limits=Limits(), rng=SeededRng(3), brain=brain
        )
        await tables_.run()
        try:
            house = House(database, tables_, recorder)
            table = await house.playing(1)
            await table.play_out()
            assert table.state.status == "finished"
        finally:
            await tables_.close()


async def test_an_outage_moves_all_live_deadlines(database: Database) -> None:
    async with opened(database, outage_bonus=HOUR) as house:
        table = await house.playing(4)
        alone = await house.playing(1)
        before = await row(table)
        await database.pool.execute(
            "UPDATE heartbeat SET at = clock_timestamp() - interval '10 hours'"
        )
        told = len(house.recorder.seen)
        await house.tables.beat()
        after = await row(table)
        assert before[2] is not None
        assert after[2] is not None
        moved = after[2] - before[2]
        eleven, some = timedelta(hours=11), timedelta(minutes=5)
        assert eleven - some < moved < eleven + some, "the gap and the bonus"
        turns = [p.turn for p in house.recorder.seen[told:] if p.code == table.code]
        assert turns, "and the people are told"
        assert alone.state.status == "playing"
        await house.tables.beat()
        again = await row(table)
        assert again[2] is not None
        assert again[2] <= after[2], "a beat in time moves nothing"


class Blind(Store):
    """A database that one table can't be read from."""

    unread: int | None = None

    async def head_of(self, table_id: int) -> Head | None:
        if table_id == self.unread:
            raise ConnectionRefusedError
        return await super().head_of(table_id)


async def test_an_outage_is_told_at_every_table_even_where_one_can_not_be_read(
    database: Database,
) -> None:
    store = Blind(database)
    async with opened(database, store=store) as house:
        first, second = await house.playing(4), await house.playing(4)
        store.unread = await first.table_id()
        await shift(database, "UPDATE heartbeat SET at = at - interval '10 hours'")
        told = len(house.recorder.seen)
        await house.tables.beat()
        assert [p.code for p in house.recorder.seen[told:]] == [second.code]


async def test_an_outage_gives_bots_no_more_time_than_it_took(database: Database) -> None:
    async with opened(database, bot_min=HOUR, bot_max=HOUR, outage_bonus=HOUR) as house:
        table = await _at_a_bots_turn(house)
        before = (await row(table))[2]
        await shift(database, "UPDATE heartbeat SET at = at - interval '10 hours'")
        await house.tables.beat()
        after = (await row(table))[2]
        assert before is not None
        assert after is not None
        ten, some = timedelta(hours=10), timedelta(minutes=5)
        assert ten - some < after - before < ten + some


async def _at_a_bots_turn(house: House) -> Seated:
    """One person and three bots, one of which is to act, in its own time."""
    table = await house.playing(1, here=False)
    while (await row(table))[0] != "bot":  # the person's own turn may come first
        assert isinstance(await table.send(table.turn_player, {"type": "pass"}), Ack)
    return table


async def test_an_outage_is_no_time_in_which_people_could_have_come_back(
    database: Database,
) -> None:
    async with opened(database, pause_grace=1) as house:
        table = await house.playing(2)
        for person in table.people:
            house.tables.disconnected(table.code, person.id)
        await table.until(lambda state: state.paused)
        await shift(
            database,
            "UPDATE heartbeat SET at = at - interval '1 day'",
            "UPDATE game_table SET idle_since = idle_since - interval '1 day'",
        )
        await house.tables.beat()
        await house.tables.sweep()
        assert table.state.status == "playing"


async def test_a_clock_that_is_put_back_hangs_no_table(database: Database) -> None:
    async with opened(database, bot_min=HOUR, bot_max=HOUR) as house:
        table = await _at_a_bots_turn(house)
        seq = table.state.seq
        await shift(  # as seen by a clock that shows ten hours less when the bot's hour is over
            database,
            "UPDATE heartbeat SET at = at + interval '10 hours'",
            "UPDATE game_table SET deadline_at = deadline_at + interval '9 hours'",
        )
        await house.tables.beat()
        await table.until(lambda state: state.seq > seq)


async def shift(database: Database, *statements: str) -> None:
    """Move what the database has noted of time."""
    for statement in statements:
        await database.pool.execute(statement)


class Asleep(SystemClock):
    """A machine that has slept: its monotonic time stood still meanwhile."""

    slept = timedelta()

    def now(self) -> datetime:
        return super().now() + self.slept


async def test_after_a_sleep_nobody_loses_a_turn_before_the_heart_has_beaten(
    database: Database,
) -> None:
    clock = Asleep()
    async with opened(database, clock=clock) as house:
        table = await house.playing(4)
        await overdue(table)
        clock.slept = timedelta(hours=10)
        seq = table.state.seq
        await house.tables.expire(table.code)
        assert table.state.seq == seq
        await house.tables.beat()
        await house.tables.expire(table.code)
        assert table.state.seq > seq


async def test_no_expiry_is_committed_without_a_fresh_heartbeat(database: Database) -> None:
    async with opened(database) as house:
        table = await house.playing(4)
        await overdue(table)
        house.tables._alarms.beaten(lately=False)
        seq = table.state.seq
        await house.tables.expire(table.code)
        assert table.state.seq == seq
        await house.tables.beat()
        await house.tables.expire(table.code)
        assert table.state.seq > seq


async def test_alone_with_bots_there_is_no_clock_for_the_person(house: House) -> None:
    table = await house.playing(1)
    await table.until(lambda state: _seat_to_act(state) == 0)
    assert await row(table) == (None, None, None)
    turn = (await house.tables.snapshot(table.code, table.people[0].id)).turn
    assert turn is not None
    assert turn.due_ms is None


async def test_a_relaxed_table_shows_no_clock_but_has_a_limit(house: House) -> None:
    table = await house.playing(2, speed="relaxed")
    await table.until(lambda state: _seat_to_act(state) in (0, 1))
    kind, _, left = await row(table)
    assert kind == "turn"
    assert left is not None
    assert left > timedelta(seconds=100), "180, less what the test has taken"
    turn = (await house.tables.snapshot(table.code, None)).turn
    assert turn is not None
    assert turn.due_ms is None


async def test_pauses_of_the_screen_are_added_to_what_follows(database: Database) -> None:
    async with opened(database, trick_pause=HOUR, normal_turn=HOUR) as house:
        table = await house.playing(4)
        await table.play_on(
            random.Random(1),
            lambda state: state.game is not None and state.game.last_trick is not None,
        )
        _, _, left = await row(table)
        assert left is not None
        assert timedelta(minutes=119) < left <= timedelta(hours=2)


@pytest.mark.parametrize("people", [2, 4])
async def test_bots_and_deadlines_alone_bring_a_match_to_its_end(
    database: Database, people: int
) -> None:
    async with opened(database, fast_turn=1) as house:
        table = await house.playing(people, speed="fast")
        await table.until(lambda state: state.status == "finished")
        assert CardPlayed.TYPE in house.recorder.types(table.code)
