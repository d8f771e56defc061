"""What a call tells everybody: the bid that stands, its doubles, whose turn follows.

The same for the referee's state and for every viewer (D6); nothing here judges a call.
"""

from dataclasses import dataclass, replace

from app.belote.cards import Seat, side_of
from app.belote.deal import next_to_call
from app.belote.events import BidMade, Call, Contract, Doubled, Passed, Redoubled, ThirdDoubled
from app.belote.rules import RuleSet

CallEvent = Passed | BidMade | Doubled | Redoubled | ThirdDoubled


@dataclass(frozen=True, slots=True)
class Bidding:
    """The standing bid with its factor, and who doubled it."""

    standing: Contract | None
    doubler: Seat | None


@dataclass(frozen=True, slots=True)
class Told:
    """A call as the record lists it, and the auction after it. ``turn`` is None where the call
    ends the auction by itself: a take, a trump named."""

    call: Call
    standing: Contract | None
    doubler: Seat | None
    turn: Seat | None


def told(rules: RuleSet, before: Bidding, event: CallEvent) -> Told:
    """The auction after a call."""
    standing, doubler, seat = before.standing, before.doubler, event.seat
    match event:
        case Passed():
            call = Call(seat, "pass")
        case BidMade():
            call = Call(seat, event.call, event.trump, event.value)
            standing, doubler = Contract(seat, event.trump, event.value), None
            if event.call != "bid":
                return Told(call, standing, doubler, None)
        case Doubled():
            call, doubler = Call(seat, "double"), seat
            standing = _multiplied(standing, event.factor)
        case Redoubled():
            call, standing = Call(seat, "redouble"), _multiplied(standing, event.factor)
        case ThirdDoubled():
            call = Call(seat, "third")
            standing = None if standing is None else replace(standing, factor="match")
    only = None
    if rules.auction == "levels" and doubler is not None and standing is not None:
        only = side_of(standing.taker, rules.players)  # the bidding side alone answers a double
    return Told(call, standing, doubler, next_to_call(rules.players, seat, only))


def _multiplied(standing: Contract | None, factor: int) -> Contract | None:
    return None if standing is None else replace(standing, factor=factor)
