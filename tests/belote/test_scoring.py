"""Worked figures of docs/rules.md: each row is a deal's totals and what they come to."""

from dataclasses import dataclass, replace

import pytest

from app.belote.cards import Seat, Side, Trump
from app.belote.events import Contract, Score, SeenDeclaration
from app.belote.presets import BOOK, CLASSIC
from app.belote.rules import Capot, RuleSet
from app.belote.scoring import Figures, capot_side, final_outcomes, match_winner, score


@dataclass(frozen=True)
class Row:
    """Trick points with the last ten, then what each side has besides; the taker's side first."""

    case: str
    preset: str
    points: tuple[int, int]
    awarded: tuple[int, int]
    declarations: tuple[int, int] = (0, 0)
    belote: tuple[int, int] = (0, 0)
    carried: int = 0
    hung: int = 0
    solo: int | None = None


ROWS = [
    Row("81/81, no bonus", "classic", (81, 81), (0, 81), hung=81),
    Row("71 + belote / 91", "classic", (71, 91), (0, 91), belote=(20, 0), hung=91),
    Row("70 + belote / 92", "classic", (70, 92), (20, 162), belote=(20, 0)),
    Row("75 + tierce / 87", "classic", (75, 87), (95, 87), declarations=(20, 0)),
    Row("90 / 72 + best quarte", "classic", (90, 72), (0, 212), declarations=(0, 50)),
    Row("60 + tierce + belote / 102", "classic", (60, 102), (20, 182), (20, 0), (20, 0)),
    Row("81 carried, 60/102", "classic", (60, 102), (0, 243), carried=81),
    Row("81 carried, 81/81", "classic", (81, 81), (0, 81), carried=81, hung=162),
    Row("162 carried, 100/62", "classic", (100, 62), (262, 62), carried=162),
    Row("capot, defence best quarte", "classic", (162, 0), (302, 0), declarations=(0, 50)),
    Row("defence capot", "classic", (0, 162), (0, 252)),
    Row("defence capot, all of the taker's", "classic", (0, 162), (20, 302), (50, 0), (20, 0)),
    Row("81/81, tierce and belote", "classic-clockwise", (81, 81), (81, 121), (0, 20), (0, 20)),
    Row("80, taker the best tierce", "classic-clockwise", (80, 82), (20, 162), (20, 0)),
    Row("70 + four nines / 92", "classic-clockwise", (70, 92), (150, 162), (150, 0)),
    Row("defence capot, belote", "classic-clockwise", (0, 162), (20, 252), belote=(20, 0)),
    Row("capot, best quarte", "classic-clockwise", (162, 0), (252, 50), declarations=(0, 50)),
    Row("81/81", "classic-dealer-leads", (81, 81), (0, 162)),
    Row("71 + belote / 91", "classic-dealer-leads", (71, 91), (20, 162), belote=(20, 0)),
    Row("one defender all eight", "classic-dealer-leads", (0, 162), (20, 350), (0, 0), (20, 0),
        solo=1),
    Row("defence capot, both", "classic-dealer-leads", (0, 162), (0, 252)),
    Row("85 + belote / 77", "sans-annonces", (85, 77), (105, 77), belote=(20, 0)),
    Row("75 + belote / 87", "sans-annonces", (75, 87), (95, 87), belote=(20, 0)),
    Row("71 + belote / 91", "sans-annonces", (71, 91), (0, 91), belote=(20, 0), hung=91),
    Row("82 / 80 + belote", "sans-annonces", (82, 80), (0, 182), belote=(0, 20)),
    Row("defence capot, taker belote", "sans-annonces", (0, 162), (0, 272), belote=(20, 0)),
    Row("capot", "sans-annonces", (162, 0), (252, 0)),
    Row("81/81", "french", (81, 81), (0, 162)),
]  # fmt: skip


def figures(row: Row, taker: int) -> Figures:
    """The row's totals with the taker in that seat."""

    def by_side(pair: tuple[int, int]) -> tuple[int, ...]:
        return pair if taker % 2 == 0 else pair[::-1]

    points = list(by_side(row.points))
    last = 0 if points[0] >= points[1] else 1
    points[last] -= 10
    tricks = {152: (8, 0), 0: (0, 8)}.get(points[0], (4, 4))
    return Figures(
        contract=Contract(Seat(taker), Trump.HEARTS),
        cards=tuple(points),
        last_ten=Side(last),
        tricks=tricks,
        solo=None if row.solo is None else Seat((taker + row.solo) % 4),
        declarations=by_side(row.declarations),
        belote=by_side(row.belote),
        carried_in=row.carried,
    )


@pytest.mark.parametrize("taker", range(4))
@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.preset}: {row.case}")
def test_a_deal_is_worth_its_worked_figure(row: Row, taker: int) -> None:
    totals = (100, 200)
    result = score(BOOK[row.preset], figures(row, taker), totals)
    awarded = row.awarded if taker % 2 == 0 else row.awarded[::-1]
    assert result.awarded == awarded
    assert result.hung == row.hung
    assert result.carried_in == row.carried
    assert result.totals == (100 + awarded[0], 200 + awarded[1])


