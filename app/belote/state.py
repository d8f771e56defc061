"""Everything the referee knows of a match, and how an event changes it (D1).

``evolve`` copies what an event tells and never calls a rule: legality, winners and points were
decided once, by ``engine.decide``, so a mended rule changes no match of the past.
"""

from dataclasses import dataclass, replace
from typing import assert_never

from app.belote.calling import Bidding, CallEvent, told
from app.belote.cards import Card, Seat, side_of
from app.belote.deal import next_seat, seats_from
from app.belote.events import (
    BeloteSaid,
    BidMade,
    Call,
    CardPlayed,
    Cards,
    CardTurnedUp,
    Continued,
    Contract,
    DealAnnulled,
    DealScored,
    Declaration,
    DeclarationsSettled,
    Declared,
    Doubled,
    GameEvent,
    HandDealt,
    MatchEnded,
    Passed,
    PassedOut,
    Redoubled,
    RestDealt,
    RevealedSecret,
    SeenDeclaration,
    ThirdDoubled,
    TrickTaken,
)
from app.belote.following import (
    Places,
    added,
    after_declaring,
    before_the_lead,
    belote_told,
    placed,
    played_from,
    round_after,
    unseen,
)
from app.belote.gather import Leavings, WonTrick
from app.belote.ranking import Mask, cards_of, mask_of
from app.belote.rules import RuleSet
from app.belote.seen import Phase, Result, Trick


@dataclass(frozen=True, slots=True)
class State:
    """A match between two events. ``hands`` are bit masks, ``dealt`` the same cards in the order
    dealt before the auction; ``up`` and ``under`` lie face up and face down by seat and place
    (None: nothing any more); ``winners`` took the tricks so far, ``won`` counts them a seat,
    ``points`` and ``totals`` count a side. ``left`` is what the next pack is gathered from, where
    it is cut. ``unrevealed`` are the bytes of past deals that wait for the match's end."""

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
    standing: Contract | None
    doubler: Seat | None
    contract: Contract | None
    hands: tuple[Mask, ...]
    up: Places[Card | None]
    under: Places[Card | None]
    trick: Trick | None
    last_trick: Trick | None
    played: Cards
    winners: tuple[Seat, ...]
    won: tuple[int, ...]
    points: tuple[int, ...]
    declared: tuple[Declaration, ...]
    declarations: tuple[SeenDeclaration, ...]
    belote: tuple[BeloteSaid, ...]
    totals: tuple[int, ...]
    hanging: int
    continued: tuple[Seat, ...]
    deals: tuple[DealScored, ...]
    left: Leavings | None
    unrevealed: tuple[RevealedSecret, ...]
    result: Result | None

    def held(self, seat: Seat) -> Mask:
        """What a seat may play from: its hand and its cards that lie face up."""
        hand = self.hands[seat]
        for card in self.up[seat]:
            if card is not None:
                hand |= 1 << card
        return hand

    def more(self) -> bool:
        """Whether any card is left to play, one that lies face down among them."""
        if any(self.hands):
            return True
        lying = (*self.up, *self.under)
        return any(card is not None for places in lying for card in places)


def new_match(
    rules: RuleSet,
    match: str,
    dealer: Seat,
    commit: str,
    secret: str,
    left: Leavings | None = None,
) -> State:
    """A match before its first deal. ``commit`` and ``secret`` (hex) belong to that deal;
    ``match`` is the id that goes into every deal's shuffle; ``left`` is what the table's last match
    left of a pack that is cut (None: it is freshly shuffled)."""
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
        standing=None,
        doubler=None,
        contract=None,
        hands=(0,) * rules.players,
        up=((),) * rules.players,
        under=((),) * rules.players,
        trick=None,
        last_trick=None,
        played=(),
        winners=(),
        won=(0,) * rules.players,
        points=(0,) * rules.sides,
        declared=(),
        declarations=(),
        belote=(),
        totals=(0,) * rules.sides,
        hanging=0,
        continued=(),
        deals=(),
        left=left,
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
        case CardTurnedUp():
            return replace(
                state,
                up=placed(state.up, event.seat, event.place, event.card),
                under=placed(state.under, event.seat, event.place, None),
            )
        case Declared():
            return _declared(state, event)
        case DeclarationsSettled():
            return replace(state, declarations=event.declarations)
        case Passed() | BidMade() | Doubled() | Redoubled() | ThirdDoubled():
            return _called(state, event)
        case RestDealt():
            return _rest_dealt(state, event)
        case HandDealt() | PassedOut() | DealAnnulled() | DealScored() | Continued() | MatchEnded():
            return _evolve_between(state, event)
        case _:
            assert_never(event)


def _card_played(state: State, event: CardPlayed) -> State:
    trick, seat = state.trick, event.seat
    assert trick is not None  # a card is played into a trick
    players = state.rules.players
    cards = (*trick.cards, event.card)
    hands, up = list(state.hands), state.up
    if event.card in up[seat]:
        up = played_from(up, seat, event.card)
    hands[seat] &= ~(1 << event.card)
    return replace(
        state,
        hands=tuple(hands),
        up=up,
        trick=Trick(trick.leader, cards),
        played=(*state.played, event.card),
        turn=next_seat(seat, players) if len(cards) < players else None,
        belote=belote_told(state.belote, event),
    )


