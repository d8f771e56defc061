"""Tables and seats over REST: opening, joining, leaving, starting, Play now, the link's picture."""

import asyncio
from typing import Any

import pytest

from tests.lobby.test_play_now import last, look, sockets, tickets
from tests.realtime.harness import HOUR, Guest, Running, Seat, serving, timing


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


async def together(*people: Guest, **asked: Any) -> list[Any]:
    """All press Play now at once."""
    return await asyncio.gather(*(who.get("POST", "/api/play-now", asked) for who in people))


async def test_play_now_brings_people_together_and_then_bots(database_url: str) -> None:
    async with serving(database_url, timing_=timing(fill=HOUR, queue_longest=HOUR)) as server:
        ada, ben = await server.guest(), await server.guest()
        async with ada.socket() as wire:
            assert (await look(wire, preset="classic"))["t"] == "queued"
            second = await ben.get("POST", "/api/play-now", {"preset": "classic", "wait_ms": 0})
            first = await last(wire)
            assert first["table"] == second["table"]
            assert {first["seat"], second["seat"]} == {0, 1}, "strangers are opponents"
            view = (await Seat(wire, first["table"]).sit()).view
        assert view["status"] == "playing"
        assert view["ready"] is None, "nobody is asked after Play now"
        assert [seat["kind"] for seat in view["seats"]] == ["person", "person", "bot", "bot"]
        assert len(view["game"]["hand"]) in (5, 8), "dealt, and a bot may have taken by now"


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
    async with serving(database_url, timing_=timing(fill=400)) as server:
        ada = await server.guest()
        seats = await together(*[ada] * 5)
        assert seats == [seats[0]] * 5
        assert len((await ada.get("GET", "/api/me"))["tables"]) == 1


async def test_play_now_looks_at_speed_and_target(database_url: str) -> None:
    async with serving(database_url, timing_=timing(fill=HOUR, queue_longest=HOUR)) as server:
        people = [await server.guest() for _ in range(4)]
        wishes: list[dict[str, Any]] = [{"speed": "fast"}, {}, {"target": 701}]
        async with sockets(*people[:3]) as wires:
            for wire, wish in zip(wires, wishes, strict=True):
                assert (await look(wire, **wish))["t"] == "queued"
            now = {"speed": "fast", "wait_ms": 0}
            found = await people[3].get("POST", "/api/play-now", now)
            assert (await last(wires[0]))["table"] == found["table"]
            left = {str(row["player_id"]) for row in await tickets(server)}
            assert left == {people[1].id, people[2].id}, "whose wishes are others"


async def test_play_now_does_not_wait_at_a_table_that_its_host_has_to_start(
    server: Running,
) -> None:
    ada, ben = await server.guest(), await server.guest()
    table = await opened(ada)
    async with ada.socket() as wire:
        await Seat(wire, table).sit()
        found = await ben.get("POST", "/api/play-now", {})
    assert found["table"] != table


async def test_many_who_press_play_now_at_once_fill_tables(database_url: str) -> None:
    async with serving(database_url, timing_=timing(fill=HOUR, queue_longest=HOUR)) as server:
        found = await together(*[await server.guest() for _ in range(12)])
    places = {(place["table"], place["seat"]) for place in found}
    assert len(places) == 12
    assert len({table for table, _ in places}) == 3


async def test_who_plays_elsewhere_is_told_where(server: Running) -> None:
    ada = await server.guest()
    table = await opened(ada, visibility="private")
    answer = await ada.ask("POST", "/api/play-now", {"target": 701, "preset": "classic"})
    assert answer.json()["table"] == table, "one's own table of this game"
    other = await ada.ask("POST", "/api/play-now", {"preset": "sans-annonces"})
    assert (other.status_code, other.json()["error"]["code"]) == (409, "busy_elsewhere")
    assert other.json()["error"]["facts"] == {"table": table}
    again = {"preset": "classic"}
    assert await code_of(ada, "POST", "/api/tables", again) == (409, "busy_elsewhere")
    await ada.get("DELETE", f"/api/tables/{table}/seats/me")
    assert await opened(ada)


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
