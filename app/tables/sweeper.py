"""What nobody else attends to: overdue deadlines, forgotten tables, the heartbeat (D9).

The process that committed sets the alarm; the sweeper acts two seconds late, with jitter, for those
whose process died. An outage (a gap between two heartbeats) moves all deadlines, so that nobody
loses a turn to a server that was away.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from app.infra import metrics
from app.infra.errors import AppError
from app.infra.logging import get_logger
from app.tables import sweeps
from app.tables.absence import Absence
from app.tables.alarms import Alarms
from app.tables.desk import Desk
from app.tables.outage import unreachable

log = get_logger(__name__)

SWEPT = metrics.counter("rebelote_swept_total", "Tables that the sweeper acted on, by why.")
OUTAGES = metrics.counter("rebelote_outages_total", "Gaps between heartbeats that moved deadlines.")

MOST_OVERDUE: Final = 200
MOST_GIVEN_UP: Final = 50
PAGE: Final = 50
"""Tables a sweep, so that the work of one is bounded."""
KEEP_MS: Final = 60_000
"""A table that nobody uses stays in memory for so long."""


class Sweeper:
    """Two loops, the sweep and the heartbeat; each step can be called by itself."""

    def __init__(self, desk: Desk, alarms: Alarms, absence: Absence) -> None:
        self._desk = desk
        self._alarms = alarms
        self._absence = absence
        self._stop = asyncio.Event()

    async def start(self) -> None:
        """Beat once, so that expiries may be committed, then run the loops."""
        await self._guarded(self.beat, "beat")
        tasks = self._desk.tasks
        tasks.start(self._heartbeat(), "heartbeat")
        tasks.start(self._sweeps(), "sweeper")
        tasks.start(self._adopt(), "adopt")

    def stop(self) -> None:
        """End the loops after what they are doing."""
        self._stop.set()

    async def _heartbeat(self) -> None:
        while not await self._stopped(self._desk.timing.heartbeat):
            await self._guarded(self.beat, "beat")

    async def _sweeps(self) -> None:
        timing = self._desk.timing
        while not await self._stopped(
            timing.sweep + self._desk.rng.between(0, timing.sweep_jitter)
        ):
            await self._guarded(self.sweep, "sweep")

    async def _adopt(self) -> None:
        if not await self._stopped(self._desk.timing.pause_grace):
            await self._guarded(self.adopt, "adopt")

    async def _stopped(self, after_ms: int) -> bool:
        """Wait for so long, or until the end; True if it is the end."""
        try:
            await asyncio.wait_for(self._stop.wait(), after_ms / 1000)
        except TimeoutError:
            return False
        return True

    async def _guarded(self, work: Callable[[], Awaitable[None]], name: str) -> None:
        """A loop survives a lost database, and whatever a single step breaks on."""
        try:
            await work()
        except Exception as error:
            if unreachable(error):
                log.warning("sweeper_waits", work=name, error=type(error).__name__)
            else:
                log.error("sweeper_failed", work=name, exc_info=error)

    async def beat(self) -> None:
        """The heartbeat; after an outage the deadlines in memory follow their rows."""
        timing = self._desk.timing
        async with self._desk.database.unit_of_work() as session:
            gap = await sweeps.beat(session, timing.outage_gap, timing.outage_bonus)
        began = self._alarms.beaten()
        if gap is None:
            return
        OUTAGES.add()
        (log.debug if began else log.warning)("outage", gap_ms=gap)  # a start follows a stop
        await self._each([live.code for live in self._desk.cache], self._follow, "outage")

    async def _follow(self, code: str) -> None:
        live = await self._desk.table(code)

        async def work() -> None:
            await self._desk.catch_up(live)
            self._desk.tell_turn(live)

        await self._desk.run(live, work)

    async def sweep(self) -> None:
        """One round: overdue deadlines, tables to give up, memory."""
        late = self._desk.timing.sweep_late
        async with self._desk.database.unit_of_work() as session:
            overdue = await sweeps.overdue(session, late, MOST_OVERDUE)
            forgotten = await sweeps.given_up(session, MOST_GIVEN_UP)
        await self._each(overdue, self._alarms.overdue, "overdue")
        await self._each(forgotten, self._absence.give_up, "given_up")
        self._tidy()

    async def adopt(self) -> None:
        """Once, after a start: tables that somebody was at and nobody has come back to."""
        after = 0
        while True:
            async with self._desk.database.unit_of_work() as session:
                found = await sweeps.attended(session, after, PAGE)
            if not found or self._stop.is_set():
                return
            await self._each([code for _, code in found], self._absence.unattended, "unattended")
            after = found[-1][0]

    async def _each(
        self, codes: list[str], work: Callable[[str], Awaitable[None]], why: str
    ) -> None:
        for code in codes:
            SWEPT.add(why=why)
            try:
                await work(code)
            except AppError as error:
                log.warning("sweep_put_off", table=code, code=error.code)
            except Exception as error:  # one broken table must not stop the rest
                log.error("sweep_failed", table=code, why=why, exc_info=error)

    def _tidy(self) -> None:
        """Forget tables that nobody has used for a while and that no alarm waits for."""
        now = self._desk.clock.monotonic_ms()
        for live in self._desk.cache:
            closed = live.state.status == "closed"
            waits = bool(live.timers) or live.deadline is not None
            unused = not waits and now - live.used_ms > KEEP_MS
            if (closed or unused) and not live.lock.locked():
                self._desk.cache.drop(live)
                self._absence.forget(live.code)
