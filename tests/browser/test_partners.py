"""What Play now looks for, and two who stay partners."""

from playwright.async_api import expect

from tests.browser.conftest import NewPerson, Picture
from tests.browser.driver import Person


async def seated(person: Person) -> tuple[str, int]:
    """The table and the seat that the page has come to."""
    await person.told(lambda: person.seat is not None)
    assert person.seat is not None
    return person.page.url, person.seat


async def test_a_friend_comes_by_the_link_and_both_look_for_what_one_chose(
    person: NewPerson, picture: Picture
) -> None:
    ada, ben = await person("Ada"), await person("Ben", phone=True)
    await ada.page.goto("/")
    await ada.press(ada.at("wish"))
    await ada.press(ada.at("wish-target-701"))
    await ada.press(ada.at("wish-speed-fast"))
    await picture(ada, "wish")
    await ada.page.keyboard.press("Escape")
    await ada.page.reload()
    await expect(ada.at("wish")).to_contain_text("Fast")

    await ada.press(ada.at("invite"))
    code = await ada.at("party-code").inner_text()
    await picture(ada, "invite")
    await ben.page.goto(f"/party/{code}")
    await expect(ben.at("party-join")).to_be_visible()
    await picture(ben, "invited-390")
    await ben.press(ben.at("party-join"))
    await expect(ben.at("party")).to_be_visible()
    await expect(ada.at("party-dialog")).to_have_count(0)  # she sees him come
    await expect(ada.at("play-now")).to_have_text("Play together")

    await ada.press(ada.at("play-now"))
    await expect(ada.at("seek")).to_be_visible()
    await expect(ben.at("party-come")).to_be_visible()
    await ada.press(ada.at("seek-cancel"))
    await expect(ben.at("party-come")).to_have_count(0)
    await ada.press(ada.at("play-now"))
    await ben.press(ben.at("party-come"))
    (table, seat), (his_table, his_seat) = await seated(ada), await seated(ben)
    assert (his_table, his_seat) == (table, (seat + 2) % 4)
    told = (await ben.rest(f"/api/tables/{table.rsplit('/', 1)[1]}"))["target"]
    assert told == 701, "who asked first has chosen for both"

    await ben.page.goto("/")
    await expect(ben.at("party")).to_be_visible()  # they stay partners
    ben.watch.expected += ["/api/me/party"]  # he may be looking at it while he leaves
    await ben.press(ben.at("party-leave"))
    await expect(ben.at("party")).to_have_count(0)
    await ada.page.goto("/lobby")
    await expect(ada.at("party-show")).to_be_visible()  # she waits for another
