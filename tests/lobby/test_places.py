"""Nobody plays in two places, and who comes from one address does not play against itself."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import pytest

from tests.realtime.harness import HOUR, Guest, Running, Seat, Wire, serving, timing


async def refused(guest: Guest, method: str, path: str, body: Any = None) -> str:
    """The code of a refusal."""
    answer = await guest.ask(method, path, body)
    assert answer.is_error, answer.text
    return str(answer.json()["error"]["code"])


async def opened(host: Guest, **options: Any) -> str:
    """A table of a guest's."""
    body = {"preset": "classic", **options}
    return str((await host.get("POST", "/api/tables", body))["table"])


async def active(server: Running) -> list[tuple[str, str]]:
    """(player, table) of all who wait or play."""
    assert server.site.db is not None
    rows = await server.site.db.pool.fetch(
        "SELECT player_id::text, code FROM sitting JOIN game_table t ON t.id = table_id"
        " WHERE active ORDER BY code, player_id"
    )
    return [(row["player_id"], row["code"]) for row in rows]


async def test_who_waits_or_plays_sits_down_nowhere_else(server: Running) -> None:
    ada, ben, cleo = [await server.guest() for _ in range(3)]
    table, other = await opened(ada), await opened(cleo)
    await ben.get("POST", f"/api/tables/{table}/seats")
    for playing in (False, True):
        if playing:
            await ada.get("POST", f"/api/tables/{table}/start", {"bots": True})
        assert await refused(ben, "POST", f"/api/tables/{other}/seats") == "busy_elsewhere"
        assert await refused(ben, "POST", "/api/tables", {"preset": "classic"}) == "busy_elsewhere"
    await ben.get("DELETE", f"/api/tables/{table}/seats/me")
    assert (await ben.get("POST", f"/api/tables/{other}/seats")) == {"seat": 1}
    expected = [(ada.id, table), (ben.id, other), (cleo.id, other)]
    assert sorted(await active(server)) == sorted(expected)


async def test_one_person_sits_down_at_five_tables_at_once_and_gets_one_seat(
    server: Running,
) -> None:
    hosts = [await server.guest() for _ in range(5)]
    tables = [await opened(host) for host in hosts]
    ada = await server.guest()
    answers = await asyncio.gather(
        *(ada.ask("POST", f"/api/tables/{table}/seats", {}) for table in tables)
    )
    assert sorted(answer.status_code for answer in answers) == [201, 409, 409, 409, 409]
    assert [who for who, _ in await active(server)].count(ada.id) == 1


async def test_four_who_want_one_seat(server: Running) -> None:
    ada, *people = [await server.guest() for _ in range(5)]
    table = await opened(ada)
    answers = await asyncio.gather(
        *(who.ask("POST", f"/api/tables/{table}/seats", {"seat": 2}) for who in people)
    )
    won = [who for who, answer in zip(people, answers, strict=True) if answer.is_success]
    assert len(won) == 1
    codes = {answer.json()["error"]["code"] for answer in answers if answer.is_error}
    assert codes <= {"seat_taken", "conflict"}
    seats = (await ada.get("GET", f"/api/tables/{table}"))["seats"]
    assert seats[2]["player"] == won[0].id
    assert len(await active(server)) == 2


async def test_a_join_against_a_leave(server: Running) -> None:
    """The host goes as somebody comes: the table lives on with the one, or is closed for him."""
    for _ in range(8):
        ada, ben = await server.guest(), await server.guest()
        table = await opened(ada)
        left, came = await asyncio.gather(
            ada.ask("DELETE", f"/api/tables/{table}/seats/me"),
            ben.ask("POST", f"/api/tables/{table}/seats", {}),
        )
        assert left.status_code == 204
        told = await ben.get("GET", f"/api/tables/{table}")
        if came.is_success:
            assert (told["status"], told["host"]) == ("waiting", ben.id)
            assert [seat["player"] for seat in told["seats"] if seat["player"]] == [ben.id]
        else:
            assert came.json()["error"]["code"] in ("table_closed", "conflict")
            assert told["status"] == "closed"
            assert await opened(ben)
        assert await opened(ada)


