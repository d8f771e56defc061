"""Laws that hold for every deal of every preset."""

import ast
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import app.belote.state
from app.belote.cards import KING, PACK_32, QUEEN, Card, Seat, Trump, rank_of
from app.belote.commands import (
    Annul,
    Bid,
    Command,
    Deal,
    Double,
    Name,
    Pass,
    Play,
    Redouble,
    Take,
    ThirdDouble,
)
from app.belote.deal import next_seat
from app.belote.declarations import held
from app.belote.engine import RuleError, State, also, decide, evolve, legal, sensible, turn_of
from app.belote.engine_auction import pack_cards
from app.belote.events import (
    BidMade,
    CardTurnedUp,
    DealScored,
    GameEvent,
    Passed,
    RestDealt,
    Score,
    TrickTaken,
)
from app.belote.notation import deal_record, replayed
from app.belote.presets import PRESETS
from app.belote.ranking import card_points, cards_of, mask_of
from app.belote.rules import RuleSet
from app.belote.text import record_of, text_of
from app.belote.view import apply, new_view, redact, view

from .driver import by_seed, deal_of, moves, play_deal, play_match, start
from .strategies import CASES, Played, deals, law, viewers_of


@law
@given(deals())
def test_every_card_is_in_one_place(deal: Played) -> None:
    for step in deal.steps[:-1]:
        state = step.after
        if state.phase not in ("auction", "declaring", "play"):
            continue
        places = [*state.hands, mask_of(state.played), mask_of(state.stock)]
        places += [mask_of(c for c in lying if c is not None)
                   for lying in (*state.up, *state.under)]  # fmt: skip
        if state.phase == "auction" and state.turned is not None:
            places.append(1 << state.turned)
        assert sum(place.bit_count() for place in places) == state.rules.pack
        assert sum(places) == mask_of(pack_cards(state.rules))


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
        assert accepted | refused == {c for c in PACK_32 if state.held(turn.seat) >> c & 1}
        assert not accepted & refused
        other = next_seat(turn.seat, state.rules.players)
        assert not any(accepts(state, Play(other, card)) for card in PACK_32)
        assert legal(state, other).cards == ()
        assert hash(state) == before


def accepts(state: State, command: Command) -> bool:
    return refused(state, command) is None


def refused(state: State, command: Command) -> RuleError | None:
    try:
        decide(state, command)
    except RuleError as error:
        return error
    return None


EVERY_BID = [Bid(Seat(0), trump, value) for trump in Trump
             for value in (None, 70, *range(80, 170, 10), "capot")]  # fmt: skip
EVERY_NAME = [Name(Seat(0), trump) for trump in Trump]
EVERY_CALL = (Pass, Take, Double, Redouble, ThirdDouble, Annul)


def every_call(seat: Seat) -> list[Command]:
    """Each call that any auction knows, of one seat."""
    named = [replace(each, seat=seat) for each in (*EVERY_BID, *EVERY_NAME)]
    return [*named, *(call(seat) for call in EVERY_CALL)]


@law
@given(deals())
def test_exactly_the_open_calls_are_accepted_and_the_others_are_told_what_is_open(
    deal: Played,
) -> None:
    """In turn what `legal` tells, out of turn what `also` tells, and nothing else."""
    for step in deal.steps:
        state = step.after
        if state.phase != "auction":
            continue
        for seat in map(Seat, range(state.rules.players)):
            turn = state.turn == seat
            options = legal(state, seat)
            allowed = set(moves(state)) if turn else {Double(seat) for _ in also(state, seat)}
            for call in every_call(seat):
                error = refused(state, call)
                assert (error is None) == (call in allowed), call
                if error is None:
                    continue
                if not turn:
                    assert error.code == "not_your_turn"
                    assert error.facts == {"seat": state.turn}
                else:
                    assert error.code != "not_your_turn"
                    assert error.facts["calls"] == list(options.calls)


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
    """162, 130 or 258 in tricks, all of them in one pile; in duel what was dealt."""
    rules, events = deal.first.rules, deal.events
    scored = [event for event in events if isinstance(event, DealScored)]
    if not scored or scored[0].score.outcome == "match":
        return
    score, contract = scored[0].score, scored[0].contract
    taken = [event for event in events if isinstance(event, TrickTaken)]
    tricks = 16 if rules.layout == "open" else 9 if rules.players == 2 else 8
    assert [event.trick for event in taken] == list(range(1, tricks + 1))
    unused = deal.steps[-1].before.stock
    points = card_points(rules, contract.trump)
    whole = sum(points[card] for card in pack_cards(rules)) - sum(points[card] for card in unused)
    assert sum(event.points for event in taken) == whole + 10 == sum(score.cards) + 10
    assert sum(score.tricks) == tricks
    if not unused and rules.card_points == "natural":
        assert whole + 10 == {"NT": 130, "AT": 258}.get(contract.trump, 162)
    elif not unused:
        assert whole + 10 == 162
    before = deal.first.totals
    assert score.totals == tuple(a + b for a, b in zip(before, score.awarded, strict=True))
    if rules.scoring == "points":
        everything = tricks_worth(deal, score) + sum(score.declarations) + sum(score.belote)
        assert sum(score.awarded) + score.hung == everything + score.carried_in


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
        for each in viewers_of(state.rules):
            told = redact(event, each, state.rules.players)
            assert apply(view(state, each), told) == view(after, each)
        state = after


