"""Limits by player and address, and the door that stops who guesses codes. The clock stands still,
so that no window ends while a slow machine fills it."""

from typing import Any
from uuid import uuid4

import httpx
import pytest

from app.lobby import addresses
from tests.clocks import FakeClock
from tests.lobby.test_places import opened
from tests.realtime.harness import HOUR, Guest, Seat, limits, serving, timing

NOWHERE = [f"ABCDE{letter}" for letter in "FGHJKMNPQRST"]


def waits(answer: httpx.Response, most_s: int) -> bool:
    """Whether an answer says that one must wait, and a sensible time."""
    assert answer.status_code == 429, answer.text
    assert answer.json()["error"]["code"] == "too_many_requests"
    return 0 < int(answer.headers["retry-after"]) <= most_s


async def test_a_player_asks_so_much_from_wherever(database_url: str) -> None:
    few, still = limits(requests_per_player_per_minute=3), FakeClock()
    async with serving(database_url, limits_=few, clock=still) as server:
        ada, ben = await server.guest(address="203.0.113.1"), await server.guest()
        for _ in range(2):
            await ada.get("GET", "/api/me")
        ada.address = "203.0.113.2"
        await ada.get("GET", "/api/me")
        assert waits(await ada.ask("GET", "/api/me"), 60)
        await ben.get("GET", "/api/me")


async def test_tables_and_searches_are_counted(database_url: str) -> None:
    few = limits(tables_per_player_per_hour=2, searches_per_player_per_minute=2)
    slow = timing(fill=HOUR, queue_longest=HOUR)
    async with serving(database_url, limits_=few, timing_=slow, clock=FakeClock()) as server:
        ada, ben = await server.guest(), await server.guest()
        for _ in range(2):
            table = await opened(ada)
            await ada.get("DELETE", f"/api/tables/{table}/seats/me")
        assert waits(await ada.ask("POST", "/api/tables", {"preset": "classic"}), 3_600)
        assert waits(await ada.ask("POST", "/api/parties", {}), 3_600)
        async with ben.socket() as wire:
            for _ in range(2):
                await wire.send(t="queue", on=True)
                await wire.get("queued")
            await wire.send(t="queue", on=True)
            refused = await wire.get("cancelled")
        assert refused["code"] == "too_many_requests"
        assert 0 < refused["facts"]["retry_ms"] <= 60_000


async def test_commands_of_all_sockets_count_together(database_url: str) -> None:
    few, still = limits(commands_per_player=4), FakeClock()
    async with serving(database_url, limits_=few, clock=still) as server:
        ada = await server.guest()
        table = await opened(ada)

        def command() -> dict[str, Any]:
            return {"t": "cmd", "id": str(uuid4()), "table": table, "c": {"type": "reclaim"}}

        async with ada.socket() as one, ada.socket() as two:
            for wire in (one, two, one, two):
                await wire.send(**command())
                assert (await wire.get("nak"))["code"] == "nothing_to_reclaim"
            await two.send(**command())
            refused = await two.get("nak")
            assert (refused["code"], refused["retry"]) == ("flood", True)
            assert 0 < refused["facts"]["retry_ms"] <= 10_000
            await two.send(t="ping", n=1)
            assert (await two.next())["t"] == "pong", "the socket stays"


async def test_sockets_and_handshakes_of_an_address_are_counted(database_url: str) -> None:
    few = limits(sockets_per_address=2, handshakes_per_address_per_minute=5)
    async with serving(database_url, limits_=few, clock=FakeClock()) as server:
        people = [await server.guest(address="203.0.113.1") for _ in range(3)]
        other = await server.guest(address="203.0.113.2")
        async with people[0].socket(), people[1].socket():
            async with people[2].socket(hello=False) as third:
                assert await third.closed() == 4409
            async with other.socket():
                pass
        async with (
            people[2].socket(),
            people[2].socket(),
            people[2].socket(hello=False) as sixth,
        ):
            assert await sixth.closed() == 4429
        async with other.socket():
            pass


async def guess(guest: Guest, count: int) -> None:
    """Try codes that do not exist."""
    for code in NOWHERE[:count]:
        assert (await guest.ask("GET", f"/api/tables/{code}")).status_code == 404


