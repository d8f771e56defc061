"""The list of tables over the socket: what is shown, to whom, in which order, how often."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import orjson
import pytest

from app.lobby import listing
from app.lobby.listing import Filter
from tests.realtime.harness import HOUR, Frame, Guest, Running, Wire, limits, serving, timing


@pytest.fixture
async def lobby(database_url: str) -> AsyncIterator[Running]:
    """A server whose list is quick."""
    quick = timing(lobby_tick=20, lobby_poll=200)
    async with serving(database_url, timing_=quick) as running:
        yield running


async def opened(host: Guest, **options: Any) -> str:
    """A table of a guest's."""
    body = {"preset": "classic", **options}
    return str((await host.get("POST", "/api/tables", body))["table"])


class Watcher:
    """Somebody who keeps the list as docs/protocol.md says."""

    def __init__(self, wire: Wire) -> None:
        self.wire = wire
        self.rows: dict[str, Frame] = {}
        self.frames = 0
        self.more = False

    async def follow(self, **wanted: Any) -> "Watcher":
        """Ask for the list, and get it."""
        await self.wire.send(t="lobby", on=True, **wanted)
        frame = await self.wire.until(lambda f: f["t"] == "lobby" and f["full"])
        self.take(frame)
        return self

    def take(self, frame: Frame) -> None:
        """Learn from a frame."""
        if frame["t"] != "lobby":
            return
        self.frames += 1
        self.more = frame["more"]
        if frame["full"]:
            self.rows = {}
        for code in frame.get("gone", ()):
            del self.rows[code]
        for row in frame["tables"]:
            self.rows[row["code"]] = row  # a known one keeps its place

    async def until(self, shown: list[str]) -> None:
        """Listen until the list shows these tables in this order."""
        while list(self.rows) != shown:
            self.take(await self.wire.next())

    async def until_all(self, shown: list[str]) -> None:
        """Listen until the list shows these tables, in whatever order."""
        while set(self.rows) != set(shown):
            self.take(await self.wire.next())

    async def until_free(self, code: str, free: int) -> None:
        """Listen until a table has so many free seats."""
        while self.rows[code]["free"] != free:
            self.take(await self.wire.next())


async def test_the_list_comes_whole_and_then_what_changes(lobby: Running) -> None:
    ada, ben, cleo, eve = [await lobby.guest() for _ in range(4)]
    first = await opened(ada)
    async with eve.socket() as wire:
        watcher = await Watcher(wire).follow()
        assert list(watcher.rows) == [first]
        told = (await eve.get("GET", "/api/tables"))["tables"]
        assert list(watcher.rows.values()) == told, "the same rows as over REST"
        second = await opened(ben)
        await watcher.until([first, second])
        await cleo.get("POST", f"/api/tables/{first}/seats", {"seat": 2})
        await watcher.until_free(first, 2)
        assert watcher.rows[first]["seats"][2]["player"] == cleo.id
        assert list(watcher.rows) == [first, second], "nothing jumps"
        await ada.get("DELETE", f"/api/tables/{first}/seats/me")
        await cleo.get("DELETE", f"/api/tables/{first}/seats/me")
        await watcher.until([second])
        await wire.send(t="lobby", on=False)
        await wire.send(t="ping", n=1)
        await wire.get("pong")
        heard = len(wire.heard)
        await opened(cleo)
        await asyncio.sleep(0.3)
        await wire.send(t="ping", n=2)
        assert (await wire.next())["t"] == "pong", "no longer told"
        assert len(wire.heard) == heard + 1


async def test_private_tables_are_never_listed(lobby: Running) -> None:
    ada, ben, eve = [await lobby.guest() for _ in range(3)]
    async with eve.socket() as wire:
        watcher = await Watcher(wire).follow(running=True)
        private = await opened(ada, visibility="private", spectators=True)
        await ada.get("POST", f"/api/tables/{private}/start", {"bots": True})
        public = await opened(ben)
        await watcher.until([public])
    assert not any(private in orjson.dumps(frame).decode() for frame in wire.heard)


