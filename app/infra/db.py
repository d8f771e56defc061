"""The database: engine, sessions, one unit of work, and a raw pool for the committer.

Postgres only (D15). SQL itself lives in the packages' `store` and `repository`. A socket never
holds what this module hands out.
"""

from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

import asyncpg
import orjson
from sqlalchemy import MetaData, event
from sqlalchemy.exc import InvalidatePoolError
from sqlalchemy.ext.asyncio import (
    AsyncEngine,
    AsyncSession,
    async_sessionmaker,
    create_async_engine,
)
from sqlalchemy.orm import DeclarativeBase

from app.infra.config import Limits

NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}
CONNECT_S = 10.0
"""Seconds to wait for a connection before saying that the database can't be reached."""


class Base(DeclarativeBase):
    """The base of all models, so that one metadata knows every table."""

    metadata = MetaData(naming_convention=NAMING)


def dsn(url: str) -> str:
    """The URL as asyncpg and libpq read it (SQLAlchemy's `+asyncpg` is taken out)."""
    scheme, _, rest = url.partition("://")
    return f"{scheme.partition('+')[0]}://{rest}"


def as_rows(rows: Iterable[Mapping[str, object]]) -> str:
    """Rows as one parameter, for ``jsonb_populate_recordset``: one text for any number of rows,
    which is prepared once (a ``VALUES`` of many rows is compiled anew each time)."""
    return orjson.dumps(list(rows), default=_of_the_driver).decode()


def _of_the_driver(value: object) -> str:
    """The driver's ids are UUIDs of a kind of its own."""
    if isinstance(value, UUID):
        return str(value)
    raise TypeError(f"no column holds a {type(value).__name__}")


async def _as_it_is(_connection: object) -> None:
    """What the raw pool does when a connection comes back: nothing. Its users run single
    statements and leave no state behind; asyncpg's own reset would cost every group commit one
    more round trip, during which the next group waits."""


def _alive(connection: Any, _record: object, _proxy: object) -> None:
    """Give out no connection that was lost: the pool then opens new ones. The driver sees the end
    of a connection by itself, on this very loop; asking the server at each checkout, as
    ``pool_pre_ping`` does, costs three round trips a transaction (D21)."""
    if connection.driver_connection.is_closed():
        raise InvalidatePoolError


class Database:
    """One process's connections. Make it with `await Database.connect(url)`; end with `dispose`."""

    def __init__(self, url: str, engine: AsyncEngine, pool: "asyncpg.Pool[asyncpg.Record]") -> None:
        self.url = url
        self.engine = engine
        self.pool = pool
        """Raw asyncpg connections for the committer's one statement (D13); autocommit."""
        self.sessions = async_sessionmaker(engine, expire_on_commit=False)

    @classmethod
    async def connect(cls, url: str, limits: Limits | None = None) -> "Database":
        """Open both pools; OSError or asyncpg.PostgresError if the server can't be reached."""
        limits = limits or Limits()
        address = dsn(url)

        async def connection() -> "asyncpg.Connection[asyncpg.Record]":
            return await asyncpg.connect(address, timeout=CONNECT_S)

        # The creator makes both pools understand the same URL (sslmode, sockets, services).
        engine = create_async_engine(
            "postgresql+asyncpg://",
            async_creator=connection,
            pool_size=limits.pool_size,
            max_overflow=0,
        )
        event.listen(engine.sync_engine, "checkout", _alive)
        pool = await asyncpg.create_pool(
            address,
            min_size=1,
            max_size=limits.committer_connections,
            timeout=CONNECT_S,
            reset=_as_it_is,
        )
        return cls(url, engine, pool)

    @asynccontextmanager
    async def unit_of_work(self) -> AsyncIterator[AsyncSession]:
        """One transaction: committed when the block ends, rolled back when it raises.

        Services and repositories take the session and never commit.
        """
        async with self.sessions.begin() as session:
            yield session

    async def ping(self) -> None:
        """One round trip; raises what the driver raises."""
        async with self.pool.acquire(timeout=CONNECT_S) as connection:
            await connection.execute("SELECT 1")

    async def dispose(self) -> None:
        """Close everything; calling it again does nothing."""
        try:
            await self.pool.close()
        finally:
            await self.engine.dispose()
