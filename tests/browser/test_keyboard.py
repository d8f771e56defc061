"""Without a mouse: from the landing page to the end of a deal."""

from playwright.async_api import Locator, expect

from tests.browser.checks import offer_is_true
from tests.browser.conftest import NewPerson, Picture
from tests.browser.driver import Person

# What has the focus, now and without waiting: nothing has it while Tab goes round, or when the page
# has just drawn anew what had it.
FOCUSED = """() => {
  const one = document.activeElement, style = getComputedStyle(one);
  return {at: one.dataset.testid, card: one.dataset.card,
          seen: style.outlineStyle !== "none" || style.boxShadow !== "none"};
}"""


async def _tab_to(ada: Person, test_id: str) -> None:
    """Tab until the element, once it is there, has the focus, and can be seen to have it."""
    await ada.at(test_id).wait_for()
    for _ in range(80):
        await ada.page.keyboard.press("Tab")
        focused = await ada.page.evaluate(FOCUSED)
        if focused.get("at") == test_id:
            assert focused["seen"], "the focus can't be seen"
            return
    raise AssertionError(f"Tab never comes to {test_id}")


async def _focused_card(ada: Person) -> str | None:
    card: str | None = (await ada.page.evaluate(FOCUSED)).get("card")
    return card


async def test_a_deal_is_played_with_keys_alone(person: NewPerson, picture: Picture) -> None:
    ada = await person("Ada")
    keys = ada.page.keyboard
    await ada.page.goto("/")
    await _tab_to(ada, "play-now")
    await keys.press("Enter")
    await expect(ada.at("table-code")).to_be_visible()
    ways, tricks = 0, 0
    while (kind := await ada.offer()) != "sheet":
        await offer_is_true(ada, kind)
        decision = ada.turn and ada.turn["decision"]
        if kind == "call" and await ada.at("take").count() == 1:
            await _tab_to(ada, "take")
            await keys.press("Enter")
        elif kind == "call":
            await keys.press("p")
        else:
            await _play_with_keys(ada, ways)
            ways += 1
            tricks += 1
        await ada.told(lambda before=decision: ada.turn is None or ada.turn["decision"] != before)
    assert tricks == 8
    await picture(ada, "desktop-score-sheet-by-keyboard")
    await expect(ada.at("continue")).to_be_focused()
    await keys.press("Enter")
    assert await ada.offer() in ("call", "play"), "the next deal"


async def _play_with_keys(ada: Person, way: int) -> None:
    """By its number and Enter, by its number twice, or by the arrows, in turn."""
    keys = ada.page.keyboard
    legal = await ada.raised()
    hand = [card["card"] for card in await ada.hand()]
    number = str(hand.index(legal[0]) + 1)
    lifted = ada.page.locator(f'.hand .card.is-lifted[data-card="{legal[0]}"]')
    if way % 3 == 2:
        for _ in hand:
            await keys.press("ArrowRight")
            card = await _focused_card(ada)
            if card in legal:
                break
        assert card in legal
        await expect(ada.page.locator(f'.hand .card.is-lifted[data-card="{card}"]')).to_be_visible()
    else:
        card = legal[0]
        await ada.until(keys.press, number, lambda: _is_there(lifted))
    lying = ada.page.locator(f'.hand li:not(.is-sent) [data-card="{card}"]')
    key = number if way % 3 == 1 else "Enter"
    await ada.until(keys.press, key, lambda: _is_gone(lying))
    await expect(ada.page.locator(f'.hand [data-card="{card}"]')).to_have_count(0)


async def _is_there(card: Locator) -> bool:
    return await card.count() > 0


async def _is_gone(card: Locator) -> bool:
    return await card.count() == 0


async def test_l_shows_the_last_trick_and_escape_closes_it(person: NewPerson) -> None:
    ada = await person("Ada")
    await ada.page.goto("/")
    await ada.create_table("private")
    await ada.press(ada.at("start-with-bots"))
    while await ada.offer() != "play" or len(await ada.hand()) == 8:
        await ada.answer(await ada.offer())
    await ada.caught_up()
    await ada.page.keyboard.press("l")
    cards = ada.page.locator(".lasttrick .card img")
    await expect(cards).to_have_count(4)
    assert all(await cards.evaluate_all("(all) => all.map((one) => one.alt)"))
    await ada.page.keyboard.press("Escape")
    await expect(cards).to_have_count(0)


async def test_every_card_of_the_hand_says_what_it_is_and_whether_it_may_be_played(
    person: NewPerson,
) -> None:
    ada = await person("Ada")
    await ada.page.goto("/")
    await ada.create_table("private")
    await ada.press(ada.at("start-with-bots"))
    while await ada.offer() != "play" or not [c for c in await ada.hand() if c["dim"]]:
        await ada.answer(await ada.offer())
    for card in await ada.hand():
        assert ("not allowed" in card["label"]) == card["dim"], card
        assert " of " in card["label"]
