"""What a bot is: a function from a seat's view and its legal choices to one of them (D11).

A policy keeps nothing between turns: all that it may remember is in the view, so that any process
can think for any seat, and a bot that dies with its process leaves nothing behind.
"""

from random import Random
from typing import Literal, Protocol

from app.belote.commands import Command
from app.belote.legal import Legal
from app.belote.view import View
from app.bots.novice import Novice

Level = Literal["novice"]


class Policy(Protocol):
    """One way to play."""

    def choose(self, view: View, legal: Legal, rng: Random) -> Command:
        """One of the legal commands of ``view.viewer``, whose turn it is."""
        ...


LEVELS: dict[Level, Policy] = {"novice": Novice()}


def choose(view: View, legal: Legal, level: Level, rng: Random) -> Command:
    """What a bot of that level does; ``rng`` decides between equals alone."""
    return LEVELS[level].choose(view, legal, rng)
