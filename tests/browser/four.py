"""Four people at one table, each in a window of their own: found by link, asked, and played."""

import itertools
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Final

from playwright.async_api import expect

from app.players.names import MAX_LENGTH
from tests.browser.conftest import NewPerson, fresh_database
from tests.browser.driver import Frame, Person
from tests.browser.house import House, serving

PHONES: Final = (False, True, False, True)
"""By seat: partners at a desk and on a phone, so that every mixture meets."""
NAMES: Final = ("Ada", "Ben", "Cleo", "Dan")

# What a page shows of the table: by seat whose it is, and every card that lies open anywhere.
SHOWN: Final = """() => {
  const all = (where) => [...document.querySelectorAll(where)];
  const cards = (where) => all(where).map((one) => one.dataset.card);
  return {
    contract: document.querySelector('[data-testid="contract"]').innerText,
    names: Object.fromEntries(all(".seat").map((one) =>
      [one.dataset.seat, one.querySelector(".seat__name").innerText])),
    trick: cards(".room .trick [data-card]"),
    hand: cards(".hand [data-card]"),
    pictures: all("img").map((one) => /cards\\/\\w+\\/(\\w\\w)\\.svg/.exec(one.src)?.[1])
      .filter((card) => card !== undefined),
  };
}"""
LONGEST: Final = "W" * MAX_LENGTH
PATIENCE_MS: Final = 60_000
"""Four windows open at the same time, on a machine that may have other things to do."""
_databases = itertools.count(1)


@contextmanager
def friends_house(cluster_url: str, **changed: str) -> Iterator[House]:
    """A server that asks people whether they are ready, with time enough for every answer."""
    name = f"friends_{os.getpid()}_{next(_databases)}"
    patient = {"TIMING__READY_CHECK": "120000", "TIMING__REMATCH": "120000"}
    with (
        fresh_database(cluster_url, name) as url,
        serving(url, **{**patient, **changed}) as running,
    ):
        yield running


class Four:
    """The people by seat, and what they do together."""

    def __init__(self, people: Sequence[Person], code: str) -> None:
        self.people = tuple(people)
        self.code = code

    async def all(self, test_id: str) -> None:
        """Everybody sees it."""
        for someone in self.people:
            await expect(someone.at(test_id)).to_be_visible()

    async def part(self) -> None:
        """What moved in the windows is not judged: nobody watches at a program's speed."""
        for someone in self.people:
            await someone.watch.collect(jumps=False)

    async def turn(self) -> Frame:
        """The open decision of one of them, once everybody has heard of it: a bot's passes."""
        while True:
            newest = max((one.turn["decision"] for one in self.people if one.turn), default=0)
            for someone in self.people:
                await someone.told(partial(knows, someone, newest))
            turns = [one.turn for one in self.people if one.turn is not None]
            if {turn["decision"] for turn in turns} != {newest}:
                continue
            if turns[0]["seat"] in range(len(self.people)):
                return turns[0]
            await self.people[0].told(partial(knows, self.people[0], newest + 1))

    async def acting(self) -> Person:
        """Whose turn it is."""
        return self.people[(await self.turn())["seat"]]

    async def act(self) -> Person:
        """Whoever's turn it is takes, or plays a card."""
        someone = await self.acting()
        kind = await someone.offer()
        if kind == "call":
            await someone.call("take")
        else:
            assert kind == "play"
            await someone.play()
        return someone

    async def until(self, someone: Person, left: int = 8) -> None:
        """Play until it is someone's turn to play a card, with at most so many in hand."""
        while True:
            turn = await self.turn()
            if turn["kind"] == "play" and self.people[turn["seat"]] is someone:
                await someone.own_turn("play")
                assert await someone.offer() == "play"
                if len(await someone.hand()) <= left:
                    return
            await self.act()

    async def look(self) -> list[Any]:
        """What each page shows, when it shows all that was told: one and the same table."""
        await self.turn()
        seen = []
        for someone in self.people:
            await someone.caught_up()
            seen.append(await someone.page.evaluate(SHOWN))
        for one in seen:
            assert one["names"] == seen[0]["names"]
            assert one["trick"] == seen[0]["trick"]
            assert one["contract"] == seen[0]["contract"]
        return seen

    async def see_the_same(self) -> None:
        """The same table, each with its own hand and nothing of another's, told or shown."""
        await self.turn()
        lain = played(self.people[0])
        hands = [dealt(someone) for someone in self.people]
        for someone, hand in zip(self.people, hands, strict=True):
            shown = someone.page.locator(".hand [data-card]")  # dealt one after the other
            await expect(shown).to_have_count(len(hand - lain))
        seen = await self.look()
        for i, (someone, page) in enumerate(zip(self.people, seen, strict=True)):
            assert set(page["hand"]) == hands[i] - lain
            others = set[str]().union(*(hand for n, hand in enumerate(hands) if n != i))
            hidden = others - opened(someone)
            assert not set(page["pictures"]) & hidden, "a card of somebody else's is shown"
            assert not named(_of_this_deal(someone)) & hidden, "or was told"
        assert len(set[str]().union(*hands)) == sum(len(hand) for hand in hands) == 32


