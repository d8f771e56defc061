"""The statement that moves tables on: compare-and-set, deadlines, numbers, and telling others."""

import asyncio
from uuid import uuid4

import asyncpg
import pytest

from app.infra.db import Database, dsn
from app.tables.store import Batch, Committed, Stale, Store

from .logs import HOUR, bare_table, bare_tables, batch, due, log_of, row


async def test_a_batch_moves_the_head_and_is_in_the_log(database: Database) -> None:
    store, table = Store(database), await bare_table(database)
    (result,) = await store.append([batch(table, 0, 3)])
    assert isinstance(result, Committed)
    assert result.head == 3
    assert await log_of(database, table) == [1, 2, 3]
    head = await store.head("AAAAAA")
    assert head is not None
    assert (head.head_seq, head.deadline_kind, head.due_ms) == (3, None, None)


async def test_a_batch_that_comes_too_late_writes_nothing(database: Database) -> None:
    store, table = Store(database), await bare_table(database)
    await store.append([batch(table, 0)])
    assert await store.append([batch(table, 0, 2)]) == [Stale()]
    assert await log_of(database, table) == [1]


async def test_a_statement_commits_some_and_refuses_others(database: Database) -> None:
    store = Store(database)
    first, second, third = await bare_tables(database, 3)
    await store.append([batch(second, 0)])
    results = await store.append([batch(third, 0), batch(second, 0), batch(first, 0)])
    assert [type(result) for result in results] == [Committed, Stale, Committed]
    assert await log_of(database, second) == [1]


async def test_deadlines_are_set_kept_and_cleared(database: Database) -> None:
    store, table = Store(database), await bare_table(database)

    async def kind() -> tuple[object, object, bool]:
        head = await store.head_of(table)
        assert head is not None
        near = head.due_ms is not None and HOUR - 60_000 < head.due_ms <= HOUR
        return head.deadline_kind, head.deadline_seq, near

    await store.append([batch(table, 0, due=due(HOUR, 1))])
    assert await kind() == ("turn", 1, True)
    await store.append([batch(table, 1, keep=True)])
    assert await kind() == ("turn", 1, True)
    await store.append([batch(table, 2)])
    assert await kind() == (None, None, False)


async def test_an_expiry_commits_only_when_the_database_finds_it_due(database: Database) -> None:
    store, table = Store(database), await bare_table(database)
    await store.append([batch(table, 0, due=due(HOUR))])
    assert await store.append([batch(table, 1, expiry=True)]) == [Stale()]
    await database.pool.execute("UPDATE game_table SET deadline_at = clock_timestamp()")
    (result,) = await store.append([batch(table, 1, expiry=True)])
    assert isinstance(result, Committed)
    assert await store.append([batch(table, 2, expiry=True)]) == [Stale()], "no deadline, no expiry"


async def test_a_persons_command_is_in_the_log_once(database: Database) -> None:
    store, table = Store(database), await bare_table(database)
    player, cmd = uuid4(), uuid4()
    once = Batch(table, 0, (row(1, cmd_id=cmd, by=player),))
    await store.append([once])
    with pytest.raises(asyncpg.UniqueViolationError):
        await store.append([Batch(table, 1, (row(2, cmd_id=cmd, by=player),))])
    assert await store.find(table, player, cmd) == 1
    assert await store.find(table, uuid4(), cmd) is None
    assert await store.append([Batch(table, 1, (row(2, cmd_id=cmd, by=uuid4()),))]) != [Stale()]


async def test_the_same_statement_runs_in_a_session(database: Database) -> None:
    store, table = Store(database), await bare_table(database)
    async with database.unit_of_work() as session:
        result = await store.append_with(session, batch(table, 0, 2, due=due(HOUR)))
    assert isinstance(result, Committed)
    assert result.head == 2
    assert result.deadline_at is not None
    async with database.unit_of_work() as session:
        assert await store.append_with(session, batch(table, 0)) == Stale()
    with pytest.raises(LookupError):
        async with database.unit_of_work() as session:
            await store.append_with(session, batch(table, 2))
            raise LookupError
    assert await log_of(database, table) == [1, 2], "what was rolled back is not there"


async def test_a_log_is_read_in_pages(database: Database) -> None:
    store, table = Store(database, page=4), await bare_table(database)
    await store.append([batch(table, 0, 10)])
    read = [logged.row.seq async for logged in store.events(table, 2, 9)]
    assert read == [3, 4, 5, 6, 7, 8, 9]
    with pytest.raises(LookupError):
        [logged async for logged in store.events(table, 2, 11)]


async def test_commits_are_told_to_other_processes_where_asked(database: Database) -> None:
    store = Store(database, notify=True)
    tables = await bare_tables(database, 3)
    told: asyncio.Queue[str] = asyncio.Queue()
    listener = await asyncpg.connect(dsn(database.url))
    try:
        await listener.add_listener("rebelote", lambda *told_: told.put_nowait(told_[3]))
        await store.append([batch(table, 0, 2) for table in tables])
        async with asyncio.timeout(30):
            payload = await told.get()
        assert sorted(payload.split(",")) == sorted(f"{table}:2" for table in tables)
        async with database.unit_of_work() as session:
            await store.append_with(session, batch(tables[0], 2))
        async with asyncio.timeout(30):
            assert await told.get() == f"{tables[0]}:3"
    finally:
        await listener.close()


async def test_heads_are_read_for_the_poll(database: Database) -> None:
    store = Store(database)
    first, _ = await bare_tables(database, 2)
    await store.append([batch(first, 0, 5)])
    assert await store.heads(["T00000", "T00001", "NOSUCH"]) == {"T00000": 5, "T00001": 0}


async def test_moving_a_head_touches_no_index(database: Database) -> None:
    """Rule 5: heap-only updates, or the table grows eightfold."""
    store, table = Store(database), await bare_table(database)
    for number in range(50):
        await store.append([batch(table, number, due=due(HOUR, number))])
    async with asyncio.timeout(30):
        while True:
            await database.pool.execute("SELECT pg_stat_force_next_flush()")
            hot = await database.pool.fetchrow(
                "SELECT n_tup_upd AS all, n_tup_hot_upd AS hot FROM pg_stat_user_tables"
                " WHERE relname = 'game_table'"
            )
            if hot["all"] >= 50:
                break
    assert hot["hot"] >= 45
