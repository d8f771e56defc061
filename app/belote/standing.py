"""Where an auction stands: passes in a row, the last other call, who is forced, who may double."""

from app.belote.cards import Seat, side_of
from app.belote.events import Call, CallKind
from app.belote.ranking import PLAIN_POINTS, cards_of
from app.belote.rules import RuleSet
from app.belote.state import State

MOST_TO_ANNUL = 7
"""Points of a dealer who may throw the deal in, under ``dealer_cancel`` at_most_7."""


def passes(auction: tuple[Call, ...]) -> int:
    """How many calls at the end of an auction are passes."""
    count = 0
    while count < len(auction) and auction[-1 - count].call == "pass":
        count += 1
    return count


def last_call(auction: tuple[Call, ...]) -> CallKind | None:
    """The last call that is no pass."""
    count = passes(auction)
    return auction[-1 - count].call if count < len(auction) else None


def rounds(rules: RuleSet) -> int:
    """How often a deal goes round before nobody wants it: a turn-up is offered twice."""
    return 2 if rules.auction == "turn_up" else 1


def passed_out(state: State) -> bool:
    """Whether everybody has passed as often as they could."""
    return state.standing is None and len(state.auction) == state.rules.players * rounds(
        state.rules
    )


def forced(state: State) -> bool:
    """Whether the seat in turn is a dealer who must name a trump: all others have passed."""
    calls = state.rules.players * rounds(state.rules)
    return (
        state.rules.all_pass == "dealer_must"  # noqa: S105  (a rule, not a password)
        and state.standing is None
        and len(state.auction) == calls - 1
    )


def to_refuse(state: State, seat: Seat) -> tuple[CallKind, ...]:
    """What a seat may do instead of naming a trump: pass, or, forced to name one, annul."""
    if not forced(state):
        return ("pass",)
    return ("annul",) if may_annul(state, seat) else ()


def may_annul(state: State, seat: Seat) -> bool:
    """Whether a forced dealer may throw the deal in: it counts the cards that it has seen."""
    if state.rules.dealer_cancel == "any":
        return True
    points = sum(PLAIN_POINTS[card & 7] for card in cards_of(state.hands[seat]))
    return state.rules.dealer_cancel == "at_most_7" and points <= MOST_TO_ANNUL


def doubling(state: State, seat: Seat) -> tuple[CallKind, ...]:
    """Whether a seat may double the others' bid, redouble its own side's, or double a third time.
    Whose turn it is decides the caller."""
    rules, bid = state.rules, state.standing
    if bid is None:
        return ()
    own = _same_side(rules, seat, bid.taker)
    match last_call(state.auction):
        case "double":
            return ("redouble",) if own and rules.redouble is not None else ()
        case "redouble":
            doubler = state.doubler
            mine = doubler is not None and _same_side(rules, seat, doubler)
            return ("third",) if mine and rules.third_double is not None else ()
        case "third":
            return ()
        case _:
            return ("double",) if not own and rules.double is not None else ()


def _same_side(rules: RuleSet, seat: Seat, other: Seat) -> bool:
    return side_of(seat, rules.players) == side_of(other, rules.players)
