"""The pace of the load, on a clock that only the test moves."""

import asyncio
from collections.abc import Iterator

import pytest

from bench.load import Load


class Clock:
    """A clock that stands still."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


class Scripted:
    """A client that notes when its moves were due."""

    def __init__(self) -> None:
        self.dues: list[float] = []
        self.moved = asyncio.Event()

    def move(self, due: float) -> None:
        self.dues.append(due)
        self.moved.set()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def load(clock: Clock) -> Iterator[Load]:
    load = Load(clock)
    yield load
    load.hold()


def test_a_held_load_sends_nothing_and_a_saturated_one_at_once(load: Load, clock: Clock) -> None:
    early, late = Scripted(), Scripted()
    load.ready(early)
    assert (early.dues, load.waiting) == ([], 1)
    load.saturate()
    clock.now += 1
    load.ready(late)
    assert (early.dues, late.dues, load.in_flight) == ([100.0], [101.0], 2)


async def test_the_open_loop_keeps_its_rate_whatever_the_answers_do(
    load: Load, clock: Clock
) -> None:
    movers = [Scripted() for _ in range(3_000)]
    for mover in movers:
        load.ready(mover)
    load.pace(1_000)
    for _ in range(2_000):
        clock.now += 0.001
        load.tick()
    sent = [due for mover in movers for due in mover.dues]
    assert 1_800 < len(sent) < 2_200  # Poisson: 2,000 ± 45
    assert sent == sorted(sent)
    assert load.in_flight == len(sent)


async def test_a_move_that_found_no_table_is_late_from_its_place_in_the_schedule(
    load: Load, clock: Clock
) -> None:
    load.pace(1_000)
    load.begin_window()
    clock.now += 0.5
    load.tick()
    assert load.backlog > 400
    mover = Scripted()
    load.ready(mover)
    assert mover.dues[0] < 100.1
    load.acked(mover.dues[0])
    latencies, late = load.end_window()
    assert latencies[0] > 0.4
    assert late[0] > 0.4


async def test_what_never_found_a_table_counts_as_late_as_it_is_when_the_window_ends(
    load: Load, clock: Clock
) -> None:
    load.pace(1_000)
    load.begin_window()
    clock.now += 0.2
    load.tick()
    waiting = load.backlog
    load.hold()
    latencies, _ = load.end_window()
    assert waiting > 100
    assert len(latencies) == waiting
    assert max(latencies) > 0.15


async def test_moves_that_were_due_before_the_window_do_not_count_in_it(
    load: Load, clock: Clock
) -> None:
    load.saturate()
    before, within = Scripted(), Scripted()
    load.ready(before)
    clock.now += 1
    load.begin_window()
    load.ready(within)
    clock.now += 0.25
    load.acked(before.dues[0])
    load.acked(within.dues[0])
    assert load.end_window()[0] == [0.25]
    assert load.moves == 2


async def test_a_load_ticks_by_itself() -> None:
    load, mover = Load(), Scripted()
    load.ready(mover)
    load.pace(10_000)
    try:
        await asyncio.wait_for(mover.moved.wait(), 30)
    finally:
        load.hold()
