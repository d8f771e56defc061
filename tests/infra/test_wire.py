"""What a hostile client may make the server keep, beside bodies and frames."""

import asyncio
import base64
import contextlib
import os
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send

from app.infra import wire

WAIT_S = 30


class Quiet(uvicorn.Server):
    @contextlib.contextmanager
    def capture_signals(self) -> Any:
        """The test's signals are the test's."""
        yield


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    """200 to every request; a socket that says back what it hears, but at `/no`."""
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})
        return
    await receive()
    if scope["path"] == "/no":
        await send({"type": "websocket.http.response.start", "status": 403, "headers": []})
        await send({"type": "websocket.http.response.body", "body": b""})
        return
    await send({"type": "websocket.accept"})
    while (message := await receive())["type"] == "websocket.receive":
        await send({"type": "websocket.send", "text": message["text"]})


@pytest.fixture
async def port() -> AsyncIterator[int]:
    config = uvicorn.Config(
        echo, port=0, http=wire.HTTP, ws=wire.SOCKET, ws_max_size=4096,
        ws_ping_interval=None, ws_per_message_deflate=False, lifespan="off", log_config=None,
    )  # fmt: skip
    server = Quiet(config)
    task = asyncio.create_task(server.serve())
    while not server.started:
        assert not task.done(), "the server did not start"
        await asyncio.sleep(0.005)
    yield server.servers[0].sockets[0].getsockname()[1]
    server.should_exit = True
    await asyncio.wait_for(task, WAIT_S)


Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@asynccontextmanager
async def opened(port: int, said: bytes) -> AsyncIterator[Streams]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(said)
    try:
        yield reader, writer
    finally:
        writer.close()


def handshake(path: str = "/") -> bytes:
    key = base64.b64encode(os.urandom(16)).decode()
    return (
        f"GET {path} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
    ).encode()


def frame(opcode: int, data: bytes = b"", *, last: bool = True) -> bytes:
    """A masked frame, with a mask that changes nothing."""
    return bytes([(0x80 if last else 0) | opcode, 0x80 | len(data)]) + b"\0\0\0\0" + data


async def close_code(reader: asyncio.StreamReader) -> int:
    head = await asyncio.wait_for(reader.readexactly(2), WAIT_S)
    assert head[0] & 15 == 8
    code: int = struct.unpack(">H", (await reader.readexactly(head[1]))[:2])[0]
    return code


async def test_a_request_with_a_usual_head_is_answered(port: int) -> None:
    async with opened(port, b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"a" * 9_000 + b"\r\n\r\n") as (
        reader,
        writer,
    ):
        assert b" 200 " in await reader.readline()
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 90000\r\n\r\n" + b"a" * 90_000)
        while b" 200 " not in await asyncio.wait_for(reader.readline(), WAIT_S):
            pass


@pytest.mark.parametrize("said", [b"GET / HTTP/1.1\r\nX: ", b"GET /"])
async def test_a_head_without_an_end_is_refused(port: int, said: bytes) -> None:
    async with opened(port, said) as (reader, writer):
        with contextlib.suppress(ConnectionError):  # it may be cut while we still send
            for _ in range(64):
                writer.write(b"a" * 16_384)
                await writer.drain()
        line = b""
        with contextlib.suppress(ConnectionError):
            line = await asyncio.wait_for(reader.readline(), WAIT_S)
        assert line in (b"", b"HTTP/1.1 400 Bad Request\r\n")
        assert writer.transport.is_closing() or reader.at_eof() or line


@pytest.mark.parametrize("said", [b"", b"GET / HTTP/1.1\r\nHost: x\r\nX"])
async def test_a_head_that_does_not_come_is_not_waited_for(
    port: int, monkeypatch: pytest.MonkeyPatch, said: bytes
) -> None:
    monkeypatch.setattr(wire, "HEAD_S", 0.05)
    async with opened(port, said) as (reader, _):
        try:
            heard = await asyncio.wait_for(reader.read(), WAIT_S)
        except ConnectionResetError:  # it was cut before it had read what we said
            heard = b""
        assert heard == b""


async def test_a_socket_is_not_taken_for_a_slow_head(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[asyncio.TimerHandle | None] = []
    wait = wire.Http._wait

    def noted(protocol: wire.Http) -> None:
        wait(protocol)
        waits.append(protocol._patience)

    monkeypatch.setattr(wire.Http, "_wait", noted)
    async with opened(port, handshake()) as (reader, _):
        await reader.readuntil(b"\r\n\r\n")
        assert [each is not None and each.cancelled() for each in waits] == [True]


async def test_a_message_in_endless_fragments_closes_the_socket(port: int) -> None:
    async with opened(port, handshake()) as (reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(frame(1, b"a", last=False) + frame(0, b"b"))
        assert (await reader.readexactly(4))[2:] == b"ab"
        writer.write(frame(1, last=False) + frame(0, last=False) * 1_000)
        assert await close_code(reader) == 1009


async def test_pings_that_nobody_reads_are_not_answered_for_ever(port: int) -> None:
    async with opened(port, handshake()) as (reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        writer.transport.pause_reading()
        with pytest.raises(ConnectionError):
            async with asyncio.timeout(60):
                while True:
                    writer.write(frame(9, b"x" * 100) * 1_000)
                    await writer.drain()


async def test_a_client_that_is_at_fault_makes_no_error_of_ours(
    port: int, caplog: pytest.LogCaptureFixture
) -> None:
    async with opened(port, handshake()) as (reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(frame(1, b"\xff"))
        assert await close_code(reader) == 1007
    async with opened(port, handshake("/no")) as (reader, _):
        assert b" 403 " in await reader.readline()
        await asyncio.wait_for(reader.read(), WAIT_S)
    ours = [record for record in caplog.records if record.name.startswith(("app", "uvicorn"))]
    assert [record.levelname for record in ours if record.levelno >= 40] == []
