"""A client that never gives up, as docs/protocol.md asks: it reconnects, resumes, and sends a
command again (the same id) while its decision is open. It remembers all that it was told."""

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final
from uuid import uuid4

import httpx
import orjson
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

Frame = dict[str, Any]

PAUSE_S: Final = 0.05
"""A client's pause before it tries again; real ones wait longer."""
RESEND_S: Final = 2.5
LONG_S: Final = 240.0


class Journal:
    """What all clients of a test were told, and a bell for whoever waits for more of it."""

    def __init__(self) -> None:
        self.acked: dict[str, int] = {}
        """Number of the batch by command id."""
        self.heard: dict[tuple[str, int], Frame] = {}
        """Public part and type of each event by (table, seq)."""
        self.naks: list[Frame] = []
        self._bell = asyncio.Condition()

    async def ring(self) -> None:
        """Something was told."""
        async with self._bell:
            self._bell.notify_all()

    async def more_acks(self, count: int) -> None:
        """Wait for so many acknowledgements beyond those of now."""
        aim = len(self.acked) + count
        await self.until(lambda: len(self.acked) >= aim)

    async def until(self, true: Callable[[], bool]) -> None:
        """Wait until what clients were told makes it true."""
        async with asyncio.timeout(LONG_S), self._bell:
            await self._bell.wait_for(true)


@dataclass
class Account:
    """A guest and its token, which outlive every server."""

    url: str
    id: str
    token: str

    @property
    def headers(self) -> dict[str, str]:
        """Who asks."""
        return {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}

    async def ask(self, method: str, path: str, body: Frame | None = None) -> Any:
        """A REST call that succeeds."""
        async with httpx.AsyncClient(base_url=self.url, timeout=LONG_S) as http:
            content = None if method == "GET" else orjson.dumps(body or {})
            answer = await http.request(method, path, content=content, headers=self.headers)
        assert answer.is_success, f"{method} {path}: {answer.status_code} {answer.text}"
        return answer.json() if answer.content else None


async def new_account(url: str) -> Account:
    """A guest."""
    async with httpx.AsyncClient(base_url=url, timeout=LONG_S) as http:
        told = (await http.post("/api/guests", json={})).json()
    return Account(url, told["player"]["id"], told["token"])


