"""Tables and seats over REST: opening, joining, leaving, starting, Play now, the link's picture."""

import asyncio
from typing import Any

import pytest

from tests.realtime.harness import Guest, Running, Seat, serving, timing


async def code_of(guest: Guest, method: str, path: str, body: Any = None) -> tuple[int, str]:
    answer = await guest.ask(method, path, body)
    return answer.status_code, answer.json()["error"]["code"]


async def opened(guest: Guest, **more: Any) -> str:
    answer = await guest.get("POST", "/api/tables", {"preset": "classic", **more})
    assert answer["seat"] == 0
    return str(answer["table"])


async def test_an_open_table_is_listed_with_its_host_on_the_first_seat(server: Running) -> None:
    ada = await server.guest("Ada")
    table = await opened(ada, speed="fast", target=701)
    (listed,) = (await ada.get("GET", "/api/tables"))["tables"]
    assert listed["code"] == table
    assert (listed["status"], listed["preset"], listed["target"]) == ("waiting", "classic", 701)
    assert (listed["speed"], listed["visibility"], listed["host"]) == ("fast", "public", ada.id)
    assert [seat["kind"] for seat in listed["seats"]] == ["person", "free", "free", "free"]
    assert listed["seats"][0]["name"] == "Ada"
    assert listed["free"] == 3


async def test_a_private_table_is_found_by_its_code_alone(server: Running) -> None:
    ada, ben = await server.guest(), await server.guest()
    table = await opened(ada, visibility="private")
    assert (await ben.get("GET", "/api/tables"))["tables"] == []
    typed = f"{table[:3].lower()}-{table[3:]}"
    assert (await ben.get("GET", f"/api/tables/{typed}"))["code"] == table


async def test_house_rules_change_the_preset_and_wrong_ones_are_refused(server: Running) -> None:
    ada = await server.guest()
    table = await opened(ada, rules={"capot": "total 252"})
    async with ada.socket() as wire:
        seat = await Seat(wire, table).sit()
        assert seat.view["options"]["rules"]["capot"] == "total 252"
    bad: dict[str, Any] = {"preset": "classic", "rules": {"no_such_rule": 1}}
    assert await code_of(ada, "POST", "/api/tables", bad) == (422, "bad_options")
    assert await code_of(ada, "POST", "/api/tables", {"preset": "whist"}) == (
        422,
        "unknown_preset",
    )
    assert await code_of(ada, "POST", "/api/play-now", {"preset": "whist"}) == (
        422,
        "unknown_preset",
    )


async def test_seats_are_taken_and_left(server: Running) -> None:
    ada, ben, cleo = [await server.guest() for _ in range(3)]
    table = await opened(ada)
    seats = f"/api/tables/{table}/seats"
    assert (await ben.get("POST", seats, {"seat": 2})) == {"seat": 2}
    assert await code_of(cleo, "POST", seats, {"seat": 2}) == (409, "seat_taken")
    assert await code_of(ben, "POST", seats, {}) == (409, "already_seated")
    assert (await cleo.get("POST", seats)) == {"seat": 1}
    assert await ben.get("DELETE", f"{seats}/me") is None
    assert await code_of(ben, "DELETE", f"{seats}/me") == (403, "not_seated")
    assert (await server.guest()).id
    listed = await ada.get("GET", f"/api/tables/{table}")
    assert [seat["kind"] for seat in listed["seats"]] == ["person", "person", "free", "free"]


async def test_only_the_host_starts_and_once(server: Running) -> None:
    ada, ben, dan = [await server.guest() for _ in range(3)]
    table = await opened(ada)
    await ben.get("POST", f"/api/tables/{table}/seats")
    start = f"/api/tables/{table}/start"
    assert await code_of(ben, "POST", start) == (403, "not_host")
    assert await code_of(dan, "POST", start) == (403, "not_seated")
    await ada.get("POST", start)
    assert await code_of(ada, "POST", start) == (409, "wrong_status")
    assert await code_of(dan, "POST", f"/api/tables/{table}/seats") == (409, "wrong_status")
    listed = await ada.get("GET", f"/api/tables/{table}")
    assert listed["status"] == "playing"
    assert [seat["kind"] for seat in listed["seats"]] == ["person", "person", "bot", "bot"]
    assert (await ada.get("GET", "/api/tables"))["tables"] == []


async def test_a_full_table_takes_nobody(server: Running) -> None:
    guests = [await server.guest() for _ in range(5)]
    table = await opened(guests[0])
    for guest in guests[1:4]:
        await guest.get("POST", f"/api/tables/{table}/seats")
    assert await code_of(guests[4], "POST", f"/api/tables/{table}/seats") == (409, "table_full")


