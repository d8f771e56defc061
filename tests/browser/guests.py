"""Company by script: guests who speak to the socket, for tables that must go a certain way."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final, cast

import httpx
import orjson

from tests.browser.driver import Person
from tests.realtime.harness import Frame, Guest, Running, Seat, Wire

HELLO_S: Final = 60.0
PATIENCE_S: Final = 120.0
"""For one frame, while its company looks at the screen."""
MATCH_S: Final = 400.0
"""For a whole match at a program's speed."""


class Patient(Wire):
    """A socket that waits as long as its company looks at the screen."""

    async def next(self) -> Frame:
        """The next frame."""
        frame: Frame = orjson.loads(await asyncio.wait_for(self.ws.recv(), PATIENCE_S))
        return frame


class Passer(Seat):
    """Passes as long as it may, then plays any legal card."""

    def command(self) -> Frame | None:
        """The answer to the open turn."""
        command = super().command()
        legal = {} if self.turn is None else self.turn.get("legal", {})
        if command is not None and "pass" in legal.get("calls", ()):
            command["c"] = {"type": "pass"}
        return command


@asynccontextmanager
async def reach(url: str) -> AsyncIterator[Running]:
    """A server elsewhere, as the socket tests' helpers see it."""
    async with httpx.AsyncClient(base_url=url, timeout=HELLO_S) as http:
        port = httpx.URL(url).port
        assert port is not None
        yield Running(cast(Any, None), port, http)


@asynccontextmanager
async def company(url: str, code: str, seats: tuple[int, ...]) -> AsyncIterator[None]:
    """Guests on these seats who pass and play, until the block ends."""
    async with reach(url) as server, contextlib.AsyncExitStack() as open_sockets:
        players = []
        for seat in seats:
            guest = await server.guest()
            await guest.get("POST", f"/api/tables/{code}/seats", {"seat": seat})
            wire = await open_sockets.enter_async_context(guest.socket())
            players.append(await Passer(Patient(wire.ws), code, seed=seat).sit())
        tasks = [asyncio.create_task(one.play()) for one in players]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            results = await asyncio.gather(*tasks, return_exceptions=True)
        broken = [one for one in results if isinstance(one, Exception)]
        assert not broken, broken


async def as_program(person: Person, server: Running) -> Guest:
    """The same player as in that person's window, for a program: a cookie holds the token."""
    cookies = await person.context.cookies()
    (token,) = [c["value"] for c in cookies if c["name"].startswith("rebelote_")]
    me = await person.rest("/api/me")
    return Guest(server, me["player"]["id"], token)


async def finish_for(person: Person, url: str, code: str) -> None:
    """Play the person's match to its end over a socket beside the page, which follows to
    the final screen."""
    async with reach(url) as server:
        guest = await as_program(person, server)
        async with guest.socket() as wire:
            seat = await Seat(wire, code).sit()  # who passes like the others would play for ever
            await person.watch.collect()
            await asyncio.wait_for(seat.play(), MATCH_S)
        await person.see_the_end()
        await person.watch.collect(jumps=False)


async def past_match(person: Person, url: str) -> str:
    """A whole match with bots in that person's history, played without the page; its id."""
    async with reach(url) as server:
        guest = await as_program(person, server)
        wish = {"preset": "classic", "visibility": "private", "bots": "novice"}
        code = (await guest.get("POST", "/api/tables", wish))["table"]
        await guest.get("POST", f"/api/tables/{code}/start")
        async with guest.socket() as wire:
            await (await Seat(wire, code).sit()).play()
        (latest, *_) = (await guest.get("GET", "/api/matches?player=me"))["matches"]
        assert latest["table"] == code
        return str(latest["id"])
