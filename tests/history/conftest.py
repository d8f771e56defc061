"""A real server, and a short match played on it by four people."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass

import pytest

from tests.realtime.harness import Guest, Running, Seat, serving


@dataclass
class Played:
    """A match that has been played to its end."""

    server: Running
    guests: list[Guest]
    seats: list[Seat]
    table: str
    id: str


@pytest.fixture
async def server(database_url: str) -> AsyncIterator[Running]:
    """Quick bots, wide limits."""
    async with serving(database_url) as running:
        yield running


async def seated(server: Running, stack: AsyncExitStack, target: int = 501) -> Played:
    """Four people at a private table, the first deal dealt to them."""
    guests = [await server.guest(name) for name in ("Ada", "Ben", "Cleo", "Dan")]
    body = {"preset": "classic", "target": target, "visibility": "private", "bots": None}
    table = (await guests[0].get("POST", "/api/tables", body))["table"]
    for guest in guests[1:]:
        await guest.get("POST", f"/api/tables/{table}/seats")
    wires = [await stack.enter_async_context(guest.socket()) for guest in guests]
    seats = [await Seat(wire, table, seed).sit() for seed, wire in enumerate(wires)]
    await guests[0].get("POST", f"/api/tables/{table}/start")
    frame = await seats[0].wire.until(
        lambda f: f["t"] == "ev" and any(e["type"] == "match_started" for e in f["evs"])
    )
    seats[0].take(frame)
    started = next(e for e in seats[0].events if e["type"] == "match_started")
    return Played(server, guests, seats, table, started["d"]["match"])


async def play_out(played: Played) -> None:
    """Play on to the end."""
    async with asyncio.TaskGroup() as group:
        for seat in played.seats:
            group.create_task(seat.play())


@pytest.fixture
async def played(server: Running) -> AsyncIterator[Played]:
    """A short match that has ended; its people are still there."""
    async with AsyncExitStack() as stack:
        found = await seated(server, stack, target=200)
        await play_out(found)
        yield found
