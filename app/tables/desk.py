"""The one way in which a table changes: number, evolve, commit, adopt, publish (D3).

``run`` brings work under a table's lock, in a task of this room's that sockets only await.
``commit`` takes the group path, or a transaction of its own when the batch brings rows along.
``catch_up`` follows what others have committed. Nothing here knows why a batch is written.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar
from uuid import UUID

from app.belote import engine
from app.belote.events import Event
from app.infra import metrics
from app.infra.clock import Clock
from app.infra.config import Limits, Timing
from app.infra.errors import AppError
from app.infra.logging import get_logger
from app.infra.rng import Rng
from app.infra.tasks import TaskOwner
from app.tables import deadlines, repository
from app.tables import table as tables
from app.tables.cache import Cache, Deadline, LiveTable, fold, stored_of
from app.tables.codec import CODEC, Stored, private_column
from app.tables.committer import Committer
from app.tables.drafts import Draft
from app.tables.events import How
from app.tables.outage import reaching
from app.tables.ports import Publication, Publisher
from app.tables.store import Batch, Committed, EventRow, Head, Result, Stale, Store
from app.tables.table import TableState, TurnInfo

log = get_logger(__name__)
_T = TypeVar("_T")

COMMITTED = metrics.counter("rebelote_batches_total", "Committed batches, by who acted.")
STALE = metrics.counter("rebelote_batches_stale_total", "Batches that found the table moved on.")

Hook = Callable[[LiveTable], None]
Ask = Callable[[TableState], Draft | None]


class Desk:
    """See the module. ``after`` is called, under the lock, whenever a live table has changed."""

    def __init__(
        self,
        store: Store,
        committer: Committer,
        publisher: Publisher,
        clock: Clock,
        rng: Rng,
        timing: Timing,
        limits: Limits,
    ) -> None:
        self.store = store
        self.database = store.database
        self.clock = clock
        self.rng = rng
        self.timing = timing
        self.limits = limits
        self._gate = asyncio.Semaphore(limits.row_transactions)
        self.cache = Cache(store, clock, limits)
        self.tasks = TaskOwner("tables")
        self.after: list[Hook] = []
        self._committer = committer
        self._publisher = publisher
        self._loading: dict[str, asyncio.Future[LiveTable | AppError]] = {}

    # Getting hold of a table

    async def table(self, code: str) -> LiveTable:
        """The live table, loaded if need be; AppError ``table_not_found`` or ``unavailable``."""
        live = self.cache.peek(code)
        if live is not None:
            live.used_ms = self.clock.monotonic_ms()
            return live
        loading = self._loading.get(code)
        if loading is None:
            loading = self.tasks.start(self._load(code), "load")
            self._loading[code] = loading
            loading.add_done_callback(lambda _: self._loading.pop(code, None))
        found = await asyncio.shield(loading)
        if isinstance(found, AppError):
            raise found
        return found

    async def _load(self, code: str) -> LiveTable | AppError:
        try:
            with reaching():
                live, head = await self.cache.load(code)
        except AppError as error:
            return error
        self._follow_row(live, head)
        self.cache.put(live)
        self._changed(live)
        return live

    async def run(self, live: LiveTable, work: Callable[[], Awaitable[_T]]) -> _T:
        """Do something under the table's lock. Whoever awaits may go; the work is carried through.

        AppErrors come back to the caller; they are answers, not failures of a task.
        """
        outcome = await asyncio.shield(self.tasks.start(self._locked(live, work), "table"))
        if isinstance(outcome, AppError):
            raise outcome
        return outcome

    async def _locked(self, live: LiveTable, work: Callable[[], Awaitable[_T]]) -> _T | AppError:
        async with live.lock:
            try:
                if not live.trusted:
                    await self.catch_up(live)
                return await work()
            except AppError as error:
                return error

    # Writing

    async def attempt(self, live: LiveTable, ask: Ask) -> Committed | None:
        """Ask for a batch and commit it; after a conflict look at the log and ask once more. None
        when there is nothing to write. AppError ``conflict`` if others were faster twice."""
        for _ in range(2):
            draft = ask(live.state)
            if draft is None:
                return None
            result = await self.commit(live, draft)
            if isinstance(result, Committed):
                return result
            if draft.expiry:
                await self.catch_up(live)
                return None
            await self.catch_up(live)
        raise AppError("conflict")

    async def commit(self, live: LiveTable, draft: Draft) -> Result:
        """Write a batch and publish it. On ``Stale`` nothing has changed here; ``catch_up`` then.

        AppError ``unavailable`` if its fate can't be known: the log is read before the next step.
        """
        before = live.state
        after, batch, stored = self.prepare(live.id, before, draft)
        with reaching(live):
            if repository.needs_rows(before, after, draft.events):
                result = await self._with_rows(batch, before, after, draft)
            else:
                result = await self._committer.append(batch)
        if isinstance(result, Stale):
            STALE.add()
            return result
        COMMITTED.add(how=draft.how)
        if not batch.keep:
            self._set_deadline(live, batch)
        self.adopt(live, after, stored, draft)
        return result

    def prepare(
        self, table_id: int, before: TableState, draft: Draft, *, fresh: bool = False
    ) -> tuple[TableState, Batch, tuple[Stored, ...]]:
        """Number a draft's events, fold them, plan the deadline, encode once. Pure but for
        the bot's pace and the batch's id, which are drawn here."""
        after = before
        rows: list[EventRow] = []
        stored: list[Stored] = []
        # Every batch has an id: it marks the batch's first event, and finds it again when a
        # connection was lost in flight.
        cmd_id: UUID | None = draft.cmd_id or UUID(bytes=self.rng.token_bytes(16))
        for seq, (event, how) in enumerate(draft.each(), before.seq + 1):
            after = tables.evolve(after, event, seq, how)
            row, told = _encoded(event, seq, how, draft.by, cmd_id)
            cmd_id = None  # it stands on a batch's first event only
            rows.append(row)
            stored.append(told)
        keep, due = deadlines.plan(
            None if fresh else before, after, draft.events, self.timing, self.rng
        )
        batch = Batch(table_id, before.seq, tuple(rows), due, keep, draft.expiry)
        return after, batch, tuple(stored)

    async def _with_rows(
        self, batch: Batch, before: TableState, after: TableState, draft: Draft
    ) -> Result:
        # Many matches that end at once would go before every move of the others on the loop.
        async with self._gate, self.database.unit_of_work() as session:
            result = await self.store.append_with(session, batch)
            if isinstance(result, Committed):
                now = self.clock.now()
                await repository.write(
                    session, batch.table_id, before, after, draft, now, self.timing
                )
        return result

    # Following

    async def catch_up(self, live: LiveTable) -> None:
        """Follow the log from where this process stands, and publish what it had not seen."""
        with reaching(live):
            head = await self.store.head_of(live.id)
            if head is None:
                raise AppError("table_not_found")
            state, stored = live.state, []
            async for logged in self.store.events(live.id, state.seq, head.head_seq):
                state = fold(live.code, state, logged)
                stored.append(stored_of(logged))
        live.trusted = True
        self._follow_row(live, head)
        if stored:
            self.adopt(live, state, tuple(stored), None)
        else:
            self._changed(live)

    def _follow_row(self, live: LiveTable, head: Head) -> None:
        live.deadline = None
        if head.deadline_kind is not None and head.due_ms is not None:
            due = self.clock.monotonic_ms() + head.due_ms
            live.deadline = Deadline(head.deadline_kind, head.deadline_seq, due)
        live.idle = head.idle
        live.turn = self.turn_info(live, live.state)

    def _set_deadline(self, live: LiveTable, batch: Batch) -> None:
        if batch.due is None:
            live.deadline = None
            return
        due = self.clock.monotonic_ms() + batch.due.ms
        live.deadline = Deadline(batch.due.kind, batch.due.seq, due)

    def adopt(
        self,
        live: LiveTable,
        after: TableState,
        stored: tuple[Stored, ...],
        draft: Draft | None,
    ) -> None:
        """The table is now ``after``, durably: tell everybody (D3)."""
        before, live.state = live.state, after
        live.recent.extend(stored)
        if after.status == "playing" and not after.paused:
            live.idle = False
        live.turn = self.turn_info(live, after)
        origin: tuple[UUID, UUID] | None = None
        if draft is not None and draft.by is not None and draft.cmd_id is not None:
            origin = (draft.by, draft.cmd_id)
        self._publish(Publication(live.code, live.id, stored, before, after, live.turn, origin))
        self._changed(live)

    def tell_turn(self, live: LiveTable) -> None:
        """Tell the open turn again: its deadline has moved."""
        live.turn = self.turn_info(live, live.state)
        self._publish(Publication(live.code, live.id, (), live.state, live.state, live.turn))

    def _publish(self, publication: Publication) -> None:
        try:
            self._publisher.publish(publication)
        except Exception as error:  # the commit stands; pings bring what was lost
            log.error("publish_failed", table=publication.code, exc_info=error)

    def _changed(self, live: LiveTable) -> None:
        for hook in self.after:
            hook(live)

    def turn_info(self, live: LiveTable, state: TableState) -> TurnInfo | None:
        """The open turn with the time that people see, and the legal choices of a person."""
        turn = tables.open_turn(state)
        if turn is None:
            return None
        legal = None
        if turn.seat is not None and state.game is not None:
            person = state.seats[turn.seat].kind == "person"
            legal = engine.legal(state.game, turn.seat) if person else None
        due = live.deadline
        seen = due is not None and due.seq == turn.decision and deadlines.shown(due.kind, state)
        due_ms = whole_ms = None
        if due is not None and seen:
            due_ms = due.due_ms
            whole_ms = deadlines.whole(due.kind, state, self.timing)
        also = tables.also(state)
        return TurnInfo(turn.decision, turn.seat, turn.kind, due_ms, legal, also, whole_ms)

    def turn_left_ms(self, live: LiveTable) -> int | None:
        """What the person whose turn it is has left of it, also when a bot sits in there now; None
        where no clock runs."""
        due = live.deadline
        if due is None or due.kind != "turn":
            return live.state.left_ms
        return max(due.due_ms - self.clock.monotonic_ms(), 0)


def _encoded(
    event: Event, seq: int, how: How, by: UUID | None, cmd_id: UUID | None
) -> tuple[EventRow, Stored]:
    """The row for the log, and what may be told: the second has no hidden part (D4)."""
    parts = CODEC.encode(event)
    private = private_column(parts.private)
    row = EventRow(
        seq,
        parts.type,
        parts.v,
        by,
        how,
        cmd_id,
        parts.public.decode(),
        None if private is None else private.decode(),
        None if parts.hidden is None else parts.hidden.decode(),
    )
    return row, Stored(seq, parts.type, parts.v, how, parts.public, parts.private)
