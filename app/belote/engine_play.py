"""From the contract to the last trick: what declaring and a card bring about (docs/rules.md §1)."""

from typing import NoReturn

from app.belote.cards import Card, Seat, name_of
from app.belote.commands import Declare, Play
from app.belote.deal import next_seat
from app.belote.declarations import belote_call, held, picked, run_of_eight, settled
from app.belote.engine_score import end_deal, end_with_run
from app.belote.events import (
    BeloteCall,
    CardPlayed,
    Cards,
    CardTurnedUp,
    Declaration,
    DeclarationsSettled,
    Declared,
    GameEvent,
    TrickTaken,
)
from app.belote.legal import Legal
from app.belote.play import legal_mask, refusals
from app.belote.ranking import LAST_TEN, best_of, card_points, cards_of
from app.belote.refusing import RuleError, require
from app.belote.state import State, evolve


def first_leader(state: State) -> Seat:
    """Who leads to the first trick."""
    if state.rules.lead == "dealer":
        return state.dealer
    return next_seat(state.dealer, state.rules.players)


def before_the_lead(state: State) -> tuple[GameEvent, ...]:
    """What follows the contract at once: nothing, unless all declare before the lead without being
    asked which."""
    events: tuple[GameEvent, ...] = ()
    while state.phase == "declaring" and state.rules.declare == "automatic":
        assert state.turn is not None
        more = declare(state, Declare(state.turn))
        events += more
        for event in more:
            state = evolve(state, event)
    return events


def legal_declarations(state: State, seat: Seat) -> Legal:
    """What the seat that is asked may declare before the lead."""
    return Legal(declarations=_found(state, seat))


def legal_cards(state: State, seat: Seat) -> Legal:
    """The cards that a seat may play, why not the others, and what it may say with them."""
    rules, hand = state.rules, state.held(seat)
    contract, trick = state.contract, state.trick
    assert contract is not None  # cards are played under a contract
    assert trick is not None
    trump = contract.trump
    mask = legal_mask(rules, trump, hand, trick.cards)
    why = () if mask == hand else refusals(rules, trump, hand, trick.cards, mask)
    cards = cards_of(mask)
    found: tuple[Declaration, ...] = ()
    if rules.declare == "player" and _declares_now(state):
        found = _found(state, seat)
    belote: Cards = ()
    if rules.belote_said == "player":
        belote = tuple(card for card in cards if _said(state, seat, card) == "belote")
    return Legal(cards=cards, why=why, declarations=found, belote=belote)


def _declares_now(state: State) -> bool:
    """Whether a seat declares with the card that it plays: with its first, before a trick is
    taken."""
    rules = state.rules
    return rules.declare != "none" and rules.declare_at == "first_card" and not state.winners


def _found(state: State, seat: Seat) -> tuple[Declaration, ...]:
    assert state.contract is not None
    return held(state.rules, state.contract.trump, seat, state.held(seat))


def declare(state: State, command: Declare) -> tuple[GameEvent, ...]:
    """A seat's answer before the lead."""
    require(state.phase == "declaring", "wrong_phase")
    require(state.turn == command.seat, "not_your_turn", seat=state.turn)
    chosen = _chosen(state, command.seat, command.declarations)
    return _with_run(state, (_declared(state, command.seat, chosen),))


def _chosen(state: State, seat: Seat, asked: tuple[Cards, ...] | None) -> tuple[Declaration, ...]:
    """The declarations that a seat makes; RuleError for some that it can't."""
    found = _found(state, seat)
    free = state.rules.declare == "player"
    chosen = picked(found, asked if free else None)
    if chosen is None or (asked is not None and not free):
        names = [[name_of(card) for card in each.cards] for each in found]
        raise RuleError("declaration_not_open", {"declarations": names})
    return chosen


def _declared(state: State, seat: Seat, chosen: tuple[Declaration, ...]) -> Declared:
    private = tuple(chosen if s == seat else None for s in range(state.rules.players))
    return Declared(seat, tuple(each.kind for each in chosen), private)


def _with_run(state: State, events: tuple[GameEvent, ...]) -> tuple[GameEvent, ...]:
    """A run of eight may win the match as soon as it is declared."""
    for event in events:
        state = evolve(state, event)
    seat = run_of_eight(state.rules, state.declared)
    return events if seat is None else events + end_with_run(state, seat)


