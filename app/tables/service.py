"""``Tables``: all that the rooms above may ask of this one.

It holds the parts together and answers commands; each part has its own file (``seats``,
``alarms``, ``absence``, ``sweeper``, and ``desk``, through which all of them write).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

import asyncpg
from sqlalchemy.ext.asyncio import AsyncSession

from app.belote.cards import Seat
from app.bots.policy import choose
from app.infra import metrics
from app.infra.clock import Clock, SystemClock
from app.infra.config import Limits, Timing
from app.infra.db import Database
from app.infra.errors import KINDS, AppError
from app.infra.logging import get_logger
from app.infra.rng import Rng, SystemRng
from app.players.models import PlayerRef
from app.tables import codec, orders, sweeps
from app.tables.absence import Absence
from app.tables.alarms import Alarms, default_name
from app.tables.cache import LiveTable, stored_of
from app.tables.codec import Json, Stored
from app.tables.committer import Committer
from app.tables.conduct import Conduct
from app.tables.desk import Desk
from app.tables.drafts import ClientCommand, Draft, Means, Refused
from app.tables.events import Options, SeatLeft, SeatTaken, SeatToBot
from app.tables.hosting import Hosting
from app.tables.outage import reaching
from app.tables.ports import BotBrain, Publisher
from app.tables.presence import Presence
from app.tables.seats import Opening, Seats
from app.tables.store import Committed, Store
from app.tables.sweeper import Sweeper
from app.tables.table import TableState, TurnInfo

log = get_logger(__name__)

COMMANDS = metrics.counter("rebelote_commands_total", "Commands of people, by answer.")
DECIDE = metrics.histogram("rebelote_command_ms", "From a command to its durable answer.")


@dataclass(frozen=True, slots=True)
class Ack:
    """The command is durable (D3); ``seq`` is the first number of its batch."""

    seq: int


@dataclass(frozen=True, slots=True)
class Nak:
    """The command is not carried out. ``retry``: the same id may be sent again."""

    code: str
    retry: bool = False
    facts: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A table at number ``seq`` for one viewer in ``seat``."""

    seq: int
    state: TableState
    turn: TurnInfo | None
    seat: Seat | None
    viewer: UUID | None

    def view_json(self) -> Json:
        """The viewer's view; presence is left to the hub."""
        return codec.snapshot_json(self.state, self.viewer)


@dataclass(frozen=True, slots=True)
class SeatAt:
    """A live table where a person sits."""

    code: str
    status: str
    preset: str
    seat: int


