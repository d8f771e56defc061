"""A server in a thread of its own, for clients that block, and real things to ask it about.

The things are made when somebody first needs them and made anew once a request has used them up,
so every request meets a house where each kind of table, match and person is there.
"""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar
from uuid import uuid4

from tests.realtime.harness import Guest, Running, Seat, serving

T = TypeVar("T")

ROLES = ("nobody", "stranger", "seated", "host", "player")
"""Nobody has no session; a stranger no seat; seated and host wait at one table (seats 1 and 0), a
player plays with bots at another."""
TABLES = ("waiting", "playing", "finished", "closed", "none")
MATCHES = ("ended", "running", "none")
PLAYERS = ("host", "seated", "player", "none")


class Apart:
    """A running server whose loop is another thread's."""

    def __init__(self, running: Running, loop: asyncio.AbstractEventLoop) -> None:
        self.running = running
        self._loop = loop

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Do something in the server's loop and wait for it."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(600)


@contextmanager
def serving_apart(database_url: str, **more: Any) -> Iterator[Apart]:
    """`serving` for tests without a loop."""
    found: list[Apart] = []
    up = threading.Event()
    failed: list[BaseException] = []

    async def serve() -> None:
        async with serving(database_url, **more) as running:
            found.append(Apart(running, asyncio.get_running_loop()))
            up.set()
            await running.stop.wait()

    def thread() -> None:
        try:
            asyncio.run(serve())
        except BaseException as error:  # noqa: BLE001  (told to the test below)
            failed.append(error)
        finally:
            up.set()

    worker = threading.Thread(target=thread, name="server")
    worker.start()
    up.wait()
    try:
        if found:
            yield found[0]
    finally:
        if found:
            found[0]._loop.call_soon_threadsafe(found[0].running.stop.set)
        worker.join()
    if failed:
        raise failed[0]


@dataclass(frozen=True)
class Waiting:
    """A table before its match, whose host has a party too."""

    host: Guest
    seated: Guest
    code: str
    party: str


@dataclass(frozen=True)
class Playing:
    """A person's match with bots, at the person's turn, or over."""

    player: Guest
    code: str
    match: str


class World:
    """The things, by their names in `ROLES`, `TABLES`, `MATCHES` and `PLAYERS`."""

    def __init__(self, server: Running) -> None:
        self._server = server
        self._made: dict[str, Any] = {}

    async def guest(self, role: str) -> Guest | None:
        """Who asks in that role."""
        if role == "nobody":
            return None
        if role == "stranger":
            return await self._thing("stranger", self._server.guest)
        if role == "player":
            return (await self.playing()).player
        waiting = await self.waiting()
        return waiting.host if role == "host" else waiting.seated

    async def table(self, kind: str) -> str:
        """A table's code."""
        if kind == "none":
            return "ZZZZZZ"
        if kind == "waiting":
            return (await self.waiting()).code
        if kind == "closed":
            return await self._thing("closed", self._closed)
        return (await (self.playing() if kind == "playing" else self.finished())).code

    async def match(self, kind: str) -> str:
        """A match's id."""
        if kind == "none":
            return str(uuid4())
        return (await (self.playing() if kind == "running" else self.finished())).match

    async def person(self, kind: str) -> str:
        """A player's id."""
        guest = await self.guest("nobody" if kind == "none" else kind)
        return str(uuid4()) if guest is None else guest.id

    async def waiting(self) -> Waiting:
        """The table before its match."""
        return await self._thing("waiting", self._waiting)

    async def playing(self) -> Playing:
        """The running match."""
        return await self._thing("playing", self._playing)

    async def finished(self) -> Playing:
        """A match that is over; its table stands still."""
        return await self._thing("finished", self._finished)

    def spend(self, *names: str) -> None:
        """These are no longer what they are called: others will be made."""
        for name in names:
            self._made.pop(name, None)

    async def _thing(self, name: str, make: Callable[[], Coroutine[Any, Any, T]]) -> T:
        if name not in self._made:
            self._made[name] = await make()
        found: T = self._made[name]
        return found

    async def _waiting(self) -> Waiting:
        host, seated = await self._server.guest("Ada"), await self._server.guest("Ben")
        code = (await host.get("POST", "/api/tables", {"preset": "classic"}))["table"]
        await seated.get("POST", f"/api/tables/{code}/seats", {"seat": 1})
        party = (await host.get("POST", "/api/parties"))["code"]
        return Waiting(host, seated, code, party)

    async def _playing(self) -> Playing:
        player = await self._server.guest("Cleo")
        code = (await player.get("POST", "/api/tables", {"preset": "classic"}))["table"]
        await player.get("POST", f"/api/tables/{code}/start")
        async with player.socket() as wire:
            seat = await Seat(wire, code).sit()
        return Playing(player, code, seat.view["match"]["id"])

    async def _finished(self) -> Playing:
        """Given up after a whole deal, so that there is something to read of it."""
        player = await self._server.guest("Dan")
        code = (await player.get("POST", "/api/tables", {"preset": "classic"}))["table"]
        await player.get("POST", f"/api/tables/{code}/start")
        async with player.socket() as wire:
            seat = await Seat(wire, code).sit()
            match = seat.view["match"]["id"]
            await seat.act()
            while not any(event["type"] == "deal_scored" for event in seat.events):
                seat.take(await wire.next())
                await seat.act()
            c = {"type": "resign"}
            await wire.send(t="cmd", id=str(uuid4()), table=code, decision=None, c=c)
            while not seat.ended:
                seat.take(await wire.next())
        return Playing(player, code, match)

    async def _closed(self) -> str:
        host = await self._server.guest("Eve")
        code = (await host.get("POST", "/api/tables", {"preset": "classic"}))["table"]
        await host.get("DELETE", f"/api/tables/{code}/seats/me")
        return str(code)
