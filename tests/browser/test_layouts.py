"""Every seldom state of every game fits every screen: what can be pressed lies in view and under
the finger, and no word is cut off in a button. Pictures of all of them are kept for the eye."""

from typing import Any, Final

import pytest

from tests.browser.conftest import NewPerson, Picture
from tests.browser.gallery import Gallery
from tests.browser.scenes import SCENES

SIZES: Final[dict[str, dict[str, Any]]] = {
    "desktop": {},
    "phone": {"phone": True},
    "short": {"phone": True, "viewport": {"width": 360, "height": 640}},
    "landscape": {"phone": True, "viewport": {"width": 844, "height": 390}},
}

# What can be pressed is where the finger finds it. A card of a fan shows at its left edge.
UNREACHABLE: Final = """() => {
  const all = document.querySelectorAll(
    ".bid button, .strip button, .foot button, .notice button, .hand button, .piles--mine button," +
    "[data-dialog] button.btn");
  const modal = document.querySelector("[data-dialog]");
  const bad = [];
  for (const one of all) {
    if (one.disabled || (modal !== null && !modal.contains(one))) continue;
    const box = one.getBoundingClientRect();
    if (box.width === 0 || getComputedStyle(one).visibility === "hidden") continue;
    const card = one.classList.contains("card");
    const x = box.left + (card ? Math.min(12, box.width / 4) : box.width / 2);
    const y = box.top + (card ? Math.min(box.height, innerHeight - box.top) / 2 : box.height / 2);
    if (card && box.top + box.height * 0.4 > innerHeight) bad.push(`${one.dataset.card} is off`);
    const hit = document.elementFromPoint(x, y);
    if (hit === null || !(one === hit || one.contains(hit))) {
      bad.push(`${one.dataset.testid ?? one.className} under ${hit?.className ?? "nothing"}`);
    }
  }
  return bad;
}"""
CUT: Final = """() => [...document.querySelectorAll(
    ".bid button, .bid button > span, .bid button > b, .strip button, .cue, .bid__head b")]
  .filter((one) => one.scrollWidth > one.clientWidth + 1
    && getComputedStyle(one).clipPath === "none" && getComputedStyle(one).display !== "inline")
  .map((one) => `${one.className} ${one.textContent.trim()}`)"""

# Panels and announcements lie on nothing that one must see: faces, names, cards.
COVERED: Final = """() => {
  const boxes = (names) => [...document.querySelectorAll(names)]
    .map((one) => ({box: one.getBoundingClientRect(), name: one.className}));
  const seen = boxes(".seat__face, .seat__plate, .pile .card, .contract, .totals");
  const over = boxes(".bid--turn, .strip .ann");
  const deep = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 8
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 8;
  const name = boxes(".seat--s .seat__name > *, .seat--s .seat__sub");
  const hand = boxes(".hand .card");
  return [[over, seen], [hand, name]].flatMap(([upper, lower]) => upper.flatMap(
    (a) => lower.filter((b) => deep(a.box, b.box)).map((b) => `${a.name} over ${b.name}`)));
}"""


@pytest.mark.parametrize("size", SIZES)
async def test_every_state_fits(size: str, person: NewPerson, picture: Picture) -> None:
    ada = await person("Ada", **SIZES[size], reduced_motion="reduce")
    gallery = Gallery(ada.page)
    await gallery.hang()
    problems = []
    for name, make in SCENES.items():
        await gallery.show(make())
        await ada.settle()
        await ada.watch.collect(jumps=False)  # one table after the other: all of it moves
        await picture(ada, f"layouts-{size}-{name}")
        for look in (UNREACHABLE, CUT, COVERED):
            problems += [f"{name}: {one}" for one in await ada.page.evaluate(look)]
    assert not problems, "\n".join(problems)
