"""Chromium, a server, people, and the folder of pictures."""

import contextlib
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator
from pathlib import Path
from typing import Any, Final

import asyncpg
import pytest
from playwright.async_api import Browser, async_playwright, expect

from app.infra.config import CHECKOUT
from app.infra.migrate import upgrade
from tests.browser.driver import Person
from tests.browser.house import House, serving
from tests.conftest import apart, run_apart

CHROMIUM: Final = "/usr/bin/chromium"
# Chromium as root and in a container; nothing of it goes out to the network.
FLAGS: Final = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
DESKTOP: Final[dict[str, Any]] = {"viewport": {"width": 1440, "height": 900}}
PHONE: Final[dict[str, Any]] = {
    "viewport": {"width": 390, "height": 844},
    "is_mobile": True,
    "has_touch": True,
    "device_scale_factor": 2,
}
SCREENS: Final = CHECKOUT / "build" / "screens"

expect.set_options(timeout=60_000)  # a busy machine is not a fault of the page

FAILED: Final = pytest.StashKey[bool]()
NewPerson = Callable[..., Awaitable[Person]]
Picture = Callable[[Person, str], Awaitable[None]]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All of this folder drives Chromium, and plays whole matches."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.slow)
            item.add_marker(pytest.mark.timeout(1_200))  # other work may want the cores too


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Remember how the test went, so that the people's last screens can be kept."""
    report = yield
    if report.when == "call":
        item.stash[FAILED] = report.failed
    return report


@pytest.fixture(scope="session")
def house(cluster_url: str) -> Iterator[House]:
    """One server for all tests here, with a database of its own."""
    with fresh_database(cluster_url, f"browser_{os.getpid()}") as url, serving(url) as running:
        yield running


@contextlib.contextmanager
def fresh_database(cluster_url: str, name: str) -> Iterator[str]:
    """A database with all its tables, for as long as the block lasts."""
    url = f"{cluster_url.rpartition('/')[0]}/{name}"
    run_apart(_execute(cluster_url, f"CREATE DATABASE {name}"))
    apart(lambda: upgrade(url))
    yield url
    run_apart(_execute(cluster_url, f"DROP DATABASE {name} WITH (FORCE)"))


async def _execute(url: str, statement: str) -> None:
    connection = await asyncpg.connect(url)
    try:
        await connection.execute(statement)
    finally:
        await connection.close()


@pytest.fixture
async def chromium() -> AsyncIterator[Browser]:
    """A browser without windows."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=CHROMIUM, args=FLAGS, timeout=120_000
        )
        yield browser
        await browser.close()


@pytest.fixture
async def person(
    chromium: Browser, house: House, screens: Path, request: pytest.FixtureRequest
) -> AsyncIterator[NewPerson]:
    """Make people: ``await person("Ada")``; at the end none of their pages may have a problem."""
    people: list[Person] = []

    async def make(
        name: str, *, phone: bool = False, beside: Person | None = None, **more: Any
    ) -> Person:
        if beside is not None:
            context = beside.context
        else:
            looks = {**(PHONE if phone else DESKTOP), "base_url": house.url, "locale": "en-GB"}
            context = await chromium.new_context(**{**looks, **more})
            context.set_default_timeout(60_000)
        someone = Person(await context.new_page(), name, len(people) + 1, touch=phone)
        await someone.watch.install()
        people.append(someone)
        return someone

    yield make
    problems = []
    for number, someone in enumerate(people):
        if request.node.stash.get(FAILED, False) and not someone.page.is_closed():
            name = f"failed-{request.node.name}-{number}.png"
            await someone.page.screenshot(path=screens / name, caret="initial")
        if not someone.page.is_closed():
            await someone.watch.collect()
        problems += [f"{someone.name}: {one}" for one in someone.watch.problems]
    assert not problems, "\n".join(problems)


@pytest.fixture(scope="session")
def screens() -> Path:
    """Where pictures are kept."""
    SCREENS.mkdir(parents=True, exist_ok=True)
    return SCREENS


@pytest.fixture
def picture(screens: Path) -> Picture:
    """Take a picture, and read the screen for what it should not show."""

    async def take(someone: Person, name: str) -> None:
        await someone.settle()
        await someone.watch.look()
        # Playwright would hide the caret with a style element, which the CSP refuses.
        await someone.page.screenshot(path=screens / f"{name}.png", caret="initial")

    return take