@dataclass
class Survivor:
    """One seat, played by random legal answers until the match has ended."""

    account: Account
    table: str
    journal: Journal
    seed: int
    have: int = 0
    seat: int | None = None
    turn: Frame | None = None
    pending: Frame | None = None
    answered: int | None = None
    """The decision that has a command of ours; it gets no second one."""
    ended: bool = False
    resting: bool = False
    """Answers nothing while it is set."""
    patient: bool = True
    """Sends a command again after a refusal with `retry`; else it forgets it, and rests."""
    turns: list[Frame | None] = field(default_factory=list)
    closes: list[int | None] = field(default_factory=list)
    """How each of its lines ended: the code, or None when it broke."""

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)

    @property
    def is_asked(self) -> bool:
        """Whether the open turn is ours."""
        turn = self.turn
        return turn is not None and turn["seat"] == self.seat and "legal" in turn

    @property
    def is_awaited(self) -> bool:
        """Whether the open turn is ours and has no command of ours yet, on its way or answered."""
        return self.is_asked and self.turn is not None and self.turn["decision"] != self.answered

    async def play(self) -> None:
        """Whatever happens to servers and lines."""
        while not self.ended:
            try:
                await self._connected()
            except (OSError, ConnectionClosed, InvalidHandshake, TimeoutError) as error:
                code = (
                    error.rcvd.code if isinstance(error, ConnectionClosed) and error.rcvd else None
                )
                self.closes.append(code)
                await self.journal.ring()
                await asyncio.sleep(PAUSE_S)

    async def _connected(self) -> None:
        address = self.account.url.replace("http", "ws") + "/ws"
        headers = {"Authorization": self.account.headers["Authorization"]}
        async with connect(
            address, additional_headers=headers, compression=None, max_size=None, open_timeout=20
        ) as ws:
            resume = [{"table": self.table, "seq": self.have}] if self.have else []
            await ws.send(orjson.dumps({"t": "hello", "proto": 1, "resume": resume}).decode())
            if not self.have:
                await ws.send(orjson.dumps({"t": "sub", "table": self.table}).decode())
            if self.pending is not None:
                await ws.send(orjson.dumps(self.pending).decode())
            while not self.ended:
                await self._listen(ws)

    async def _listen(self, ws: ClientConnection) -> None:
        try:
            text = await asyncio.wait_for(ws.recv(), RESEND_S)
        except TimeoutError:
            have = {"table": self.table, "seq": self.have}
            have["decision"] = self.turn and self.turn["decision"]
            await ws.send(orjson.dumps({"t": "ping", "n": 1, "have": [have]}).decode())
            if self.pending is not None:
                await ws.send(orjson.dumps(self.pending).decode())
            await self._act(ws)
            return
        await self._take(ws, orjson.loads(text))
        await self._act(ws)
        await self.journal.ring()

    async def _take(self, ws: ClientConnection, frame: Frame) -> None:
        kind = frame["t"]
        if kind == "snap":
            self.have, self.seat = frame["seq"], frame["view"]["you"]["seat"]
            game = frame["view"]["game"]
            self.ended = game is not None and game["phase"] == "ended"
        elif kind == "ev":
            self._events(frame["evs"])
        elif kind == "nak":
            await self._refused(ws, frame)
        if kind == "ack":
            self._acked(frame["id"], frame["seq"])
        elif "ack" in frame:
            self._acked(frame["ack"], frame["evs"][0]["seq"])
        if kind in ("snap", "ev", "turn") and "turn" in frame:
            self.turn = frame["turn"]
            self.turns.append(self.turn)

    def _events(self, events: list[Frame]) -> None:
        for event in events:
            seen = {"type": event["type"], "d": event["d"]}
            known = self.journal.heard.setdefault((self.table, event["seq"]), seen)
            assert known == seen, "two were told different things under one number"
            if event["seq"] > self.have:
                assert event["seq"] == self.have + 1, "a gap that nobody announced"
                self.have = event["seq"]
                self.ended = self.ended or event["type"] == "match_ended"

    def _acked(self, command: str, seq: int) -> None:
        known = self.journal.acked.setdefault(command, seq)
        assert known == seq, "one command, two answers"
        if self.pending is not None and self.pending["id"] == command:
            self.pending = None

    async def _refused(self, ws: ClientConnection, frame: Frame) -> None:
        self.journal.naks.append(frame)
        if self.pending is None or self.pending["id"] != frame["id"]:
            return
        if frame["retry"] and not self.patient:
            self.pending, self.answered, self.resting = None, None, True
        elif frame["retry"]:
            await asyncio.sleep(PAUSE_S)
            await ws.send(orjson.dumps(self.pending).decode())
        else:
            self.pending = None

    async def _act(self, ws: ClientConnection) -> None:
        """Answer the open turn, once: with a fresh command, or not at all."""
        turn = self.turn
        if self.pending is not None and turn is not None:
            if self.pending["decision"] == turn["decision"]:
                return
            self.pending = None  # its decision is over; it was carried out, or came too late
        if turn is None or turn["decision"] == self.answered:
            return
        if self.resting or not (self.is_asked or turn["kind"] == "ready"):
            return
        self.pending = {
            "t": "cmd", "id": str(uuid4()), "table": self.table,
            "decision": turn["decision"], "c": self._choice(turn),
        }  # fmt: skip
        self.answered = turn["decision"]
        await ws.send(orjson.dumps(self.pending).decode())

    def _choice(self, turn: Frame) -> Frame:
        if turn["kind"] == "ready":
            return {"type": "ready", "yes": True}
        legal = turn["legal"]
        if turn["kind"] == "play":
            return {"type": "play", "card": self.random.choice(legal["cards"])}
        call = self.random.choice(legal["calls"])
        named = {"trump": self.random.choice(legal["trumps"])} if call == "name" else {}
        return {"type": call, **named}
