"""Coming back: a reload, another tab, a broken line, another day: the same seat and state."""

from typing import Any

from playwright.async_api import expect

from tests.browser.cable import cable_to
from tests.browser.checks import hand_is_true, offer_is_true
from tests.browser.conftest import NewPerson, Picture
from tests.browser.driver import Person
from tests.browser.house import House

SHOWN = """() => {
  const all = (where) => [...document.querySelectorAll(where)];
  const classes = (one) => [...one.classList].sort().join(" ");
  return {
    contract: document.querySelector('[data-testid="contract"]').innerText,
    totals: all(".totals .dd").map((one) => one.innerText),
    hand: all(".hand [data-card]").map((one) => [one.dataset.card, classes(one)]),
    trick: all(".room .trick [data-card]").map((one) => one.dataset.card),
    seats: all(".seat").map((one) =>
      [one.dataset.seat, one.querySelector(".seat__name").innerText, classes(one)]),
  };
}"""


async def _in_the_third_trick(ada: Person, base: str = "") -> str:
    """At a table with bots, at Ada's turn, after two tricks; the table's code."""
    await ada.page.goto(f"{base}/")
    code = await ada.create_table("private")
    await ada.press(ada.at("start-with-bots"))
    while await ada.offer() != "play" or len(await ada.hand()) > 6:
        kind = await ada.offer()
        await offer_is_true(ada, kind)
        await ada.answer(kind)
    await ada.caught_up()
    return code


async def _shown(ada: Person) -> Any:
    await ada.caught_up()
    return await ada.page.evaluate(SHOWN)


async def test_a_reload_at_ones_turn_returns_to_the_same_seat_and_state(
    person: NewPerson,
) -> None:
    ada = await person("Ada")
    await _in_the_third_trick(ada)
    before = await _shown(ada)
    seat, turn = ada.seat, await ada.own_turn("play")
    await ada.watch.collect()
    ada.turn = None
    await ada.page.reload()
    assert await ada.offer() == "play"
    await ada.comes_to(lambda: _shown(ada), before)
    assert ada.seat == seat
    assert (await ada.own_turn("play"))["decision"] == turn["decision"]
    await ada.play()
    assert not any(frame["t"] == "nak" for frame in ada.frames)


async def test_a_second_tab_plays_and_the_first_follows(person: NewPerson) -> None:
    first = await person("first tab")
    code = await _in_the_third_trick(first)
    second = await person("second tab", beside=first)
    await second.page.goto(f"/t/{code}")
    assert await second.offer() == "play"
    assert await second.hand() == await first.hand()
    for player, other in ((second, first), (first, second), (second, first)):
        if await player.offer() != "play":
            break
        card = await player.play()
        await expect(other.page.locator(f'.hand [data-card="{card}"]')).to_have_count(0)
    if await first.offer() == "play":
        assert await second.offer() == "play"
        assert await second.hand() == await first.hand()


async def test_a_cut_line_is_said_and_mended_without_losing_anything(
    person: NewPerson, house: House, picture: Picture
) -> None:
    async with cable_to(house.url) as cable:
        ada = await person("Ada", base_url=cable.url)
        ada.watch.expected += ["ERR_CONNECTION", "WebSocket connection", "ERR_EMPTY_RESPONSE"]
        await _in_the_third_trick(ada)
        before = await _shown(ada)
        cable.cut()
        await expect(ada.at("connection")).to_contain_text("Reconnecting")
        await picture(ada, "desktop-reconnecting")
        # A card chosen while the line is down goes out when it is back, once.
        card = (await ada.raised())[0]
        await ada.page.locator(f'.hand [data-card="{card}"]').click(position={"x": 15, "y": 60})
        await expect(ada.page.locator(f'.hand [data-card="{card}"]')).to_contain_class("is-sent")
        assert {row["card"] for row in await ada.hand()} == _cards(before)
        cable.mend()
        await expect(ada.at("connection")).to_have_text("Connected")
        await expect(ada.page.locator(f'.hand [data-card="{card}"]')).to_have_count(0)
        assert await ada.offer() in ("play", "sheet")
        plays = [f for f in ada.sent if f["t"] == "cmd" and f["c"].get("card") == card]
        assert len({frame["id"] for frame in plays}) == 1, "sent again, it is the same command"
        await ada.answer(await ada.offer())


async def test_a_silent_line_is_noticed_and_replaced(person: NewPerson, house: House) -> None:
    async with cable_to(house.url) as cable:
        ada = await person("Ada", base_url=cable.url)
        ada.watch.expected += ["ERR_CONNECTION", "WebSocket connection", "ERR_EMPTY_RESPONSE"]
        await _in_the_third_trick(ada)
        before = await _shown(ada)
        cable.go_deaf()
        # A ping every 5 s, and 9 s for its answer.
        await expect(ada.at("connection")).to_contain_text("Reconnecting")
        cable.mend()
        await expect(ada.at("connection")).to_have_text("Connected")
        assert await ada.offer() == "play"
        await ada.comes_to(lambda: _shown(ada), before)
        await hand_is_true(ada)
        await ada.play()


async def test_play_now_returns_to_ones_own_table_and_the_landing_offers_it(
    person: NewPerson, picture: Picture
) -> None:
    ada = await person("Ada")
    await ada.page.goto("/")
    await ada.press(ada.at("play-now"))
    asked = await ada.offer()  # a card, where a bot took before it was her turn to call
    table = ada.page.url
    await ada.press(ada.at("leave"))
    await ada.press(ada.at("leave-later"))
    await expect(ada.at("play-now")).to_be_visible()
    await ada.press(ada.at("play-now"))
    await expect(ada.page).to_have_url(table)
    assert await ada.offer() == asked
    await ada.watch.collect()
    await ada.page.close()

    later = await person("Ada, later", beside=ada)
    await later.page.goto("/")
    await expect(later.at("continue-match")).to_be_visible()
    await picture(later, "desktop-landing-with-a-match")
    await later.press(later.at("continue-match"))
    kind = await later.offer()
    assert later.page.url == table
    await offer_is_true(later, kind)
    await later.answer(kind)


async def test_whoever_leaves_for_good_has_no_match_to_continue(person: NewPerson) -> None:
    ada = await person("Ada")
    await _in_the_third_trick(ada)
    await ada.press(ada.at("leave"))
    await ada.press(ada.at("leave-now"))
    await expect(ada.at("play-now")).to_be_visible()
    await expect(ada.at("continue-match")).to_have_count(0)
    (match,) = (await ada.rest("/api/matches?player=me"))["matches"]
    assert [seat["outcome"] for seat in match["players"] if seat["id"]] == ["quit"]


def _cards(shown: Any) -> set[str]:
    return {card for card, _ in shown["hand"]}
