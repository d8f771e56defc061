"""Opening a table, sitting down, getting up. AppErrors say why not."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from app.belote.cards import Seat
from app.belote.events import Event
from app.infra.clock import Clock
from app.infra.errors import AppError
from app.infra.ids import new_table_code
from app.infra.rng import Rng
from app.players.models import PlayerRef
from app.tables import drafts, repository
from app.tables import events as ev
from app.tables import table as tables
from app.tables.cache import Deadline, LiveTable
from app.tables.codec import Stored
from app.tables.conduct import Conduct
from app.tables.desk import Ask, Desk
from app.tables.drafts import Draft, Namer
from app.tables.events import Occupant, Options
from app.tables.outage import reaching
from app.tables.store import Batch, Committed
from app.tables.table import Chair, TableState

CODE_TRIES = 8
"""Codes to draw before giving up; one in use is met once in 88,000 draws at 10,000 tables."""


@dataclass(frozen=True, slots=True)
class Opening:
    """A new table that is written and not yet committed."""

    table_id: int
    after: TableState
    batch: Batch
    stored: tuple[Stored, ...]
    draft: Draft


class Seats:
    """Who sits where."""

    def __init__(self, desk: Desk, conduct: Conduct, name: Namer) -> None:
        self._desk = desk
        self._conduct = conduct
        self._name = name

    @property
    def _rng(self) -> Rng:
        return self._desk.rng

    @property
    def _clock(self) -> Clock:
        return self._desk.clock

    async def open(self, host: PlayerRef, options: Options, address: bytes | None = None) -> str:
        """A new table with its host on seat 0; answers its code. AppError ``rated_pause``, and
        ``bad_options`` for a rated table whose pack would be cut (a cut tells too much)."""
        if options.rated:
            if options.rules.handling != "shuffle":
                raise AppError("bad_options", message="Rated tables shuffle.")
            await self._conduct.require(host.id)
        with reaching():
            for _ in range(CODE_TRIES):
                live = await self._opened(new_table_code(self._rng), host, options, address)
                if live is not None:
                    return live.code
        raise AppError("internal", message="No free code was found.")

    async def _opened(
        self, code: str, host: PlayerRef, options: Options, address: bytes | None
    ) -> LiveTable | None:
        desk = self._desk
        events = (ev.Opened(code, host.id, options), ev.SeatTaken(Seat(0), person(host)))
        draft = Draft(events, "human", host.id, address=address)
        async with desk.database.unit_of_work() as session:
            opening = await self._written(session, _empty(code, options), draft)
        return None if opening is None else self._told(opening)

    async def open_in(
        self, session: AsyncSession, seats: Sequence[PlayerRef | None], options: Options
    ) -> Opening:
        """A table for people who were brought together: all sit (None: a bot's seat), and their
        match begins in the same batch, in the caller's transaction. ``opened`` after its commit.

        AppError ``busy_elsewhere``; the transaction is then of no use.
        """
        people = [(Seat(seat), who) for seat, who in enumerate(seats) if who is not None]
        host = people[0][1].id
        for _ in range(CODE_TRIES):
            code = new_table_code(self._rng)
            events: tuple[Event, ...] = (
                ev.Opened(code, host, options),
                *(ev.SeatTaken(seat, person(who)) for seat, who in people),
            )
            empty = _empty(code, options)
            table = drafts.fold(empty, events, "system")
            events += drafts.match_start(table, self._rng, self._clock, self._name)
            opening = await self._written(session, empty, Draft(events, "system"))
            if opening is not None:
                return opening
        raise AppError("internal", message="No free code was found.")

    def opened(self, opening: Opening) -> str:
        """The opening is durable: the table lives, and everybody may hear of it (D3). Its code."""
        return self._told(opening).code

    async def _written(
        self, session: AsyncSession, empty: TableState, draft: Draft
    ) -> Opening | None:
        """A new table's row, log and seats; None if its code is in use."""
        desk = self._desk
        host = tables.evolve(empty, draft.events[0], 1, draft.how).host
        table_id = await repository.open_table(
            session, empty.code, host, empty.options, desk.timing.idle_table
        )
        if table_id is None:
            return None
        after, batch, stored = desk.prepare(table_id, empty, draft, fresh=True)
        await desk.store.append_with(session, batch)
        await repository.write(
            session, table_id, empty, after, draft, self._clock.now(), desk.timing
        )
        return Opening(table_id, after, batch, stored, draft)

    def _told(self, opening: Opening) -> LiveTable:
        desk, now, due = self._desk, self._clock.monotonic_ms(), opening.batch.due
        live = LiveTable(opening.table_id, opening.after, now, desk.limits.resume_gap)
        live.idle = True
        if due is not None:
            live.deadline = Deadline(due.kind, due.seq, now + due.ms)
        desk.cache.put(live)
        desk.adopt(live, opening.after, opening.stored, opening.draft)
        return live

    async def join(
        self, code: str, player: PlayerRef, seat: int | None, address: bytes | None = None
    ) -> Seat:
        """Sit down on a seat, or on the first that is free (None). A bot's place may be taken
        between matches, and between two deals of a casual match whose host allows it.

        AppError ``already_seated``, ``table_full``, ``seat_taken``, ``wrong_status``,
        ``match_left``, ``sent_away``, ``rated_pause``, ``table_closed``, ``table_not_found``.
        """
        live = await self._desk.table(code)
        if live.state.options.rated:
            await self._conduct.require(player.id)

        def ask(table: TableState) -> Draft:
            chosen = _seat_for(table, player.id, seat)
            events: tuple[Event, ...] = (ev.SeatTaken(chosen, person(player)),)
            if table.host is None:
                events = (*events, ev.HostChanged(player.id))
            return Draft(events, "human", player.id, address=address)

        await self._attempt(live, ask)
        found = live.state.seat_of(player.id)
        if found is None:
            raise AppError("conflict")
        return found

    async def leave(self, code: str, player: UUID) -> None:
        """Get up for good. In a match a bot plays on and nothing is earned."""
        live = await self._desk.table(code)
        await self._attempt(live, lambda table: Draft(drafts.leave(table, player), "human", player))

    async def _attempt(self, live: LiveTable, ask: Ask) -> None:
        async def work() -> Committed | None:
            return await self._desk.attempt(live, ask)

        await self._desk.run(live, work)


def person(player: PlayerRef) -> Occupant:
    """A person as a seat's occupant."""
    return Occupant("person", player.id, player.name, player.avatar, player.level)


def _empty(code: str, options: Options) -> TableState:
    return TableState(code, "waiting", None, options, (Chair(),) * options.rules.players)


def _seat_for(table: TableState, player: UUID, seat: int | None) -> Seat:
    if table.status == "closed":
        raise AppError("table_closed")
    if table.seat_of(player) is not None:
        raise AppError("already_seated")
    if player in table.removed:
        raise AppError("sent_away")
    if table.status == "playing":
        _require_latecomers(table, player)
    kinds = ("bot",) if table.status == "playing" else ("free", "bot")
    if seat is not None:
        if not 0 <= seat < len(table.seats) or table.seats[seat].kind not in kinds:
            raise AppError("seat_taken")
        return Seat(seat)
    for kind in kinds:
        for index, chair in enumerate(table.seats):
            if chair.kind == kind:
                return Seat(index)
    raise AppError("table_full")


def _require_latecomers(table: TableState, player: UUID) -> None:
    """A bot's seat in a match is a person's only between two deals, in a casual match, where the
    host allows it; who left this match for good has no way back."""
    if table.match is not None and table.match.has_left(player):
        raise AppError("match_left")
    between = table.game is not None and table.game.phase in ("scored", "passed_out")
    if table.options.rated or not table.options.latecomers or table.paused or not between:
        raise AppError("wrong_status")
