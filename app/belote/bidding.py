"""The auction (docs/rules.md §3): what is open to whom, when it is over, why a call is refused.

The four kinds stand in ``bidding_turn_up`` (turn-up and call), ``bidding_levels`` and
``bidding_contracts``; this module knows which one a game has.
"""

from collections.abc import Callable, Mapping

from app.belote import bidding_contracts, bidding_levels, bidding_turn_up, standing
from app.belote.cards import Seat, side_of
from app.belote.commands import (
    Annul,
    Bid,
    CallCommand,
    Double,
    Name,
    Pass,
    Redouble,
    Take,
    ThirdDouble,
)
from app.belote.deal import next_seat
from app.belote.events import CallKind
from app.belote.legal import Legal
from app.belote.rules import RuleSet
from app.belote.state import State

_OPTIONS: Mapping[str, Callable[[State, Seat], Legal]] = {
    "turn_up": bidding_turn_up.turn_up,
    "call": bidding_turn_up.call,
    "levels": bidding_levels.levels,
    "contracts": bidding_contracts.contracts,
}
_KINDS: Mapping[type[CallCommand], CallKind] = {
    Pass: "pass",
    Take: "take",
    Name: "name",
    Bid: "bid",
    Double: "double",
    Redouble: "redouble",
    ThirdDouble: "third",
    Annul: "annul",
}
_OF_KIND: Mapping[str, frozenset[CallKind]] = {
    "turn_up": frozenset(("pass", "take", "name", "annul")),
    "call": frozenset(("pass", "name", "annul")),
    "levels": frozenset(("pass", "bid", "double", "redouble")),
    "contracts": frozenset(("pass", "bid", "double", "redouble", "third")),
}
"""The calls that an auction of a kind can have at all."""


def kind_of(command: CallCommand) -> CallKind:
    """The call's name in the record."""
    return _KINDS[type(command)]


def options(state: State, seat: Seat) -> Legal:
    """What is open to the seat whose turn it is."""
    return _OPTIONS[state.rules.auction](state, seat)


def out_of_turn(state: State, seat: Seat) -> tuple[CallKind, ...]:
    """What is open to a seat that is not in turn: to double the others' bid, where ``double`` is
    any_time, also after having passed."""
    rules = state.rules
    if state.phase != "auction" or state.turn in (None, seat) or rules.double is None:
        return ()
    if rules.double.when != "any_time":
        return ()
    return tuple(call for call in standing.doubling(state, seat) if call == "double")


def over(state: State) -> bool:
    """Whether the standing bid is the contract now."""
    if state.standing is None:
        return False
    match state.rules.auction:
        case "levels":
            return bidding_levels.over(state)
        case "contracts":
            return bidding_contracts.over(state)
        case _:
            return True


def next_dealer(rules: RuleSet, dealer: Seat) -> Seat:
    """Who deals after a deal that nobody took."""
    if rules.all_pass == "same":  # noqa: S105  (a rule of the auction, not a password)
        return dealer
    if rules.all_pass == "previous":  # noqa: S105
        return Seat((dealer - 1) % rules.players)
    return next_seat(dealer, rules.players)


def why_not(state: State, command: CallCommand, open_now: Legal) -> str | None:
    """The code of the rule that forbids a call of the seat in turn; None if it is open."""
    kind = kind_of(command)
    if kind not in open_now.calls:
        return _closed(state, command, kind)
    if isinstance(command, Bid):
        return _bid_refused(state.rules, command, open_now)
    if isinstance(command, Name) and command.trump not in open_now.trumps:
        return "trump_not_open"
    return None


def _bid_refused(rules: RuleSet, bid: Bid, open_now: Legal) -> str | None:
    if bid.trump not in rules.trumps:
        return "trump_not_open"
    if rules.auction != "levels":
        if bid.value is not None:
            return "value_not_open"
        return None if bid.trump in open_now.trumps else "bid_too_low"
    if bid.value not in bidding_levels.values(rules):
        return "value_not_open"
    return None if bid.value in open_now.values else "bid_too_low"


def _closed(state: State, command: CallCommand, kind: CallKind) -> str:
    """Why a call is not open at all."""
    rules = state.rules
    if kind not in _OF_KIND[rules.auction]:
        return "call_not_open"
    if kind in ("double", "redouble", "third"):
        return _not_doubled(state, command.seat, kind)
    if kind == "pass":
        return "must_name"
    if kind == "annul":
        forced = standing.forced(state) and rules.dealer_cancel != "no"
        return "too_many_points" if forced else "call_not_open"
    if kind == "bid":
        return "auction_frozen" if _frozen(state) else "bid_too_low"
    return "call_not_open"


def _frozen(state: State) -> bool:
    return state.rules.auction == "levels" and bidding_levels.frozen(state)


def _not_doubled(state: State, seat: Seat, kind: CallKind) -> str:
    rules, bid = state.rules, state.standing
    offered = {"double": rules.double, "redouble": rules.redouble, "third": rules.third_double}
    if offered[kind] is None:
        return "call_not_open"
    if bid is None:
        return "nothing_to_double"
    own = side_of(seat, rules.players) == side_of(bid.taker, rules.players)
    order: list[CallKind | None] = ["double", "redouble", "third"]
    last = standing.last_call(state.auction)
    done = order.index(last) + 1 if last in order else 0
    place = order.index(kind)
    if done > place:
        return "already_doubled"
    if done < place:
        return "not_doubled"
    return "not_your_bid" if place == 1 and not own else "own_bid"
