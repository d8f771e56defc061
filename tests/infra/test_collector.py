"""The collector's setting, looked at from outside: what it does to this process is undone."""

import gc
from collections.abc import Iterator

import pytest

from app.infra import collector


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
