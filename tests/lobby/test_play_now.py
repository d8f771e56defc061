"""Tickets: who looks for a game finds people, else bots, else hears why not."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest

from tests.realtime.harness import HOUR, WAIT_S, Frame, Guest, Running, Seat, Wire, serving, timing

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]  # people wait for each other


async def tickets(server: Running) -> list[dict[str, Any]]:
    """The rows of all who wait."""
    assert server.site.db is not None
    rows = await server.site.db.pool.fetch("SELECT * FROM ticket ORDER BY queued_at")
    return [dict(row) for row in rows]


async def seekers(server: Running, wanted: Callable[[set[str]], bool]) -> None:
    """Wait until those who wait, by their ids, are as wanted."""
    async with asyncio.timeout(WAIT_S):
        while True:
            if wanted({str(row["player_id"]) for row in await tickets(server)}):
                return
            await asyncio.sleep(0.01)  # the database tells nobody when a row comes or goes


async def no_ticket(server: Running, whose: Guest | None = None) -> None:
    """Wait until nobody waits, or one does no longer."""
    await seekers(server, lambda who: not who if whose is None else whose.id not in who)


async def look(wire: Wire, **wish: Any) -> Frame:
    """Look for a game; what comes first."""
    await wire.send(t="queue", on=True, **wish)
    return await wire.get("queued", "matched", "cancelled")


async def last(wire: Wire) -> Frame:
    """How a search ends, or has ended: who is the last one that a table waits for may be matched
    before its wish to look is answered."""
    told = [frame for frame in wire.heard if frame["t"] in ("queued", "matched", "cancelled")]
    over = bool(told) and told[-1]["t"] != "queued"
    return told[-1] if over else await wire.get("matched", "cancelled")


@asynccontextmanager
async def sockets(*guests: Guest) -> AsyncIterator[list[Wire]]:
    """A socket each."""
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(guest.socket()) for guest in guests]


async def seated(server: Running, guest: Guest) -> list[str]:
    """The tables where a guest has a seat."""
    return [own["code"] for own in (await guest.get("GET", "/api/me"))["tables"]]


async def test_who_finds_nobody_plays_with_bots_and_has_cards_at_once(database_url: str) -> None:
    slow_bots = timing(bot_min=HOUR, bot_max=HOUR)  # none takes before she has seen her cards
    async with (
        serving(database_url, timing_=slow_bots) as server,
        (await server.guest("Ada")).socket() as wire,
    ):
        first = await look(wire, preset="classic")
        assert first["t"] == "queued"
        assert (first["people"], first["target"], first["rated"]) == (1, 501, False)
        assert 0 <= first["left_ms"] <= first["wait_ms"] == server.site.settings.timing.fill
        found = await last(wire)
        view = (await Seat(wire, found["table"]).sit()).view
        assert view["you"]["seat"] == found["seat"]
        assert len(view["game"]["hand"]) == 5
        assert [seat["kind"] for seat in view["seats"]].count("bot") == 3
        assert await tickets(server) == []


async def test_four_who_look_for_the_same_meet_and_hear_of_each_other(patient: Running) -> None:
    guests = [await patient.guest() for _ in range(5)]
    async with sockets(*guests) as wires:
        other = await look(wires[4], preset="classic", speed="fast")
        for number, wire in enumerate(wires[:3], 1):
            assert (await look(wire))["people"] == number
        heard = await wires[0].until(lambda f: f["t"] == "queued" and f["people"] == 3)
        assert heard["wait_ms"] - WAIT_S * 1_000 < heard["left_ms"] <= heard["wait_ms"]
        await look(wires[3])
        found = [await last(wire) for wire in wires[:4]]
    assert len({frame["table"] for frame in found}) == 1
    assert {frame["seat"] for frame in found} == {0, 1, 2, 3}
    assert other["people"] == 1


async def test_a_socket_and_a_request_meet(patient: Running) -> None:
    ada, ben = await patient.guest(), await patient.guest()
    async with ada.socket() as wire:
        await look(wire, preset="belot-duel")  # for two: nobody waits for time
        asked = await ben.get("POST", "/api/play-now", {"preset": "belot-duel"})
        assert (await last(wire))["table"] == asked["table"]


async def test_who_says_so_looks_no_longer(patient: Running) -> None:
    ada = await patient.guest()
    async with ada.socket() as wire:
        await look(wire)
        await wire.send(t="queue", on=False)
        assert await last(wire) == {"t": "cancelled", "code": "left"}
        await no_ticket(patient)
        await wire.send(t="queue", on=False)
        await wire.send(t="ping", n=1)
        assert (await wire.next())["t"] == "pong", "nothing to end: nothing is said"


async def test_a_ticket_dies_with_its_socket(database_url: str) -> None:
    async with serving(database_url, timing_=timing(fill=HOUR, queue_longest=HOUR)) as server:
        ada, ben = await server.guest(), await server.guest()
        async with ada.socket() as wire:
            await look(wire)
        await no_ticket(server)
        found = await ben.get("POST", "/api/play-now", {"wait_ms": 0})
        assert await seated(server, ada) == []
        seats = (await ben.get("GET", f"/api/tables/{found['table']}"))["seats"]
        assert [seat["kind"] for seat in seats].count("bot") == 3


async def test_a_ticket_dies_with_its_request(patient: Running) -> None:
    ada = await patient.guest()
    asked = asyncio.create_task(ada.get("POST", "/api/play-now", {}))
    await seekers(patient, lambda who: who == {ada.id})
    asked.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await asked
    await no_ticket(patient)
    assert await seated(patient, ada) == []


async def test_a_ticket_that_is_matched_while_its_socket_goes_is_one_or_the_other(
    database_url: str,
) -> None:
    """Whatever is first, nobody has two seats or waits for ever, and the others play."""
    async with serving(database_url, timing_=timing(fill=HOUR, queue_longest=HOUR)) as server:
        for delay_ms in (0, 2, 4, 8, 12, 20, 30, 50):
            ada, *three = [await server.guest() for _ in range(4)]
            async with sockets(*three[:2]) as (ben, cleo):
                await look(ben)
                await look(cleo)
                async with ada.socket() as wire:
                    await look(wire)
                    fourth = asyncio.create_task(three[2].get("POST", "/api/play-now", {}))
                    await asyncio.sleep(delay_ms / 1000)
                await no_ticket(server, ada)  # nothing can happen to her any more
                tables = await seated(server, ada)
                if not tables:  # she went first: another takes her place
                    await (await server.guest()).get("POST", "/api/play-now")
                found = await asyncio.wait_for(fourth, WAIT_S)
                assert (await last(ben))["table"] == (await last(cleo))["table"] == found["table"]
                assert tables in ([], [found["table"]])
            await no_ticket(server)


async def test_an_old_sockets_close_after_the_new_ones_open_ends_nothing(
    patient: Running,
) -> None:
    ada, *others = [await patient.guest() for _ in range(4)]
    async with AsyncExitStack() as stack:
        old = await stack.enter_async_context(ada.socket())
        await look(old)
        async with ada.socket() as new:
            assert (await look(new))["t"] == "queued"
            await stack.aclose()
            async with sockets(*others) as wires:
                for wire in wires:
                    await look(wire)
                assert (await last(new))["t"] == "matched"


async def test_another_wish_from_another_window_takes_the_place_of_the_first(
    patient: Running,
) -> None:
    ada = await patient.guest()
    async with ada.socket() as one, ada.socket() as two:
        await look(one)
        assert (await look(two, target=701))["target"] == 701
        assert await last(one) == {"t": "cancelled", "code": "queued_elsewhere"}
        assert [row["target"] for row in await tickets(patient)] == [701]
        assert (await look(two, target=1001))["target"] == 1001
        assert [row["target"] for row in await tickets(patient)] == [1001]
        assert all(frame["t"] != "cancelled" for frame in two.heard)


async def test_asking_again_for_the_same_keeps_the_place(patient: Running) -> None:
    ada = await patient.guest()
    async with ada.socket() as wire:
        await look(wire)
        (before,) = await tickets(patient)
        assert (await look(wire))["t"] == "queued"
        assert [row["queued_at"] for row in await tickets(patient)] == [before["queued_at"]]


async def test_who_sits_down_elsewhere_looks_no_longer(database_url: str) -> None:
    async with serving(database_url, timing_=timing(fill=HOUR, queue_longest=HOUR)) as server:
        ada, ben = await server.guest(), await server.guest()
        table = (await ben.get("POST", "/api/tables", {"preset": "sans-annonces"}))["table"]
        async with ada.socket() as wire:
            await look(wire)
            await ada.get("POST", f"/api/tables/{table}/seats")
            ended = await last(wire)
        assert ended == {"t": "cancelled", "code": "busy_elsewhere", "facts": {"table": table}}
        await no_ticket(server)


async def test_who_has_a_seat_at_such_a_table_gets_it_back(patient: Running) -> None:
    ada = await patient.guest()
    table = (await ada.get("POST", "/api/tables", {"preset": "classic"}))["table"]
    async with ada.socket() as wire:
        assert await look(wire) == {"t": "matched", "table": table, "seat": 0}
        refused = await look(wire, preset="sans-annonces")
        assert (refused["code"], refused["facts"]) == ("busy_elsewhere", {"table": table})


async def test_a_wish_that_can_not_be_is_refused(patient: Running) -> None:
    ada = await patient.guest()
    async with ada.socket() as wire:
        assert (await look(wire, preset="whist"))["code"] == "unknown_preset"
        assert (await look(wire, party=True))["code"] == "party_incomplete"
    assert await tickets(patient) == []


async def test_who_waits_longer_by_choice_gets_no_bots_before(database_url: str) -> None:
    async with serving(database_url, timing_=timing(fill=300)) as server:
        ada, ben = await server.guest(), await server.guest()
        async with ada.socket() as wire:
            assert (await look(wire, wait_ms=120_000))["wait_ms"] == 120_000
            alone = (await ben.get("POST", "/api/play-now", {}))["table"]
            seats = (await ben.get("GET", f"/api/tables/{alone}"))["seats"]
            assert [seat["kind"] for seat in seats].count("bot") == 3
            assert [str(row["player_id"]) for row in await tickets(server)] == [ada.id]


async def test_nobody_waits_longer_than_the_house_allows(database_url: str) -> None:
    async with serving(database_url, timing_=timing(fill=100, queue_longest=300)) as server:
        ada = await server.guest()
        async with ada.socket() as wire:
            assert (await look(wire, wait_ms=600_000))["wait_ms"] == 300
            assert (await last(wire))["t"] == "matched"


async def party(one: Guest, two: Guest) -> str:
    """A party of two."""
    code: str = (await one.get("POST", "/api/parties"))["code"]
    await two.get("POST", f"/api/parties/{code}/members")
    return code


async def test_partners_stay_partners(patient: Running) -> None:
    ada, ben, cleo, dan = [await patient.guest() for _ in range(4)]
    code = await party(ada, ben)
    async with sockets(ada, ben, cleo, dan) as wires:
        first = await look(wires[0], target=701, party=True)
        assert (first["party"], first["left_ms"]) == (code, None), "the partner does not look yet"
        members = (await ben.get("GET", "/api/me/party"))["members"]
        assert [member["queued"] for member in members] == [True, False]
        second = await look(wires[1], party=True)
        assert second["target"] == 701, "who asked first has chosen for both"
        assert (await wires[0].until(lambda f: f.get("left_ms") is not None))["people"] == 2
        for wire in wires[2:]:
            await look(wire, target=701)
        found = [await last(wire) for wire in wires[:2]]
    assert abs(found[0]["seat"] - found[1]["seat"]) == 2


async def test_partners_play_against_bots_when_nobody_else_comes(database_url: str) -> None:
    async with serving(database_url, timing_=timing(fill=150)) as server:
        ada, ben = await server.guest(), await server.guest()
        await party(ada, ben)
        async with sockets(ada, ben) as (one, two):
            await look(one, party=True)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(0.5):
                    raise AssertionError(await last(one))
            await two.send(t="queue", on=True, party=True)
            found = [await last(wire) for wire in (one, two)]
        assert found[0]["table"] == found[1]["table"]
        assert abs(found[0]["seat"] - found[1]["seat"]) == 2


async def test_a_party_that_ends_ends_its_search(database_url: str) -> None:
    async with serving(
        database_url, timing_=timing(fill=HOUR, queue_longest=HOUR, ticket_life=3_000)
    ) as server:
        ada, ben = await server.guest(), await server.guest()
        await party(ada, ben)
        async with ada.socket() as wire:
            await look(wire, party=True)
            await ben.get("DELETE", "/api/me/party")
            assert await last(wire) == {"t": "cancelled", "code": "party_incomplete"}


async def test_rated_people_of_one_address_are_partners(patient: Running) -> None:
    addresses = ["203.0.113.5", "203.0.113.5", "203.0.113.6", "2001:db8::1"]
    guests = [await patient.guest(address=address) for address in addresses]
    async with sockets(*guests) as wires:
        for wire in wires:
            await look(wire, rated=True)
        found = [
            next((f for f in wire.heard if f["t"] == "matched"), None) or await last(wire)
            for wire in wires
        ]
    assert abs(found[0]["seat"] - found[1]["seat"]) == 2
    summary = await guests[0].get("GET", f"/api/tables/{found[0]['table']}")
    assert (summary["rated"], summary["latecomers"]) == (True, False)


async def test_rated_people_of_one_house_alone_do_not_meet(database_url: str) -> None:
    async with serving(database_url, timing_=timing(fill=700)) as server:
        guests = [await server.guest(address=f"2001:db8::{n}") for n in range(1, 5)]
        async with sockets(*guests) as wires:
            for wire in wires:
                assert (await look(wire, rated=True))["t"] == "queued"
            found = await last(wires[0])
        summary = await guests[0].get("GET", f"/api/tables/{found['table']}")
        assert summary["rated"] is False, "a rated search that finds nobody fitting ends casually"
        assert server.site.db is not None
        kept = "SELECT count(*) FROM sitting WHERE address IS NOT NULL"
        assert await server.site.db.pool.fetchval(kept) == 0


async def test_a_draining_server_ends_every_search(patient: Running) -> None:
    ada, ben = await patient.guest(), await patient.guest()
    async with ada.socket() as wire:
        await look(wire)
        asked = asyncio.create_task(ben.ask("POST", "/api/play-now", {}))
        await wire.until(lambda f: f.get("people") == 2)
        patient.site.drain()
        answer = await asked
        assert (answer.status_code, answer.json()["error"]["code"]) == (503, "draining")
        assert int(answer.headers["retry-after"]) > 0
        assert await wire.closed() == 1012
    told = {"t": "cancelled", "code": "draining", "facts": {"retry_ms": 2_000}}
    assert wire.heard[-1] == told


async def test_two_processes_bring_their_people_together(database_url: str) -> None:
    slow = timing(fill=HOUR, queue_longest=HOUR)
    async with (
        serving(database_url, timing_=slow) as one,
        serving(database_url, timing_=slow) as two,
    ):
        guests = [await (one, two)[n % 2].guest() for n in range(4)]
        async with sockets(*guests) as wires:
            for wire in wires:
                await wire.send(t="queue", on=True)
            found = [await last(wire) for wire in wires]
            assert len({frame["table"] for frame in found}) == 1
            assert {frame["seat"] for frame in found} == {0, 1, 2, 3}
            snaps = [(await Seat(wire, found[0]["table"]).sit()).view for wire in wires]
            assert all(len(view["game"]["hand"]) == 5 for view in snaps)


async def test_what_a_dead_process_left_behind_meets_nobody(database_url: str) -> None:
    async with serving(database_url, timing_=timing(fill=150, ticket_life=3_000)) as server:
        assert server.site.db is not None
        ada, ghost = await server.guest(), await server.guest()
        await server.site.db.pool.execute(
            "INSERT INTO ticket (player_id, conn, owner, preset, target, speed, rated, rating,"
            " name, avatar, level, wait_ms, patient, alive_until) VALUES ($1::uuid,"
            " gen_random_uuid(), gen_random_uuid(), 'classic', 501, 'normal', false, 1500, 'Ghost',"
            " 'qh', 0, 5000, false, clock_timestamp() - interval '1 s')",
            ghost.id,
        )
        found = await ada.get("POST", "/api/play-now", {})
        seats = (await ada.get("GET", f"/api/tables/{found['table']}"))["seats"]
        assert [seat["kind"] for seat in seats].count("bot") == 3
        ben = await server.guest()
        async with ben.socket() as wire:
            await look(wire, wait_ms=120_000)
            await no_ticket(server, ghost)
