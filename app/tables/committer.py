"""Group commit (D13): one task that puts many tables' batches into one durable statement.

Waiters hold futures; whoever stops waiting cancels its own wait, never the commit. A connection
lost in flight leaves the outcome *unknown*: it is looked up before anything is answered, and if it
can't be, the answer is ``Unavailable``, never "failed" (architecture, *Store*, rules 1 to 3).
"""

import asyncio
from collections import deque

import asyncpg

from app.infra import metrics
from app.infra.config import Limits
from app.infra.logging import get_logger
from app.infra.tasks import TaskOwner
from app.tables.store import Batch, Committed, Result, Stale, Store

log = get_logger(__name__)

GROUPS = metrics.histogram(
    "rebelote_commit_group_batches", "Batches in one statement.", (1, 2, 5, 10, 20, 50, 100, 200)
)
WAITING = metrics.gauge("rebelote_commit_waiting", "Batches that wait for a statement.")
ALONE = metrics.counter("rebelote_commit_alone_total", "Batches tried alone after an error.")
LOST = metrics.counter("rebelote_commit_lost_total", "Statements whose connection was lost.")

LOST_CONNECTION = (
    OSError,
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    asyncpg.OperatorInterventionError,  # shut down, crashed, terminated
    asyncpg.CannotConnectNowError,
    asyncpg.TooManyConnectionsError,
    TimeoutError,
)
TRIES = 8
PAUSE_S = 0.25
"""How often, and with what pause, a lost database is looked for: two seconds, then the client's
resend finds what became of its command."""


def lost(error: BaseException) -> bool:
    """Whether this is a lost or refused connection; else it is an error of the statement. What the
    driver can't encode is an InterfaceError too, but also a ValueError."""
    return isinstance(error, LOST_CONNECTION) and not isinstance(error, ValueError)


class Unavailable(Exception):
    """The database can't be reached, so it is not known whether the batch is in the log."""


class Committer:
    """The owner of the group statement. ``append`` from any task; ``close`` drains it."""

    def __init__(self, store: Store, limits: Limits | None = None) -> None:
        self._store = store
        self._limits = limits or Limits()
        self._queue: deque[tuple[Batch, asyncio.Future[Result]]] = deque()
        self._filled = asyncio.Event()
        self._tasks = TaskOwner("committer")
        self._closing = False
        self._workers: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begin to serve; call it once, inside the loop."""
        self._workers = [self._tasks.start(self._serve(), "serve")]

    async def append(self, batch: Batch) -> Result:
        """Commit a batch; Unavailable if its fate can't be known, or the SQL error of it alone."""
        if self._closing or not self._workers:
            raise Unavailable("the committer is closed")
        if len(self._queue) >= self._limits.waiting_batches:
            raise Unavailable("too many batches wait")
        future: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._queue.append((batch, future))
        self._filled.set()
        return await future

    async def close(self) -> None:
        """Write all that waits, then end. Calling it again does nothing more."""
        self._closing = True
        self._filled.set()
        await asyncio.gather(*self._workers, return_exceptions=True)
        await self._tasks.close()

    async def _serve(self) -> None:
        while True:
            await self._filled.wait()
            if not self._queue:
                if self._closing:
                    return
                self._filled.clear()
                continue
            await self._commit(self._take())

    def _take(self) -> list[tuple[Batch, asyncio.Future[Result]]]:
        """The next group: at most one batch a table (rule 1), the rest keep their order."""
        group: list[tuple[Batch, asyncio.Future[Result]]] = []
        seen: set[int] = set()
        later: list[tuple[Batch, asyncio.Future[Result]]] = []
        while self._queue and len(group) < self._limits.group_batches:
            waiter = self._queue.popleft()
            table_id = waiter[0].table_id
            if table_id in seen:
                later.append(waiter)
                continue
            seen.add(table_id)
            group.append(waiter)
        self._queue.extendleft(reversed(later))
        GROUPS.observe(len(group))
        WAITING.set(len(self._queue))
        return group

    async def _commit(self, group: list[tuple[Batch, asyncio.Future[Result]]]) -> None:
        try:
            results = await self._store.append([batch for batch, _ in group])
        except Exception as error:  # noqa: BLE001  # the task must survive whatever comes
            if not lost(error):
                await self._each_alone(group, error)
                return
            LOST.add()
            log.warning("commit_connection_lost", batches=len(group), error=type(error).__name__)
            await self._resolve(group)
        else:
            for (_, future), result in zip(group, results, strict=True):
                _answer(future, result)

    async def _each_alone(
        self, group: list[tuple[Batch, asyncio.Future[Result]]], error: Exception
    ) -> None:
        if len(group) == 1:
            log.warning("commit_refused", table=group[0][0].table_id, error=type(error).__name__)
            _fail(group[0][1], error)
            return
        for waiter in group:
            ALONE.add()
            await self._commit([waiter])

    async def _resolve(self, group: list[tuple[Batch, asyncio.Future[Result]]]) -> None:
        """Find out what became of batches in flight; try again those that are not in the log."""
        there = await self._database_is_back()
        for batch, future in group:
            try:
                if not there:
                    raise Unavailable("the database can't be reached")
                _answer(future, await self._look(batch))
            except Exception as error:  # noqa: BLE001  # see _commit
                log.warning("commit_unknown", error=type(error).__name__)
                refused = isinstance(error, asyncpg.IntegrityConstraintViolationError)
                unknown = Unavailable("the connection was lost while committing")
                _fail(future, error if refused else unknown)

    async def _database_is_back(self) -> bool:
        """Whatever a ping breaks on (a starting database has many words) means: not yet. Nothing
        may leave this by an exception, or the one task that commits would end with it."""
        for _ in range(TRIES):
            try:
                await self._store.ping()
            except Exception as error:  # noqa: BLE001  # see above
                log.warning("commit_waits", error=type(error).__name__)
                await asyncio.sleep(PAUSE_S)
            else:
                return True
        return False

    async def _look(self, batch: Batch) -> Result:
        head = await self._store.head_of(batch.table_id)
        if head is None or head.head_seq < batch.expected:
            return Stale()
        if head.head_seq == batch.expected:
            return (await self._store.append([batch]))[0]
        if await self._store.wrote(batch):
            return Committed(batch.head, None)
        return Stale()


def _answer(future: asyncio.Future[Result], result: Result) -> None:
    if not future.done():  # who waited may have gone; the commit stands
        future.set_result(result)


def _fail(future: asyncio.Future[Result], error: Exception) -> None:
    if not future.done():
        future.set_exception(error)
