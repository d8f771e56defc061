"""The auction (docs/rules.md §3): which calls are open to the seat whose turn it is.

The turn-up auction so far: in round 1 take the turned card or pass, in round 2 name another suit
or pass. A take or a name ends it; when all have passed twice ``all_pass`` says who deals again.
"""

from app.belote.cards import Card, Seat, Trump, suit_of
from app.belote.deal import next_seat
from app.belote.events import CallKind
from app.belote.rules import RuleSet

ROUNDS = 2


def open_calls(round_: int) -> tuple[CallKind, ...]:
    """What may be called in that round, counted from 1."""
    return ("pass", "take") if round_ == 1 else ("pass", "name")


def open_trumps(rules: RuleSet, round_: int, turned: Card) -> tuple[Trump, ...]:
    """What may be named: nothing in round 1, any suit but the turn-up's in round 2."""
    if round_ == 1:
        return ()
    return tuple(trump for trump in rules.trumps if trump.suit != suit_of(turned))


def trump_of(turned: Card) -> Trump:
    """The trump of a seat that takes the turned card."""
    return next(trump for trump in Trump if trump.suit == suit_of(turned))


def is_last_pass(round_: int, seat: Seat, dealer: Seat) -> bool:
    """Whether a pass of that seat leaves a deal that nobody wants."""
    return round_ == ROUNDS and seat == dealer


def next_dealer(rules: RuleSet, dealer: Seat) -> Seat:
    """Who deals after a passed-out deal."""
    if rules.all_pass == "same":  # noqa: S105  (a rule of the auction, not a password)
        return dealer
    if rules.all_pass == "previous":  # noqa: S105
        return Seat((dealer - 1) % rules.players)
    return next_seat(dealer, rules.players)
