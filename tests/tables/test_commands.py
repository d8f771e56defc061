"""Commands that come twice, late, from two places, or while the database is away."""

import asyncio
import random
from uuid import uuid4

import orjson
import pytest

from app.infra.config import Limits
from app.infra.db import Database
from app.tables import committer as committer_module
from app.tables import table as tables
from app.tables.check_log import check
from app.tables.service import Ack, ClientCommand, Nak

from .doubles import Gate, WatchedStore, lose_the_connection
from .kit import House, Seated, folded, opened, rules


async def elsewhere(table: Seated, other: House) -> Seated:
    """The same table as another process knows it."""
    await other.tables.snapshot(table.code, None)
    return Seated(other, table.code, table.people)


async def test_a_resend_is_answered_as_the_first_was(house: House) -> None:
    table = await house.playing(4)
    player, decision = table.turn_player, table.state.decision
    command = ClientCommand(uuid4(), decision, table.move())
    first = await house.tables.handle(table.code, player, command)
    assert isinstance(first, Ack)
    head = table.state.seq
    for _ in range(2):
        assert await house.tables.handle(table.code, player, command) == first
    assert table.state.seq == head, "nothing was played twice"


async def test_a_resend_that_overtakes_itself_is_one_command(house: House) -> None:
    table = await house.playing(4)
    command = ClientCommand(uuid4(), table.state.decision, table.move())
    player = table.turn_player
    answers = await asyncio.gather(
        *(house.tables.handle(table.code, player, command) for _ in range(5))
    )
    assert len({answer.seq for answer in answers if isinstance(answer, Ack)}) == 1
    assert all(isinstance(answer, Ack) for answer in answers)


async def test_a_resend_of_a_refusal_is_refused_again(house: House) -> None:
    table = await house.playing(4)
    command = ClientCommand(uuid4(), 1, table.move())
    player = table.turn_player
    first = await house.tables.handle(table.code, player, command)
    assert isinstance(first, Nak)
    assert await house.tables.handle(table.code, player, command) == first


async def test_a_resend_after_a_restart_is_answered_as_the_first_was(database: Database) -> None:
    async with opened(database) as house:
        table = await house.playing(4)
        player = table.turn_player
        command = ClientCommand(uuid4(), table.state.decision, table.move())
        first = await house.tables.handle(table.code, player, command)
    async with opened(database, seed=2) as house:
        assert await house.tables.handle(table.code, player, command) == first


async def test_the_second_of_two_tabs_gets_stale_and_the_events(house: House) -> None:
    table = await house.playing(4)
    player, decision, move = table.turn_player, table.state.decision, table.move()
    answers = await asyncio.gather(
        table.send(player, move, decision=decision), table.send(player, move, decision=decision)
    )
    assert isinstance(answers[0], Ack)
    assert answers[1] == Nak("stale")


async def test_a_process_that_is_behind_looks_decides_again_and_publishes(
    database: Database,
) -> None:
    async with opened(database) as house, opened(database, seed=2) as other:
        table = await house.playing(4)
        there = await elsewhere(table, other)
        first = table.turn_player
        assert isinstance(await table.send(first, table.move()), Ack)
        assert there.state.seq < table.state.seq
        late = await there.send(first, there.move())
        assert late == Nak("stale")
        assert there.state == table.state
        published = other.recorder.sequence(table.code)
        assert published == list(range(published[0], table.state.seq + 1))
        assert isinstance(await there.send(there.turn_player, there.move()), Ack)


async def test_a_resend_to_another_process_finds_the_first(database: Database) -> None:
    async with opened(database) as house, opened(database, seed=2) as other:
        table = await house.playing(4)
        there = await elsewhere(table, other)
        command = ClientCommand(uuid4(), table.state.decision, table.move())
        player = table.turn_player
        first = await house.tables.handle(table.code, player, command)
        assert await other.tables.handle(there.code, player, command) == first