def _trick_taken(state: State, event: TrickTaken) -> State:
    trick = state.trick
    assert trick is not None  # a trick that is taken lies on the table
    more = state.more()
    return replace(
        state,
        last_trick=Trick(trick.leader, trick.cards, event.winner),
        trick=Trick(event.winner, ()) if more else None,
        turn=event.winner if more else None,
        winners=(*state.winners, event.winner),
        won=added(state.won, event.winner, 1),
        points=added(state.points, side_of(event.winner, state.rules.players), event.points),
    )


def _declared(state: State, event: Declared) -> State:
    return replace(
        state,
        declared=state.declared + (event.declarations[event.seat] or ()),
        declarations=state.declarations + unseen(event),
        **after_declaring(state, event),
    )


def _called(state: State, event: CallEvent) -> State:
    after = told(state.rules, Bidding(state.standing, state.doubler), event)
    if isinstance(event, Passed | BidMade) and event.cards:
        state = _looked(state, event.cards)
    return replace(
        state,
        auction=(*state.auction, after.call),
        standing=after.standing,
        doubler=after.doubler,
        turn=after.turn,
        round=round_after(state, event),
    )


def _looked(state: State, shown: tuple[Cards | None, ...]) -> State:
    """Cards that lay face down for the auction's sake come into the hands (bela)."""
    hands = tuple(hand | mask_of(c or ()) for hand, c in zip(state.hands, shown, strict=True))
    under = tuple(() if c else places for places, c in zip(state.under, shown, strict=True))
    return replace(state, hands=hands, under=under)


def _rest_dealt(state: State, event: RestDealt) -> State:
    hands = tuple(mask_of(cards or ()) for cards in event.cards)
    return replace(
        state,
        contract=event.contract,
        hands=hands,
        stock=tuple(c for c in state.stock if not any(hand >> c & 1 for hand in hands)),
        trick=Trick(event.leader, ()),
        **before_the_lead(state, event),
    )


def _evolve_between(
    state: State,
    event: HandDealt | PassedOut | DealAnnulled | DealScored | Continued | MatchEnded,
) -> State:
    match event:
        case HandDealt():
            return _hand_dealt(state, event)
        case PassedOut() | DealAnnulled():
            return _not_counted(state, event)
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
        standing=None,
        doubler=None,
        contract=None,
        hands=tuple(mask_of(cards) for cards in dealt),
        up=event.up or ((),) * players,
        under=event.under or ((),) * players,
        trick=None,
        last_trick=None,
        played=(),
        winners=(),
        won=(0,) * players,
        points=(0,) * state.rules.sides,
        declared=(),
        declarations=(),
        belote=(),
        continued=(),
        left=None,
    )


def _not_counted(state: State, event: PassedOut | DealAnnulled) -> State:
    """Nobody took the deal: its bytes wait for the match's end, for nobody saw the hands."""
    auction = state.auction
    if isinstance(event, DealAnnulled):
        auction = (*auction, Call(event.seat, "annul"))
    return replace(
        _cleared(state),
        phase="passed_out",
        auction=auction,
        next_dealer=event.next_dealer,
        left=_hands_left(state) if state.rules.handling == "cut" else None,
        unrevealed=(*state.unrevealed, RevealedSecret(event.deal, state.secret)),
    )


def _cleared(state: State) -> State:
    """Nothing is held any more, nobody is to play."""
    players = state.rules.players
    return replace(
        state,
        turn=None,
        trick=None,
        hands=(0,) * players,
        up=((),) * players,
        under=((),) * players,
    )


def _hands_left(state: State) -> Leavings:
    """The hands of a deal that nobody took, from eldest, and below them what was not dealt."""
    players = state.rules.players
    hands = []
    for seat in seats_from(next_seat(state.dealer, players), players):
        lying = (c for c in (*state.up[seat], *state.under[seat]) if c is not None)
        hands.append((*cards_of(state.hands[seat]), *lying))
    turned = () if state.turned is None else (state.turned,)
    return Leavings(hands=tuple(hands), stock=(*turned, *state.stock))


def _tricks_left(state: State) -> Leavings | None:
    """The tricks of a deal that was played to its end, as they were taken; None for another."""
    players = state.rules.players
    if not state.winners or any(state.hands):
        return None
    tricks = tuple(
        WonTrick(side_of(winner, players), state.played[i * players : (i + 1) * players])
        for i, winner in enumerate(state.winners)
    )
    return Leavings(tricks=tricks, stock=state.stock)


def _deal_scored(state: State, event: DealScored) -> State:
    kept = () if event.secret is not None else (RevealedSecret(event.deal, state.secret),)
    return replace(
        _cleared(state),
        phase="scored",
        next_dealer=event.next_dealer,
        declarations=event.declarations,
        belote=event.belote,
        totals=event.score.totals,
        hanging=event.score.hung,
        continued=(),
        deals=(*state.deals, event),
        left=_tricks_left(state) if state.rules.handling == "cut" else None,
        unrevealed=state.unrevealed + kept,
    )
