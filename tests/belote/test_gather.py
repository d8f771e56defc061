"""The pack of a cut game: gathered and cut by the deal's bytes, and what a seat can infer of it."""

from collections.abc import Iterator
from math import factorial, prod

import pytest

from app.belote.cards import PACK_32, Seat, Side
from app.belote.commands import Pass
from app.belote.engine import State, evolve
from app.belote.events import Cards, HandDealt, MatchEnded
from app.belote.gather import Leavings, WonTrick, cut, cutter, gathered
from app.belote.presets import PRESETS
from app.belote.shuffle import shuffled, words_of

from .driver import by_seed, deal_of, play_deal, play_match, start, step
from .strategies import CASES

FRENCH = PRESETS["french"]
CUT = [name for name, rules in PRESETS.items() if rules.handling == "cut"]


def words(number: int = 1) -> Iterator[int]:
    return words_of(bytes(range(32)), [None] * 4, "match", number)


def left() -> Leavings:
    """Eight tricks of the pack in its order, won by turns."""
    tricks = [PACK_32[i : i + 4] for i in range(0, 32, 4)]
    return Leavings(tuple(WonTrick(Side(i % 3 % 2), t) for i, t in enumerate(tricks)))


def dealt(step_: object) -> HandDealt:
    (event,) = step_.events  # type: ignore[attr-defined]
    assert isinstance(event, HandDealt)
    return event


def test_the_cut_leaves_three_cards_at_either_end_and_every_place_between_is_possible() -> None:
    seen = {cut(PACK_32, words(number))[1] for number in range(600)}
    assert seen == set(range(3, 30))
    pack, lifted = cut(PACK_32, words())
    assert pack == PACK_32[lifted:] + PACK_32[:lifted]


def test_tricks_stay_together_and_piles_too() -> None:
    whole = gathered(left(), words())
    tricks = [set(whole[i : i + 4]) for i in range(0, 32, 4)]
    assert sorted(map(sorted, tricks)) == [list(PACK_32[i : i + 4]) for i in range(0, 32, 4)]
    side_of = {frozenset(t.cards): t.side for t in left().tricks}
    sides = [side_of[frozenset(trick)] for trick in tricks]
    assert sides in (sorted(sides), sorted(sides, reverse=True)), "one pile lies on the other"


def test_the_order_is_drawn_as_it_is_written_down() -> None:
    """Piles, tricks of the first pile, cards of each trick, then the next pile."""
    stream = words()
    pack: list[int] = []
    for side in shuffled((0, 1), stream):
        pile = [t.cards for t in left().tricks if t.side == side]
        for trick in shuffled(pile, stream):
            pack += shuffled(trick, stream)
    assert gathered(left(), words()) == tuple(pack)


def test_every_order_of_piles_tricks_and_cards_comes_up() -> None:
    tops, firsts = set(), set()
    for number in range(400):
        whole = gathered(left(), words(number))
        tops.add(frozenset(whole[:4]))
        firsts.add(whole[:4])
    assert len(tops) == 8
    assert len(firsts) > 100


def test_a_pile_that_is_empty_leaves_the_other() -> None:
    capot = Leavings(tuple(WonTrick(Side(1), t.cards) for t in left().tricks))
    assert sorted(gathered(capot, words())) == list(PACK_32)


def test_hands_of_a_deal_that_nobody_took_lie_from_eldest_above_the_stock() -> None:
    hands = tuple(PACK_32[i * 5 : i * 5 + 5] for i in range(4))
    whole = gathered(Leavings(hands=hands, stock=PACK_32[20:]), words())
    assert [set(whole[i * 5 : i * 5 + 5]) for i in range(4)] == [set(hand) for hand in hands]
    assert whole[:20] != PACK_32[:20]
    assert whole[20:] == PACK_32[20:], "the stock keeps its order, the turn-up first"


@pytest.mark.parametrize(
    ("players", "dealer", "first", "who"), [(4, 1, True, 3), (4, 1, False, 0), (4, 0, False, 3)]
)
def test_who_cuts(players: int, dealer: int, first: bool, who: int) -> None:
    assert cutter(players, Seat(dealer), first) == who


@pytest.mark.parametrize("preset", CUT)
def test_the_first_pack_is_shuffled_and_every_other_one_gathered_from_the_deal_before(
    preset: str,
) -> None:
    before: State | None = None
    for done in play_match(PRESETS[preset], 3, deals=6):
        if isinstance(done.events[0], HandDealt):
            event = dealt(done)
            assert event.cut is not None
            players, first = 4, before is None
            assert event.cutter == cutter(players, event.dealer, first)
            if before is None:
                assert event.before is None
            else:
                assert event.before is not None
                cards = [c for t in event.before.tricks for c in t.cards]
                cards += [c for hand in event.before.hands for c in hand]
                assert sorted((*cards, *event.before.stock)) == list(PACK_32)
                if before.contract is not None:
                    assert tuple(cards) == before.played
                    taken = [t.side for t in event.before.tricks]
                    assert taken == [winner % 2 for winner in before.winners]
        before = done.after


def test_after_a_deal_that_nobody_took_the_hands_are_put_together() -> None:
    state = start(FRENCH, "out")
    state = step(state, deal_of(state, "out")).after
    held = state.dealt
    for _ in range(8):
        assert state.turn is not None
        state = step(state, Pass(state.turn)).after
    event = dealt(step(state, deal_of(state, "out")))
    assert event.before is not None
    assert [set(hand) for hand in event.before.hands] == [
        set(held[seat]) for seat in (1, 2, 3, 0)
    ]  # fmt: skip
    assert event.before.stock == (state.turned, *state.stock)


