"""Migrations, run by the server itself: `upgrade(url)` brings a database to the newest shape.

The versions lie in `migrations/versions`. Two processes that start at once do not trip over each
other: an advisory lock lets one through at a time. No statement waits for a lock for longer than
`LOCK_TIMEOUT`.
"""

import asyncio
import importlib
import pkgutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine
from sqlalchemy.pool import NullPool

import app
from app.infra.config import CHECKOUT
from app.infra.db import CONNECT_S, dsn

LOCK_TIMEOUT = "5s"
ONE_AT_A_TIME = 7_326_854_001
"""The key of the advisory lock: any number that nothing else in the database uses."""


def config() -> Config:
    """Alembic's configuration, without a file: the server may run from anywhere."""
    alembic = Config()
    alembic.set_main_option("script_location", str(CHECKOUT / "migrations").replace("%", "%%"))
    return alembic


def heads() -> list[str]:
    """The newest revisions; more than one means that two people wrote one at a time."""
    return list(ScriptDirectory.from_config(config()).get_heads())


def import_models() -> None:
    """Import each package's `models`, so that the metadata knows every table."""
    for package in pkgutil.iter_modules(app.__path__, "app."):
        if package.ispkg and any(
            module.name == "models"
            for module in pkgutil.iter_modules([f"{app.__path__[0]}/{package.name[4:]}"])
        ):
            importlib.import_module(f"{package.name}.models")


@asynccontextmanager
async def connect(url: str) -> AsyncIterator[AsyncConnection]:
    """A connection for migrating, with the lock timeout set for its whole life."""
    address = dsn(url)

    async def creator() -> "asyncpg.Connection[asyncpg.Record]":
        return await asyncpg.connect(
            address, timeout=CONNECT_S, server_settings={"lock_timeout": LOCK_TIMEOUT}
        )

    engine = create_async_engine("postgresql+asyncpg://", async_creator=creator, poolclass=NullPool)
    try:
        async with engine.connect() as connection:
            yield connection
    finally:
        await engine.dispose()


async def upgrade_async(url: str) -> None:
    """Bring the database to the newest revision; does nothing when it is there."""
    guard = await asyncpg.connect(dsn(url), timeout=CONNECT_S)
    try:
        await guard.execute("SELECT pg_advisory_lock($1)", ONE_AT_A_TIME)
        async with connect(url) as connection:
            await connection.run_sync(_upgrade)
            await connection.commit()
    finally:
        await guard.close()  # the lock goes with its session


def upgrade(url: str) -> None:
    """The same from code without a loop."""
    asyncio.run(upgrade_async(url))


def _upgrade(connection: Connection) -> None:
    alembic = config()
    alembic.attributes["connection"] = connection
    command.upgrade(alembic, "head")


async def revision_of(url: str) -> str | None:
    """The database's revision; None when it was never migrated."""
    async with connect(url) as connection:
        known = await connection.scalar(text("SELECT to_regclass('alembic_version')::text"))
        if known is None:
            return None
        revision = await connection.scalar(text("SELECT version_num FROM alembic_version"))
        return None if revision is None else str(revision)


async def is_behind(url: str) -> bool:
    """Whether the database lacks migrations that this code knows.

    A revision that this code does not know is from newer code: migrations come before the code that
    needs them, so old code may go on with it.
    """
    revision = await revision_of(url)
    if revision is None:
        return bool(heads())
    known = {script.revision for script in ScriptDirectory.from_config(config()).walk_revisions()}
    return revision in known and revision not in heads()
