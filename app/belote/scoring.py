"""What a deal is worth (docs/rules.md §2 "contract_counts" to "target"), from totals alone.

``score`` needs no cards: who took what, which declarations count, what hangs. Games in points so
far; levels and match points get their own functions beside ``_points``.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.belote.cards import Seat, Side, side_of
from app.belote.events import (
    Contract,
    DealOutcome,
    DeclarationOutcome,
    Score,
    SeenDeclaration,
)
from app.belote.ranking import LAST_TEN
from app.belote.rules import Capot, RuleSet

ALL_TRICK_POINTS = 162


@dataclass(frozen=True, slots=True)
class Figures:
    """What was played, one entry a side. ``cards`` are card points without the last ten, which
    ``last_ten`` took; ``solo`` is the seat that took every trick alone; ``declarations`` are those
    that won the comparison, before a side without a trick or a failure moves them."""

    contract: Contract
    cards: tuple[int, ...]
    last_ten: Side
    tricks: tuple[int, ...]
    solo: Seat | None
    declarations: tuple[int, ...]
    belote: tuple[int, ...]
    carried_in: int = 0


@dataclass(frozen=True, slots=True)
class _Parts:
    """The lines of a score sheet: trick points with last ten and capot, declarations, belote."""

    taker: Side
    tricks: tuple[int, ...]
    declarations: tuple[int, ...]
    belote: tuple[int, ...]

    def compared(self, rules: RuleSet, side: int) -> int:
        """What ``contract_counts`` looks at."""
        points = self.tricks[side]
        if rules.contract_counts != "tricks":
            points += self.belote[side]
        if rules.contract_counts == "all":
            points += self.declarations[side]
        return points

    def whole(self, side: int) -> int:
        """All that a side has."""
        return self.tricks[side] + self.declarations[side] + self.belote[side]


def score(rules: RuleSet, figures: Figures, totals: tuple[int, ...]) -> Score:
    """The score of a deal, added to the ``totals`` before it."""
    taker = side_of(figures.contract.taker, rules.players)
    capot = capot_side(figures.tricks)
    declarations = _kept_declarations(rules, figures)
    parts = _Parts(taker, _trick_points(rules, figures, capot), declarations, figures.belote)
    outcome = _outcome(rules, parts, capot)
    awarded, hangs = _awarded(rules, parts, outcome, capot)
    if outcome == "litige":
        hung = figures.carried_in + hangs
    else:
        hung = 0
        awarded[taker if outcome == "made" else _other(taker)] += figures.carried_in
    return Score(
        cards=figures.cards,
        last_ten=figures.last_ten,
        tricks=figures.tricks,
        declarations=declarations,
        belote=figures.belote,
        outcome=outcome,
        capot=capot,
        rounded=None,
        awarded=tuple(awarded),
        carried_in=figures.carried_in,
        hung=hung,
        totals=tuple(a + b for a, b in zip(totals, awarded, strict=True)),
    )


def capot_side(tricks: Sequence[int]) -> Side | None:
    """The side that took every trick, if one did."""
    takers = [side for side, count in enumerate(tricks) if count]
    return Side(takers[0]) if len(takers) == 1 else None


def _other(side: Side) -> Side:
    return Side(1 - side)


def _kept_declarations(rules: RuleSet, figures: Figures) -> tuple[int, ...]:
    """What is left of them for a side that took no trick."""
    points = list(figures.declarations)
    for side, tricks in enumerate(figures.tricks):
        if tricks == 0 and rules.declarations_without_trick in ("lost", "to_others"):
            if rules.declarations_without_trick == "to_others":
                points[1 - side] += points[side]
            points[side] = 0
    return tuple(points)


def _trick_points(rules: RuleSet, figures: Figures, capot: Side | None) -> tuple[int, ...]:
    """Card points with the last ten, and what every trick pays."""
    points = list(figures.cards)
    points[figures.last_ten] += LAST_TEN
    taker = side_of(figures.contract.taker, rules.players)
    if capot is None or (rules.capot_to == "taker" and capot != taker):
        return tuple(points)
    alone = figures.solo is not None and rules.solo_capot is not None
    pays = rules.solo_capot if alone and rules.solo_capot else rules.capot
    points[capot] = _paid(pays, points[capot])
    return tuple(points)


def _paid(capot: Capot, points: int) -> int:
    return points + capot.points if capot.kind == "bonus" else capot.points


def _outcome(rules: RuleSet, parts: _Parts, capot: Side | None) -> DealOutcome:
    """Made, failed or hanging. A side with every trick has made it, whatever was declared."""
    if capot is not None:
        return "made" if capot == parts.taker else "failed"
    mine = parts.compared(rules, parts.taker)
    theirs = sum(
        parts.compared(rules, side) for side in range(len(parts.tricks)) if side != parts.taker
    )
    if mine == theirs:
        if rules.made_if == "at_least":
            return "made"
        return "litige" if rules.tie == "litige" else "failed"
    return "made" if mine > theirs else "failed"


def _awarded(
    rules: RuleSet, parts: _Parts, outcome: DealOutcome, capot: Side | None
) -> tuple[list[int], int]:
    """What each side writes, and what hangs, without what was carried in."""
    taker, defence = parts.taker, _other(parts.taker)
    awarded = [parts.whole(side) for side in (0, 1)]
    if outcome == "made":
        return awarded, 0
    belote = parts.belote[taker]
    if outcome == "litige":
        kept = belote if rules.belote_in_litige == "kept" else 0
        hangs = awarded[taker] - kept
        awarded[taker] = kept
        return awarded, hangs
    kept = belote if rules.belote_on_failure == "kept" else 0
    if rules.declarations_on_failure == "owner":
        kept += parts.declarations[taker]
    moved = belote + parts.declarations[taker] - kept
    awarded[taker] = kept
    tricks = ALL_TRICK_POINTS if capot is None else parts.tricks[defence]
    awarded[defence] = tricks + parts.declarations[defence] + parts.belote[defence] + moved
    return awarded, 0


def final_outcomes(
    rules: RuleSet, declarations: Sequence[SeenDeclaration], contract: Contract, result: Score
) -> tuple[SeenDeclaration, ...]:
    """The declarations as the score sheet tells them: those of a side without a trick may be lost
    or taken by the others, and those of a failed taker taken."""
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
    failed = result.outcome == "failed" and side == side_of(contract.taker, rules.players)
    return "taken" if failed and rules.declarations_on_failure == "defence" else "scored"


def match_winner(rules: RuleSet, totals: Sequence[int], capot: Side | None) -> Side | None:
    """Who has won at the end of a deal: at or past the target, the higher total; equal totals play
    on, and so does a capot deal where ``finish_on_capot`` says so."""
    best = max(totals)
    if best < rules.target or totals.count(best) > 1:
        return None
    if capot is not None and not rules.finish_on_capot:
        return None
    return Side(totals.index(best))