async def over(host: Guest, *others: Guest) -> tuple[str, Seat]:
    """A table whose match is over: the host has given it up. The others sit against it."""
    table = await opened(host)
    for seat, other in zip((1, 3), others, strict=False):
        await other.get("POST", f"/api/tables/{table}/seats", {"seat": seat})
    async with host.socket() as wire:
        seat = await Seat(wire, table).sit()
        await host.get("POST", f"/api/tables/{table}/start", {"bots": True})
        await wire.send(t="cmd", id=str(uuid4()), table=table, decision=None, c={"type": "resign"})
        while not seat.ended:
            seat.take(await wire.next())
    return table, seat


async def test_a_match_that_is_over_holds_nobody_back_until_it_starts_again(
    server: Running,
) -> None:
    ada = await server.guest()
    table, _ = await over(ada)
    other = await opened(ada)
    assert {own["code"] for own in (await ada.get("GET", "/api/me"))["tables"]} == {table, other}
    assert await refused(ada, "POST", f"/api/tables/{table}/start", {"bots": True}) == (
        "busy_elsewhere"
    )
    async with ada.socket() as wire:
        await Seat(wire, table).sit()
        await wire.send(t="cmd", id=str(uuid4()), table=table, decision=None, c={"type": "rematch"})
        assert (await wire.get("nak"))["code"] == "busy_elsewhere"
    assert (await ada.get("GET", f"/api/tables/{table}"))["status"] == "finished"
    await ada.get("DELETE", f"/api/tables/{other}/seats/me")
    await ada.get("POST", f"/api/tables/{table}/start", {"bots": True})
    assert await active(server) == [(ada.id, table)]


async def answered(wire: Wire, table: str, decision: int | None, **c: Any) -> str | None:
    """What a command beside the game gets: a nak's code, or None when it was done."""
    name = str(uuid4())
    await wire.send(t="cmd", id=name, table=table, decision=decision, c=c)
    frame = await wire.until(lambda f: name in (f.get("id"), f.get("ack")))
    return frame.get("code")


async def asked(wire: Wire, kind: str) -> int:
    """The decision of what all are asked."""
    frame = await wire.until(lambda f: (f.get("turn") or {}).get("kind") == kind)
    return int(frame["turn"]["decision"])


@pytest.fixture
async def patient(database_url: str) -> AsyncIterator[Running]:
    """A server that asks people whether they are ready."""
    async with serving(database_url, timing_=timing(ready_check=HOUR)) as running:
        yield running


async def test_who_sits_elsewhere_promises_no_other_match_and_each_is_told_its_own_part(
    server: Running,
) -> None:
    ada, ben = await server.guest(), await server.guest()
    table, _ = await over(ada, ben)
    async with ada.socket() as one, ben.socket() as two:
        for wire in (one, two):
            await Seat(wire, table).sit()
        other = await opened(ben)
        assert await answered(two, table, None, type="rematch") == "busy_elsewhere"
        assert await answered(one, table, None, type="rematch") is None
        decision = await asked(two, "rematch")
        assert await answered(two, table, decision, type="rematch") == "busy_elsewhere"
        assert await answered(two, table, decision, type="rematch", yes=False) is None
        # Promised first, and then sat down elsewhere: the last yes is not its own fault.
        await ben.get("DELETE", f"/api/tables/{other}/seats/me")
        assert await answered(two, table, None, type="rematch") is None
        await opened(ben)
        decision = await asked(one, "rematch")
        assert await answered(one, table, decision, type="rematch") == "somebody_elsewhere"
    assert (await ada.get("GET", f"/api/tables/{table}"))["status"] == "finished"


