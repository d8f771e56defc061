"""A viewer's own ``evolve``: what an event changes of what it knows (D6). ``apply.js`` mirrors it.

Events carry outcomes (D1): nothing here decides who wins a trick or what a deal scores.
"""

from dataclasses import replace
from typing import assert_never

from app.belote.calling import Bidding, CallEvent, told
from app.belote.cards import side_of
from app.belote.deal import next_seat
from app.belote.events import (
    BidMade,
    Call,
    CardPlayed,
    Cards,
    CardTurnedUp,
    Continued,
    DealAnnulled,
    DealScored,
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
    ThirdDoubled,
    TrickTaken,
)
from app.belote.following import (
    added,
    after_declaring,
    before_the_lead,
    belote_told,
    placed,
    played_from,
    round_after,
    unseen,
)
from app.belote.seen import Result, Trick, View


def apply(view: View, event: GameEvent) -> View:
    """The viewer's own ``evolve``, over what ``redact`` gave it (D6). The browser mirrors it."""
    match event:
        case CardPlayed():
            return _card_played(view, event)
        case TrickTaken():
            return _trick_taken(view, event)
        case CardTurnedUp():
            return _turned_up(view, event)
        case Declared():
            return _declared(view, event)
        case DeclarationsSettled():
            return replace(view, declarations=event.declarations)
        case Passed() | BidMade() | Doubled() | Redoubled() | ThirdDoubled():
            return _called(view, event)
        case RestDealt():
            return _rest_dealt(view, event)
        case HandDealt() | PassedOut() | DealAnnulled() | DealScored() | Continued() | MatchEnded():
            return _apply_between(view, event)
        case _:
            assert_never(event)


def _own(view: View, cards: tuple[Cards | None, ...]) -> Cards | None:
    """The viewer's own entry, as a hand."""
    return None if view.viewer is None else tuple(sorted(cards[view.viewer] or ()))


def _card_played(view: View, event: CardPlayed) -> View:
    trick, seat = view.trick, event.seat
    assert trick is not None  # a card is played into a trick
    cards = (*trick.cards, event.card)
    hand, counts, up = view.hand, view.counts, view.up
    if event.card in up[seat]:
        up = played_from(up, seat, event.card)
    else:
        counts = added(counts, seat, -1)
        if hand is not None and seat == view.viewer:
            hand = tuple(card for card in hand if card != event.card)
    players = view.rules.players
    return replace(
        view,
        hand=hand,
        counts=counts,
        up=up,
        trick=Trick(trick.leader, cards),
        played=(*view.played, event.card),
        turn=next_seat(seat, players) if len(cards) < players else None,
        belote=belote_told(view.belote, event),
    )


def _trick_taken(view: View, event: TrickTaken) -> View:
    trick = view.trick
    assert trick is not None  # a trick that is taken lies on the table
    more = (
        any(view.counts)
        or any(card is not None for places in view.up for card in places)
        or any(any(places) for places in view.down)
    )
    return replace(
        view,
        last_trick=Trick(trick.leader, trick.cards, event.winner),
        trick=Trick(event.winner, ()) if more else None,
        turn=event.winner if more else None,
        tricks=added(view.tricks, side_of(event.winner, view.rules.players), 1),
    )


def _turned_up(view: View, event: CardTurnedUp) -> View:
    return replace(
        view,
        up=placed(view.up, event.seat, event.place, event.card),
        down=placed(view.down, event.seat, event.place, 0),
    )


def _declared(view: View, event: Declared) -> View:
    own = () if view.viewer is None else event.declarations[view.viewer] or ()
    return replace(
        view,
        declarations=view.declarations + unseen(event),
        own_declarations=view.own_declarations + own,
        **after_declaring(view, event),
    )


def _called(view: View, event: CallEvent) -> View:
    after = told(view.rules, Bidding(view.standing, view.doubler), event)
    if isinstance(event, Passed | BidMade) and event.cards:
        view = _looked(view, event)
    return replace(
        view,
        auction=(*view.auction, after.call),
        standing=after.standing,
        doubler=after.doubler,
        turn=after.turn,
        round=round_after(view, event),
    )


def _looked(view: View, event: Passed | BidMade) -> View:
    """The seats that an event shows their face-down cards pick them up (bela)."""
    seats = (event.seat,) if isinstance(event, Passed) else range(view.rules.players)
    counts, down = view.counts, view.down
    for seat in seats:
        counts = added(counts, seat, sum(down[seat]))
        down = (*down[:seat], (), *down[seat + 1 :])
    hand = view.hand
    if hand is not None and view.viewer is not None:
        hand = tuple(sorted((*hand, *(event.cards[view.viewer] or ()))))
    return replace(view, hand=hand, counts=counts, down=down)


def _rest_dealt(view: View, event: RestDealt) -> View:
    return replace(
        view,
        contract=event.contract,
        hand=_own(view, event.cards),
        counts=event.counts,
        trick=Trick(event.leader, ()),
        **before_the_lead(view, event),
    )


def _apply_between(
    view: View,
    event: HandDealt | PassedOut | DealAnnulled | DealScored | Continued | MatchEnded,
) -> View:
    match event:
        case HandDealt():
            return _hand_dealt(view, event)
        case PassedOut() | DealAnnulled():
            auction = view.auction
            if isinstance(event, DealAnnulled):
                auction = (*auction, Call(event.seat, "annul"))
            return replace(_cleared(view), phase="passed_out", auction=auction)
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
        standing=None,
        doubler=None,
        contract=None,
        hand=_own(view, event.cards),
        counts=event.counts,
        up=event.up or ((),) * view.rules.players,
        down=tuple((1,) * count for count in event.down) or ((),) * view.rules.players,
        trick=None,
        last_trick=None,
        played=(),
        tricks=(0,) * view.rules.sides,
        declarations=(),
        own_declarations=(),
        belote=(),
        continued=(),
    )


def _cleared(view: View) -> View:
    """Nothing is held any more, nobody is to play."""
    players = view.rules.players
    return replace(
        view,
        turn=None,
        trick=None,
        hand=None if view.viewer is None else (),
        counts=(0,) * players,
        up=((),) * players,
        down=((),) * players,
    )


def _deal_scored(view: View, event: DealScored) -> View:
    return replace(
        _cleared(view),
        phase="scored",
        declarations=event.declarations,
        belote=event.belote,
        totals=event.score.totals,
        hanging=event.score.hung,
        continued=(),
        deals=(*view.deals, event),
    )
