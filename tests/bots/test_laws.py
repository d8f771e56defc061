"""What holds for every bot: legal, always, from its own view alone."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.belote.cards import Seat
from app.belote.commands import (
    Annul,
    Bid,
    Command,
    Declare,
    Double,
    Name,
    Pass,
    Play,
    Redouble,
    Take,
)
from app.belote.engine import legal
from app.belote.legal import Legal
from app.belote.presets import PRESETS
from app.belote.view import View, apply, new_view, redact
from app.belote.view import view as view_of
from app.bots.names import NAMES, bot_name
from app.bots.policy import LEVELS, Level, choose
from app.history.simulate import at_random, play_match
from tests.conftest import FULL

DEALS = 20_000 if FULL else 1_200
"""Deals of random play that a bot is asked in at every turn."""


PLAIN_CALLS: dict[type[Command], str] = {
    Pass: "pass",
    Take: "take",
    Double: "double",
    Redouble: "redouble",
    Annul: "annul",
}


def is_legal(command: Command, options: Legal, seat: Seat) -> bool:
    if getattr(command, "seat", None) != seat:
        return False
    match command:
        case Play(card=card):
            return card in options.cards
        case Name(trump=trump):
            return "name" in options.calls and trump in options.trumps
        case Bid(trump=trump, value=value):
            valued = value in options.values if options.values else value is None
            return "bid" in options.calls and trump in options.trumps and valued
        case Declare():
            return not options.calls and not options.cards
        case _:
            return PLAIN_CALLS.get(type(command)) in options.calls


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("level", LEVELS)
def test_a_bot_chooses_a_legal_command_in_any_situation(level: Level, preset: str) -> None:
    """The situations come from random play, which no sensible player would reach."""
    rules, asked = PRESETS[preset], 0

    def checked(view: View, options: Legal, rng: Random) -> Command:
        nonlocal asked
        asked += 1
        assert view.viewer is not None
        command = LEVELS[level].choose(view, options, Random(asked))
        assert is_legal(command, options, view.viewer), (command, view, options)
        return at_random(view, options, rng)

    dealt, match = 0, 0
    while dealt < DEALS / len(PRESETS):
        match += 1
        for batch in play_match(
            rules, f"law-{match}", Seat(match % rules.players), (checked,) * 4, Random(match)
        ):
            last = batch.after
        dealt += last.deal
    assert asked > dealt * 8, "passed-out deals among them"


@settings(max_examples=250 if FULL else 25)
@given(st.integers(0, 2**32))
def test_a_bot_that_only_ever_heard_its_own_events_plays_the_same(seed: int) -> None:
    """D11: what a seat was told, folded by the seat itself, is all that a bot uses."""
    rules = PRESETS["classic"]
    dealer = Seat(seed % 4)
    heard: list[View] = []

    def folded(view: View, options: Legal, rng: Random) -> Command:
        assert view.viewer is not None
        own = heard[view.viewer]
        thought = rng.getrandbits(32)
        mine = choose(own, options, "novice", Random(thought))
        assert mine == choose(view, options, "novice", Random(thought))
        return mine

    for batch in play_match(rules, f"heard-{seed}", dealer, (folded,) * 4, Random(seed)):
        if not heard:
            commit = batch.after.commit or ""
            heard.extend(new_view(rules, Seat(s), dealer, commit) for s in range(4))
        for event in batch.events:
            for seat in range(4):
                heard[seat] = apply(heard[seat], redact(event, Seat(seat), 4))
        if heard[0].deals:
            break
    assert heard[0].deals, "a deal was played"


@settings(max_examples=250 if FULL else 25)
@given(st.integers(0, 2**32))
def test_cards_that_a_bot_has_not_seen_change_nothing(seed: int) -> None:
    """Two others exchange unseen cards of a hand: the bot does what it did."""
    rules, rng = PRESETS["classic"], Random(seed)
    checked = 0

    def players(view: View, options: Legal, rng: Random) -> Command:
        return choose(view, options, "novice", rng)

    for batch in play_match(rules, f"swap-{seed}", Seat(0), (players,) * 4, Random(seed)):
        state = batch.after
        seat = state.turn
        if seat is None or state.phase != "play":
            continue
        one, two = rng.sample([s for s in range(4) if s != seat], 2)
        swapped = list(state.hands)
        a = [c for c in range(32) if swapped[one] >> c & 1 and c != state.turned]
        b = [c for c in range(32) if swapped[two] >> c & 1 and c != state.turned]
        if not a or not b:
            continue
        x, y = rng.choice(a), rng.choice(b)
        swapped[one] ^= 1 << x | 1 << y
        swapped[two] ^= 1 << x | 1 << y

        other = replace(state, hands=tuple(swapped))
        before, after = view_of(state, seat), view_of(other, seat)
        assert choose(before, legal(state, seat), "novice", Random(1)) == choose(
            after, legal(other, seat), "novice", Random(1)
        )
        checked += 1
        if checked >= 40:
            break
    assert checked > 5


def test_bots_at_a_table_have_different_names() -> None:
    taken: set[str] = {"ana", "Boris "}
    for _ in range(3):
        name = bot_name(taken, Random(len(taken)))
        assert name.casefold() not in {other.casefold() for other in taken}
        taken.add(name)
    assert len({name.casefold() for name in NAMES}) == len(NAMES)
    assert all(2 <= len(name) <= 20 for name in NAMES)


def test_a_name_is_found_even_when_all_are_taken() -> None:
    assert bot_name(set(NAMES), Random(1)) in NAMES