class Tables:
    """The tables of this process. ``await run()`` once; ``await close()`` drains and ends."""

    def __init__(
        self,
        database: Database,
        publisher: Publisher,
        *,
        timing: Timing,
        limits: Limits,
        clock: Clock | None = None,
        rng: Rng | None = None,
        brain: BotBrain = choose,
        store: Store | None = None,
    ) -> None:
        rng = rng or SystemRng()
        self.store = store or Store(database, page=limits.event_page)
        self._committer = Committer(self.store, limits)
        self._desk = Desk(
            self.store, self._committer, publisher, clock or SystemClock(), rng, timing, limits
        )
        self._presence = Presence(self._desk.clock)
        name = default_name(rng.random())
        self._conduct = Conduct(database, self._desk.clock, timing.rated_pauses)
        self._seats = Seats(self._desk, self._conduct, name)
        self._hosting = Hosting(self._desk, name)
        self._means = Means(rng, self._desk.clock, name, self._presence.away)
        self._alarms = Alarms(self._desk, brain)
        self._absence = Absence(self._desk, self._presence)
        self._sweeper = Sweeper(self._desk, self._alarms, self._absence)
        self._desk.after += [self._alarms.changed, self._absence.changed]
        self._closed = False

    async def run(self) -> None:
        """Start the tasks that this room owns; returns when they run."""
        self._committer.start()
        await self._sweeper.start()

    async def close(self) -> None:
        """Let what is under way be committed, then end all tasks. Twice is as good as once."""
        if self._closed:
            return
        self._closed = True
        self._sweeper.stop()
        for live in self._desk.cache:
            live.cancel_all()
        await self._committer.close()
        await self._desk.tasks.close()

    # Seats

    async def open(self, host: PlayerRef, options: Options, address: bytes | None = None) -> str:
        """A new table with its host on seat 0; answers its code."""
        return await self._seats.open(host, options, address)

    async def open_in(
        self, session: AsyncSession, seats: Sequence[PlayerRef | None], options: Options
    ) -> Opening:
        """A table whose match has begun, in the caller's transaction; see ``Seats.open_in``."""
        return await self._seats.open_in(session, seats, options)

    def opened(self, opening: Opening) -> str:
        """After the commit: the table lives; its code."""
        return self._seats.opened(opening)

    async def join(
        self, code: str, player: PlayerRef, seat: int | None = None, address: bytes | None = None
    ) -> Seat:
        """Sit down; see ``Seats.join`` for the AppErrors."""
        return await self._seats.join(code, player, seat, address)

    async def leave(self, code: str, player: UUID) -> None:
        """Get up for good."""
        await self._seats.leave(code, player)

    async def start(self, code: str, player: UUID, *, bots: bool = False) -> None:
        """Start a match, or ask everybody first; the host alone may. See ``Hosting``."""
        await self._hosting.start(code, player, bots=bots)

    @property
    def hosting(self) -> Hosting:
        """The host's powers."""
        return self._hosting

    async def rated_pause(self, player: UUID) -> None:
        """AppError ``rated_pause`` if the player may not play rated matches now."""
        await self._conduct.require(player)

    async def seats_of(self, player: UUID) -> list[SeatAt]:
        """The live tables where a person sits, newest first (*Continue your match*)."""
        async with self._desk.database.unit_of_work() as session:
            found = await sweeps.seats_of(session, player)
        return [SeatAt(*row) for row in found]

    # Commands

    async def handle(self, code: str, player: UUID, command: ClientCommand) -> Ack | Nak:
        """Carry out a person's command, or say why not. A resend (same player and id) is answered
        as the first was; it may be cancelled, and the command is carried through all the same."""
        if self._closed:
            return Nak("draining", retry=True)
        began = self._desk.clock.monotonic_ms()
        try:
            live = await self._desk.table(code)
            answer = await self._desk.run(live, lambda: self._handle(live, player, command))
        except AppError as error:
            answer = Nak(error.code, error.retry, error.facts)
        except Exception as error:  # the socket gets a nak, the log the error
            log.error("command_failed", table=code, exc_info=error)
            answer = Nak("internal", retry=True)
        DECIDE.observe(self._desk.clock.monotonic_ms() - began)
        COMMANDS.add(answer="ack" if isinstance(answer, Ack) else "nak")
        return answer

    async def _handle(self, live: LiveTable, player: UUID, command: ClientCommand) -> Ack | Nak:
        for _ in range(2):
            first = live.state.seq + 1
            try:
                draft = orders.command(live.state, player, command, self._means)
                result = await self._desk.commit(live, draft)
            except Refused as refused:
                return await self._refuse(live, player, command, refused)
            except asyncpg.UniqueViolationError:
                return await self._answered(live, player, command) or Nak("internal", retry=True)
            if isinstance(result, Committed):
                return Ack(first)
            await self._desk.catch_up(live)
            answered = await self._answered(live, player, command)
            if answered is not None:
                return answered
        return Nak("conflict", KINDS["conflict"].retry)

    async def _refuse(
        self, live: LiveTable, player: UUID, command: ClientCommand, refused: Refused
    ) -> Ack | Nak:
        """A command that can't be carried out: perhaps it was before. The seat is taken back all
        the same (D7), under no id of the client's, so that a resend gets this same answer."""
        answered = await self._answered(live, player, command)
        if answered is not None:
            return answered
        if refused.reclaim:
            back = await self._desk.commit(live, Draft(refused.reclaim, "human", player))
            if not isinstance(back, Committed):
                await self._desk.catch_up(live)
                return Nak("conflict", KINDS["conflict"].retry)
        return Nak(refused.code, facts=refused.facts)

    async def _answered(self, live: LiveTable, player: UUID, command: ClientCommand) -> Ack | None:
        with reaching():
            seq = await self.store.find(live.id, player, command.id)
        return None if seq is None else Ack(seq)

    # Reading

    async def snapshot(self, code: str, player: UUID | None) -> Snapshot:
        """The table as a viewer may know it. AppError ``table_not_found``."""
        live = await self._desk.table(code)
        if not live.trusted:
            await self.refresh(code)
        state = live.state
        return Snapshot(state.seq, state, live.turn, state.seat_of(player), player)

    async def events_after(self, code: str, player: UUID | None, seq: int) -> list[Stored] | None:
        """The events after number ``seq``, or None if the viewer needs a snapshot: the gap is too
        wide, the number unknown, or the viewer's seat has changed in between."""
        live = await self._desk.table(code)
        head = live.state.seq
        if not 0 < seq <= head or head - seq > self._desk.limits.resume_gap:
            return None
        if seq == head:
            return []
        found = [stored for stored in live.recent if seq < stored.seq <= head]
        if not found or found[0].seq != seq + 1:
            found = await self._read(live, seq, head)
        seat = live.state.seat_of(player)
        return None if any(_moves(stored, player, seat) for stored in found) else found

    async def _read(self, live: LiveTable, after: int, head: int) -> list[Stored]:
        with reaching():
            return [stored_of(row) async for row in self.store.events(live.id, after, head)]

    def state(self, code: str) -> TableState | None:
        """The table if this process has it in memory."""
        live = self._desk.cache.peek(code)
        return None if live is None else live.state

    def presence(self, table: TableState) -> tuple[bool | None, ...]:
        """By seat: True a connected person, False an absent one, None a bot or nobody."""
        return self._presence.of_seats(table)

    async def heads(self, codes: Iterable[str]) -> dict[str, int]:
        """The newest numbers in the database, for the head poll (D8)."""
        return await self.store.heads(codes)

    async def refresh(self, code: str) -> None:
        """Read what others have committed to a table, and publish it."""
        live = await self._desk.table(code)
        await self._desk.run(live, lambda: self._desk.catch_up(live))

    # Presence and time

    def connected(self, code: str, player: UUID) -> None:
        """A socket of the player follows the table."""
        self._absence.connected(code, player)

    def disconnected(self, code: str, player: UUID) -> None:
        """A socket of the player is gone."""
        self._absence.disconnected(code, player)

    async def expire(self, code: str) -> None:
        """Answer the table's deadline if the database finds it due; else nothing happens."""
        await self._alarms.overdue(code)

    async def sweep(self) -> None:
        """One round of the sweeper."""
        await self._sweeper.sweep()

    async def beat(self) -> None:
        """One heartbeat."""
        await self._sweeper.beat()

    async def adopt(self) -> None:
        """Pause, or note as empty, the tables that nobody came back to after a restart."""
        await self._sweeper.adopt()


def _moves(stored: Stored, player: UUID | None, seat: Seat | None) -> bool:
    """Whether an event may have given the viewer its seat or taken it: then its private part is
    another one. ``seat`` is the one it has now."""
    if seat is not None:
        return stored.type == SeatTaken.TYPE and str(player).encode() in stored.public
    left = stored.type == SeatToBot.TYPE and b'"left"' in stored.public
    return left or stored.type == SeatLeft.TYPE
