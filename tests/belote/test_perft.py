"""How many sequences of cards may follow from fixed deals: one illegal card too many or too few
changes a count. Pinned, and counted a second time by `naive.py`."""

import pytest

from app.belote.cards import Seat, name_of
from app.belote.commands import Play, Take
from app.belote.engine import State, evolve, legal
from app.belote.events import CardPlayed, TrickTaken
from app.belote.presets import BOOK
from app.belote.ranking import best_of, cards_of

from . import naive
from .driver import by_seed, deal_of, moves, start, step


def position(preset: str, seed: str, tricks: int) -> State:
    """A random deal that its first seat took, after so many random tricks."""
    state = start(BOOK[preset], seed)
    state = step(state, deal_of(state, seed)).after
    state = step(state, Take(Seat(1))).after
    while sum(state.won) < tricks:
        choice = by_seed(seed)(state, moves(state))
        assert isinstance(choice, Play)
        state = played(state, choice.seat, choice.card)
    return state


def played(state: State, seat: int, card: int) -> State:
    """A card that is known to be legal, with the trick taken: scoring is no part of the count."""
    state = evolve(state, CardPlayed(seat, card))  # type: ignore[arg-type]
    trick, contract = state.trick, state.contract
    assert trick is not None
    assert contract is not None
    if len(trick.cards) < 4:
        return state
    winner = Seat((trick.leader + best_of(trick.cards, contract.trump)) % 4)
    return evolve(state, TrickTaken(sum(state.won) + 1, winner, 0))


def perft(state: State, depth: int) -> int:
    seat = state.turn
    if depth == 0 or seat is None:
        return 1
    options = legal(state, seat).cards
    if depth == 1:
        return len(options)
    return sum(perft(played(state, seat, card), depth - 1) for card in options)


def counted_naively(state: State, depth: int) -> int:
    hands = [[name_of(card) for card in cards_of(mask)] for mask in state.hands]
    assert state.contract is not None
    assert state.turn is not None
    rules = naive.RULES[state.rules.preset]
    return naive.perft(rules, state.contract.trump.value, hands, state.turn, [], depth)


@pytest.mark.parametrize(
    ("preset", "seed", "tricks", "depth", "count"),
    [
        ("classic", "a", 0, 5, 7_280),
        ("classic", "b", 0, 5, 1_148),
        ("classic", "a", 4, 9, 1_126),
        ("classic", "b", 5, 12, 96),
        ("classic-clockwise", "a", 0, 5, 7_280),
        ("classic-clockwise", "b", 0, 5, 1_043),
        ("classic-clockwise", "a", 4, 9, 762),
        ("classic-clockwise", "b", 5, 12, 96),
        ("classic-dealer-leads", "a", 0, 5, 616),
        ("classic-dealer-leads", "b", 0, 5, 679),
        ("classic-dealer-leads", "a", 4, 9, 7_584),
        ("classic-dealer-leads", "b", 5, 12, 200),
        ("sans-annonces", "a", 0, 5, 5_488),
        ("sans-annonces", "b", 0, 5, 1_036),
        ("sans-annonces", "a", 4, 9, 1_054),
        ("sans-annonces", "b", 5, 12, 96),
        ("french", "a", 0, 5, 5_488),
        ("french", "b", 0, 5, 1_036),
        ("french", "a", 4, 9, 1_054),
        ("french", "b", 5, 12, 96),
    ],
)
def test_the_count_of_play_sequences_is_the_pinned_one(
    preset: str, seed: str, tricks: int, depth: int, count: int
) -> None:
    state = position(preset, seed, tricks)
    assert perft(state, depth) == count
    assert counted_naively(state, depth) == count


def test_the_two_counters_agree_on_many_endings() -> None:
    for preset in (name for name, rules in BOOK.items() if rules.auction == "turn_up"):
        for number in range(30):
            state = position(preset, f"ending-{number}", 6)
            assert perft(state, 8) == counted_naively(state, 8), (preset, number)
