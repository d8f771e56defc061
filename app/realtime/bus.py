"""How processes tell each other that a table has moved (D8).

With the embedded database there is one process, which hears of its own commits directly: the bus
then has nothing to carry, and the poll of the heads stays as the net below it. The Postgres bus
comes with many processes; it announces through the same Protocol.
"""

from collections.abc import Awaitable, Callable, Collection
from typing import Protocol

Moved = Callable[[str, int], None]
"""Told that a table (by code) has at least this head."""


class Bus(Protocol):
    """Announces tables that other processes moved; a lost announcement costs latency alone."""

    async def run(self, moved: Moved) -> None:
        """Announce until cancelled."""
        ...


class PolledBus:
    """Reads the heads of the tables that somebody listens to, every few seconds."""

    def __init__(
        self,
        heads: Callable[[Collection[str]], Awaitable[dict[str, int]]],
        watched: Callable[[], Collection[str]],
        sleep: Callable[[float], Awaitable[None]],
        every_ms: int,
    ) -> None:
        self._heads = heads
        self._watched = watched
        self._sleep = sleep
        self._every_s = every_ms / 1000

    async def run(self, moved: Moved) -> None:
        """Announce until cancelled."""
        while True:
            await self._sleep(self._every_s)
            await self.poll(moved)

    async def poll(self, moved: Moved) -> None:
        """One look at the heads of all watched tables."""
        codes = self._watched()
        if codes:
            for code, head in (await self._heads(codes)).items():
                moved(code, head)
