"""The hub: everything that a socket's frames ask for, and what is published to them.

It implements `tables.ports.Publisher`. Who is connected is in `sockets`, who listens to which table
in `subscriptions`, what a socket does in the lobby in `lobby_side`. No frame is handled while it
holds a database session; sends happen in the sockets' own writers.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection
from uuid import UUID

from app.infra.clock import Clock
from app.infra.config import Limits, Timing
from app.infra.errors import AppError
from app.infra.logging import get_logger
from app.infra.tasks import TaskOwner
from app.lobby.door import Door
from app.players.bounds import Bounds
from app.players.limiter import address_key
from app.players.models import PlayerRef
from app.players.service import Players
from app.realtime import protocol
from app.realtime.bus import Bus, PolledBus
from app.realtime.connection import Connection
from app.realtime.lobby_side import LobbySide
from app.realtime.protocol import CloseCode
from app.realtime.sockets import Sockets
from app.realtime.subscriptions import Subscriptions
from app.tables.drafts import ClientCommand
from app.tables.outage import unreachable
from app.tables.ports import Publication
from app.tables.service import Ack, Tables

log = get_logger(__name__)


class Hub:
    """One a process."""

    def __init__(
        self,
        players: Players,
        clock: Clock,
        timing: Timing,
        limits: Limits,
        build: str,
    ) -> None:
        self.clock = clock
        self.timing = timing
        self.limits = limits
        self.tasks = TaskOwner("hub")
        self.draining = False
        self._build = build
        self._sockets = Sockets(players, clock, timing, limits, self._gone)

    # --- The hub's own life ---------------------------------------------------------------------

    def start(self, tables: Tables, lobby: LobbySide, door: Door, bounds: Bounds) -> None:
        """Begin sweeping and polling. The tables publish to the hub, so they are made after it."""
        self._tables = tables
        self._lobby = lobby
        self._bounds = bounds
        subscriptions = Subscriptions(tables, door, self.clock, self.limits, self.tasks)
        self._subscriptions = subscriptions
        bus: Bus = PolledBus(tables.heads, self.watched, asyncio.sleep, self.timing.head_poll)
        self.tasks.start(lobby.run(), "lobby")
        self.tasks.start(_for_ever("socket_sweep_failed", self._sweep), "sweep")
        self.tasks.start(_for_ever("head_poll_failed", lambda: bus.run(subscriptions.moved)), "bus")

    def drain(self) -> None:
        """Let nobody in any more and tell all sockets to come back in a moment (1012)."""
        self.draining = True
        for connection in self.connections():
            connection.close(CloseCode.RESTARTING)

    async def close(self) -> None:
        """Drain, then end all tasks."""
        self.drain()
        await self.tasks.close()

    async def _sweep(self) -> None:
        timing = self.timing
        least = min(timing.hello, timing.silent, timing.send, timing.session_recheck)
        await asyncio.sleep(min(1.0, max(0.02, least / 4000)))
        await self._sockets.sweep()

    # --- Sockets come and go --------------------------------------------------------------------

    def connections(self) -> list[Connection]:
        """All sockets."""
        return self._sockets.all()

    def watched(self) -> Collection[str]:
        """The codes of the tables that somebody listens to."""
        return self._subscriptions.watched()

    def admit(self, connection: Connection) -> bool:
        """Let a new socket in; see ``Sockets.admit``."""
        return self._sockets.admit(connection)

    def forget(self, connection: Connection) -> None:
        """Clean up after a socket; calling it again does nothing."""
        self._sockets.forget(connection)

    def _gone(self, connection: Connection) -> None:
        self._lobby.forget(connection)
        self._subscriptions.leave_all(connection)

    def sessions_ended(self, player_id: UUID, token_hash: bytes | None) -> None:
        """Sessions are over (players.ports.Doormen): their sockets close at once."""
        self._sockets.sessions_ended(player_id, token_hash)

    # --- Frames ---------------------------------------------------------------------------------

    async def handle(self, connection: Connection, frame: protocol.ClientFrame) -> None:
        """Do what a frame asks; `hello` comes first."""
        if isinstance(frame, protocol.Cmd) and connection.hello_by is None:
            await self._command(connection, frame)
        elif isinstance(frame, protocol.Hello):
            await self._hello(connection, frame)
        elif connection.hello_by is not None:
            connection.put(protocol.error("bad_request"))
        elif isinstance(frame, protocol.Ping):
            connection.put(protocol.pong(frame.n))
            for have in frame.have:
                await self._subscriptions.compare(connection, have)
        elif isinstance(frame, protocol.Sub):
            await self._subscriptions.start(connection, frame.table, None)
        elif isinstance(frame, protocol.Resync):
            await self._subscriptions.start(connection, frame.table, frame.seq)
        elif isinstance(frame, protocol.Queue):
            await self._lobby.queue(connection, frame)
        elif isinstance(frame, protocol.Lobby):
            self._lobby.follow(connection, frame)
        elif (subscription := connection.subs.get(frame.table)) is not None:  # Unsub
            self._subscriptions.leave(subscription)

    async def _hello(self, connection: Connection, hello: protocol.Hello) -> None:
        if connection.hello_by is None:
            connection.put(protocol.error("bad_request"))
            return
        if hello.proto != protocol.PROTO:
            connection.close(CloseCode.RELOAD)
            return
        connection.hello_by = None
        if (ref := connection.ref) is not None:
            now = self.clock.now().isoformat(timespec="milliseconds")
            connection.put(protocol.welcome(self._build, player_json(ref), now))
            connection.ref = None
        for known in hello.resume:
            await self._subscriptions.start(connection, known.table, known.seq)

    async def _command(self, connection: Connection, cmd: protocol.Cmd) -> None:
        try:
            self._bounds.command(connection.player_id, address_key(connection.host))
        except AppError as error:
            connection.put(protocol.nak(cmd.id, "flood", True, protocol.facts_of(error)))
            return
        connection.pending.add(cmd.id)
        try:
            async with asyncio.timeout(self.timing.answer / 1000):
                await self._subscriptions.admit(connection, cmd.table)
                answer = await self._tables.handle(
                    cmd.table,
                    connection.player_id,
                    ClientCommand(cmd.id, cmd.decision, cmd.c.model_dump()),
                )
        except TimeoutError:
            connection.put(protocol.nak(cmd.id, "unavailable", True))
        except AppError as error:
            connection.put(protocol.nak(cmd.id, error.code, error.retry, protocol.facts_of(error)))
        else:
            if not isinstance(answer, Ack):
                facts = dict(answer.facts) if answer.facts else None
                connection.put(protocol.nak(cmd.id, answer.code, answer.retry, facts))
            elif cmd.id in connection.pending:  # not told in a batch's frame: a resend
                connection.put(protocol.ack(cmd.id, answer.seq))
        finally:
            connection.pending.discard(cmd.id)

    # --- Publications ---------------------------------------------------------------------------

    def publish(self, publication: Publication) -> None:
        """Put a committed batch into the outboxes (D3: nobody calls this before the commit)."""
        self._subscriptions.publish(publication)
        self._lobby.note(publication)


async def _for_ever(failed: str, step: Callable[[], Awaitable[None]]) -> None:
    """Do one step after the other, whatever a step breaks on: a driver has more ways to say that
    the database is away than a list here would name, and a loop that has ended is missed only when
    it is needed."""
    while True:
        try:
            await step()
        except Exception as error:
            if isinstance(error, AppError) or unreachable(error):
                log.warning(failed, kind=type(error).__name__)
            else:
                log.error(failed, exc_info=error)


def player_json(ref: PlayerRef) -> dict[str, object]:
    """A player in `welcome`."""
    return {"id": str(ref.id), "name": ref.name, "avatar": ref.avatar, "level": ref.level}
