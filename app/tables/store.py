"""The only SQL on the log: the group append, the append inside a session, loading, looking up.

D2: ``game_table.head_seq`` moves by compare-and-set, and that row is the lock. D13: many tables'
batches ride on one statement. Payloads travel as text and are decoded by orjson.
"""

from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal
from uuid import UUID

import asyncpg
import orjson
from sqlalchemy import TextClause, text
from sqlalchemy.ext.asyncio import AsyncSession

from app.infra.db import Database
from app.tables.codec import Json
from app.tables.events import How

DeadlineKind = Literal["turn", "bot", "next_deal", "ready", "rematch"]
CHANNEL: Final = "rebelote"
"""Where commits are told to other processes (D8)."""
STATEMENT_S: Final = 10.0
"""Seconds after which an append counts as lost in flight: something holds its rows."""


@dataclass(frozen=True, slots=True)
class Due:
    """The deadline that a batch sets; ``seq`` is the decision that it belongs to."""

    kind: DeadlineKind
    seq: int | None
    ms: int


@dataclass(frozen=True, slots=True)
class EventRow:
    """One row of the log, its payloads as JSON text."""

    seq: int
    type: str
    v: int
    by_player: UUID | None
    how: How
    cmd_id: UUID | None
    public: str
    private: str | None
    hidden: str | None


@dataclass(frozen=True, slots=True)
class Batch:
    """One command's events for one table, with consecutive numbers from ``expected`` + 1.

    ``keep``: the deadline stays as it is; else ``due`` replaces it (None: there is none).
    ``expiry``: the batch answers a deadline and commits only if the database finds it due.
    """

    table_id: int
    expected: int
    rows: tuple[EventRow, ...]
    due: Due | None = None
    keep: bool = False
    expiry: bool = False

    @property
    def head(self) -> int:
        """The table's number after it."""
        return self.expected + len(self.rows)


@dataclass(frozen=True, slots=True)
class Committed:
    """The batch is durable (D3)."""

    head: int
    deadline_at: datetime | None


@dataclass(frozen=True, slots=True)
class Stale:
    """Nothing was written: the table has moved on, or the deadline is not due."""


Result = Committed | Stale


@dataclass(frozen=True, slots=True)
class Head:
    """A table's row as a process needs it. ``due_ms`` is the time left (negative: overdue)."""

    id: int
    code: str
    status: str
    head_seq: int
    base_seq: int
    deadline_kind: DeadlineKind | None
    deadline_seq: int | None
    due_ms: int | None
    idle: bool


@dataclass(frozen=True, slots=True)
class LoggedEvent:
    """A row of the log as read: envelope, payload text, and the parts for the decoder."""

    row: EventRow
    at: datetime

    def parts(self) -> tuple[Json, Json | None, Json | None]:
        """(public, private, hidden) as JSON values."""
        private, hidden = self.row.private, self.row.hidden
        return (
            orjson.loads(self.row.public),
            None if private is None else orjson.loads(private),
            None if hidden is None else orjson.loads(hidden),
        )


_TOLD: Final = """,
told AS MATERIALIZED (
  SELECT pg_notify('rebelote', string_agg(id || ':' || head_seq, ','))
  FROM (SELECT *, (row_number() OVER () - 1) / 200 AS part FROM moved) m GROUP BY part)
SELECT id, head_seq, deadline_at, (SELECT count(*) FROM told) FROM moved"""
"""200 pairs stay under the 8,000 bytes of a payload. A CTE that nothing names would not run."""

