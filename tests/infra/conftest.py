"""Fixtures for the embedded Postgres: each test has a data folder of its own."""

import itertools
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.infra.holder import Holder, end_postmaster

_numbers = itertools.count(1)


@pytest.fixture
def home(readable_folder: Path) -> Path:
    """A folder of this test's own."""
    path = readable_folder / f"embedded-{os.getpid()}-{next(_numbers)}"
    path.mkdir(mode=0o755)
    return path


@pytest.fixture
def hold(home: Path) -> Iterator[Callable[[], Holder]]:
    """Start a holder; whatever still runs at the end is ended."""
    holders: list[Holder] = []

    def start() -> Holder:
        holders.append(Holder(home / "data"))
        return holders[-1]

    yield start
    try:
        for holder in holders:
            holder.stop()
    finally:
        end_postmaster(home / "data" / "postgres")
