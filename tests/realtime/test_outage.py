"""The database goes away for a moment: sockets hear of it, and nothing that must run for ever has
ended when it is back."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import asyncpg
import pytest
from sqlalchemy.exc import DBAPIError, InterfaceError

from tests.realtime.harness import Running, Seat, Wire, serving, timing
from tests.realtime.test_races import Lossy, own_turn_again
from tests.realtime.test_resume import own_turn, playing

T = TypeVar("T")

AWAY: list[Exception] = [
    ConnectionRefusedError(),
    asyncpg.CannotConnectNowError("starting up"),
    asyncpg.TooManyConnectionsError("sorry"),
    asyncpg.InterfaceError("the connection is closed"),
    DBAPIError("SELECT", {}, Exception("recovery")),
    InterfaceError("SELECT", {}, Exception("closed")),
    RuntimeError("a fault of ours"),
]
"""What asking a database may break on while it is away, and what it never should."""


class Failing:
    """Stands before a method and fails each of these times, then lets through."""

    def __init__(self, inner: Callable[..., Awaitable[T]], errors: list[Exception]) -> None:
        self._inner = inner
        self._errors = list(errors)
        self.over = asyncio.Event()

    async def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self._errors:
            raise self._errors.pop(0)
        self.over.set()
        return await self._inner(*args, **kwargs)


def tables_of(server: Running) -> Any:
    """The server's tables, whose insides these tests break."""
    return server.site.api.state.tables


async def test_the_head_poll_goes_on_after_every_failure(database_url: str) -> None:
    async with serving(database_url, timing_=timing(head_poll=20)) as server:
        lossy = Lossy(server)
        ada, table = await playing(server)
        async with ada.socket() as wire:
            seat = await Seat(wire, table).sit()
            await own_turn(seat)
            store = tables_of(server).store
            store.heads = Failing(store.heads, AWAY)
            await asyncio.wait_for(store.heads.over.wait(), 30)
            lossy.lose = lambda _: True
            await seat.act()
            await own_turn_again(seat)
            assert lossy.lost.is_set()


async def test_sessions_are_still_rechecked_after_every_failure(database_url: str) -> None:
    async with serving(database_url, timing_=timing(session_recheck=20)) as server:
        ada = await server.guest("Ada")
        players = server.site.api.state.players
        async with ada.socket() as wire:
            players.still_alive = Failing(players.still_alive, AWAY)
            await asyncio.wait_for(players.still_alive.over.wait(), 30)
            players.doormen = None  # nobody tells the hub: only the recheck finds it
            await ada.get("POST", "/api/me/sign-out")
            assert await wire.closed() == 4401


@pytest.mark.parametrize("error", AWAY[:4])
async def test_a_ping_while_the_database_is_away_costs_no_socket(
    server: Running, error: Exception
) -> None:
    ada, table = await playing(server)
    async with ada.socket() as wire:
        seat = await Seat(wire, table).sit()
        await own_turn(seat)
        tables = tables_of(server)
        live = tables._desk.cache.peek(table)
        live.trusted = False  # as after a connection that was lost in flight
        tables.store.head_of = Failing(tables.store.head_of, [error])
        await ping(wire, table, seat.have)
        told = await wire.get("error")
        assert (told["code"], told["table"]) == ("unavailable", table)
        await ping(wire, table, seat.have)
        assert (await wire.get("turn"))["turn"]["decision"] == seat.turn["decision"]


async def ping(wire: Wire, table: str, seq: int) -> None:
    """A ping that knows no decision, so that the turn comes again."""
    await wire.send(t="ping", n=1, have=[{"table": table, "seq": seq}])
    await wire.get("pong")


async def test_a_fault_while_a_frame_is_handled_closes_with_a_code(server: Running) -> None:
    ada, table = await playing(server)
    async with ada.socket() as wire:
        await Seat(wire, table).sit()
        tables = tables_of(server)
        tables.snapshot = Failing(tables.snapshot, [RuntimeError("a fault of ours")])
        await wire.send(t="ping", n=1, have=[{"table": table, "seq": 1}])
        assert await wire.closed() == 1001
