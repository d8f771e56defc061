"""How many sequences of cards may follow from fixed deals: one illegal card too many or too few
changes a count. Pinned, and counted a second time: the turn-up games by `naive.py`, all games by
the second referee, which shares nothing with the first."""

from collections.abc import Mapping
from typing import Any

import pytest

from app.belote.cards import Seat, name_of
from app.belote.commands import Play, Take
from app.belote.engine import State, legal
from app.belote.notation import rules_record
from app.belote.presets import PRESETS
from app.belote.ranking import cards_of
from tests import second_referee

from . import naive
from .driver import by_seed, deal_of, moves, start, step


def position(preset: str, seed: str, tricks: int) -> State:
    """A random deal that its first seat took (or that a random auction gave somebody), after so
    many random tricks."""
    state = start(PRESETS[preset], seed)
    while state.contract is None:  # a deal that nobody took is dealt again
        state = step(state, deal_of(state, seed)).after
        if state.rules.auction == "turn_up":
            state = step(state, Take(Seat(1))).after
        while state.phase in ("auction", "declaring"):
            state = step(state, by_seed(seed)(state, moves(state))).after
    while len(state.winners) < tricks:
        choice = by_seed(seed)(state, moves(state))
        assert isinstance(choice, Play)
        state = step(state, choice).after
    return state


def perft(state: State, depth: int) -> int:
    seat = state.turn
    if depth == 0 or seat is None or state.phase != "play":
        return 1
    options = legal(state, seat).cards
    if depth == 1:
        return len(options)
    return sum(perft(step(state, Play(seat, card)).after, depth - 1) for card in options)


class Second:
    """The same count by the second referee: texts, lists, and its own words for the rules."""

    def __init__(self, state: State) -> None:
        assert state.contract is not None
        assert state.trick is not None
        self.rules: Mapping[str, Any] = rules_record(state.rules)
        self.trump = state.contract.trump.value
        self.players = state.rules.players

    def count(
        self,
        hands: list[set[str]],
        lying: list[list[tuple[str | None, str | None]]],
        trick: list[tuple[int, str]],
        seat: int,
        depth: int,
    ) -> int:
        """``lying``: at each place before a seat the card face up and the one below it."""
        up = [card for card, _ in lying[seat] if card is not None]
        if depth == 0 or not (hands[seat] or up):
            return 1
        held = sorted(hands[seat])
        total = 0
        for card in second_referee.legal_cards(self.rules, self.trump, seat, held, up, trick):
            left = [hand - {card} for hand in hands]
            down = [[(None if c == card else c, below) for c, below in row] for row in lying]
            table = [*trick, (seat, card)]
            if len(table) < self.players:
                following = (seat + 1) % self.players
            else:
                following = second_referee.trick_winner(self.rules, self.trump, table)
                table = []
                down = [[(below, None) if c is None else (c, below) for c, below in row]
                        for row in down]  # fmt: skip
            total += self.count(left, down, table, following, depth - 1)
        return total


def counted_again(state: State, depth: int) -> int:
    hands = [{name_of(card) for card in cards_of(mask)} for mask in state.hands]

    def name(card: Any) -> str | None:
        return None if card is None else name_of(card)

    lying = [[(name(up), name(under)) for up, under in zip(ups, unders, strict=True)]
             for ups, unders in zip(state.up, state.under, strict=True)]  # fmt: skip
    assert state.turn is not None
    return Second(state).count(hands, lying, [], state.turn, depth)


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
    ],
)
def test_the_count_of_play_sequences_is_the_pinned_one(
    preset: str, seed: str, tricks: int, depth: int, count: int
) -> None:
    state = position(preset, seed, tricks)
    assert perft(state, depth) == count
    assert counted_naively(state, depth) == count


SPOTS = (("a", 0, 5), ("b", 0, 5), ("c", 4, 6), ("d", 5, 12))
"""Seeds, tricks played before, cards to follow."""
OPEN_SPOTS = (("a", 0, 3), ("b", 4, 3), ("c", 8, 4), ("d", 13, 6))
"""In an open layout a seat chooses among twelve cards."""
PINNED = {
    "classic": (7280, 1148, 190, 400),
    "classic-clockwise": (7280, 1043, 172, 160),
    "classic-dealer-leads": (616, 679, 190, 136),
    "sans-annonces": (5488, 1036, 190, 160),
    "french": (525, 651, 101, 112),
    "coinche": (7280, 1127, 68, 712),
    "contree": (3682, 1127, 68, 288),
    "belot": (2800, 819, 172, 504),
    "belote-international": (546, 1176, 128, 340),
    "belot-duel": (2646, 3458, 646, 384),
    "belot-trio": (2525, 406, 252, 168),
    "belot-open": (396, 212, 95, 11),
    "bela": (1295, 588, 222, 420),
}


def spots(preset: str) -> tuple[tuple[str, int, int], ...]:
    return OPEN_SPOTS if PRESETS[preset].layout == "open" else SPOTS


@pytest.mark.parametrize("preset", PRESETS)
def test_the_counts_of_every_game_are_the_pinned_ones_and_the_second_referees(
    preset: str,
) -> None:
    """From the first lead, from the middle, and to the end."""
    found = []
    for seed, tricks, depth in spots(preset):
        state = position(preset, seed, tricks)
        found.append(perft(state, depth))
        assert counted_again(state, depth) == found[-1], seed
    assert tuple(found) == PINNED[preset]


def test_the_two_counters_agree_on_many_endings() -> None:
    for preset in naive.RULES:
        for number in range(30):
            state = position(preset, f"ending-{number}", 6)
            assert perft(state, 8) == counted_naively(state, 8), (preset, number)


def test_the_second_referee_agrees_on_many_endings() -> None:
    for preset in PRESETS:
        for number in range(10):
            tricks = 13 if PRESETS[preset].layout == "open" else 5
            state = position(preset, f"ending-{number}", tricks)
            assert perft(state, 7) == counted_again(state, 7), (preset, number)
