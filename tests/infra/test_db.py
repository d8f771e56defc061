"""The database: fresh copies, units of work, the raw pool, migrations."""

import asyncio
from uuid import UUID

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, text

from app.infra.db import Base, Database, as_rows, dsn
from app.infra.migrate import connect, heads, import_models, revision_of, upgrade_async


async def test_a_unit_of_work_commits_when_the_block_ends(database: Database) -> None:
    async with database.unit_of_work() as session:
        await session.execute(text("CREATE TABLE note (word text)"))
        await session.execute(text("INSERT INTO note VALUES ('kept')"))
    assert await database.pool.fetchval("SELECT word FROM note") == "kept"


async def test_a_unit_of_work_that_raises_leaves_nothing(database: Database) -> None:
    async with database.unit_of_work() as session:
        await session.execute(text("CREATE TABLE note (word text)"))
    with pytest.raises(LookupError):
        async with database.unit_of_work() as session:
            await session.execute(text("INSERT INTO note VALUES ('lost')"))
            raise LookupError
    assert await database.pool.fetchval("SELECT count(*) FROM note") == 0


async def test_each_test_has_a_database_of_its_own(database: Database) -> None:
    known = await database.pool.fetchval("SELECT to_regclass('note')::text")
    assert known is None, "the table of the tests above is not here"


async def test_a_raw_connection_comes_back_without_a_round_trip(database: Database) -> None:
    asked: list[str] = []
    async with database.pool.acquire() as connection:
        connection.add_query_logger(lambda record: asked.append(record.query))
        await connection.fetchval("SELECT 1")
    assert asked == ["SELECT 1"]


async def test_dispose_may_be_called_twice(database_url: str) -> None:
    database = await Database.connect(database_url)
    await database.ping()
    await database.dispose()
    await database.dispose()


async def test_rows_travel_as_one_parameter(database: Database) -> None:
    id_ = await database.pool.fetchval(
        "SELECT CAST('7b4f0000-0000-4000-8000-000000000001' AS uuid)"
    )
    rows = as_rows([{"id": id_, "n": 1}, {"id": UUID(int=2), "n": None}])
    found = await database.pool.fetch(
        "SELECT id, n FROM jsonb_to_recordset($1::jsonb) AS r(id uuid, n int)", rows
    )
    assert [tuple(row) for row in found] == [(id_, 1), (UUID(int=2), None)]
    with pytest.raises(TypeError):
        as_rows([{"id": object()}])


async def test_a_connection_that_was_lost_is_not_given_out_again(database: Database) -> None:
    async with database.unit_of_work() as session:
        raw = await (await session.connection()).get_raw_connection()
        pid = await session.scalar(text("SELECT pg_backend_pid()"))
        lost = asyncio.Event()
        assert raw.driver_connection is not None
        raw.driver_connection.add_termination_listener(lambda _: lost.set())
    await database.pool.execute("SELECT pg_terminate_backend($1)", pid)
    await asyncio.wait_for(lost.wait(), 30)
    async with database.unit_of_work() as session:
        assert await session.scalar(text("SELECT pg_backend_pid()")) != pid


def test_a_url_of_sqlalchemy_is_read_by_the_driver() -> None:
    assert dsn("postgresql+asyncpg://a:b@h/d?sslmode=require") == (
        "postgresql://a:b@h/d?sslmode=require"
    )
    assert dsn("postgres://a@h/d") == "postgres://a@h/d"


def test_the_migrations_have_one_head() -> None:
    assert len(heads()) <= 1, "two revisions claim to be the newest: chain them"


async def test_a_fresh_database_is_at_the_head(database_url: str) -> None:
    assert [await revision_of(database_url)] == (heads() or [None])


async def test_migrating_twice_at_once_changes_nothing(database_url: str) -> None:
    await asyncio.gather(upgrade_async(database_url), upgrade_async(database_url))
    assert [await revision_of(database_url)] == (heads() or [None])


async def test_the_models_and_the_migrations_agree(database_url: str) -> None:
    import_models()

    def differences(connection: Connection) -> list[object]:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return list(compare_metadata(context, Base.metadata))

    async with connect(database_url) as connection:
        assert await connection.run_sync(differences) == []


async def test_a_migration_does_not_wait_for_a_lock_for_long(database_url: str) -> None:
    async with connect(database_url) as connection:
        assert await connection.scalar(text("SHOW lock_timeout")) == "5s"
