"""One house with quick bots on a fresh database."""

from collections.abc import AsyncIterator

import pytest

from app.infra.db import Database

from .kit import House, opened


@pytest.fixture
async def house(database: Database) -> AsyncIterator[House]:
    """See ``kit.opened``."""
    async with opened(database) as found:
        yield found
