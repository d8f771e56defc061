"""Who may do what over REST: one row an endpoint, and a row is missed when it is missing.

The columns: nobody (no session), a stranger (a guest without a seat at the table), a guest on seat
1 and the host on seat 0. A success is written as "ok", a refusal by its code. What is asked of a
match is asked of one that is over and that none of them has played. A second table tells of a
match that is being played. The roles, and the socket's half of the permissions: tests/roles.py,
tests/realtime/test_permissions.py.
"""

from collections.abc import Iterator
from typing import Any

import pytest
import pytest_asyncio

from tests.realtime.harness import Guest, Running, Seat
from tests.roles import PLAYING, WAITING, playing, waiting

pytestmark = pytest.mark.asyncio(loop_scope="module")

JSON = {"Content-Type": "application/json"}
ALL = ("ok", "ok", "ok", "ok")
SIGNED = ("sign_in", "ok", "ok", "ok")
HOST = ("sign_in", "not_seated", "not_host", "ok")

TABLE: dict[tuple[str, str], tuple[str, str, str, str]] = {
    # Oneself
    ("POST", "/api/guests"): ALL,
    ("GET", "/api/session"): ALL,
    ("GET", "/api/me"): SIGNED,
    ("PATCH", "/api/me"): SIGNED,
    ("POST", "/api/me/sign-out"): SIGNED,
    ("POST", "/api/me/sign-out-everywhere"): SIGNED,
    # The lobby
    ("GET", "/api/presets"): ALL,
    ("GET", "/api/rules"): ALL,
    ("POST", "/api/rules/check"): ALL,
    ("POST", "/api/rules/exercises"): ALL,
    ("POST", "/api/referee"): ALL,
    ("GET", "/api/tables"): ALL,
    ("POST", "/api/tables"): ("sign_in", "ok", "busy_elsewhere", "busy_elsewhere"),
    ("POST", "/api/play-now"): SIGNED,  # who has a seat at such a table is told which
    # A table, for whoever has its code
    ("GET", "/api/tables/{code}"): ALL,
    ("GET", "/api/tables/{code}/qr.svg"): ALL,
    ("POST", "/api/tables/{code}/seats"): ("sign_in", "ok", "already_seated", "already_seated"),
    ("DELETE", "/api/tables/{code}/seats/me"): ("sign_in", "not_seated", "ok", "ok"),
    # The host's powers
    ("POST", "/api/tables/{code}/start"): HOST,
    ("POST", "/api/tables/{code}/seats/{seat}/move"): HOST,
    ("DELETE", "/api/tables/{code}/seats/{seat}"): HOST,
    ("POST", "/api/tables/{code}/host"): HOST,
    ("PATCH", "/api/tables/{code}/options"): HOST,
    # Parties: the host has one, and its code is known
    ("POST", "/api/parties"): SIGNED,
    ("GET", "/api/parties/{code}"): SIGNED,
    ("GET", "/api/parties/{code}/qr.svg"): SIGNED,
    ("POST", "/api/parties/{code}/members"): ("sign_in", "ok", "party_full", "ok"),  # in this order
    ("GET", "/api/me/party"): ("sign_in", "party_not_found", "party_not_found", "ok"),
    ("DELETE", "/api/me/party"): SIGNED,
    # Players and matches are public; what one earned is one's own
    ("GET", "/api/players/{player_id}"): ALL,
    ("GET", "/api/leaderboards/experience"): ALL,
    ("GET", "/api/matches"): ("sign_in", "ok", "ok", "ok"),
    ("GET", "/api/matches/{match_id}"): ALL,
    ("GET", "/api/matches/{match_id}/records"): ALL,
    ("GET", "/api/matches/{match_id}/text"): ALL,
    ("GET", "/api/matches/{match_id}/experience"): SIGNED,
    # The machine
    ("GET", "/api/health"): ALL,
    ("GET", "/api/openapi.json"): ALL,
    ("GET", "/metrics"): ALL,  # of this very machine; test_limits asks from elsewhere
}
NOT_HOST = ("sign_in", *("not_seated",) * 3, "not_host")
OWN = (*("match_not_found",) * 3, "ok", "ok", "ok")
RUNNING = ("match_running",) * 6
DURING: dict[tuple[str, str], tuple[str, ...]] = {
    # What is asked of a table, or a match, while it is being played; columns are `PLAYING`
    ("GET", "/api/tables/{code}"): ("ok",) * 6,
    ("GET", "/api/tables/{code}/qr.svg"): ("ok",) * 6,
    ("POST", "/api/tables/{code}/seats"): (
        "sign_in", "wrong_status", "sent_away", "match_left", "already_seated", "already_seated",
    ),
    ("DELETE", "/api/tables/{code}/seats/me"): ("sign_in", *("not_seated",) * 3, "ok", "ok"),
    ("POST", "/api/tables/{code}/start"): (*NOT_HOST, "wrong_status"),
    ("POST", "/api/tables/{code}/seats/{seat}/move"): (*NOT_HOST, "wrong_status"),
    ("DELETE", "/api/tables/{code}/seats/{seat}"): (*NOT_HOST, "wrong_status"),
    ("POST", "/api/tables/{code}/host"): (*NOT_HOST, "ok"),
    ("PATCH", "/api/tables/{code}/options"): (*NOT_HOST, "ok"),
    ("GET", "/api/matches/{match_id}"): OWN,
    ("GET", "/api/matches/{match_id}/records"): RUNNING,
    ("GET", "/api/matches/{match_id}/text"): RUNNING,
    ("GET", "/api/matches/{match_id}/experience"): ("sign_in", *("ok",) * 5),
}  # fmt: skip
QUESTION = {"ask": "legal", "preset": "classic", "trump": "H", "seat": 0, "hand": [], "trick": []}
BODIES: dict[tuple[str, str], Any] = {
    ("POST", "/api/tables"): {"preset": "classic"},
    ("POST", "/api/play-now"): {"preset": "classic"},
    ("POST", "/api/rules/check"): {"preset": "classic"},
    ("POST", "/api/rules/exercises"): {"preset": "classic"},
    ("POST", "/api/referee"): QUESTION,
    ("POST", "/api/tables/{code}/start"): {"bots": True},
    ("POST", "/api/tables/{code}/seats/{seat}/move"): {"to": 2},
}


