"""What one viewer may know of a match, and how an event changes it (D4, D6, D11).

``view`` and ``redact`` compose what a viewer gets from public and own private parts; ``apply`` is
the viewer's own ``evolve``. The law D6, for each seat and for the spectator (``viewer`` None)::

    apply(view(state, p), redact(event, p)) == view(evolve(state, event), p)

The browser's ``apply.js`` mirrors ``apply``; bots think on a ``View`` alone.
"""

from app.belote.applying import apply
from app.belote.audiences import Audiences, audiences, redact
from app.belote.cards import Seat
from app.belote.ranking import cards_of
from app.belote.rules import RuleSet
from app.belote.seen import Phase, Result, Trick, View, new_view
from app.belote.state import State

__all__ = [
    "Audiences",
    "Phase",
    "Result",
    "Trick",
    "View",
    "apply",
    "audiences",
    "new_view",
    "redact",
    "view",
]


def view(state: State, viewer: Seat | None) -> View:
    """All that a seat, or the spectator (None), knows of a match."""
    return View(
        rules=state.rules,
        viewer=viewer,
        phase=state.phase,
        deal=state.deal,
        dealer=state.dealer,
        commit=state.commit,
        next_commit=state.next_commit,
        turn=state.turn,
        round=state.round,
        turned=state.turned,
        auction=state.auction,
        standing=state.standing,
        doubler=state.doubler,
        contract=state.contract,
        hand=None if viewer is None else cards_of(state.hands[viewer]),
        counts=tuple(hand.bit_count() for hand in state.hands),
        up=state.up,
        down=tuple(tuple(int(c is not None) for c in places) for places in state.under),
        trick=state.trick,
        last_trick=state.last_trick,
        played=state.played,
        tricks=_by_side(state.won, state.rules),
        declarations=state.declarations,
        own_declarations=tuple(d for d in state.declared if d.seat == viewer),
        belote=state.belote,
        totals=state.totals,
        hanging=state.hanging,
        continued=state.continued,
        deals=state.deals,
        result=state.result,
    )


def _by_side(won: tuple[int, ...], rules: RuleSet) -> tuple[int, ...]:
    return tuple(sum(won[side :: rules.sides]) for side in range(rules.sides))
