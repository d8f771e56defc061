"""The group commit: one batch a table, poison that hurts only itself, lost connections."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg
import pytest

from app.infra.db import Database, dsn
from app.tables import committer as module
from app.tables.committer import Committer, Unavailable
from app.tables.store import Batch, Committed, Head, Stale, Store

from .doubles import Gate, WatchedStore, lose_the_connection
from .logs import bare_table, bare_tables, batch, log_of, row


@asynccontextmanager
async def serving(store: Store) -> AsyncIterator[Committer]:
    committer = Committer(store)
    committer.start()
    try:
        yield committer
    finally:
        await committer.close()


async def test_what_waits_together_is_committed_in_one_statement(database: Database) -> None:
    store = WatchedStore(database)
    tables = await bare_tables(database, 20)
    gate = Gate()
    store.before.append(gate)
    async with serving(store) as committer:
        first = asyncio.ensure_future(committer.append(batch(tables[0], 0)))
        await gate.reached.wait()
        rest = asyncio.gather(*(committer.append(batch(table, 0)) for table in tables[1:]))
        await asyncio.sleep(0)
        gate.open.set()
        results = [await first, *await rest]
    assert all(isinstance(result, Committed) for result in results)
    assert [len(statement) for statement in store.statements] == [1, 19]


async def test_two_batches_of_a_table_are_never_in_one_statement(database: Database) -> None:
    store, table = WatchedStore(database), await bare_table(database)
    async with serving(store) as committer:
        results = await asyncio.gather(*(committer.append(batch(table, n)) for n in range(4)))
    assert [type(result) for result in results] == [Committed] * 4
    assert store.statements == [[table]] * 4
    assert await log_of(database, table) == [1, 2, 3, 4]


async def test_of_two_processes_one_wins(database: Database) -> None:
    tables = await bare_tables(database, 30)
    async with serving(Store(database)) as one, serving(Store(database)) as other:
        results = await asyncio.gather(
            *(c.append(batch(table, 0, 2)) for table in tables for c in (one, other))
        )
    for first, second in zip(results[::2], results[1::2], strict=True):
        assert {type(first), type(second)} == {Committed, Stale}
    for table in tables:
        assert await log_of(database, table) == [1, 2]


@pytest.mark.parametrize(
    "poison",
    [row(1, public="{not json"), row(1, type=7), row(1, how="sorcery")],
    ids=["the database refuses the JSON", "the driver refuses the value", "a check refuses it"],
)
async def test_a_poisoned_batch_hurts_only_itself(database: Database, poison: object) -> None:
    tables = await bare_tables(database, 5)
    store, gate = WatchedStore(database), Gate()
    store.before.append(gate)
    async with serving(store) as committer:
        first = asyncio.ensure_future(committer.append(batch(tables[0], 0)))
        await gate.reached.wait()
        bad = asyncio.ensure_future(committer.append(Batch(tables[1], 0, (poison,))))  # type: ignore[arg-type]
        good = asyncio.gather(*(committer.append(batch(table, 0)) for table in tables[2:]))
        await asyncio.sleep(0)
        gate.open.set()
        assert isinstance(await first, Committed)
        assert [type(result) for result in await good] == [Committed] * 3
        with pytest.raises(Exception) as caught:  # noqa: PT011  # the driver's own, of any kind
            await bad
        assert not isinstance(caught.value, Unavailable)
        after = await committer.append(batch(tables[1], 0))
    assert isinstance(after, Committed), "the table itself goes on"


async def test_a_connection_lost_after_the_commit_is_an_acknowledgement(database: Database) -> None:
    store, table = WatchedStore(database), await bare_table(database)
    store.after.append(lose_the_connection)
    async with serving(store) as committer:
        result = await committer.append(batch(table, 0, 2))
    assert isinstance(result, Committed)
    assert result.head == 2
    assert await log_of(database, table) == [1, 2]
    assert len(store.statements) == 1, "it was found, not written again"


async def test_a_connection_lost_before_the_commit_is_tried_again(database: Database) -> None:
    store, table = WatchedStore(database), await bare_table(database)
    store.before.append(lose_the_connection)
    async with serving(store) as committer:
        result = await committer.append(batch(table, 0, 2))
    assert isinstance(result, Committed)
    assert await log_of(database, table) == [1, 2]


async def test_a_connection_lost_while_another_wins_is_stale(database: Database) -> None:
    store, table = WatchedStore(database), await bare_table(database)

    async def overtaken() -> None:
        await Store(database).append([batch(table, 0)])
        await lose_the_connection()

    store.before.append(overtaken)
    async with serving(store) as committer:
        assert await committer.append(batch(table, 0, 2)) == Stale()
    assert await log_of(database, table) == [1]


async def test_a_backend_that_is_terminated_in_the_statement_loses_nothing(
    database: Database,
) -> None:
    """For real: the statement waits for a row lock when its backend is killed."""
    table = await bare_table(database)
    blocker = await asyncpg.connect(dsn(database.url))
    try:
        transaction = blocker.transaction()
        await transaction.start()
        await blocker.execute("SELECT 1 FROM game_table FOR UPDATE")
        async with serving(Store(database)) as committer:
            waiting = asyncio.ensure_future(committer.append(batch(table, 0)))
            async with asyncio.timeout(30):
                while not await blocker.fetchval(
                    "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND wait_event_type = 'Lock'"
                ):
                    pass
            await transaction.rollback()
            assert isinstance(await waiting, Committed)
    finally:
        await blocker.close()
    assert await log_of(database, table) == [1]


@pytest.mark.parametrize(
    "error",
    [
        asyncpg.TooManyConnectionsError("sorry, too many clients already"),
        asyncpg.InvalidPasswordError("not yet"),
        asyncpg.InvalidCatalogNameError("no such database"),
        RuntimeError("whatever a driver breaks on"),
    ],
)
async def test_the_committer_outlives_whatever_a_starting_database_says(
    database: Database, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    monkeypatch.setattr(module, "PAUSE_S", 0)
    store, table = WatchedStore(database), await bare_table(database)
    store.before.append(lose_the_connection)
    pings, heads = [error] * 3, [error]
    ping, head_of = store.ping, store.head_of

    async def failing_ping() -> None:
        if pings:
            raise pings.pop()
        await ping()

    async def failing_head_of(table_id: int) -> Head | None:
        if heads:
            raise heads.pop()
        return await head_of(table_id)

    monkeypatch.setattr(store, "ping", failing_ping)
    monkeypatch.setattr(store, "head_of", failing_head_of)
    async with serving(store) as committer:
        with pytest.raises(Unavailable):
            await committer.append(batch(table, 0))
        assert isinstance(await committer.append(batch(table, 0)), Committed)


async def test_a_database_that_is_gone_is_unavailable_and_never_failed(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PAUSE_S", 0)
    store, table = WatchedStore(database), await bare_table(database)
    store.unreachable = True
    async with serving(store) as committer:
        with pytest.raises(Unavailable):
            await committer.append(batch(table, 0))
        store.unreachable = False
        assert isinstance(await committer.append(batch(table, 0)), Committed)


async def test_who_stops_waiting_does_not_stop_the_commit(database: Database) -> None:
    store, table, gate = WatchedStore(database), await bare_table(database), Gate()
    store.before.append(gate)
    async with serving(store) as committer:
        waiting = asyncio.ensure_future(committer.append(batch(table, 0)))
        await gate.reached.wait()
        waiting.cancel()
        gate.open.set()
    assert await log_of(database, table) == [1]


async def test_closing_writes_what_waits_and_then_refuses(database: Database) -> None:
    store = WatchedStore(database)
    tables, gate = await bare_tables(database, 3), Gate()
    store.before.append(gate)
    committer = Committer(store)
    committer.start()
    waiting = [asyncio.ensure_future(committer.append(batch(table, 0))) for table in tables]
    await gate.reached.wait()
    closing = asyncio.ensure_future(committer.close())
    await asyncio.sleep(0)
    gate.open.set()
    await closing
    assert [type(await each) for each in waiting] == [Committed] * 3
    with pytest.raises(Unavailable):
        await committer.append(batch(tables[0], 1))
