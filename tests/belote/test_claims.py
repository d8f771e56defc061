"""A claim is right whatever the others hold: tried against every way to deal the unseen cards."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, permutations

import pytest

from app.belote import claims
from app.belote.cards import PACK_32, Card, Seat, Trump
from app.belote.commands import Play
from app.belote.events import CardPlayed, Cards, Contract, DealScored, GameEvent, TrickTaken
from app.belote.play import legal_mask
from app.belote.presets import BOOK, PRESETS
from app.belote.ranking import Mask, best_of, cards_of, mask_of
from app.belote.refusing import RuleError
from app.belote.rules import RuleSet
from app.belote.state import State
from app.belote.view import Trick, view

from .driver import arranged, by_seed, cards, deal_of, play, play_deal, start, step

Hands = tuple[Mask, ...]


def deals(unseen: Cards, size: int, hands: int) -> Iterator[Hands]:
    """Every way to give each of so many hands so many of the unseen cards; what is left over lies
    in the stock."""
    if hands == 0:
        yield ()
        return
    for chosen in combinations(unseen, size):
        left = tuple(card for card in unseen if card not in chosen)
        for rest in deals(left, size, hands - 1):
            yield (mask_of(chosen), *rest)


def all_won(rules: RuleSet, trump: Trump, order: Sequence[Card], others: Hands) -> bool:
    """Whether leading these cards in order wins every trick, whatever the others add that they
    may."""
    return not order or _trick_won(rules, trump, order, (order[0],), others)


def _trick_won(
    rules: RuleSet, trump: Trump, order: Sequence[Card], trick: Cards, others: Hands
) -> bool:
    if len(trick) == rules.players:
        return best_of(trick, trump) == 0 and all_won(rules, trump, order[1:], others)
    place = len(trick) - 1
    hand = others[place]
    for card in cards_of(legal_mask(rules, trump, hand, trick)):
        after = (*others[:place], hand & ~(1 << card), *others[place + 1 :])
        if not _trick_won(rules, trump, order, (*trick, card), after):
            return False
    return True


def certain(rules: RuleSet, trump: Trump, order: Sequence[Card], unseen: Cards) -> bool:
    """Whether it wins against every deal of the unseen cards."""
    ways = deals(unseen, len(order), rules.players - 1)
    return all(all_won(rules, trump, order, others) for others in ways)


def ending(rng: random.Random, rules: RuleSet, size: int) -> tuple[Trump, Cards, Cards]:
    """A trump, a strong hand on lead, and the cards that are unseen from it."""
    pack = [card for card in PACK_32 if rules.pack == 32 or card & 7 >= 2]
    trump = rng.choice(rules.trumps)
    stock = 0 if rules.players != 2 else 2
    left = sorted(rng.sample(pack, size * rules.players + stock), key=lambda _: rng.random())
    by_strength = sorted(left, key=lambda card: (card >> 3 == trump.suit, card & 7), reverse=True)
    own = tuple(by_strength[:size]) if rng.random() < 0.7 else tuple(left[:size])
    return trump, own, tuple(card for card in left if card not in own)


@pytest.mark.parametrize("preset", sorted(PRESETS))
@pytest.mark.parametrize("size", [1, 2])
def test_a_claim_is_certain_exactly_when_no_deal_of_the_unseen_cards_beats_it(
    preset: str, size: int
) -> None:
    """Sound: the order that is found wins against all. Complete: where none is found, each order
    loses to some deal and some play."""
    rules, rng = PRESETS[preset], random.Random(f"{preset} {size}")
    found = 0
    for _ in range(40):
        trump, own, unseen = ending(rng, rules, size)
        order = claims.in_order(trump, mask_of(own), mask_of(unseen))
        if order is None:
            orders = permutations(own)
            assert not any(certain(rules, trump, each, unseen) for each in orders), (trump, own)
        else:
            found += 1
            assert sorted(order) == sorted(own)
            assert certain(rules, trump, order, unseen), (trump, order)
    assert found >= 5, "the endings are strong enough to tell"


@pytest.mark.parametrize("trump", [Trump.HEARTS, Trump.NO_TRUMPS, Trump.ALL_TRUMPS])
def test_three_tricks_are_certain_against_every_deal(trump: Trump) -> None:
    """Trumps drawn, then plain cards; long suits of which the others run out."""
    rules, rng = PRESETS["classic"], random.Random(f"three {trump}")
    for _ in range(400):
        _, own, unseen = ending(rng, replace(rules, trumps=(trump,)), 3)
        order = claims.in_order(trump, mask_of(own), mask_of(unseen))
        if order is not None:
            assert certain(rules, trump, order, unseen), (trump, order)
            return
    pytest.fail("some of four hundred endings are certain")


@pytest.mark.parametrize(
    ("trump", "own", "outside", "order"),
    [
        ("S", "JS 9S AH", "AS TS 7H", "JS 9S AH"),  # two trumps outside, two rounds draw them
        ("S", "JS AH", "9S AS 7H", None),  # one round does not draw two
        ("S", "JS 7S AH", "9S KH", "JS 7S AH"),  # the nine falls under the jack
        ("S", "9S AH", "JS KH", None),
        ("S", "AH KH 8H", "TH 7H", None),  # the ten is still there when the king is led
        ("S", "AH TH 7H", "KH QH", "AH TH 7H"),  # two rounds empty a hand with both
        ("S", "AH TH 7H", "KH QH JH", None),
        ("S", "AH", "7S", None),  # a trump may be with whoever has no heart
        ("NT", "AH KD", "7S JS AD", None),
        ("NT", "AH AD", "7S JS", "AH AD"),
        ("AT", "JH 9D", "AD 9H", "JH 9D"),
        ("AT", "9H", "JH", None),
    ],
)
def test_what_is_certain_and_what_is_not(
    trump: str, own: str, outside: str, order: str | None
) -> None:
    found = claims.in_order(Trump(trump), mask_of(cards(own)), mask_of(cards(outside)))
    assert found == (None if order is None else cards(order))


def test_cards_that_lie_face_down_are_not_drawn() -> None:
    own, outside = mask_of(cards("JS AH")), mask_of(cards("9S 7H"))
    assert claims.in_order(Trump.SPADES, own, outside) is not None
    assert claims.in_order(Trump.SPADES, own, outside, covered=True) is None


LONG = ["JS 9S AS TS KS QS 8S AH", "7H 8H 9H JH QH KH TH 7D", "8D 9D JD QD KD TD AD 7C",
        "7S 8C 9C TC JC QC KC AC"]  # fmt: skip


def test_a_claim_plays_the_deal_out_as_a_match_would() -> None:
    state = arranged(PRESETS["classic"], LONG, "JS", taker=0)
    assert state.turn == 0
    events = claims.rest(state, Seat(0))
    own = [e.card for e in events if isinstance(e, CardPlayed) and e.seat == 0]
    assert own[0] == cards("JS")[0]
    assert len([e for e in events if isinstance(e, TrickTaken) and e.winner == 0]) == 8
    assert isinstance(events[-1], DealScored)
    again = _replayed(state, events)
    assert again == events, "each card is one that the referee would take from its seat"
    score = events[-1].score
    assert score.capot == 0
    assert score.belote == (20, 0), "said with the king and the queen"


def _replayed(state: State, events: tuple[GameEvent, ...]) -> tuple[GameEvent, ...]:
    out: tuple[GameEvent, ...] = ()
    for event in events:
        if isinstance(event, CardPlayed):
            done = step(state, Play(event.seat, event.card))
            out, state = out + done.events, done.after
    return out


def test_a_claim_is_refused_with_a_code() -> None:
    state = arranged(PRESETS["classic"], LONG, "JS", taker=0)
    with pytest.raises(RuleError, match="not_your_turn"):
        claims.rest(state, Seat(1))
    played, _ = play(state, "8S")
    with pytest.raises(RuleError, match="not_on_lead"):
        claims.rest(played, Seat(1))
    between = start(PRESETS["classic"], "before")
    with pytest.raises(RuleError, match="wrong_phase"):
        claims.rest(between, Seat(0))
    weak = arranged(PRESETS["classic"], [LONG[1], LONG[2], LONG[3], LONG[0]], "JS", taker=3)
    with pytest.raises(RuleError, match="not_certain"):
        claims.rest(weak, Seat(0))


def test_only_who_leads_with_more_than_one_card_is_told_of_a_claim() -> None:
    state = arranged(PRESETS["classic"], LONG, "JS", taker=0)
    assert claims.claimant(state) == 0
    assert claims.leads(view(state, Seat(1))) is None
    assert claims.leads(view(state, None)) is None
    assert claims.claimant(play(state, "JS")[0]) is None


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_a_claim_in_a_random_match_is_always_played_out(preset: str) -> None:
    """Whenever a claim is open, the seat that makes it takes every trick that is left, and the
    deal's events go on as if the cards had been sent one by one."""
    rules, claimed = PRESETS[preset], 0
    for seed in range(60):
        state = start(rules, f"claims {seed}")
        for done in play_deal(state, deal_of(state, seed), by_seed(seed)):
            seat = claims.claimant(done.after)
            if seat is None:
                continue
            events = claims.rest(done.after, seat)
            won = [event.winner for event in events if isinstance(event, TrickTaken)]
            assert won
            assert set(won) == {seat}
            assert any(isinstance(event, DealScored) for event in events)
            assert _replayed(done.after, events) == events
            claimed += 1
            break
    assert claimed or rules.players == 2, "most deals end with somebody who can't lose any more"


