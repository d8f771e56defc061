"""Scripted clients that play real matches: four at a table, random legal choices, for ever.

They speak the protocol of docs/protocol.md and know no rule: the `turn` frame tells what is legal.
"""

import asyncio
import random
from collections import Counter
from typing import Any
from uuid import UUID

import orjson

from bench.load import Load
from bench.rest import Rest, RestError
from bench.socket import Socket

PING_S = 5.0
RESTART_TRIES = 20


class Tally:
    """What all clients of one target saw, counted."""

    def __init__(self) -> None:
        self.acked_ids: list[bytes] = []
        """The ids of all acknowledged moves (not of `continue`)."""
        self.counts: Counter[str] = Counter()
        """naks by code, snapshots, sockets lost, continues, matches ended …"""


class Table:
    """One table: its four clients, and the host who starts the next match."""

    def __init__(self, code: str, rest: Rest, tally: Tally) -> None:
        self.code = code
        self.clients: list[Client] = []
        self._rest = rest
        self._tally = tally
        self._starting: asyncio.Task[None] | None = None

    def start_soon(self) -> None:
        """Let the host start a match; a second call while that runs does nothing."""
        if self._starting is None or self._starting.done():
            self._starting = asyncio.create_task(self.start(), name=f"start {self.code}")

    async def start(self) -> None:
        """POST …/start, tried again while the ended match is still being put away."""
        for attempt in range(RESTART_TRIES):
            try:
                await self._rest.call(
                    "POST", f"/api/tables/{self.code}/start", {}, self.clients[0].token
                )
            except RestError as error:
                self._tally.counts[f"start_{error.status}"] += 1
                await asyncio.sleep(0.05 * (attempt + 1))
            else:
                self._tally.counts["matches_started"] += 1
                return
        self._tally.counts["tables_dead"] += 1


