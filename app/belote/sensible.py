"""What the server does for a seat whose time is up (D10): little, and never anything foolish.

It looks only at what the seat itself sees: its legal choices, its hand, the contract.
"""

from app.belote.cards import Card, Seat, Trump, suit_of
from app.belote.commands import Annul, Bid, Command, Declare, Name, Pass, Play, Take
from app.belote.legal import Legal
from app.belote.ranking import POINTS, STRENGTH, Mask, cards_of
from app.belote.state import State


def sensible(state: State, seat: Seat, options: Legal) -> Command:
    """It passes; forced, it throws the deal in or names what is strongest in its hand; it declares
    all that it holds, and plays the cheapest card that is open. The seat must be to act."""
    if state.phase == "auction":
        return _call(seat, state.held(seat), options)
    if state.phase == "declaring":
        return Declare(seat)
    assert state.contract is not None
    trump = state.contract.trump

    def cost(card: Card) -> tuple[bool, int, int, int]:
        suit = suit_of(card)
        return suit == trump.suit, POINTS[trump][card], STRENGTH[trump][suit][card], card

    return Play(seat, min(options.cards, key=cost))


def _call(seat: Seat, hand: Mask, options: Legal) -> Command:
    if "pass" in options.calls:
        return Pass(seat)
    if "annul" in options.calls:
        return Annul(seat)
    if "take" in options.calls:
        return Take(seat)

    def worth(trump: Trump) -> int:
        return sum(
            POINTS[trump][card] + 5 * (suit_of(card) == trump.suit) for card in cards_of(hand)
        )

    # At no trumps and all trumps more points are in play: a suit is the modest choice.
    suits = [trump for trump in options.trumps if trump.suit is not None]
    trump = max(suits or options.trumps, key=worth)
    if "name" in options.calls:
        return Name(seat, trump)
    return Bid(seat, trump, options.values[0] if options.values else None)