def play(state: State, command: Play) -> tuple[GameEvent, ...]:
    """A card, what its seat says with it, and the trick that it completes."""
    seat, card = command.seat, command.card
    require(state.phase == "play", "wrong_phase")
    require(state.turn == seat, "not_your_turn", seat=state.turn)
    rules, hand, trick = state.rules, state.held(seat), state.trick
    assert trick is not None
    assert state.contract is not None  # cards are played under a contract
    allowed = legal_mask(rules, state.contract.trump, hand, trick.cards)
    if not hand >> card & 1:
        raise RuleError("not_your_card", {"legal": [name_of(c) for c in cards_of(allowed)]})
    if not allowed >> card & 1:
        _refuse(state, seat, card)
    events = _declare(state, command)
    if len(events) > 1:  # a run of eight has ended the match before the card
        return events
    said = _belote(state, command)
    events += (CardPlayed(seat, card, said),)
    if len(trick.cards) + 1 < rules.players:
        return events
    for event in events:
        state = evolve(state, event)
    return events + _complete_trick(state)


def _refuse(state: State, seat: Seat, card: Card) -> NoReturn:
    options = legal_cards(state, seat)
    why = dict(options.why)[card]
    facts = {
        "suit": None if why.suit is None else "SHDC"[why.suit],
        "beat": None if why.beat is None else name_of(why.beat),
        "legal": [name_of(card) for card in options.cards],
    }
    raise RuleError(why.code, facts)


def _declare(state: State, command: Play) -> tuple[GameEvent, ...]:
    """The seat's declarations, with its first card and before it. Withholding all and having none
    look the same."""
    if not _declares_now(state):
        if command.declare:
            raise RuleError("declaration_not_open", {"declarations": []})
        return ()
    chosen = _chosen(state, command.seat, command.declare)
    if not chosen:
        return ()
    return _with_run(state, (_declared(state, command.seat, chosen),))


def _said(state: State, seat: Seat, card: Card) -> BeloteCall | None:
    """What may be said with a card."""
    assert state.contract is not None
    assert state.trick is not None
    said = sum(b.seat == seat and b.suit == card >> 3 for b in state.belote)
    trump, hand = state.contract.trump, state.held(seat)
    return belote_call(state.rules, trump, hand, said, card, state.trick.cards)


def _belote(state: State, command: Play) -> BeloteCall | None:
    """What is said with the card. Only the first of the two cards leaves a choice: rebelote follows
    a belote that was said."""
    call = _said(state, command.seat, command.card)
    silent = command.belote is False
    free = state.rules.belote_said == "player" and call == "belote"
    if (silent and not free) or (command.belote is True and call is None):
        raise RuleError("belote_not_open")
    return None if silent else call


def _complete_trick(state: State) -> tuple[GameEvent, ...]:
    """What follows the last card of a trick that lies on the table."""
    rules, contract, trick = state.rules, state.contract, state.trick
    assert contract is not None
    assert trick is not None
    trump, cards = contract.trump, trick.cards
    last = not state.more()
    points = sum(card_points(rules, trump)[card] for card in cards) + LAST_TEN * last
    winner = Seat((trick.leader + best_of(cards, trump)) % rules.players)
    number = len(state.winners) + 1
    events: tuple[GameEvent, ...] = (TrickTaken(number, winner, points), *_turned_up(state))
    settle = last if rules.declarations_shown == "after_last_trick" else number == 1
    if settle and state.declared:
        shown = settled(rules, trump, first_leader(state), state.declared)
        events += (DeclarationsSettled(shown),)
    if not last:
        return events
    for event in events:
        state = evolve(state, event)
    return events + end_deal(state, winner)


def _turned_up(state: State) -> tuple[GameEvent, ...]:
    """Where a face-up card was played from a face-down one, that one is turned up now."""
    if state.rules.layout != "open":
        return ()
    found = []
    assert state.trick is not None
    for i in range(state.rules.players):
        seat = Seat((state.trick.leader + i) % state.rules.players)
        for place, card in enumerate(state.under[seat]):
            if card is not None and state.up[seat][place] is None:
                found.append(CardTurnedUp(seat, place, card))
    return tuple(found)
