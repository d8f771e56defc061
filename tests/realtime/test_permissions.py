"""Who may say what over the socket: one row a frame or command, and a row is missed when it is
missing. The REST half, with the same roles, is tests/rest/test_permissions.py.

`seated`, `host`, `removed` speak of a table that waits, `spectator` of a match that may be watched,
the others of one that may not; nobody bids or plays there yet. A command carries the open decision,
where its kind needs one. A success is written as "ok", a refusal by its code.
"""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any, get_args
from uuid import uuid4

import pytest
from websockets.asyncio.client import connect

from app.realtime.commands import COMMANDS, WireCommand
from app.realtime.protocol import CLIENT_FRAMES, ClientFrame
from tests.realtime.harness import Frame, Guest, Running, Wire, serving, timing
from tests.realtime.stages import STILL
from tests.roles import ROLES, waiting

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]  # each row has a table of its own

UNSEATED = ("not_seated", "not_seated", "not_seated", "not_seated")
"""stranger, removed, spectator, left"""
ALL = ("ok",) * 8
COLUMNS = ("stranger", "removed", "spectator", "left", "seated", "host", "not_at_turn", "at_turn")


def no_match(*playing: str) -> tuple[str, ...]:
    """Only for seats, and only in a match."""
    return (*UNSEATED, "wrong_phase", "wrong_phase", *playing)


TABLE: dict[str, tuple[str, ...]] = {
    "hello": ("bad_request",) * 8,  # once is enough
    "ping": ALL,
    "sub": ("forbidden", "forbidden", "ok", "forbidden", "ok", "ok", "ok", "ok"),
    "unsub": ALL,
    "resync": ("forbidden", "forbidden", "ok", "forbidden", "ok", "ok", "ok", "ok"),
    "lobby": ALL,
    "queue": ALL,  # who has a seat at such a table is told which
    "pass": no_match("not_your_turn", "ok"),
    "take": no_match("not_your_turn", "ok"),
    "name": no_match("not_your_turn", "call_not_open"),
    "bid": no_match("not_your_turn", "call_not_open"),
    "double": no_match("not_your_turn", "call_not_open"),
    "redouble": no_match("not_your_turn", "call_not_open"),
    "third": no_match("not_your_turn", "call_not_open"),
    "annul": no_match("not_your_turn", "call_not_open"),
    "declare": no_match("wrong_phase", "wrong_phase"),
    "play": no_match("wrong_phase", "wrong_phase"),
    "continue": no_match("wrong_phase", "wrong_phase"),
    "reclaim": (*UNSEATED, *("nothing_to_reclaim",) * 4),
    "ready": (*UNSEATED, *("stale",) * 4),
    "rematch": no_match("wrong_phase", "wrong_phase"),
    "resign": no_match("ok", "ok"),
    "claim": no_match("wrong_phase", "wrong_phase"),
}
ARGUMENTS: dict[str, Frame] = {
    "name": {"trump": "H"}, "bid": {"trump": "H", "value": 80}, "play": {"card": "AH"},
}  # fmt: skip
NO_DECISION = ("reclaim", "rematch", "resign")


def commands() -> set[str]:
    """Every type of a command, from the union that the socket reads."""
    models = get_args(get_args(WireCommand)[0])
    return {get_args(model.model_fields["type"].annotation)[0] for model in models}


def frames() -> set[str]:
    """Every kind of a frame."""
    return {get_args(model.model_fields["t"].annotation)[0] for model in get_args(ClientFrame)}


def test_everything_that_can_be_said_has_its_row() -> None:
    assert commands() == set(COMMANDS)
    assert frames() == set(CLIENT_FRAMES)
    assert TABLE.keys() == (frames() - {"cmd"}) | commands()
    assert {"nobody", *COLUMNS} == set(ROLES)


@pytest.fixture
async def server(database_url: str) -> AsyncIterator[Running]:
    """Nothing happens by itself, and matches start at their host's word."""
    async with serving(database_url, timing_=timing(**{**STILL, "ready_check": 0})) as running:
        yield running


async def test_nobody_may_say_anything(server: Running) -> None:
    async with connect(f"ws://127.0.0.1:{server.port}/ws") as ws:
        await ws.wait_closed()
        assert ws.close_code == 4401


