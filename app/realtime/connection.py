"""One socket: its bounded outbox, its writer, its limits and its end (D12, D14).

Two tasks a socket: uvicorn's own, which reads and handles one frame after the other, and the
writer. Nothing else ever sends. All clocks are looked at by the hub's one sweep, so a socket has
no timer. Whoever wants it gone calls `close(code)`; the clean-up stands in `serve` alone.
"""

import asyncio
import contextlib
from collections import deque
from typing import TYPE_CHECKING, Final
from uuid import UUID

from starlette.types import Receive, Send

from app.infra import metrics
from app.infra.config import Limits
from app.infra.logging import get_logger
from app.players.models import PlayerRef
from app.realtime import protocol
from app.realtime.protocol import CloseCode

if TYPE_CHECKING:
    from app.realtime.channel import Subscription
    from app.realtime.hub import Hub
    from app.realtime.seeking import Seeker

log = get_logger(__name__)

MALFORMED_WEIGHT: Final = 4
"""A frame that can't be read counts as so many in the flood window."""

SENT = metrics.counter("rebelote_socket_frames_sent_total", "Frames handed to sockets.")
CLOSED = metrics.counter("rebelote_sockets_closed_total", "Sockets that the server closed.")
COALESCED = metrics.counter("rebelote_socket_coalesced_total", "Frames replaced by a newer one.")

Slot = tuple[str, str]
"""A kind of which only the newest counts (presence, turn) and its table."""


class Outbox:
    """Frames waiting to be sent; of the droppable kinds only the newest."""

    __slots__ = ("_bytes", "_latest", "_limits", "_waiting")

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._waiting: deque[str | Slot] = deque()
        self._latest: dict[Slot, str] | None = None
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._waiting)

    def put(self, text: str) -> bool:
        """Queue a frame; False if the box is full (the reader is too slow)."""
        self._waiting.append(text)
        self._bytes += len(text)
        return self._fits()

    def put_latest(self, slot: Slot, text: str) -> bool:
        """Queue a frame in place of an older one of its slot, at the end of the line."""
        if self._latest is None:
            self._latest = {}
        old = self._latest.get(slot)
        if old is not None:
            self._waiting.remove(slot)
            self._bytes -= len(old)
            COALESCED.add()
        self._latest[slot] = text
        self._waiting.append(slot)
        self._bytes += len(text)
        return self._fits()

    def drop(self, slot: Slot) -> None:
        """Forget a waiting frame that a stronger one has overtaken."""
        if self._latest and (old := self._latest.pop(slot, None)) is not None:
            self._waiting.remove(slot)
            self._bytes -= len(old)

    def holds(self, slot: Slot) -> bool:
        """Whether a frame of this slot still waits."""
        return self._latest is not None and slot in self._latest

    def take(self) -> str:
        """The next frame; IndexError when empty."""
        item = self._waiting.popleft()
        text = item if isinstance(item, str) else (self._latest or {}).pop(item)
        self._bytes -= len(text)
        return text

    def clear(self) -> None:
        """Forget all."""
        self._waiting.clear()
        self._latest = None
        self._bytes = 0

    def _fits(self) -> bool:
        limits = self._limits
        return len(self._waiting) <= limits.outbox_messages and self._bytes <= limits.outbox_bytes


