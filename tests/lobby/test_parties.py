"""Parties over REST: two, found by a code, each in one party only."""

import asyncio
from uuid import UUID

from sqlalchemy import select

from app.lobby.models import Party
from app.lobby.parties import forget_old
from tests.lobby.test_places import refused
from tests.lobby.test_play_now import no_ticket
from tests.realtime.harness import Guest, Running


async def members(guest: Guest) -> list[str]:
    """Who is in a guest's party."""
    return [each["player"] for each in (await guest.get("GET", "/api/me/party"))["members"]]


async def test_a_party_is_two_and_shows_who_they_are(server: Running) -> None:
    ada, ben, cleo = await server.guest("Ada"), await server.guest("Ben"), await server.guest()
    made = await ada.get("POST", "/api/parties")
    code = made["code"]
    assert [each["name"] for each in made["members"]] == ["Ada"]
    typed = f"{code[:3].lower()} {code[3:]}"
    assert (await ben.get("GET", f"/api/parties/{typed}"))["members"] == made["members"]
    joined = await ben.get("POST", f"/api/parties/{code}/members")
    assert [each["name"] for each in joined["members"]] == ["Ada", "Ben"]
    assert set(joined["members"][0]) == {"player", "name", "avatar", "queued"}
    assert await ben.get("POST", f"/api/parties/{code}/members") == joined, "twice is once"
    assert await refused(cleo, "POST", f"/api/parties/{code}/members") == "party_full"
    assert await members(ben) == [ada.id, ben.id]


async def test_who_leaves_makes_room_and_the_last_one_ends_it(server: Running) -> None:
    ada, ben, cleo = [await server.guest() for _ in range(3)]
    code = (await ada.get("POST", "/api/parties"))["code"]
    await ben.get("POST", f"/api/parties/{code}/members")
    await ada.get("DELETE", "/api/me/party")
    assert await members(ben) == [ben.id]
    assert await refused(ada, "GET", "/api/me/party") == "party_not_found"
    await cleo.get("POST", f"/api/parties/{code}/members")
    assert sorted(await members(cleo)) == sorted([ben.id, cleo.id])
    for guest in (ben, cleo, cleo):
        await guest.get("DELETE", "/api/me/party")
    assert await refused(ada, "GET", f"/api/parties/{code}") == "party_not_found"


async def test_a_person_is_in_one_party(server: Running) -> None:
    ada, ben = await server.guest(), await server.guest()
    first = (await ada.get("POST", "/api/parties"))["code"]
    second = (await ben.get("POST", "/api/parties"))["code"]
    await ada.get("POST", f"/api/parties/{second}/members")
    assert await members(ada) == [ben.id, ada.id]
    assert await refused(ben, "GET", f"/api/parties/{first}") == "party_not_found"
    await ada.get("POST", "/api/parties")
    assert await members(ada) == [ada.id]
    assert await members(ben) == [ben.id]


async def test_an_old_party_ends_but_not_while_somebody_joins_or_leaves(server: Running) -> None:
    ada, ben = await server.guest(), await server.guest()
    busy = (await ada.get("POST", "/api/parties"))["code"]
    await ben.get("POST", "/api/parties")
    db = server.site.db
    assert db is not None
    async with db.unit_of_work() as touching:
        await touching.execute(select(Party).where(Party.code == busy).with_for_update())
        async with db.unit_of_work() as session:
            await forget_old(session, 0)
    assert await members(ada) == [ada.id]
    assert await refused(ben, "GET", "/api/me/party") == "party_not_found"
    async with db.unit_of_work() as session:
        await forget_old(session, 0)
    assert await refused(ada, "GET", f"/api/parties/{busy}") == "party_not_found"


async def test_many_who_join_at_once_and_two_who_change_places(server: Running) -> None:
    ada, *people = [await server.guest() for _ in range(5)]
    code = (await ada.get("POST", "/api/parties"))["code"]
    answers = await asyncio.gather(
        *(who.ask("POST", f"/api/parties/{code}/members", {}) for who in people)
    )
    assert sorted(answer.status_code for answer in answers) == [201, 409, 409, 409]
    for _ in range(5):  # each into the other's, at the same time: nobody waits in a circle
        ben, cleo = await server.guest(), await server.guest()
        one = (await ben.get("POST", "/api/parties"))["code"]
        two = (await cleo.get("POST", "/api/parties"))["code"]
        swapped = await asyncio.gather(
            ben.ask("POST", f"/api/parties/{two}/members", {}),
            cleo.ask("POST", f"/api/parties/{one}/members", {}),
        )
        assert {answer.status_code for answer in swapped} <= {201, 404, 409}
        assert any(answer.is_success for answer in swapped)


async def test_a_partys_link_is_a_page_and_a_picture_and_its_session_knows_it(
    server: Running,
) -> None:
    ada = await server.guest("Ada")
    assert (await ada.get("GET", "/api/session"))["party"] is None
    made = await ada.get("POST", "/api/parties")
    assert (await ada.get("GET", "/api/session"))["party"] == made
    picture = await ada.ask("GET", f"/api/parties/{made['code']}/qr.svg")
    assert picture.headers["content-type"] == "image/svg+xml"
    assert picture.text.startswith("<svg")
    page = await server.http.get(f"/party/{made['code']}")
    assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")


async def test_two_partners_who_press_at_once_look_for_the_same_game(patient: Running) -> None:
    for _ in range(8):
        ada, ben = await patient.guest(), await patient.guest()
        await together(ada, ben)
        async with ada.socket() as one, ben.socket() as two:
            await asyncio.gather(
                one.send(t="queue", on=True, party=True, target=701),
                two.send(t="queue", on=True, party=True, target=1001),
            )
            told = [
                await wire.until(lambda f: f.get("left_ms") is not None and f["people"] == 2)
                for wire in (one, two)
            ]
            assert told[0]["target"] == told[1]["target"]
        await no_ticket(patient)  # or the next two would meet them


async def test_a_pause_from_rated_play_holds_for_what_the_partner_has_chosen(
    patient: Running,
) -> None:
    ada, ben = await patient.guest(), await patient.guest()
    await together(ada, ben)
    assert patient.site.db is not None
    for _ in range(2):
        await patient.site.db.pool.execute(
            "INSERT INTO conduct (player_id, match_id, outcome, at)"
            " VALUES ($1, gen_random_uuid(), 'quit', clock_timestamp())",
            UUID(ben.id),
        )
    async with ada.socket() as one, ben.socket() as two:
        await one.send(t="queue", on=True, party=True, rated=True)
        assert (await one.get("queued"))["left_ms"] is None
        await two.send(t="queue", on=True, party=True)
        assert (await two.get("cancelled"))["code"] == "rated_pause"


async def together(one: Guest, two: Guest) -> None:
    """A party of two."""
    code = (await one.get("POST", "/api/parties"))["code"]
    await two.get("POST", f"/api/parties/{code}/members")
