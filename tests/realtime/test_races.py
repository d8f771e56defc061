"""What gets lost or overtaken on its way is found: by the next batch, the poll, a ping."""

import asyncio
from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest

from app.realtime.bus import PolledBus
from app.tables.ports import Publication
from tests.realtime.harness import Running, Seat, serving, timing
from tests.realtime.test_resume import own_turn, playing


class Lossy:
    """Loses the publications that a test names, on their way to the hub's sockets."""

    def __init__(self, server: Running) -> None:
        hub = server.site.hub
        assert hub is not None
        self._publish = hub.publish
        self.lose: Callable[[Publication], bool] = lambda _: False
        self.lost = asyncio.Event()
        hub.publish = self.publish  # type: ignore[method-assign]

    def publish(self, publication: Publication) -> None:
        if publication.events and self.lose(publication):
            self.lost.set()
        else:
            self._publish(publication)


def once() -> Callable[[Publication], bool]:
    seen: list[Publication] = []

    def first(publication: Publication) -> bool:
        seen.append(publication)
        return len(seen) == 1

    return first


async def test_a_lost_batch_is_read_when_the_next_one_shows_the_gap(server: Running) -> None:
    lossy = Lossy(server)
    ada, table = await playing(server)
    async with ada.socket() as wire:
        seat = await Seat(wire, table).sit()
        await own_turn(seat)
        lossy.lose = once()
        await seat.act()
        await own_turn_again(seat)
        assert lossy.lost.is_set()
        numbers = [event["seq"] for event in seat.events]
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers))), "none is missing"


async def own_turn_again(seat: Seat) -> None:
    """`Seat.take` asserts that no number is skipped."""
    seat.turn = None
    await own_turn(seat)


async def test_the_poll_of_the_heads_finds_what_nothing_followed(database_url: str) -> None:
    async with serving(database_url, timing_=timing(head_poll=50)) as server:
        lossy = Lossy(server)
        ada, table = await playing(server)
        async with ada.socket() as wire:
            seat = await Seat(wire, table).sit()
            await own_turn(seat)
            lossy.lose = lambda _: True  # all of them, until the table waits for Ada again
            await seat.act()
            await own_turn_again(seat)
            assert lossy.lost.is_set()


async def test_a_ping_finds_what_nothing_followed(database_url: str) -> None:
    async with serving(database_url, timing_=timing(head_poll=3_600_000)) as server:
        lossy = Lossy(server)
        ada, table = await playing(server)
        async with ada.socket() as wire:
            seat = await Seat(wire, table).sit()
            await own_turn(seat)
            lossy.lose = lambda _: True
            await seat.act()
            await lossy.lost.wait()
            seat.turn = None
            while seat.turn is None or "legal" not in seat.turn:
                await wire.send(t="ping", n=1, have=[{"table": table, "seq": seat.have}])
                while (frame := await wire.next())["t"] != "pong":
                    seat.take(frame)
                await asyncio.sleep(0.01)


class SlowTables:
    """The tables, but what is read for a subscription arrives late."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner
        self.reading = asyncio.Event()
        self.go_on = asyncio.Event()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    async def snapshot(self, code: str, player: UUID | None) -> Any:
        read = await self._inner.snapshot(code, player)
        self.reading.set()
        await self.go_on.wait()
        return read


@pytest.mark.parametrize("resume", [False, True])
async def test_what_is_published_while_a_start_is_read_comes_after_it(
    server: Running, resume: bool
) -> None:
    ada, table = await playing(server)
    hub = server.site.hub
    assert hub is not None
    async with ada.socket() as one, ada.socket() as two:
        seat = await Seat(one, table).sit()
        await own_turn(seat)
        slow = SlowTables(hub._tables)
        hub._subscriptions._tables = slow  # type: ignore[assignment]
        if resume:
            await two.send(t="resync", table=table, seq=seat.have)
        else:
            await two.send(t="sub", table=table)
        await slow.reading.wait()
        hub._subscriptions._tables = slow._inner
        other = Seat(two, table)
        other.have, other.seat = (seat.have, seat.seat) if resume else (0, None)
        await seat.act()
        await own_turn_again(seat)
        slow.go_on.set()
        while other.have < seat.have:
            other.take(await two.next())
        assert other.have == seat.have
        while other.turn is None or other.turn["decision"] != seat.turn["decision"]:
            other.take(await two.next())
        assert other.turn["legal"] == seat.turn["legal"]


async def test_a_socket_that_goes_while_its_start_is_read_leaves_nothing(
    server: Running,
) -> None:
    ada, table = await playing(server)
    hub = server.site.hub
    assert hub is not None
    slow = SlowTables(hub._tables)
    hub._subscriptions._tables = slow  # type: ignore[assignment]
    async with ada.socket() as wire:
        await wire.send(t="sub", table=table)
        await slow.reading.wait()
        await ada.get("POST", "/api/me/sign-out-everywhere")
        assert await wire.closed() == 4401
    slow.go_on.set()
    hub._subscriptions._tables = slow._inner
    assert hub.connections() == []
    assert list(hub.watched()) == []


async def test_the_poll_asks_for_nothing_when_nobody_listens() -> None:
    asked: list[object] = []

    async def heads(codes: Any) -> dict[str, int]:
        asked.append(list(codes))
        return {"K7Q2MD": 7}

    async def sleep(_: float) -> None:
        raise AssertionError("not slept here")

    watched: list[str] = []
    bus = PolledBus(heads, lambda: watched, sleep, 3_000)
    moved: list[tuple[str, int]] = []
    await bus.poll(lambda code, head: moved.append((code, head)))
    assert (asked, moved) == ([], [])
    watched.append("K7Q2MD")
    await bus.poll(lambda code, head: moved.append((code, head)))
    assert (asked, moved) == ([["K7Q2MD"]], [("K7Q2MD", 7)])
