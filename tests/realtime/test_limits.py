"""Bounds of a socket: who may come in, how much it may say, how slowly it may read."""

import asyncio
import contextlib

import orjson
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from tests.clocks import FakeClock
from tests.realtime.harness import HOUR, Running, Seat, limits, serving, timing
from tests.realtime.test_resume import own_turn, playing


async def test_a_foreign_origin_is_refused_before_the_handshake(server: Running) -> None:
    ada = await server.guest()
    with pytest.raises(InvalidStatus) as refused:
        async with ada.socket(origin="https://evil.example"):
            pass
    assert refused.value.response.status_code == 403


async def test_the_servers_own_origin_comes_in_with_its_cookie(server: Running) -> None:
    ada = await server.guest()
    cookie = f"{server.site.settings.cookie_name}={ada.token}"
    async with connect(
        f"ws://127.0.0.1:{server.port}/ws",
        origin=server.url,  # type: ignore[arg-type]
        additional_headers={"Cookie": f"other=1; {cookie}"},
        compression=None,
    ) as ws:
        await ws.send('{"t":"hello","proto":1}')
        assert orjson.loads(await ws.recv())["player"]["id"] == ada.id


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({}, 4401),
        ({"Authorization": "Bearer nobody"}, 4401),
        ({"Cookie": "{cookie}=nobody"}, 4403),
    ],
)
async def test_who_is_nobody_hears_why(server: Running, headers: dict[str, str], code: int) -> None:
    name = server.site.settings.cookie_name
    told = {key: value.format(cookie=name) for key, value in headers.items()}
    async with connect(f"ws://127.0.0.1:{server.port}/ws", additional_headers=told) as ws:
        await ws.wait_closed()
        assert ws.close_code == code


async def test_no_other_path_is_a_socket(server: Running) -> None:
    with pytest.raises(InvalidStatus) as refused:
        async with connect(f"ws://127.0.0.1:{server.port}/api/ws"):
            pass
    assert refused.value.response.status_code == 404


