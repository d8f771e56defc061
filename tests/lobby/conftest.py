"""A server for a test of the lobby."""

from collections.abc import AsyncIterator

import pytest

from tests.realtime.harness import HOUR, Running, serving, timing

PATIENT = {"fill": HOUR, "queue_longest": HOUR}
"""Nobody is seated with bots unless a test wants it."""


@pytest.fixture
async def server(database_url: str) -> AsyncIterator[Running]:
    """Quick bots, wide limits."""
    async with serving(database_url) as running:
        yield running


@pytest.fixture
async def patient(database_url: str) -> AsyncIterator[Running]:
    """A server where tables of Play now wait for four people."""
    async with serving(database_url, timing_=timing(**PATIENT)) as running:
        yield running
