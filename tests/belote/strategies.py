"""Hypothesis strategies for deals and matches that obey the rules.

A deal is drawn as a pack, a dealer and a list of small numbers, each of which picks one of the
moves that are open; zeros pick the first, so a failing deal shrinks to the plainest one.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count

from hypothesis import settings
from hypothesis import strategies as st

from app.belote.cards import Seat, name_of
from app.belote.commands import Command, Play
from app.belote.engine import State
from app.belote.engine_auction import pack_cards
from app.belote.events import GameEvent
from app.belote.presets import PRESETS
from app.belote.rules import RuleSet

from .driver import Choose, Step, deal_of, out_of_turn, play_deal, start

CASES = 2_000 if os.environ.get("REBELOTE_FULL") == "1" else 200
"""Random deals a law; ten times as many in `make full`."""

law = settings(max_examples=CASES, deadline=None)

VIEWERS: tuple[Seat | None, ...] = (Seat(0), Seat(1), Seat(2), Seat(3), None)

MOST_PICKS = 48
"""As many as most deals have moves; a longer one begins again with the first."""
BACKWARDS = 8
"""Picks from here on count the moves from the last one, which in an auction is to pass."""


def viewers_of(rules: RuleSet) -> tuple[Seat | None, ...]:
    """Every seat and the spectator."""
    return (*(Seat(seat) for seat in range(rules.players)), None)


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
    rules = PRESETS[preset or draw(st.sampled_from(sorted(PRESETS)))]
    state = start(rules, "law", draw(st.integers(0, rules.players - 1)))
    near = tuple(rules.target - 11 - 10 * side for side in range(rules.sides))
    past = (rules.target, *(0,) * (rules.sides - 1))
    state = replace(
        state,
        hanging=draw(st.sampled_from([0, 0, 81, 162])),
        totals=draw(st.sampled_from([state.totals, state.totals, near, past])),
    )
    pack = draw(st.permutations(pack_cards(rules)).map(tuple))
    picks = draw(
        st.lists(st.integers(0, 2 * BACKWARDS - 1), min_size=MOST_PICKS, max_size=MOST_PICKS)
    )
    return Played(tuple(play_deal(state, deal_of(state, "law", pack), chosen(picks))))


def chosen(picks: Sequence[int]) -> Choose:
    """One move after the other, by numbers; the last of them doubles out of turn."""
    moves_made = count()

    def choose(state: State, options: Sequence[Command]) -> Command:
        pick = picks[next(moves_made) % len(picks)]
        late = out_of_turn(state) if pick == 2 * BACKWARDS - 1 else ()
        if late:
            return late[0]
        if pick < BACKWARDS:
            return options[pick % len(options)]
        return options[-1 - (pick - BACKWARDS) % len(options)]

    return choose
