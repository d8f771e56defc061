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
from enum import Enum

import asyncpg
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine
from sqlalchemy.pool import NullPool

import app
from app.infra.config import CHECKOUT
from app.infra.data_folder import StartError
from app.infra.db import CONNECT_S, Base, dsn
from app.infra.logging import get_logger

log = get_logger(__name__)

OLDEST = 16
"""The oldest Postgres whose SQL we keep to."""
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
    """Bring the database to the newest revision; does nothing when it is there, or further.
    StartError as `examine`."""
    if await examine(url) is Shape.NEWER:
        log.warning("database_is_newer")
        return
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


class Shape(Enum):
    """What a database holds, seen from this code."""

    EMPTY = "empty"
    BEHIND = "behind"
    CURRENT = "current"
    NEWER = "newer"
    """A revision that this code does not know is from newer code: migrations come before the code
    that needs them, so old code may go on with it."""


async def examine(url: str) -> Shape:
    """Look at a database before anything is done with it. StartError, in a sentence, when it can't
    be reached, is too old, counts letters as bytes, or is another program's."""
    try:
        connection = await asyncpg.connect(dsn(url), timeout=CONNECT_S)
    except (OSError, ValueError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        why = str(error) or type(error).__name__
        raise StartError(f"The database can't be reached: {why}.") from None
    try:
        return await _shape(connection)
    finally:
        await connection.close()


async def _shape(connection: "asyncpg.Connection[asyncpg.Record]") -> Shape:
    version = connection.get_server_version()
    if version.major < OLDEST:
        raise StartError(
            f"The database is PostgreSQL {version.major}; {OLDEST} or later is needed."
        )
    encoding = await connection.fetchval("SHOW server_encoding")
    if encoding != "UTF8":
        raise StartError(f"The database is encoded in {encoding}; UTF8 is needed.")
    if await connection.fetchval("SELECT to_regclass('alembic_version')") is None:
        return await _unmigrated(connection)
    revision = await connection.fetchval("SELECT version_num FROM alembic_version")
    known = {script.revision for script in ScriptDirectory.from_config(config()).walk_revisions()}
    if revision is None or revision in known:
        return Shape.CURRENT if revision in heads() else Shape.BEHIND
    ours = await connection.fetchval(
        "SELECT count(*) FROM pg_attribute"
        " WHERE attrelid = to_regclass('game_table') AND attname = 'head_seq'"
    )
    if not ours:
        raise StartError(f"The database is another program's: its revision is {revision}.")
    return Shape.NEWER


async def _unmigrated(connection: "asyncpg.Connection[asyncpg.Record]") -> Shape:
    import_models()
    found = await connection.fetch(
        "SELECT name FROM unnest($1::text[]) AS name"
        " WHERE to_regclass(quote_ident(name)) IS NOT NULL",
        sorted(Base.metadata.tables),
    )
    if found:
        names = ", ".join(row["name"] for row in found)
        raise StartError(f"The database is another program's: it has tables of its own, {names}.")
    return Shape.EMPTY


async def is_behind(url: str) -> bool:
    """Whether the database lacks migrations that this code knows; StartError as `examine`."""
    return await examine(url) in (Shape.EMPTY, Shape.BEHIND)


def require_current(url: str) -> None:
    """StartError if the database lacks migrations, or can't be used at all."""
    if asyncio.run(is_behind(url)):
        raise StartError("The database is behind this code; run `rebelote migrate` first.")
