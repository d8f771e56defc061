"""Faults that other belote programs have really had, in deal, auction and the course of a match.

Those of cards and scores are in test_known_faults.py; a bid erased by a pass, a lower bid, a capot
that can't be doubled, one's own side doubled, bids after a double are in test_bidding_games.py.
"""

from dataclasses import fields

import pytest

from app.belote.cards import Card, Seat
from app.belote.commands import Pass
from app.belote.engine import State, legal, turn_of
from app.belote.events import CardPlayed, DealScored, HandDealt, RestDealt
from app.belote.presets import CLASSIC, PRESETS
from app.belote.ranking import cards_of
from app.belote.view import audiences, new_view, redact, view

from .driver import arranged, deal_of, moves, play, play_match, start, step
from .strategies import viewers_of

# Seat 0 holds belote in hearts; seat 1 can take its queen.
HANDS = [
    "9H 8H QH KH TS 7C 8D AD",
    "7S 8S 9S AH TC 9C TD 7D",
    "AS KS 7H JH AC KC QD 9D",
    "JS QS TH JC QC 8C JD KD",
]


def passed_out(preset: str) -> State:
    """After a deal that nobody took; bela's dealer can't pass it out."""
    state = start(PRESETS[preset], "again", dealer=1)
    state = step(state, deal_of(state, "again")).after
    while state.phase == "auction":
        assert state.turn is not None
        state = step(state, Pass(state.turn)).after
    return state


NOBODY = [name for name, rules in PRESETS.items() if rules.auction != "call"]


@pytest.mark.parametrize("preset", NOBODY)
def test_a_deal_that_all_have_passed_is_dealt_again_with_every_card(preset: str) -> None:
    state = passed_out(preset)
    assert state.phase == "passed_out"
    done = step(state, deal_of(state, "again"))
    (event,) = done.events
    assert isinstance(event, HandDealt)
    again = done.after
    held = [c for mask in again.hands for c in cards_of(mask)]
    held += [c for row in (*again.up, *again.under) for c in row if c is not None]
    held += [*again.stock, *(() if again.turned is None else (again.turned,))]
    assert len(held) == len(set(held)) == again.rules.pack


@pytest.mark.parametrize("preset", NOBODY)
def test_after_a_deal_that_was_dealt_again_its_own_dealer_decides_who_leads(preset: str) -> None:
    state = passed_out(preset)
    state = step(state, deal_of(state, "again")).after
    rules = state.rules
    expected = {"same": 1, "next": 2, "previous": 0}[rules.all_pass] % rules.players
    assert state.dealer == expected
    while state.phase == "auction":
        taking = state.standing is None
        state = step(state, moves(state)[0 if taking else -1]).after
    leader = state.dealer if rules.lead == "dealer" else (state.dealer + 1) % rules.players
    assert state.turn == leader


@pytest.mark.parametrize("preset", PRESETS)
def test_after_the_second_round_of_bids_nobody_lacks_a_card(preset: str) -> None:
    """Whatever round the contract was made in, all hands are whole when play begins."""
    rules = PRESETS[preset]
    size = {"belot-duel": 9}.get(preset, 8)
    for seed in range(30):
        for done in play_match(rules, seed, 1):
            for event in done.events:
                if isinstance(event, RestDealt):
                    assert event.counts == (size,) * rules.players


def test_belote_is_its_holders_though_another_takes_the_card() -> None:
    state, _ = play(arranged(CLASSIC, HANDS, "9H", taker=0), "QH AH JH TH")
    assert state.winners == (2,)
    state, _ = play(state, "AS JS TS 7S KS QS KH 8S")
    assert state.winners[-1] == 0
    assert [(b.seat, b.said) for b in state.belote] == [(0, 2)]
    while turn_of(state) is not None:
        state = step(state, moves(state)[0]).after
    score = next(deal for deal in state.deals if isinstance(deal, DealScored)).score
    assert score.belote == (20, 0)


def test_nobody_is_told_of_belote_before_it_is_said() -> None:
    """The same view, whether seat 0 holds both cards or another has one of them."""
    other = ["9H 8H QH AH TS 7C 8D AD", HANDS[1].replace("AH", "KH"), *HANDS[2:]]
    here = arranged(CLASSIC, HANDS, "9H", taker=0)
    there = arranged(CLASSIC, other, "9H", taker=0)
    for viewer in (Seat(2), Seat(3), None):
        assert view(here, viewer) == view(there, viewer)
    assert all(b.seat != 0 for b in here.belote)


@pytest.mark.parametrize("preset", PRESETS)
def test_no_hand_and_no_stock_is_seen_before_its_time(preset: str) -> None:
    """Neither in the first view, nor in what is told of the deal, nor in what the log shows to
    everybody: what is public names no card but those on the table."""
    rules = PRESETS[preset]
    state = start(rules, "seen")
    for viewer in viewers_of(rules):
        assert view(state, viewer) == new_view(rules, viewer, state.dealer, state.next_commit)
    done = step(state, deal_of(state, "seen"))
    (event,) = done.events
    assert isinstance(event, HandDealt)
    table = {c for row in done.after.up for c in row if c is not None}
    if event.turned is not None:
        table.add(event.turned)
    public = {name: getattr(event, name) for name in audiences(HandDealt).public}
    assert set(cards_named(public)) <= table
    for viewer in viewers_of(rules):
        own = set() if viewer is None else set(cards_of(done.after.hands[viewer]))
        told = redact(event, viewer, rules.players)
        assert (
            set(cards_named({f.name: getattr(told, f.name) for f in fields(told)})) <= own | table
        )
        seen = view(done.after, viewer)
        assert set(seen.hand or ()) == own
        assert not hasattr(seen, "stock")
        assert not hasattr(seen, "hands")


def cards_named(named: dict[str, object]) -> list[Card]:
    """The cards in the fields that hold cards."""
    found: list[Card] = []
    for name in ("turned", "up", "cards", "under", "stock", "before"):
        value = named.get(name)
        rows = value if isinstance(value, tuple) else (value,)
        for row in rows:
            found += [c for c in (row if isinstance(row, tuple) else (row,)) if c is not None]
    return found


def test_a_card_that_was_played_is_never_taken_back() -> None:
    """There is no undo: an event brings no earlier state with it."""
    state, events = play(arranged(CLASSIC, HANDS, "9H", taker=0), "QH")
    assert {type(event) for event in events} == {CardPlayed}
    assert not any(isinstance(getattr(e, f.name), State) for e in events for f in fields(e))
    assert legal(state, Seat(0)).cards == ()
