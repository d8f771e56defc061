"""uvicorn's two protocols, bounded where a client decides how much this process keeps.

Bodies and frames have their limits elsewhere (`web/guard.py`, `ws_max_size`, `realtime`). Left to
uvicorn are the head of a request, which may be endless or never end, and in a socket what no
application sees: answers to pings that nobody reads, and messages in endless empty fragments.
"""

import asyncio
from typing import Any, Final, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode, Frame

MOST_HEAD: Final = 65_536
"""Bytes of a request's line and headers: browsers stay far below it."""
HEAD_S: Final = 15.0
"""Seconds in which they must have come."""
MOST_FRAGMENTS: Final = 64
"""Of one message: no client sends 4 KB in more."""
MOST_UNREAD: Final = 524_288
"""Bytes that wait for a reader when it sends yet another ping; its outbox holds less than half."""


class Http(HttpToolsProtocol):
    """HTTP/1.1 whose heads are bounded in size and time."""

    _head = 0
    _in_head = True
    _patience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._wait_no_more()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if not self._in_head:
            return
        self._head += len(data)
        if self._head > MOST_HEAD and not self.transport.is_closing():
            self.send_400_response("The request's head is too large.")

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._in_head, self._head = True, 0
        if self._patience is None:
            self._wait()

    def on_headers_complete(self) -> None:
        self._in_head = False
        self._wait_no_more()
        super().on_headers_complete()

    def _wait(self) -> None:
        self._patience = self.loop.call_later(HEAD_S, self._give_up)

    def _wait_no_more(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def _give_up(self) -> None:
        self._patience = None
        self.transport.close()


class Socket(WebSocketsSansIOProtocol):
    """A WebSocket that answers no more pings than are read and takes no endless message."""

    def handle_ping(self) -> None:
        if self.transport.get_write_buffer_size() > MOST_UNREAD:
            self.transport.abort()
            return
        super().handle_ping()

    def handle_cont(self, event: Frame) -> None:
        if self.close_sent:
            return
        if len(self.frames) >= MOST_FRAGMENTS:
            self._fail(CloseCode.MESSAGE_TOO_BIG, "too many fragments")
            return
        super().handle_cont(event)

    def send_receive_event_to_app(self) -> None:
        if self.curr_msg_data_type == "text" and not self.close_sent:
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:  # uvicorn would log it as a fault of ours
                self.frames = []
                self._fail(CloseCode.INVALID_DATA, "not UTF-8")
                return
        super().send_receive_event_to_app()

    async def send(self, message: Any) -> None:
        await super().send(message)
        # uvicorn forgets that a refusal ends the handshake, and calls it an error of the app's.
        if message["type"] == "websocket.http.response.body" and not message.get("more_body"):
            self.handshake_complete = True

    def _fail(self, code: CloseCode, reason: str) -> None:
        self.conn.fail(code, reason)
        self.handle_parser_exception()


HTTP = cast("type[asyncio.Protocol]", Http)
SOCKET = cast("type[asyncio.Protocol]", Socket)
"""As uvicorn's configuration takes them."""