async def test_who_sits_elsewhere_is_not_ready_for_the_hosts_next_match(patient: Running) -> None:
    ada, ben = await patient.guest(), await patient.guest()
    table, _ = await over(ada)
    await ben.get("POST", f"/api/tables/{table}/seats", {"seat": 1})  # a bot's, between matches
    async with ada.socket() as one, ben.socket() as two:
        for wire in (one, two):
            await Seat(wire, table).sit()
        other = await opened(ada)
        start = ("POST", f"/api/tables/{table}/start", {"bots": True})
        assert await refused(ada, *start) == "busy_elsewhere"
        await ada.get("DELETE", f"/api/tables/{other}/seats/me")
        await ada.get(*start)
        other = await opened(ben)
        decision = await asked(two, "ready")
        assert await answered(two, table, decision, type="ready") == "busy_elsewhere"
        await ben.get("DELETE", f"/api/tables/{other}/seats/me")
        assert await answered(two, table, decision, type="ready") is None
    assert (await ada.get("GET", f"/api/tables/{table}"))["status"] == "playing"


async def test_a_closed_table_keeps_nothing_of_its_people(server: Running) -> None:
    ada = await server.guest(address="203.0.113.5")
    table = await opened(ada, rated=True)
    assert server.site.db is not None
    kept = "SELECT count(*) FROM sitting WHERE address IS NOT NULL"
    assert await server.site.db.pool.fetchval(kept) == 1
    await ada.get("DELETE", f"/api/tables/{table}/seats/me")
    assert await server.site.db.pool.fetchval("SELECT count(*) FROM sitting") == 0


@pytest.mark.parametrize(
    ("addresses", "seat", "starts"),
    [
        (["203.0.113.5", "203.0.113.5"], 1, False),
        (["203.0.113.5", "203.0.113.5"], 2, True),
        (["203.0.113.5", "203.0.113.6"], 1, True),
        (["2001:db8:0:1::1", "2001:db8:0:1::2"], 3, False),
        ([None, None], 1, True),
    ],
)
async def test_a_rated_match_sets_no_two_of_one_address_against_each_other(
    server: Running, addresses: list[str | None], seat: int, starts: bool
) -> None:
    ada, ben = [await server.guest(address=address) for address in addresses]
    table = await opened(ada, rated=True)
    await ben.get("POST", f"/api/tables/{table}/seats", {"seat": seat})
    for number in (1, 2):
        other = await server.guest(address=f"198.51.100.{number}")
        await other.get("POST", f"/api/tables/{table}/seats")
    start = await ada.ask("POST", f"/api/tables/{table}/start")
    if starts:
        assert start.status_code == 204
    else:
        assert start.json()["error"]["code"] == "same_address"
        await ada.get("POST", f"/api/tables/{table}/seats/{seat}/move", {"to": 2})
        await ada.get("POST", f"/api/tables/{table}/start")
    assert server.site.db is not None
    hashes = await server.site.db.pool.fetch("SELECT address FROM sitting")
    assert all(row["address"] is None or len(row["address"]) == 16 for row in hashes)


async def test_nobody_is_asked_for_a_match_that_could_not_begin(database_url: str) -> None:
    async with serving(database_url, timing_=timing(ready_check=HOUR)) as server:
        here, there = "203.0.113.5", "203.0.113.6"
        ada, ben, cleo, dan = [await server.guest(address=a) for a in (here, here, there, None)]
        table = await opened(ada, rated=True)
        seats = f"/api/tables/{table}/seats"
        await ben.get("POST", seats, {"seat": 1})
        await cleo.get("POST", seats, {"seat": 2})
        await dan.get("POST", seats, {"seat": 3})
        start = f"/api/tables/{table}/start"
        assert await refused(ada, "POST", start) == "same_address"
        async with ada.socket() as wire:
            seat = await Seat(wire, table).sit()
            assert seat.view is not None
            assert seat.view["ready"] is None
            await ada.get("POST", f"{seats}/1/move", {"to": 2})
            await ada.get("POST", start)
            await wire.until(lambda f: f["t"] == "ev" and f["evs"][0]["type"] == "ready_asked")


async def test_casual_tables_remember_no_address(server: Running) -> None:
    ada = await server.guest(address="203.0.113.5")
    await opened(ada)
    assert server.site.db is not None
    assert await server.site.db.pool.fetchval("SELECT address FROM sitting") is None
