"""Everything the referee knows of a match, and how an event changes it (D1).

``evolve`` copies what an event tells and never calls a rule: legality, winners and points were
decided once, by ``engine.decide``, so a mended rule changes no match of the past.
"""

from dataclasses import dataclass, replace
from typing import assert_never

from app.belote.cards import Card, Seat, side_of
from app.belote.deal import next_seat
from app.belote.events import (
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
    GameEvent,
    HandDealt,
    MatchEnded,
    Passed,
    PassedOut,
    RestDealt,
    RevealedSecret,
    SeenDeclaration,
    TrickTaken,
)
from app.belote.ranking import Mask, mask_of
from app.belote.rules import RuleSet
from app.belote.view import Phase, Result, Trick, added, belote_told


@dataclass(frozen=True, slots=True)
class State:
    """A match between two events. ``hands`` are bit masks, ``dealt`` the same cards in the order
    dealt before the auction; ``won`` counts tricks a seat, ``points`` and ``totals`` count a side.
    ``unrevealed`` are the bytes of past deals that wait for the match's end."""

    rules: RuleSet
    match: str
    phase: Phase
    deal: int
    dealer: Seat
    next_dealer: Seat
    commit: str | None
    secret: str
    next_commit: str
    next_secret: str
    turn: Seat | None
    round: int
    turned: Card | None
    stock: Cards
    dealt: tuple[Cards, ...]
    auction: tuple[Call, ...]
    contract: Contract | None
    hands: tuple[Mask, ...]
    trick: Trick | None
    last_trick: Trick | None
    played: Cards
    won: tuple[int, ...]
    points: tuple[int, ...]
    declared: tuple[Declaration, ...]
    declarations: tuple[SeenDeclaration, ...]
    belote: tuple[BeloteSaid, ...]
    totals: tuple[int, ...]
    hanging: int
    continued: tuple[Seat, ...]
    deals: tuple[DealScored, ...]
    unrevealed: tuple[RevealedSecret, ...]
    result: Result | None


def new_match(rules: RuleSet, match: str, dealer: Seat, commit: str, secret: str) -> State:
    """A match before its first deal. ``commit`` and ``secret`` (hex) belong to that deal;
    ``match`` is the id that goes into every deal's shuffle."""
    return State(
        rules=rules,
        match=match,
        phase="dealing",
        deal=0,
        dealer=dealer,
        next_dealer=dealer,
        commit=None,
        secret="",
        next_commit=commit,
        next_secret=secret,
        turn=None,
        round=0,
        turned=None,
        stock=(),
        dealt=((),) * rules.players,
        auction=(),
        contract=None,
        hands=(0,) * rules.players,
        trick=None,
        last_trick=None,
        played=(),
        won=(0,) * rules.players,
        points=(0,) * rules.sides,
        declared=(),
        declarations=(),
        belote=(),
        totals=(0,) * rules.sides,
        hanging=0,
        continued=(),
        deals=(),
        unrevealed=(),
        result=None,
    )


def evolve(state: State, event: GameEvent) -> State:
    """The state after an event that ``decide`` made, or that a log told."""
    match event:
        case CardPlayed():
            return _card_played(state, event)
        case TrickTaken():
            return _trick_taken(state, event)
        case Declared():
            return _declared(state, event)
        case DeclarationsSettled():
            return replace(state, declarations=event.declarations)
        case Passed() | BidMade() | RestDealt() | PassedOut():
            return _evolve_auction(state, event)
        case HandDealt() | DealScored() | Continued() | MatchEnded():
            return _evolve_between(state, event)
        case _:
            assert_never(event)


def _card_played(state: State, event: CardPlayed) -> State:
    trick = state.trick
    assert trick is not None  # a card is played into a trick
    players = state.rules.players
    cards = (*trick.cards, event.card)
    hands = list(state.hands)
    hands[event.seat] &= ~(1 << event.card)
    return replace(
        state,
        hands=tuple(hands),
        trick=Trick(trick.leader, cards),
        played=(*state.played, event.card),
        turn=next_seat(event.seat, players) if len(cards) < players else None,
        belote=belote_told(state.belote, event),
    )


