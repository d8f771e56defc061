"""The first level: sound rules of thumb and counted cards, no search and no guessing of hands.

Auction: takes on a real trump hand, the turn-up counted. Play: in the lead see ``leads``; in
``following`` a card is as good as the points that it brings or costs, times how likely the trick
is ours, less what the card would be worth later.
"""

from random import Random

from app.belote.cards import SUITS, Card, Suit, Trump
from app.belote.commands import Command, Name, Pass, Play, Take
from app.belote.events import Cards
from app.belote.legal import Legal
from app.belote.view import View
from app.bots import following, leads, valuing
from app.bots.reading import read


class Novice:
    """See the module."""

    def choose(self, view: View, legal: Legal, rng: Random) -> Command:
        """One of the legal commands; ``ValueError`` if the view is not of a seat in turn."""
        if view.viewer is None or view.hand is None:
            raise ValueError("a bot thinks in its own seat")
        if legal.calls:
            return _call(view, view.hand, legal)
        return Play(view.viewer, _card(view, legal, rng))


def _call(view: View, hand: Cards, legal: Legal) -> Command:
    assert view.viewer is not None
    if view.turned is None:
        return Pass(view.viewer)
    cards = (*hand, view.turned)
    if "take" in legal.calls:
        suit = Suit(view.turned >> 3)
        if valuing.worth(cards, suit) >= valuing.ENOUGH:
            return Take(view.viewer)
    if legal.trumps and "name" in legal.calls:
        suits = [trump.suit for trump in legal.trumps if trump.suit is not None]
        suit, value = valuing.best_trump(cards, suits)
        if value >= valuing.ENOUGH or "pass" not in legal.calls:
            return Name(view.viewer, Trump(SUITS[suit]))
    return Pass(view.viewer)


def _card(view: View, legal: Legal, rng: Random) -> Card:
    if len(legal.cards) == 1:
        return legal.cards[0]
    reading = read(view)
    score = leads.score if not reading.trick.cards else following.score
    scored = [(score(reading, card), card) for card in legal.cards]
    best = max(value for value, _ in scored)
    return rng.choice([card for value, card in scored if value == best])
