"""The scripted clients, against a small fake of the server that plays no game but keeps order."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import orjson
import pytest
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from bench.load import Load
from bench.players import Client, Table, Tally, choose
from bench.rest import Rest, RestError


class FakeTable:
    """Turns go round; every move is accepted, but each `refuse_every`-th is first refused."""

    def __init__(self, refuse_every: int = 0) -> None:
        self.seq = 10
        self.seat = 0
        self.sockets: list[ServerConnection] = []
        self.asked: list[dict[str, Any]] = []
        self.gone = 0
        """Sockets that have ended, and of which all has been read."""
        self.all_gone = asyncio.Event()
        self._refuse_every = refuse_every
        self._commands = 0

    def turn(self, seat: int) -> dict[str, Any]:
        turn: dict[str, Any] = {"decision": self.seq, "seat": self.seat, "kind": "play"}
        if seat == self.seat:
            turn["legal"] = {"cards": ["AS", "7D"]}
        return turn

    async def talk(self, socket: ServerConnection) -> None:
        seat = len(self.sockets)
        self.sockets.append(socket)
        with contextlib.suppress(ConnectionClosed):
            await self._hear(socket, seat)
        self.gone += 1
        if self.gone == 4:
            self.all_gone.set()

    async def _hear(self, socket: ServerConnection, seat: int) -> None:
        async for text in socket:
            message = orjson.loads(text)
            self.asked.append(message)
            if message["t"] == "hello":
                await say(socket, {"t": "welcome"})
            elif message["t"] in ("sub", "resync"):
                view = {"you": {"seat": seat}}
                snapshot = {"t": "snap", "seq": self.seq, "view": view, "turn": self.turn(seat)}
                await say(socket, snapshot)
            elif message["t"] == "cmd":
                await self._command(socket, message)

    async def _command(self, socket: ServerConnection, message: dict[str, Any]) -> None:
        self._commands += 1
        if self._refuse_every and self._commands % self._refuse_every == 0:
            await say(socket, {"t": "nak", "id": message["id"], "code": "conflict", "retry": True})
            return
        assert message["decision"] == self.seq
        self.seq += 1
        self.seat = (self.seat + 1) % 4
        for seat, other in enumerate(self.sockets):
            events = [{"seq": self.seq, "type": "card_played"}]
            told: dict[str, Any] = {"t": "ev", "evs": events, "turn": self.turn(seat)}
            if other is socket:
                told["ack"] = message["id"]
            await say(other, told)


async def say(socket: ServerConnection, message: dict[str, Any]) -> None:
    await socket.send(orjson.dumps(message).decode())


class CountingLoad(Load):
    """A load that says when it has seen enough."""

    def __init__(self) -> None:
        super().__init__()
        self.enough = 0
        self.done = asyncio.Event()

    def acked(self, due: float) -> None:
        super().acked(due)
        if self.moves >= self.enough:
            self.done.set()


class Bench:
    """Four clients at the fake table."""

    def __init__(self, fake: FakeTable, server: Server) -> None:
        port = next(iter(server.sockets)).getsockname()[1]
        self.url = f"ws://127.0.0.1:{port}/ws"
        self.fake = fake
        self.load = CountingLoad()
        self.tally = Tally()
        self.table = Table("K7Q2MD", Rest("http://127.0.0.1:1"), self.tally)
        self.table.clients = [
            Client(self.table, f"player {i}", f"token {i}", self.load, self.tally) for i in range(4)
        ]

    async def play(self, moves: int) -> None:
        self.load.enough = moves
        for client in self.table.clients:
            await client.connect(self.url)
        self.load.saturate()
        await asyncio.wait_for(self.load.done.wait(), 30)
        self.load.hold()
        for client in self.table.clients:
            client.close()
        await asyncio.wait_for(self.fake.all_gone.wait(), 30)


@pytest.fixture(params=[0, 5], ids=["willing", "refusing"])
async def bench(request: pytest.FixtureRequest) -> AsyncIterator[Bench]:
    fake = FakeTable(refuse_every=request.param)
    async with serve(fake.talk, "127.0.0.1", 0) as server:
        yield Bench(fake, server)


async def test_clients_play_their_turns_and_ask_again_when_refused(bench: Bench) -> None:
    await bench.play(40)
    assert bench.load.moves == len(bench.tally.acked_ids) == len(set(bench.tally.acked_ids))
    assert bench.fake.seq - 10 >= bench.load.moves >= 40
    naks = bench.tally.counts["nak_move_conflict"]
    resyncs = [m for m in bench.fake.asked if m["t"] == "resync"]
    assert len(resyncs) == naks
    assert (naks > 0) == bool(bench.fake._refuse_every)


async def test_a_client_signs_in_with_its_own_token(bench: Bench) -> None:
    await bench.play(4)
    assert [socket.request.headers["Authorization"] for socket in bench.fake.sockets] == [
        f"Bearer token {i}" for i in range(4)
    ]


def test_a_match_that_is_told_to_have_ended_twice_is_followed_by_one() -> None:
    tally, load = Tally(), Load()

    class Hosted(Table):
        def start_soon(self) -> None:
            tally.counts["asked_to_start"] += 1

    table = Hosted("K7Q2MD", Rest("http://127.0.0.1:1"), tally)
    client = Client(table, "player", "token", load, tally)
    table.clients = [client]
    ended = {
        "t": "ev",
        "evs": [{"seq": 8, "type": "card_played"}, {"seq": 9, "type": "match_ended"}],
    }
    client.on_text(orjson.dumps(ended))
    client.on_text(orjson.dumps(ended))
    assert tally.counts == {"matches_ended": 1, "asked_to_start": 1}


class First:
    """A random choice that always takes the first."""

    def choice(self, options: list[Any]) -> Any:
        return options[0]


def test_a_choice_is_one_of_the_legal_ones() -> None:
    first: Any = First()
    assert choose("play", {"cards": ["AS"]}, first) == {"type": "play", "card": "AS"}
    assert choose("call", {"calls": ["name", "pass"], "trumps": ["H"]}, first) == {
        "type": "name",
        "trump": "H",
    }
    assert choose("call", {"calls": ["pass", "take"], "trumps": []}, first) == {"type": "pass"}


async def test_rest_answers_json_over_one_connection_and_raises_what_is_refused() -> None:
    connections = 0

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal connections
        connections += 1
        while (line := await reader.readline()) != b"":
            head = line + await reader.readuntil(b"\r\n\r\n")
            fields = head.decode().split("\r\n")
            size = next(f for f in fields if f.startswith("Content-Length"))
            body = await reader.readexactly(int(size.split(":")[1]))
            status = "200 OK" if b"Bearer good" in head else "401 Unauthorized"
            reply = b'{"heard":%s}' % body
            writer.write(f"HTTP/1.1 {status}\r\nContent-Length: {len(reply)}\r\n\r\n".encode())
            writer.write(reply)
        writer.close()
        hung_up.set()

    hung_up = asyncio.Event()
    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    rest = Rest(f"http://127.0.0.1:{port}")
    try:
        assert await rest.call("POST", "/x", {"a": 1}, "good") == {"heard": {"a": 1}}
        with pytest.raises(RestError) as caught:
            await rest.call("POST", "/x", {}, "bad")
        assert (caught.value.status, connections) == (401, 1)
    finally:
        rest.close()
        await asyncio.wait_for(hung_up.wait(), 30)
        server.close()
