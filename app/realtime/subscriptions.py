"""Who listens to which table.

A subscription starts by buffering, then reads, sends, and flushes what has a higher number, so
nothing is lost between the read and the first publication. Whatever a process missed all the same
is found by the poll of the heads (D8) or by a ping, and read from the log.
"""

from collections.abc import Collection

from app.infra import metrics
from app.infra.clock import Clock
from app.infra.config import Limits
from app.infra.errors import AppError
from app.infra.tasks import TaskOwner
from app.lobby.door import Door
from app.realtime import protocol
from app.realtime.channel import Channel, Subscription, may_listen
from app.realtime.connection import Connection
from app.tables.ports import Publication
from app.tables.service import Tables

CHANNELS = metrics.gauge("rebelote_tables_listened", "Tables that somebody listens to.")
CAUGHT_UP = metrics.counter("rebelote_gaps_total", "Publications missed and read from the log.")


class Subscriptions:
    """All of this process; it is the channels' ``Keeper``. Its tasks are the hub's."""

    def __init__(
        self, tables: Tables, door: Door, clock: Clock, limits: Limits, tasks: TaskOwner
    ) -> None:
        self._tables = tables
        self._door = door
        self._clock = clock
        self._limits = limits
        self._tasks = tasks
        self._channels: dict[str, Channel] = {}

    def watched(self) -> Collection[str]:
        """The codes of the tables that somebody listens to."""
        return list(self._channels)

    # Beginning and ending

    async def admit(self, connection: Connection, code: str) -> None:
        """Let a socket try a table's code; whoever listens to the table or sits there has it."""
        subscription = connection.subs.get(code)
        if subscription is not None and subscription.counted:
            return
        state = self._tables.state(code)
        if state is None or state.seat_of(connection.player_id) is None:
            await self._door.table(code, connection.player_id, connection.host)

    async def start(self, connection: Connection, code: str, have: int | None) -> None:
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
            channel = self._channels[code] = Channel(code, self._clock, self)
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
            await self.admit(connection, code)
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
            self._count(subscription, onlooker=snapshot.seat is None)
        if have and missing is not None:
            subscription.go_on(have, missing, snapshot.state, snapshot.turn)
        else:
            subscription.start(snapshot.state, snapshot.turn)
        channel.tell_presence(knows=subscription)

    def _count(self, subscription: Subscription, *, onlooker: bool) -> None:
        """From now on its player is here. AppError ``too_many_onlookers``."""
        channel, player_id = subscription.channel, subscription.connection.player_id
        if onlooker and not channel.presence.here(player_id):
            watching = channel.presence.watching(channel.people)
            if watching >= self._limits.onlookers_per_table:
                raise AppError("too_many_onlookers")
        subscription.counted = True
        if channel.presence.come(player_id):
            self._tables.connected(channel.code, player_id)

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

    def leave_all(self, connection: Connection) -> None:
        """The socket is gone."""
        for subscription in list(connection.subs.values()):
            self.leave(subscription)

    # What a ping, the heads and a gap show

    async def compare(self, connection: Connection, have: protocol.Have) -> None:
        """Send again what a ping shows to be missing: all, events, or the open decision."""
        subscription = connection.subs.get(have.table)
        if subscription is None:
            await self.start(connection, have.table, have.seq)
        elif subscription.waiting is None:
            await self._compare(subscription, have)

    async def _compare(self, subscription: Subscription, have: protocol.Have) -> None:
        connection, code = subscription.connection, have.table
        try:
            snapshot = await self._tables.snapshot(code, connection.player_id)
        except AppError as error:  # no database now: the next ping tries again
            connection.put(protocol.error(error.code, code))
            return
        if subscription.waiting is not None or code not in connection.subs:
            return
        if have.seq != snapshot.seq:  # perhaps only in the air: the client drops what it has
            await self.start(connection, code, have.seq)
            return
        decision = None if snapshot.turn is None else snapshot.turn.decision
        if decision != have.decision:
            subscription.tell_turn(snapshot.turn)

    def catch_up(self, subscription: Subscription) -> None:
        """Read what a subscription lacks; what is published meanwhile waits."""
        if subscription.waiting is None and not self._tasks.closed:
            CAUGHT_UP.add()
            subscription.waiting = []
            self._tasks.start(self._read(subscription, subscription.sent), "catch-up")

    def moved(self, code: str, head: int) -> None:
        """The bus says where a table is: if that is further than we told, a word was lost."""
        channel = self._channels.get(code)
        if channel is None or self._tasks.closed:
            return
        if any(each.waiting is None and each.sent < head for each in channel.subs.values()):
            self._tasks.start(self._refresh(code, head), "refresh")

    async def _refresh(self, code: str, head: int) -> None:
        await self._tables.refresh(code)  # publishes what this process did not know
        channel = self._channels.get(code)
        for subscription in list(channel.subs.values()) if channel is not None else ():
            if subscription.sent < head:
                self.catch_up(subscription)

    # Publications

    def publish(self, publication: Publication) -> None:
        """Put a committed batch into the outboxes of who listens."""
        channel = self._channels.get(publication.code)
        if channel is not None:
            channel.publish(publication)
