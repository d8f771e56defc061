"""``rebelote check-log [--referee]``: reads every table's log and says what is wrong with it.

Numbers without a gap up to the row's head, rows that decode, a fold that works from the first
event and from the base alike. ``--referee`` also decides every command again and reports where
the referee of today would not write the same events; a mended rule may do so (D1), a broken log
must not.
"""

import argparse
import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field

from app.belote import engine
from app.belote.engine import RuleError
from app.belote.events import (
    GAME_EVENTS,
    Event,
)
from app.infra.config import Settings
from app.infra.db import Database
from app.infra.embedded import database_for_command
from app.tables import table as tables
from app.tables.codec import CODEC, CodecError
from app.tables.moves import command_of
from app.tables.store import Head, LoggedEvent, Store
from app.tables.table import TableState

PAGE = 200
"""Tables read at once."""
_GAME = frozenset(GAME_EVENTS)


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong, where."""

    table: str
    seq: int
    what: str

    def __str__(self) -> str:
        return f"{self.table} {self.seq}: {self.what}"


@dataclass(slots=True)
class Report:
    """What was read, and what is wrong with it."""

    tables: int = 0
    events: int = 0
    batches: int = 0
    problems: list[Problem] = field(default_factory=list)


async def check(database: Database, *, referee: bool) -> Report:
    """Read every log of a database."""
    report = Report()
    store = Store(database)
    async for head in _heads(database, store):
        report.tables += 1
        await _check_table(store, head, referee, report)
    return report


async def _heads(database: Database, store: Store) -> AsyncIterator[Head]:
    after = 0
    while True:
        ids = await database.pool.fetch(
            "SELECT id FROM game_table WHERE id > $1 ORDER BY id LIMIT $2", after, PAGE
        )
        if not ids:
            return
        for row in ids:
            head = await store.head_of(row["id"])
            if head is not None:
                yield head
        after = ids[-1]["id"]


async def _check_table(store: Store, head: Head, referee: bool, report: Report) -> None:
    reader = _Reader(head, referee, report)
    try:
        async for logged in store.events(head.id, 0, head.head_seq):
            if not reader.read(logged):
                return
    except LookupError as error:
        report.problems.append(Problem(head.code, reader.seq, str(error)))
        return
    reader.end()


class _Reader:
    """One table's log, event by event."""

    def __init__(self, head: Head, referee: bool, report: Report) -> None:
        self._head = head
        self._referee = referee
        self._report = report
        self._state: TableState | None = None
        self._based: TableState | None = None
        self._before: TableState | None = None
        self._batch: list[Event] = []
        self.seq = 0

    def _problem(self, what: str) -> None:
        self._report.problems.append(Problem(self._head.code, self.seq, what))

    def read(self, logged: LoggedEvent) -> bool:
        """Take the next event; False if nothing after it can be judged."""
        row = logged.row
        self._report.events += 1
        if row.seq != self.seq + 1:
            self._problem(f"number {row.seq} follows")
            return False
        self.seq = row.seq
        if row.cmd_id is not None:
            self._judge()
            self._before, self._batch = self._state, []
        try:
            event = CODEC.decode(row.type, row.v, *logged.parts())
            self._fold(event, logged)
        except CodecError as error:
            self._problem(str(error))
            return False
        except Exception as error:  # noqa: BLE001  # whatever the fold trips over is the finding
            self._problem(f"{row.type} does not fold: {type(error).__name__}")
            return False
        self._batch.append(event)
        return True

    def _fold(self, event: Event, logged: LoggedEvent) -> None:
        row, code = logged.row, self._head.code
        if self._state is None:
            self._state = tables.begin(code, event, row.seq, row.how)
        else:
            self._state = tables.evolve(self._state, event, row.seq, row.how)
        if row.seq == self._head.base_seq:
            self._based = tables.begin(code, event, row.seq, row.how)
        elif self._based is not None:
            self._based = tables.evolve(self._based, event, row.seq, row.how)

    def end(self) -> None:
        """After the last event."""
        self._judge()
        if self._state is not None and self._state.status != self._head.status:
            self._problem(f"the row says {self._head.status}, the log {self._state.status}")
        if self._based != self._state:
            self._problem(f"the base at {self._head.base_seq} gives another state")

    def _judge(self) -> None:
        """Decide the batch that has just been read again."""
        if not self._batch:
            return
        self._report.batches += 1
        if not self._referee or self._before is None:
            return
        try:
            what = difference(self._before, self._batch)
        except RuleError as error:
            what = f"the referee refuses: {error.code}"
        except Exception as error:  # noqa: BLE001  # a finding, too
            what = f"the referee fails: {type(error).__name__}"
        if what is not None:
            self._problem(what)


def difference(table: TableState, batch: Sequence[Event]) -> str | None:
    """How the referee of today would write a batch otherwise; None if it would not."""
    at = 0
    while at < len(batch):
        event = batch[at]
        if type(event) in _GAME and table.game is not None:
            again = engine.decide(table.game, command_of(table.game, batch[at:]))
            stored = tuple(batch[at : at + len(again)])
            if again != stored:
                return f"{event.TYPE} would be another batch"
            step: Sequence[Event] = again
        else:
            step = (event,)
        for each in step:
            table = tables.evolve(table, each, table.seq + 1, "system")
        at += len(step)
    return None


# The command line


def add_parsers(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Bring ``check-log`` to the command line."""
    parser = commands.add_parser("check-log", help="read every table's log and say what is wrong")
    parser.add_argument(
        "--referee", action="store_true", help="also decide every command again, and compare"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, settings: Settings) -> int:
    """Exit code 0 if all is well, 1 if something is wrong."""
    with database_for_command(settings, ready=True) as url:
        report = asyncio.run(_run(url, bool(arguments.referee)))
    for problem in report.problems:
        print(problem)
    print(
        f"{report.tables} tables, {report.events} events, {report.batches} batches:"
        f" {len(report.problems)} problems"
    )
    return 1 if report.problems else 0


async def _run(url: str, referee: bool) -> Report:
    database = await Database.connect(url)
    try:
        return await check(database, referee=referee)
    finally:
        await database.dispose()
