"""Who may do what over REST: one row an endpoint, and a row is missed when it is missing.

The columns: nobody (no session), a stranger (a guest without a seat at the table), a guest on seat
1 and the host on seat 0. A success is written as "ok", a refusal by its code. What is asked of a
match is asked of one that is over and that none of them has played.
"""

from collections.abc import Iterator
from typing import Any

import pytest
import pytest_asyncio

from tests.realtime.harness import Guest, Running, Seat
from tests.roles import WAITING, waiting

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
    for role, expected in zip(WAITING, TABLE[endpoint], strict=True):
        answer = await shared.http.request(
            method,
            path.format(code=code, seat=1, player_id=table.host.id, match_id=match),
            headers={**JSON, **(people[role].headers if role in people else {})},
            json=None if method in ("GET", "DELETE") else body,
        )
        shared.http.cookies.clear()
        told = "ok" if answer.is_success else answer.json()["error"]["code"]
        assert told == expected, f"{role}: {answer.status_code} {answer.text}"


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