class Connection:
    """A socket of a player. All times are of the hub's clock, in milliseconds."""

    __slots__ = (
        "_hub",
        "_send",
        "_task",
        "_wake",
        "_window_at",
        "_window_count",
        "_writer",
        "checked_at",
        "code",
        "gone",
        "heard_at",
        "hello_by",
        "host",
        "outbox",
        "pending",
        "player_id",
        "ref",
        "seeker",
        "sending_since",
        "subs",
        "token_hash",
    )

    def __init__(
        self,
        hub: "Hub",
        send: Send,
        ref: PlayerRef,
        token_hash: bytes,
        now_ms: int,
        host: str | None,
    ) -> None:
        self._hub = hub
        self._send = send
        self.player_id = ref.id
        self.ref: PlayerRef | None = ref
        """Kept until `welcome` has told it."""
        self.token_hash = token_hash
        self.host = host
        """The address it comes from."""
        self.seeker: Seeker | None = None
        self.outbox = Outbox(hub.limits)
        self.subs: dict[str, Subscription] = {}
        self.pending: set[UUID] = set()
        """Commands in the air: who gets the `ack` in its frame."""
        self.heard_at = now_ms
        self.checked_at = now_ms
        self.hello_by: int | None = now_ms + hub.timing.hello
        self.sending_since: int | None = None
        self.code: CloseCode | None = None
        self.gone = False
        self._window_at = now_ms
        self._window_count = 0
        self._task: asyncio.Task[None] | None = None
        self._writer: asyncio.Task[None] | None = None
        self._wake: asyncio.Future[None] | None = None

    # --- Sending -------------------------------------------------------------------------------

    def put(self, text: str) -> None:
        """Queue a frame; a full outbox closes the socket."""
        if self.code is not None:
            return
        if not self.outbox.put(text):
            self.close(CloseCode.SLOW)
            return
        self._rouse()

    def put_latest(self, kind: str, table: str, text: str) -> None:
        """Queue a frame of which only the newest counts."""
        if self.code is not None:
            return
        if not self.outbox.put_latest((kind, table), text):
            self.close(CloseCode.SLOW)
            return
        self._rouse()

    def _rouse(self) -> None:
        wake = self._wake
        if wake is not None and not wake.done():
            wake.set_result(None)

    async def _write(self) -> None:
        clock, loop = self._hub.clock, asyncio.get_running_loop()
        try:
            while True:
                while self.outbox:
                    self.sending_since = clock.monotonic_ms()
                    await self._send({"type": "websocket.send", "text": self.outbox.take()})
                    SENT.add()
                self.sending_since = None
                self._wake = loop.create_future()
                await self._wake
        except OSError:
            self.gone = True  # the reader is about to hear it too

    # --- Reading -------------------------------------------------------------------------------

    async def serve(self, receive: Receive) -> None:
        """Read until the end, whoever brings it; then clean up, here and nowhere else."""
        self._task = asyncio.current_task()
        self._writer = self._hub.tasks.start(self._write(), "writer")
        try:
            await self._read(receive)
        except asyncio.CancelledError:
            if self.code is None:
                raise  # not ours: the server itself is ending
            if self._task is not None:
                self._task.uncancel()
        finally:
            self._hub.forget(self)
            self._writer.cancel()
        if self.code is not None and not self.gone:
            await self._say_goodbye(self.code)

    async def _read(self, receive: Receive) -> None:
        clock = self._hub.clock
        while True:
            message = await receive()
            if message["type"] == "websocket.disconnect":
                self.gone = True
                return
            self.heard_at = now = clock.monotonic_ms()
            text = message.get("text")
            if text is not None and len(text) <= self._hub.limits.frame_bytes:
                frame = protocol.read(text)
            else:
                frame = None
            if not self._counts(now, 1 if frame is not None else MALFORMED_WEIGHT):
                self.close(CloseCode.FLOOD)
            elif frame is None:
                self.put(protocol.error("bad_request"))
            else:
                await self._handle(frame)

    async def _handle(self, frame: protocol.ClientFrame) -> None:
        try:
            await self._hub.handle(self, frame)
        except Exception as error:  # a fault of ours: the client hears a code and comes back
            log.error("frame_failed", kind=frame.t, exc_info=error)
            self.close(CloseCode.GOING_AWAY)

    def _counts(self, now: int, weight: int) -> bool:
        limits = self._hub.limits
        if now - self._window_at >= limits.window_ms:
            self._window_at, self._window_count = now, 0
        self._window_count += weight
        return self._window_count <= limits.messages_per_window

    # --- The end -------------------------------------------------------------------------------

    def close(self, code: CloseCode) -> None:
        """End this socket; the first code counts. May be called from anywhere, also twice."""
        if self.code is not None:
            return
        self.code = code
        CLOSED.add(code=str(int(code)))
        if self._task is not None:
            self._task.cancel()

    async def _say_goodbye(self, code: CloseCode) -> None:
        """Send what waits (not to who reads nothing) and the close frame, but not for ever."""
        if code is CloseCode.SLOW:
            self.outbox.clear()
        limit_s = self._hub.timing.slow_close / 1000
        with contextlib.suppress(TimeoutError, OSError, asyncio.CancelledError):
            async with asyncio.timeout(limit_s):
                while self.outbox:
                    await self._send({"type": "websocket.send", "text": self.outbox.take()})
                await self._send(
                    {"type": "websocket.close", "code": int(code), "reason": code.name.lower()}
                )
