"""Every worked figure of docs/rules.md §6, under the words of its row.

A row of the page that is not here is tested where ``ELSEWHERE`` says; a row that is nowhere fails.
"""

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import pytest

from app.belote.cards import Card, Seat, Side, Trump, card_named, name_of
from app.belote.declarations import (
    belote_call,
    held,
    points_by_side,
    run_of_eight,
    settled,
)
from app.belote.events import Contract, Score
from app.belote.play import legal_mask
from app.belote.presets import BOOK
from app.belote.ranking import best_of, cards_of, mask_of
from app.belote.rules import RuleSet, field_from_record
from app.belote.scoring import Figures, score, winner

from .driver import cards

PAGE = Path(__file__).parents[2] / "docs" / "rules.md"


@dataclass(frozen=True)
class Deal:
    """A deal's totals and what they come to, the taker's side first, then in order of play.
    ``points`` are trick points with the last ten."""

    game: str
    points: tuple[int, ...]
    awarded: tuple[int, ...]
    hung: int = 0
    trump: str = "H"
    bid: int | Literal["capot"] | None = None
    factor: int | Literal["match"] = 1
    declared: tuple[int, ...] = (0, 0, 0)
    belote: tuple[int, ...] = (0, 0, 0)
    carried: int = 0
    solo: bool = False
    house: dict[str, object] = field(default_factory=dict)

    @property
    def rules(self) -> RuleSet:
        """The game's, with the deal's house rules."""
        changes: dict[str, Any] = {n: field_from_record(n, v) for n, v in self.house.items()}
        return replace(BOOK[self.game], **changes)

    def figures(self, taker: int) -> Figures:
        """The totals with the taker in that seat. A side without a point has no trick."""
        count = len(self.points)

        def by_side(told: tuple[int, ...]) -> tuple[int, ...]:
            return tuple(told[(side - taker) % count] for side in range(count))

        points = by_side(self.points)
        last = max(range(count), key=lambda side: points[side])
        winners = [side for side in range(count) if points[side]]
        tricks = tuple(24 // len(winners) // 3 * (side in winners) for side in range(count))
        return Figures(
            contract=Contract(Seat(taker), Trump(self.trump), self.bid, self.factor),
            cards=tuple(each - 10 * (side == last) for side, each in enumerate(points)),
            last_ten=Side(last),
            tricks=tricks,
            solo=Seat(winners[0]) if self.solo else None,
            declarations=by_side(self.declared),
            belote=by_side(self.belote),
            carried_in=self.carried,
        )

    def played(self, taker: int = 0, totals: tuple[int, ...] | None = None) -> Score:
        """The score of it."""
        return self.under(self.rules, taker, totals)

    def under(self, rules: RuleSet, taker: int = 0, totals: tuple[int, ...] | None = None) -> Score:
        """The score of it under other rules."""
        return score(rules, self.figures(taker), totals or (0,) * len(self.points))


CLOCKWISE, DEALER, SANS = "classic-clockwise", "classic-dealer-leads", "sans-annonces"
INTERNATIONAL, DUEL, TRIO = "belote-international", "belot-duel", "belot-trio"
EVERY, NONE = (162, 0), (0, 162)

DEALS: dict[str, list[Deal]] = {
    "`classic` 81/81, no bonus": [Deal("classic", (81, 81), (0, 81), hung=81)],
    "`classic` 71 + belote / 91": [
        Deal("classic", (71, 91), (0, 91), hung=91, belote=(20, 0)),
    ],
    "`classic` 70 + belote / 92": [Deal("classic", (70, 92), (20, 162), belote=(20, 0))],
    "`classic` 75 + tierce / 87": [Deal("classic", (75, 87), (95, 87), declared=(20, 0))],
    "`classic` 90 / 72 + best quarte": [Deal("classic", (90, 72), (0, 212), declared=(0, 50))],
    "`classic` 60 + tierce + belote / 102": [
        Deal("classic", (60, 102), (20, 182), declared=(20, 0), belote=(20, 0)),
    ],
    "`classic` 81 carried, 60/102": [Deal("classic", (60, 102), (0, 243), carried=81)],
    "`classic` 81 carried, 81/81; then passed out; then 100/62": [
        Deal("classic", (81, 81), (0, 81), hung=162, carried=81),
        Deal("classic", (100, 62), (262, 62), carried=162),
    ],
    "`classic` capot by the taker, defence best quarte": [
        Deal("classic", EVERY, (302, 0), declared=(0, 50)),
    ],
    "`classic-clockwise` 81/81, defence tierce and belote": [
        Deal(CLOCKWISE, (81, 81), (81, 121), declared=(0, 20), belote=(0, 20)),
    ],
    "`classic-clockwise` 80, taker the best tierce": [
        Deal(CLOCKWISE, (80, 82), (20, 162), declared=(20, 0)),
    ],
    "`classic-clockwise` 70 + four nines / 92": [
        Deal(CLOCKWISE, (70, 92), (150, 162), declared=(150, 0)),
    ],
    "`classic-clockwise` defence takes every trick, taker belote": [
        Deal(CLOCKWISE, NONE, (20, 252), belote=(20, 0)),
    ],
    "`classic-clockwise` capot by the taker, defence best quarte": [
        Deal(CLOCKWISE, EVERY, (252, 50), declared=(0, 50)),
    ],
    "`classic-dealer-leads` 81/81": [Deal(DEALER, (81, 81), (0, 162))],
    "`classic-dealer-leads` 71 + belote / 91": [Deal(DEALER, (71, 91), (20, 162), belote=(20, 0))],
    "`classic-dealer-leads` one defender takes all eight, taker belote": [
        Deal(DEALER, NONE, (20, 350), belote=(20, 0), solo=True),
    ],
    "`sans-annonces` 85 + belote / 77; 75 + belote / 87": [
        Deal(SANS, (85, 77), (105, 77), belote=(20, 0)),
        Deal(SANS, (75, 87), (95, 87), belote=(20, 0)),
    ],
    "`sans-annonces` 71 + belote / 91": [Deal(SANS, (71, 91), (0, 91), hung=91, belote=(20, 0))],
    "`sans-annonces` 82 / 80 + belote": [Deal(SANS, (82, 80), (0, 182), belote=(0, 20))],
    "`sans-annonces` defence capot, taker belote": [Deal(SANS, NONE, (0, 272), belote=(20, 0))],
    "`french` 81/81": [Deal("french", (81, 81), (0, 162))],
    "`coinche` 90: 83 + tierce / 79": [
        Deal("coinche", (83, 79), (190, 80), bid=90, declared=(20, 0)),
    ],
    "`coinche` 80: 85/77": [Deal("coinche", (85, 77), (170, 80), bid=80)],
    "`coinche` 90: 89, no bonus": [Deal("coinche", (89, 73), (0, 250), bid=90)],
    "`coinche` 100: 84 + belote / 78 + quarte; the same doubled": [
        Deal("coinche", (84, 78), (20, 310), bid=100, declared=(0, 50), belote=(20, 0)),
        Deal("coinche", (84, 78), (20, 570), bid=100, declared=(0, 50), belote=(20, 0), factor=2),
    ],
    "`coinche` 120, every trick; doubled; redoubled": [
        Deal("coinche", EVERY, (370, 0), bid=120),
        Deal("coinche", EVERY, (740, 0), bid=120, factor=2),
        Deal("coinche", EVERY, (1480, 0), bid=120, factor=4),
    ],
    "`coinche` capot bid: made, failed; doubled": [
        Deal("coinche", EVERY, (500, 0), bid="capot"),
        Deal("coinche", (150, 12), (0, 410), bid="capot"),
        Deal("coinche", EVERY, (1000, 0), bid="capot", factor=2),
        Deal("coinche", (150, 12), (0, 820), bid="capot", factor=2),
    ],
    "`coinche` 80: 81/81": [Deal("coinche", (81, 81), (0, 80), hung=80, bid=80)],
    "`contree` 100: 110 and its own belote": [
        Deal("contree", (110, 52), (230, 50), bid=100, belote=(20, 0)),
    ],
    "`contree` 100: 76 and its own belote": [
        Deal("contree", (76, 86), (0, 280), bid=100, belote=(20, 0)),
    ],
    "`contree` 100 failed, no belote": [Deal("contree", (76, 86), (0, 260), bid=100)],
    "`contree` 80: 80/82": [Deal("contree", (80, 82), (160, 80), bid=80)],
    "`contree` 110, every trick, own belote": [
        Deal("contree", EVERY, (380, 0), bid=110, belote=(20, 0)),
    ],
    "`contree` 100 doubled, made, no belote; redoubled; doubled with the defence's belote": [
        Deal("contree", (110, 52), (520, 0), bid=100, factor=2),
        Deal("contree", (110, 52), (1040, 0), bid=100, factor=4),
        Deal("contree", (110, 52), (540, 0), bid=100, factor=2, belote=(0, 20)),
    ],
    "`contree` capot bid made, no belote; doubled; redoubled": [
        Deal("contree", EVERY, (500, 0), bid="capot"),
        Deal("contree", EVERY, (1000, 0), bid="capot", factor=2),
        Deal("contree", EVERY, (2000, 0), bid="capot", factor=4),
    ],
    "`contree` capot made, defence belote; doubled; failed with the taker's belote": [
        Deal("contree", EVERY, (500, 20), bid="capot", belote=(0, 20)),
        Deal("contree", EVERY, (1020, 0), bid="capot", factor=2, belote=(0, 20)),
        Deal("contree", (150, 12), (0, 520), bid="capot", belote=(20, 0)),
    ],
    "`belot` suit 106/56 · suit 156/6": [
        Deal("belot", (106, 56), (10, 6)),
        Deal("belot", (156, 6), (15, 1)),
    ],
    "`belot` all trumps 194/164 · 154/144 with two tierces": [
        Deal("belot", (154, 104), (19, 17), trump="AT", declared=(40, 60)),
        Deal("belot", (134, 124), (15, 15), trump="AT", declared=(20, 20)),
    ],
    "`belot` equal: all trumps 154 · suit 81 · all trumps 129 · suit 106": [
        Deal("belot", (134, 124), (0, 15), hung=16, trump="AT", declared=(20, 30)),
        Deal("belot", (81, 81), (0, 8), hung=8),
        Deal("belot", (129, 129), (0, 13), hung=13, trump="AT"),
        Deal("belot", (86, 76), (0, 10), hung=11, declared=(20, 30)),
    ],
    "`belot` no trumps 68/62": [Deal("belot", (68, 62), (14, 12), trump="NT")],
    "`belot` suit 70 + tierce / 92": [Deal("belot", (70, 92), (0, 18), declared=(20, 0))],
    "`belot` suit doubled 100/62; redoubled and lost": [
        Deal("belot", (100, 62), (32, 0), factor=2),
        Deal("belot", (62, 100), (0, 64), factor=4),
    ],
    "`belot` suit doubled 81/81, next deal 100/62": [
        Deal("belot", (81, 81), (0, 0), hung=32, factor=2),
        Deal("belot", (100, 62), (42, 6), carried=32),
    ],
    "`belot` all trumps, 70 of bonuses, redoubled, taker wins": [
        Deal("belot", (150, 108), (132, 0), trump="AT", declared=(50, 0), belote=(20, 0), factor=4),
    ],
    "every trick, suit, doubled: `belot`; `belote-international`": [
        Deal("belot", EVERY, (41, 0), factor=2),
        Deal(INTERNATIONAL, EVERY, (50, 0), factor=2),
    ],
    "every trick, no trumps: `belot`; doubled; `belote-international`; doubled": [
        Deal("belot", (130, 0), (35, 0), trump="NT"),
        Deal("belot", (130, 0), (61, 0), trump="NT", factor=2),
        Deal(INTERNATIONAL, (130, 0), (44, 0), trump="NT"),
        Deal(INTERNATIONAL, (130, 0), (88, 0), trump="NT", factor=2),
    ],
    "suit capot, the trickless side has the best tierce: `belot`; `belote-international`": [
        Deal("belot", EVERY, (25, 0), declared=(0, 20)),
        Deal(INTERNATIONAL, EVERY, (25, 2), declared=(0, 20)),
    ],
    "`belot-duel` suit 67/64 (131 in play)": [Deal(DUEL, (67, 64), (7, 6))],
    "`belot-trio` 90, 40, 32 · 81, 50, 31 · 60, 71, 31 (higher; vanish; both)": [
        Deal(TRIO, (90, 40, 32), (9, 4, 3)),
        Deal(TRIO, (81, 50, 31), (0, 5, 3), hung=8),
        Deal(TRIO, (60, 71, 31), (0, 13, 3)),
        Deal(TRIO, (60, 71, 31), (0, 7, 3), house={"failed_trio": "vanish"}),
        Deal(TRIO, (60, 71, 31), (0, 13, 9), house={"failed_trio": "both"}),
    ],
    "`bela` 70 + bela + tierce / 92 · 60 + bela / 102 · 71 + bela / 91 · defence every trick": [
        Deal("bela", (70, 92), (110, 92), declared=(20, 0), belote=(20, 0)),
        Deal("bela", (60, 102), (0, 182), belote=(20, 0)),
        Deal("bela", (71, 91), (0, 91), hung=91, belote=(20, 0)),
        Deal("bela", NONE, (0, 252)),
    ],
}


def numbered(rows: dict[str, list[Deal]]) -> list[Any]:
    return [
        pytest.param(deal, id=f"{case} [{i}]") for case, deals in rows.items()
        for i, deal in enumerate(deals)
    ]  # fmt: skip


@pytest.mark.parametrize("deal", numbered(DEALS))
def test_a_deal_is_worth_its_figure_whoever_takes(deal: Deal) -> None:
    sides = deal.rules.sides
    for taker in range(deal.rules.players):
        before = tuple(range(100, 100 + sides))
        result = deal.played(taker, before)
        awarded = tuple(deal.awarded[(side - taker) % sides] for side in range(sides))
        assert (result.awarded, result.hung) == (awarded, deal.hung)
        assert result.carried_in == deal.carried
        assert result.totals == tuple(a + b for a, b in zip(before, awarded, strict=True))


MATCHES: dict[str, list[tuple[Deal, tuple[int, ...], tuple[int, ...], int | None]]] = {
    "`belot` 140:131, capot +25; next 4:12": [
        (Deal("belot", EVERY, (25, 0)), (140, 131), (165, 131), None),
        (Deal("belot", (120, 42), (12, 4)), (131, 165), (143, 169), 1),
    ],
    "`belot` 145:148, then 10:6; or 152:152": [
        (Deal("belot", (106, 56), (10, 6)), (145, 148), (155, 154), 0),
        (Deal("belot", (106, 56), (10, 6)), (142, 146), (152, 152), None),
    ],
    "`belot` penalty 10, total 3, taker fails": [
        (Deal("belot", (56, 106), (-10, 16), house={"failure_penalty": 10}), (3, 0), (-7, 16),
         None),
    ],
}  # fmt: skip


@pytest.mark.parametrize("case", MATCHES)
def test_a_match_goes_on_or_ends_as_its_figure_says(case: str) -> None:
    for deal, before, after, who in MATCHES[case]:
        result = deal.played(totals=before)
        assert (result.awarded, result.totals) == (deal.awarded, after)
        assert winner(deal.rules, Contract(Seat(0), Trump.HEARTS), result) == who


def declared(game: str, *hands: str) -> tuple[int, ...]:
    """What the declarations of seats 0, 1, … come to under hearts, by side."""
    rules = BOOK[game]
    made = [d for seat, hand in enumerate(hands)
            for d in held(rules, Trump.HEARTS, Seat(seat), mask_of(cards(hand)))]  # fmt: skip
    return points_by_side(rules, settled(rules, Trump.HEARTS, Seat(0), made))


def test_four_tens_against_a_quinte() -> None:
    tens, quinte = "TS TH TD TC", "9D TD JD QD KD"  # no pack has both, but the rule is told so
    assert declared("belot", tens, quinte) == (100, 100)
    assert declared(INTERNATIONAL, tens, quinte) == (100, 0)


EIGHT_HEARTS = "7H 8H 9H TH JH QH KH AH"


def test_eight_hearts() -> None:
    assert declared("classic", EIGHT_HEARTS) == (100, 0)
    assert declared("belot", EIGHT_HEARTS) == (120, 0)
    bela = BOOK["bela"]
    run = held(bela, Trump.SPADES, Seat(2), mask_of(cards(EIGHT_HEARTS)))
    assert run_of_eight(bela, run) == 2


@dataclass(frozen=True)
class Turn:
    """A hand at its turn, and what it may play."""

    games: tuple[str, ...]
    trick: str
    hand: str
    may: str
    trump: str = "H"


FOUR = tuple(name for name, rules in BOOK.items() if rules.players == 4)


def but(*names: str) -> tuple[str, ...]:
    return tuple(name for name in FOUR if name not in names)


FREE = ("classic", "coinche", "contree", "belot", INTERNATIONAL)
EASY = ("classic", CLOCKWISE, DEALER, "coinche")
TURNS: dict[str, list[Turn]] = {
    "legal, ♥ trump: opponent led A♠, opponent ruffed 9♥; hand Q♥ 7♥ K♦": [
        Turn(FREE, "AS 7S 9H", "QH 7H KD", "QH 7H KD"),
        Turn(but(*FREE), "AS 7S 9H", "QH 7H KD", "QH 7H"),
    ],
    "legal: partner's A♠ wins, void, Q♥ K♦": [
        Turn((CLOCKWISE, "bela"), "AS 7S", "QH KD", "QH"),
        Turn(but(CLOCKWISE, "bela"), "AS 7S", "QH KD", "QH KD"),
    ],
    "legal: partner's 10♥ led and winning, A♥ 8♥": [
        Turn(EASY, "TH 7H", "AH 8H", "AH 8H"),
        Turn(but(*EASY), "TH 7H", "AH 8H", "AH"),
    ],
    "legal: `bela` 10♦ led, A♦ 7♦; already ruffed": [
        Turn(("bela",), "TD", "AD 7D", "AD"),
        Turn(("bela",), "TD 7H", "AD 7D", "AD 7D"),
    ],
    "legal: all trumps, 10♠ led, void": [Turn(FOUR, "TS", "JH 7D", "JH 7D", trump="AT")],
    "legal: `belot-open`, opponent leads 10♥ (trump), 9♥ face up, A♥ in hand": [
        Turn(("belot-open",), "TH", "9H AH 8H KS", "9H AH"),
    ],
}


@pytest.mark.parametrize("case", TURNS)
def test_a_hand_may_play_what_its_figure_says(case: str) -> None:
    for turn in TURNS[case]:
        for game in turn.games:
            mask = legal_mask(
                BOOK[game], Trump(turn.trump), mask_of(cards(turn.hand)), cards(turn.trick)
            )
            assert {name_of(card) for card in cards_of(mask)} == set(turn.may.split()), game


def test_an_off_suit_jack_does_not_win_at_all_trumps() -> None:
    assert best_of(cards("TS JH"), Trump.ALL_TRUMPS) == 0


def test_belote_on_an_opponents_trump() -> None:
    king: Card = card_named("KH")
    hand = mask_of(cards("KH QH"))

    def said(game: str) -> str | None:
        return belote_call(BOOK[game], Trump.HEARTS, hand, 0, king, cards("7H"))

    assert said("belot") is None
    assert said(DUEL) is None
    assert said(INTERNATIONAL) == "belote"


HERE = {
    *DEALS,
    *MATCHES,
    *TURNS,
    "four tens against a quinte: `belot`; `belote-international`",
    "eight hearts: `classic`, `belot`, `bela`",
    "belote: opponent leads trump, K♥ played, Q♥ held",
}
ELSEWHERE = {
    "`classic-dealer-leads` dealer 1, all pass": "tests/belote/test_bidding.py",
    "auction: `belot` ♠, double, no trumps, three passes; `belot-duel` ♣, pass":
        "tests/belote/test_auctions.py",
    "experience: won match, 5 deals won, 1 litige, 11 own tricks": "tests/progress",
}  # fmt: skip


def test_every_figure_of_the_page_is_tested() -> None:
    section = PAGE.read_text().split("## 6. Worked figures")[1].split("\n## ")[0]
    rows = [line.split("|")[1].strip() for line in section.splitlines() if line.startswith("| ")]
    assert set(rows[1:]) == HERE | set(ELSEWHERE)
