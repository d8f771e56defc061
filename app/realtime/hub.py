"""The hub: who listens to which table, and everything that a socket's frames ask for.

It implements `tables.ports.Publisher`. A subscription starts by buffering, then reads, sends, and
flushes what has a higher number, so nothing is lost between the read and the first publication.
No frame is handled while it holds a database session; sends happen in the sockets' own writers.
"""

import asyncio
from collections import Counter
from collections.abc import Collection
from typing import Final
from uuid import UUID

from app.infra import metrics
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
from app.realtime.channel import Channel, Subscription, may_listen
from app.realtime.connection import Connection
from app.realtime.lobby_side import LobbySide
from app.realtime.protocol import CloseCode
from app.tables.desk import unreachable
from app.tables.drafts import ClientCommand
from app.tables.ports import Publication
from app.tables.service import Ack, Tables

log = get_logger(__name__)

OPEN = metrics.gauge("rebelote_sockets_open", "Sockets of players.")
CHANNELS = metrics.gauge("rebelote_tables_listened", "Tables that somebody listens to.")
CAUGHT_UP = metrics.counter("rebelote_gaps_total", "Publications missed and read from the log.")

ANSWER_S: Final = 8.0
"""A command that is not answered by then gets `unavailable`; the client sends the same id again."""


class Hub:
    """All sockets of this process."""

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
        self._players = players
        self._build = build
        self._connections: dict[UUID, set[Connection]] = {}
        self._by_address: Counter[str] = Counter()
        self._channels: dict[str, Channel] = {}

    # --- The hub's own life ---------------------------------------------------------------------

    def start(self, tables: Tables, lobby: LobbySide, door: Door, bounds: Bounds) -> None:
        """Begin sweeping and polling. The tables publish to the hub, so they are made after it."""
        self._tables = tables
        self._lobby = lobby
        self._door = door
        self._bounds = bounds
        self.tasks.start(lobby.run(), "lobby")
        self._bus: Bus = PolledBus(tables.heads, self.watched, asyncio.sleep, self.timing.head_poll)
        self.tasks.start(self._sweep_for_ever(), "sweep")
        self.tasks.start(self._poll_for_ever(), "bus")

    def drain(self) -> None:
        """Let nobody in any more and tell all sockets to come back in a moment (1012)."""
        self.draining = True
        for connection in self.connections():
            connection.close(CloseCode.RESTARTING)

    async def close(self) -> None:
        """Drain, then end all tasks."""
        self.drain()
        await self.tasks.close()

    def connections(self) -> list[Connection]:
        """All sockets."""
        return [connection for each in self._connections.values() for connection in each]

    def watched(self) -> Collection[str]:
        """The codes of the tables that somebody listens to."""
        return list(self._channels)

    # --- Sockets come and go --------------------------------------------------------------------

    def admit(self, connection: Connection) -> bool:
        """Let a new socket in; a player that has too many gives up one that is silent.

        A phone that changes networks leaves sockets behind that nobody has closed: one that has
        said nothing for a third of the allowed silence (two pings) makes room. Without such a one
        the new socket is refused.
        """
        address = address_key(connection.host)
        if self._by_address[address] >= self.limits.sockets_per_address:
            return False
        mine = self._connections.setdefault(connection.player_id, set())
        if len(mine) >= self.limits.sockets_per_player:
            eldest = min(mine, key=lambda each: each.heard_at)
            if self.clock.monotonic_ms() - eldest.heard_at < self.timing.silent // 3:
                return False
            eldest.close(CloseCode.TOO_MANY)
            self.forget(eldest)
            mine = self._connections.setdefault(connection.player_id, set())
        mine.add(connection)
        self._by_address[address] += 1
        OPEN.add(1)
        return True

    def forget(self, connection: Connection) -> None:
        """Clean up after a socket; calling it again does nothing."""
        mine = self._connections.get(connection.player_id)
        if mine is None or connection not in mine:
            return
        mine.discard(connection)
        if not mine:
            del self._connections[connection.player_id]
        OPEN.add(-1)
        address = address_key(connection.host)
        self._by_address[address] -= 1
        if self._by_address[address] <= 0:
            del self._by_address[address]
        self._lobby.forget(connection)
        for subscription in list(connection.subs.values()):
            self.leave(subscription)

    def sessions_ended(self, player_id: UUID, token_hash: bytes | None) -> None:
        """Sessions are over (players.ports.Doormen): their sockets close at once."""
        for connection in list(self._connections.get(player_id, ())):
            if token_hash is None or connection.token_hash == token_hash:
                connection.close(CloseCode.SIGN_IN)

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
            await self._ping(connection, frame)
        elif isinstance(frame, protocol.Sub):
            await self._subscribe(connection, frame.table, None)
        elif isinstance(frame, protocol.Resync):
            await self._subscribe(connection, frame.table, frame.seq)
        elif isinstance(frame, protocol.Queue):
            await self._lobby.queue(connection, frame)
        elif isinstance(frame, protocol.Lobby):
            self._lobby.follow(connection, frame)
        elif (subscription := connection.subs.get(frame.table)) is not None:  # Unsub
            self.leave(subscription)

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
            await self._subscribe(connection, known.table, known.seq)

    async def _command(self, connection: Connection, cmd: protocol.Cmd) -> None:
        try:
            self._bounds.command(connection.player_id, address_key(connection.host))
        except AppError as error:
            connection.put(protocol.nak(cmd.id, "flood", True, protocol.facts_of(error)))
            return
        connection.pending.add(cmd.id)
        try:
            async with asyncio.timeout(ANSWER_S):
                await self._admit_to(connection, cmd.table)
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

    async def _ping(self, connection: Connection, ping: protocol.Ping) -> None:
        connection.put(protocol.pong(ping.n))
        for have in ping.have:
            subscription = connection.subs.get(have.table)
            if subscription is None:
                await self._subscribe(connection, have.table, have.seq)
            elif subscription.waiting is None:
                await self._compare(subscription, have)

    async def _compare(self, subscription: Subscription, have: protocol.Have) -> None:
        """Send again what a ping shows to be missing: events, or the open decision."""
        code, player_id = have.table, subscription.connection.player_id
        try:
            snapshot = await self._tables.snapshot(code, player_id)
        except AppError as error:  # no database now: the next ping tries again
            subscription.connection.put(protocol.error(error.code, code))
            return
        if subscription.waiting is not None or have.table not in subscription.connection.subs:
            return
        if have.seq != snapshot.seq:  # perhaps only in the air: the client drops what it has
            await self._subscribe(subscription.connection, code, have.seq)
        else:
            decision = None if snapshot.turn is None else snapshot.turn.decision
            if decision != have.decision:
                subscription.tell_turn(snapshot.turn)

    # --- Subscriptions --------------------------------------------------------------------------

    async def _admit_to(self, connection: Connection, code: str) -> None:
        """Let a socket try a table's code; whoever listens to the table or sits there has it."""
        subscription = connection.subs.get(code)
        if subscription is not None and subscription.counted:
            return
        state = self._tables.state(code)
        if state is None or state.seat_of(connection.player_id) is None:
            await self._door.table(code, connection.player_id, connection.host)

    async def _subscribe(self, connection: Connection, code: str, have: int | None) -> None:
        """Start, or start again, a socket's subscription, from a number it has or from nothing."""
        subscription = connection.subs.get(code)
        if subscription is None:
            if len(connection.subs) >= protocol.MAX_TABLES:
                connection.put(protocol.error("too_many_requests", code))
                return
            subscription = self._enter(connection, code)
        elif subscription.waiting is not None:
            return  # its start is being read
        else:
            subscription.waiting = []
        await self._read(subscription, have)

    def _enter(self, connection: Connection, code: str) -> Subscription:
        channel = self._channels.get(code)
        if channel is None:
            channel = self._channels[code] = Channel(code, self.clock, self)
            CHANNELS.set(len(self._channels))
        subscription = Subscription(connection, channel)
        channel.subs[connection] = connection.subs[code] = subscription
        return subscription

    async def _read(self, subscription: Subscription, have: int | None) -> None:
        """Read and send a start; one that fails ends the subscription, and a ping begins anew."""
        try:
            await self._begin(subscription, have)
        except AppError as error:
            code, retry_ms = subscription.channel.code, protocol.facts_of(error).get("retry_ms")
            subscription.connection.put(protocol.error(error.code, code, retry_ms))
            self.leave(subscription)
        except BaseException:
            self.leave(subscription)
            raise

    async def _begin(self, subscription: Subscription, have: int | None) -> None:
        connection, channel = subscription.connection, subscription.channel
        code, player_id = channel.code, connection.player_id
        if not subscription.counted:
            await self._admit_to(connection, code)
        missing = None
        if have:
            missing = await self._tables.events_after(code, player_id, have)
        snapshot = await self._tables.snapshot(code, player_id)
        if connection.subs.get(code) is not subscription:
            return  # it went while we read
        if not may_listen(snapshot.state, player_id):
            raise AppError("forbidden")
        channel.know(snapshot.state)
        if not subscription.counted:
            if snapshot.seat is None and self._crowded(channel, player_id):
                raise AppError("too_many_onlookers")
            subscription.counted = True
            if channel.presence.come(player_id):
                self._tables.connected(code, player_id)
        if have and missing is not None:
            subscription.go_on(have, missing, snapshot.state, snapshot.turn)
        else:
            subscription.start(snapshot.state, snapshot.turn)
        channel.tell_presence(knows=subscription)

    def _crowded(self, channel: Channel, player_id: UUID) -> bool:
        """Whether a table has as many onlookers as it may, this one left aside."""
        if channel.presence.here(player_id):
            return False
        return channel.presence.watching(channel.people) >= self.limits.onlookers_per_table

    def leave(self, subscription: Subscription) -> None:
        """End a subscription; the last of a player at a table is an absence."""
        connection, channel = subscription.connection, subscription.channel
        if connection.subs.get(channel.code) is not subscription:
            return
        del connection.subs[channel.code]
        del channel.subs[connection]
        if subscription.counted and channel.presence.go(connection.player_id):
            self._tables.disconnected(channel.code, connection.player_id)
            channel.tell_presence()
        if not channel.subs:
            self._channels.pop(channel.code, None)
            CHANNELS.set(len(self._channels))

    # --- Publications ---------------------------------------------------------------------------

    def publish(self, publication: Publication) -> None:
        """Put a committed batch into the outboxes (D3: nobody calls this before the commit)."""
        channel = self._channels.get(publication.code)
        if channel is not None:
            channel.publish(publication)
        self._lobby.note(publication)

    def catch_up(self, subscription: Subscription) -> None:
        """Read what a subscription lacks; what is published meanwhile waits."""
        if subscription.waiting is None and not self.tasks.closed:
            CAUGHT_UP.add()
            subscription.waiting = []
            self.tasks.start(self._read(subscription, subscription.sent), "catch-up")

    def _moved(self, code: str, head: int) -> None:
        """The bus says where a table is: if that is further than we told, a word was lost."""
        channel = self._channels.get(code)
        if channel is None or self.tasks.closed:
            return
        if any(each.waiting is None and each.sent < head for each in channel.subs.values()):
            self.tasks.start(self._refresh(code, head), "refresh")

    async def _refresh(self, code: str, head: int) -> None:
        await self._tables.refresh(code)  # publishes what this process did not know
        channel = self._channels.get(code)
        for subscription in list(channel.subs.values()) if channel is not None else ():
            if subscription.sent < head:
                self.catch_up(subscription)

    # --- Clocks ---------------------------------------------------------------------------------

    async def _poll_for_ever(self) -> None:
        while True:
            try:
                await self._bus.run(self._moved)
            except Exception as error:  # noqa: BLE001  # see _survived
                _survived("head_poll_failed", error)

    async def _sweep_for_ever(self) -> None:
        timing = self.timing
        least = min(timing.hello, timing.silent, timing.send, timing.session_recheck)
        every_s = min(1.0, max(0.02, least / 4000))
        while True:
            await asyncio.sleep(every_s)
            try:
                await self.sweep()
            except Exception as error:  # noqa: BLE001  # see _survived
                _survived("socket_sweep_failed", error)

    async def sweep(self) -> None:
        """Look at every socket's clocks once."""
        now, timing = self.clock.monotonic_ms(), self.timing
        due: list[Connection] = []
        for connection in self.connections():
            if _overdue(connection, now, timing):
                connection.close(CloseCode.SLOW)
            elif now - connection.checked_at >= timing.session_recheck:
                due.append(connection)
        if due:
            await self._recheck(due, now)

    async def _recheck(self, due: list[Connection], now: int) -> None:
        """One query for the sessions of all sockets that are due. While the database is away it
        raises, and nobody is put out."""
        alive = await self._players.still_alive({each.token_hash for each in due})
        for connection in due:
            connection.checked_at = now
            if connection.token_hash not in alive:
                connection.close(CloseCode.SIGN_IN)


def _survived(event: str, error: Exception) -> None:
    """Note what a step of an endless loop broke on. The loop goes on whatever it was: a driver has
    more ways to say that the database is away than a list here would name, and a loop that has
    ended is missed only when it is needed."""
    if isinstance(error, AppError) or unreachable(error):
        log.warning(event, kind=type(error).__name__)
    else:
        log.error(event, exc_info=error)


def _overdue(connection: Connection, now: int, timing: Timing) -> bool:
    """No `hello`, no word, or a send that does not end."""
    if connection.hello_by is not None and now >= connection.hello_by:
        return True
    since = connection.sending_since
    stuck = since is not None and now - since >= timing.send
    return stuck or now - connection.heard_at >= timing.silent


def player_json(ref: PlayerRef) -> dict[str, object]:
    """A player in `welcome`."""
    return {"id": str(ref.id), "name": ref.name, "avatar": ref.avatar, "level": ref.level}
