"""Match points of the belot family (docs/rules.md §5): tens of raw points, shared, doubled.

Hanging points are match points too; who collects them is for ``scoring`` to say.
"""

from app.belote.cards import Side, Trump
from app.belote.events import DealOutcome
from app.belote.rules import RuleSet
from app.belote.scoring_sheet import Award, Sheet, is_no_trumps

THIRD_DOUBLE = 8
"""M counts so many times after a third double."""
_UP_FROM = {Trump.ALL_TRUMPS: 4, Trump.NO_TRUMPS: 5}
"""The last digit from which the lower side's points go up; 6 in a suit."""


def award(rules: RuleSet, sheet: Sheet, outcome: DealOutcome) -> Award:
    """What each side writes, and what hangs; ``rounded`` are the shares of M."""
    each = shares(rules, sheet, outcome)
    factor = _factor(sheet)
    hangs = 0
    if outcome == "litige":
        written, hangs = _equal(sheet, each, factor)
    elif outcome == "failed":
        written = _failed(rules, sheet, each, factor)
    elif sheet.doubled:
        written = [0] * len(each)
        written[sheet.taker] = sum(each) * factor
    else:
        written = list(each)
    capot = sheet.paid_capot(rules)
    if capot is not None:
        written[capot] += _capot(rules, sheet, factor)
    for side in _penalised(rules, sheet, outcome):
        written[side] -= rules.failure_penalty
    return Award(tuple(written), hangs, each)


def shares(rules: RuleSet, sheet: Sheet, outcome: DealOutcome) -> tuple[int, ...]:
    """Each side's share of M, before failure, capot and factor. Of two sides the lower one's
    points are divided by ten and the other gets the rest of M; where they are equal the side that
    writes (the taker's opponent) rounds down on the limit digit. Three seats round alone."""
    raw = _raw(rules, sheet)
    limit = _UP_FROM.get(sheet.contract.trump, 6)
    if len(raw) > 2:
        return tuple(_tens(points, 6 if limit == 6 else 5) for points in raw)
    whole = _tens(sum(raw), 5)
    (other,) = sheet.others
    if outcome == "litige" or raw[sheet.taker] == raw[other]:
        lower, share = other, _tens(raw[other], limit + 1)
    else:
        lower = min(sheet.taker, other, key=lambda side: raw[side])
        share = _tens(raw[lower], limit)
    return (share, whole - share) if lower == 0 else (whole - share, share)


def _raw(rules: RuleSet, sheet: Sheet) -> list[int]:
    times = rules.nt_factor if is_no_trumps(sheet) else 1
    return [(points + sheet.bonuses(side)) * times for side, points in enumerate(sheet.points)]


def _tens(points: int, up_from: int) -> int:
    """Points divided by ten, going up from that last digit."""
    return points // 10 + (points % 10 >= up_from)


def _factor(sheet: Sheet) -> int:
    factor = sheet.contract.factor
    return THIRD_DOUBLE if factor == "match" else factor


def _equal(sheet: Sheet, each: tuple[int, ...], factor: int) -> tuple[list[int], int]:
    """The contracting side's share hangs; doubled, everything does and nobody writes."""
    if sheet.doubled:
        return [0] * len(each), sum(each) * factor
    written = list(each)
    written[sheet.taker] = 0
    return written, each[sheet.taker]


def _failed(rules: RuleSet, sheet: Sheet, each: tuple[int, ...], factor: int) -> list[int]:
    """The others get M; of two opponents each its own share, and the taker's as ``failed_trio``
    says."""
    written = list(each)
    written[sheet.taker] = 0
    for side in _heirs(rules, sheet):
        written[side] += each[sheet.taker]
    return [points * factor for points in written]


def _heirs(rules: RuleSet, sheet: Sheet) -> tuple[Side, ...]:
    """Who gets the share of a taker who failed."""
    others = sheet.others
    if len(others) == 1 or rules.failed_trio == "both":
        return others
    if rules.failed_trio == "vanish":
        return ()
    raw = _raw(rules, sheet)
    return (max(others, key=lambda side: raw[side]),)  # equal: the first, nearer after the taker


def _capot(rules: RuleSet, sheet: Sheet, factor: int) -> int:
    """What every trick pays: added after all doubling, or counted among what is doubled, no
    trumps included."""
    if rules.capot_doubling == "after":
        return rules.capot.points
    return rules.capot.points * factor * (rules.nt_factor if is_no_trumps(sheet) else 1)


def _penalised(rules: RuleSet, sheet: Sheet, outcome: DealOutcome) -> tuple[int, ...]:
    """Sides that pay ``failure_penalty`` (kirtik), each once: a failed taker, the losers of a
    doubled deal, sides without a trick. A doubled deal that hangs has no loser."""
    failed = {sheet.taker} if outcome == "failed" else set()
    losers = set(sheet.others) if outcome == "made" and sheet.doubled else set()
    trickless = {Side(side) for side, tricks in enumerate(sheet.tricks) if tricks == 0}
    return tuple(failed | losers | trickless) if rules.failure_penalty else ()
