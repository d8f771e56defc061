"""Hypothesis strategies for deals and matches that obey the rules.

A deal is drawn as a pack, a dealer and a list of small numbers, each of which picks one of the
moves that are open; zeros pick the first, so a failing deal shrinks to the plainest one.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace

from hypothesis import settings
from hypothesis import strategies as st

from app.belote.cards import PACK_32, Seat, name_of
from app.belote.commands import Command, Play
from app.belote.engine import State
from app.belote.events import GameEvent
from app.belote.presets import PRESETS

from .driver import Step, deal_of, play_deal, start

CASES = 2_000 if os.environ.get("REBELOTE_FULL") == "1" else 200
"""Random deals a law; ten times as many in `make full`."""

law = settings(max_examples=CASES, deadline=None)

VIEWERS: tuple[Seat | None, ...] = (Seat(0), Seat(1), Seat(2), Seat(3), None)

presets = st.sampled_from(sorted(PRESETS))
viewers = st.sampled_from(VIEWERS)
packs = st.permutations(PACK_32).map(tuple)
MOST_MOVES = 8 + 32


@dataclass(frozen=True)
class Played:
    """A deal that was played; its repr is what one needs to play it again."""

    steps: tuple[Step, ...]

    @property
    def first(self) -> State:
        """The match before the deal."""
        return self.steps[0].before

    @property
    def last(self) -> State:
        """The match after it."""
        return self.steps[-1].after

    @property
    def events(self) -> tuple[GameEvent, ...]:
        """All that happened."""
        return tuple(event for step in self.steps for event in step.events)

    def __repr__(self) -> str:
        deal, *moves = (step.command for step in self.steps)
        pack = " ".join(name_of(card) for card in getattr(deal, "pack", ()))
        rest = " ".join(
            name_of(move.card) if isinstance(move, Play) else type(move).__name__.lower()
            for move in moves
        )
        return f"<{self.first.rules.preset}, dealer {self.first.dealer}: {pack} / {rest}>"


@st.composite
def deals(draw: st.DrawFn, preset: str | None = None) -> Played:
    """A whole deal of some preset, often with hanging points and totals before it."""
    rules = PRESETS[preset or draw(presets)]
    state = start(rules, "law", draw(st.integers(0, 3)))
    state = replace(
        state,
        hanging=draw(st.sampled_from([0, 0, 81, 162])),
        totals=draw(st.sampled_from([(0, 0), (0, 0), (490, 480), (rules.target, 0)])),
    )
    picks = draw(st.lists(st.integers(0, 7), min_size=MOST_MOVES, max_size=MOST_MOVES))

    def choose(state: State, options: Sequence[Command]) -> Command:
        place = len(state.auction) + len(state.played)
        return options[picks[place] % len(options)]

    return Played(tuple(play_deal(state, deal_of(state, "law", draw(packs)), choose)))