async def test_a_row_shows_nothing_of_the_cards(lobby: Running) -> None:
    ada, eve = await lobby.guest(), await lobby.guest()
    async with eve.socket() as wire, ada.socket() as hers:
        watcher = await Watcher(wire).follow(running=True)
        table = await opened(ada)
        await hers.send(t="sub", table=table)
        await ada.get("POST", f"/api/tables/{table}/start", {"bots": True})
        while table not in watcher.rows or watcher.rows[table]["status"] != "playing":
            watcher.take(await wire.next())
        row = watcher.rows[table]
    assert set(row) == {
        "code", "status", "preset", "target", "speed", "visibility", "rated", "bots", "fill",
        "spectators", "latecomers", "host", "opened_at", "seats", "free", "open", "house",
    }  # fmt: skip
    assert (row["free"], row["open"]) == (0, 3)


@pytest.mark.parametrize(
    ("wanted", "fits"),
    [
        ({"preset": "classic"}, [0, 1, 3]),
        ({"preset": "whist"}, []),
        ({"speed": "fast"}, [1]),
        ({"rated": True}, [3]),
        ({"rated": False, "preset": "classic"}, [0, 1]),
        ({"seats": 3}, [1, 2, 3]),
        ({"seats": 4}, []),
        ({}, [0, 1, 2, 3]),
    ],
)
async def test_filters_are_the_same_over_socket_and_rest(
    lobby: Running, wanted: dict[str, Any], fits: list[int]
) -> None:
    hosts = [await lobby.guest() for _ in range(4)]
    kinds: list[dict[str, Any]] = [{}, {"speed": "fast"}, {"preset": "sans-annonces"}]
    kinds.append({"rated": True})
    codes = [await opened(host, **kind) for host, kind in zip(hosts, kinds, strict=True)]
    eve = await lobby.guest()
    await eve.get("POST", f"/api/tables/{codes[0]}/seats")
    expected = [codes[index] for index in fits]
    async with eve.socket() as wire:
        watcher = await Watcher(wire).follow(**wanted)
        assert list(watcher.rows) == expected
    query = "&".join(f"{name}={str(value).lower()}" for name, value in wanted.items())
    listed = (await eve.get("GET", f"/api/tables?{query}"))["tables"]
    assert [row["code"] for row in listed] == expected


async def test_a_table_that_fits_no_longer_is_gone_and_another_filter_is_another_list(
    lobby: Running,
) -> None:
    ada, ben, cleo, eve = [await lobby.guest() for _ in range(4)]
    first, second = await opened(ada), await opened(ben)
    async with eve.socket() as wire:
        watcher = await Watcher(wire).follow(seats=3)
        assert list(watcher.rows) == [first, second]
        await cleo.get("POST", f"/api/tables/{first}/seats")
        await watcher.until([second])
        await cleo.get("DELETE", f"/api/tables/{first}/seats/me")
        await watcher.until([second, first])
        await watcher.follow(speed="fast")
        assert watcher.rows == {}


async def test_matches_are_listed_for_who_wants_to_watch_them(lobby: Running) -> None:
    ada, eve = await lobby.guest(), await lobby.guest()
    async with ada.socket() as hers, eve.socket() as wire:
        table = await opened(ada)
        await hers.send(t="sub", table=table)
        watcher = await Watcher(wire).follow(running=True)
        await ada.get("POST", f"/api/tables/{table}/start", {"bots": True})
        while watcher.rows[table]["status"] != "playing":
            watcher.take(await wire.next())
        listed = await eve.get("GET", "/api/tables?running=true")
        assert [row["code"] for row in listed["tables"]] == [table]
        assert (await eve.get("GET", "/api/tables"))["tables"] == []
        away = {"spectators": False, "latecomers": False}
        await ada.get("PATCH", f"/api/tables/{table}/options", away)
        await watcher.until([])


