"""Four people in four windows, at a desk and on a phone: friends by a link, a reload, a second tab,
a line that breaks, somebody who leaves for good, somebody who watches, to resign and to play again.

Whoever is connected has minutes for every answer, so that nothing here depends on speed; a bot sits
in soon for who is away.
"""

import contextlib
import math
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from playwright.async_api import expect

from tests.browser.cable import cable_to
from tests.browser.conftest import NewPerson, Picture
from tests.browser.driver import Frame, Person
from tests.browser.four import Four, friends_house, gather, heard, knows
from tests.browser.guests import as_program, reach
from tests.browser.house import House


@pytest.fixture(scope="module")
def friends(cluster_url: str) -> Iterator[House]:
    """A server where people are asked whether they are ready."""
    with friends_house(cluster_url) as running:
        yield running


@pytest.fixture(scope="module")
def impatient(cluster_url: str) -> Iterator[House]:
    """The same, where a bot sits in at once for who is away, and takes its time to play."""
    pace = {"TIMING__BOT_MIN": "4000", "TIMING__BOT_MAX": "4000"}
    with friends_house(cluster_url, TIMING__AWAY="1000", **pace) as running:
        yield running


# ---- friends ----


async def test_friends_meet_by_a_link_and_play_and_resign_and_play_again(
    person: NewPerson, friends: House, picture: Picture
) -> None:
    async def asked(four: Four) -> None:
        await picture(four.people[0], "people-desktop-ready-said")
        ben = four.people[1]
        await picture(ben, "people-phone-ready-asked")
        dialog, button = [await ben.at(one).bounding_box() for one in ("ready", "ready-yes")]
        assert dialog is not None
        assert button is not None
        assert button["x"] + button["width"] <= dialog["x"] + dialog["width"]

    four = await gather(person, friends, asked=asked)
    ada, ben, cleo, dan = four.people
    await four.until(dan, left=7)
    await four.see_the_same()
    await picture(ben, "people-phone-four-people")
    await _reloads(four, dan)
    await _plays_in_a_second_tab(four, await person("Cleo's second tab", beside=cleo), cleo)
    await four.see_the_same()
    await _resign(four, ada, cleo, picture)
    await _again(four, picture)
    while (await four.turn())["kind"] != "play":
        await four.act()
    await four.see_the_same()
    await four.part()


async def _reloads(four: Four, someone: Person) -> None:
    """At its turn: the same turn, hand and clock are there again, and it plays."""
    shown, turn = await four.look(), await someone.own_turn("play")
    someone.turn = None
    await someone.watch.collect(jumps=False)
    await someone.page.reload()
    assert await someone.offer() == "play"
    again = await someone.own_turn("play")
    assert {**again, "left_ms": 0} == {**turn, "left_ms": 0}
    assert 0 < again["left_ms"] < turn["left_ms"], "a reload gives no time"
    said = await someone.at("your-turn").locator("span").inner_text()
    assert 0 < int(said.split()[0]) <= math.ceil(turn["left_ms"] / 1000)
    passing = {"pictures": []}  # what was declared may still be shown
    assert [{**page, **passing} for page in await four.look()] == [
        {**page, **passing} for page in shown
    ]
    assert await four.act() is someone


async def _plays_in_a_second_tab(four: Four, tab: Person, someone: Person) -> None:
    """Both windows of a player stay, and show the same; each may play."""
    await four.until(someone, left=7)
    await tab.page.goto(f"/t/{four.code}")
    assert await tab.offer() == "play"
    assert await tab.hand() == await someone.hand()
    card = await tab.play()
    await expect(someone.page.locator(f'.hand [data-card="{card}"]')).to_have_count(0)
    await four.until(someone, left=6)
    assert await tab.offer() == "play"
    card = await someone.play()
    await expect(tab.page.locator(f'.hand [data-card="{card}"]')).to_have_count(0)
    for window in (tab, someone):
        await expect(window.at("connection")).to_have_text("Connected")
        assert sum(frame["t"] == "welcome" for frame in window.frames) == 1, "it was kicked"
        await window.watch.collect(jumps=False)
    await tab.page.close()


