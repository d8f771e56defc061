"""People who come and go (architecture, *Absence*): pause, resume, bots that sit in, giving up.

Disconnection is presence only; these are the batches that the table writes because of it. Timers
here are speed: after a restart the sweeper finds what nobody attends to.
"""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final
from uuid import UUID

from app.infra.errors import AppError
from app.infra.logging import get_logger
from app.tables import drafts, sweeps
from app.tables import events as ev
from app.tables import table as tables
from app.tables.cache import LiveTable
from app.tables.desk import Desk
from app.tables.drafts import Draft
from app.tables.outage import unreachable
from app.tables.presence import Presence
from app.tables.table import TableState

log = get_logger(__name__)

RETRY_S: Final = 1.0
"""When the database was away: look again then."""


class Absence:
    """Keeps tables and the presence of their people in step."""

    def __init__(self, desk: Desk, presence: Presence) -> None:
        self._desk = desk
        self._presence = presence

    # Sync: told by the hub

    def connected(self, code: str, player: UUID) -> None:
        """A socket of the player follows the table."""
        if self._presence.add(code, player) and not self._desk.tasks.closed:
            self._here_again(code, player)
            self._welcome(code, player)

    def _here_again(self, code: str, player: UUID) -> None:
        """Stop the timers that an absence has set, at once: one that rings after a second drop
        must have been set by it."""
        live = self._desk.cache.peek(code)
        seat = None if live is None else live.state.seat_of(player)
        if live is None or seat is None:
            return
        live.visits += 1
        live.cancel("pause")
        turn = tables.open_turn(live.state)
        if turn is not None and turn.seat == seat:
            live.cancel("away")

    def disconnected(self, code: str, player: UUID) -> None:
        """A socket of the player is gone."""
        if self._presence.remove(code, player):
            live = self._desk.cache.peek(code)
            if live is not None:
                self.changed(live)

    def forget(self, code: str) -> None:
        """The table is no longer in memory: since when its people are away is not kept either."""
        self._presence.forget(code)

    def _start(self, work: Awaitable[None], name: str, again: Callable[[], None]) -> None:
        """Do it; where the database was away for the moment, ``again`` begins anew: nothing else
        would ever pause, or wake, a table at which nobody acts."""

        async def guarded() -> None:
            try:
                await work
                return
            except Exception as error:
                if not isinstance(error, AppError) and not unreachable(error):
                    raise
                log.info("absence_put_off", work=name, kind=type(error).__name__)
                if isinstance(error, AppError) and not error.retry:
                    return
            await asyncio.sleep(RETRY_S)
            again()

        self._desk.tasks.start(guarded(), name)

    def _welcome(self, code: str, player: UUID) -> None:
        if self._presence.online(code, player) and not self._desk.tasks.closed:
            again = partial(self._welcome, code, player)
            self._start(self._arrived(code, player), "arrived", again)

    async def _arrived(self, code: str, player: UUID) -> None:
        live = await self._desk.table(code)

        async def work() -> None:
            if live.state.seat_of(player) is None:
                return
            if live.idle and live.state.status != "playing":
                async with self._desk.database.unit_of_work() as session:
                    await sweeps.mark_busy(session, live.id)
            live.idle = False
            await self._desk.attempt(live, self._resume)
            self.changed(live)

        await self._desk.run(live, work)

    def _resume(self, table: TableState) -> Draft | None:
        return Draft((ev.Resumed(),), "system") if table.paused else None

    # The table's own timers

    def changed(self, live: LiveTable) -> None:
        """Look who is there after anything has changed, and set the timers that follow."""
        table = live.state
        if self._desk.tasks.closed:
            return
        if table.status == "closed":
            live.cancel_all()
            self._presence.forget(table.code)
            return
        if self._presence.anybody(table):
            live.cancel("pause")
        elif not table.paused and not live.idle and "pause" not in live.timers:
            visits = live.visits
            work = self._nobody
            self._later(live, "pause", self._desk.timing.pause_grace, lambda it: work(it, visits))
        self._watch_turn(live)

    def _watch_turn(self, live: LiveTable) -> None:
        """A bot sits in for whoever is away for too long at the own turn."""
        live.cancel("away")
        table = live.state
        turn = tables.open_turn(table)
        if turn is None or turn.seat is None or tables.alone(table):
            return
        chair = table.seats[turn.seat]
        if chair.player is None or chair.sitting_in:
            return
        if self._presence.online(table.code, chair.player):
            return
        gone = self._presence.gone_ms(table.code, chair.player, live.loaded_ms)
        left = gone + self._desk.timing.away - self._desk.clock.monotonic_ms()
        self._later(live, "away", max(left, 0), self._sit_in)

    def _later(
        self,
        live: LiveTable,
        purpose: str,
        delay_ms: int,
        work: Callable[[LiveTable], Awaitable[None]],
    ) -> None:
        def fire() -> None:
            if live.timers.get(purpose) is timer:
                del live.timers[purpose]
            if not self._desk.tasks.closed:
                again = partial(self.changed, live)
                self._start(self._desk.run(live, lambda: work(live)), purpose, again)

        timer = asyncio.get_running_loop().call_later(delay_ms / 1000, fire)
        live.timers[purpose] = timer

    async def _nobody(self, live: LiveTable, visits: int) -> None:
        """Nobody has been connected for the grace: pause, or note since when the table is empty.
        Somebody who came and went in the meantime is away by a clock of its own."""
        if self._presence.anybody(live.state) or live.visits != visits:
            return
        if live.state.status == "playing":
            await self._desk.attempt(live, lambda table: self._pause(live, table))
        elif live.state.status != "closed" and not live.idle:
            async with self._desk.database.unit_of_work() as session:
                await sweeps.mark_idle(session, live.id, self._desk.timing.idle_table)
            live.idle = True

    def _pause(self, live: LiveTable, table: TableState) -> Draft | None:
        if table.status != "playing" or table.paused:
            return None
        return Draft((ev.Paused(self._desk.turn_left_ms(live)),), "system")

    async def _sit_in(self, live: LiveTable) -> None:
        def ask(table: TableState) -> Draft | None:
            turn = tables.open_turn(table)
            if turn is None or turn.seat is None:
                return None
            chair = table.seats[turn.seat]
            if chair.player is None or chair.sitting_in:
                return None
            if self._presence.online(table.code, chair.player):
                return None
            return drafts.sit_in(table, turn.seat, "away", self._desk.turn_left_ms(live))

        await self._desk.attempt(live, ask)

    # The sweeper's calls

    async def unattended(self, code: str) -> None:
        """After a restart: a table that somebody was at, and that nobody has come back to."""
        live = await self._desk.table(code)
        await self._desk.run(live, lambda: self._nobody(live, live.visits))

    async def give_up(self, code: str) -> None:
        """Nobody came back in time: the match is abandoned, the table closed."""
        live = await self._desk.table(code)

        def ask(table: TableState) -> Draft | None:
            if table.status == "closed" or self._presence.anybody(table):
                return None
            return Draft(drafts.give_up(table, "idle"), "system")

        async def work() -> None:
            await self._desk.attempt(live, ask)

        await self._desk.run(live, work)
