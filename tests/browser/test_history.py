"""Afterwards: history, the replay card by card, exports, the ranking, all against REST."""

import json
import re
from pathlib import Path
from typing import Any

from playwright.async_api import expect

from tests.browser.conftest import NewPerson, Picture
from tests.browser.driver import Person
from tests.browser.guests import past_match
from tests.browser.house import House

Record = dict[str, Any]

CARDS = """(where) => [...document.querySelectorAll(where)].map((image) =>
  /([^/]+)\\.svg$/.exec(image.src)[1])"""


async def _somebody_with_a_past(ada: Person, house: House) -> tuple[str, list[Record]]:
    """A match that was played by a program with Ada's cookie, and its records."""
    answer = await ada.context.request.post("/api/guests", data={"locale": "en"})
    assert answer.ok
    match = await past_match(ada, house.url)
    lines = await (await ada.context.request.get(f"/api/matches/{match}/records")).text()
    return match, [json.loads(line) for line in lines.splitlines()]


async def _cards(ada: Person, where: str) -> list[str]:
    cards: list[str] = await ada.page.evaluate(CARDS, where)
    return cards


async def test_a_match_of_the_history_is_replayed_card_by_card_with_the_arrow_keys(
    person: NewPerson, house: House, picture: Picture
) -> None:
    ada = await person("Ada")
    match, records = await _somebody_with_a_past(ada, house)
    told = await ada.rest(f"/api/matches/{match}")
    await ada.page.goto("/history")
    row = ada.page.locator(".match", has=ada.at("open-match"))
    us, them = told["totals"]
    await expect(row).to_contain_text(f"{us}–{them}")
    await picture(ada, "desktop-history-of-one")
    await ada.press(ada.at("open-match"))
    await expect(ada.at("replay")).to_be_visible()
    await picture(ada, "desktop-replay-start")
    for number, record in enumerate(records):
        if number > 0:
            await ada.page.keyboard.press("ArrowRight")
        await expect(ada.page.locator(".rcap")).to_contain_text(f"Deal {record['deal']}")
        await _walk_deal(ada, record, picture if number == 0 else None)
    end = await ada.page.locator(".rcap").inner_text()
    await ada.page.keyboard.press("ArrowRight")
    await expect(ada.page.locator(".rcap")).to_have_text(end)


async def _walk_deal(ada: Person, record: Record, picture: Picture | None) -> None:
    """Every step of a deal: hands face up, each trick as it was played."""
    for _ in record["auction"]:
        await ada.page.keyboard.press("ArrowRight")
    if not record["contract"]:
        await ada.page.keyboard.press("ArrowRight")
        return
    left = {card for hand in record["hands"] for card in hand}
    for number, trick in enumerate(record["tricks"]):
        for played in range(1, len(trick["cards"]) + 1):
            await ada.page.keyboard.press("ArrowRight")
            assert await _cards(ada, ".rmid .trick img") == trick["cards"][:played]
            left.discard(trick["cards"][played - 1])
            assert set(await _cards(ada, ".rcards img")) == left
        if number == 3 and picture is not None:
            await picture(ada, "desktop-replay-trick")
        await ada.page.keyboard.press("ArrowRight")
        await expect(ada.page.locator(".rmid .is-winning img")).to_have_count(1)
    assert left == set()
    await ada.page.keyboard.press("ArrowRight")


