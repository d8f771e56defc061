"""Guests, sessions and profiles over REST."""

import asyncio
import hashlib

import pytest

from tests.clocks import FakeClock
from tests.realtime.harness import Running, limits, serving


async def test_a_guest_gets_a_friendly_name_an_avatar_a_cookie_and_a_token(
    server: Running,
) -> None:
    answer = await server.http.post("/api/guests", json={"locale": "es-UY"})
    assert answer.status_code == 201
    player = answer.json()["player"]
    assert 2 <= len(player["name"]) <= 20
    assert player["avatar"] in {s + t for s in "jkq" for t in "cdhs"}
    assert (player["guest"], player["xp"], player["level"]) == (True, 0, 0)
    assert (player["level_from"], player["level_to"]) == (0, 50)
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith(f"{server.site.settings.cookie_name}={answer.json()['token']};")
    for part in ("HttpOnly", "SameSite=lax", "Path=/"):
        assert part in cookie
    assert "Secure" not in cookie, "this test speaks http"
    by_cookie = await server.http.get("/api/me")
    assert by_cookie.json()["player"]["id"] == player["id"]


async def test_behind_https_the_cookie_is_secure(database_url: str) -> None:
    async with serving(database_url, public_url="https://play.example") as server:
        answer = await server.http.post("/api/guests", json={})
        assert "Secure" in answer.headers["set-cookie"]
        assert "strict-transport-security" in answer.headers


async def test_the_database_keeps_the_tokens_hash_alone(server: Running) -> None:
    ada = await server.guest()
    assert server.site.db is not None
    row = await server.site.db.pool.fetchrow("SELECT * FROM session")
    assert row is not None
    assert row["token_hash"] == hashlib.sha256(ada.token.encode()).digest()
    assert ada.token not in str(dict(row))


@pytest.mark.parametrize("name", ["A", "x" * 21, "12", "a\u202eb", "<i>"])
async def test_a_name_that_can_not_be_is_refused(server: Running, name: str) -> None:
    answer = await server.http.post("/api/guests", json={"name": name})
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "bad_name")
    ada = await server.guest()
    answer = await ada.ask("PATCH", "/api/me", {"name": name})
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "bad_name")


async def test_a_player_changes_what_it_names_and_nothing_else(server: Running) -> None:
    ada = await server.guest("Ada")
    before = (await ada.get("GET", "/api/me"))["player"]
    after = (await ada.get("PATCH", "/api/me", {"avatar": "kd", "locale": "pt-BR"}))["player"]
    assert after == {**before, "avatar": "kd", "locale": "pt"}
    renamed = (await ada.get("PATCH", "/api/me", {"name": "  Ada  L. "}))["player"]
    assert renamed == {**after, "name": "Ada L."}
    assert (await ada.get("GET", "/api/me"))["player"] == renamed


async def test_an_avatar_that_is_not_there_is_invalid(server: Running) -> None:
    ada = await server.guest()
    answer = await ada.ask("PATCH", "/api/me", {"avatar": "bot"})
    error = answer.json()["error"]
    assert (answer.status_code, error["code"]) == (422, "invalid")
    assert error["fields"][0]["path"] == "body.avatar"


async def test_signing_out_ends_this_session_alone(server: Running) -> None:
    ada, ben = await server.guest(), await server.guest()
    answer = await ada.ask("POST", "/api/me/sign-out")
    assert answer.status_code == 204
    assert "Max-Age=0" in answer.headers["set-cookie"]
    assert (await ada.ask("GET", "/api/me")).status_code == 401
    assert (await ben.ask("GET", "/api/me")).status_code == 200


async def test_guests_are_limited_by_address(database_url: str) -> None:
    few = limits(guests_per_address_per_hour=3)
    async with serving(database_url, limits_=few, clock=FakeClock()) as server:
        for _ in range(3):
            await server.guest()
        answer = await server.http.post("/api/guests", json={})
        assert (answer.status_code, answer.json()["error"]["code"]) == (429, "too_many_requests")
        assert int(answer.headers["retry-after"]) > 3_500


async def test_a_session_is_touched_once_a_day(server: Running) -> None:
    ada = await server.guest()
    assert server.site.db is not None
    pool = server.site.db.pool
    await pool.execute("UPDATE session SET seen_at = seen_at - interval '2 days'")
    await ada.get("GET", "/api/me")
    first = await pool.fetchval("SELECT seen_at FROM session")
    await asyncio.sleep(0.01)
    await ada.get("GET", "/api/me")
    assert await pool.fetchval("SELECT seen_at FROM session") == first
    assert await pool.fetchval("SELECT seen_at > now() - interval '1 hour' FROM session")


async def test_a_session_unseen_for_400_days_is_over(server: Running) -> None:
    ada = await server.guest()
    assert server.site.db is not None
    await server.site.db.pool.execute("UPDATE session SET seen_at = now() - interval '401 days'")
    assert (await ada.ask("GET", "/api/me")).status_code == 401
