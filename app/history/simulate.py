"""Matches without a server: the referee, four players who see their views alone, seeded bytes.

For ``rebelote simulate``, and for tests that need whole matches. Nothing here is stored.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

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
    ThirdDouble,
)
from app.belote.engine import decide, evolve, legal, new_match, next_deal, turn_of
from app.belote.events import CallKind, Cards, Declaration, GameEvent, HandDealt
from app.belote.legal import Legal
from app.belote.notation import Record, deal_record
from app.belote.rules import RuleSet
from app.belote.shuffle import SECRET_BYTES, commit_of
from app.belote.state import State
from app.belote.view import View, view
from app.bots.policy import LEVELS, Level, choose

Chooser = Callable[[View, Legal, Random], Command]
"""How a seat decides: from its view and its legal choices."""


@dataclass(frozen=True, slots=True)
class Batch:
    """The events of one command, and the match after them."""

    events: tuple[GameEvent, ...]
    after: State


_SIMPLE: Mapping[CallKind, Callable[[Seat], Command]] = {
    "pass": Pass,
    "take": Take,
    "double": Double,
    "redouble": Redouble,
    "third": ThirdDouble,
    "annul": Annul,
}
BIDS_TRIED = 3
"""Of the values that may be bid at most so many, from the lowest, are tried at random: else every
random auction would end at the highest."""


def at_random(view: View, legal: Legal, rng: Random) -> Command:
    """Any legal command: each call as likely as another, then each bid, each card; of what it may
    declare and say, any part."""
    seat = view.viewer
    if seat is None:
        raise ValueError("a player has a seat")
    if legal.calls:
        return _call(seat, legal, rng)
    if not legal.cards:
        return Declare(seat, _some(legal.declarations, rng))
    card = rng.choice(legal.cards)
    declare = _some(legal.declarations, rng) if legal.declarations else None
    return Play(seat, card, declare, rng.random() < 0.5 if card in legal.belote else None)


def _call(seat: Seat, legal: Legal, rng: Random) -> Command:
    call = rng.choice(legal.calls)
    if call == "name":
        return Name(seat, rng.choice(legal.trumps))
    if call == "bid":
        values = legal.values[:BIDS_TRIED] or (None,)
        return Bid(seat, rng.choice(legal.trumps), rng.choice(values))
    return _SIMPLE[call](seat)


def _some(declarations: Sequence[Declaration], rng: Random) -> tuple[Cards, ...] | None:
    """Any of them; None, all, where there is no choice."""
    if not declarations:
        return None
    return tuple(each.cards for each in declarations if rng.random() < 0.5)


def first_legal(view: View, legal: Legal, rng: Random) -> Command:  # noqa: ARG001  (a Chooser)
    """Passes if it may, declares and says everything, and plays the first legal card."""
    seat = view.viewer
    if seat is None:
        raise ValueError("a player has a seat")
    if "pass" in legal.calls:
        return Pass(seat)
    if "name" in legal.calls:
        return Name(seat, legal.trumps[0])
    if "bid" in legal.calls:
        return Bid(seat, legal.trumps[0], legal.values[0] if legal.values else None)
    return Play(seat, legal.cards[0]) if legal.cards else Declare(seat)


def chooser(policy: str) -> Chooser:
    """The chooser of a name: ``random`` or a bot's level; ``ValueError`` for another."""
    if policy == "random":
        return at_random
    for level in LEVELS:
        if level == policy:
            return _of_level(level)
    raise ValueError(f"no such policy: {policy}")


def _of_level(level: Level) -> Chooser:
    return lambda view, legal, rng: choose(view, legal, level, rng)


def play_match(
    rules: RuleSet, match: str, dealer: Seat, players: Sequence[Chooser], rng: Random
) -> Iterator[Batch]:
    """A match from its first deal to its end, batch by batch; the same ``rng`` gives the same."""
    secret = rng.randbytes(SECRET_BYTES).hex()
    state = new_match(rules, match, dealer, commit_of(secret), secret)
    while state.phase != "ended":
        turn = turn_of(state)
        if turn is None:
            command: Command = next_deal(state, rng.randbytes(SECRET_BYTES).hex())
        else:
            seat = turn.seat
            command = players[seat](view(state, seat), legal(state, seat), rng)
        events = decide(state, command)
        for event in events:
            state = evolve(state, event)
        yield Batch(events, state)


def simulate(
    rules: RuleSet, deals: int, seed: int, players: Sequence[Chooser], with_legal: bool = False
) -> Iterator[Record]:
    """Records of deals, match after match, until that many deals were played; those that nobody
    took have their record too and do not count. The match id comes from the seed."""
    rng = Random(seed)
    played, number = 0, 0
    while played < deals:
        number += 1
        match = f"simulate-{rules.preset}-{seed}-{number}"
        dealer = Seat(rng.randrange(rules.players))
        for record in _records(rules, match, dealer, players, rng, with_legal):
            yield record
            played += record["score"] is not None
            if played == deals:
                return


def _records(
    rules: RuleSet,
    match: str,
    dealer: Seat,
    players: Sequence[Chooser],
    rng: Random,
    with_legal: bool,
) -> Iterator[Record]:
    deal: list[GameEvent] = []
    for batch in play_match(rules, match, dealer, players, rng):
        if isinstance(batch.events[0], HandDealt):
            deal = []
        deal += batch.events
        if batch.after.phase in ("scored", "passed_out", "ended"):
            yield deal_record(rules, match, deal, with_legal)