async def test_who_says_no_hello_is_put_out(database_url: str) -> None:
    clock = FakeClock()
    async with serving(database_url, timing_=timing(hello=HOUR // 2), clock=clock) as server:
        ada = await server.guest()
        async with ada.socket(hello=False) as wire:
            await wire.send(t="ping", n=1)
            assert (await wire.next()) == {"t": "error", "code": "bad_request"}
            clock.advance(server.site.settings.timing.hello)
            assert await wire.closed() == 4408


async def test_an_older_client_is_told_to_reload(server: Running) -> None:
    ada = await server.guest()
    async with ada.socket(hello=False) as wire:
        await wire.send(t="hello", proto=0)
        assert await wire.closed() == 4426


async def test_who_is_silent_is_let_go_and_who_pings_is_not(database_url: str) -> None:
    clock = FakeClock()
    async with serving(database_url, timing_=timing(silent=HOUR // 2), clock=clock) as server:
        ada, ben = await server.guest(), await server.guest()
        async with ada.socket() as quiet, ben.socket() as lively:
            for n in (1, 2):
                clock.advance(server.site.settings.timing.silent // 2)
                await lively.send(t="ping", n=n)
                assert (await lively.next())["n"] == n
            assert await quiet.closed() == 4408
            await lively.send(t="ping", n=3)
            assert (await lively.next())["n"] == 3


@pytest.mark.parametrize("text", ["{", '{"t":"dance"}', '{"t":"sub","table":"nowhere"}', "[]"])
async def test_what_can_not_be_read_is_said_so_and_changes_nothing(
    server: Running, text: str
) -> None:
    ada = await server.guest()
    async with ada.socket() as wire:
        await wire.ws.send(text)
        assert (await wire.next()) == {"t": "error", "code": "bad_request"}
        await wire.ws.send(b"\x00\x01")
        assert (await wire.next()) == {"t": "error", "code": "bad_request"}
        await wire.send(t="ping", n=1)
        assert (await wire.next()) == {"t": "pong", "n": 1}


async def test_a_frame_over_four_kilobytes_ends_the_socket(server: Running) -> None:
    ada = await server.guest()
    async with ada.socket() as wire:
        await wire.ws.send('{"t":"ping","n":1}' + " " * 4000)
        assert (await wire.next()) == {"t": "pong", "n": 1}
        await wire.ws.send('{"t":"ping","n":1}' + " " * 5000)
        assert await wire.closed() == 1009


async def test_a_flood_ends_the_socket(database_url: str) -> None:
    few, still = limits(messages_per_window=40), FakeClock()
    async with serving(database_url, limits_=few, clock=still) as server:
        ada = await server.guest()
        async with ada.socket() as wire:
            for n in range(39):  # hello was the first
                await wire.send(t="ping", n=n)
                assert (await wire.next())["n"] == n
            await wire.send(t="ping", n=40)
            assert await wire.closed() == 4429
        assert wire.heard[-1]["n"] == 38, "the forty-first is not answered"


async def test_rubbish_counts_for_more(database_url: str) -> None:
    few, still = limits(messages_per_window=40), FakeClock()
    async with serving(database_url, limits_=few, clock=still) as server:
        ada = await server.guest()
        async with ada.socket() as wire:
            for _ in range(10):
                await wire.ws.send("?")
            assert await wire.closed() == 4429
        assert sum(frame["t"] == "error" for frame in wire.heard) == 9


async def test_a_sixth_socket_is_one_too_many(server: Running) -> None:
    ada = await server.guest()
    async with contextlib.AsyncExitStack() as stack:
        wires = [await stack.enter_async_context(ada.socket()) for _ in range(5)]
        async with ada.socket(hello=False) as sixth:
            assert await sixth.closed() == 4409
        await wires[0].send(t="ping", n=1)
        assert (await wires[0].next())["n"] == 1
        await wires[4].ws.close()
        async with ada.socket():
            pass


async def test_a_socket_that_has_long_been_silent_makes_room(database_url: str) -> None:
    clock = FakeClock()
    async with serving(database_url, limits_=limits(sockets_per_player=2), clock=clock) as server:
        ada = await server.guest()
        async with ada.socket() as dead, ada.socket() as alive:
            clock.advance(server.site.settings.timing.silent // 3)
            await alive.send(t="ping", n=1)
            await alive.next()
            async with ada.socket() as fresh:
                await fresh.send(t="ping", n=1)
                assert (await fresh.next())["n"] == 1
                assert await dead.closed() == 4409


async def test_who_never_reads_is_let_go_and_stalls_nobody(database_url: str) -> None:
    """A socket whose reader is stuck fills its outbox; the others at the table go on."""
    async with serving(
        database_url,
        timing_=timing(slow_close=100),  # it overflows: nobody waits for its send
        limits_=limits(messages_per_window=1_000_000, sockets_per_player=5),
    ) as server:
        ada, table = await playing(server)
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port, limit=1024)
        writer.write(handshake(server, ada.token))
        await reader.readuntil(b"\r\n\r\n")
        writer.write(masked(b'{"t":"hello","proto":1}'))
        await reader.readuntil(b'"t":"welcome"')  # from here on it reads nothing
        writer.write(masked(orjson.dumps({"t": "sub", "table": table})))
        async with ada.socket() as wire:
            seat = await Seat(wire, table).sit()
            hub = server.site.hub
            assert hub is not None
            stuck = asyncio.create_task(flood_with_snapshots(writer, table))
            await own_turn(seat)
            while len(hub.connections()) > 1:
                await wire.send(t="ping", n=1)
                while (await wire.next())["t"] != "pong":
                    pass
            stuck.cancel()
            with contextlib.suppress(asyncio.CancelledError, OSError):
                await stuck
            await seat.act()
            answered = await wire.until(lambda f: f.get("ack") is not None or f["t"] == "nak")
            assert answered["t"] == "ev"
        from app.realtime.connection import CLOSED

        assert CLOSED.value(code="4408") >= 1
        writer.close()


def handshake(server: Running, token: str) -> bytes:
    """A WebSocket's opening by hand, so that nothing reads behind the test's back."""
    return (
        f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OTAxMjM0NQ==\r\n"
        f"Sec-WebSocket-Version: 13\r\nAuthorization: Bearer {token}\r\n\r\n"
    ).encode()


def masked(payload: bytes) -> bytes:
    """A client's text frame with a mask of zeros."""
    size = len(payload)
    head = bytes([0x81, 0x80 | size]) if size < 126 else b"\x81\xfe" + size.to_bytes(2, "big")
    return head + b"\0\0\0\0" + payload


async def flood_with_snapshots(writer: asyncio.StreamWriter, table: str) -> None:
    """Ask for ever for the largest frame there is, and read none."""
    ask = masked(orjson.dumps({"t": "resync", "table": table, "seq": 0}))
    while True:
        writer.write(ask)
        await writer.drain()
        await asyncio.sleep(0)


async def test_a_draining_server_lets_nobody_in(server: Running) -> None:
    ada = await server.guest()
    async with ada.socket() as wire:
        server.site.drain()
        assert await wire.closed() == 1012
    with pytest.raises(InvalidStatus) as refused:
        async with ada.socket():
            pass
    assert refused.value.response.status_code == 503
    health = await server.http.get("/api/health")
    assert health.json()["status"] == "draining"


async def test_a_stopping_server_says_1012_first(database_url: str) -> None:
    async with contextlib.AsyncExitStack() as stack:
        async with serving(database_url) as server:
            ada, table = await playing(server)
            wire = await stack.enter_async_context(ada.socket())
            seat = await Seat(wire, table).sit()
            assert seat.seat == 0
        assert await wire.closed() == 1012


async def test_metrics_tell_of_sockets(server: Running) -> None:
    ada = await server.guest()
    async with ada.socket():
        text = (await server.http.get("/metrics")).text
        assert "rebelote_sockets_open 1" in text
    foreign = ("evil.example", "127.evil.example", "localhost.evil.example:8000", "")
    for header in ({"X-Forwarded-For": "192.0.2.1"}, *({"Host": name} for name in foreign)):
        assert (await server.http.get("/metrics", headers=header)).status_code == 404, header
    for name in ("localhost:8000", "[::1]:8000", "127.0.0.1"):
        answer = await server.http.get("/metrics", headers={"Host": name})
        assert answer.status_code == 200, name
