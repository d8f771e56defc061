"""A real server in the test's own loop, and players that talk to it as any client would."""

import asyncio
import contextlib
import random
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import httpx
import orjson
import pytest
import uvicorn
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from app.infra.clock import Clock
from app.infra.config import Limits, Settings, Timing
from app.infra.rng import Rng
from app.infra.wire import HTTP, SOCKET
from app.main import Site, create_app
from tests.realtime.promises import Promised

Frame = dict[str, Any]
Choose = Callable[["Seat"], Frame]

WAIT_S = 60.0
"""Longer than anything here takes; a test that waits so long has failed."""
HOUR = 3_600_000

QUICK = {
    "bot_min": 0,
    "bot_max": 0,
    "trick_pause": 0,
    "deal_pause": 0,
    "next_deal": 20,
    "passed_out_pause": 0,
    "fill": 20,
    "ready_check": 0,
}
PATIENT = (
    "fast_turn", "normal_turn", "relaxed_turn", "rematch", "away", "pause_grace", "idle_table",
    "outage_gap", "answer", "hello", "silent", "send", "slow_close",
)  # fmt: skip
"""What happens by itself when somebody is slow: never, but in a test of that very thing. A machine
that is slow would bring it about in any other."""


def timing(**changed: int) -> Timing:
    """Bots and pauses without waiting; people have all the time that the machine needs."""
    patient = {**dict.fromkeys(PATIENT, HOUR), "expiry_beat_max": HOUR // 2, "ticket_life": 60_000}
    return Timing(**{**patient, **QUICK, **changed})


def limits(**changed: int) -> Limits:
    """Many guests and messages from one address, but what a test is about."""
    wide = {
        "guests_per_address_per_hour": 1_000,
        "requests_per_minute": 100_000,
        "messages_per_window": 5_000,
        "handshakes_per_address_per_minute": 100_000,
        "commands_per_player": 100_000,
        "commands_per_address": 100_000,
        "requests_per_player_per_minute": 100_000,
        "tables_per_player_per_hour": 100_000,
        "tables_per_address_per_hour": 100_000,
        "searches_per_player_per_minute": 100_000,
    }
    return Limits(**{**wide, **changed})


class _Server(uvicorn.Server):
    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """The test's signals are the test's."""
        yield


@dataclass
class Running:
    """A server that answers."""

    site: Site
    port: int
    http: httpx.AsyncClient
    stop: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.port}"

    async def guest(self, name: str | None = None, address: str | None = None) -> "Guest":
        """A new guest, perhaps from another address."""
        answer = await self.http.post("/api/guests", json={"name": name, "locale": "en"})
        assert answer.status_code == 201, answer.text
        self.http.cookies.clear()
        told = answer.json()
        return Guest(self, told["player"]["id"], told["token"], address)


@asynccontextmanager
async def serving(
    database_url: str,
    *,
    timing_: Timing | None = None,
    limits_: Limits | None = None,
    clock: Clock | None = None,
    rng: Rng | None = None,
    **more: Any,
) -> AsyncIterator[Running]:
    """A server on a free port of this machine, as `app/server.py` runs it."""
    settings = Settings(
        database_url=database_url,
        timing=timing_ or timing(),
        limits=limits_ or limits(),
        **more,
    )
    site = create_app(settings, clock=clock, rng=rng)
    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(
        site,
        http=HTTP,
        ws=SOCKET,
        ws_max_size=settings.limits.frame_bytes,
        ws_ping_interval=None,
        ws_per_message_deflate=False,
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_keep_alive=HOUR,  # else both ends drop an idle connection after the same 5 s
        timeout_graceful_shutdown=5,
    )
    server = _Server(config)
    task = asyncio.create_task(server.serve(sockets=[listener]))
    while not server.started:
        if task.done():
            await task
            raise AssertionError("the server did not start")
        await asyncio.sleep(0.005)
    port = listener.getsockname()[1]
    told = {"response": [Promised(site.api)]}
    base_url = f"http://127.0.0.1:{port}"
    async with httpx.AsyncClient(base_url=base_url, timeout=WAIT_S, event_hooks=told) as http:
        try:
            yield Running(site, port, http)
        finally:
            server.should_exit = True
            await asyncio.wait_for(task, WAIT_S)
            listener.close()


@dataclass
class Guest:
    """A person with a token: asks REST, opens sockets."""

    server: Running
    id: str
    token: str
    address: str | None = None
    """Where it seems to come from, as a proxy of this machine tells it."""

    @property
    def headers(self) -> dict[str, str]:
        """Who asks."""
        told = {} if self.address is None else {"X-Forwarded-For": self.address}
        return {"Authorization": f"Bearer {self.token}", **told}

    async def ask(self, method: str, path: str, body: Frame | None = None) -> httpx.Response:
        """One request."""
        content = None if body is None and method in ("GET", "DELETE") else orjson.dumps(body or {})
        kind = {"Content-Type": "application/json"}
        return await self.server.http.request(
            method, path, content=content, headers={**self.headers, **kind}
        )

    async def get(self, method: str, path: str, body: Frame | None = None) -> Any:
        """One request that succeeds; its JSON."""
        answer = await self.ask(method, path, body)
        assert answer.is_success, f"{method} {path}: {answer.status_code} {answer.text}"
        return answer.json() if answer.content else None

    @asynccontextmanager
    async def socket(self, hello: bool = True, **more: Any) -> AsyncIterator["Wire"]:
        """An open socket, greeted unless told otherwise."""
        async with connect(
            f"ws://127.0.0.1:{self.server.port}/ws",
            additional_headers=self.headers,
            compression=None,
            max_size=None,
            max_queue=None,  # a test that reads nothing for a while holds nobody up
            ping_interval=None,
            open_timeout=WAIT_S,
            **more,
        ) as ws:
            wire = Wire(ws)
            if hello:
                await wire.send(t="hello", proto=1)
                await wire.get("welcome")
            yield wire


