"""Stores that fail or wait at the worst moment."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import asyncpg

from app.infra.db import Database
from app.tables.store import Batch, Result, Store

Step = Callable[[], Awaitable[None]]


class WatchedStore(Store):
    """Counts statements; a test may put steps before and after the next ones, which may raise."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.statements: list[list[int]] = []
        self.before: list[Step] = []
        self.after: list[Step] = []
        self.unreachable = False

    async def append(self, batches: Sequence[Batch]) -> list[Result]:
        if self.unreachable:
            raise ConnectionRefusedError
        self.statements.append([batch.table_id for batch in batches])
        if self.before:
            await self.before.pop(0)()
        results = await super().append(batches)
        if self.after:
            await self.after.pop(0)()
        return results

    async def ping(self) -> None:
        if self.unreachable:
            raise ConnectionRefusedError
        await super().ping()


async def lose_the_connection() -> None:
    """A step: the connection is gone, and nobody knows since when."""
    raise asyncpg.ConnectionDoesNotExistError("connection was closed in the middle of operation")


class Gate:
    """A step that waits until the test opens it, and says when it was reached."""

    def __init__(self) -> None:
        self.reached = asyncio.Event()
        self.open = asyncio.Event()

    async def __call__(self) -> None:
        self.reached.set()
        await self.open.wait()
