"""How to play: a card must be chosen, by keys at a desk and by taps on a phone, in the reader's
language; what is right and why not is what the server said."""

from typing import Any

from playwright.async_api import expect

from tests.browser.conftest import NewPerson, Picture
from tests.browser.driver import Person
from tests.browser.watch import catalogue


async def _open(someone: Person, path: str) -> list[dict[str, Any]]:
    async with someone.page.expect_response("**/api/rules/exercises") as answer:
        await someone.page.goto(path)
    await someone.at("try-hand").wait_for()
    told = await (await answer.value).json()
    exercises: list[dict[str, Any]] = told["exercises"]
    return exercises


def _card(someone: Person, card: str) -> Any:
    return someone.at("try-hand").locator(f'[data-card="{card}"]')


async def test_a_card_is_chosen_by_keys_until_the_round_is_over(
    person: NewPerson, picture: Picture
) -> None:
    ada = await person("Ada")
    exercises = await _open(ada, "/how-to-play/classic")
    keys = ada.page.keyboard
    for number, one in enumerate(exercises):
        await expect(ada.at("try")).to_contain_text(f"{number + 1} of {len(exercises)}")
        hand = ada.at("try-hand")
        if number == 0:
            await hand.locator("button").first.focus()
        await expect(hand.locator("button").first).to_be_focused()
        order = await hand.locator("button").evaluate_all("(all) => all.map((b) => b.dataset.card)")
        assert sorted(order) == sorted(one["hand"])
        if number == 0:
            wrong = next(iter(one["why"]))
            await keys.press(str(order.index(wrong) + 1))
            await expect(ada.at("try-why")).to_contain_text("You must")
            await expect(_card(ada, wrong)).to_contain_class("is-illegal")
            await picture(ada, "desktop-how-to-play-refused")
        for _ in range(order.index(one["legal"][0])):
            await keys.press("ArrowRight")
        await expect(_card(ada, one["legal"][0])).to_be_focused()
        await keys.press("Enter")
        await expect(ada.at("try-next")).to_be_focused()
        await keys.press("Enter")
    rest = len(exercises) - 1
    await expect(ada.at("try")).to_contain_text(f"{rest} of {len(exercises)} right")
    await expect(ada.at("try-again")).to_be_focused()
    async with ada.page.expect_response("**/api/rules/exercises") as answer:
        await keys.press("Enter")
    assert (await (await answer.value).json())["exercises"] != exercises
    await expect(ada.at("try")).to_contain_text("1 of")


async def test_the_exercise_is_read_in_one_s_language_on_a_phone(
    person: NewPerson, picture: Picture
) -> None:
    eva = await person("Eva", phone=True, locale="es-ES")
    one, *_ = await _open(eva, "/how-to-play/bela")
    wrong = next(iter(one["why"]))
    await eva.press(_card(eva, wrong))
    await expect(eva.at("try-why")).to_contain_text("Tienes que")
    await picture(eva, "phone-how-to-play-refused")
    await eva.press(_card(eva, one["legal"][0]))
    await expect(eva.at("try-next")).to_have_text(catalogue("rules/es")["how.try.next"])
