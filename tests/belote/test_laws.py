"""Laws that hold for every deal of every preset."""

import ast
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import app.belote.state
from app.belote.cards import KING, PACK_32, QUEEN, Card, Seat, rank_of, suit_of
from app.belote.commands import Command, Deal, Play
from app.belote.declarations import held
from app.belote.engine import RuleError, State, decide, evolve, legal, sensible, turn_of
from app.belote.events import DealScored, Score, TrickTaken
from app.belote.notation import deal_record, replayed
from app.belote.presets import CLASSIC
from app.belote.ranking import mask_of
from app.belote.rules import RuleSet
from app.belote.text import record_of, text_of
from app.belote.view import apply, new_view, redact, view

from .driver import moves, play_match
from .strategies import VIEWERS, Played, deals, law, viewers

pytestmark = pytest.mark.timeout(900)  # `make full` deals ten times as many

ALL_CARDS = mask_of(PACK_32)


@law
@given(deals())
def test_every_card_is_in_one_place(deal: Played) -> None:
    for step in deal.steps[:-1]:
        state = step.after
        places = [*state.hands, mask_of(state.played), mask_of(state.stock)]
        if state.phase == "auction":
            assert state.turned is not None
            places.append(1 << state.turned)
        assert sum(place.bit_count() for place in places) == 32
        assert sum(places) == ALL_CARDS


@law
@given(deals())
def test_exactly_the_legal_cards_are_accepted_and_a_refusal_changes_nothing(
    deal: Played,
) -> None:
    for step in deal.steps:
        state = step.after
        turn = turn_of(state)
        if turn is None or turn.kind != "play":
            continue
        before = hash(state)
        options = legal(state, turn.seat)
        accepted = {card for card in PACK_32 if accepts(state, Play(turn.seat, card))}
        assert accepted == set(options.cards)
        assert accepted
        refused = {card for card, _ in options.why}
        assert accepted | refused == {c for c in PACK_32 if state.hands[turn.seat] >> c & 1}
        assert not accepted & refused
        other = Seat((turn.seat + 1) % 4)
        assert not any(accepts(state, Play(other, card)) for card in PACK_32)
        assert legal(state, other).cards == ()
        assert hash(state) == before


def accepts(state: State, command: Command) -> bool:
    try:
        decide(state, command)
    except RuleError:
        return False
    return True


@law
@given(deals())
def test_something_is_legal_at_every_turn(deal: Played) -> None:
    for step in deal.steps:
        if step.after.turn is not None:
            assert moves(step.after)
            assert accepts(step.after, sensible(step.after, step.after.turn))


@law
@given(deals())
def test_points_are_all_given_and_none_twice(deal: Played) -> None:
    events = deal.events
    scored = [event for event in events if isinstance(event, DealScored)]
    if not scored:
        return
    score = scored[0].score
    taken = [event for event in events if isinstance(event, TrickTaken)]
    assert [event.trick for event in taken] == list(range(1, 9))
    assert sum(event.points for event in taken) == 162 == sum(score.cards) + 10
    assert sum(score.tricks) == 8
    everything = tricks_worth(deal, score) + sum(score.declarations) + sum(score.belote)
    assert sum(score.awarded) + score.hung == everything + score.carried_in
    before = deal.first.totals
    assert score.totals == tuple(a + b for a, b in zip(before, score.awarded, strict=True))


def tricks_worth(deal: Played, score: Score) -> int:
    """162, or what every trick pays."""
    if score.capot is None:
        return 162
    winners = {event.winner for event in deal.events if isinstance(event, TrickTaken)}
    alone = deal.first.rules.preset == "classic-dealer-leads" and len(winners) == 1
    return 350 if alone else 252


@law
@given(deals())
def test_a_log_folds_to_the_same_state(deal: Played) -> None:
    state = deal.first
    for event in deal.events:
        state = evolve(state, event)
    assert state == deal.last


@law
@given(deals())
def test_a_viewer_who_applies_what_it_gets_knows_what_it_may(deal: Played) -> None:
    """D6, for every seat and the spectator, at every event."""
    state = deal.first
    for event in deal.events:
        after = evolve(state, event)
        for each in VIEWERS:
            told = redact(event, each, 4)
            assert apply(view(state, each), told) == view(after, each)
        state = after


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_whole_match_can_be_followed_from_its_first_event(viewer: Seat | None) -> None:
    deal = Played(tuple(play_match(CLASSIC, 38)))
    first = deal.first
    now = new_view(first.rules, viewer, first.dealer, first.next_commit)
    assert now == view(first, viewer)
    for event in deal.events:
        now = apply(now, redact(event, viewer, 4))
    assert now == view(deal.last, viewer)


