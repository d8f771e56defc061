"""Claiming the rest: the page offers it to who is certain to win, and the server plays it out."""

from playwright.async_api import expect

from tests.browser.checks import sheet_is_true
from tests.browser.conftest import NewPerson, Picture
from tests.browser.driver import SHEET, Frame, Person
from tests.browser.four import heard
from tests.browser.guests import Patient, as_program, reach
from tests.browser.house import House
from tests.realtime.harness import Seat


class Saver(Seat):
    """Takes where it may, keeps its best cards for the end, and stops where it may claim."""

    @property
    def may_claim(self) -> bool:
        """Whether the server offers it the rest."""
        also = (self.turn or {}).get("also") or ()
        return any(one["kind"] == "claim" for one in also)

    def command(self) -> Frame | None:
        """The answer to the open turn."""
        return None if self.may_claim else super().command()

    def _call(self, legal: Frame) -> Frame:
        return super()._call({**legal, "calls": ["take"]} if "take" in legal["calls"] else legal)

    def _card(self, legal: Frame) -> Frame:
        lowest = min(legal["cards"], key=lambda card: "789QKTAJ".index(card[0]))
        return super()._card({**legal, "cards": [lowest]})


async def test_who_is_certain_to_win_the_rest_claims_it(
    person: NewPerson, house: House, picture: Picture
) -> None:
    for ada, suffix in ((await person("Ada"), ""), (await person("Ben", phone=True), "-phone")):
        await ada.page.goto("/")
        code = await ada.create_table("private")
        await ada.page.goto("/lobby")  # nobody watches what a program plays
        code = await _come_to_a_claim(ada, house, code)
        await ada.page.goto(f"/t/{code}")
        await expect(ada.at("claim")).to_be_visible()
        turn = await ada.own_turn("play")
        held = [card["card"] for card in await ada.hand()]
        assert len(held) > 1
        await picture(ada, f"claim{suffix}")
        await ada.press_over(ada.at("claim"), turn["decision"])
        await ada.page.locator(SHEET).wait_for()
        await sheet_is_true(ada)
        await picture(ada, f"claimed{suffix}")
        (claimed,) = heard(ada, "claimed")
        assert claimed["d"]["seat"] == ada.seat
        after = [one["d"] for one in heard(ada, "trick_taken") if one["seq"] > claimed["seq"]]
        assert [trick["winner"] for trick in after] == [ada.seat] * len(held)
        mine = [
            one["d"]["card"]
            for one in heard(ada, "card_played")
            if one["seq"] > claimed["seq"] and one["d"]["seat"] == ada.seat
        ]
        assert sorted(mine) == sorted(held)


async def _come_to_a_claim(ada: Person, house: House, code: str) -> str:
    """Matches with bots, played without the page, until one offers the rest; its table."""
    async with reach(house.url) as server:
        guest = await as_program(ada, server)
        async with guest.socket() as wire:
            while True:
                await guest.get("POST", f"/api/tables/{code}/start", {"bots": True})
                seat = await Saver(Patient(wire.ws), code).sit()
                while not (seat.may_claim or seat.ended):
                    await seat.act()
                    seat.take(await seat.wire.next())
                if seat.may_claim:
                    return code
                wish = {"preset": "classic", "visibility": "private", "bots": "novice"}
                code = (await guest.get("POST", "/api/tables", wish))["table"]
