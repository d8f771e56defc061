"""Punctual deadlines (D9): an alarm in memory for each live table, and what it does.

The row and the database's clock decide: an alarm sends an ordinary batch that commits only if the
row's deadline is due; one that comes early changes nothing and is set again from the row.
"""

import asyncio
from datetime import datetime, timedelta
from random import Random

from app.belote import engine
from app.belote import view as game_view
from app.belote.commands import Command
from app.bots.names import bot_name
from app.infra import metrics
from app.infra.errors import AppError
from app.infra.logging import get_logger
from app.tables import drafts, offers
from app.tables import table as tables
from app.tables.cache import Deadline, LiveTable
from app.tables.desk import Desk
from app.tables.drafts import Draft, Namer
from app.tables.ports import BotBrain
from app.tables.store import Committed

log = get_logger(__name__)

EXPIRED = metrics.counter("rebelote_deadlines_total", "Deadlines that were answered, by kind.")
EARLY = metrics.counter("rebelote_deadlines_early_total", "Alarms that came before the row's time.")
BOT_ERRORS = metrics.counter("rebelote_bot_errors_total", "Bots that raised or broke a rule.")
RETRY_MS = 1_000
"""When an expiry could not be tried (no fresh heartbeat, no database): look again then."""


class Alarms:
    """Sets the alarms of live tables and answers their deadlines."""

    def __init__(self, desk: Desk, brain: BotBrain) -> None:
        self._desk = desk
        self._brain = brain
        self._random: Random = desk.rng.random()
        self._beaten: tuple[int, datetime] | None = None
        """This process's last heartbeat, by both faces of its clock."""

    def changed(self, live: LiveTable) -> None:
        """Set the alarm for the deadline that the table has now, if it is another one."""
        self.arm(live)
        self._let_think(live)

    def arm(self, live: LiveTable, delay_ms: int | None = None) -> None:
        """Set the alarm; with ``delay_ms`` at that time instead of the deadline's."""
        live.cancel("deadline")
        deadline = live.deadline
        if deadline is None or self._desk.tasks.closed:
            return
        if delay_ms is None:
            delay_ms = deadline.due_ms - self._desk.clock.monotonic_ms()
        loop = asyncio.get_running_loop()
        live.timers["deadline"] = loop.call_later(
            max(delay_ms, 0) / 1000, self._ring, live, deadline
        )

    def _ring(self, live: LiveTable, deadline: Deadline) -> None:
        live.timers.pop("deadline", None)
        if not self._desk.tasks.closed:
            self._desk.tasks.start(self._answer(live, deadline), "deadline")

    async def _answer(self, live: LiveTable, deadline: Deadline) -> None:
        async def work() -> None:
            if live.deadline is deadline:
                await self.expire(live)

        try:
            await self._desk.run(live, work)
        except AppError as error:
            log.warning("deadline_put_off", table=live.code, code=error.code)
            self.arm(live, RETRY_MS)

    async def overdue(self, code: str) -> None:
        """The sweeper's call: somebody else's alarm did not ring, or nobody had one."""
        live = await self._desk.table(code)

        async def work() -> None:
            await self._desk.catch_up(live)
            if live.deadline is not None and live.deadline.due_ms <= self._now():
                await self.expire(live)

        await self._desk.run(live, work)

    def _now(self) -> int:
        return self._desk.clock.monotonic_ms()

    async def expire(self, live: LiveTable) -> None:
        """Answer the table's deadline, under its lock."""
        deadline = live.deadline
        if deadline is None:
            return
        if not self._beat_is_fresh():  # this process may have slept through an outage
            self.arm(live, RETRY_MS)
            return
        draft = self._draft(live, deadline)
        if draft is None:
            return
        result = await self._desk.commit(live, draft)
        if isinstance(result, Committed):
            EXPIRED.add(kind=deadline.kind)
            return
        EARLY.add()
        await self._desk.catch_up(live)  # also sets the alarm again, from the row

    def beaten(self, *, lately: bool = True) -> bool:
        """This process's heart has beaten just now, whether for the first time is the answer;
        ``lately`` False: as if it never had."""
        clock, first = self._desk.clock, self._beaten is None
        self._beaten = (clock.monotonic_ms(), clock.now()) if lately else None
        return first

    def _beat_is_fresh(self) -> bool:
        """By the machine's monotonic time and by the world's: the first stands still while a
        laptop sleeps, and the database's clock, which judges deadlines, does not."""
        if self._beaten is None:
            return False
        age = self._desk.timing.expiry_beat_max
        ms, at = self._beaten
        world = abs(self._desk.clock.now() - at) < timedelta(milliseconds=age)
        return world and self._now() - ms < age

    def _draft(self, live: LiveTable, deadline: Deadline) -> Draft | None:
        table = live.state
        match deadline.kind:
            case "turn":
                return drafts.timeout(table)
            case "bot":
                return drafts.bot(table, self._thought(live))
            case "next_deal":
                return drafts.next_deal(table, self._desk.rng)
            case "ready":
                return offers.not_ready(table)
            case "rematch":
                return offers.no_rematch(table)

    # Bots think when their turn opens and send at its deadline

    def _let_think(self, live: LiveTable) -> None:
        deadline = live.deadline
        if deadline is None or deadline.kind != "bot" or live.thought_of(deadline.seq):
            return
        # After this batch's frames are on their way: nobody waits for a bot's thinking.
        asyncio.get_running_loop().call_soon(self._think, live)

    def _think(self, live: LiveTable) -> None:
        turn = tables.open_turn(live.state)
        if turn is None or turn.seat is None or live.thought_of(turn.decision):
            return
        chair = live.state.seats[turn.seat]
        if not tables.is_bot(chair) or live.state.game is None:
            return
        game = live.state.game
        command: Command | None = None
        try:
            seen = game_view.view(game, turn.seat)
            legal = engine.legal(game, turn.seat)
            command = self._brain(seen, legal, chair.bot or "novice", self._random)
        except Exception as error:  # a bot's mistake must not hang the table
            BOT_ERRORS.add()
            log.error("bot_failed", table=live.code, exc_info=error)
        live.thought = (turn.decision, command)

    def _thought(self, live: LiveTable) -> Command | None:
        if not live.thought_of(live.state.decision):
            self._think(live)
        if live.thought is None or live.thought[0] != live.state.decision:
            return None
        return live.thought[1]


def default_name(random: Random) -> Namer:
    """Names from the bots' own list."""

    def name(taken: set[str]) -> str:
        return bot_name(taken, random)

    return name
