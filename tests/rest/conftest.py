"""A server for a test that needs nothing special of it."""

from collections.abc import AsyncIterator

import pytest

from tests.realtime.harness import Running, serving


@pytest.fixture
async def server(database_url: str) -> AsyncIterator[Running]:
    """Quick bots, wide limits."""
    async with serving(database_url) as running:
        yield running