def test_the_same_bytes_and_tricks_give_the_same_pack_and_others_another() -> None:
    state = next(done.after for done in play_match(FRENCH, 5) if done.after.phase == "scored")
    one, two = deal_of(state, 5), deal_of(state, 5)
    assert one == two
    other = evolve(state, step(state, one).events[0])
    assert deal_of(other, 5).pack != one.pack


def test_bytes_of_a_cut_game_are_told_when_the_match_is_over() -> None:
    steps = list(play_match(FRENCH, 6))
    scored = [e for done in steps for e in done.events if e.TYPE == "deal_scored"]
    assert all(event.secret is None for event in scored)  # type: ignore[union-attr]
    end = steps[-1].events[-1]
    assert isinstance(end, MatchEnded)
    secrets = {dealt(s).deal: dealt(s).secret for s in steps if isinstance(s.events[0], HandDealt)}
    assert {each.deal: each.secret for each in end.secrets} == secrets


# What a seat can infer


def consistent(left_: Leavings, seen: dict[int, int]) -> int:
    """How many packs agree with the cards that somebody has seen at places of the pack: over every
    place of the cut, order of piles and tricks, the orders of the cards within the tricks. One
    pile upon the other and the other upon the one are the same circle of cards, which a cut opens
    at one place or another: so the places are counted, and one order of the piles."""
    piles = sides_of(left_)
    upper = 4 * len(piles[0])
    opened = {n % 32 for n in range(3, 30)} | {(n + upper) % 32 for n in range(3, 30)}
    return sum(
        arrangements(piles, {(place + at) % 32: card for place, card in seen.items()})
        for at in opened
    )


def sides_of(left_: Leavings) -> list[list[frozenset[int]]]:
    sides = sorted({t.side for t in left_.tricks})
    return [[frozenset(t.cards) for t in left_.tricks if t.side == side] for side in sides]


def arrangements(piles: list[list[frozenset[int]]], seen: dict[int, int]) -> int:
    """Orders of the tricks within their piles and of the cards within the tricks that put the seen
    cards where they were seen, before the cut."""
    total, first = 1, 0
    for pile in piles:
        slots = [{p: c for p, c in seen.items() if p // 4 == first + n} for n in range(len(pile))]
        total *= assignments(tuple(pile), tuple(frozenset(slot.values()) for slot in slots))
        first += len(pile)
    return total


def assignments(tricks: tuple[frozenset[int], ...], slots: tuple[frozenset[int], ...]) -> int:
    """Ways to lay the tricks into the slots so that each holds the cards seen in it."""
    forced = {i: next((t for t in tricks if cards <= t), None) for i, cards in enumerate(slots)
              if cards}  # fmt: skip
    if None in forced.values() or len(set(forced.values())) < len(forced):
        return 0
    free = len(tricks) - len(forced)
    within = prod(factorial(4 - len(cards)) for cards in slots)
    return factorial(free) * within


def places_of(state: State, event: HandDealt, pack: Cards, seat: int) -> dict[int, int]:
    """The places in the pack of the cards that a seat sees before it first speaks."""
    cards = set(event.cards[seat] or ())
    if event.turned is not None:
        cards.add(event.turned)
    return {place: card for place, card in enumerate(pack) if card in cards}


@pytest.mark.parametrize("preset", CUT)
def test_what_a_seat_has_ever_seen_leaves_many_possible_packs(preset: str) -> None:
    """The inference, not only the bytes: the tricks before are public, the own cards' places are
    known. Were the place of the cut alone secret, one pack would be left."""
    rules = PRESETS[preset]
    fewest: int | None = None
    deals = max(CASES // 8, 20)
    for seed in range(deals):
        state = start(rules, seed)
        while state.left is None or not state.left.tricks:
            for done in play_deal(state, deal_of(state, seed), by_seed(seed)):
                state = done.after
            if state.phase == "ended":
                break
        if state.phase == "ended" or state.left is None:
            continue
        command = deal_of(state, seed)
        event = dealt(step(state, command))
        for seat in range(4):
            seen = places_of(state, event, command.pack, seat)
            packs = consistent(state.left, seen)
            assert packs > 0, "the true pack is among them"
            fewest = packs if fewest is None else min(fewest, packs)
            assert command.cut is not None
            alone = if_the_cut_alone_were_secret(state.left, command.cut, set(seen))
            assert alone == 1
    assert fewest is not None
    assert fewest >= 1_000_000


def if_the_cut_alone_were_secret(left_: Leavings, lifted: int, places: set[int]) -> int:
    """How many cuts would agree with what a seat sees at those places if the tricks lay as they
    were taken and their cards as they were played."""
    whole = [c for side in (0, 1) for t in left_.tricks if t.side == side for c in t.cards]
    true = whole[lifted:] + whole[:lifted]
    cuts = (whole[n:] + whole[:n] for n in range(3, 30))
    return sum(all(each[place] == true[place] for place in places) for each in cuts)


def test_the_count_finds_the_one_pack_where_there_is_one() -> None:
    """The counting can fail: who has seen every place of the pack knows it."""
    state = next(done.after for done in play_match(FRENCH, 9) if done.after.phase == "scored")
    command = deal_of(state, 9)
    assert state.left is not None
    everything = dict(enumerate(command.pack))
    assert consistent(state.left, everything) == 1
    moved = {place: command.pack[(place + 1) % 32] for place in range(32)}
    assert consistent(state.left, moved) <= 1
