"""Bare tables and batches, for tests below the service."""

from typing import Any
from uuid import UUID, uuid4

from app.infra.db import Database
from app.tables.store import Batch, Due, EventRow

HOUR = 3_600_000


async def bare_table(database: Database, code: str = "AAAAAA") -> int:
    """A row without events."""
    found = await database.pool.fetchval(
        "INSERT INTO game_table (code, status, preset, visibility, options)"
        " VALUES ($1, 'playing', 'classic', 'public', '{}') RETURNING id",
        code,
    )
    assert isinstance(found, int)
    return found


async def bare_tables(database: Database, count: int) -> list[int]:
    """Several, their ids rising."""
    return [await bare_table(database, f"T{number:05}") for number in range(count)]


def row(
    seq: int, *, cmd_id: UUID | None = None, by: UUID | None = None, **changed: Any
) -> EventRow:
    """A harmless event."""
    given: dict[str, Any] = {
        "type": "paused",
        "v": 1,
        "how": "system" if by is None else "human",
        "public": "{}",
        "private": None,
        "hidden": None,
    }
    return EventRow(seq=seq, by_player=by, cmd_id=cmd_id, **{**given, **changed})


def batch(table_id: int, expected: int, count: int = 1, **changed: Any) -> Batch:
    """So many events after ``expected``; the first has an id."""
    rows = [row(expected + 1, cmd_id=uuid4())]
    rows += [row(expected + n) for n in range(2, count + 1)]
    return Batch(table_id, expected, tuple(rows), **changed)


def due(ms: int, seq: int = 1) -> Due:
    """A turn's deadline."""
    return Due("turn", seq, ms)


async def log_of(database: Database, table_id: int) -> list[int]:
    """The numbers in a table's log."""
    found = await database.pool.fetch(
        "SELECT seq FROM table_event WHERE table_id = $1 ORDER BY seq", table_id
    )
    return [line["seq"] for line in found]
