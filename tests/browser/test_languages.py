"""The page in the reader's language: nothing of another one, and no key of the catalogue."""

import pytest
from playwright.async_api import expect

from tests.browser.conftest import NewPerson, Picture
from tests.browser.driver import Person
from tests.browser.guests import company, finish_for
from tests.browser.house import House
from tests.browser.watch import TEXTS, catalogue

LOCALES = {"es": "es-ES", "en": "en-GB", "fr": "fr-FR", "pt": "pt-PT"}


def _foreign(language: str) -> dict[str, str]:
    """Whole texts of English (for English: of Spanish) that this language says otherwise."""
    own = {v for v in catalogue(language).values() if isinstance(v, str)}
    other = catalogue("es" if language == "en" else "en")
    return {
        text: key
        for key, text in other.items()
        if isinstance(text, str) and "{" not in text and text not in own and len(text) > 3
    }


async def _reads(someone: Person, language: str) -> None:
    """No text on the screen is one of the other language's."""
    await someone.watch.look()
    texts: list[str] = await someone.page.evaluate(TEXTS)
    foreign = _foreign(language)
    found = {text: foreign[text] for text in texts if text in foreign}
    assert not found, f"{someone.page.url} in {language}: {found}"


@pytest.mark.parametrize("language", LOCALES)
async def test_the_page_speaks_one_language(
    language: str, person: NewPerson, picture: Picture, house: House
) -> None:
    ada = await person("Ada", locale=LOCALES[language])
    await ada.page.goto("/")
    await expect(ada.at("play-now")).to_be_visible()
    await expect(ada.page.locator("html")).to_have_attribute("lang", language)
    await _reads(ada, language)
    await ada.open_create()
    await _reads(ada, language)
    await ada.press(ada.at("create-go"))
    code = await ada.at("table-code").inner_text()
    await _reads(ada, language)
    async with company(house.url, code, (1, 2, 3)):
        await ada.press(ada.at("start-with-bots"))
        while (kind := await ada.offer()) != "sheet":
            await _reads(ada, language)
            await ada.answer(kind)
        await _reads(ada, language)
        await picture(ada, f"desktop-score-sheet-{language}")
        await finish_for(ada, house.url, code)
        await expect(ada.at("experience").locator("tfoot")).to_be_visible()
        await _reads(ada, language)
    await ada.press(ada.at("review"))
    await expect(ada.at("replay")).to_be_visible()
    await _reads(ada, language)
    for path in ("/lobby", "/history", "/ranking", "/profile", "/how-to-play"):
        await ada.page.goto(path)
        await expect(ada.page.locator("main")).to_be_visible()
        await _reads(ada, language)
    await ada.press(ada.at("settings"))
    await _reads(ada, language)


async def test_the_language_changes_at_once_and_stays(person: NewPerson) -> None:
    ada = await person("Ada")
    await ada.page.goto("/")
    await ada.page.locator(".langpick select").select_option("es")
    await expect(ada.at("play-now")).to_have_text(catalogue("es")["landing.play"])
    await ada.page.reload()
    await expect(ada.at("play-now")).to_have_text(catalogue("es")["landing.play"])
    await _reads(ada, "es")