async def test_who_guesses_codes_is_told_only_what_is_no_secret(database_url: str) -> None:
    few = limits(code_misses_per_player=4, code_misses_per_address=8)
    async with serving(database_url, limits_=few, clock=FakeClock()) as server:
        host, own, other = [await server.guest(address="203.0.113.9") for _ in range(3)]
        ada = await server.guest(address="203.0.113.1")
        secret = await opened(host, visibility="private")
        public = await opened(other)
        mine = await opened(own, visibility="private")
        await ada.get("POST", f"/api/tables/{mine}/seats")
        await guess(ada, 4)
        for path in (f"/api/tables/{secret}", "/api/tables/ABCDEF", f"/api/parties/{secret}"):
            assert waits(await ada.ask("GET", path), 600)
        for method, path in (
            ("POST", f"/api/tables/{secret}/seats"),
            ("POST", f"/api/tables/{secret}/start"),
            ("GET", f"/api/tables/{secret}/qr.svg"),
        ):
            assert waits(await ada.ask(method, path), 600)
        assert (await ada.get("GET", f"/api/tables/{public}"))["code"] == public
        assert (await ada.get("GET", f"/api/tables/{mine}"))["code"] == mine
        ben = await server.guest(address="203.0.113.1")
        assert (await ben.get("GET", f"/api/tables/{secret}"))["code"] == secret
        await guess(ben, 4)  # by now the address has guessed too often as well
        dan = await server.guest(address="203.0.113.1")
        assert waits(await dan.ask("GET", f"/api/tables/{secret}"), 600)
        nobody = await server.http.get(
            f"/api/tables/{secret}", headers={"X-Forwarded-For": "203.0.113.1"}
        )
        assert waits(nobody, 600)
        cleo = await server.guest(address="203.0.113.2")
        assert (await cleo.get("GET", f"/api/tables/{secret}"))["code"] == secret


async def test_the_socket_has_the_same_door(database_url: str) -> None:
    few = limits(code_misses_per_player=3)
    async with serving(database_url, limits_=few, clock=FakeClock()) as server:
        host, mine, ada = [await server.guest() for _ in range(3)]
        secret = await opened(host, visibility="private")
        own = await opened(mine, visibility="private")
        await ada.get("POST", f"/api/tables/{own}/seats")
        async with ada.socket() as wire:
            await wire.send(t="sub", table=NOWHERE[0])
            assert (await wire.next())["code"] == "table_not_found"
            await wire.send(t="ping", n=1, have=[{"table": NOWHERE[1], "seq": 1}])
            await wire.get("pong")
            assert (await wire.next())["code"] == "table_not_found"
            cid = str(uuid4())
            await wire.send(t="cmd", id=cid, table=NOWHERE[2], c={"type": "reclaim"})
            assert (await wire.get("nak"))["code"] == "table_not_found"
            for table in (secret, NOWHERE[3]):
                await wire.send(t="sub", table=table)
                refused = await wire.get("error", "snap")
                assert (refused["code"], refused["table"]) == ("too_many_requests", table)
                assert 0 < refused["retry_ms"] <= 600_000
                await wire.send(t="cmd", id=str(uuid4()), table=table, c={"type": "reclaim"})
                assert (await wire.get("nak"))["code"] == "too_many_requests"
            assert (await Seat(wire, own).sit()).seat == 1
            assert hub_watches(server) == [own]


def hub_watches(server: Any) -> list[str]:
    """What the process has in its list of tables: guesses leave nothing there."""
    return list(server.site.hub.watched())


async def test_a_window_ends(database_url: str) -> None:
    few, clock = limits(code_misses_per_player=1), FakeClock()
    async with serving(database_url, limits_=few, clock=clock) as server:
        ada, host = await server.guest(), await server.guest()
        secret = await opened(host, visibility="private")
        await guess(ada, 1)
        assert waits(await ada.ask("GET", f"/api/tables/{secret}"), 600)
        clock.advance(few.code_misses_window_ms)
        assert (await ada.get("GET", f"/api/tables/{secret}"))["code"] == secret


KEY = b"k" * 32


@pytest.mark.parametrize("host", [None, "127.0.0.1", "::1", "::ffff:127.0.0.5", "unix"])
def test_an_address_that_says_nothing_is_nobodys(host: str | None) -> None:
    assert addresses.address_hash(KEY, host) is None


def test_a_hash_tells_the_same_address_and_no_more() -> None:
    one = addresses.address_hash(KEY, "203.0.113.5")
    assert one == addresses.address_hash(KEY, "::ffff:203.0.113.5")
    assert one != addresses.address_hash(KEY, "203.0.113.6")
    assert one != addresses.address_hash(b"K" * 32, "203.0.113.5")
    assert one is not None
    assert len(one) == 16
    near = addresses.address_hash(KEY, "2001:db8::1")
    assert near == addresses.address_hash(KEY, "2001:db8::2")


async def test_all_processes_have_one_key(database_url: str) -> None:
    async with serving(database_url) as one, serving(database_url) as two:
        makers = [each.site.api.state.matchmaker for each in (one, two)]
        assert makers[0].hash_of("203.0.113.5") == makers[1].hash_of("203.0.113.5")