async def _resign(four: Four, one: Person, partner: Person, picture: Picture) -> None:
    """A side gives up when both of its players want it."""
    await one.press(one.at("leave"))
    await one.press(one.at("resign"))
    await picture(one, "people-desktop-resign")
    await one.press(one.at("resign-sure"))
    await expect(one.at("resign-mine")).to_be_visible()
    await expect(partner.at("resign-asked")).to_be_visible()
    await picture(partner, "people-desktop-resign-asked")
    for other in four.people:
        assert not other.ended
        if other not in (one, partner):
            await expect(other.at("resign-asked")).to_have_count(0)
    await partner.press(partner.at("resign-yes"))
    await four.all("match-end")
    for someone in four.people:
        (end,) = heard(someone, "match_ended")
        assert (end["d"]["reason"], end["d"]["winner"]) == ("resigned", 1)


async def _again(four: Four, picture: Picture) -> None:
    """Another match with the same people, by four yeses."""
    await four.all("rematch-box")
    first, *others = four.people
    await first.press(first.at("rematch"))
    for someone in others:
        await expect(someone.at("rematch-no")).to_be_visible()
    await picture(others[0], "people-phone-rematch-offered")
    for someone in others[:-1]:
        await someone.press(someone.at("rematch"))
    await expect(first.at("rematch-box").locator(".is-ready")).to_have_count(3)
    await picture(first, "people-desktop-rematch-waiting")
    assert not _second_match(first)
    await others[-1].press(others[-1].at("rematch"))
    for someone in four.people:
        await someone.told(lambda one=someone: _second_match(one))
        someone.ended = False
    await four.all("contract")


def _second_match(someone: Person) -> bool:
    return any(event["d"]["number"] == 2 for event in heard(someone, "match_started"))


# ---- a line that breaks ----


async def test_who_loses_the_line_finds_the_bots_card_and_takes_the_seat_back_by_playing(
    person: NewPerson, impatient: House, picture: Picture
) -> None:
    async with cable_to(impatient.url) as cable:
        four = await gather(person, impatient, lines={"Dan": cable.url})
        ada, *_, dan = four.people
        dan.watch.expected += ["ERR_CONNECTION", "WebSocket connection", "ERR_EMPTY_RESPONSE"]
        await four.until(dan, left=7)
        held = {row["card"] for row in await dan.hand()}
        cable.cut()
        await expect(dan.at("connection")).to_contain_text("Reconnecting")
        await ada.told(lambda: bool(heard(ada, "seat_to_bot")))
        await expect(ada.at("seat-3").locator(".botbadge")).to_be_visible()
        await picture(ada, "people-desktop-a-bot-sits-in")
        await ada.told(lambda: bool(_by_bot(ada)))
        (taken,), (card, *_) = heard(ada, "seat_to_bot"), _by_bot(ada)
        assert (taken["d"]["seat"], taken["d"]["reason"]) == (3, "away")
        cable.mend()
        await expect(dan.at("reclaim")).to_be_visible()
        gone = dan.page.locator(f'.hand [data-card="{card["d"]["card"]}"]')
        await expect(gone).to_have_count(0)
        assert card["d"]["card"] in held
        await picture(dan, "people-phone-a-bot-has-played")
        await _plays_again(four, dan)
        await expect(dan.at("reclaim")).to_have_count(0)
        await expect(ada.at("seat-3").locator(".botbadge")).to_have_count(0)
        await four.see_the_same()
        await four.part()


def _by_bot(someone: Person) -> list[Frame]:
    return [event for event in heard(someone, "card_played") if event.get("how") == "bot"]


async def _plays_again(four: Four, someone: Person) -> None:
    """Its own card takes the seat back. The bot may be quicker, on a slow machine; then the next
    turn comes."""
    while not heard(someone, "seat_reclaimed"):
        assert len(_by_bot(someone)) < 6, "the bot was quicker at every turn"
        turn = await four.turn()
        if four.people[turn["seat"]] is not someone:
            await four.act()
            continue
        with contextlib.suppress(AssertionError, IndexError):
            await someone.play()
        await someone.told(partial(knows, someone, turn["decision"] + 1))


# ---- somebody leaves, somebody watches ----


async def test_who_leaves_for_good_is_out_and_who_watches_sees_no_hand(
    person: NewPerson, friends: House, picture: Picture
) -> None:
    four = await gather(person, friends, spectators=False, asked=_not_now)
    ada, ben, _, dan = four.people
    await four.until(dan, left=7)
    eve = await person("Eve", phone=True, base_url=friends.url)
    await _watches(four, eve, friends, picture)
    await _leaves(four, dan, friends)
    left = Four((ada, ben, four.people[2]), four.code)
    await _partner_goes_on(left, ben)
    await ben.press(ben.at("leave"))
    await ben.press(ben.at("resign"))
    await ben.press(ben.at("resign-sure"))  # a bot agrees at once
    await left.all("match-end")
    await _the_record_says_so(dan, ben, picture)
    await four.part()


