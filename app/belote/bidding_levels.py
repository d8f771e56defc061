"""The auction of coinche and contrée (docs/rules.md §3 "levels"): points with a trump, doubles.

A double freezes the bidding: the bidding side's seats alone answer it, each once, and a redouble
or their passes end it. Nothing is above a capot.
"""

from app.belote.cards import Seat
from app.belote.events import BidValue, CallKind
from app.belote.legal import Legal
from app.belote.rules import RuleSet
from app.belote.standing import doubling, last_call, passes, to_refuse
from app.belote.state import State


def values(rules: RuleSet) -> tuple[BidValue, ...]:
    """All that may be bid, low to high."""
    return (*rules.bids, "capot") if rules.capot_bid is not None else rules.bids


def above(rules: RuleSet, standing: BidValue | None) -> tuple[BidValue, ...]:
    """What is higher than a bid; everything if there is none."""
    every = values(rules)
    if standing is None:
        return every
    if standing not in every:
        return ()
    return every[every.index(standing) + 1 :]


def frozen(state: State) -> bool:
    """Whether nobody may bid any more."""
    return last_call(state.auction) in ("double", "redouble", "third")


def levels(state: State, seat: Seat) -> Legal:
    """What is open to the seat in turn."""
    if frozen(state):
        return Legal(calls=("pass", *doubling(state, seat)))
    standing = None if state.standing is None else state.standing.value
    higher = above(state.rules, standing)
    bid: tuple[CallKind, ...] = ("bid",) if higher else ()
    return Legal(
        calls=(*to_refuse(state, seat), *bid, *doubling(state, seat)),
        trumps=state.rules.trumps if higher else (),
        values=higher,
    )


def over(state: State) -> bool:
    """Whether the standing bid is the contract."""
    rules, count = state.rules, passes(state.auction)
    match last_call(state.auction):
        case "redouble" | "third":
            return True
        case "double":
            return rules.redouble is None or count == rules.players // rules.sides
        case "bid":
            return count == rules.players - 1
        case _:
            return False
