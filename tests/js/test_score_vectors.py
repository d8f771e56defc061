"""The worked figures of docs/rules.md as score sheets, for the page's own tests of their words.

`scores.json` is what the referee makes of every figure; `REBELOTE_WRITE=1` writes it anew.
"""

import json
import os
from pathlib import Path
from typing import Any

from app.belote.cards import Card, Seat, Suit, card_named, side_of
from app.belote.events import BeloteSaid, DealScored, DeclarationKind, SeenDeclaration
from app.belote.notation import rules_record
from app.belote.presets import BOOK
from app.belote.scoring import final_outcomes
from app.tables import codec
from tests.belote.test_worked_figures import DEALS, Deal

PATH = Path(__file__).with_name("scores.json")
KINDS: dict[int, tuple[DeclarationKind, str]] = {
    20: ("tierce", "7S 8S 9S"),
    50: ("quarte", "7S 8S 9S TS"),
    100: ("quinte", "7S 8S 9S TS JS"),
    150: ("carre", "9S 9H 9D 9C"),
    200: ("carre", "JS JH JD JC"),
}
TAKER = 0
MORE = [
    Deal("belot", (62, 100), (-10, 16), house={"failure_penalty": 10}),
    Deal("belot", (100, 62), (32, -10), factor=2, house={"failure_penalty": 10}),
    Deal("belot-trio", (60, 71, 31), (0, 26, 6), factor=2),
    Deal("belot", (100, 62), (128, 0), factor="match", house={"third_double": "match"}),
]
"""What the page's own figures do not show: their words are tested all the same."""


def _cards(text: str) -> tuple[Card, ...]:
    return tuple(card_named(name) for name in text.split())


def _split(points: int) -> list[int] | None:
    """The points as worths of declarations, the highest first; None if they are no such sum."""
    if points == 0:
        return []
    for worth in sorted(KINDS, reverse=True):
        rest = _split(points - worth) if worth <= points else None
        if rest is not None:
            return [worth, *rest]
    return None


def _declared(deal: Deal) -> tuple[SeenDeclaration, ...]:
    """Declarations that are worth what the figure says, one a side or as many as it takes."""
    found = []
    for side, points in enumerate(deal.declared[: len(deal.points)]):
        for worth in _split(points) or []:
            kind, cards = KINDS[worth]
            found.append(SeenDeclaration(Seat(side), kind, _cards(cards), worth, "scored"))
    return tuple(found)


def _said(deal: Deal) -> tuple[BeloteSaid, ...]:
    return tuple(
        BeloteSaid(Seat(side), Suit(i), 2)
        for side, points in enumerate(deal.belote[: len(deal.points)])
        for i in range(points // 20)
    )


def _sheet(case: str, deal: Deal) -> dict[str, Any]:
    figures = deal.figures(TAKER)
    result = deal.played(TAKER)
    told = final_outcomes(deal.rules, _declared(deal), figures.contract, result)
    assert side_of(figures.contract.taker, deal.rules.players) == TAKER
    scored = DealScored(
        deal=1,
        dealer=Seat(1),
        contract=figures.contract,
        declarations=told,
        belote=_said(deal),
        score=result,
        next_dealer=Seat(2 % deal.rules.players),
        secret=None,
    )
    return {
        "case": case,
        "preset": deal.game,
        "house": deal.house,
        "deal": codec.record(scored),
    }


def test_the_page_s_score_vectors_are_the_referee_s() -> None:
    every = {**DEALS, "besides: a penalty, doubled and alone": MORE}
    sheets = [_sheet(case, deal) for case, deals in every.items() for deal in deals]
    presets = {name: rules_record(rules) for name, rules in BOOK.items()}
    rows = ",\n".join(json.dumps(each, ensure_ascii=False) for each in sheets)
    text = f'{{"presets": {json.dumps(presets, ensure_ascii=False)},\n"sheets": [\n{rows}\n]}}\n'
    if os.environ.get("REBELOTE_WRITE"):
        PATH.write_text(text, encoding="utf-8")
    assert PATH.read_text(encoding="utf-8") == text