async def _not_now(four: Four) -> None:
    """One no ends the check for everybody at once; then they are asked again."""
    host, *_, last = four.people
    await last.press(last.at("ready-no"))
    for someone in four.people:
        await expect(someone.at("ready")).to_have_count(0)
    await host.press(host.at("start-with-bots"))
    await four.all("ready")


async def _watches(four: Four, eve: Person, house: House, picture: Picture) -> None:
    """Where the host forbids it: why not. Where it is allowed: the table, and no hand."""
    ada = four.people[0]
    await eve.page.goto(f"/t/{four.code}")
    await expect(eve.at("shut")).to_contain_text("Only those who play see this table.")
    await picture(eve, "people-phone-watching-forbidden")
    await _let_watch(ada, house, four.code, allowed=True)
    await eve.page.reload()
    await expect(eve.at("watch-notice")).to_be_visible()
    for someone in (*four.people, eve):
        await expect(someone.at("watching")).to_contain_text("1")
    shown = await eve.page.evaluate(
        "() => [...document.querySelectorAll('.hand [data-card], .bid button')].length"
    )
    assert shown == 0
    await eve.caught_up()
    await picture(eve, "people-phone-watching")
    await picture(ada, "people-desktop-watched")
    assert not [event for frame in eve.frames for event in frame.get("evs", []) if "p" in event]
    assert all("legal" not in (frame.get("turn") or {}) for frame in eve.frames)
    await _let_watch(ada, house, four.code, allowed=False)
    await expect(eve.at("shut")).to_be_visible()
    await expect(ada.at("watching")).to_have_count(0)


async def _let_watch(host: Person, house: House, code: str, *, allowed: bool) -> None:
    async with reach(house.url) as server:
        guest = await as_program(host, server)
        await guest.get("PATCH", f"/api/tables/{code}/options", {"spectators": allowed})


async def _leaves(four: Four, dan: Person, house: House) -> None:
    """A bot has the seat at once, and there is no way back to this match."""
    await dan.press(dan.at("leave"))
    await dan.press(dan.at("leave-now"))
    await expect(dan.at("play-now")).to_be_visible()
    await expect(dan.at("continue-match")).to_have_count(0)
    for someone in four.people[:3]:
        await expect(someone.at("seat-3").locator(".botbadge")).to_be_visible()
        (taken,) = heard(someone, "seat_to_bot")
        assert (taken["d"]["seat"], taken["d"]["reason"]) == (3, "left")
    async with reach(house.url) as server:
        guest = await as_program(dan, server)
        refused = await guest.ask("POST", f"/api/tables/{four.code}/seats", {"seat": 3})
        assert (refused.status_code, refused.json()["error"]["code"]) == (409, "match_left")
    await dan.page.goto(f"/t/{four.code}")
    await expect(dan.at("shut")).to_contain_text("Only those who play see this table.")


async def _partner_goes_on(three: Four, partner: Person) -> None:
    """The bot plays, and so do the others."""
    assert partner.seat is not None
    before = len(await partner.hand())
    await three.until(partner, left=before)
    await partner.play()
    assert [event["d"]["seat"] for event in _by_bot(partner)][:1] == [3]


async def _the_record_says_so(dan: Person, ben: Person, picture: Picture) -> None:
    """Who left has no experience of it, the partner has (S4)."""
    await dan.page.goto("/history")
    row = dan.at("history").locator(".match")
    await expect(row).to_have_count(1)
    await expect(row.locator(".res--quit")).to_be_visible()
    await expect(row.locator(".match__xp")).to_have_text("")
    await picture(dan, "people-phone-history-of-who-left")
    earned: dict[str, Any] = {}
    for someone in (dan, ben):
        (match,) = (await someone.rest("/api/matches?player=me"))["matches"]
        assert [seat["outcome"] for seat in match["players"]][3] == "quit"
        earned[someone.name] = await someone.rest(f"/api/matches/{match['id']}/experience")
    assert (earned["Dan"]["lines"], earned["Dan"]["total"]) == ([], 0)
    assert earned["Ben"]["total"] > 0
    await expect(ben.at("experience").locator("tfoot td:last-child")).to_have_text(
        f"+{earned['Ben']['total']}"
    )
