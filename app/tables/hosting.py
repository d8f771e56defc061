"""What a table's host may do: start a match, place people, send them away, hand the table over.

Whoever is host is the table's own knowledge (``TableState.host``); AppError ``not_host`` for all
others. Nobody is moved while a match runs.
"""

from collections.abc import Callable
from dataclasses import replace
from uuid import UUID

from app.belote.cards import Seat
from app.belote.events import Event
from app.infra.errors import AppError
from app.tables import drafts
from app.tables import events as ev
from app.tables import table as tables
from app.tables.cache import LiveTable
from app.tables.desk import Desk
from app.tables.drafts import Draft, Namer
from app.tables.store import Committed
from app.tables.table import TableState

Write = Callable[[TableState, Seat], tuple[Event, ...]]
"""From the table and the host's seat to what is written."""


class Hosting:
    """The host's powers."""

    def __init__(self, desk: Desk, name: Namer) -> None:
        self._desk = desk
        self._name = name

    async def start(self, code: str, player: UUID, *, bots: bool = False) -> None:
        """Start a match. Everybody is asked first whether they are ready (*Play now* starts its
        matches by itself, and asks nobody). Bots take the free seats if the options or ``bots`` say
        so.

        AppError ``not_host``, ``not_seated``, ``wrong_status``, ``table_closed``,
        ``rated_needs_people``, ``same_address``.
        """

        def write(table: TableState, seat: Seat) -> tuple[Event, ...]:
            drafts.require_people(table)  # before anybody is asked
            full = all(chair.kind != "free" for chair in table.seats)
            if table.ready is not None or not (full or bots or table.options.bots is not None):
                raise AppError("wrong_status")
            if self._asks(table):
                return (ev.ReadyAsked(seat, bots),)
            return drafts.match_start(table, self._desk.rng, self._desk.clock, self._name)

        await self._write(code, player, write)

    def _asks(self, table: TableState) -> bool:
        """Whether a start begins with a ready check."""
        return self._desk.timing.ready_check > 0 and not tables.alone(table)

    async def move(self, code: str, player: UUID, seat: int, to: int) -> None:
        """Put whoever sits on a seat on another; who sits there changes places.

        AppError ``not_host``, ``not_seated``, ``wrong_status``, ``table_closed``, ``no_such_seat``.
        """

        def write(table: TableState, _: Seat) -> tuple[Event, ...]:
            one, two = _seat(table, seat), _seat(table, to)
            if table.seats[one].kind == "free":
                raise AppError("no_such_seat")
            return () if one == two else _changed_places(table, one, two)

        await self._write(code, player, write)

    async def remove(self, code: str, player: UUID, seat: int) -> None:
        """Send a person away, who may not sit down at this table again, or a bot.

        AppError as ``move``; the host can't send itself away: it leaves.
        """

        def write(table: TableState, own: Seat) -> tuple[Event, ...]:
            whose = _seat(table, seat)
            kind = table.seats[whose].kind
            if kind == "free" or whose == own:
                raise AppError("no_such_seat")
            return (ev.SeatLeft(whose, removed=kind == "person"),)

        await self._write(code, player, write)

    async def hand_over(self, code: str, player: UUID, to: UUID) -> None:
        """Make another person at the table its host, at any time.

        AppError ``not_host``, ``not_seated``, ``player_not_found``, ``table_closed``.
        """

        def write(table: TableState, _: Seat) -> tuple[Event, ...]:
            if table.seat_of(to) is None:
                raise AppError("player_not_found")
            return () if to == player else (ev.HostChanged(to),)

        await self._write(code, player, write, playing=True)

    async def set_options(
        self,
        code: str,
        player: UUID,
        *,
        spectators: bool | None = None,
        latecomers: bool | None = None,
    ) -> None:
        """Allow or forbid onlookers and latecomers, at any time; None leaves it as it is.

        AppError ``not_host``, ``not_seated``, ``table_closed``.
        """

        def write(table: TableState, _: Seat) -> tuple[Event, ...]:
            old = table.options
            new = replace(
                old,
                spectators=old.spectators if spectators is None else spectators,
                latecomers=old.latecomers if latecomers is None else latecomers,
            )
            return () if new == old else (ev.OptionsSet(new),)

        await self._write(code, player, write, playing=True)

    async def _write(self, code: str, player: UUID, write: Write, *, playing: bool = False) -> None:
        live = await self._desk.table(code)

        def ask(table: TableState) -> Draft | None:
            events = write(table, _host_seat(table, player, playing=playing))
            return Draft(events, "human", player) if events else None

        await self._attempt(live, ask)

    async def _attempt(self, live: LiveTable, ask: Callable[[TableState], Draft | None]) -> None:
        async def work() -> Committed | None:
            return await self._desk.attempt(live, ask)

        await self._desk.run(live, work)


def _host_seat(table: TableState, player: UUID, *, playing: bool) -> Seat:
    if table.status == "closed":
        raise AppError("table_closed")
    seat = table.seat_of(player)
    if seat is None:
        raise AppError("not_seated")
    if table.host != player:
        raise AppError("not_host")
    if table.status == "playing" and not playing:
        raise AppError("wrong_status")
    return seat


def _seat(table: TableState, seat: int) -> Seat:
    if not 0 <= seat < len(table.seats):
        raise AppError("no_such_seat")
    return Seat(seat)


def _changed_places(table: TableState, one: Seat, two: Seat) -> tuple[Event, ...]:
    """Two seats with their occupants exchanged; the second may have been free."""
    first, second = table.seats[one], table.seats[two]
    events: tuple[Event, ...] = (ev.SeatLeft(one),)
    if second.kind == "free":
        return (*events, ev.SeatTaken(two, drafts.occupant(first)))
    return (
        *events,
        ev.SeatLeft(two),
        ev.SeatTaken(two, drafts.occupant(first)),
        ev.SeatTaken(one, drafts.occupant(second)),
    )