class Scene:
    """The tables, and a socket of each role."""

    def __init__(self, server: Running, stack: AsyncExitStack) -> None:
        self._server = server
        self._stack = stack
        self.wires: dict[str, Wire] = {}
        self.tables: dict[str, str] = {}

    async def build(self) -> "Scene":
        table = await waiting(self._server)
        removed = await self._server.guest()
        await removed.get("POST", f"/api/tables/{table.code}/seats", {"seat": 2})
        await table.host.get("DELETE", f"/api/tables/{table.code}/seats/2")
        for role, guest in (*table.people.items(), ("removed", removed)):
            await self._open(role, guest, table.code)
        closed, guests = await self._match(spectators=False)
        self.tables["stranger"] = closed
        turn = await self._turn(guests[0], closed)
        left = guests.pop((turn + 2) % 4)
        await left.get("DELETE", f"/api/tables/{closed}/seats/me")
        await self._open("left", left, closed)
        by_seat = {
            seat: guest for guest, seat in [(g, await self._seat(g, closed)) for g in guests]
        }
        await self._open("at_turn", by_seat[turn], closed)
        await self._open("not_at_turn", by_seat[(turn + 1) % 4], closed)
        watched, _ = await self._match(spectators=True)
        await self._open("spectator", await self._server.guest(), watched)
        return self

    async def _open(self, role: str, guest: Guest, code: str) -> None:
        self.wires[role] = await self._stack.enter_async_context(guest.socket())
        self.tables.setdefault(role, code)

    async def _match(self, spectators: bool) -> tuple[str, list[Guest]]:
        guests = [await self._server.guest() for _ in range(4)]
        body = {"preset": "classic", "spectators": spectators, "bots": None}
        code = (await guests[0].get("POST", "/api/tables", body))["table"]
        for guest in guests[1:]:
            await guest.get("POST", f"/api/tables/{code}/seats")
        await guests[0].get("POST", f"/api/tables/{code}/start")
        return code, guests

    async def _seat(self, guest: Guest, code: str) -> int:
        return int((await self._snap(guest, code))["view"]["you"]["seat"])

    async def _turn(self, guest: Guest, code: str) -> int:
        return int((await self._snap(guest, code))["turn"]["seat"])

    async def _snap(self, guest: Guest, code: str) -> Frame:
        async with guest.socket() as wire:
            await wire.send(t="sub", table=code)
            return await wire.get("snap")

    async def decision(self, role: str) -> int | None:
        """The open one, as a player of the match knows it."""
        state = self._server.site.api.state.tables.state(self.tables[role])
        return None if state is None else state.decision

    async def ask(self, role: str, kind: str) -> str:
        """Say it; what came of it."""
        wire, code = self.wires[role], self.tables[role]
        if kind in commands():
            decision = None if kind in NO_DECISION else await self.decision(role) or 1
            cid, c = str(uuid4()), {"type": kind, **ARGUMENTS.get(kind, {})}
            await wire.send(t="cmd", id=cid, table=code, decision=decision, c=c)
            answer = await wire.until(lambda f: cid in (f.get("ack"), f.get("id")))
            return str(answer.get("code", "ok"))
        more: dict[str, dict[str, Any]] = {
            "hello": {"proto": 1}, "ping": {"n": 1}, "lobby": {"on": True}, "sub": {"table": code},
            "unsub": {"table": code}, "resync": {"table": code, "seq": 1},
            "queue": {"on": True, "preset": "classic", "wait_ms": 0},
        }  # fmt: skip
        await wire.send(t=kind, **more[kind])
        if kind == "queue":
            answer = await wire.get("queued", "matched", "cancelled")
            return str(answer.get("code", "ok"))
        await wire.send(t="ping", n=2)
        code = "ok"
        while (frame := await wire.next()) != {"t": "pong", "n": 2}:
            code = frame["code"] if frame["t"] == "error" else code
        return code


CHANGING = sorted(kind for kind in commands() if "ok" in TABLE[kind])
"""Who may do these changes the table: each has tables of its own. All else changes nothing."""
TOGETHER = [(kind,) for kind in (*CHANGING, "queue")]
TOGETHER.append(tuple(kind for kind in TABLE if (kind,) not in TOGETHER))


@pytest.mark.parametrize("kinds", TOGETHER, ids=lambda kinds: kinds[0])
async def test_each_role_may_say_what_the_table_says(
    server: Running, kinds: tuple[str, ...]
) -> None:
    async with AsyncExitStack() as stack:
        scene = await Scene(server, stack).build()
        for kind in kinds:
            told = {role: await scene.ask(role, kind) for role in COLUMNS}
            assert told == dict(zip(COLUMNS, TABLE[kind], strict=True)), kind
