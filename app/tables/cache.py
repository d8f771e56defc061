"""Tables in memory: speed only, never the truth (D2).

A live table has one lock, held from decide to publish, in a task of its own (``desk.run``): what a
socket sends is carried through even if the socket goes.
"""

import asyncio
from collections import deque
from collections.abc import Iterator

import orjson

from app.belote.commands import Command
from app.infra import metrics
from app.infra.clock import Clock
from app.infra.config import Limits
from app.infra.errors import AppError
from app.tables import table as tables
from app.tables.codec import CODEC, Stored
from app.tables.store import DeadlineKind, Head, LoggedEvent, Store
from app.tables.table import TableState, TurnInfo

LIVE = metrics.gauge("rebelote_tables_in_memory", "Tables that this process holds.")


class Deadline:
    """The row's deadline as this process knows it; compared by identity."""

    __slots__ = ("due_ms", "kind", "seq")

    def __init__(self, kind: DeadlineKind, seq: int | None, due_ms: int) -> None:
        self.kind = kind
        self.seq = seq
        self.due_ms = due_ms
        """The clock's monotonic time; the database's clock has the last word."""


class LiveTable:
    """One table in memory. Change it only under its lock."""

    def __init__(self, table_id: int, state: TableState, now_ms: int, recent: int) -> None:
        self.id = table_id
        self.code = state.code
        self.lock = asyncio.Lock()
        self.state = state
        self.deadline: Deadline | None = None
        self.turn: TurnInfo | None = None
        self.recent: deque[Stored] = deque(maxlen=recent)
        """The newest events, without a gap, for viewers that missed a few."""
        self.thought: tuple[int, Command | None] | None = None
        """What a bot thought of at its turn, with the decision."""
        self.trusted = True
        """False after a connection was lost in flight: look at the log before deciding."""
        self.idle = False
        """Whether the row says that nobody is here."""
        self.visits = 0
        """How often a person of the table has come (back): an absence is told apart by it."""
        self.used_ms = now_ms
        self.loaded_ms = now_ms
        self.timers: dict[str, asyncio.TimerHandle] = {}
        """By purpose: deadline, pause, away."""

    def thought_of(self, decision: int | None) -> bool:
        """Whether a bot has thought about this decision already."""
        return self.thought is not None and self.thought[0] == decision

    def cancel(self, purpose: str) -> None:
        """Stop a timer if it runs."""
        timer = self.timers.pop(purpose, None)
        if timer is not None:
            timer.cancel()

    def cancel_all(self) -> None:
        """Stop all timers."""
        for purpose in tuple(self.timers):
            self.cancel(purpose)


def stored_of(logged: LoggedEvent) -> Stored:
    """What may be told of a row of the log."""
    row = logged.row
    own = None
    if row.private is not None:
        seats = orjson.loads(row.private)
        parts = [seats[str(seat)] for seat in range(len(seats))]
        own = tuple(None if part is None else orjson.dumps(part) for part in parts)
    return Stored(row.seq, row.type, row.v, row.how, row.public.encode(), own)


def fold(code: str, state: TableState | None, logged: LoggedEvent) -> TableState:
    """The state after a row of the log; ``state`` is None before the first."""
    row = logged.row
    event = CODEC.decode(row.type, row.v, *logged.parts())
    if state is None:
        return tables.begin(code, event, row.seq, row.how)
    return tables.evolve(state, event, row.seq, row.how)


class Cache:
    """The live tables of this process, loaded on demand, at most a few at once."""

    def __init__(self, store: Store, clock: Clock, limits: Limits) -> None:
        self._store = store
        self._clock = clock
        self._limits = limits
        self._live: dict[str, LiveTable] = {}
        self._slots = asyncio.Semaphore(limits.loads_at_once)

    def __iter__(self) -> Iterator[LiveTable]:
        return iter(tuple(self._live.values()))

    def peek(self, code: str) -> LiveTable | None:
        """The table if it is in memory."""
        return self._live.get(code)

    def put(self, live: LiveTable) -> None:
        """Hold a table that was just opened or loaded."""
        self._live[live.code] = live
        LIVE.set(len(self._live))

    def drop(self, live: LiveTable) -> None:
        """Forget a table; the next use loads it again."""
        live.cancel_all()
        if self._live.get(live.code) is live:
            del self._live[live.code]
            LIVE.set(len(self._live))

    async def load(self, code: str) -> tuple[LiveTable, Head]:
        """Read a table from its base; AppError ``table_not_found``."""
        async with self._slots:
            head = await self._store.head(code)
            if head is None:
                raise AppError("table_not_found")
            return await self._read(head), head

    async def _read(self, head: Head) -> LiveTable:
        state: TableState | None = None
        recent: deque[Stored] = deque(maxlen=self._limits.resume_gap)
        async for logged in self._store.events(head.id, head.base_seq - 1, head.head_seq):
            state = fold(head.code, state, logged)
            recent.append(stored_of(logged))
        if state is None:
            raise LookupError(f"table {head.code} has no log")
        live = LiveTable(head.id, state, self._clock.monotonic_ms(), self._limits.resume_gap)
        live.recent.extend(recent)
        live.idle = head.idle
        return live
