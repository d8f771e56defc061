"""The auctions in which a trump is taken or called (docs/rules.md §3 "turn_up", "call").

Turn-up: in round 1 take the turned card or pass, in round 2 name another suit or pass. Call: name
a suit or pass. A take or a name ends them.
"""

from app.belote.cards import Card, Seat, Trump, suit_of
from app.belote.events import CallKind
from app.belote.legal import Legal
from app.belote.rules import RuleSet
from app.belote.standing import to_refuse
from app.belote.state import State


def open_trumps(rules: RuleSet, turned: Card | None) -> tuple[Trump, ...]:
    """What may be named: any suit but the turn-up's."""
    return tuple(t for t in rules.trumps if turned is None or t.suit != suit_of(turned))


def trump_of(turned: Card) -> Trump:
    """The trump of a seat that takes the turned card."""
    return next(trump for trump in Trump if trump.suit == suit_of(turned))


def turn_up(state: State, seat: Seat) -> Legal:
    """What is open to the seat in turn."""
    if state.round == 1:
        return Legal(calls=("pass", "take"))
    calls: tuple[CallKind, ...] = (*to_refuse(state, seat), "name")
    return Legal(calls=calls, trumps=open_trumps(state.rules, state.turned))


def call(state: State, seat: Seat) -> Legal:
    """What is open to the seat in turn."""
    calls: tuple[CallKind, ...] = (*to_refuse(state, seat), "name")
    return Legal(calls=calls, trumps=open_trumps(state.rules, None))