@pytest.mark.parametrize("preset", PRESETS)
def test_a_whole_match_can_be_followed_from_its_first_event(preset: str) -> None:
    rules = PRESETS[preset]
    deal = Played(tuple(play_match(rules, 38)))
    first = deal.first
    for viewer in viewers_of(rules):
        now = new_view(rules, viewer, first.dealer, first.next_commit)
        assert now == view(first, viewer)
        for event in deal.events:
            now = apply(now, redact(event, viewer, rules.players))
        assert now == view(deal.last, viewer)


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


LAWS = (
    test_every_card_is_in_one_place,
    test_exactly_the_legal_cards_are_accepted_and_a_refusal_changes_nothing,
    test_exactly_the_open_calls_are_accepted_and_the_others_are_told_what_is_open,
    test_something_is_legal_at_every_turn,
    test_points_are_all_given_and_none_twice,
    test_a_log_folds_to_the_same_state,
    test_a_viewer_who_applies_what_it_gets_knows_what_it_may,
    test_a_record_is_the_deal_and_its_text_the_record,
)


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_every_law_holds_for_random_deals_of_every_game(preset: str) -> None:
    """As many deals of each game, without a search for the smallest one that fails."""
    for seed in range(CASES):
        state = start(PRESETS[preset], seed, dealer=seed % PRESETS[preset].players)
        deal = Played(tuple(play_deal(state, deal_of(state, seed), by_seed(seed))))
        for each in LAWS:
            each.hypothesis.inner_test(deal)  # type: ignore[attr-defined]


@law
@given(deals(), st.integers(0, 4), st.integers(0, 31), st.integers(0, 30))
def test_cards_that_a_viewer_has_not_seen_change_nothing_that_it_gets(
    deal: Played, who: int, first: int, second: int
) -> None:
    """Two cards that the viewer has not seen change places, among the others, in the stock, face
    down before anybody, the viewer too, and the hidden bytes are others. Until one of the two is
    seen, the viewer gets the same."""
    rules = deal.first.rules
    viewers = viewers_of(rules)
    viewer = viewers[who % len(viewers)]
    dealing = deal.steps[0].command
    assert isinstance(dealing, Deal)
    known = seen_at_first(deal.steps[0].after, viewer)
    unseen = [card for card in dealing.pack if card not in known]
    one = unseen.pop(first % len(unseen))
    two = unseen[second % len(unseen)]
    swapped = {one: two, two: one}
    other_deal = replace(
        dealing, pack=tuple(swapped.get(c, c) for c in dealing.pack), next_secret="ff"
    )
    here, there = deal.first, replace(deal.first, next_secret="ee")
    marks = telling_cards(rules, deal, one, two)
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
            if shows(mine, viewer, {one, two}):
                return
            here, there = evolve(here, mine), evolve(there, theirs)
            assert redact(mine, viewer, rules.players) == redact(theirs, viewer, rules.players)
            assert view(here, viewer) == view(there, viewer)
        if viewer is not None:
            assert legal(here, viewer) == legal(there, viewer)
            assert also(here, viewer) == also(there, viewer)
            if here.turn == viewer:
                assert sensible(here, viewer) == sensible(there, viewer)


def seen_at_first(state: State, viewer: Seat | None) -> set[Card]:
    """The cards that the viewer knows when the first packets are dealt."""
    known = {card for places in state.up for card in places if card is not None}
    if state.turned is not None:
        known.add(state.turned)
    return known if viewer is None else known | set(cards_of(state.hands[viewer]))


def shows(event: GameEvent, viewer: Seat | None, cards: set[Card]) -> bool:
    """Whether an event brings the viewer one of those cards: a packet, its own face-down ones, one
    that is turned up."""
    if isinstance(event, CardTurnedUp):
        return event.card in cards
    if viewer is None or not isinstance(event, RestDealt | Passed | BidMade) or not event.cards:
        return False
    return bool(cards & set(event.cards[viewer] or ()))


def telling_cards(rules: RuleSet, deal: Played, one: Card, two: Card) -> set[Card]:
    """The cards that tell of the swap when they are played: the two themselves, the partner of a
    king or queen among them (belote is said or not). Swaps that change anybody's declarations are
    left out, for those are announced, and so is what a dealer's points decide."""
    marks = {one, two}
    playing = next((step.after for step in deal.steps if step.after.contract is not None), None)
    if playing is None:
        return marks
    assert playing.contract is not None
    swap = (1 << one) | (1 << two)
    for seat in map(Seat, range(rules.players)):
        hand = playing.held(seat)
        changed = hand ^ swap if (hand & swap).bit_count() == 1 else hand
        for each in (hand, changed):
            declared = held(rules, playing.contract.trump, seat, each)
            assume(not any(mask_of(d.cards) & swap for d in declared))
    for card in (one, two):
        if rank_of(card) in (QUEEN, KING):
            marks.add(Card(card ^ QUEEN ^ KING))
    return marks


def test_evolve_knows_no_rule() -> None:
    """D1: the module of `evolve` can't even name one."""
    source = Path(app.belote.state.__file__).read_text()
    imported = {
        node.module for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom)
    }
    rules_of_play = {"play", "bidding", "declarations", "scoring", "engine", "presets", "shuffle",
                     "engine_auction", "engine_play", "engine_score", "standing"}  # fmt: skip
    assert not {f"app.belote.{name}" for name in rules_of_play} & imported
