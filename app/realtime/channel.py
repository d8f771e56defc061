"""What the sockets of one table share, and what one socket has got of it.

A publication goes through here: each kind of viewer (four seats and the spectator) is encoded at
most once, each socket gets one frame a batch (D14), and a socket that is still reading its start
gets it afterwards. Everything here is synchronous: frames go into outboxes, never onto a wire.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol
from uuid import UUID

import orjson

from app.infra.clock import Clock
from app.realtime import protocol
from app.realtime.presence import Presence
from app.tables.codec import Stored, turn_json, view_json
from app.tables.ports import Publication
from app.tables.table import TableState, TurnInfo
from app.tables.views import view

if TYPE_CHECKING:
    from app.realtime.connection import Connection


class Keeper(Protocol):
    """Who reads what a subscription lacks, and ends subscriptions: the hub."""

    def catch_up(self, subscription: "Subscription") -> None:
        """Read what lies between `sent` and the head, then go on."""
        ...

    def leave(self, subscription: "Subscription") -> None:
        """End it."""
        ...


class Frames:
    """The frames of one publication, each made when its first viewer needs it."""

    __slots__ = ("_clock", "_parts", "_private", "_texts", "publication")

    def __init__(self, publication: Publication, clock: Clock) -> None:
        self.publication = publication
        self._clock = clock
        self._private = any(event.private is not None for event in publication.events)
        self._parts: dict[int | None, tuple[list[bytes], bytes | None]] = {}
        self._texts: dict[int | None, str] = {}

    def _kind(self, seat: int | None) -> int | None:
        """The kind of viewer that a seat is here: who gets nothing of its own gets what the
        spectator gets (D4), and shares its bytes."""
        turn = self.publication.turn
        own = self._private or (turn is not None and turn.private(seat))
        return seat if own else None

    def ev(self, seat: int | None, ack: UUID | None) -> str:
        """The batch as a seat (None: a spectator) gets it."""
        seat = self._kind(seat)
        text = self._texts.get(seat) if ack is None else None
        if text is None:
            events, turn = self._encoded(seat)
            text = protocol.ev(self.publication.code, events, turn, ack)
            if ack is None:
                self._texts[seat] = text
        return text

    def ev_after(self, seq: int, seat: int | None, ack: UUID | None) -> str:
        """The same without what the viewer has already."""
        events = [event.frame(seat) for event in self.publication.events if event.seq > seq]
        return protocol.ev(self.publication.code, events, self._encoded(seat)[1], ack)

    def turn(self, seat: int | None) -> str:
        """The turn alone."""
        now_ms = self._clock.monotonic_ms()
        return protocol.turn(self.publication.code, turn_json(self.publication.turn, seat, now_ms))

    def snap(self, player_id: UUID, presence: Presence) -> str:
        """The state after the batch, for who can't get there by events."""
        after = self.publication.after
        return snap(after, player_id, self.publication.turn, presence, self._clock)

    def _encoded(self, seat: int | None) -> tuple[list[bytes], bytes | None]:
        parts = self._parts.get(seat)
        if parts is None:
            publication = self.publication
            turn = turn_json(publication.turn, seat, self._clock.monotonic_ms())
            parts = self._parts[seat] = (
                [event.frame(seat) for event in publication.events],
                None if turn is None else orjson.dumps(turn),
            )
        return parts


def snap(
    state: TableState,
    player_id: UUID,
    turn: TurnInfo | None,
    presence: Presence,
    clock: Clock,
) -> str:
    """A table's state as a snapshot frame for a player."""
    people = [chair.player for chair in state.seats]
    told = turn_json(turn, state.seat_of(player_id), clock.monotonic_ms())
    shown = view_json(view(state, player_id), tuple(presence.seats(people)))
    shown["watching"] = presence.watching(people)
    return protocol.snap(state.code, state.seq, shown, told)


def may_listen(state: TableState, player_id: UUID) -> bool:
    """Who sits may listen; before a match anybody who has the code, and later where the host
    allows onlookers. Whom the host has sent away may not."""
    if state.seat_of(player_id) is not None:
        return True
    if player_id in state.removed:
        return False
    return state.status == "waiting" or state.options.spectators


