"""The lines of a score sheet, before anything is awarded: who took what, what counts, and whether
the contract is made (docs/rules.md §2 "contract_counts" to "tie").

What the lines are worth is for ``scoring_points`` and ``match_points`` to say.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from app.belote.cards import Seat, Side, Trump, side_of
from app.belote.events import Contract, DealOutcome
from app.belote.ranking import LAST_TEN
from app.belote.rules import RuleSet


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
class Award:
    """What each side writes, what hangs, and ``Score.rounded``; without what was carried in."""

    points: tuple[int, ...]
    hangs: int = 0
    rounded: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Sheet:
    """``points`` are trick points with the last ten, ``declarations`` what is left of them after
    ``declarations_without_trick``; ``capot`` is the side with every trick, paid for it or not."""

    contract: Contract
    taker: Side
    tricks: tuple[int, ...]
    points: tuple[int, ...]
    declarations: tuple[int, ...]
    belote: tuple[int, ...]
    capot: Side | None
    solo: bool

    @property
    def others(self) -> tuple[Side, ...]:
        """The taker's opponents, the nearest after the taker first."""
        count = len(self.points)
        return tuple(Side((self.taker + i) % count) for i in range(1, count))

    @property
    def doubled(self) -> bool:
        """Whether anybody doubled."""
        return self.contract.factor != 1

    def compared(self, rules: RuleSet, side: int) -> int:
        """What ``contract_counts`` looks at."""
        points = self.points[side]
        if rules.contract_counts != "tricks":
            points += self.belote[side]
        if rules.contract_counts == "all":
            points += self.declarations[side]
        return points

    def bonuses(self, side: int) -> int:
        """Declarations and belote."""
        return self.declarations[side] + self.belote[side]

    def paid_capot(self, rules: RuleSet) -> Side | None:
        """The side that is paid for every trick (``capot_to``)."""
        return None if rules.capot_to == "taker" and self.capot != self.taker else self.capot


def sheet_of(rules: RuleSet, figures: Figures) -> Sheet:
    """The sheet of a deal that was played to its end."""
    points = list(figures.cards)
    points[figures.last_ten] += LAST_TEN
    return Sheet(
        contract=figures.contract,
        taker=side_of(figures.contract.taker, rules.players),
        tricks=figures.tricks,
        points=tuple(points),
        declarations=_kept_declarations(rules, figures),
        belote=figures.belote,
        capot=capot_side(figures.tricks),
        solo=figures.solo is not None,
    )


def capot_side(tricks: Sequence[int]) -> Side | None:
    """The side that took every trick, if one did."""
    takers = [side for side, count in enumerate(tricks) if count]
    return Side(takers[0]) if len(takers) == 1 else None


def _kept_declarations(rules: RuleSet, figures: Figures) -> tuple[int, ...]:
    """What is left of them for a side that took no trick. With more than two sides nothing can go
    to the others: ``rules.checked`` refuses that."""
    points = list(figures.declarations)
    for side, tricks in enumerate(figures.tricks):
        if tricks == 0 and rules.declarations_without_trick in ("lost", "to_others"):
            if rules.declarations_without_trick == "to_others":
                points[1 - side] += points[side]
            points[side] = 0
    return tuple(points)


def outcome_of(rules: RuleSet, sheet: Sheet) -> DealOutcome:
    """Made, failed or hanging. A taker with every trick has made it and one against whom a single
    side has every trick has failed, whatever was declared; several opponents count together."""
    value = sheet.contract.value
    if sheet.capot is not None:
        return "made" if sheet.capot == sheet.taker else "failed"
    mine = sheet.compared(rules, sheet.taker)
    theirs = sum(sheet.compared(rules, side) for side in sheet.others)
    if rules.made_if in ("bid", "bid_and_more") and not _meets(mine, value):
        return "failed"
    if rules.made_if == "bid" or mine > theirs:
        return "made"
    if mine < theirs:
        return "failed"
    if rules.made_if == "at_least":
        return "made"
    return "litige" if rules.tie == "litige" else "failed"


def _meets(points: int, value: int | str | None) -> bool:
    """Whether points are as many as the bid, which rounding never meets; a capot bid asks for
    every trick."""
    return isinstance(value, int) and points >= value


def is_no_trumps(sheet: Sheet) -> bool:
    """Whether the deal was played at no trumps."""
    return sheet.contract.trump is Trump.NO_TRUMPS
