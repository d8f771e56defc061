"""People who go, come back, stay away or leave for good (D10); tables that wait or are given up."""

import asyncio
import random
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy.ext.asyncio import AsyncSession

from app.infra.db import Database
from app.infra.errors import AppError
from app.tables import absence, sweeper, sweeps
from app.tables import table as tables
from app.tables.check_log import check
from app.tables.service import Ack, Nak
from app.tables.store import Batch, Head, Result, Store

from .kit import HOUR, House, Seated, folded, opened, rules
from .test_deadlines import overdue


def _seat_to_act(state: tables.TableState) -> int | None:
    turn = tables.open_turn(state)
    return None if turn is None else turn.seat


async def row(house: House) -> dict[str, Any]:
    """The only table's row."""
    return dict(await house.database.pool.fetchrow("SELECT * FROM game_table"))


def go(table: Seated, *players: UUID) -> None:
    """They lose their connections."""
    for player in players or tuple(player.id for player in table.people):
        table.house.tables.disconnected(table.code, player)


async def forgotten(house: House) -> None:
    """Let the time that an empty table is kept be over, and sweep."""
    await house.database.pool.execute(
        "UPDATE game_table SET idle_since = clock_timestamp() - idle_limit_ms * interval '1 ms'"
        " - interval '1 s'"
    )
    await house.tables.sweep()


async def test_without_anybody_a_table_pauses_and_goes_on_when_somebody_is_back(
    database: Database,
) -> None:
    async with opened(database, pause_grace=1) as house:
        table = await house.playing(2, rules=rules())
        go(table)
        await table.until(lambda state: state.paused)
        paused = await row(house)
        assert paused["deadline_at"] is None
        assert paused["idle_since"] is not None
        seq, decision = table.state.seq, table.state.decision
        house.tables.connected(table.code, table.people[1].id)
        await table.until(lambda state: not state.paused)
        resumed = await row(house)
        assert resumed["idle_since"] is None
        assert resumed["deadline_at"] is not None, "a fresh deadline"
        assert table.state.seq >= seq + 1
        assert table.state.decision == decision or _seat_to_act(table.state) is not None


async def test_one_who_stays_keeps_the_table_going(database: Database) -> None:
    async with opened(database, pause_grace=0) as house:
        table = await house.playing(2)
        go(table, table.people[0].id)
        await table.play_out()
        assert "paused" not in house.recorder.types(table.code)


async def test_a_second_tab_is_still_somebody(database: Database) -> None:
    async with opened(database, pause_grace=0) as house:
        table = await house.playing(1)
        person = table.people[0].id
        house.tables.connected(table.code, person)
        go(table, person)
        assert house.tables.presence(table.state) == (True, None, None, None)
        go(table, person)
        assert house.tables.presence(table.state) == (False, None, None, None)
        await table.until(lambda state: state.paused)


async def test_a_command_from_nowhere_resumes_a_paused_table(database: Database) -> None:
    async with opened(database, pause_grace=1) as house:
        table = await house.playing(4)
        player = table.turn_player
        go(table)
        await table.until(lambda state: state.paused)
        assert isinstance(await table.send(player, {"type": "pass"}), Ack)
        assert not table.state.paused
        assert house.recorder.types(table.code)[-2:] == ["resumed", "passed"]


async def test_several_people_who_stay_away_abandon_their_match(database: Database) -> None:
    async with opened(database, pause_grace=1) as house:
        table = await house.playing(2)
        go(table)
        await table.until(lambda state: state.paused)
        assert (await row(house))["idle_limit_ms"] == 600_000
        await house.tables.sweep()
        assert table.state.status == "playing", "not before its time"
        await forgotten(house)
        assert (await row(house))["status"] == "closed"
        assert house.recorder.types(table.code)[-3:] == ["abandoned", "match_ended", "closed"]
        outcomes = await database.pool.fetch("SELECT outcome, won, xp FROM match_player")
        assert {tuple(line) for line in outcomes} == {("abandoned", None, 0)}
        assert await database.pool.fetchval("SELECT count(*) FROM xp_ledger") == 0
        assert await database.pool.fetchval("SELECT reason FROM match") == "abandoned"


async def test_alone_with_bots_a_match_waits_for_seven_days(database: Database) -> None:
    async with opened(database, pause_grace=1) as house:
        table = await house.playing(1)
        person = table.people[0].id
        go(table)
        await table.until(lambda state: state.paused)
        assert (await row(house))["idle_limit_ms"] == 7 * 24 * HOUR
        (seat,) = await house.tables.seats_of(person)
        assert (seat.code, seat.status) == (table.code, "playing")
        house.tables.connected(table.code, person)
        await table.until(lambda state: not state.paused)
        await table.play_out()
        assert table.state.status == "finished"