class Wire:
    """A socket that speaks JSON and keeps all it heard."""

    def __init__(self, ws: ClientConnection) -> None:
        self.ws = ws
        self.heard: list[Frame] = []

    async def send(self, **frame: Any) -> None:
        """Say something."""
        await self.ws.send(orjson.dumps(frame).decode())

    async def next(self) -> Frame:
        """The next frame."""
        text = await asyncio.wait_for(self.ws.recv(), WAIT_S)
        frame: Frame = orjson.loads(text)
        self.heard.append(frame)
        return frame

    async def get(self, *kinds: str) -> Frame:
        """The next frame of one of these kinds; others are heard on the way."""
        while True:
            frame = await self.next()
            if frame["t"] in kinds:
                return frame

    async def until(self, fits: Callable[[Frame], bool]) -> Frame:
        """The next frame that fits."""
        while True:
            frame = await self.next()
            if fits(frame):
                return frame

    async def closed(self) -> int:
        """The code with which the server closes, however much it still says before."""
        with pytest.raises(ConnectionClosed) as end:
            while True:
                await self.next()
        assert end.value.rcvd is not None, "the connection was cut without a code"
        return end.value.rcvd.code


class Seat:
    """A client as docs/protocol.md describes it, with the least that plays a match."""

    def __init__(self, wire: Wire, table: str, seed: int = 0) -> None:
        self.wire = wire
        self.table = table
        self.random = random.Random(seed)
        self.have = 0
        self.seat: int | None = None
        self.turn: Frame | None = None
        self.view: Frame = {}
        self.events: list[Frame] = []
        self.naks: list[Frame] = []
        self.continues: set[str] = set()
        """Commands that may come too late: the next deal waits for nobody."""
        self.asked: int | None = None
        self.ended = False

    async def sit(self) -> "Seat":
        """Listen to the table."""
        await self.wire.send(t="sub", table=self.table)
        self.take(await self.wire.get("snap"))
        return self

    def take(self, frame: Frame) -> None:
        """Learn from a frame."""
        if frame["t"] == "snap":
            self.have, self.view = frame["seq"], frame["view"]
            self.seat = frame["view"]["you"]["seat"]
            self.turn = frame["turn"]
        elif frame["t"] == "ev":
            for event in frame["evs"]:
                if event["seq"] <= self.have:
                    continue
                assert event["seq"] == self.have + 1, "a gap that nobody announced"
                self.have = event["seq"]
                self.events.append(event)
                self.ended = self.ended or event["type"] == "match_ended"
            self.turn = frame.get("turn", self.turn)
        elif frame["t"] == "turn":
            self.turn = frame["turn"]
        elif frame["t"] == "nak" and frame["id"] not in self.continues:
            self.naks.append(frame)

    def command(self) -> Frame | None:
        """A random legal answer to the open turn, once; None when it is not ours."""
        turn = self.turn
        if turn is None or turn["decision"] == self.asked:
            return None
        if turn["kind"] == "continue":
            self.asked = turn["decision"]
            return {"decision": turn["decision"], "c": {"type": "continue"}}
        if turn["seat"] != self.seat or "legal" not in turn:
            return None
        self.asked = turn["decision"]
        legal = turn["legal"]
        if turn["kind"] == "play":
            choice = self._card(legal)
        elif turn["kind"] == "declare":
            if not legal["declarations"]:
                return None  # the server answers for who has nothing
            choice = {"type": "declare", "declarations": self._some(legal["declarations"])}
        else:
            choice = self._call(legal)
        return {"decision": turn["decision"], "c": choice}

    def _some(self, declarations: list[Frame]) -> list[list[str]]:
        return [each["cards"] for each in declarations if self.random.random() < 0.7]

    def _card(self, legal: Frame) -> Frame:
        card = self.random.choice(legal["cards"])
        choice: Frame = {"type": "play", "card": card}
        if legal["declarations"]:
            choice["declare"] = self._some(legal["declarations"])
        if card in legal["belote"]:
            choice["belote"] = self.random.random() < 0.7
        return choice

    def _call(self, legal: Frame) -> Frame:
        call = self.random.choice(legal["calls"])
        choice: Frame = {"type": call}
        if call in ("name", "bid"):
            choice["trump"] = self.random.choice(legal["trumps"])
        if call == "bid" and legal["values"]:
            choice["value"] = legal["values"][0]
        return choice

    async def act(self) -> str | None:
        """Answer the open turn if it is ours; the id of the command."""
        command = self.command()
        if command is None:
            return None
        cid = str(uuid4())
        if command["c"]["type"] == "continue":
            self.continues.add(cid)
        await self.wire.send(t="cmd", id=cid, table=self.table, **command)
        return cid

    async def play(self) -> None:
        """Play to the end of the match."""
        await self.act()
        while not self.ended:
            self.take(await self.wire.next())
            if not self.ended:
                await self.act()
