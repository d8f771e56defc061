"""Claiming the rest: a seat on lead that wins every trick left, whatever the others hold.

``leads`` is a function of the seat's own view alone; ``rest`` plays the cards out, so that the
log, the record and the score are those of a deal that was played.

Why it is right. Each own card must win when it is led. Nothing but a higher card of its suit, or
in a suit contract a trump, can beat it; all cards that were neither played nor are the seat's own
count as held by somebody. Who holds a suit follows it (docs/rules.md §1), so the n-th lead of a
suit, each of them taken, meets at most what is left after n rounds of one hand that held all of
it: with no more than n outside, nobody has any. The same draws the trumps before plain cards are
led. A card that lies face down can't follow: then nothing is drawn, and every lead must be the
highest by itself.
"""

from app.belote.cards import PACK_24, PACK_32, Card, Seat, Suit, Trump, suit_of
from app.belote.commands import Play
from app.belote.engine import decide, evolve, legal
from app.belote.events import CardPlayed, Cards, GameEvent
from app.belote.ranking import (
    ABOVE_PLAIN,
    ABOVE_TRUMP,
    STRENGTH,
    SUIT_MASKS,
    Mask,
    card_points,
    cards_of,
    is_trump,
    mask_of,
)
from app.belote.refusing import require
from app.belote.seen import View
from app.belote.state import State
from app.belote.view import view

_KING_AND_QUEEN = 0b0110_0000
"""Of the spades; shifted for the other suits."""


def leads(seen: View) -> Cards | None:
    """The viewer's cards in an order in which each wins its trick; None unless that is certain, or
    if the viewer is not on lead."""
    seat, contract, trick = seen.viewer, seen.contract, seen.trick
    if seat is None or contract is None or trick is None or trick.cards or seen.turn != seat:
        return None
    if seen.phase != "play" or any(seen.down[seat]):
        return None  # it does not know its own cards
    own = mask_of((*(seen.hand or ()), *(card for card in seen.up[seat] if card is not None)))
    pack = mask_of(PACK_32 if seen.rules.pack == 32 else PACK_24)
    outside = pack & ~own & ~mask_of(seen.played)
    covered = any(any(places) for places in seen.down)
    return in_order(contract.trump, own, outside, covered=covered)


def in_order(trump: Trump, own: Mask, outside: Mask, *, covered: bool = False) -> Cards | None:
    """``own`` cards in an order in which each is certain to win when led against ``outside``, the
    cards that somebody else may hold; None if there is none. ``covered``: some of those lie face
    down, where they can't follow."""
    suit = trump.suit
    if suit is not None and own & ~SUIT_MASKS[suit]:
        drawn = 0 if covered else (own & SUIT_MASKS[suit]).bit_count()
        if (outside & SUIT_MASKS[suit]).bit_count() > drawn:
            return None
    suits = sorted(range(4), key=lambda each: each != suit)  # the trumps are drawn first
    order: list[Card] = []
    for each in suits:
        found = _down_from_the_top(trump, Suit(each), own, outside, covered)
        if found is None:
            return None
        order += found
    return tuple(order)


def _down_from_the_top(
    trump: Trump, suit: Suit, own: Mask, outside: Mask, covered: bool
) -> list[Card] | None:
    """The own cards of one suit, highest first; None if one of them may be beaten in the suit."""
    others = outside & SUIT_MASKS[suit]
    strength = STRENGTH[trump][suit]
    mine = sorted(cards_of(own & SUIT_MASKS[suit]), key=strength.__getitem__, reverse=True)
    for number, card in enumerate(mine):
        above = (ABOVE_TRUMP if is_trump(card, trump) else ABOVE_PLAIN)[card]
        if others & above and (covered or number < others.bit_count()):
            return None
    return mine


def claimant(state: State) -> Seat | None:
    """The seat on lead if it may claim more than the last trick."""
    seat = state.turn
    if seat is None or state.phase != "play" or state.trick is None or state.trick.cards:
        return None
    if state.held(seat).bit_count() < 2:
        return None
    return None if leads(view(state, seat)) is None else seat


def rest(state: State, seat: Seat) -> tuple[GameEvent, ...]:
    """Every card of the deal that is left, one batch; raises ``RuleError``: ``wrong_phase``,
    ``not_your_turn``, ``not_on_lead`` or ``not_certain``."""
    require(state.phase == "play" and state.trick is not None, "wrong_phase")
    require(state.turn == seat, "not_your_turn")
    require(state.trick is not None and not state.trick.cards, "not_on_lead")
    order = leads(view(state, seat))
    require(order is not None, "not_certain")
    events: tuple[GameEvent, ...] = ()
    for card in order or ():
        if state.phase != "play":  # a declaration of the first trick has won the match
            break
        state, events = _played(state, events, seat, card)
        while state.phase == "play" and state.trick is not None and state.trick.cards:
            assert state.turn is not None
            thrown = _thrown(state, state.turn)
            state, events = _played(state, events, state.turn, thrown)
    return events


def _played(
    state: State, events: tuple[GameEvent, ...], seat: Seat, card: Card
) -> tuple[State, tuple[GameEvent, ...]]:
    more = decide(state, Play(seat, card))
    for event in more:
        state = evolve(state, event)
    return state, events + more


def _thrown(state: State, seat: Seat) -> Card:
    """What another seat adds to a trick that is lost to it: nothing that it does changes the card
    points, so it says a belote that it may say, keeps one that it may say later, and throws its
    cheapest card."""
    cards = legal(state, seat).cards
    saying = [card for card in cards if _says(state, seat, card)]
    keeping = _pairs(state.held(seat))
    free = [card for card in cards if not keeping >> card & 1]
    assert state.contract is not None
    points = card_points(state.rules, state.contract.trump)
    return min(saying or free or cards, key=lambda card: (points[card], card))


def _says(state: State, seat: Seat, card: Card) -> bool:
    events = decide(state, Play(seat, card))
    return any(isinstance(event, CardPlayed) and event.belote is not None for event in events)


def _pairs(hand: Mask) -> Mask:
    """The kings and queens of one suit that are in one hand."""
    pairs = 0
    for card in cards_of(hand):
        both = _KING_AND_QUEEN << 8 * suit_of(card)
        if hand & both == both:
            pairs |= both
    return pairs