async def test_somebody_who_is_there_is_not_given_up(database: Database) -> None:
    async with opened(database) as house:
        table = await house.playing(2)
        await database.pool.execute(
            "UPDATE game_table SET idle_since = clock_timestamp() - interval '1 day',"
            " idle_limit_ms = 1"
        )
        await house.tables.sweep()
        assert table.state.status == "playing"


async def test_a_waiting_table_without_people_is_closed(database: Database) -> None:
    async with opened(database, pause_grace=1) as house:
        table = await house.seated(1)
        await _until_row(house, lambda found: found["idle_since"] is None)
        go(table)
        await _until_row(house, lambda found: found["idle_since"] is not None)
        await house.tables.sweep()
        assert table.state.status == "waiting"
        await forgotten(house)
        assert (await row(house))["status"] == "closed"
        with pytest.raises(AppError, match="table_closed"):
            await house.tables.join(table.code, await house.person("Late"))


async def _until_row(house: House, met: Any) -> None:
    async with asyncio.timeout(30):
        while True:
            if met(await row(house)):
                return
            await asyncio.sleep(0.01)  # a row that no event tells of


async def test_a_table_that_its_host_never_came_to_is_closed_too(house: House) -> None:
    await house.seated(1, here=False)
    assert (await row(house))["idle_since"] is not None
    await forgotten(house)
    assert (await row(house))["status"] == "closed"


async def test_a_bot_sits_in_for_who_is_away_at_the_own_turn(database: Database) -> None:
    async with opened(database, away=1) as house:
        table = await house.playing(4, rules=rules())
        away = table.people[2]
        go(table, away.id)
        table.silent = {away.id}
        await table.play_on(random.Random(2), lambda state: state.seats[2].sitting_in)
        event = next(e for p in house.recorder.seen for e in p.events if e.type == "seat_to_bot")
        assert b'"away"' in event.public
        assert not any(chair.strikes for chair in table.state.seats), "long before the deadline"
        await table.until(lambda state: _seat_to_act(state) != 2)
        assert house.recorder.seen[-1].events[-1].how == "bot"
        house.tables.connected(table.code, away.id)
        answer = await table.send(away.id, {"type": "reclaim"}, decision=None)
        assert isinstance(answer, Ack)
        table.silent = set()
        await table.play_out()
        assert table.state.status == "finished"


async def test_who_leaves_for_good_earns_nothing_and_the_others_play_on(house: House) -> None:
    table = await house.playing(2)
    host, guest = table.people
    await house.tables.leave(table.code, host.id)
    assert table.state.status == "playing"
    assert table.state.host == guest.id
    assert table.state.seat_of(host.id) is None
    answer = await table.send(host.id, {"type": "reclaim"}, decision=None)
    assert answer == Nak("not_seated")
    assert await house.tables.seats_of(host.id) == []
    await table.play_out()
    rows = await house.database.pool.fetch(
        "SELECT player_id, outcome, won, xp FROM match_player ORDER BY seat"
    )
    assert tuple(rows[0]) == (host.id, "quit", False, 0)
    assert rows[1]["outcome"] == "finished"
    assert rows[1]["xp"] >= 15
    ledger = await house.database.pool.fetch("SELECT DISTINCT player_id FROM xp_ledger")
    assert [line["player_id"] for line in ledger] == [guest.id]
    again = await house.person("Newcomer")
    assert await house.tables.join(table.code, again) == 0


async def test_the_place_of_who_left_gets_a_bot_of_its_own_in_the_next_match(
    house: House,
) -> None:
    table = await house.playing(2)
    host, guest = table.people
    await house.tables.leave(table.code, host.id)
    assert table.state.seats[0].name == host.name
    await table.play_out()
    await house.tables.start(table.code, guest.id)
    assert table.state.seats[0].kind == "bot"
    assert table.state.seats[0].name != host.name


async def test_the_last_person_who_leaves_ends_the_match(house: House) -> None:
    table = await house.playing(1)
    await house.tables.leave(table.code, table.people[0].id)
    assert table.state.status == "closed"
    found = await house.database.pool.fetchrow(
        "SELECT outcome, won, xp FROM match_player WHERE player_id IS NOT NULL"
    )
    assert tuple(found) == ("quit", False, 0)
    report = await check(house.database, referee=True)
    assert report.problems == []


async def test_tricks_that_a_bot_won_in_the_seat_are_not_the_persons(database: Database) -> None:
    async with opened(database, fast_turn=1) as house:
        table = await house.playing(2, speed="fast", rules=rules())
        await table.until(lambda state: all(c.sitting_in for c in state.seats if c.player))
        before = table.state.match
        assert before is not None
        await table.until(lambda state: state.status == "finished")
        after = table.state.match
        assert after is not None
        assert after.tally.own_tricks[:2] == before.tally.own_tricks[:2]


# A new process


