"""Opening a table, sitting down, getting up, starting a match. AppErrors say why not."""

from uuid import UUID

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
from app.tables.desk import Ask, Desk, unreachable
from app.tables.drafts import Draft, Namer
from app.tables.events import Occupant, Options
from app.tables.store import Committed
from app.tables.table import Chair, TableState

CODE_TRIES = 8
"""Codes to draw before giving up; one in use is met once in 88,000 draws at 10,000 tables."""


class Seats:
    """Who sits where."""

    def __init__(self, desk: Desk, name: Namer) -> None:
        self._desk = desk
        self._name = name

    @property
    def _rng(self) -> Rng:
        return self._desk.rng

    @property
    def _clock(self) -> Clock:
        return self._desk.clock

    async def open(self, host: PlayerRef, options: Options) -> str:
        """A new table with its host on seat 0; answers its code."""
        try:
            for _ in range(CODE_TRIES):
                live = await self._opened(new_table_code(self._rng), host, options)
                if live is not None:
                    return live.code
        except Exception as error:
            if unreachable(error):
                raise AppError("unavailable") from error
            raise
        raise AppError("internal", message="No free code was found.")

    async def _opened(self, code: str, host: PlayerRef, options: Options) -> LiveTable | None:
        desk, store = self._desk, self._desk.store
        empty = TableState(code, "waiting", None, options, (Chair(),) * options.rules.players)
        events = (ev.Opened(code, host.id, options), ev.SeatTaken(Seat(0), person(host)))
        draft = Draft(events, "human", host.id)
        async with desk.database.unit_of_work() as session:
            idle_ms = desk.timing.idle_table
            table_id = await repository.open_table(session, code, host.id, options, idle_ms)
            if table_id is None:
                return None
            after, batch, stored = desk.prepare(table_id, empty, draft, fresh=True)
            await store.append_with(session, batch)
            await repository.write(
                session, table_id, empty, after, events, self._clock.now(), desk.timing
            )
        now = self._clock.monotonic_ms()
        live = LiveTable(table_id, after, now, desk.limits.resume_gap)
        live.idle = True
        if batch.due is not None:
            live.deadline = Deadline(batch.due.kind, batch.due.seq, now + batch.due.ms)
        desk.cache.put(live)
        desk.adopt(live, after, stored, draft)
        return live

    async def join(self, code: str, player: PlayerRef, seat: int | None) -> Seat:
        """Sit down on a seat, or on the first that is free (None). A bot's place may be taken
        between matches. When a table that fills by itself is full of people, the match starts.

        AppError ``already_seated``, ``table_full``, ``seat_taken``, ``wrong_status``,
        ``table_closed``, ``table_not_found``.
        """
        live = await self._desk.table(code)

        def ask(table: TableState) -> Draft:
            chosen = _seat_for(table, player.id, seat)
            events: tuple[Event, ...] = (ev.SeatTaken(chosen, person(player)),)
            if table.host is None:
                events = (*events, ev.HostChanged(player.id))
            after = drafts.fold(table, events, "human")
            if _full_of_people(after) and after.options.fill and after.status == "waiting":
                start = drafts.match_start(after, self._rng, self._clock, self._name)
                events += start
            return Draft(events, "human", player.id)

        await self._attempt(live, ask)
        found = live.state.seat_of(player.id)
        if found is None:
            raise AppError("conflict")
        return found

    async def leave(self, code: str, player: UUID) -> None:
        """Get up for good. In a match a bot plays on and nothing is earned."""
        live = await self._desk.table(code)
        await self._attempt(live, lambda table: Draft(drafts.leave(table, player), "human", player))

    async def start(self, code: str, player: UUID) -> None:
        """Start a match: the host alone, bots take the free seats if the table has any.

        AppError ``not_host``, ``not_seated``, ``wrong_status``, ``table_closed``.
        """
        live = await self._desk.table(code)

        def ask(table: TableState) -> Draft:
            if table.status == "closed":
                raise AppError("table_closed")
            if table.seat_of(player) is None:
                raise AppError("not_seated")
            if table.host != player:
                raise AppError("not_host")
            full = _full_of_people(table)
            if table.status == "playing" or (table.options.bots is None and not full):
                raise AppError("wrong_status")
            events = drafts.match_start(table, self._rng, self._clock, self._name)
            return Draft(events, "human", player)

        await self._attempt(live, ask)

    async def _attempt(self, live: LiveTable, ask: Ask) -> None:
        async def work() -> Committed | None:
            return await self._desk.attempt(live, ask)

        await self._desk.run(live, work)


def person(player: PlayerRef) -> Occupant:
    """A person as a seat's occupant."""
    return Occupant("person", player.id, player.name, player.avatar, player.level)


def _full_of_people(table: TableState) -> bool:
    return len(tables.persons(table)) == len(table.seats)


def _seat_for(table: TableState, player: UUID, seat: int | None) -> Seat:
    if table.status == "closed":
        raise AppError("table_closed")
    if table.seat_of(player) is not None:
        raise AppError("already_seated")
    if table.status == "playing":
        raise AppError("wrong_status")
    if seat is not None:
        if not 0 <= seat < len(table.seats) or table.seats[seat].kind == "person":
            raise AppError("seat_taken")
        return Seat(seat)
    for kind in ("free", "bot"):
        for index, chair in enumerate(table.seats):
            if chair.kind == kind:
                return Seat(index)
    raise AppError("table_full")