def routes(server: Running) -> Iterator[tuple[str, str]]:
    """Every method and path that the server answers to."""
    for route in flat(server.site.api.routes):
        for method in route.methods - {"HEAD", "OPTIONS"}:
            yield method, route.path


def flat(routes: Any) -> Iterator[Any]:
    """The routes; newer versions of the framework keep those of a router in the router."""
    for route in routes:
        if hasattr(route, "methods"):
            yield route
        else:
            yield from flat(getattr(route, "original_router", route).routes)


async def test_every_route_has_its_row(shared: Running) -> None:
    there = set(routes(shared))
    assert there - TABLE.keys() == set(), "a new endpoint needs a row"
    assert TABLE.keys() - there == set(), "an endpoint is gone: take its row out"
    asked = {(method, path) for method, path in there if "{code}" in path or "{match_id}" in path}
    assert DURING.keys() == {each for each in asked if "parties" not in each[1]}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def match(shared: Running) -> str:
    """A match that is over: one person, bots, and a resignation."""
    return await resigned(await shared.guest())


@pytest.mark.parametrize("endpoint", TABLE, ids=" ".join)
async def test_each_role_may_do_what_the_table_says(
    shared: Running, match: str, endpoint: tuple[str, str]
) -> None:
    method, path = endpoint
    table = await waiting(shared)
    party = (await table.host.get("POST", "/api/parties"))["code"]
    code = party if "parties" in path else table.code
    body = {"player": table.seated.id} if path.endswith("/host") else BODIES.get(endpoint, {})
    people = table.people
    address = path.format(code=code, seat=1, player_id=table.host.id, match_id=match)
    for role, expected in zip(WAITING, TABLE[endpoint], strict=True):
        told = await outcome(shared, method, address, people.get(role), body)
        assert told == expected, role


@pytest.mark.parametrize("endpoint", DURING, ids=" ".join)
async def test_each_role_may_do_during_a_match_what_the_table_says(
    shared: Running, endpoint: tuple[str, str]
) -> None:
    method, path = endpoint
    table = await playing(shared)
    player = table.people["player"]
    body = {"player": player.id} if path.endswith("/host") else BODIES.get(endpoint, {})
    address = path.format(code=table.code, seat=1, match_id=table.match)
    told = [
        await outcome(shared, method, address, table.people.get(role), body) for role in PLAYING
    ]
    assert dict(zip(PLAYING, told, strict=True)) == dict(
        zip(PLAYING, DURING[endpoint], strict=True)
    )


async def outcome(
    server: Running, method: str, address: str, guest: Guest | None, body: Any
) -> str:
    """What comes of a request: "ok", or the code of the refusal."""
    answer = await server.http.request(
        method,
        address,
        headers={**JSON, **({} if guest is None else guest.headers)},
        json=None if method in ("GET", "DELETE") else body,
    )
    server.http.cookies.clear()
    return "ok" if answer.is_success else str(answer.json()["error"]["code"])


async def resigned(guest: Guest) -> str:
    """A match that a guest gives up at once; its id."""
    table = (await guest.get("POST", "/api/tables", {"preset": "classic"}))["table"]
    async with guest.socket() as wire:
        seat = await Seat(wire, table).sit()
        await guest.get("POST", f"/api/tables/{table}/start")
        cid = "6f0c4a8e-0c4e-4a57-9c80-2f0e4f6d3b11"
        await wire.send(t="cmd", id=cid, table=table, decision=None, c={"type": "resign"})
        while not seat.ended:
            seat.take(await wire.next())
    started = next(event for event in seat.events if event["type"] == "match_started")
    return str(started["d"]["match"])
