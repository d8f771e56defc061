"""The first level: sound rules of thumb and counted cards, no search and no guessing of hands.

Auction: see ``calling``. It declares and says whatever it holds. Play: in the lead see ``leads``;
in ``following`` a card is as good as the points that it brings or costs, times how likely the
trick is ours, less what the card would be worth later.
"""

from random import Random

from app.belote.cards import Card
from app.belote.commands import Command, Declare, Play
from app.belote.legal import Legal
from app.belote.view import View
from app.bots import calling, following, leads
from app.bots.reading import read


class Novice:
    """See the module."""

    def choose(self, view: View, legal: Legal, rng: Random) -> Command:
        """One of the legal commands; ``ValueError`` if the view is not of a seat in turn."""
        if view.viewer is None or view.hand is None:
            raise ValueError("a bot thinks in its own seat")
        if legal.calls:
            return calling.call(view, legal)
        if not legal.cards:
            return Declare(view.viewer)
        return Play(view.viewer, _card(view, legal, rng))


def _card(view: View, legal: Legal, rng: Random) -> Card:
    if len(legal.cards) == 1:
        return legal.cards[0]
    reading = read(view)
    score = leads.score if not reading.trick.cards else following.score
    scored = [(score(reading, card), card) for card in legal.cards]
    best = max(value for value, _ in scored)
    return rng.choice([card for value, card in scored if value == best])