@law
@given(st.data(), deals(), viewers)
def test_cards_that_a_viewer_has_not_seen_change_nothing_that_it_gets(
    data: st.DataObject, deal: Played, viewer: Seat | None
) -> None:
    """Two cards that the viewer never holds change places between the others or the stock, and
    the hidden bytes are others too. Until one of the two is seen, the viewer gets the same."""
    dealing = deal.steps[0].command
    assert isinstance(dealing, Deal)
    own = own_cards(deal, viewer)
    unseen = [c for c in dealing.pack if c not in own and c != deal.steps[0].after.turned]
    one, two = data.draw(st.lists(st.sampled_from(unseen), min_size=2, max_size=2, unique=True))
    swapped = {one: two, two: one}
    other_deal = replace(
        dealing, pack=tuple(swapped.get(c, c) for c in dealing.pack), next_secret="ff"
    )
    here, there = deal.first, replace(deal.first, next_secret="ee")
    marks = telling_cards(here.rules, deal, one, two)
    for step in deal.steps:
        command = step.command if step.command is not dealing else other_deal
        if isinstance(command, Play) and command.card in marks:
            return  # seen now: what follows may tell
        try:
            others = decide(there, command)
        except RuleError:
            return  # these cards were not open to the other hand: the swap can't go on
        assert len(others) == len(step.events)
        for mine, theirs in zip(step.events, others, strict=True):
            here, there = evolve(here, mine), evolve(there, theirs)
            assert redact(mine, viewer, 4) == redact(theirs, viewer, 4)
            assert view(here, viewer) == view(there, viewer)
        if viewer is not None:
            assert legal(here, viewer) == legal(there, viewer)
            if here.turn == viewer:
                assert sensible(here, viewer) == sensible(there, viewer)


def own_cards(deal: Played, viewer: Seat | None) -> set[Card]:
    """All cards that the viewer holds at some time in the deal."""
    if viewer is None:
        return set()
    held_ = 0
    for step in deal.steps:
        held_ |= step.after.hands[viewer]
    return {card for card in PACK_32 if held_ >> card & 1}


def telling_cards(rules: RuleSet, deal: Played, one: Card, two: Card) -> set[Card]:
    """The cards that tell of the swap when they are played: the two themselves, the partner of a
    king or queen of trumps among them (belote is said or not). Swaps that change anybody's
    declarations are left out, for those are announced."""
    marks = {one, two}
    playing = next((step.after for step in deal.steps if step.after.contract is not None), None)
    if playing is None:
        return marks
    assert playing.contract is not None
    swap = (1 << one) | (1 << two)
    for seat, hand in enumerate(playing.hands):
        changed = hand ^ swap if (hand & swap).bit_count() == 1 else hand
        for each in (hand, changed):
            declared = held(rules, playing.contract.trump, Seat(seat), each)
            assume(not any(mask_of(d.cards) & swap for d in declared))
    for card in (one, two):
        if suit_of(card) == playing.contract.trump.suit and rank_of(card) in (QUEEN, KING):
            marks.add(Card(card ^ QUEEN ^ KING))
    return marks


@law
@given(deals())
def test_a_record_is_the_deal_and_its_text_the_record(deal: Played) -> None:
    state, events = deal.first, deal.events
    record = deal_record(state.rules, state.match, events)
    assert record_of(text_of(record)) == record
    again = replayed(record)
    scored = record["score"] is not None
    if scored:
        assert deal_record(state.rules, state.match, again) == record
    else:
        assert deal_record(state.rules, state.match, again)["auction"] == record["auction"]


def test_evolve_knows_no_rule() -> None:
    """D1: the module of `evolve` can't even name one."""
    source = Path(app.belote.state.__file__).read_text()
    imported = {
        node.module for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom)
    }
    rules_of_play = {"play", "bidding", "declarations", "scoring", "engine", "presets", "shuffle"}
    assert not {f"app.belote.{name}" for name in rules_of_play} & imported
