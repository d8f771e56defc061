"""Whole matches through the page: two people and two bots at a desk, one person and three bots on
a phone. Every offer and every figure on the way is held against the server's own."""

import asyncio

from playwright.async_api import expect

from tests.browser.checks import end_is_true, offer_is_true
from tests.browser.conftest import NewPerson, Picture
from tests.browser.driver import SHEET, Person


async def test_two_people_meet_through_a_code_and_play_a_whole_match(
    person: NewPerson, picture: Picture
) -> None:
    ada, ben = await person("Ada"), await person("Ben")
    for someone in (ada, ben):
        await someone.page.goto("/")
    code = await ada.create_table("private")
    await ben.join_by_code(code)
    await ben.press(ben.at("sit-2"))
    await expect(ada.at("seat-2")).to_contain_text((await _me(ben))["name"])
    await picture(ada, "desktop-waiting-room-two")
    await ada.press(ada.at("start-with-bots"))
    await asyncio.gather(ada.play_match(offer_is_true), _play_and_close_the_last_sheet(ben))
    matches = [await end_is_true(someone) for someone in (ada, ben)]
    assert matches[0]["id"] == matches[1]["id"]
    assert [seat["bot"] for seat in matches[0]["players"]] == [None, "novice", None, "novice"]
    await picture(ada, "desktop-match-end-two")


async def test_one_person_plays_a_whole_match_with_bots_on_a_phone(
    person: NewPerson, picture: Picture
) -> None:
    ada = await person("Ada", phone=True)
    await ada.page.goto("/")
    await ada.press(ada.at("play-now"))
    await ada.play_match(offer_is_true)
    match = await end_is_true(ada)
    assert [seat["bot"] for seat in match["players"]].count("novice") == 3
    await picture(ada, "phone-match-end-one")


async def _play_and_close_the_last_sheet(someone: Person) -> None:
    """Not by its button but by Escape: the final screen comes all the same."""
    while (kind := await someone.offer()) != "end":
        await offer_is_true(someone, kind)
        if kind == "sheet" and someone.ended:
            await someone.page.keyboard.press("Escape")
            await expect(someone.page.locator(SHEET)).to_have_count(0)
        else:
            await someone.answer(kind)


async def _me(someone: Person) -> dict[str, str]:
    player: dict[str, str] = (await someone.rest("/api/me"))["player"]
    return player