async def test_a_table_without_people_goes_from_the_list(database_url: str) -> None:
    quick = timing(lobby_tick=20, lobby_poll=50, lobby_unattended=400, pause_grace=20)
    async with serving(database_url, timing_=quick) as server:
        ada, eve = await server.guest(), await server.guest()
        async with eve.socket() as wire:
            watcher = await Watcher(wire).follow()
            async with ada.socket() as hers:
                table = await opened(ada)
                await hers.send(t="sub", table=table)
                await watcher.until([table])
                await asyncio.sleep(0.6)
                await hers.send(t="ping", n=1)
                await hers.get("pong")
                assert list(watcher.rows) == [table]
            await watcher.until([])


async def test_many_changes_are_few_frames(database_url: str) -> None:
    slow = timing(lobby_tick=300, lobby_poll=HOUR)
    async with serving(database_url, timing_=slow) as server:
        eve, *hosts = [await server.guest() for _ in range(13)]
        async with eve.socket() as wire:
            watcher = await Watcher(wire).follow()
            began = asyncio.get_running_loop().time()
            codes = await asyncio.gather(*(opened(host) for host in hosts))
            await watcher.until_all(codes)
            ticks = (asyncio.get_running_loop().time() - began) / 0.3
            assert watcher.frames <= ticks + 2


async def test_the_list_is_bounded_and_what_is_beyond_moves_up(database_url: str) -> None:
    quick = timing(lobby_tick=20, lobby_poll=100)
    async with serving(database_url, timing_=quick, limits_=limits(lobby_rows=2)) as server:
        eve, *hosts = [await server.guest() for _ in range(4)]
        codes = [await opened(host) for host in hosts]
        async with eve.socket() as wire:
            watcher = await Watcher(wire).follow()
            assert (list(watcher.rows), watcher.more) == (codes[:2], True)
            await hosts[0].get("DELETE", f"/api/tables/{codes[0]}/seats/me")
            await watcher.until(codes[1:])
            assert watcher.more is False


async def test_who_does_not_read_gets_one_frame_and_not_all_of_them(lobby: Running) -> None:
    """As long as a list waits to be sent, no other is put behind it."""
    ada = await lobby.guest()
    hub = lobby.site.hub
    assert hub is not None
    async with ada.socket() as wire:
        watcher = await Watcher(wire).follow()
        (connection,) = hub.connections()
        stuck = asyncio.Event()
        send = connection._send

        async def later(message: Any) -> None:
            await stuck.wait()
            await send(message)

        connection._send = later
        codes: list[str] = []
        async with (await lobby.guest()).socket() as other:
            reader = await Watcher(other).follow()
            for _ in range(5):
                codes.append(await opened(await lobby.guest()))
                await reader.until(codes)  # who reads has heard of each by itself
        assert len(connection.outbox) <= 1
        stuck.set()
        await watcher.until(codes)
        assert watcher.frames <= 4


async def test_what_another_process_does_is_listed_too(database_url: str) -> None:
    quick = timing(lobby_tick=20, lobby_poll=60)
    async with (
        serving(database_url, timing_=quick) as one,
        serving(database_url, timing_=quick) as two,
    ):
        eve, ada = await one.guest(), await two.guest()
        async with eve.socket() as wire:
            watcher = await Watcher(wire).follow()
            table = await opened(ada)
            await watcher.until([table])


async def test_a_row_that_is_as_before_is_not_made_anew(lobby: Running) -> None:
    ada = await lobby.guest()
    await opened(ada)
    service = lobby.site.api.state.lobby
    first = listing.listed(await service.public_tables(), {})
    second = listing.listed(await service.public_tables(), first)
    assert all(second[code] is row for code, row in first.items())
    assert listing.change(first, second) is None
    chosen, more = listing.chosen(second, Filter(seats=4), 10)
    assert (chosen, more) == ({}, False)
