"""What one viewer may know of a match, and how an event changes it (D4, D6, D11).

``view`` and ``redact`` compose what a viewer gets from public and own private parts; ``apply`` is
the viewer's own ``evolve``. The law D6, for each seat and for the spectator (``viewer`` None)::

    apply(view(state, p), redact(event, p)) == view(evolve(state, event), p)

The browser's ``apply.js`` mirrors ``apply``; bots think on a ``View`` alone.
"""

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields, replace
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, TypeVar, assert_never, get_type_hints

from app.belote.cards import Card, Seat, Side, side_of, suit_of
from app.belote.deal import next_seat
from app.belote.events import (
    HIDDEN,
    PRIVATE,
    Audience,
    BeloteSaid,
    BidMade,
    Call,
    CardPlayed,
    Cards,
    Continued,
    Contract,
    DealScored,
    Declaration,
    DeclarationsSettled,
    Declared,
    EndReason,
    Event,
    GameEvent,
    HandDealt,
    MatchEnded,
    Passed,
    PassedOut,
    RestDealt,
    SeenDeclaration,
    TrickTaken,
)
from app.belote.ranking import cards_of
from app.belote.rules import RuleSet

if TYPE_CHECKING:  # the state is made of this module's parts
    from app.belote.state import State

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
        contract=None,
        hand=None if viewer is None else (),
        counts=(0,) * rules.players,
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


def view(state: "State", viewer: Seat | None) -> View:
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
        contract=state.contract,
        hand=None if viewer is None else cards_of(state.hands[viewer]),
        counts=tuple(hand.bit_count() for hand in state.hands),
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


@dataclass(frozen=True, slots=True)
class Audiences:
    """The names of an event type's fields by who may read them (D4)."""

    public: tuple[str, ...]
    private: tuple[str, ...]
    hidden: tuple[str, ...]


@cache
def audiences(kind: type[Event]) -> Audiences:
    """Who may read which field of that type. A field for several audiences, a private one that
    can't be left out and a hidden one without a default would leak or break: ``TypeError``."""
    hints: Mapping[str, Any] = get_type_hints(kind, include_extras=True)
    names: dict[Audience | None, list[str]] = {None: [], PRIVATE: [], HIDDEN: []}
    for field in fields(kind):
        marks = getattr(hints[field.name], "__metadata__", ())
        if len(marks) > 1 or any(not isinstance(mark, Audience) for mark in marks):
            raise TypeError(f"{kind.__name__}.{field.name}: one audience a field")
        if marks == (HIDDEN,) and field.default is MISSING:
            raise TypeError(f"{kind.__name__}.{field.name}: a hidden field needs a default")
        names[marks[0] if marks else None].append(field.name)
    return Audiences(tuple(names[None]), tuple(names[PRIVATE]), tuple(names[HIDDEN]))


E = TypeVar("E", bound=Event)


def redact(event: E, viewer: Seat | None, players: int) -> E:
    """What a viewer gets of an event: composed of the public fields and its own private entries,
    never cut out of the whole, so that what is forgotten stays hidden (D4)."""
    kind = type(event)
    who = audiences(kind)  # type: ignore[arg-type]  # mypy: a type is hashable
    if not who.private and not who.hidden:
        return event
    told: dict[str, Any] = {name: getattr(event, name) for name in who.public}
    for name in who.private:
        own = None if viewer is None else getattr(event, name)[viewer]
        told[name] = tuple(own if seat == viewer else None for seat in range(players))
    return kind(**told)


def apply(view: View, event: GameEvent) -> View:
    """The viewer's own ``evolve``, over what ``redact`` gave it (D6). The browser mirrors it."""
    match event:
        case CardPlayed():
            return _card_played(view, event)
        case TrickTaken():
            return _trick_taken(view, event)
        case Declared():
            return _declared(view, event)
        case DeclarationsSettled():
            return replace(view, declarations=event.declarations)
        case Passed() | BidMade() | RestDealt() | PassedOut():
            return _apply_auction(view, event)
        case HandDealt() | DealScored() | Continued() | MatchEnded():
            return _apply_between(view, event)
        case _:
            assert_never(event)


def _own(view: View, cards: tuple[Cards | None, ...]) -> Cards | None:
    """The viewer's own entry, as a hand."""
    return None if view.viewer is None else tuple(sorted(cards[view.viewer] or ()))


