"""What one viewer may know of a match, and how an event changes it (D4, D6, D11).

``view`` and ``redact`` compose what a viewer gets from public and own private parts; ``apply`` is
the viewer's own ``evolve``. The law D6, for each seat and for the spectator (``viewer`` None)::

    apply(view(state, p), redact(event, p)) == view(evolve(state, event), p)

The browser's ``apply.js`` mirrors ``apply``; bots think on a ``View`` alone.
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

Phase = Literal["dealing", "auction", "play", "scored", "passed_out", "ended"]
"""dealing: before the first deal; scored and passed_out: between two deals."""


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

    ``turned`` lies on the table during the auction and stays known afterwards. ``hand`` is None
    for the spectator, else sorted by card number. ``own_declarations`` are the viewer's, with
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
    contract: Contract | None
    hand: Cards | None
    counts: tuple[int, ...]
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