_APPEND: Final = """
WITH want AS MATERIALIZED (
  SELECT * FROM unnest({0}::bigint[], {1}::int[], {2}::int[], {3}::bigint[], {4}::int[],
                       {5}::text[], {6}::bool[], {7}::bool[])
    AS w(table_id, expected, head, deadline_ms, deadline_seq, deadline_kind, keep, expiry)),
held AS MATERIALIZED (
  SELECT t.id FROM game_table t JOIN want w ON w.table_id = t.id AND w.expected = t.head_seq
    AND (NOT w.expiry OR t.deadline_at <= clock_timestamp()) ORDER BY t.id FOR NO KEY UPDATE OF t),
moved AS (
  UPDATE game_table t SET head_seq = w.head,
    deadline_at   = CASE WHEN w.keep THEN t.deadline_at
                         ELSE clock_timestamp() + w.deadline_ms * interval '1 ms' END,
    deadline_seq  = CASE WHEN w.keep THEN t.deadline_seq  ELSE w.deadline_seq END,
    deadline_kind = CASE WHEN w.keep THEN t.deadline_kind ELSE w.deadline_kind END
  FROM want w WHERE t.id = w.table_id AND t.head_seq = w.expected AND t.id IN (SELECT id FROM held)
  RETURNING t.id, t.head_seq, t.deadline_at),
logged AS (
  INSERT INTO table_event (table_id, seq, type, v, by_player, how, cmd_id, public, private, hidden)
  SELECT e.table_id, e.seq, e.type, e.v, e.by_player, e.how, e.cmd_id,
         e.public::jsonb, e.private::jsonb, e.hidden::jsonb
  FROM unnest({8}::bigint[], {9}::int[], {10}::text[], {11}::smallint[], {12}::uuid[],
              {13}::text[], {14}::uuid[], {15}::text[], {16}::text[], {17}::text[])
    AS e(table_id, seq, type, v, by_player, how, cmd_id, public, private, hidden)
  WHERE e.table_id IN (SELECT id FROM moved))"""
_QUIET: Final = "\nSELECT id, head_seq, deadline_at FROM moved"
_ARGUMENTS: Final = 18

_HEAD: Final = """
SELECT id, code, status, head_seq, base_seq, deadline_kind, deadline_seq,
  ceil(extract(epoch FROM deadline_at - clock_timestamp()) * 1000)::bigint AS due_ms,
  idle_since IS NOT NULL AS idle
FROM game_table WHERE """
_EVENTS: Final = """
SELECT seq, type, v, by_player, how, cmd_id, public::text AS public, private::text AS private,
  hidden::text AS hidden, at
FROM table_event WHERE table_id = $1 AND seq > $2 AND seq <= $3 ORDER BY seq LIMIT $4"""

_PUBLIC: Final = """
SELECT v, public::text AS public FROM table_event
WHERE table_id = $1 AND seq > $2 AND seq <= $3 AND type = $4 ORDER BY seq"""


