"""The record of what one viewer knows of a match: ``View`` and its parts (D4, D6).

Data alone: ``view`` composes it from a state, ``applying.apply`` changes it by an event.
"""

from dataclasses import dataclass
from typing import Literal

from app.belote.cards import Card, Seat, Side
from app.belote.events import (
    BeloteSaid,
    Call,
    Cards,
    Contract,
    DealScored,
    Declaration,
    EndReason,
    SeenDeclaration,
)
from app.belote.rules import RuleSet

Phase = Literal["dealing", "auction", "declaring", "play", "scored", "passed_out", "ended"]
"""dealing: before the first deal; declaring: all are asked before the lead; scored and passed_out
(annulled deals too): between two deals."""


@dataclass(frozen=True, slots=True)
class Trick:
    """Cards in order of play from ``leader``; ``winner`` is None until it is complete."""

    leader: Seat
    cards: Cards
    winner: Seat | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended; ``winner`` is None when it was abandoned."""

    winner: Side | None
    reason: EndReason
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class View:
    """All that ``viewer`` knows. Tuples named ``totals`` and ``tricks`` have one entry a side.

    ``turned`` lies on the table during the auction and stays known afterwards. ``standing`` is the
    highest bid so far with its doubles, ``doubler`` the seat that doubled it. ``hand`` is None
    for the spectator, else sorted by card number; ``counts`` are the cards in the hands. By seat
    and place, ``up`` are cards that lie face up (None: none left there) and ``down`` how many lie
    face down there, unseen by their owner too. ``own_declarations`` are the viewer's, with
    cards. ``played`` are the deal's cards in order of play, the trick on the table among them, so
    that a bot can count like a person who watched. ``deals`` are the score sheets so far;
    ``commit`` is that of the deal in progress.
    """

    rules: RuleSet
    viewer: Seat | None
    phase: Phase
    deal: int
    dealer: Seat
    commit: str | None
    next_commit: str
    turn: Seat | None
    round: int
    turned: Card | None
    auction: tuple[Call, ...]
    standing: Contract | None
    doubler: Seat | None
    contract: Contract | None
    hand: Cards | None
    counts: tuple[int, ...]
    up: tuple[tuple[Card | None, ...], ...]
    down: tuple[tuple[int, ...], ...]
    trick: Trick | None
    last_trick: Trick | None
    played: Cards
    tricks: tuple[int, ...]
    declarations: tuple[SeenDeclaration, ...]
    own_declarations: tuple[Declaration, ...]
    belote: tuple[BeloteSaid, ...]
    totals: tuple[int, ...]
    hanging: int
    continued: tuple[Seat, ...]
    deals: tuple[DealScored, ...]
    result: Result | None


def new_view(rules: RuleSet, viewer: Seat | None, dealer: Seat, next_commit: str) -> View:
    """What anybody knows of a match before its first deal."""
    return View(
        rules=rules,
        viewer=viewer,
        phase="dealing",
        deal=0,
        dealer=dealer,
        commit=None,
        next_commit=next_commit,
        turn=None,
        round=0,
        turned=None,
        auction=(),
        standing=None,
        doubler=None,
        contract=None,
        hand=None if viewer is None else (),
        counts=(0,) * rules.players,
        up=((),) * rules.players,
        down=((),) * rules.players,
        trick=None,
        last_trick=None,
        played=(),
        tricks=(0,) * rules.sides,
        declarations=(),
        own_declarations=(),
        belote=(),
        totals=(0,) * rules.sides,
        hanging=0,
        continued=(),
        deals=(),
        result=None,
    )
