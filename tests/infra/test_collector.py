"""The collector's setting, looked at from outside: what it does to this process is undone."""

import asyncio
import gc
from collections.abc import Iterator
from typing import Any

import pytest

from app.infra import collector
from app.infra.tasks import TaskOwner


@pytest.fixture
def as_before() -> Iterator[None]:
    before = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*before)


@pytest.mark.usefixtures("as_before")
def test_what_stays_is_out_of_the_collectors_sight_and_new_cycles_are_not() -> None:
    staying: list[object] = []
    staying.append(staying)
    collector.settle()
    assert gc.isenabled()
    assert gc.get_threshold() == collector.THRESHOLDS
    seen = gc.get_objects()
    assert all(each is not staying for each in seen)
    del seen
    cycle: list[object] = []
    cycle.append(cycle)
    del cycle
    assert gc.collect() >= 1


@pytest.mark.usefixtures("as_before")
async def test_old_cycles_are_looked_for_when_enough_is_new() -> None:
    whole = asyncio.Event()

    def told(phase: str, info: dict[str, Any]) -> None:
        if phase == "stop" and info["generation"] == 2:
            whole.set()

    collector.settle()
    for _ in range(collector.ROUNDS):
        gc.collect(0)
    gc.callbacks.append(told)
    try:
        async with TaskOwner("test") as tasks:
            tasks.start(collector.tidy_for_ever(look_s=0.01), "tidy")
            await asyncio.wait_for(whole.wait(), 60)
    finally:
        gc.callbacks.remove(told)


@pytest.mark.parametrize(
    ("rounds", "busy", "waited_s", "due"),
    [
        (collector.ROUNDS, 0.1, 1, True),
        (collector.ROUNDS, 0.9, 1, False),
        (collector.ROUNDS, 0.9, collector.PATIENCE_S, True),
        (collector.ROUNDS - 1, 0.1, collector.PATIENCE_S, False),
    ],
)
def test_a_whole_round_waits_for_a_calm_moment_but_not_for_ever(
    rounds: int, busy: float, waited_s: float, due: bool
) -> None:
    assert collector.is_due(rounds, busy, waited_s) is due
