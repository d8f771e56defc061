"""What the page shows, held against what the socket said and what REST answers."""

from typing import Any

from playwright.async_api import expect

from tests.browser.driver import Offer, Person


async def offer_is_true(someone: Person, kind: Offer) -> None:
    """The page offers exactly what the server allows, and shows the server's figures."""
    if kind == "call":
        await calls_are_true(someone)
    elif kind == "play":
        await hand_is_true(someone)
    elif kind == "sheet":
        await sheet_is_true(someone)


async def calls_are_true(someone: Person) -> None:
    """The panel holds the legal calls and no other."""
    turn = await someone.own_turn("call")
    names = [f"name-{trump}" for trump in turn["legal"]["trumps"]]
    legal = {call for call in turn["legal"]["calls"] if call != "name"} | set(names)
    shown = (
        await someone.at("bid-panel")
        .locator("button")
        .evaluate_all("(all) => all.map((one) => one.dataset.testid)")
    )
    assert set(shown) == legal


async def hand_is_true(someone: Person) -> None:
    """Legal cards are raised, all others dimmed, and each says so to those who do not see it."""
    turn = await someone.own_turn("play")
    hand = await someone.hand()
    legal = set(turn["legal"]["cards"])
    assert {one["card"] for one in hand} == legal | set(turn["legal"]["why"])
    for card in hand:
        assert (card["raised"], card["dim"]) == (card["card"] in legal, card["card"] not in legal)


async def sheet_is_true(someone: Person) -> None:
    """The latest deal's sheet, with the totals that the server told."""
    assert someone.seat is not None
    last = max(someone.scored)
    sheet = someone.at("score-sheet")
    await expect(sheet.locator('.dealtab[aria-current="true"]')).to_contain_text(str(last))
    totals = someone.scored[last]["score"]["totals"]
    us, them = totals[someone.seat % 2], totals[1 - someone.seat % 2]
    await expect(sheet.locator(".race--us b")).to_have_text(f"{us:,}")
    await expect(sheet.locator(".race--them b")).to_have_text(f"{them:,}")


async def end_is_true(someone: Person) -> dict[str, Any]:
    """The final screen agrees with REST: totals, sheets, experience line by line; the match."""
    assert someone.seat is not None
    (latest, *_) = (await someone.rest("/api/matches?player=me"))["matches"]
    match: dict[str, Any] = await someone.rest(f"/api/matches/{latest['id']}")
    mine = someone.seat % 2
    await expect(someone.at("final-us")).to_have_text(f"{match['totals'][mine]:,}")
    await expect(someone.at("final-them")).to_have_text(f"{match['totals'][1 - mine]:,}")
    assert match["reason"] == "target"
    assert max(match["totals"]) >= match["target"]
    assert [deal["score"] for deal in match["deals"]] == [
        someone.scored[n]["score"] for n in sorted(someone.scored)
    ]
    await experience_is_true(someone, match["id"])
    return match


async def experience_is_true(someone: Person, match: str) -> None:
    """Every line, and their sum."""
    told = await someone.rest(f"/api/matches/{match}/experience")
    rows = someone.at("experience").locator("tbody tr")
    await expect(rows).to_have_count(len(told["lines"]))
    points = [int(text) for text in await rows.locator("td:last-child").all_inner_texts()]
    assert points == [line["points"] for line in told["lines"]]
    assert sum(points) == told["total"] > 0
    total = someone.at("experience").locator("tfoot td:last-child")
    await expect(total).to_have_text(f"+{told['total']}")
    assert told["xp_after"] - told["xp_before"] == told["total"]
