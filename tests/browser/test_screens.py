"""Every screen once, at a desk, on a phone and on a phone that lies: pictures for the eye, and what
can be checked without one (raw texts, width, the CSP, jumps) for each."""

import re
from typing import Any

import pytest
from playwright.async_api import expect

from tests.browser.checks import hand_is_true
from tests.browser.conftest import NewPerson, Picture
from tests.browser.driver import Person
from tests.browser.guests import company, finish_for
from tests.browser.house import House

SIZES: dict[str, dict[str, Any]] = {
    "desktop": {},
    "phone": {"phone": True},
    "landscape": {"phone": True, "viewport": {"width": 844, "height": 390}},
}
PLACES = {
    "lobby": ("/lobby", "main.lobby"),
    "history": ("/history", '[data-testid="open-match"]'),
    "ranking": ("/ranking", '[data-testid="my-row"]'),
    "profile": ("/profile", '[data-testid="name"]'),
    "how-to-play": ("/how-to-play", "main.howto"),
}


@pytest.mark.parametrize("size", SIZES)
async def test_every_screen_can_be_looked_at(
    size: str, person: NewPerson, picture: Picture, house: House
) -> None:
    ada = await person("Ada", **SIZES[size])

    async def take(name: str) -> None:
        await picture(ada, f"{size}-{name}")

    await ada.page.goto("/")
    await expect(ada.at("play-now")).to_be_visible()
    await take("landing")
    await ada.open_create()
    await take("create-table")
    await ada.page.keyboard.press("Escape")
    await expect(ada.at("create")).to_have_count(0)
    code = await ada.create_table("private")
    await take("waiting-room")
    async with company(house.url, code, (1, 2, 3)):
        await ada.press(ada.at("start-with-bots"))
        await _first_deal(ada, take)
        await finish_for(ada, house.url, code)
        await expect(ada.at("experience")).to_be_visible()
        await take("match-end")
    for name, (path, sign) in PLACES.items():
        await ada.page.goto(path)
        await expect(ada.page.locator(sign).first).to_be_visible()
        await take(name)
    await ada.press(ada.at("settings"))
    await take("settings")


async def _first_deal(ada: Person, take: Any) -> None:
    """Both rounds of the auction, a refusal, the last trick, and the sheet."""
    assert await ada.offer() == "call"
    await expect(ada.at("take")).to_be_visible()
    await take("auction-first-round")
    await ada.call("pass")
    name = ada.page.get_by_test_id(re.compile("^name-"))
    await expect(name).to_have_count(3)
    await take("auction-second-round")
    await ada.call(await name.first.get_attribute("data-testid"))
    wanted = {"play", "refusal", "last-trick"}
    while (kind := await ada.offer()) == "play":
        await hand_is_true(ada)
        await ada.caught_up()
        dim = [card["card"] for card in await ada.hand() if card["dim"]]
        if "play" in wanted and len(ada.trick) > 1:
            await take("play")
            wanted.remove("play")
        if dim and "refusal" in wanted:
            await ada.refused(dim[-1])
            await take("refusal")
            wanted.remove("refusal")
        if len(await ada.hand()) < 8 and "last-trick" in wanted:
            await ada.press(ada.at("last-trick"))
            await expect(ada.page.locator(".lasttrick")).to_be_visible()
            await take("last-trick")
            await ada.page.keyboard.press("Escape")
            await expect(ada.page.locator(".lasttrick")).to_have_count(0)
            wanted.remove("last-trick")
        await ada.play()
    assert kind == "sheet"
    assert "last-trick" not in wanted
    await take("score-sheet")


async def test_a_person_may_look_at_the_table_before_sitting_down(
    person: NewPerson, picture: Picture
) -> None:
    ada, ben = await person("Ada"), await person("Ben", phone=True)
    await ada.page.goto("/")
    code = await ada.create_table("private")
    await ben.page.goto(f"/t/{code.lower()}")
    await expect(ben.at("sit-down")).to_be_visible()
    await picture(ben, "phone-waiting-room-before-sitting")
    await ben.press(ben.at("sit-down"))
    await expect(ben.at("sit-down")).to_have_count(0)