class Store:
    """The log's door. ``notify``: commits are told to other processes (the Postgres bus, D8)."""

    def __init__(self, database: Database, *, notify: bool = False, page: int = 500) -> None:
        self.database = database
        self._notify = notify
        self._page = page
        tail = _TOLD if notify else _QUIET
        self._raw = _APPEND.format(*(f"${n + 1}" for n in range(_ARGUMENTS))) + tail
        # A bind parameter may not be followed by a colon: the casts are written out.
        named = _APPEND.format(*(f"(:a{n})" for n in range(_ARGUMENTS))).replace("::", "\\:\\:")
        self._in_session: TextClause = text(named + tail)

    # Writing

    async def append(self, batches: Sequence[Batch]) -> list[Result]:
        """Commit at most one batch a table, all in one durable statement; results in order.

        A driver or SQL error means that nothing is known (connection lost) or nothing was written.
        """
        rows = await self.database.pool.fetch(self._raw, *_columns(batches), timeout=STATEMENT_S)
        moved = {row["id"]: Committed(row["head_seq"], row["deadline_at"]) for row in rows}
        stale = Stale()
        return [moved.get(batch.table_id, stale) for batch in batches]

    async def append_with(self, session: AsyncSession, batch: Batch) -> Result:
        """The same SQL in a session's transaction, for batches that bring other rows along.

        Call it before touching per-player rows: game_table first, by id, then players by id. The
        commit is the caller's; roll back on ``Stale``.
        """
        values = {f"a{n}": column for n, column in enumerate(_columns((batch,)))}
        found = (await session.execute(self._in_session, values)).first()
        return Stale() if found is None else Committed(found[1], found[2])

    async def ping(self) -> None:
        """One round trip; raises what the driver raises."""
        await self.database.ping()

    # Reading

    async def head(self, code: str) -> Head | None:
        """A table's row by its code."""
        return _head(await self.database.pool.fetchrow(_HEAD + "code = $1", code))

    async def head_of(self, table_id: int) -> Head | None:
        """A table's row by its id."""
        return _head(await self.database.pool.fetchrow(_HEAD + "id = $1", table_id))

    async def heads(self, codes: Iterable[str]) -> dict[str, int]:
        """The newest numbers of tables, for the head poll (D8)."""
        rows = await self.database.pool.fetch(
            "SELECT code, head_seq FROM game_table WHERE code = ANY($1::text[])", list(codes)
        )
        return {row["code"]: row["head_seq"] for row in rows}

    async def events(self, table_id: int, after: int, head: int) -> AsyncIterator[LoggedEvent]:
        """The log from ``after`` + 1 to ``head``, in pages; other tasks run between two pages."""
        while after < head:
            rows = await self.database.pool.fetch(_EVENTS, table_id, after, head, self._page)
            if not rows:
                raise LookupError(f"the log of table {table_id} ends at {after}, not at {head}")
            for row in rows:
                yield _logged(row)
            after = rows[-1]["seq"]

    async def public(
        self, table_id: int, after: int, head: int, type_: str
    ) -> list[tuple[int, Json]]:
        """(version, public part) of the events of one type: for readers who must not see more
        while a match runs (D4), so that nothing else is read."""
        rows = await self.database.pool.fetch(_PUBLIC, table_id, after, head, type_)
        return [(row["v"], orjson.loads(row["public"])) for row in rows]

    async def find(self, table_id: int, player: UUID | None, cmd_id: UUID) -> int | None:
        """The first number of the batch that a command brought about, None if there is none."""
        found: int | None = await self.database.pool.fetchval(
            "SELECT seq FROM table_event WHERE table_id = $1 AND cmd_id = $3"
            " AND by_player IS NOT DISTINCT FROM $2",
            table_id,
            player,
            cmd_id,
        )
        return found

    async def wrote(self, batch: Batch) -> bool:
        """Whether this very batch is in the log (asked after a connection was lost in flight)."""
        first = batch.rows[0]
        row = await self.database.pool.fetchrow(
            "SELECT cmd_id, by_player FROM table_event WHERE table_id = $1 AND seq = $2",
            batch.table_id,
            first.seq,
        )
        return row is not None and (row["cmd_id"], row["by_player"]) == (
            first.cmd_id,
            first.by_player,
        )


def _columns(batches: Sequence[Batch]) -> tuple[list[Any], ...]:
    """The statement's arguments: eight columns of tables, ten of events."""
    rows = [(batch.table_id, row) for batch in batches for row in batch.rows]
    return (
        [batch.table_id for batch in batches],
        [batch.expected for batch in batches],
        [batch.head for batch in batches],
        [None if batch.due is None else batch.due.ms for batch in batches],
        [None if batch.due is None else batch.due.seq for batch in batches],
        [None if batch.due is None else batch.due.kind for batch in batches],
        [batch.keep for batch in batches],
        [batch.expiry for batch in batches],
        [table_id for table_id, _ in rows],
        [row.seq for _, row in rows],
        [row.type for _, row in rows],
        [row.v for _, row in rows],
        [row.by_player for _, row in rows],
        [row.how for _, row in rows],
        [row.cmd_id for _, row in rows],
        [row.public for _, row in rows],
        [row.private for _, row in rows],
        [row.hidden for _, row in rows],
    )


def _head(row: "asyncpg.Record | None") -> Head | None:
    return None if row is None else Head(**row)


def _logged(row: "asyncpg.Record") -> LoggedEvent:
    event = EventRow(
        row["seq"],
        row["type"],
        row["v"],
        row["by_player"],
        row["how"],
        row["cmd_id"],
        row["public"],
        row["private"],
        row["hidden"],
    )
    return LoggedEvent(event, row["at"])