def knows(someone: Person, decision: int) -> bool:
    """Whether somebody's socket has told of this decision, or of one after it."""
    return someone.turn is not None and someone.turn["decision"] >= decision


def heard(someone: Person, *types: str) -> list[Frame]:
    """The events of these types that somebody's socket brought, in order, each once."""
    told = {
        event["seq"]: event
        for frame in someone.frames
        for event in frame.get("evs", [])
        if event["type"] in types
    }
    return [told[seq] for seq in sorted(told)]


def _of_this_deal(someone: Person) -> list[Frame]:
    """Its frames from the deal on, snapshots left aside (they tell of earlier deals)."""
    start = next(
        n
        for n, frame in reversed(list(enumerate(someone.frames)))
        if any(event["type"] == "hand_dealt" for event in frame.get("evs", []))
    )
    return [frame for frame in someone.frames[start:] if frame["t"] != "snap"]


def _events(someone: Person, kind: str) -> list[Frame]:
    frames = _of_this_deal(someone)
    return [e for frame in frames for e in frame.get("evs", []) if e["type"] == kind]


def dealt(someone: Person) -> set[str]:
    """The hand with which somebody began to play this deal."""
    return set(_events(someone, "rest_dealt")[-1]["p"]["cards"])


def played(someone: Person) -> set[str]:
    """The cards that everybody has played in this deal."""
    return {event["d"]["card"] for event in _events(someone, "card_played")}


def opened(someone: Person) -> set[str]:
    """What lies, or has lain, open for all in this deal."""
    public = [_events(someone, kind) for kind in ("hand_dealt", "declarations_settled")]
    return played(someone) | named([event["d"] for events in public for event in events])


def named(told: Any) -> set[str]:
    """Every card that is named anywhere in it."""
    if isinstance(told, str):
        return {told} if len(told) == 2 and told[0] in "789TJQKA" and told[1] in "SHDC" else set()
    if isinstance(told, dict):
        return set().union(*map(named, told.values()))
    return set().union(*map(named, told)) if isinstance(told, list) else set()


async def gather(
    person: NewPerson,
    house: House,
    *,
    lines: dict[str, str] | None = None,
    spectators: bool = True,
    asked: Callable[[Four], Any] | None = None,
) -> Four:
    """One makes a private table, three open its link; the match begins when all are ready.

    ``lines`` are other addresses for some of them; ``asked`` is awaited while the check is open.
    """
    people = [
        await person(name, phone=phone, base_url=(lines or {}).get(name, house.url))
        for name, phone in zip(NAMES, PHONES, strict=True)
    ]
    for someone in people:
        someone.context.set_default_timeout(PATIENCE_MS)
    host, *_, last = people
    # The longest name that there may be: it pushes nothing out of anybody's window.
    named = await last.context.request.post("/api/guests", data={"name": LONGEST, "locale": "en"})
    assert named.status == 201
    await host.page.goto("/")
    await host.open_create()
    await host.press(host.page.get_by_role("button", name="Private", exact=True))
    if not spectators:
        await host.press(host.at("spectators-false"))
    await host.press(host.at("create-go"))
    four = Four(people, await host.at("table-code").inner_text())
    for seat, guest in enumerate(people[1:], 1):
        await guest.page.goto(f"/t/{four.code}")
        await guest.press(guest.at(f"sit-{seat}"))
        await guest.told(partial(_sits, guest, seat))
    await host.press(host.at("start-with-bots"))
    await four.all("ready")
    if asked is not None:
        await asked(four)
    for guest in people[1:]:
        await guest.press(guest.at("ready-yes"))
    await four.all("contract")
    return four


def _sits(someone: Person, seat: int) -> bool:
    return someone.seat == seat
