"""Past matches over REST: what is told is what happened, and nothing before its time (D4)."""

import asyncio
from contextlib import AsyncExitStack
from typing import Any
from uuid import uuid4

import orjson
import pytest

from app.belote.notation import replayed, score_record
from app.belote.text import record_of
from tests.history.conftest import Played, seated
from tests.realtime.harness import Running, Seat
from tests.realtime.truth import cards_in, log_of

pytestmark = pytest.mark.slow  # whole matches are played for it

Json = dict[str, Any]


def sheets(played: Played) -> list[Json]:
    """The score sheets as the first player's socket told them."""
    return [event["d"] for event in played.seats[0].events if event["type"] == "deal_scored"]


async def records(played: Played, query: str = "") -> list[Json]:
    answer = await played.guests[0].ask("GET", f"/api/matches/{played.id}/records{query}")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/x-ndjson"
    return [orjson.loads(line) for line in answer.content.splitlines()]


async def test_a_match_is_listed_for_each_of_its_players(played: Played) -> None:
    end = played.seats[0].events[-1]["d"]
    for place, guest in enumerate(played.guests):
        told = await guest.get("GET", "/api/matches?player=me")
        assert told["next"] is None
        (match,) = told["matches"]
        assert (match["id"], match["table"]) == (played.id, played.table)
        assert (match["winner"], match["totals"]) == (end["winner"], end["totals"])
        assert (match["reason"], match["deals"]) == ("target", len(sheets(played)))
        mine = match["players"][place]
        assert (mine["id"], mine["outcome"]) == (guest.id, "finished")
        assert mine["won"] == (place % 2 == end["winner"])
    others = await played.server.http.get(f"/api/matches?player={played.guests[2].id}")
    assert [match["id"] for match in others.json()["matches"]] == [played.id]


async def test_the_list_of_nobody_asks_to_sign_in(server: Running) -> None:
    answer = await server.http.get("/api/matches")
    assert (answer.status_code, answer.json()["error"]["code"]) == (401, "sign_in")


async def test_a_match_opens_with_every_score_sheet(played: Played) -> None:
    told = await played.guests[1].get("GET", f"/api/matches/{played.id}")
    assert told["running"] is False
    assert told["deals"] == sheets(played)
    assert told["rules"]["preset"] == "classic"
    xp = {player["id"]: player["xp"] for player in told["players"]}
    assert told["experience"]["total"] == xp[played.guests[1].id]


async def test_whoever_has_the_link_sees_a_match_that_has_ended(played: Played) -> None:
    told = (await played.server.http.get(f"/api/matches/{played.id}")).json()
    assert told["deals"] == sheets(played)
    assert told["experience"] is None


async def test_records_are_what_the_referee_decides_again(
    played: Played, database_url: str
) -> None:
    found = await records(played)
    scores = [told["score"] for told in sheets(played)]
    assert [one["score"] for one in found if one["score"] is not None] == scores
    dealt = [row for row in await log_of(database_url, played.table) if row.type == "hand_dealt"]
    assert len(found) == len(dealt)
    for one in found:
        events = replayed(one)
        if one["score"] is not None:
            scored = next(event for event in events if event.TYPE == "deal_scored")
            assert score_record(scored.score) == one["score"]  # type: ignore[union-attr]


async def test_records_hold_every_hand_as_it_was_dealt(played: Played, database_url: str) -> None:
    hands: dict[int, list[Any]] = {}
    deal = 0
    for row in await log_of(database_url, played.table):
        if row.type in ("hand_dealt", "rest_dealt"):
            deal = row.public.get("deal", deal)
            hands[deal] = [row.private[str(seat)]["cards"] for seat in range(4)]
    for one in await records(played):
        told = [sorted(hand) for hand in one["hands"]]
        assert told == [sorted(hand) for hand in hands[one["deal"]]]


async def test_legal_cards_come_on_request(played: Played) -> None:
    plain, full = await records(played), await records(played, "?legal=1")
    assert all("legal" not in trick for one in plain for trick in one["tricks"])
    tricks = [trick for one in full for trick in one["tricks"]]
    assert tricks
    for trick in tricks:
        for card, legal in zip(trick["cards"], trick["legal"], strict=True):
            assert card in legal


async def test_the_text_is_the_records_again(played: Played) -> None:
    answer = await played.server.http.get(f"/api/matches/{played.id}/text")
    assert answer.headers["content-type"].startswith("text/plain")
    parts = ["[Format " + part for part in answer.text.split("[Format ")[1:]]
    assert [record_of(part) for part in parts] == await records(played)


async def test_experience_is_that_of_the_table(played: Played) -> None:
    for place, guest in enumerate(played.guests):
        told = await guest.get("GET", f"/api/matches/{played.id}/experience")
        counts = {line["reason"]: line["count"] for line in told["lines"]}
        assert counts["played"] == 1
        assert counts.get("won", 0) == (place % 2 == played.seats[0].events[-1]["d"]["winner"])
        taken = [e["d"]["winner"] for e in played.seats[0].events if e["type"] == "trick_taken"]
        assert counts.get("tricks", 0) == taken.count(place)
        won = 0
        for sheet in sheets(played):
            side, outcome = sheet["contract"]["taker"] % 2, sheet["score"]["outcome"]
            won += outcome == "made" and side == place % 2
            won += outcome == "failed" and side != place % 2
        assert counts.get("deals", 0) == won
        assert told["total"] == sum(line["points"] for line in told["lines"])
        assert (told["xp_before"], told["xp_after"]) == (0, told["total"])
        me = await guest.get("GET", "/api/me")
        assert me["player"]["xp"] == told["total"]