async def test_play_now_brings_people_together_and_then_bots(database_url: str) -> None:
    async with serving(database_url, timing_=timing(fill=1_500)) as server:
        ada, ben = await server.guest(), await server.guest()
        first = await ada.get("POST", "/api/play-now", {"preset": "classic"})
        assert first["seat"] == 0
        second = await ben.get("POST", "/api/play-now", {"preset": "classic"})
        assert second == {"table": first["table"], "seat": 1}
        async with ada.socket() as wire:
            await Seat(wire, first["table"]).sit()
            started: dict[str, Any] = {}
            while not started:
                for event in (await wire.get("ev"))["evs"]:
                    started = event["d"] if event["type"] == "match_started" else started
            kinds = [seat["kind"] for seat in started["seats"]]
            assert kinds == ["person", "person", "bot", "bot"]


async def test_play_now_returns_to_ones_own_unfinished_table(server: Running) -> None:
    ada = await server.guest()
    first = await ada.get("POST", "/api/play-now", {"preset": "classic"})
    assert await ada.get("POST", "/api/play-now", {"preset": "classic"}) == first
    (own,) = (await ada.get("GET", "/api/me"))["tables"]
    assert (own["code"], own["preset"], own["seat"]) == (first["table"], "classic", 0)
    await ada.get("DELETE", f"/api/tables/{first['table']}/seats/me")
    again = await ada.get("POST", "/api/play-now", {"preset": "classic"})
    assert again["table"] != first["table"]


async def test_play_now_pressed_many_times_at_once_is_one_seat(database_url: str) -> None:
    async with serving(database_url, timing_=timing(fill=60_000)) as server:
        for waiting in (False, True):  # with no table to join, and with one
            if waiting:
                await (await server.guest()).get("POST", "/api/play-now", {})
            ada = await server.guest()
            asked = [ada.get("POST", "/api/play-now", {}) for _ in range(5)]
            seats = await asyncio.gather(*asked)
            assert seats == [seats[0]] * 5
            assert len((await ada.get("GET", "/api/me"))["tables"]) == 1


async def test_play_now_looks_at_the_speed_if_told(database_url: str) -> None:
    async with serving(database_url, timing_=timing(fill=60_000)) as server:
        ada, ben, cleo = [await server.guest() for _ in range(3)]
        fast = await ada.get("POST", "/api/play-now", {"speed": "fast"})
        relaxed = await ben.get("POST", "/api/play-now", {"speed": "relaxed"})
        assert relaxed["table"] != fast["table"]
        assert (await cleo.get("POST", "/api/play-now", {"speed": "relaxed"})) == {
            "table": relaxed["table"],
            "seat": 1,
        }


async def test_a_hosts_table_is_joined_only_while_somebody_is_there(database_url: str) -> None:
    async with serving(database_url, timing_=timing(fill=60_000, pause_grace=10)) as server:
        ada, ben = await server.guest(), await server.guest()
        table = await opened(ada)
        async with ada.socket() as wire:
            await Seat(wire, table).sit()
            await wire.send(t="ping", n=1)
            await wire.get("pong")
            assert (await ben.get("POST", "/api/play-now", {}))["table"] == table


async def test_many_who_press_play_now_at_once_all_get_a_seat_of_their_own(
    database_url: str,
) -> None:
    async with serving(database_url, timing_=timing(fill=60_000)) as server:
        guests = [await server.guest() for _ in range(12)]
        found = await asyncio.gather(
            *(guest.get("POST", "/api/play-now", {"preset": "classic"}) for guest in guests)
        )
    places = [(place["table"], place["seat"]) for place in found]
    assert len(set(places)) == 12


async def test_the_link_of_a_table_as_a_picture(server: Running) -> None:
    ada = await server.guest()
    table = await opened(ada)
    answer = await server.http.get(f"/api/tables/{table}/qr.svg")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.text.startswith("<svg")
    assert "style=" not in answer.text
    assert (await server.http.get("/api/tables/ABCDEF/qr.svg")).status_code == 404


@pytest.mark.parametrize("code", ["ABCDEF", "nowhere", "K7Q2M0", "😀"])
async def test_a_table_that_is_not_there(server: Running, code: str) -> None:
    ada = await server.guest()
    assert await code_of(ada, "GET", f"/api/tables/{code}") == (404, "table_not_found")
    assert await code_of(ada, "POST", f"/api/tables/{code}/seats") == (404, "table_not_found")


async def test_presets_are_told_with_every_rule(server: Running) -> None:
    offers = (await server.http.get("/api/presets")).json()
    assert offers[0]["name"] == "classic"
    assert offers[0]["rules"]["target"] == 501
    assert offers[0]["rules"]["capot"] == "bonus 90"