async def test_two_processes_race_through_whole_matches_without_a_gap_or_a_deadlock(
    database: Database,
) -> None:
    """Every move is sent to both; ends are booked once, groups and match ends never deadlock."""
    async with opened(database) as house, opened(database, seed=2) as other:
        tables_ = [await house.playing(4) for _ in range(4)]
        pairs = [(table, await elsewhere(table, other)) for table in tables_]
        await asyncio.gather(*(_race(pair, n) for n, pair in enumerate(pairs)))
        pool = database.pool
        assert await pool.fetchval("SELECT count(*) FROM match WHERE ended_at IS NOT NULL") == 4
        assert await pool.fetchval("SELECT count(*) FROM match_player") == 16
        played = await pool.fetchval("SELECT count(*) FROM xp_ledger WHERE reason = 'played'")
        assert played == 16
        assert await pool.fetchval("SELECT sum(matches) FROM progress") == 16
        for table in tables_:
            assert (await folded(database, table.code)).status == "finished"
        report = await check(database, referee=True)
        assert report.problems == []


async def _race(pair: tuple[Seated, Seated], seed: int) -> None:
    rng = random.Random(seed)
    while True:
        for table in pair:
            await table.house.tables.refresh(table.code)
        table = max(pair, key=lambda each: each.state.seq)
        if table.state.status != "playing":
            return
        turn = tables.open_turn(table.state)
        assert turn is not None
        if turn.seat is None:
            await asyncio.gather(*(each.house.tables.expire(table.code) for each in pair))
            continue
        player, move, decision = table.turn_player, table.move(rng), table.state.decision
        answers = await asyncio.gather(
            *(each.send(player, move, decision=decision) for each in pair)
        )
        assert any(isinstance(answer, Ack) for answer in answers)


async def test_an_answer_lost_on_the_way_is_found_in_the_log(database: Database) -> None:
    store = WatchedStore(database)
    async with opened(database, store=store) as house:
        table = await house.playing(4)
        store.after.append(lose_the_connection)
        command = ClientCommand(uuid4(), table.state.decision, table.move())
        player = table.turn_player
        assert isinstance(await house.tables.handle(table.code, player, command), Ack)
        await table.play_out()
        assert house.recorder.sequence(table.code) == list(range(1, table.state.seq + 1))


