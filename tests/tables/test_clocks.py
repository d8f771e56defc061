"""Nothing gives a turn more time but a legal move (architecture, *Absence*)."""

import asyncio
import random
from datetime import timedelta

from app.infra.db import Database
from app.tables import table as tables
from app.tables.service import Ack, Nak
from tests.clocks import FakeClock

from .kit import HOUR, House, Seated, opened, rules
from .test_absence import go
from .test_deadlines import overdue, row

MINUTE = 60_000


async def left_is(table: Seated, ms: int) -> None:
    """Let the open turn have so much left, in the row and in memory."""
    await table.house.database.pool.execute(
        "UPDATE game_table SET deadline_at = clock_timestamp() + $1 * interval '1 ms'"
        " WHERE code = $2",
        ms,
        table.code,
    )
    await table.house.tables.refresh(table.code)


async def left(table: Seated) -> timedelta:
    """What the row says is left."""
    _, _, found = await row(table)
    assert found is not None
    return found


async def test_a_pause_keeps_what_was_left_of_a_turn(database: Database) -> None:
    async with opened(database, pause_grace=1) as house:
        table = await house.playing(4, rules=rules())
        decision = table.state.decision
        await left_is(table, 30 * MINUTE)
        go(table)
        await table.until(lambda state: state.paused)
        assert (await row(table))[2] is None, "no clock runs"
        house.tables.connected(table.code, table.people[0].id)
        await table.until(lambda state: not state.paused)
        assert table.state.decision == decision
        kind, seq, rest = await row(table)
        assert (kind, seq) == ("turn", decision)
        assert rest is not None
        assert timedelta(minutes=29) < rest <= timedelta(minutes=30)


async def test_a_pause_keeps_it_over_a_restart_too(database: Database) -> None:
    async with opened(database, pause_grace=1) as house:
        table = await house.playing(4, rules=rules())
        await left_is(table, 30 * MINUTE)
        go(table)
        await table.until(lambda state: state.paused)
    async with opened(database, seed=2, pause_grace=1) as house:
        table = Seated(house, table.code, table.people)
        house.tables.connected(table.code, table.people[1].id)
        await house.recorder.until(lambda: "resumed" in house.recorder.types(table.code))
        assert timedelta(minutes=29) < await left(table) <= timedelta(minutes=30)


async def sat_in(database: Database, house: House) -> Seated:
    """A bot has just sat in for seat 0 because its second deadline passed; it has not played."""
    table = await house.playing(4, rules=rules())
    rng = random.Random(7)
    for _ in range(2):
        await table.play_on(rng, lambda state: _acts(state) == 0)
        await overdue(table)
        await house.tables.expire(table.code)
    assert table.state.seats[0].sitting_in
    assert _acts(table.state) == 0, "the bot is to move"
    return table


def _acts(state: tables.TableState) -> int | None:
    turn = tables.open_turn(state)
    return None if turn is None else turn.seat


async def test_who_comes_back_after_its_deadline_has_no_new_turn(database: Database) -> None:
    """Strike, bot, reclaim, and so on for ever would be a clock without an end."""
    async with opened(database, bot_min=MINUTE, bot_max=MINUTE) as house:
        table = await sat_in(database, house)
        decision = table.state.decision
        player = table.people[0].id
        assert isinstance(await table.send(player, {"type": "reclaim"}, decision=None), Ack)
        kind, seq, rest = await row(table)
        assert (kind, seq) == ("turn", decision)
        assert rest is not None
        assert rest <= timedelta(minutes=1), "what the bot would have had, no hour"
        await overdue(table)
        await house.tables.expire(table.code)
        assert table.state.seats[0].strikes == 1
        assert table.state.decision != decision, "the server has moved for it"


async def test_who_comes_back_early_has_what_was_left(database: Database) -> None:
    async with opened(database, away=1, bot_min=HOUR, bot_max=HOUR) as house:
        table = await house.playing(4, rules=rules())
        await table.play_on(random.Random(2), lambda state: _acts(state) == 2)
        await left_is(table, 30 * MINUTE)
        away = table.people[2].id
        go(table, away)
        await table.until(lambda state: state.seats[2].sitting_in)
        assert table.state.left_ms is not None
        assert 29 * MINUTE < table.state.left_ms <= 30 * MINUTE
        house.tables.connected(table.code, away)
        await table.send(away, {"type": "reclaim"}, decision=None)
        assert table.state.seats[2].sitting_in is False