async def test_the_ranking_shows_who_played(played: Played) -> None:
    told = await played.guests[0].get("GET", "/api/leaderboards/experience?limit=2")
    assert (len(told["rows"]), told["total"]) == (2, 4)
    assert told["me"]["player"]["id"] == played.guests[0].id
    assert told["rows"][0]["xp"] >= told["rows"][1]["xp"]
    nobody = (await played.server.http.get("/api/leaderboards/experience")).json()
    assert nobody["me"] is None
    assert len(nobody["rows"]) == 4


async def test_a_profile_counts_matches_by_game(played: Played) -> None:
    guest = played.guests[0]
    told = (await played.server.http.get(f"/api/players/{guest.id}")).json()
    won = int(played.seats[0].events[-1]["d"]["winner"] == 0)
    assert told["presets"] == [{"preset": "classic", "matches": 1, "won": won, "quit": 0}]
    assert told["name"] == "Ada"
    unknown = await played.server.http.get(f"/api/players/{uuid4()}")
    assert unknown.json()["error"]["code"] == "player_not_found"


@pytest.mark.parametrize("what", ["", "/records", "/text"])
async def test_a_match_that_never_was_is_not_found(server: Running, what: str) -> None:
    answer = await server.http.get(f"/api/matches/{uuid4()}{what}")
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "match_not_found")


async def test_while_a_match_runs_only_public_fields_leave(
    server: Running, database_url: str
) -> None:
    async with AsyncExitStack() as stack:
        running = await seated(server, stack)
        path = f"/api/matches/{running.id}"
        async with asyncio.TaskGroup() as group:
            for seat in running.seats:
                group.create_task(play_until_scored(seat))
        told = await running.guests[0].get("GET", path)
        assert told["running"] is True
        assert told["deals"] == sheets(running)
        assert len(told["deals"]) >= 1
        assert [player["outcome"] for player in told["players"]] == [None] * 4
        assert told["experience"] is None
        assert cards_in(told) == cards_in(sheets(running))
        log = await log_of(database_url, running.table)
        secrets = {str(value) for row in log for value in row.hidden.values() if value}
        revealed = {sheet["secret"] for sheet in sheets(running)}
        text = orjson.dumps(told).decode()
        assert not [secret for secret in secrets - revealed if secret in text]

        for what in ("/records", "/text"):
            for guest in (running.guests[0], await server.guest("Eve")):
                answer = await guest.ask("GET", path + what)
                assert (answer.status_code, answer.json()["error"]["code"]) == (
                    409,
                    "match_running",
                )
        assert (await running.guests[0].get("GET", "/api/matches"))["matches"] == []

        stranger = await (await server.guest("Eve")).ask("GET", path)
        nobody = await server.http.get(path)
        assert (stranger.status_code, nobody.status_code) == (404, 404)


async def play_until_scored(seat: Seat) -> None:
    """Play on until the seat has heard of the first score."""
    while not any(event["type"] == "deal_scored" for event in seat.events):
        await seat.act()
        seat.take(await seat.wire.next())


async def test_a_match_ends_where_its_numbers_end(played: Played) -> None:
    """The table's next match, which is being played, adds nothing to the one before it."""
    before = await records(played)
    await played.guests[0].get("POST", f"/api/tables/{played.table}/start")
    frame = await played.seats[0].wire.until(
        lambda f: f["t"] == "ev" and any(e["type"] == "hand_dealt" for e in f["evs"])
    )
    hand = next(e for e in frame["evs"] if e["type"] == "hand_dealt")
    assert hand["d"]["deal"] == 1
    assert await records(played) == before
    told = await played.guests[0].get("GET", f"/api/matches/{played.id}")
    assert told["deals"] == sheets(played)


async def test_a_match_that_all_have_left_is_told_as_far_as_it_went(server: Running) -> None:
    async with AsyncExitStack() as stack:
        left = await seated(server, stack)
        async with asyncio.TaskGroup() as group:
            for seat in left.seats:
                group.create_task(play_until_scored(seat))
        for guest in left.guests:
            await guest.get("DELETE", f"/api/tables/{left.table}/seats/me")
    for guest in left.guests:
        told = await guest.get("GET", f"/api/matches/{left.id}")
        assert (told["reason"], told["winner"], told["running"]) == ("abandoned", None, False)
        assert told["deals"] == sheets(left)
        assert told["experience"] is None
        assert {player["xp"] for player in told["players"]} == {0}
        (listed,) = (await guest.get("GET", "/api/matches"))["matches"]
        assert listed["players"] == told["players"]
    found = await records(left)
    assert [one["score"] for one in found if one["score"]] == [s["score"] for s in sheets(left)]
    text = await server.http.get(f"/api/matches/{left.id}/text")
    assert text.status_code == 200
