"""A deal of each of the thirteen games through the page, from the create dialog to its score sheet:
every panel, what it offers held against the turn, the sheet's totals against the server's."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from typing import Final

import pytest
from playwright.async_api import Locator, expect

from app.belote.presets import PRESETS
from app.belote.rules import RuleSet
from tests.browser.conftest import NewPerson, Picture
from tests.browser.driver import CALL, Frame, Person
from tests.browser.four import heard

DESKTOPS: Final = {
    "turn-up": ("classic", "classic-clockwise", "classic-dealer-leads", "sans-annonces", "french"),
    "levels": ("coinche", "contree"),
    "contracts": ("belot", "belote-international", "belot-duel", "belot-trio", "belot-open"),
    "call": ("bela",),
}
PHONES: Final = ("classic", "coinche", "belot", "belot-open")
SIDES: Final = ("us", "them", "third")
DOUBLES: Final = ("third", "redouble", "double")
ASKED: Final = "() => document.querySelector('.btn--sure') !== null"
KEPT: Final = ("auction", "declare", "play", "sheet")
CARD: Final = ":is(.hand, .piles--mine) button.card.is-legal"
MINE: Final = ":is(.hand .fan, .piles--mine) [data-card]"


def test_every_game_is_played_here() -> None:
    assert sorted(sum(DESKTOPS.values(), ())) == sorted(PRESETS)


@pytest.mark.parametrize("family", DESKTOPS)
async def test_a_deal_of_each_game_comes_to_its_score_sheet(
    family: str, person: NewPerson, picture: Picture
) -> None:
    at_once = asyncio.Semaphore(2)

    async def game(preset: str, someone: Person) -> None:
        async with at_once:
            await _game(someone, preset, "", picture)

    people = {preset: await person(preset, reduced_motion="reduce") for preset in DESKTOPS[family]}
    await asyncio.gather(*(game(preset, one) for preset, one in people.items()))


@pytest.mark.parametrize("preset", PHONES)
async def test_a_deal_comes_to_its_score_sheet_on_a_phone(
    preset: str, person: NewPerson, picture: Picture
) -> None:
    await _game(await person(preset, phone=True), preset, "-phone", picture)


async def _game(someone: Person, preset: str, suffix: str, picture: Picture) -> None:
    async def take(panel: str) -> None:
        await someone.settle()
        await someone.watch.collect(jumps=False)  # bots answer at once here, so much moves
        await picture(someone, f"games{suffix}-{preset}-{panel}")

    await someone.page.goto("/")
    await expect(someone.at("play-now")).to_be_visible()
    await someone.watch.look()
    await _create(someone, preset, take)
    await Deal(someone, PRESETS[preset], take).to_its_sheet()
    await someone.watch.collect(jumps=False)
    await someone.page.goto("about:blank")


async def _create(someone: Person, preset: str, take: Callable[[str], Awaitable[None]]) -> None:
    """A table of one's own for a game, with bots on all other seats."""
    await someone.open_create()
    await someone.press(someone.at("change-game"))
    if preset in ("classic", "belot"):
        await take("create")
    await someone.press(someone.at(f"preset-{preset}"))
    await expect(someone.at("change-game")).to_be_visible()
    await someone.press(someone.page.get_by_role("button", name="Private", exact=True))
    await someone.press(someone.at("create-go"))
    await someone.at("table-code").wait_for()
    await take("waiting")
    await someone.press(someone.at("start-with-bots"))


