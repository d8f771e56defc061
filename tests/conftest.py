"""Fixtures for every test: the run's own Postgres, a fresh database from a migrated template.

Each xdist worker starts a cluster of its own, in a temporary folder that the unprivileged account
can enter, when the first test asks for one; nothing of it survives the run.
"""

import asyncio
import contextlib
import itertools
import logging
import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import asyncpg
import pytest
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from app.infra.config import Settings
from app.infra.data_folder import open_data_folder
from app.infra.db import Database
from app.infra.embedded import EmbeddedPostgres
from app.infra.migrate import upgrade

T = TypeVar("T")

TEMPLATE = "rebelote_template"
FAST_FLAGS = {"fsync": "off", "full_page_writes": "off", "max_connections": "200"}
"""Kills of processes lose nothing of it: only a machine that dies needs fsync."""

# `make full` runs every random test with ten times the cases (tests may still set their own).
FULL = os.environ.get("REBELOTE_FULL") == "1"
_LOOSE = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture]
# `make test` is a gate and draws the same cases each time; `make full` looks for new ones.
hypothesis_settings.register_profile(
    "test", max_examples=100, deadline=None, suppress_health_check=_LOOSE, derandomize=True
)
hypothesis_settings.register_profile(
    "full", max_examples=1_000, deadline=None, suppress_health_check=_LOOSE, print_blob=True
)
hypothesis_settings.load_profile("full" if FULL else "test")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whatever asks for a database is marked so, without a word in each file."""
    for item in items:
        names = set(getattr(item, "fixturenames", ()))
        if names & {"database", "database_url", "cluster_url"}:
            item.add_marker(pytest.mark.database)


class BrowserApart(LoadScopeScheduling):
    """One worker takes all that drives Chromium, so that two never fight for the cores; every other
    test goes to whoever is free."""

    def _split_scope(self, nodeid: str) -> str:
        return "browser" if nodeid.startswith("tests/browser/") else nodeid


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> BrowserApart:
    """What ``-n`` spreads the tests with. (Marks of ``xdist_group`` go unheard in pytest 9.)"""
    return BrowserApart(config, log)


@pytest.fixture(scope="session")
def full() -> bool:
    """Whether this is `make full`: the widest grids."""
    return FULL


@pytest.fixture(autouse=True)
def logs_as_before() -> Iterator[None]:
    """A command sends all logs to the stream of its moment, which is closed when its test ends:
    whoever comes after logs to where this process did."""
    root = logging.getLogger()
    before = root.handlers[:], root.level
    yield
    root.handlers[:], root.level = before


def apart(work: Callable[[], T]) -> T:
    """Run something that brings its own event loop in a thread, away from the test's loop."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work).result()


def run_apart(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end on a loop of its own."""
    return apart(lambda: asyncio.run(work))


@pytest.fixture(scope="session")
def readable_folder() -> Iterator[Path]:
    """A temporary folder that every account can enter (pytest's own is closed to others)."""
    folder = Path(tempfile.mkdtemp(prefix="rebelote-test-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def cluster_url(readable_folder: Path) -> Iterator[str]:
    """The URL of the run's cluster, with a migrated template database in it."""
    folder = open_data_folder(Settings(data_dir=readable_folder / "cluster", database_url=None))
    postgres = EmbeddedPostgres(folder, flags=FAST_FLAGS)
    url = apart(postgres.start)
    try:
        run_apart(_admin(url, f"CREATE DATABASE {TEMPLATE}"))
        apart(lambda: upgrade(_named(url, TEMPLATE)))
        yield url
    finally:
        postgres.stop()


def _named(url: str, name: str) -> str:
    return f"{url.rpartition('/')[0]}/{name}"


async def _admin(url: str, *statements: str) -> None:
    connection = await asyncpg.connect(url)
    try:
        for statement in statements:
            await connection.execute(statement)
    finally:
        await connection.close()


_numbers = itertools.count(1)


@pytest.fixture
def database_url(cluster_url: str) -> Iterator[str]:
    """A fresh, migrated database of this test alone."""
    name = f"test_{next(_numbers)}"
    # Without fsync a copy of the files is quicker than one through the log, and quicker to drop.
    copy = f"CREATE DATABASE {name} TEMPLATE {TEMPLATE} STRATEGY FILE_COPY"
    run_apart(_admin(cluster_url, copy))
    yield _named(cluster_url, name)
    with contextlib.suppress(OSError, asyncpg.PostgresError):
        run_apart(_admin(cluster_url, f"DROP DATABASE {name} WITH (FORCE)"))


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    """An open `Database` on it."""
    opened = await Database.connect(database_url)
    try:
        yield opened
    finally:
        await opened.dispose()
