"""What a deal is worth in points, with or without the bid (docs/rules.md §2 "failed" to
"doubled", §4 for the bidding games).

Who made what is known here: ``scoring_sheet.outcome_of`` said so.
"""

from app.belote.events import DealOutcome
from app.belote.rules import Capot, RuleSet
from app.belote.scoring_sheet import Award, Sheet

FAILED_BASE = 160
"""What stands for the points of a doubled deal, either way."""
_ALL_TRICK_POINTS = {"all_162": 162, "bid_and_160": FAILED_BASE}
"""What the others score for the tricks of a failed deal."""
CAPOT_BID = 250
"""A bid of capot counts as so many, and where it is flat it pays twice that."""


def award(rules: RuleSet, sheet: Sheet, outcome: DealOutcome) -> Award:
    """What each side writes, and what hangs."""
    rounded = tuple(_rounded(rules, points) for points in sheet.points)
    figures = tuple(_figure(rules, sheet, side, points) for side, points in enumerate(rounded))
    told = rounded if rules.rounding else None
    if outcome == "litige":
        return _hanging(rules, sheet, figures, told)
    bonuses = _bonuses(rules, sheet, outcome)
    main = figures
    if rules.scoring == "points_and_bid":
        main = _with_bid(rules, sheet, outcome, figures)
    elif outcome == "failed":
        main = _to(sheet.others[0], _failed_tricks(rules, sheet))
    return Award(tuple(a + b for a, b in zip(main, bonuses, strict=True)), 0, told)


def _rounded(rules: RuleSet, points: int) -> int:
    """To the nearest ten, 5 up, where the game rounds."""
    return (points + 5) // 10 * 10 if rules.rounding == "ten" else points


def _figure(rules: RuleSet, sheet: Sheet, side: int, points: int) -> int:
    """A side's trick points, and what every trick pays."""
    if sheet.paid_capot(rules) != side:
        return points
    pays: Capot = rules.capot
    if sheet.solo and rules.solo_capot is not None:
        pays = rules.solo_capot
    return points + pays.points if pays.kind == "bonus" else pays.points


def _hanging(
    rules: RuleSet, sheet: Sheet, figures: tuple[int, ...], told: tuple[int, ...] | None
) -> Award:
    """All of the taker's own hangs, the bid does not, and a double changes nothing."""
    awarded = [figure + sheet.bonuses(side) for side, figure in enumerate(figures)]
    kept = sheet.belote[sheet.taker] if rules.belote_in_litige == "kept" else 0
    hangs = awarded[sheet.taker] - kept
    awarded[sheet.taker] = kept
    return Award(tuple(awarded), hangs, told)


def _failed_tricks(rules: RuleSet, sheet: Sheet) -> int:
    """What the others score for tricks when the taker fails: all of them, with a capot of theirs
    if it is paid."""
    points = _rounded(rules, _ALL_TRICK_POINTS.get(rules.failed, sum(sheet.points)))
    return _figure(rules, sheet, sheet.others[0], points)


def _with_bid(
    rules: RuleSet, sheet: Sheet, outcome: DealOutcome, figures: tuple[int, ...]
) -> tuple[int, int]:
    """Trick points and the bid; what is doubled is the bid and what stands for the points."""
    (other,) = sheet.others
    winner = sheet.taker if outcome == "made" else other
    value, factor = sheet.contract.value, sheet.contract.factor
    assert isinstance(factor, int)  # a third double belongs to match points
    if value == "capot" and rules.capot_bid == "flat_500":
        return _to(winner, 2 * CAPOT_BID * factor)
    bid = CAPOT_BID if value == "capot" else value or 0
    if sheet.doubled:
        every_trick = sheet.paid_capot(rules) == winner
        return _to(winner, ((rules.doubled_capot if every_trick else FAILED_BASE) + bid) * factor)
    if outcome == "failed":
        return _to(winner, _failed_tricks(rules, sheet) + bid)
    mine, theirs = figures[sheet.taker] + bid, figures[other]
    return (mine, theirs) if sheet.taker == 0 else (theirs, mine)


def _to(side: int, points: int) -> tuple[int, int]:
    return (points, 0) if side == 0 else (0, points)


def _bonuses(rules: RuleSet, sheet: Sheet, outcome: DealOutcome) -> list[int]:
    """Declarations and belote, never multiplied, after failure or a double has moved them."""
    (other,) = sheet.others
    bonuses = [sheet.bonuses(side) for side in (0, 1)]
    if outcome == "made" and not sheet.doubled:
        return bonuses
    winner, loser = (sheet.taker, other) if outcome == "made" else (other, sheet.taker)
    belote, declarations = sheet.belote[loser], sheet.declarations[loser]
    if sheet.doubled and rules.doubled == "winner_takes_all":
        kept, moved = 0, belote + declarations
    elif outcome == "made":
        kept, moved = belote, 0  # a doubled defence keeps no declarations, and nobody gets them
    else:
        kept = belote if rules.belote_on_failure == "kept" else 0
        kept += declarations if rules.declarations_on_failure == "owner" else 0
        moved = belote + declarations - kept
    bonuses[loser] = kept
    bonuses[winner] += moved
    return bonuses