async def test_without_a_database_a_command_may_be_sent_again(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(committer_module, "PAUSE_S", 0)
    store = WatchedStore(database)
    async with opened(database, store=store) as house:
        table = await house.playing(4)
        command = ClientCommand(uuid4(), table.state.decision, table.move())
        player = table.turn_player
        store.unreachable = True
        answer = await house.tables.handle(table.code, player, command)
        assert answer == Nak("unavailable", retry=True)
        store.unreachable = False
        assert isinstance(await house.tables.handle(table.code, player, command), Ack)
        await table.play_out()
        assert await folded(database, table.code) == table.state


async def test_a_commit_of_unknown_fate_is_read_before_the_next_step(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was written, but the process could not find out: the resend finds it, played once."""
    monkeypatch.setattr(committer_module, "PAUSE_S", 0)
    store = WatchedStore(database)
    async with opened(database, store=store) as house:
        table = await house.playing(4)

        async def go_away() -> None:
            store.unreachable = True
            await lose_the_connection()

        store.after.append(go_away)
        command = ClientCommand(uuid4(), table.state.decision, table.move())
        player, head = table.turn_player, table.state.seq
        answer = await house.tables.handle(table.code, player, command)
        assert answer == Nak("unavailable", retry=True)
        assert table.state.seq == head, "nothing is told that is not known to be durable (D3)"
        store.unreachable = False
        assert await house.tables.handle(table.code, player, command) == Ack(head + 1)
        assert house.recorder.sequence(table.code) == list(range(1, table.state.seq + 1))


async def test_a_socket_that_goes_does_not_stop_its_command(database: Database) -> None:
    store, gate = WatchedStore(database), Gate()
    async with opened(database, store=store) as house:
        table = await house.playing(4)
        store.before.append(gate)
        head = table.state.seq
        command = ClientCommand(uuid4(), table.state.decision, table.move())
        player = table.turn_player
        sending = asyncio.ensure_future(house.tables.handle(table.code, player, command))
        await gate.reached.wait()
        sending.cancel()
        gate.open.set()
        await table.until(lambda state: state.seq > head)
        assert house.recorder.seen[-1].origin == (player, command.id), "published all the same"


async def test_a_publication_says_whose_command_it_was(house: House) -> None:
    table = await house.playing(4)
    player = table.turn_player
    command = ClientCommand(uuid4(), table.state.decision, table.move())
    await house.tables.handle(table.code, player, command)
    last = house.recorder.seen[-1]
    assert last.origin == (player, command.id)
    assert last.after == table.state
    assert last.before.seq + len(last.events) == last.after.seq
    turn = last.turn
    assert turn is not None
    assert turn.decision == table.state.decision
    assert turn.legal is not None


async def test_a_publisher_that_fails_stops_nothing(house: House) -> None:
    table = await house.playing(4)
    publish = house.recorder.publish

    def broken(publication: object) -> None:
        house.recorder.publish = publish  # type: ignore[method-assign]
        raise ZeroDivisionError

    house.recorder.publish = broken  # type: ignore[method-assign,assignment]
    assert isinstance(await table.send(table.turn_player, table.move()), Ack)
    assert isinstance(await table.send(table.turn_player, table.move()), Ack)


async def test_what_a_viewer_missed_comes_as_events_or_as_a_snapshot(house: House) -> None:
    table = await house.playing(2, rules=rules())
    person = table.people[0].id
    await table.play_on(random.Random(4), lambda state: state.seq > 40)
    head = table.state.seq
    missed = await house.tables.events_after(table.code, person, head - 5)
    assert missed is not None
    assert [event.seq for event in missed] == list(range(head - 4, head + 1))
    assert await house.tables.events_after(table.code, person, head) == []
    assert await house.tables.events_after(table.code, person, head + 1) is None
    assert await house.tables.events_after(table.code, person, 0) is None


async def test_who_got_a_seat_in_between_needs_a_snapshot(house: House) -> None:
    table = await house.seated(2)
    host, guest = table.people
    assert await house.tables.events_after(table.code, guest.id, 2) is None
    seen = await house.tables.events_after(table.code, host.id, 2)
    assert seen is not None
    assert [event.type for event in seen] == ["seat_taken"]
    await house.tables.leave(table.code, guest.id)
    assert await house.tables.events_after(table.code, guest.id, 3) is None


async def test_a_gap_that_is_too_wide_needs_a_snapshot(database: Database) -> None:
    async with opened(database, limits=Limits(resume_gap=3)) as house:
        table = await house.playing(4)
        for _ in range(4):
            await table.send(table.turn_player, {"type": "pass"})
        head = table.state.seq
        person = table.people[0].id
        assert await house.tables.events_after(table.code, person, head - 4) is None
        found = await house.tables.events_after(table.code, person, head - 3)
        assert found is not None
        assert len(found) == 3


async def test_what_was_missed_is_read_from_the_log_after_a_restart(database: Database) -> None:
    async with opened(database) as house:
        table = await house.playing(4)
        person = table.people[0].id
        await table.send(table.turn_player, {"type": "pass"})
        head = table.state.seq
        live = await house.tables.events_after(table.code, person, head - 2)
        assert live is not None
    async with opened(database, seed=2) as again:
        read = await again.tables.events_after(table.code, person, head - 2)
        assert read is not None
        for told, stored in zip(live, read, strict=True):
            for seat in (0, 1, None):
                assert orjson.loads(told.frame(seat)) == orjson.loads(stored.frame(seat))
