"""A person at the page: looks at what the page offers and presses it; hears the socket beside.

The page is only ever driven by its buttons, cards and keys. What the socket says is used to
compare, never to decide. Nothing here waits for time: always for something to be seen or told.
"""

import asyncio
import contextlib
import json
import random
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final, Literal

from playwright.async_api import BrowserContext, Locator, Page, Position, WebSocket, expect
from playwright.async_api import Error as PlaywrightError

from tests.browser.watch import Watch

Frame = dict[str, Any]
Offer = Literal["call", "play", "sheet", "end"]
Seen = Callable[["Person", Offer], Awaitable[None]]

WAIT_S: Final = 60.0
"""Longer than anything takes here, other people's work on the machine included."""
REACH_MS: Final = 3_000
"""How long one reaches for what may go away meanwhile, before one looks again."""
ASK_MS: Final = 1_000
"""A question such as *Sure?* is answered while it stands, which is for three seconds."""
SEEN_MS: Final = 250
"""After so long one presses again: less than a double click ago, the page did not listen."""
CALL: Final = '[data-testid="bid-panel"] button:not([disabled])'
CARD: Final = ".hand button.card.is-legal"
SHEET: Final = '[data-testid="continue"]:not([disabled])'
END: Final = '[data-testid="match-end"]'
MODAL: Final = "[data-dialog]"

# A seat's hand as it is drawn: card, its classes, how far it is raised.
HAND: Final = """() => [...document.querySelectorAll(".hand .fan > li")].map((li) => {
  const card = li.querySelector("[data-card]");
  const rise = getComputedStyle(li).getPropertyValue("--rise").trim();
  return {card: card.dataset.card, legal: li.classList.contains("is-legal"),
          dim: card.classList.contains("is-illegal"), raised: rise !== "" && rise !== "0px",
          label: card.getAttribute("aria-label")};
})"""


# Shown is what the socket told up to this number, with these cards on the table.
CAUGHT_UP: Final = """([seq, trick]) => {
  const room = document.querySelector(".room");
  if (room === null || Number(room.dataset.seq) < seq) return false;
  const cards = [...room.querySelectorAll(".trick [data-card]")];
  const lying = cards.filter((one) => one.checkVisibility({ visibilityProperty: true }));
  const sorted = (all) => JSON.stringify([...all].sort());
  return lying.length === cards.length
    && sorted(cards.map((one) => one.dataset.card)) === sorted(trick);
}"""
# The page knows of this decision; or it knows that it is over.
KNOWS: Final = """(decision) =>
  document.querySelector(".room")?.dataset.decision === String(decision)"""
KNOWS_OVER: Final = """(decision) =>
  document.querySelector(".room")?.dataset.decision !== String(decision)"""

# Cards that match, and how each lies there.
LYING: Final = """(all) => all.map(({classList}) => classList.contains("is-sent") ? "sent"
  : !classList.contains("is-legal") ? "shut" : classList.contains("is-lifted") ? "lifted" : "lying")
"""

NEXT_FRAME: Final = "() => new Promise((then) => requestAnimationFrame(() => then(null)))"

# Letters and pictures are there (the first look at a letter asks for it), and what flew has landed.
SETTLED: Final = """() => {
  document.body.getBoundingClientRect();
  return Promise.all([
    ...document.getAnimations().filter((a) => a.effect.getComputedTiming().iterations !== Infinity)
      .map((a) => a.finished.catch(() => null)),
    ...[...document.images].map((image) => image.decode().catch(() => null)),
    document.fonts.ready,
  ]).then(() => null);
}"""