class Client:
    """One scripted player on one socket."""

    def __init__(self, table: Table, player: str, token: str, load: Load, tally: Tally) -> None:
        self.table = table
        self.player = player
        self.token = token
        self.seat: int | None = None
        self.subscribed = asyncio.Event()
        self._load = load
        self._tally = tally
        self._random = random.Random(player)
        self._socket: Socket | None = None
        self._ping: asyncio.TimerHandle | None = None
        self._pings = 0
        self._seq = 0
        self._decision: int | None = None
        self._answered = -1
        """The last decision that this client answered, or has offered to the load."""
        self._choice: dict[str, Any] | None = None
        self._pending: dict[str, float | None] = {}
        """Commands without an answer: id → when the move was due, None for what is no move."""

    async def connect(self, url: str) -> None:
        """Open the socket, say hello, subscribe to the table and wait for its snapshot."""
        headers = {"Authorization": f"Bearer {self.token}"}
        self.subscribed.clear()
        self._socket = await Socket.open(url, headers, self.on_text, self._on_lost)
        self._say({"t": "hello", "proto": 1, "build": "bench", "resume": []})
        await asyncio.wait_for(self.subscribed.wait(), 30)
        self._ping = asyncio.get_running_loop().call_later(
            self._random.uniform(0, PING_S), self._say_ping
        )

    def close(self) -> None:
        """Leave the socket; calling it again does nothing."""
        if self._ping is not None:
            self._ping.cancel()
            self._ping = None
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def move(self, due: float) -> None:
        """Send the choice for the open turn (called by the load)."""
        choice, self._choice = self._choice, None
        if choice is None:  # the turn was taken away while the move waited (a lost socket)
            self._load.failed()
            return
        self._command(choice, self._answered, due)

    def on_text(self, payload: bytes) -> None:
        """One frame of the server."""
        message = orjson.loads(payload)
        kind = message["t"]
        if kind == "ev":
            self._on_events(message)
        elif kind == "turn":
            self._on_turn(message["turn"])
        elif kind == "snap":
            self._on_snapshot(message)
        elif kind == "ack":
            self._on_answered(message["id"])
        elif kind == "nak":
            self._on_refused(message)
        elif kind == "welcome":
            self._say({"t": "sub", "table": self.table.code})
        elif kind == "error":
            self._tally.counts[f"error_{message['code']}"] += 1

    def _on_events(self, message: dict[str, Any]) -> None:
        # A ping that crossed a batch brings it a second time: what is known is dropped.
        fresh = [event["type"] for event in message["evs"] if event["seq"] > self._seq]
        self._seq = max(self._seq, message["evs"][-1]["seq"])
        ack = message.get("ack")
        if ack is not None:
            self._on_answered(ack)
        if "match_ended" in fresh and self is self.table.clients[0]:
            self._tally.counts["matches_ended"] += 1
            self.table.start_soon()
        if "turn" in message:
            self._on_turn(message["turn"])

    def _on_snapshot(self, message: dict[str, Any]) -> None:
        self._tally.counts["snapshots"] += 1
        self._seq = message["seq"]
        self.seat = message["view"]["you"]["seat"]
        self.subscribed.set()
        self._on_turn(message["turn"])

    def _on_turn(self, turn: dict[str, Any] | None) -> None:
        self._decision = None if turn is None else turn["decision"]
        if turn is None or turn["decision"] <= self._answered:
            return
        if turn["kind"] == "continue":
            self._answered = turn["decision"]
            self._command({"type": "continue"}, self._answered, None)
        elif turn["kind"] == "ready":  # the host's start asks everybody else
            self._answered = turn["decision"]
            if self is not self.table.clients[0]:
                self._command({"type": "ready", "yes": True}, self._answered, None)
        elif turn["seat"] == self.seat and "legal" in turn:
            self._answered = turn["decision"]
            self._choice = choose(turn["kind"], turn["legal"], self._random)
            self._load.ready(self)

    def _command(self, choice: dict[str, Any], decision: int, due: float | None) -> None:
        command = str(UUID(int=self._random.getrandbits(128), version=4))
        self._pending[command] = due
        self._say(
            {
                "t": "cmd",
                "id": command,
                "table": self.table.code,
                "decision": decision,
                "c": choice,
            }
        )

    def _on_answered(self, command: str) -> None:
        if command not in self._pending:
            return
        due = self._pending.pop(command)
        if due is None:
            self._tally.counts["other_commands"] += 1
        else:
            self._load.acked(due)
            self._tally.acked_ids.append(UUID(command).bytes)

    def _on_refused(self, message: dict[str, Any]) -> None:
        due = self._pending.pop(message["id"], None)
        what = "other" if due is None else "move"
        self._tally.counts[f"nak_{what}_{message['code']}"] += 1
        if due is None:
            return
        # A move of ours is always legal and in turn, so this is the server's trouble: ask anew.
        self._load.failed()
        self._answered = -1
        self._say({"t": "resync", "table": self.table.code, "seq": self._seq})

    def _say_ping(self) -> None:
        self._pings += 1
        have = {"table": self.table.code, "seq": self._seq, "decision": self._decision}
        self._say({"t": "ping", "n": self._pings, "have": [have]})
        self._ping = asyncio.get_running_loop().call_later(PING_S, self._say_ping)

    def _say(self, message: dict[str, Any]) -> None:
        if self._socket is not None:
            self._socket.send(orjson.dumps(message))

    def _on_lost(self, code: int | None) -> None:
        self._tally.counts[f"lost_{code}"] += 1
        self.close()


def choose(kind: str, legal: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """A random legal choice: a card, or a call (half of them passes) with a random trump."""
    if kind == "play":
        return {"type": "play", "card": rng.choice(legal["cards"])}
    call = rng.choice(legal["calls"])
    if call == "name":
        return {"type": "name", "trump": rng.choice(legal["trumps"])}
    return {"type": call}


async def seat_all(rest: Rest, tables: int, load: Load, tally: Tally) -> list[Table]:
    """Make `tables` private tables of four guests each, over REST."""

    async def guest(number: int) -> tuple[str, str]:
        answer = await rest.call("POST", "/api/guests", {"name": f"Bench {number}"})
        return answer["player"]["id"], answer["token"]

    async def one(number: int) -> Table:
        people = await asyncio.gather(*(guest(number * 4 + i) for i in range(4)))
        options = {"preset": "classic", "speed": "normal", "visibility": "private"}
        answer = await rest.call("POST", "/api/tables", options, people[0][1])
        table = Table(answer["table"], rest, tally)
        for _, token in people[1:]:
            await rest.call("POST", f"/api/tables/{table.code}/seats", {}, token)
        table.clients = [Client(table, player, token, load, tally) for player, token in people]
        return table

    return list(await asyncio.gather(*(one(i) for i in range(tables))))
