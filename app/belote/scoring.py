"""What a deal is worth, and who has won the match (docs/rules.md §2 "contract_counts" to
"target"), from totals alone: ``score`` needs no cards.
"""

from collections.abc import Sequence
from dataclasses import replace

from app.belote import match_points, scoring_points
from app.belote.cards import Side, side_of
from app.belote.events import (
    Contract,
    DealOutcome,
    DeclarationOutcome,
    Score,
    SeenDeclaration,
)
from app.belote.rules import RuleSet
from app.belote.scoring_sheet import Figures, Sheet, capot_side, outcome_of, sheet_of

__all__ = [
    "Figures",
    "capot_side",
    "final_outcomes",
    "is_contract",
    "match_winner",
    "run_score",
    "score",
    "winner",
]


def is_contract(rules: RuleSet, contract: Contract) -> bool:
    """Whether the game's auction can end in that contract; ``score`` expects one that can."""
    value = contract.value
    factors: set[int | str] = {1}
    factors |= {each.factor for each in (rules.double, rules.redouble) if each is not None}
    factors |= {"match"} if rules.third_double is not None else set()
    if rules.auction != "levels":
        fits = value is None
    else:
        fits = value in rules.bids or (value == "capot" and rules.capot_bid is not None)
    seated = 0 <= contract.taker < rules.players
    return fits and seated and contract.trump in rules.trumps and contract.factor in factors


def score(rules: RuleSet, figures: Figures, totals: tuple[int, ...]) -> Score:
    """The score of a deal, added to the ``totals`` before it."""
    sheet = sheet_of(rules, figures)
    outcome = outcome_of(rules, sheet)
    in_match_points = rules.scoring == "match_points"
    award = (match_points if in_match_points else scoring_points).award(rules, sheet, outcome)
    awarded, hung = _with_carried(sheet, outcome, award.points, figures.carried_in)
    return Score(
        cards=figures.cards,
        last_ten=figures.last_ten,
        tricks=figures.tricks,
        declarations=sheet.declarations,
        belote=figures.belote,
        outcome=outcome,
        capot=sheet.capot,
        rounded=award.rounded,
        awarded=awarded,
        carried_in=figures.carried_in,
        hung=hung + award.hangs,
        totals=tuple(a + b for a, b in zip(totals, awarded, strict=True)),
    )


def _with_carried(
    sheet: Sheet, outcome: DealOutcome, points: tuple[int, ...], carried: int
) -> tuple[tuple[int, ...], int]:
    """What was carried in goes, never multiplied again, to the deal's winner; or it hangs on. Of
    three players a taker who makes it alone collects it (rules.md §5)."""
    if outcome == "litige" or (outcome == "failed" and len(sheet.others) > 1):
        return points, carried
    winner = sheet.taker if outcome == "made" else sheet.others[0]
    awarded = list(points)
    awarded[winner] += carried
    return tuple(awarded), 0


def run_score(rules: RuleSet, totals: tuple[int, ...], carried_in: int) -> Score:
    """The score of a deal that ends the match as a run of eight is declared: no trick was played,
    nothing is awarded, and what hung is lost with the match."""
    nothing = (0,) * rules.sides
    return Score(
        cards=nothing,
        last_ten=None,
        tricks=nothing,
        declarations=nothing,
        belote=nothing,
        outcome="match",
        capot=None,
        rounded=None,
        awarded=nothing,
        carried_in=carried_in,
        hung=carried_in,
        totals=totals,
    )


def final_outcomes(
    rules: RuleSet, declarations: Sequence[SeenDeclaration], contract: Contract, result: Score
) -> tuple[SeenDeclaration, ...]:
    """The declarations as the score sheet tells them: of those that won the comparison some may be
    lost (for nobody) or taken (counted for the others)."""
    return tuple(
        replace(d, outcome=_final(rules, d, contract, result)) if d.outcome == "scored" else d
        for d in declarations
    )


def _final(
    rules: RuleSet, declaration: SeenDeclaration, contract: Contract, result: Score
) -> DeclarationOutcome:
    side = side_of(declaration.seat, rules.players)
    if result.tricks[side] == 0 and rules.declarations_without_trick == "lost":
        return "lost"
    if result.tricks[side] == 0 and rules.declarations_without_trick == "to_others":
        return "taken"
    taker = side_of(contract.taker, rules.players)
    loses = side == taker if result.outcome == "failed" else side != taker
    doubled = contract.factor != 1
    if result.outcome not in ("made", "failed") or not loses:
        return "scored"
    if rules.scoring == "match_points":
        return _of_match_points(rules, result, doubled)
    if doubled and rules.doubled == "winner_takes_all":
        return "taken"
    if result.outcome == "made":
        return "lost" if doubled else "scored"
    return "taken" if rules.declarations_on_failure == "defence" else "scored"


def _of_match_points(rules: RuleSet, result: Score, doubled: bool) -> DeclarationOutcome:
    """A loser's declarations are part of the M that others write."""
    if result.outcome == "made":
        return "taken" if doubled else "scored"
    return "lost" if rules.players == 3 and rules.failed_trio == "vanish" else "taken"


def winner(rules: RuleSet, contract: Contract, result: Score) -> Side | None:
    """Who has won the match with this deal; None plays on. After a third double the deal's winner
    wins the match, whatever the totals; of two winning opponents the one who is awarded more
    (equal: the nearer after the taker). The side that declared a run of eight is the engine's to
    name (``declarations.run_of_eight``)."""
    if contract.factor == "match" and result.outcome in ("made", "failed"):
        taker = side_of(contract.taker, rules.players)
        if result.outcome == "made":
            return taker
        others = [Side((taker + i) % rules.sides) for i in range(1, rules.sides)]
        return max(others, key=lambda side: result.awarded[side])
    return match_winner(rules, result.totals, result.capot)


def match_winner(rules: RuleSet, totals: Sequence[int], capot: Side | None) -> Side | None:
    """Who is past the target at the end of a deal: the higher total; equal totals play on, and so
    does a capot deal where ``finish_on_capot`` says so."""
    best = max(totals)
    if best < rules.target or totals.count(best) > 1:
        return None
    if capot is not None and not rules.finish_on_capot:
        return None
    return Side(totals.index(best))