class Subscription:
    """A socket's place in a table: the last number put into its outbox, and its seat then.

    While its start is being read, `waiting` keeps what is published meanwhile.
    """

    __slots__ = ("channel", "connection", "counted", "seat", "sent", "waiting")

    def __init__(self, connection: "Connection", channel: "Channel") -> None:
        self.connection = connection
        self.channel = channel
        self.seat: int | None = None
        self.sent = 0
        self.counted = False
        """Whether presence knows of it: only once it may listen."""
        self.waiting: list[Frames] | None = []

    def offer(self, frames: Frames) -> None:
        """Hand on a publication, as far as this socket lacks it."""
        if self.waiting is not None:
            self.waiting.append(frames)
            return
        publication = frames.publication
        after, events = publication.after, publication.events
        player_id = self.connection.player_id
        if not events:
            if after.seq == self.sent:
                self.connection.put_latest("turn", self.channel.code, frames.turn(self.seat))
            return
        if events[-1].seq <= self.sent:
            return
        if events[0].seq > self.sent + 1:
            self.channel.gap(self)
            return
        if not may_listen(after, player_id):
            self.channel.dismiss(self)
            return
        ack = self._ack(publication)
        seat = after.seat_of(player_id)
        if publication.turn is not None:  # this frame tells a newer one than the box may hold
            self.connection.outbox.drop(("turn", self.channel.code))
        if seat != self.seat:
            self.connection.put(frames.snap(player_id, self.channel.presence))
            if ack is not None:
                self.connection.put(protocol.ack(ack, events[0].seq))
        elif events[0].seq <= self.sent:
            self.connection.put(frames.ev_after(self.sent, seat, ack))
        else:
            self.connection.put(frames.ev(seat, ack))
        self.seat, self.sent = seat, after.seq

    def _ack(self, publication: Publication) -> UUID | None:
        """The id of this very socket's command, if the batch is its answer."""
        origin = publication.origin
        if origin is None or origin[1] not in self.connection.pending:
            return None
        if origin[0] != self.connection.player_id:
            return None
        self.connection.pending.discard(origin[1])
        return origin[1]

    def start(self, state: TableState, turn: TurnInfo | None) -> None:
        """Begin with a snapshot, then what was published meanwhile."""
        connection, channel = self.connection, self.channel
        self.seat, self.sent = state.seat_of(connection.player_id), state.seq
        text = snap(state, connection.player_id, turn, channel.presence, channel.clock)
        connection.put(text)
        self._flush()

    def go_on(
        self, have: int, missing: list[Stored], state: TableState, turn: TurnInfo | None
    ) -> None:
        """Begin with the events after what the client has (perhaps none), and the turn.

        `state` was read after `missing`: where it is ahead, what was published meanwhile fills the
        gap and brings its own turn.
        """
        code = self.channel.code
        self.seat = state.seat_of(self.connection.player_id)
        self.sent = have
        if missing:
            events = [event.frame(self.seat) for event in missing]
            self.connection.put(protocol.ev(code, events, None))
            self.sent = missing[-1].seq
        if self.sent == state.seq:
            self.tell_turn(turn)
        told = self.channel.here(chair.player for chair in state.seats)
        self.connection.put_latest("presence", code, protocol.presence(code, *told))
        self._flush()

    def tell_turn(self, turn: TurnInfo | None) -> None:
        """Tell whose turn it is."""
        code = self.channel.code
        told = turn_json(turn, self.seat, self.channel.clock.monotonic_ms())
        self.connection.put_latest("turn", code, protocol.turn(code, told))

    def _flush(self) -> None:
        waiting, self.waiting = self.waiting, None
        for frames in waiting or ():
            self.offer(frames)  # which keeps the rest if a gap must be read first


class Channel:
    """The subscriptions of one table in this process."""

    __slots__ = ("_keeper", "clock", "code", "head", "people", "presence", "subs", "told_presence")

    def __init__(self, code: str, clock: Clock, keeper: Keeper) -> None:
        self.code = code
        self.clock = clock
        self.subs: dict[Connection, Subscription] = {}
        self.presence = Presence()
        self.head = 0
        """The highest number that this process has seen."""
        self.people: tuple[UUID | None, ...] = ()
        self.told_presence: tuple[list[bool | None], int] | None = None
        self._keeper = keeper

    def publish(self, publication: Publication) -> None:
        """Hand a batch to every socket here."""
        frames = Frames(publication, self.clock)
        self.know(publication.after)
        for subscription in list(self.subs.values()):
            subscription.offer(frames)
        self.tell_presence()

    def know(self, state: TableState) -> None:
        """Remember where the table is and who sits."""
        if state.seq >= self.head:
            self.head = state.seq
            self.people = tuple(chair.player for chair in state.seats)

    def here(self, people: Iterable[UUID | None]) -> tuple[list[bool | None], int]:
        """Who of these is connected, and how many others watch."""
        seated = list(people)
        return self.presence.seats(seated), self.presence.watching(seated)

    def tell_presence(self, knows: "Subscription | None" = None) -> None:
        """Tell who is connected, if that has changed since it was last told; not to a socket that
        has just read it in its snapshot."""
        here = self.here(self.people)
        if here == self.told_presence or not self.people:
            return
        self.told_presence = here
        text = protocol.presence(self.code, *here)
        for connection, subscription in list(self.subs.items()):
            if subscription is not knows:
                connection.put_latest("presence", self.code, text)

    def gap(self, subscription: Subscription) -> None:
        """A publication was missed: read what lies between."""
        self._keeper.catch_up(subscription)

    def dismiss(self, subscription: Subscription) -> None:
        """The table is no longer this player's to hear."""
        subscription.connection.put(protocol.error("forbidden", self.code))
        self._keeper.leave(subscription)