def _card_played(view: View, event: CardPlayed) -> View:
    trick = view.trick
    assert trick is not None  # a card is played into a trick
    cards = (*trick.cards, event.card)
    hand = view.hand
    if hand is not None and event.seat == view.viewer:
        hand = tuple(card for card in hand if card != event.card)
    players = view.rules.players
    return replace(
        view,
        hand=hand,
        counts=added(view.counts, event.seat, -1),
        trick=Trick(trick.leader, cards),
        played=(*view.played, event.card),
        turn=next_seat(event.seat, players) if len(cards) < players else None,
        belote=belote_told(view.belote, event),
    )


def _trick_taken(view: View, event: TrickTaken) -> View:
    trick = view.trick
    assert trick is not None  # a trick that is taken lies on the table
    more = any(view.counts)
    return replace(
        view,
        last_trick=Trick(trick.leader, trick.cards, event.winner),
        trick=Trick(event.winner, ()) if more else None,
        turn=event.winner if more else None,
        tricks=added(view.tricks, side_of(event.winner, view.rules.players), 1),
    )


def _declared(view: View, event: Declared) -> View:
    told = tuple(SeenDeclaration(event.seat, kind) for kind in event.kinds)
    own = () if view.viewer is None else event.declarations[view.viewer] or ()
    return replace(
        view,
        declarations=view.declarations + told,
        own_declarations=view.own_declarations + own,
    )


def _apply_auction(view: View, event: Passed | BidMade | RestDealt | PassedOut) -> View:
    match event:
        case Passed():
            again = event.round == 1 and event.seat == view.dealer
            return replace(
                view,
                auction=(*view.auction, Call(event.seat, "pass")),
                turn=next_seat(event.seat, view.rules.players),
                round=2 if again else view.round,
            )
        case BidMade():
            call = Call(event.seat, event.call, event.trump, event.value)
            return replace(view, auction=(*view.auction, call), turn=None)
        case RestDealt():
            return replace(
                view,
                phase="play",
                contract=event.contract,
                hand=_own(view, event.cards),
                counts=event.counts,
                trick=Trick(event.leader, ()),
                turn=event.leader,
            )
        case PassedOut():
            return replace(
                view,
                phase="passed_out",
                turn=None,
                hand=None if view.viewer is None else (),
                counts=(0,) * view.rules.players,
            )


def _apply_between(view: View, event: HandDealt | DealScored | Continued | MatchEnded) -> View:
    match event:
        case HandDealt():
            return _hand_dealt(view, event)
        case DealScored():
            return _deal_scored(view, event)
        case Continued():
            return replace(view, continued=(*view.continued, event.seat))
        case MatchEnded():
            result = Result(event.winner, event.reason, event.totals)
            return replace(view, phase="ended", result=result, turn=None)


def _hand_dealt(view: View, event: HandDealt) -> View:
    return replace(
        view,
        phase="auction",
        deal=event.deal,
        dealer=event.dealer,
        commit=event.commit,
        next_commit=event.next_commit,
        turn=next_seat(event.dealer, view.rules.players),
        round=1,
        turned=event.turned,
        auction=(),
        contract=None,
        hand=_own(view, event.cards),
        counts=event.counts,
        trick=None,
        last_trick=None,
        played=(),
        tricks=(0,) * view.rules.sides,
        declarations=(),
        own_declarations=(),
        belote=(),
        continued=(),
    )


def _deal_scored(view: View, event: DealScored) -> View:
    return replace(
        view,
        phase="scored",
        turn=None,
        trick=None,
        hand=None if view.viewer is None else (),
        counts=(0,) * view.rules.players,
        declarations=event.declarations,
        belote=event.belote,
        totals=event.score.totals,
        hanging=event.score.hung,
        continued=(),
        deals=(*view.deals, event),
    )


def added(counts: tuple[int, ...], place: int, more: int) -> tuple[int, ...]:
    """The counts with one of them changed."""
    return (*counts[:place], counts[place] + more, *counts[place + 1 :])


def belote_told(said: tuple[BeloteSaid, ...], event: CardPlayed) -> tuple[BeloteSaid, ...]:
    """What has been said of king and queen of trumps, with what this card's seat said."""
    if event.belote is None:
        return said
    suit = suit_of(event.card)
    if event.belote == "belote":
        return (*said, BeloteSaid(event.seat, suit, 1))
    return tuple(replace(b, said=2) if b.seat == event.seat and b.suit == suit else b for b in said)