class Person:
    """Somebody in a browser window of their own."""

    def __init__(self, page: Page, name: str, seed: int, *, touch: bool = False) -> None:
        self.page = page
        self.name = name
        self.random = random.Random(seed)
        self.touch = touch
        self.watch = Watch(page)
        self.frames: list[Frame] = []
        self.sent: list[Frame] = []
        self.turn: Frame | None = None
        self.seat: int | None = None
        self.scored: dict[int, Frame] = {}
        """The `deal_scored` of each deal, as the socket told it."""
        self.trick: list[str] = []
        """The cards on the table, as the socket told them."""
        self._have = 0
        """The newest number heard: events may come again, as they may to the page."""
        self.ended = False
        self._told = asyncio.Event()
        page.on("websocket", self._listen)

    @property
    def context(self) -> BrowserContext:
        """The window."""
        return self.page.context

    # ---- the socket, beside ----

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda text: self._hear(json.loads(text)))
        socket.on("framesent", lambda text: self.sent.append(json.loads(text)))

    def _hear(self, frame: Frame) -> None:
        self.frames.append(frame)
        if frame["t"] == "snap":
            self.seat = frame["view"]["you"]["seat"]
            game = frame["view"]["game"] or {"deals": [], "trick": None}
            self.scored |= {deal["deal"]: deal for deal in game["deals"]}
            self.trick = list((game["trick"] or {"cards": []})["cards"])
            self._have = frame["seq"]
        for event in frame.get("evs", []):
            if event["seq"] <= self._have:
                continue
            self._have = event["seq"]
            if event["type"] == "deal_scored":
                self.scored[event["d"]["deal"]] = event["d"]
            elif event["type"] == "card_played":
                self.trick.append(event["d"]["card"])
            elif event["type"] in ("trick_taken", "hand_dealt"):
                self.trick = []
            elif event["type"] == "match_ended":
                self.ended = True
        if frame["t"] in ("snap", "ev", "turn") and "turn" in frame:
            self.turn = frame["turn"]
        self._told.set()

    async def told(self, fits: Callable[[], bool]) -> None:
        """Wait until the socket has said something."""
        async with asyncio.timeout(WAIT_S):
            while not fits():
                self._told.clear()
                await self._told.wait()

    async def own_turn(self, kind: str) -> Frame:
        """The server's word on my open turn, once the page shows that it is open."""
        await self.told(
            lambda: (
                self.turn is not None
                and self.turn["kind"] == kind
                and self.turn["seat"] == self.seat
                and "legal" in self.turn
            )
        )
        assert self.turn is not None
        # The socket is heard before the page has drawn what it says.
        await self.page.wait_for_function(KNOWS, arg=self.turn["decision"], timeout=WAIT_S * 1000)
        return self.turn

    async def rest(self, path: str) -> Any:
        """What the server answers to this person's cookie."""
        answer = await self.context.request.get(path)
        assert answer.ok, f"{path}: {answer.status} {await answer.text()}"
        return await answer.json()

    # ---- finding and pressing ----

    def at(self, test_id: str) -> Locator:
        """An element by its test id."""
        return self.page.get_by_test_id(test_id)

    async def press(self, target: Locator) -> None:
        """Click, or tap on a phone."""
        await (target.tap() if self.touch else target.click())

    async def offer(self) -> Offer:
        """Wait for what the page offers next."""
        places: dict[Offer, str] = {"end": END, "sheet": SHEET, "call": CALL, "play": CARD}
        anything = self.page.locator(", ".join(places.values())).first
        await anything.wait_for(timeout=WAIT_S * 1000)
        for kind, place in places.items():
            if await self.page.locator(place).count() > 0:
                return kind
        return await self.offer()  # it went away between the two looks

    async def settle(self) -> None:
        """Wait until nothing on the screen moves."""
        await self.page.evaluate(SETTLED)

    async def comes_to(self, look: Callable[[], Awaitable[Any]], wanted: Any) -> None:
        """Wait until a look at the page finds what is wanted."""
        last = time.monotonic() + WAIT_S
        while (found := await look()) != wanted and time.monotonic() < last:
            await self.page.evaluate(NEXT_FRAME)
        assert found == wanted

    async def caught_up(self) -> None:
        """Wait until the screen, which shows one card after the other, shows all that was told."""
        last = time.monotonic() + WAIT_S
        while time.monotonic() < last:
            seq, trick = self._have, list(self.trick)
            with contextlib.suppress(PlaywrightError):
                await self.page.wait_for_function(CAUGHT_UP, arg=[seq, trick], timeout=REACH_MS)
                if self._have == seq:
                    return
        raise AssertionError(f"the screen never shows event {self._have}, with {self.trick}")

    async def press_over(self, button: Locator, decision: int) -> None:
        """Press until the page knows that the decision is over: a question such as *Sure?* may be
        gone before the second press, and then it is asked again. What is on its way is not pressed
        again, nor the same button of the next decision."""
        last = time.monotonic() + WAIT_S
        open_button = button.and_(self.page.locator(":enabled"))
        while time.monotonic() < last:
            with contextlib.suppress(PlaywrightError):
                if await self.page.evaluate(KNOWS, decision) and await open_button.count() > 0:
                    press = open_button.tap if self.touch else open_button.click
                    await press(timeout=REACH_MS)
                await self.page.wait_for_function(KNOWS_OVER, arg=decision, timeout=ASK_MS)
                return
        raise AssertionError("the page does not answer the decision")

    # ---- to a table ----

    async def open_create(self) -> None:
        """From the landing page to the dialog that makes a table, ready to be answered."""
        await self.press(self.at("create-table"))
        await expect(self.at("create-go")).to_be_enabled()

    async def create_table(self, visibility: str) -> str:
        """From the landing page to a table of one's own; its code."""
        await self.open_create()
        await self.press(self.page.get_by_role("button", name=visibility.title(), exact=True))
        await self.press(self.at("create-go"))
        return await self.at("table-code").inner_text()

    async def join_by_code(self, code: str) -> None:
        """From the landing page to somebody's table."""
        await self.press(self.at("join-by-code"))
        await self.at("join-code").fill(code)
        await self.press(self.at("join-go"))
        await expect(self.at("table-code")).to_have_text(code)

    # ---- playing ----

    async def play_match(self, seen: Seen | None = None) -> None:
        """Play until the final screen. `seen` is called at each offer, before it is answered."""
        while True:
            kind = await self.offer()
            if seen is not None:
                await seen(self, kind)
            if kind == "end":
                return
            await self.answer(kind)

    async def answer(self, kind: Offer) -> None:
        """Press one of what is offered."""
        if kind == "call":
            await self.call()
        elif kind == "play":
            await self.play()
        elif kind == "sheet":
            await self.read_on()

    async def see_the_end(self) -> None:
        """Read the sheets that are left and come to the final screen, once the match has ended.

        A page that catches up may close a sheet under the finger; then there is another.
        """
        await self.told(lambda: self.ended)
        end, sheet = self.page.locator(END), self.page.locator(SHEET)
        while True:
            await end.or_(sheet).first.wait_for(timeout=WAIT_S * 1000)
            if await end.count() > 0:
                return
            with contextlib.suppress(PlaywrightError):
                await sheet.first.click(timeout=2_000)

    async def call(self, wish: str | None = None) -> None:
        """Answer in the auction: a test id, or something at random."""
        decision = (await self.own_turn("call"))["decision"]
        buttons = await self.at("bid-panel").locator("button").all()
        choice = wish or await self.random.choice(buttons).get_attribute("data-testid")
        assert choice is not None
        await self.press_over(self.at(choice), decision)

    async def play(self, wish: str | None = None) -> str:
        """Play a card: a certain one, or a raised one at random."""
        card = wish or self.random.choice(await self.raised())
        await self.lay(self.page.locator(f'.hand [data-card="{card}"]'))
        return card

    async def until(
        self,
        press: Callable[[str], Awaitable[None]],
        key: str,
        heard: Callable[[], Awaitable[bool]],
    ) -> None:
        """Press a key until the page shows that it was heard: just after a card it hears none.

        What a key does is drawn before Playwright learns that the key was handled: one look tells.
        """
        last = time.monotonic() + WAIT_S
        while time.monotonic() < last:
            if await heard():
                return
            await press(key)
        raise AssertionError(f"the page does not hear {key}")

    async def lay(self, card: Locator) -> None:
        """Press a card until it has left the hand, on a phone twice: the first tap lifts it.

        Pressed again as people do if the page took it for the second half of a double click, but
        not while it is on its way. A card that is taken while one reaches for it is no failure.
        """
        last = time.monotonic() + WAIT_S
        while time.monotonic() < last:
            (state,) = await card.evaluate_all(LYING) or ["gone"]
            assert state != "shut", "it may not be played any more"
            if state == "gone":
                return
            wanted = ".is-lifted" if self.touch and state == "lying" else ".is-sent"
            rest = card.and_(self.page.locator(f":not({wanted})"))
            with contextlib.suppress(AssertionError, PlaywrightError):
                if state == "sent":
                    await expect(card).to_have_count(0, timeout=REACH_MS)
                else:
                    await self._press_card(card)
                    await expect(rest).to_have_count(0, timeout=SEEN_MS)
        raise AssertionError("the page takes no card")

    async def _press_card(self, card: Locator) -> None:
        """Where a card shows from under its neighbour: its left edge."""
        box = await card.bounding_box(timeout=REACH_MS)
        assert box is not None
        spot: Position = {"x": min(18, box["width"] / 3), "y": box["height"] / 2}
        press = card.tap if self.touch else card.click
        await press(position=spot, timeout=REACH_MS)

    async def refused(self, card: str) -> Locator:
        """Press a dimmed card; the sentence that says why."""
        reason = self.at("reason")
        last = time.monotonic() + WAIT_S
        while time.monotonic() < last:
            with contextlib.suppress(AssertionError, PlaywrightError):
                await self._press_card(self.page.locator(f'.hand [data-card="{card}"]'))
                await expect(reason).to_be_visible(timeout=ASK_MS)
                return reason
        raise AssertionError("the page does not say why")

    async def raised(self) -> list[str]:
        """The cards that the page shows as playable."""
        return [one["card"] for one in await self.hand() if one["legal"]]

    async def hand(self) -> list[Frame]:
        """The hand as it is drawn."""
        hand: list[Frame] = await self.page.evaluate(HAND)
        return hand

    async def read_on(self) -> None:
        """Press *Continue* under the score sheet, or *Result* under the last one."""
        await self.press(self.page.locator(SHEET).first)
        await expect(self.page.locator(SHEET)).to_have_count(0)
