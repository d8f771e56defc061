"""Plays matches for tests: every choice comes from a number, so the same number is the same match.

Choices come from SHA-256 and not from `random`, whose streams may change between Pythons: pinned
counts, playthroughs and vectors must not.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from app.belote.cards import PACK_32, Card, Seat, Trump, card_named
from app.belote.commands import (
    Annul,
    Bid,
    Command,
    Deal,
    Declare,
    Double,
    Name,
    Pass,
    Play,
    Redouble,
    Take,
    ThirdDouble,
)
from app.belote.deal import seats_from
from app.belote.engine import (
    State,
    also,
    decide,
    evolve,
    legal,
    new_match,
    next_deal,
    turn_of,
)
from app.belote.events import Cards, GameEvent
from app.belote.gather import Leavings
from app.belote.legal import Legal
from app.belote.rules import RuleSet
from app.belote.shuffle import commit_of

T = TypeVar("T")
Choose = Callable[[State, Sequence[Command]], Command]


@dataclass(frozen=True, slots=True)
class Step:
    """One command that was accepted, with the states around it."""

    before: State
    command: Command
    events: tuple[GameEvent, ...]
    after: State


def cards(text: str) -> Cards:
    """The cards of a text such as ``"AS TH"``."""
    return tuple(card_named(name) for name in text.split())


def number(seed: object, step: object, below: int) -> int:
    """A number from 0 to below - 1 that depends on seed and step alone."""
    digest = hashlib.sha256(f"{seed}/{step}".encode()).digest()
    return int.from_bytes(digest[:8], "big") % below


def secret(seed: object, deal: int) -> str:
    """Bytes for a deal, in hex."""
    return hashlib.sha256(f"{seed} deal {deal}".encode()).hexdigest()


def start(rules: RuleSet, seed: object, dealer: int = 0, left: Leavings | None = None) -> State:
    """A match whose packs come from the seed."""
    first = secret(seed, 1)
    return new_match(rules, f"match-{seed}", Seat(dealer), commit_of(first), first, left)


def deal_of(state: State, seed: object, pack: Sequence[Card] | None = None) -> Deal:
    """The next deal: the pack of the committed bytes, or an arranged one."""
    following = secret(seed, state.deal + 2)
    if pack is None:
        return next_deal(state, following)
    return Deal(tuple(pack), following, commit_of(following))


def step(state: State, command: Command) -> Step:
    """The command carried out."""
    events = decide(state, command)
    after = state
    for event in events:
        after = evolve(after, event)
    return Step(state, command, events, after)


def moves(state: State) -> tuple[Command, ...]:
    """Every command that is open to the seat whose turn it is; bids before a pass. Of its
    declarations it makes all or none."""
    turn = turn_of(state)
    assert turn is not None
    options, seat = legal(state, turn.seat), turn.seat
    if turn.kind == "declare":
        nothing = (Declare(seat, ()),) if options.declarations else ()
        return (Declare(seat), *nothing)
    found: list[Command] = [*_plays(seat, options)]
    if "take" in options.calls:
        found.append(Take(seat))
    if "name" in options.calls:
        found += [Name(seat, trump) for trump in options.trumps]
    if "bid" in options.calls:
        found += _bids(seat, options)
    simple = {"double": Double, "redouble": Redouble, "third": ThirdDouble, "annul": Annul}
    found += [make(seat) for call, make in simple.items() if call in options.calls]
    if "pass" in options.calls:
        found.append(Pass(seat))
    return tuple(found)


def _plays(seat: Seat, options: Legal) -> Iterator[Play]:
    for card in options.cards:
        yield Play(seat, card)
        if options.declarations:
            yield Play(seat, card, declare=())
        if card in options.belote:
            yield Play(seat, card, belote=False)


def _bids(seat: Seat, options: Legal) -> Iterator[Bid]:
    values = options.values or (None,)
    return (Bid(seat, trump, value) for value in values for trump in options.trumps)


def out_of_turn(state: State) -> tuple[Command, ...]:
    """The doubles that are open to seats out of turn."""
    return tuple(
        Double(Seat(seat)) for seat in range(state.rules.players) if also(state, Seat(seat))
    )


def by_seed(seed: object) -> Choose:
    """Random moves, each from the seed and the place in the match. Where bids abound, half of the
    calls are passes, half of the bids among the three lowest."""

    def choose(state: State, options: Sequence[Command]) -> Command:
        place: tuple[object, ...] = (state.deal, len(state.auction), len(state.played))
        if state.phase == "declaring":
            place = (*place, state.turn)
        if state.rules.auction in ("levels", "contracts") and state.phase == "auction":
            return _call(state, options, seed, place)
        return options[number(seed, place, len(options))]

    return choose


def _call(state: State, options: Sequence[Command], seed: object, place: object) -> Command:
    roll = number(seed, ("kind", place), 12)
    late = out_of_turn(state)
    if late and roll == 0:
        return late[number(seed, place, len(late))]
    passes = [each for each in options if isinstance(each, Pass)]
    if passes and roll < 6:
        return passes[0]
    others = [each for each in options if not isinstance(each, Pass | Bid)]
    if others and roll < 8:
        return others[number(seed, place, len(others))]
    bids = [each for each in options if isinstance(each, Bid)]
    if bids and roll < 11:
        bids = bids[: 3 * len(state.rules.trumps) // (1 if bids[0].value else 6)] or bids
    return (bids or options)[number(seed, place, len(bids or options))]


def play_deal(state: State, deal: Deal, choose: Choose) -> Iterator[Step]:
    """The steps of one deal, from the pack to the score or the last pass."""
    done = step(state, deal)
    yield done
    while turn_of(done.after) is not None:
        done = step(done.after, choose(done.after, moves(done.after)))
        yield done


def play_match(rules: RuleSet, seed: object, deals: int | None = None) -> Iterator[Step]:
    """The steps of a match to its end, or of so many deals."""
    state = start(rules, seed)
    while state.phase != "ended" and (deals is None or state.deal < deals):
        for done in play_deal(state, deal_of(state, seed), by_seed(seed)):
            yield done
            state = done.after


def pack_for(
    rules: RuleSet, dealer: int, hands: Sequence[Cards], turned: Card, taker: int
) -> Cards:
    """The pack that gives those hands once ``taker``, who holds ``turned``, has taken it."""
    left = [[c for c in hand if not (seat == taker and c == turned)]
            for seat, hand in enumerate(hands)]  # fmt: skip
    order = seats_from(Seat((dealer + 1) % rules.players), rules.players)
    pack: list[Card] = []
    for size in rules.packets.before:
        for seat in order:
            pack += left[seat][:size]
            left[seat] = left[seat][size:]
    pack.append(turned)
    for seat in order:
        pack += left[seat]
    assert sorted(pack) == list(PACK_32)
    return tuple(pack)


def arranged(
    rules: RuleSet,
    hands: Sequence[str],
    turned: str,
    *,
    taker: int,
    dealer: int = 3,
    state: State | None = None,
) -> State:
    """A deal with those hands, taken by ``taker`` in the first round, at the first lead."""
    state = state or start(rules, "arranged", dealer)
    pack = pack_for(rules, dealer, [cards(hand) for hand in hands], card_named(turned), taker)
    state = step(state, deal_of(state, "arranged", pack)).after
    while state.turn != taker:
        assert state.turn is not None
        state = step(state, Pass(state.turn)).after
    return step(state, Take(Seat(taker))).after


def play(state: State, text: str) -> tuple[State, tuple[GameEvent, ...]]:
    """Plays those cards in turn; the state after them and all their events."""
    events: list[GameEvent] = []
    for card in cards(text):
        assert state.turn is not None
        done = step(state, Play(state.turn, card))
        events += done.events
        state = done.after
    return state, tuple(events)


def finish(state: State, choose: Choose | None = None) -> tuple[State, tuple[GameEvent, ...]]:
    """Plays the deal to its end, the first legal card unless told otherwise."""
    events: list[GameEvent] = []
    while turn_of(state) is not None:
        options = moves(state)
        done = step(state, choose(state, options) if choose else options[0])
        events += done.events
        state = done.after
    return state, tuple(events)


def trump(name: str) -> Trump:
    """The trump of that name."""
    return Trump(name)
