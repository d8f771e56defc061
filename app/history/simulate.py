"""Matches without a server: the referee, four players who see their views alone, seeded bytes.

For ``rebelote simulate``, and for tests that need whole matches. Nothing here is stored.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from app.belote.cards import Seat
from app.belote.commands import Command, Deal, Name, Pass, Play, Take
from app.belote.engine import decide, evolve, legal, new_match, turn_of
from app.belote.events import GameEvent, HandDealt
from app.belote.legal import Legal
from app.belote.notation import Record, deal_record
from app.belote.rules import RuleSet
from app.belote.shuffle import SECRET_BYTES, commit_of, pack_from_bytes
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


def at_random(view: View, legal: Legal, rng: Random) -> Command:
    """Any legal command, each as likely."""
    seat = view.viewer
    if seat is None:
        raise ValueError("a player has a seat")
    commands: list[Command] = [Play(seat, card) for card in legal.cards]
    if "pass" in legal.calls:
        commands.append(Pass(seat))
    if "take" in legal.calls:
        commands.append(Take(seat))
    commands += [Name(seat, trump) for trump in legal.trumps]
    return rng.choice(commands)


def first_legal(view: View, legal: Legal, rng: Random) -> Command:  # noqa: ARG001  (a Chooser)
    """Passes, and plays the first legal card."""
    if view.viewer is None:
        raise ValueError("a player has a seat")
    if "pass" in legal.calls:
        return Pass(view.viewer)
    return Play(view.viewer, legal.cards[0])


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
            command: Command = _deal(state, rng)
        else:
            seat = turn.seat
            command = players[seat](view(state, seat), legal(state, seat), rng)
        events = decide(state, command)
        for event in events:
            state = evolve(state, event)
        yield Batch(events, state)


def _deal(state: State, rng: Random) -> Deal:
    secret = bytes.fromhex(state.next_secret)
    nobody = (None,) * state.rules.players
    following = rng.randbytes(SECRET_BYTES).hex()
    pack = pack_from_bytes(secret, nobody, state.match, state.deal + 1)
    return Deal(pack, following, commit_of(following))


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