async def test_coming_back_and_refused_commands_change_no_clock(house: House) -> None:
    table = await house.playing(4, rules=rules())
    player = table.turn_player
    await left_is(table, 30 * MINUTE)
    before = await house.database.pool.fetchrow("SELECT deadline_at, deadline_seq FROM game_table")
    go(table, player)
    house.tables.connected(table.code, player)
    for c in ({"type": "play", "card": "AS"}, {"type": "continue"}, {"type": "name", "trump": "Q"}):
        assert isinstance(await table.send(player, c), Nak)
    assert await table.send(player, {"type": "pass"}, decision=1) == Nak("stale")
    await house.tables.refresh(table.code)
    after = await house.database.pool.fetchrow("SELECT deadline_at, deadline_seq FROM game_table")
    assert tuple(after) == tuple(before)
    assert isinstance(await table.send(player, {"type": "pass"}), Ack)
    assert await left(table) > timedelta(minutes=59), "a legal move opens a turn with all its time"


async def test_an_alarm_that_was_cancelled_and_rings_all_the_same_does_nothing(
    house: House,
) -> None:
    table = await house.playing(4, rules=rules())
    live = house.tables._desk.cache.peek(table.code)
    assert live is not None
    old, alarms = live.deadline, house.tables._alarms
    assert old is not None
    assert isinstance(await table.send(table.turn_player, {"type": "pass"}), Ack)
    await overdue(table)
    seq = table.state.seq
    await alarms._answer(live, old)
    assert table.state.seq == seq, "the turn that it rang for is over"
    assert all(chair.strikes == 0 for chair in table.state.seats)


async def test_a_second_drop_has_a_clock_of_its_own(database: Database) -> None:
    """Gone, back, gone again: the first absence's timer must not pause the table early."""
    async with opened(database, pause_grace=HOUR) as house:
        table = await house.playing(2, rules=rules())
        one, two = (person.id for person in table.people)
        live = house.tables._desk.cache.peek(table.code)
        assert live is not None
        go(table, one, two)
        first = live.timers["pause"]
        rings = first._callback  # type: ignore[attr-defined]
        house.tables.connected(table.code, one)
        assert first.cancelled(), "at once, not when the arrival has been dealt with"
        house.tables.disconnected(table.code, one)
        second = live.timers["pause"]
        assert second is not first
        assert not second.cancelled()
        rings()  # it was cancelled in the very moment in which it rang
        await asyncio.sleep(0)
        await house.tables.refresh(table.code)
        assert not table.state.paused
        assert live.timers["pause"] is second, "and the second is still set"
        second._callback()  # type: ignore[attr-defined]
        await table.until(lambda state: state.paused)


async def test_a_second_absence_at_ones_turn_is_measured_from_its_own_start(
    database: Database,
) -> None:
    clock = FakeClock()  # a real one turns to the next millisecond between two looks at it
    async with opened(database, away=HOUR, clock=clock) as house:
        table = await house.playing(4, rules=rules())
        away = table.turn_player
        live = house.tables._desk.cache.peek(table.code)
        assert live is not None
        go(table, away)
        first = live.timers["away"]
        house.tables.connected(table.code, away)
        assert first.cancelled()
        clock.advance(MINUTE)
        go(table, away)
        assert live.timers["away"] is not first
        assert live.timers["away"].when() >= first.when()


async def test_continue_waits_for_all_who_are_there_or_for_its_time(database: Database) -> None:
    async with opened(database, next_deal=HOUR, passed_out_pause=HOUR) as house:
        table = await house.playing(4, rules=rules())
        await table.play_on(random.Random(3), _waits)
        go(table, table.people[3].id)
        deal = table.state.game.deal  # type: ignore[union-attr]
        for person in table.people[:3]:
            assert table.state.game.deal == deal  # type: ignore[union-attr]
            assert isinstance(await table.send(person.id, {"type": "continue"}), Ack)
        assert table.state.game.deal == deal + 1, "who is away is not waited for"  # type: ignore[union-attr]
        await table.play_on(random.Random(3), _waits)
        await overdue(table)
        await house.tables.expire(table.code)
        assert table.state.game.deal == deal + 2  # type: ignore[union-attr]


def _waits(state: tables.TableState) -> bool:
    turn = tables.open_turn(state)
    return turn is not None and turn.kind == "continue"