def _trick_taken(state: State, event: TrickTaken) -> State:
    trick = state.trick
    assert trick is not None  # a trick that is taken lies on the table
    more = any(state.hands)
    return replace(
        state,
        last_trick=Trick(trick.leader, trick.cards, event.winner),
        trick=Trick(event.winner, ()) if more else None,
        turn=event.winner if more else None,
        won=added(state.won, event.winner, 1),
        points=added(state.points, side_of(event.winner, state.rules.players), event.points),
    )


def _declared(state: State, event: Declared) -> State:
    told = tuple(SeenDeclaration(event.seat, kind) for kind in event.kinds)
    return replace(
        state,
        declared=state.declared + (event.declarations[event.seat] or ()),
        declarations=state.declarations + told,
    )


def _evolve_auction(state: State, event: Passed | BidMade | RestDealt | PassedOut) -> State:
    match event:
        case Passed():
            again = event.round == 1 and event.seat == state.dealer
            return replace(
                state,
                auction=(*state.auction, Call(event.seat, "pass")),
                turn=next_seat(event.seat, state.rules.players),
                round=2 if again else state.round,
            )
        case BidMade():
            call = Call(event.seat, event.call, event.trump, event.value)
            return replace(state, auction=(*state.auction, call), turn=None)
        case RestDealt():
            return replace(
                state,
                phase="play",
                contract=event.contract,
                hands=tuple(mask_of(cards or ()) for cards in event.cards),
                stock=(),
                trick=Trick(event.leader, ()),
                turn=event.leader,
            )
        case PassedOut():
            return replace(
                state,
                phase="passed_out",
                next_dealer=event.next_dealer,
                turn=None,
                hands=(0,) * state.rules.players,
                unrevealed=(*state.unrevealed, RevealedSecret(event.deal, state.secret)),
            )


def _evolve_between(state: State, event: HandDealt | DealScored | Continued | MatchEnded) -> State:
    match event:
        case HandDealt():
            return _hand_dealt(state, event)
        case DealScored():
            return _deal_scored(state, event)
        case Continued():
            return replace(state, continued=(*state.continued, event.seat))
        case MatchEnded():
            result = Result(event.winner, event.reason, event.totals)
            return replace(state, phase="ended", result=result, turn=None)


def _hand_dealt(state: State, event: HandDealt) -> State:
    players = state.rules.players
    dealt = tuple(cards or () for cards in event.cards)
    return replace(
        state,
        phase="auction",
        deal=event.deal,
        dealer=event.dealer,
        commit=event.commit,
        secret=event.secret,
        next_commit=event.next_commit,
        next_secret=event.next_secret,
        turn=next_seat(event.dealer, players),
        round=1,
        turned=event.turned,
        stock=event.stock,
        dealt=dealt,
        auction=(),
        contract=None,
        hands=tuple(mask_of(cards) for cards in dealt),
        trick=None,
        last_trick=None,
        played=(),
        won=(0,) * players,
        points=(0,) * state.rules.sides,
        declared=(),
        declarations=(),
        belote=(),
        continued=(),
    )


def _deal_scored(state: State, event: DealScored) -> State:
    kept = () if event.secret is not None else (RevealedSecret(event.deal, state.secret),)
    return replace(
        state,
        phase="scored",
        next_dealer=event.next_dealer,
        turn=None,
        trick=None,
        hands=(0,) * state.rules.players,
        declarations=event.declarations,
        belote=event.belote,
        totals=event.score.totals,
        hanging=event.score.hung,
        continued=(),
        deals=(*state.deals, event),
        unrevealed=state.unrevealed + kept,
    )
