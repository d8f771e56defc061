"""The auction of the belot family (docs/rules.md §3 "contracts"): ranked contracts, contra.

A higher contract may be bid over everything, which cancels the doubles; n − 1 passes end it.
"""

from app.belote.cards import Seat, Trump
from app.belote.events import CallKind
from app.belote.legal import Legal
from app.belote.rules import RuleSet
from app.belote.standing import doubling, passes, to_refuse
from app.belote.state import State

RANKED = (
    Trump.CLUBS,
    Trump.DIAMONDS,
    Trump.HEARTS,
    Trump.SPADES,
    Trump.NO_TRUMPS,
    Trump.ALL_TRUMPS,
)
"""Low to high."""


def higher(rules: RuleSet, standing: Trump | None) -> tuple[Trump, ...]:
    """The contracts above one, low to high; all if there is none."""
    least = -1 if standing is None else RANKED.index(standing)
    return tuple(trump for trump in RANKED[least + 1 :] if trump in rules.trumps)


def contracts(state: State, seat: Seat) -> Legal:
    """What is open to the seat in turn."""
    trumps = higher(state.rules, None if state.standing is None else state.standing.trump)
    bid: tuple[CallKind, ...] = ("bid",) if trumps else ()
    return Legal(calls=(*to_refuse(state, seat), *bid, *doubling(state, seat)), trumps=trumps)


def over(state: State) -> bool:
    """Whether the standing bid is the contract."""
    return state.standing is not None and passes(state.auction) == state.rules.players - 1
