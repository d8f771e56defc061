"""One WebSocket of the generator: an `asyncio.Protocol` without tasks, queues or copies."""

import asyncio
from collections.abc import Callable
from typing import cast
from urllib.parse import urlsplit

from bench.frames import CLOSE, PING, PONG, TEXT, FrameReader, frame, handshake

OPEN_S = 20.0


class Refused(Exception):
    """The server did not open the socket."""


class Socket(asyncio.Protocol):
    """Open one with `await Socket.open(…)`.

    `on_text(payload)` is called for each text frame; `on_lost(code)` once, when the server
    closes or the connection breaks (None), but not after our own `close()`.
    """

    def __init__(
        self,
        request: tuple[bytes, str],
        on_text: Callable[[bytes], None],
        on_lost: Callable[[int | None], None],
    ) -> None:
        self._request, self._accept = request
        self._on_text = on_text
        self._on_lost = on_lost
        self._frames = FrameReader()
        self._head = b""
        self._code: int | None = None
        self._closing = False
        self._opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._transport: asyncio.Transport | None = None

    @classmethod
    async def open(
        cls,
        url: str,
        headers: dict[str, str],
        on_text: Callable[[bytes], None],
        on_lost: Callable[[int | None], None],
    ) -> "Socket":
        """Connect and shake hands; raises `Refused`, OSError or TimeoutError."""
        parts = urlsplit(url)
        request = handshake(parts.netloc, parts.path or "/", headers)
        loop = asyncio.get_running_loop()
        _, socket = await loop.create_connection(
            lambda: cls(request, on_text, on_lost), parts.hostname or "127.0.0.1", parts.port or 80
        )
        await asyncio.wait_for(socket._opened, OPEN_S)
        return socket

    def send(self, payload: bytes) -> None:
        """Send one text frame; nothing happens once the socket is gone."""
        if self._transport is not None and not self._closing:
            self._transport.write(frame(payload))

    def close(self) -> None:
        """Say 1000 and hang up; calling it again does nothing."""
        if self._transport is not None and not self._closing:
            self._closing = True
            self._transport.write(frame((1000).to_bytes(2, "big"), CLOSE))
            self._transport.close()

    # asyncio.Protocol

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Connected: ask for the upgrade."""
        self._transport = cast(asyncio.Transport, transport)  # uvloop's is no subclass of it
        self._transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        """Bytes of the handshake, then of frames."""
        if not self._opened.done():
            data = self._shake(data)
        for opcode, payload in self._frames.feed(data):
            if opcode == TEXT:
                self._on_text(payload)
            elif opcode == PING and self._transport is not None:
                self._transport.write(frame(payload, PONG))
            elif opcode == CLOSE:
                self._code = int.from_bytes(payload[:2], "big") if len(payload) > 1 else None

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's name
        """The end, whoever wanted it."""
        if not self._opened.done():
            self._opened.set_exception(Refused("closed before the handshake"))
        elif not self._closing:
            self._on_lost(self._code)
        self._closing = True

    def _shake(self, data: bytes) -> bytes:
        self._head += data
        head, end, rest = self._head.partition(b"\r\n\r\n")
        if not end:
            return b""
        status = head.split(b"\r\n", 1)[0]
        if b" 101 " not in status + b" " or self._accept.encode() not in head:
            self._opened.set_exception(Refused(status.decode(errors="replace")))
            self._closing = True
            if self._transport is not None:
                self._transport.close()
            return b""
        self._opened.set_result(None)
        return rest