class Deal:
    """Answers whatever the page offers, to the sheet of the first deal with a call of one's own."""

    def __init__(
        self, someone: Person, rules: RuleSet, take: Callable[[str], Awaitable[None]]
    ) -> None:
        self.someone = someone
        self.rules = rules
        self._take = take
        self._taken: set[str] = set()
        self._bids = 0

    async def take(self, panel: str) -> None:
        """A picture of some panels, once; what is seldom seen is in `test_layouts.py`."""
        if panel not in self._taken:
            self._taken.add(panel)
            if panel in KEPT:
                await self._take(panel)

    async def to_its_sheet(self) -> None:
        """Calls and cards, then the sheet, until a panel was among them."""
        someone = self.someone
        sheet = someone.at("score-sheet")
        while True:
            anything = someone.page.locator(f"{CALL}, {CARD}").or_(sheet).first
            await anything.wait_for()
            if await sheet.count() > 0:
                await self._sheet()
                if "auction" in self._taken:
                    return
                await someone.read_on()  # a bot took before I was asked
                await expect(sheet).to_have_count(0)  # it lies there until the next deal comes
                continue
            kind = someone.turn["kind"] if someone.turn is not None else ""
            if await someone.page.locator(CALL).count() > 0:
                await (self._declare() if kind == "declare" else self._call())
            elif await someone.page.locator(CARD).count() > 0:
                await self._play()

    # ---- the auction ----

    async def _call(self) -> None:
        someone = self.someone
        turn = await someone.own_turn("call")
        legal = turn["legal"]
        await self._offers(legal)
        await self.take("auction")
        calls = legal["calls"]
        if "take" not in calls and self.rules.auction == "turn_up":
            await self.take("second-round")
        if "bid" not in calls and "name" not in calls and "take" not in calls:
            await self.take("answer")
        if (double := next((one for one in DOUBLES if one in calls), None)) is not None:
            await self._double(double, turn["decision"])
        elif "bid" in calls and self._bids < 2:
            await self._bid(legal, turn["decision"])
        else:
            wishes = [f"name-{trump}" for trump in legal["trumps"]] if "name" in calls else []
            wishes += [call for call in ("take", "pass", "annul") if call in calls]
            await self._over(someone.at(wishes[0]), turn["decision"])

    async def _offers(self, legal: Frame) -> None:
        """What can be pressed is what is legal."""
        panel = self.someone.at("bid-panel")
        shown: set[str] = set(
            await panel.locator("button").evaluate_all(
                "(all) => all.filter((one) => !one.disabled).map((one) => one.dataset.testid)"
            )
        )
        trumps = {one.rpartition("-")[2] for one in shown if re.match("(bid-trump|name)-", one)}
        assert trumps == set(legal["trumps"])
        values = {one.removeprefix("bid-value-") for one in shown if "bid-value-" in one}
        assert values == {str(value) for value in legal["values"] if value is not None}
        others = {one for one in shown if not re.match("(bid|name)-", one)}
        assert others == set(legal["calls"]) - {"bid", "name"}

    async def _bid(self, legal: Frame, decision: int) -> None:
        someone = self.someone
        self._bids += 1
        values = [value for value in legal["values"] if value is not None]
        if values:
            await someone.press(someone.at(f"bid-value-{values[0]}"))
        trump = someone.random.choice(legal["trumps"])
        await someone.press(someone.at(f"bid-trump-{trump}"))
        await expect(someone.at(f"bid-trump-{trump}")).to_have_attribute("aria-pressed", "true")
        await self.take("bid-chosen")
        await self._over(someone.at("bid-go"), decision)

    async def _double(self, call: str, decision: int) -> None:
        """The first press only asks, for three seconds."""
        someone = self.someone
        await self.take(call)
        asked = asyncio.create_task(someone.page.wait_for_function(ASKED))
        await someone.press(someone.at(call))
        await asked
        assert someone.turn is not None
        assert someone.turn["decision"] == decision
        await self._over(someone.at(call), decision)

    async def _over(self, button: Locator, decision: int) -> None:
        await self.someone.press_over(button, decision)

    async def _declare(self) -> None:
        turn = await self.someone.own_turn("declare")
        assert turn["legal"]["declarations"]
        await self.take("declare")
        await self._over(self.someone.at("declare-go"), turn["decision"])

    # ---- cards ----

    async def _play(self) -> None:
        someone = self.someone
        turn = await someone.own_turn("play")
        legal = turn["legal"]
        cards: list[str] = await someone.page.locator(MINE).evaluate_all(
            "(all) => all.map((one) => one.dataset.card)"
        )
        raised: list[str] = await someone.page.locator(CARD).evaluate_all(
            "(all) => all.map((one) => one.dataset.card)"
        )
        assert set(raised) == set(legal["cards"])
        assert set(cards) == set(legal["cards"]) | set(legal["why"])
        if "play" not in self._taken:  # who answers sooner makes the screen catch up by itself
            await someone.caught_up()
        await self.take("play")
        if legal.get("declarations"):
            await self.take("announce")
        if legal.get("belote"):
            await self.take("belote")
        if legal["why"]:
            await self.take("refused-cards")
        if len(cards) == 3:
            await self.take("late")
        await self._lay(someone.random.choice(sorted(raised)), turn["decision"])

    async def _lay(self, card: str, decision: int) -> None:
        someone = self.someone
        await someone.lay(someone.page.locator(f'{MINE}[data-card="{card}"]'))
        await someone.told(lambda: someone.turn is None or someone.turn["decision"] != decision)

    # ---- the sheet ----

    async def _sheet(self) -> None:
        someone = self.someone
        assert someone.seat is not None
        deal = someone.scored[max(someone.scored)]
        await self.take("sheet")
        sheet = someone.at("score-sheet")
        totals = deal["score"]["totals"]
        own = someone.seat % len(totals)
        for i, kind in enumerate(SIDES[: len(totals)]):
            figure = sheet.locator(f".race--{kind} b")
            await expect(figure).to_have_text(f"{totals[(own + i) % len(totals)]:,}")
        match = await someone.rest(f"/api/matches/{self._match()}")
        assert match["deals"][-1]["score"]["totals"] == totals

    def _match(self) -> str:
        """Its id, as everybody at the table was told."""
        (started,) = heard(self.someone, "match_started")
        return str(started["d"]["match"])