async def test_a_replay_steps_by_trick_and_by_deal_and_shows_the_sheet(
    person: NewPerson, house: House, picture: Picture
) -> None:
    ada = await person("Ada", phone=True)
    match, records = await _somebody_with_a_past(ada, house)
    await ada.page.goto(f"/match/{match}")
    played = [i for i, record in enumerate(records) if record["contract"]]
    first = records[played[0]]
    for _ in range(played[0]):
        await ada.press(ada.at("replay-deal_next"))
    await expect(ada.page.locator(".rcap")).to_contain_text(f"Deal {first['deal']}")
    for trick in first["tricks"][:2]:
        await ada.press(ada.at("replay-trick_next"))
        await ada.comes_to(lambda: _cards(ada, ".rmid .trick img"), trick["cards"])
    await picture(ada, "phone-replay")
    await ada.press(ada.at("replay-card_back"))
    await expect(ada.page.locator(".rmid .is-winning")).to_have_count(0)
    assert await _cards(ada, ".rmid .trick img") == first["tricks"][1]["cards"]
    await ada.press(ada.at("replay-sheet"))
    (deal,) = [d for d in await _deals(ada, match) if d["deal"] == first["deal"]]
    await expect(ada.page.locator(".race--us b")).to_have_text(str(deal["score"]["totals"][0]))
    await picture(ada, "phone-replay-sheet")


async def _deals(ada: Person, match: str) -> list[Record]:
    deals: list[Record] = (await ada.rest(f"/api/matches/{match}"))["deals"]
    return deals


async def test_a_match_is_exported_as_text_and_as_records(
    person: NewPerson, house: House, tmp_path: Path
) -> None:
    ada = await person("Ada")
    match, records = await _somebody_with_a_past(ada, house)
    await ada.page.goto(f"/match/{match}")
    for button, ending in (("export-json", "ndjson"), ("export-text", "txt")):
        async with ada.page.expect_download() as download:
            await ada.press(ada.at(button))
        file = await download.value
        assert re.fullmatch(rf"(match|rebelote)-{match}\.{ending}", file.suggested_filename)
        await file.save_as(tmp_path / ending)
    lines = (tmp_path / "ndjson").read_text("utf-8").splitlines()
    assert [json.loads(line) for line in lines] == records
    text = (tmp_path / "txt").read_text("utf-8")
    assert text == await (await ada.context.request.get(f"/api/matches/{match}/text")).text()
    assert text.count("\n") > len(records)


async def test_a_finished_match_can_be_shown_to_somebody_else(
    person: NewPerson, house: House
) -> None:
    ada, ben = await person("Ada"), await person("Ben")
    match, records = await _somebody_with_a_past(ada, house)
    await ben.page.goto(f"/match/{match}")
    await expect(ben.at("replay")).to_be_visible()
    await ben.page.keyboard.press("End")
    await expect(ben.page.locator(".rcap")).to_contain_text(f"Deal {records[-1]['deal']}")


async def test_the_ranking_shows_me_with_the_experience_of_my_match(
    person: NewPerson, house: House
) -> None:
    ada = await person("Ada")
    match, _ = await _somebody_with_a_past(ada, house)
    earned = await ada.rest(f"/api/matches/{match}/experience")
    ranked = (await ada.rest("/api/leaderboards/experience"))["me"]
    await ada.page.goto("/ranking")
    mine = ada.at("my-row").locator("td")
    await expect(mine.first).to_have_text(str(ranked["rank"]))
    await expect(mine.last).to_have_text(str(earned["total"]))
    await expect(ada.at("my-row")).to_contain_text(ranked["player"]["name"])


async def test_a_new_name_is_seen_everywhere(person: NewPerson, house: House) -> None:
    ada = await person("Ada")
    await _somebody_with_a_past(ada, house)
    await ada.page.goto("/profile")
    await expect(ada.at("history")).to_be_visible()
    await expect(ada.at("connection")).to_have_text("Connected")  # who she is, all have said
    await ada.at("name").fill("Ada Lovelace")
    await ada.page.get_by_role("button", name="Save").click()
    await expect(ada.at("whoami")).to_contain_text("Ada Lovelace")
    await ada.page.goto("/ranking")
    await expect(ada.at("my-row")).to_contain_text("Ada Lovelace")


async def test_somebody_new_finds_an_empty_history_and_a_way_in(
    person: NewPerson, picture: Picture
) -> None:
    ada = await person("Ada")
    await ada.page.goto("/history")
    await expect(ada.page.locator(".empty")).to_be_visible()
    await picture(ada, "desktop-history-empty")
    assert await ada.context.cookies() == [], "nobody is made before a first wish"
