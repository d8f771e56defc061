"""The host's powers over REST: placing people, sending them away, handing over, options."""

import pytest

from tests.realtime.harness import Guest, Running

from .test_tables import code_of

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def table_of(host: Guest, *guests: Guest) -> str:
    """A private table where these people sit in this order."""
    body = {"preset": "classic", "visibility": "private", "bots": None}
    code: str = (await host.get("POST", "/api/tables", body))["table"]
    for guest in guests:
        await guest.get("POST", f"/api/tables/{code}/seats")
    return code


async def names(host: Guest, code: str) -> list[str | None]:
    """Who sits where."""
    return [seat["player"] for seat in (await host.get("GET", f"/api/tables/{code}"))["seats"]]


async def test_people_are_moved_and_sent_away(shared: Running) -> None:
    ada, ben, cleo = [await shared.guest() for _ in range(3)]
    code = await table_of(ada, ben, cleo)
    seats = f"/api/tables/{code}/seats"
    await ada.get("POST", f"{seats}/1/move", {"to": 3})
    assert await names(ada, code) == [ada.id, None, cleo.id, ben.id]
    await ada.get("POST", f"{seats}/0/move", {"to": 2})
    assert await names(ada, code) == [cleo.id, None, ada.id, ben.id]
    assert await code_of(ada, "POST", f"{seats}/1/move", {"to": 0}) == (409, "no_such_seat")
    assert await code_of(ada, "POST", f"{seats}/7/move", {"to": 0}) == (422, "invalid")
    assert await code_of(ada, "POST", f"{seats}/1/move", {}) == (422, "invalid")
    await ada.get("DELETE", f"{seats}/0")
    assert await names(ada, code) == [None, None, ada.id, ben.id]
    assert await code_of(cleo, "POST", seats, {}) == (403, "sent_away")
    assert await code_of(ada, "DELETE", f"{seats}/2") == (409, "no_such_seat")


async def test_the_host_starts_with_bots_and_hands_over(shared: Running) -> None:
    ada, ben = [await shared.guest() for _ in range(2)]
    code = await table_of(ada, ben)
    start = f"/api/tables/{code}/start"
    assert await code_of(ada, "POST", start, {}) == (409, "wrong_status")
    stranger = {"player": "01890000-0000-7000-8000-000000000000"}
    assert await code_of(ada, "POST", f"/api/tables/{code}/host", stranger) == (
        404,
        "player_not_found",
    )
    await ada.get("POST", f"/api/tables/{code}/host", {"player": ben.id})
    assert await code_of(ada, "POST", start, {"bots": True}) == (403, "not_host")
    await ben.get("POST", start, {"bots": True})
    assert (await ada.get("GET", f"/api/tables/{code}"))["status"] == "playing"
    assert await code_of(ben, "DELETE", f"/api/tables/{code}/seats/0") == (409, "wrong_status")


async def test_options_are_seen_by_all_and_changed_by_the_host(shared: Running) -> None:
    ada = await shared.guest()
    public = (await ada.get("POST", "/api/tables", {"preset": "classic"}))["table"]
    listed = await ada.get("GET", f"/api/tables/{public}")
    assert (listed["spectators"], listed["latecomers"]) == (True, True)
    await ada.get("DELETE", f"/api/tables/{public}/seats/me")
    code = await table_of(ada)
    listed = await ada.get("GET", f"/api/tables/{code}")
    assert (listed["spectators"], listed["latecomers"]) == (False, True), "private: not unasked"
    path = f"/api/tables/{code}/options"
    await ada.get("PATCH", path, {"spectators": True, "latecomers": False})
    listed = await ada.get("GET", f"/api/tables/{code}")
    assert (listed["spectators"], listed["latecomers"]) == (True, False)
    assert await code_of(ada, "PATCH", path, {"bots": None}) == (422, "invalid")


async def test_a_rated_table_shuffles_and_takes_no_latecomers(shared: Running) -> None:
    ada = await shared.guest()
    body = {"preset": "classic", "rated": True}
    code = (await ada.get("POST", "/api/tables", body))["table"]
    listed = await ada.get("GET", f"/api/tables/{code}")
    assert (listed["rated"], listed["latecomers"], listed["bots"]) == (True, False, None)
    for body in ({}, {"bots": True}):
        assert await code_of(ada, "POST", f"/api/tables/{code}/start", body) == (
            409, "rated_needs_people"
        )  # fmt: skip