async def test_a_restart_goes_on_with_the_match(database: Database) -> None:
    async with opened(database) as house:
        table = await house.playing(2, rules=rules())
        await table.play_on(random.Random(6), lambda state: state.seq > 30)
        before = table.state
    async with opened(database, seed=2) as again:
        table = Seated(again, table.code, table.people)
        await again.tables.snapshot(table.code, None)
        assert (await folded(database, table.code, base=1)).seq >= before.seq
        for player in table.people:
            again.tables.connected(table.code, player.id)
        await table.play_out()
        assert table.state.status == "finished"
        assert await folded(database, table.code) == table.state


async def test_after_a_restart_bots_go_on_by_themselves(database: Database) -> None:
    async with opened(database, bot_min=HOUR, bot_max=HOUR) as house:
        table = await house.playing(1)
        while _seat_to_act(table.state) == 0:
            await table.send(table.turn_player, {"type": "pass"})
    await overdue(table)
    async with opened(database, seed=2) as again:
        table = Seated(again, table.code, table.people)
        again.tables.connected(table.code, table.people[0].id)
        await again.tables.snapshot(table.code, None)
        await table.until(lambda state: _seat_to_act(state) == 0)


async def test_after_a_restart_what_nobody_comes_back_to_pauses(database: Database) -> None:
    async with opened(database) as house:
        table = await house.playing(2)
        waiting = await house.seated(1)
        await _until_row_of(house, waiting.code, "idle_since IS NULL")
    async with opened(database, seed=2) as again:
        await again.tables.adopt()
        state = again.tables.state(table.code)
        assert state is not None
        assert state.paused
        await _until_row_of(again, waiting.code, "idle_since IS NOT NULL")


async def _until_row_of(house: House, code: str, condition: str) -> None:
    async with asyncio.timeout(30):
        while True:
            if await house.database.pool.fetchval(
                f"SELECT {condition} FROM game_table WHERE code = $1", code
            ):
                return
            await asyncio.sleep(0.01)  # a row that no event tells of


async def test_many_tables_are_loaded_a_few_at_once(database: Database) -> None:
    async with opened(database) as house:
        codes = [(await house.playing(1)).code for _ in range(12)]
    most = now = 0

    class Counting(Store):
        async def head(self, code: str) -> Head | None:
            nonlocal most, now
            now += 1
            most = max(most, now)
            try:
                await asyncio.sleep(0)
                return await super().head(code)
            finally:
                now -= 1

    async with opened(database, seed=2, store=Counting(database)) as again:
        await asyncio.gather(*(again.tables.snapshot(code, None) for code in codes * 2))
    assert 1 < most <= 4


async def test_tables_that_nobody_uses_leave_the_memory(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweeper, "KEEP_MS", -1)
    async with opened(database, pause_grace=0) as house:
        busy = await house.playing(2)
        quiet = await house.playing(2)
        go(quiet)
        await quiet.until(lambda state: state.paused)
        await house.tables.sweep()
        assert house.tables.state(busy.code) is not None
        assert house.tables.state(quiet.code) is None
        shown = await house.tables.snapshot(quiet.code, quiet.people[0].id)
        assert shown.state.paused


class Away(Store):
    """A database that is away while a test says so."""

    away = False
    refused: asyncio.Event

    async def append_with(self, session: AsyncSession, batch: Batch) -> Result:
        if self.away:
            self.refused.set()
            raise ConnectionRefusedError
        return await super().append_with(session, batch)


async def test_a_pause_and_a_return_survive_a_database_that_is_away(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody acts at such a table, so nothing else would ever look at it again."""
    monkeypatch.setattr(absence, "RETRY_S", 0.01)
    store = Away(database)
    store.refused = asyncio.Event()
    async with opened(database, store=store, pause_grace=1) as house:
        table = await house.playing(1)
        await table.until(lambda state: _seat_to_act(state) == 0)
        store.away = True
        go(table)
        await asyncio.wait_for(store.refused.wait(), 30)
        assert not table.state.paused
        store.away = False
        await table.until(lambda state: state.paused)
        store.refused.clear()
        store.away = True
        house.tables.connected(table.code, table.people[0].id)
        await asyncio.wait_for(store.refused.wait(), 30)
        assert table.state.paused
        store.away = False
        await table.until(lambda state: not state.paused)


async def test_an_empty_table_is_noted_as_such_once_the_database_is_back(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(absence, "RETRY_S", 0.01)
    mark_idle, away = sweeps.mark_idle, [True] * 3

    async def failing(session: AsyncSession, table_id: int, limit_ms: int) -> None:
        if away:
            away.pop()
            raise ConnectionRefusedError
        await mark_idle(session, table_id, limit_ms)

    monkeypatch.setattr(sweeps, "mark_idle", failing)
    async with opened(database, pause_grace=1) as house:
        table = await house.seated(1)
        async with asyncio.timeout(30):
            while (await row(house))["idle_since"] is not None:  # a new table has nobody yet
                pass
            go(table)
            while (await row(house))["idle_since"] is None:
                pass
        assert not away