@pytest.mark.parametrize(
    ("row", "outcome"),
    [(ROWS[0], "litige"), (ROWS[2], "failed"), (ROWS[3], "made"), (ROWS[9], "made"),
     (ROWS[10], "failed")],
)  # fmt: skip
def test_the_sheet_says_how_the_contract_ended(row: Row, outcome: str) -> None:
    assert score(CLASSIC, figures(row, 0), (0, 0)).outcome == outcome


def house(**changes: object) -> RuleSet:
    """Classic with a house rule."""
    return replace(CLASSIC, **changes)  # type: ignore[arg-type]


def awarded(rules: RuleSet, row: Row) -> tuple[int, ...]:
    return score(rules, figures(row, 0), (0, 0)).awarded


def test_declarations_of_a_side_without_a_trick_may_be_lost_kept_or_taken() -> None:
    row = Row("", "classic", (162, 0), (0, 0), declarations=(0, 50))
    assert awarded(house(declarations_without_trick="to_others"), row) == (302, 0)
    assert awarded(house(declarations_without_trick="lost"), row) == (252, 0)
    assert awarded(house(declarations_without_trick="kept"), row) == (252, 50)


def test_belote_in_litige_hangs_or_is_kept() -> None:
    row = Row("", "classic", (71, 91), (0, 0), belote=(20, 0))
    kept = score(house(belote_in_litige="kept"), figures(row, 0), (0, 0))
    assert (kept.awarded, kept.hung) == ((20, 91), 71)
    hangs = score(house(belote_in_litige="hangs"), figures(row, 0), (0, 0))
    assert (hangs.awarded, hangs.hung) == ((0, 91), 91)


def test_a_capot_may_be_paid_to_the_taker_alone() -> None:
    row = Row("", "classic", (0, 162), (0, 0))
    assert awarded(house(capot_to="taker"), row) == (0, 162)
    assert awarded(house(capot_to="either"), row) == (0, 252)
    assert awarded(house(capot_to="taker"), Row("", "classic", (162, 0), (0, 0))) == (252, 0)


def test_a_solo_capot_pays_its_own_figure_in_place_of_the_capots() -> None:
    row = Row("", "classic", (162, 0), (0, 0), solo=2)
    assert awarded(house(solo_capot=Capot("total", 350)), row) == (350, 0)
    assert awarded(house(solo_capot=Capot("bonus", 490)), row) == (652, 0)


def test_a_taker_with_every_trick_has_made_it_whatever_was_declared() -> None:
    row = Row("", "classic", (162, 0), (0, 0), declarations=(0, 400))
    assert (
        score(house(declarations_without_trick="kept"), figures(row, 0), (0, 0)).outcome == "made"
    )


@pytest.mark.parametrize(("tricks", "side"), [((8, 0), 0), ((0, 8), 1), ((7, 1), None)])
def test_capot_is_every_trick_to_one_side(tricks: tuple[int, int], side: int | None) -> None:
    assert capot_side(tricks) == side


@pytest.mark.parametrize(
    ("totals", "winner"),
    [((500, 490), None), ((501, 300), 0), ((300, 501), 1), ((510, 520), 1), ((510, 510), None),
     ((520, 510), 0)],
)  # fmt: skip
def test_a_match_ends_at_the_target_by_the_higher_total(
    totals: tuple[int, int], winner: int | None
) -> None:
    assert match_winner(CLASSIC, totals, None) == winner


def test_a_match_may_not_end_in_a_capot_where_the_rules_say_so() -> None:
    rules = house(finish_on_capot=False)
    assert match_winner(rules, (600, 0), Side(0)) is None
    assert match_winner(rules, (600, 0), None) == 0
    assert match_winner(CLASSIC, (600, 0), Side(0)) == 0


def outcomes(rules: RuleSet, row: Row, seat: int, told: str = "scored") -> str | None:
    """What the sheet says of one declaration of that seat, the taker being seat 0."""
    contract = Contract(Seat(0), Trump.HEARTS)
    result: Score = score(rules, figures(row, 0), (0, 0))
    shown = SeenDeclaration(Seat(seat), "tierce", (), 20, told)  # type: ignore[arg-type]
    return final_outcomes(rules, (shown,), contract, result)[0].outcome


def test_the_sheet_says_what_became_of_a_declaration() -> None:
    failed = Row("", "classic", (60, 102), (0, 0), declarations=(20, 0))
    made = Row("", "classic", (100, 62), (0, 0), declarations=(20, 0))
    trickless = Row("", "classic", (162, 0), (0, 0), declarations=(0, 20))
    assert outcomes(CLASSIC, made, 2) == "scored"
    assert outcomes(CLASSIC, made, 2, "beaten") == "beaten"
    assert outcomes(CLASSIC, failed, 2) == "taken"
    assert outcomes(CLASSIC, failed, 1) == "scored"
    assert outcomes(house(declarations_on_failure="owner"), failed, 0) == "scored"
    assert outcomes(CLASSIC, trickless, 3) == "taken"
    assert outcomes(house(declarations_without_trick="lost"), trickless, 3) == "lost"
    assert outcomes(house(declarations_without_trick="kept"), trickless, 3) == "scored"
