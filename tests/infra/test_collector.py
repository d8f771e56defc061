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
            tasks.start(collector.tidy_for_ever(look_s=0.01, patience_s=0), "tidy")
            await asyncio.wait_for(whole.wait(), 60)
    finally:
        gc.callbacks.remove(told)


@pytest.mark.parametrize(
    ("busy", "late_s", "calm"), [(0.1, 0.001, True), (0.9, 0.001, False), (0.1, 0.2, False)]
)
def test_a_moment_is_calm_when_little_was_done_and_on_time(
    busy: float, late_s: float, calm: bool
) -> None:
    assert collector.is_calm(busy, late_s) is calm
