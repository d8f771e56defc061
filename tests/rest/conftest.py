"""A server of a test's own, and one that a file's tests share because they change nothing of it."""

import contextlib
import itertools
from collections.abc import AsyncIterator, Iterator

import asyncpg
import pytest
import pytest_asyncio

from tests.conftest import TEMPLATE, _admin, _named, run_apart
from tests.realtime.harness import Running, serving

_numbers = itertools.count(1)


@pytest.fixture
async def server(database_url: str) -> AsyncIterator[Running]:
    """Quick bots, wide limits."""
    async with serving(database_url) as running:
        yield running


@pytest.fixture(scope="module")
def shared_url(cluster_url: str) -> Iterator[str]:
    """A database for the tests of one file."""
    name = f"shared_{next(_numbers)}"
    run_apart(_admin(cluster_url, f"CREATE DATABASE {name} TEMPLATE {TEMPLATE}"))
    yield _named(cluster_url, name)
    with contextlib.suppress(OSError, asyncpg.PostgresError):
        run_apart(_admin(cluster_url, f"DROP DATABASE {name} WITH (FORCE)"))


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared(shared_url: str) -> AsyncIterator[Running]:
    """A server for the tests of one file, which run in its loop."""
    async with serving(shared_url) as running:
        yield running
