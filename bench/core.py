"""The referee alone, on one core: random legal deals of `classic`, beside a fixed Python loop.

Run `python -m bench.core [SECONDS]`; prints JSON. The loop tells how fast this interpreter is on
this machine, so that figures of different machines can be set in proportion.
"""

import gc
import random
import sys
from collections.abc import Iterator
from time import perf_counter
from typing import Any

import orjson

from app.belote.cards import PACK_32, Seat
from app.belote.commands import Command, Deal, Name, Pass, Play, Take
from app.belote.engine import State, decide, evolve, legal, new_match, turn_of
from app.belote.presets import PRESETS

SECRET = "00" * 32
LOOP_STEPS = 1_000_000
KNOWN_DEALS = 200
"""Deals that are recorded, then decided again: enough that no cache holds them all."""


def _command(state: State, seat: Seat, rng: random.Random) -> Command:
    """A random choice among what `legal` says is open."""
    options = legal(state, seat)
    if options.cards:
        return Play(seat, rng.choice(options.cards))
    call = rng.choice(options.calls)
    if call == "name":
        return Name(seat, rng.choice(options.trumps))
    return Take(seat) if call == "take" else Pass(seat)


def _after(state: State, command: Command) -> State:
    for event in decide(state, command):
        state = evolve(state, event)
    return state


def _shuffled(rng: random.Random) -> Deal:
    pack = list(PACK_32)
    rng.shuffle(pack)
    return Deal(tuple(pack), SECRET, SECRET)


def _deal(state: State, rng: random.Random) -> Iterator[tuple[State, Command]]:
    """One deal by random legal moves: each command with the state that it met."""
    command: Command = _shuffled(rng)
    yield state, command
    state = _after(state, command)
    while (turn := turn_of(state)) is not None:
        command = _command(state, turn.seat, rng)
        yield state, command
        state = _after(state, command)


def _fresh() -> State:
    return new_match(PRESETS["classic"], "bench", Seat(0), SECRET, SECRET)


def deals_per_s(seconds: float, rng: random.Random) -> float:
    """Whole deals a second: `legal` for the choice, `decide` and `evolve` for the move."""
    fresh, deals, began = _fresh(), 0, perf_counter()
    while (elapsed := perf_counter() - began) < seconds:
        state, command = fresh, _shuffled(rng)
        state = _after(state, command)
        while (turn := turn_of(state)) is not None:
            state = _after(state, _command(state, turn.seat, rng))
        deals += 1
    return deals / elapsed


def known_moves(seconds: float, rng: random.Random) -> tuple[float, float]:
    """Deals a second when the moves are known (what a replay does), and µs a command."""
    fresh = _fresh()
    known = [[command for _, command in _deal(fresh, rng)] for _ in range(KNOWN_DEALS)]
    deals, commands, began = 0, 0, perf_counter()
    while (elapsed := perf_counter() - began) < seconds:
        state = fresh
        for command in known[deals % KNOWN_DEALS]:
            state = _after(state, command)
        commands += len(known[deals % KNOWN_DEALS])
        deals += 1
    return deals / elapsed, elapsed / commands * 1e6


def legal_us(seconds: float, rng: random.Random) -> float:
    """Microseconds of one `legal` with cards to play, over the states of random deals."""
    fresh = _fresh()
    met = [
        (state, command.seat)
        for _ in range(KNOWN_DEALS)
        for state, command in _deal(fresh, rng)
        if isinstance(command, Play)
    ]
    rounds, began = 0, perf_counter()
    while (elapsed := perf_counter() - began) < seconds:
        for state, seat in met:
            legal(state, seat)
        rounds += 1
    return elapsed / (rounds * len(met)) * 1e6


def loop_mega_per_s() -> float:
    """The yardstick: million steps a second of a fixed loop over numbers and a list."""
    counts, x, began = [0] * 32, 1, perf_counter()
    for _ in range(LOOP_STEPS):
        x = (x * 1_103_515_245 + 12_345) & 0x7FFFFFFF
        counts[x >> 26] += 1
    return LOOP_STEPS / (perf_counter() - began) / 1e6


def measure(seconds: float) -> dict[str, Any]:
    """All figures; `seconds` for each."""
    rng = random.Random(1)
    deals_per_s(seconds / 4, rng)  # warm
    gc.collect()
    known, move_us = known_moves(seconds, rng)
    return {
        "deals_per_s": round(deals_per_s(seconds, rng), 1),
        "deals_known_per_s": round(known, 1),
        "legal_us": round(legal_us(seconds, rng), 2),
        "move_us": round(move_us, 2),
        "loop_mega_per_s": round(loop_mega_per_s(), 2),
    }


if __name__ == "__main__":
    wanted = float(sys.argv[1]) if len(sys.argv) > 1 else 2.0
    print(orjson.dumps(measure(wanted)).decode())
