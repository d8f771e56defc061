"""Play now offers a bot's seat between two deals of a casual match first."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from tests.lobby.test_play_now import last, look, seated, sockets
from tests.realtime.harness import HOUR, Guest, Running, Seat, serving, timing
from tests.tables.doubles import Gate

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]  # matches go on beside it


@asynccontextmanager
async def between_deals(
    database_url: str, *, points: int = 0, **options: Any
) -> AsyncIterator[tuple[Running, Guest, str, Seat]]:
    """A match of one person and three bots, after a deal that brought a side over some points."""
    slow = timing(next_deal=HOUR, fill=HOUR, queue_longest=HOUR)
    async with serving(database_url, timing_=slow) as server:
        ada = await server.guest("Ada")
        body = {"preset": "classic", **options}
        table = (await ada.get("POST", "/api/tables", body))["table"]
        async with ada.socket() as wire:
            seat = await Seat(wire, table).sit()
            await ada.get("POST", f"/api/tables/{table}/start", {"bots": True})
            while True:
                if most(seat) > points and seat.turn and seat.turn["kind"] == "continue":
                    break
                await seat.act()
                seat.take(await wire.next())
            assert not seat.ended
            yield server, ada, table, seat


def most(seat: Seat) -> int:
    """The points of the side that is ahead."""
    scored = [event["d"]["score"] for event in seat.events if event["type"] == "deal_scored"]
    return max(scored[-1]["totals"]) if scored else 0


async def test_a_bots_seat_between_two_deals_is_ready_at_once(database_url: str) -> None:
    async with between_deals(database_url, target=1001) as (server, _, table, seat):
        ben = await server.guest("Ben")
        async with ben.socket() as wire:
            found = await look(wire, target=1001)
            assert (found["t"], found["table"]) == ("matched", table)
            view = (await Seat(wire, table).sit()).view
            assert view["seats"][found["seat"]]["player"] == ben.id
        taken = await seat.wire.until(
            lambda f: f["t"] == "ev" and any(e["type"] == "seat_taken" for e in f["evs"])
        )
        assert taken["evs"][0]["d"]["occupant"]["name"] == "Ben"


async def test_a_latecomer_may_open_the_match_that_it_plays(database_url: str) -> None:
    async with between_deals(database_url, target=1001) as (server, ada, table, seat):
        ben, eve = await server.guest("Ben"), await server.guest("Eve")
        (began,) = [event["d"] for event in seat.events if event["type"] == "match_started"]
        path = f"/api/matches/{began['match']}"
        assert (await ben.ask("GET", path)).status_code == 404
        taken = (await ben.get("POST", f"/api/tables/{table}/seats"))["seat"]
        told = await ben.get("GET", path)
        assert told["running"] is True
        people = {each["id"]: each["seat"] for each in told["players"] if each["id"]}
        assert people == {ada.id: 0, ben.id: taken}
        assert len(told["players"]) == 4, "as when it has ended: no bot where a person came"
        assert (await ada.get("GET", path))["players"] == told["players"]
        assert (await eve.ask("GET", path)).status_code == 404


async def test_who_waits_is_offered_a_seat_that_opens_meanwhile(database_url: str) -> None:
    async with between_deals(database_url, target=1001) as (server, ada, table, _):
        path = f"/api/tables/{table}/options"
        await ada.get("PATCH", path, {"latecomers": False})
        ben = await server.guest("Ben")
        async with ben.socket() as wire:
            assert (await look(wire, target=1001))["t"] == "queued"
            await ada.get("PATCH", path, {"latecomers": True})
            assert (await last(wire))["table"] == table


async def test_who_stops_looking_while_another_sits_down_gets_no_seat(database_url: str) -> None:
    async with between_deals(database_url, target=1001) as (server, ada, table, _):
        path = f"/api/tables/{table}/options"
        await ada.get("PATCH", path, {"latecomers": False})
        ben, cleo, dan = [await server.guest() for _ in range(3)]
        gate, looked = sitting_down(server), rounds(server)
        async with sockets(ben, cleo, dan) as (one, two, other):
            for wire in (one, two):
                assert (await look(wire, target=1001))["t"] == "queued"
            await look(other, preset="coinche")  # as long as somebody looks there are rounds
            await ada.get("PATCH", path, {"latecomers": True})
            await gate.reached.wait()
            await two.send(t="queue", on=False)
            assert (await last(two))["code"] == "left"
            gate.open.set()
            assert (await last(one))["table"] == table
            while not looked.empty():
                looked.get_nowait()
            for _ in range(3):  # the round in which Ben sat down is over
                await looked.get()
        assert await seated(server, cleo) == []


def sitting_down(server: Running) -> Gate:
    """Whoever sits down waits at the gate."""
    gate, tables = Gate(), server.site.api.state.tables
    real = tables.join

    async def slow(*args: Any, **more: Any) -> Any:
        await gate()
        return await real(*args, **more)

    tables.join = slow
    return gate


def rounds(server: Running) -> asyncio.Queue[None]:
    """One for each time that seats of a wish are looked for."""
    late, looked = server.site.api.state.matchmaker._late, asyncio.Queue[None]()
    real = late.tables

    async def told(wish: Any) -> Any:
        looked.put_nowait(None)
        return await real(wish)

    late.tables = told
    return looked


async def test_a_match_that_is_half_over_is_offered_to_nobody(database_url: str) -> None:
    async with between_deals(database_url, points=350, target=701) as (server, *_):
        ben = await server.guest("Ben")
        async with ben.socket() as wire:
            assert (await look(wire, target=701))["t"] == "queued"


async def test_other_games_private_and_rated_ones_are_offered_to_nobody(
    database_url: str,
) -> None:
    async with between_deals(database_url, target=1001, visibility="private") as (server, *_):
        ben = await server.guest("Ben")
        async with ben.socket() as wire:
            assert (await look(wire, target=1001))["t"] == "queued"
            assert (await look(wire, target=1001, rated=True))["t"] == "queued"


async def test_the_same_game_at_another_speed_is_another_wish(database_url: str) -> None:
    async with between_deals(database_url, target=1001) as (server, _, table, _seat):
        ben = await server.guest("Ben")
        async with ben.socket() as wire:
            assert (await look(wire, target=1001, speed="fast"))["t"] == "queued"
            assert (await look(wire, target=701))["t"] == "queued"
            assert (await look(wire, target=1001))["table"] == table