def test_who_holds_both_keeps_king_and_queen_until_they_may_be_said() -> None:
    """At all trumps, where belote must be said on a lead, a ruff or the partner's suit, a discard
    would lose it: the partner throws another card, and says it when its suit is led."""
    events = claims.rest(_all_trumps(BOOK["belot"]), Seat(0))
    said = [(e.seat, e.belote) for e in events if isinstance(e, CardPlayed) and e.belote]
    assert said == [(2, "belote"), (2, "rebelote")]


def _all_trumps(rules: RuleSet) -> State:
    """Seat 0 leads four winners; its partner holds king and queen of the last suit it leads."""
    hands = [mask_of(cards(hand)) for hand in ("JS 9S JH 9H", "7S 8S 7D 8D", "AD TD KH QH",
                                               "7C 8C 9C TC")]  # fmt: skip
    played = tuple(card for card in PACK_32 if not any(hand >> card & 1 for hand in hands))
    return replace(
        start(rules, "keeps"),
        phase="play",
        contract=Contract(Seat(0), Trump.ALL_TRUMPS),
        hands=tuple(hands),
        trick=Trick(Seat(0), ()),
        turn=Seat(0),
        played=played,
        won=(1, 1, 1, 1),
        winners=(Seat(0), Seat(1), Seat(2), Seat(3)),
    )
