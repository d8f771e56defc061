"""How reliably a player plays rated matches to their end, and what follows when it does not.

Every rated match leaves one outcome a person; the newest ``WINDOW`` count, so that time spent
playing on heals. Leaving for good counts at once, not only when the match is over.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from app.infra.clock import Clock
from app.infra.db import Database
from app.infra.errors import AppError
from app.tables import sweeps
from app.tables.match import Outcome

WINDOW: Final = 30


@dataclass(frozen=True, slots=True)
class Pause:
    """No rated matches until then, and why: how often each outcome is in the window."""

    until: datetime
    counts: dict[str, int]


def pause(outcomes: Sequence[tuple[Outcome, datetime]], steps_ms: Sequence[int]) -> Pause | None:
    """The pause that a player's newest outcomes (newest first) bring, counted from the last
    broken match; it may be over. ``steps_ms`` are the pauses for one broken match, two, and so on;
    the last holds for all that come after it."""
    window = outcomes[:WINDOW]
    broken = [at for outcome, at in window if outcome != "finished"]
    if not broken or not steps_ms:
        return None
    length = timedelta(milliseconds=steps_ms[min(len(broken), len(steps_ms)) - 1])
    counts: Counter[str] = Counter(outcome for outcome, _ in window)
    return Pause(broken[0] + length, {"matches": len(window), **counts})


class Conduct:
    """Asks the rows."""

    def __init__(self, database: Database, clock: Clock, steps_ms: Sequence[int]) -> None:
        self._database = database
        self._clock = clock
        self._steps_ms = steps_ms

    async def require(self, player: UUID) -> None:
        """AppError ``rated_pause`` (with until when and why) if the player may not play rated
        matches now."""
        async with self._database.unit_of_work() as session:
            outcomes = await sweeps.outcomes(session, player, WINDOW)
        found, now = pause(outcomes, self._steps_ms), self._clock.now()
        if found is None or found.until <= now:
            return
        left = found.until - now
        facts = {"until": found.until.isoformat(), "left_ms": int(left.total_seconds() * 1000)}
        raise AppError(
            "rated_pause",
            retry_after=int(left.total_seconds()) + 1,
            facts={**facts, "window": found.counts},
        )
