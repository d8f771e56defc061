"""The lobby's list, live: one reader of the database for all sockets that follow it.

It reads when a public table of this process has changed, and every few seconds for what other
processes did; never more often than `Timing.lobby_tick`. A socket gets the list as its filter shows
it, then what it lacks, one frame at a time: as long as one waits in its outbox, no other is made.
"""

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from app.infra.clock import Clock
from app.infra.config import Limits, Timing
from app.infra.logging import get_logger
from app.lobby import listing
from app.lobby.listing import Filter, List
from app.lobby.service import Lobby
from app.realtime import protocol
from app.tables.outage import unreachable
from app.tables.ports import Publication

if TYPE_CHECKING:
    from app.realtime.connection import Connection

log = get_logger(__name__)

SLOT: Final = ("lobby", "")
_SHOWS: Final = frozenset(
    {
        "opened", "seat_taken", "seat_left", "host_changed", "options_set", "match_started",
        "seat_to_bot", "match_ended", "paused", "resumed", "closed",
    }
)  # fmt: skip
"""Events after which a table's row may look different."""


@dataclass(slots=True)
class _Follower:
    wanted: Filter
    seen: List | None = None
    of: List | None = None
    """The whole list that `seen` was chosen from."""


class LobbyFeed:
    """Who follows the list in this process."""

    def __init__(self, lobby: Lobby, clock: Clock, timing: Timing, limits: Limits) -> None:
        self._lobby = lobby
        self._clock = clock
        self._timing = timing
        self._limits = limits
        self._followers: dict[Connection, _Follower] = {}
        self._rows: List = {}
        self._read_ms: int | None = None
        self._wake = asyncio.Event()

    def follow(self, connection: "Connection", wanted: Filter) -> None:
        """Send a socket the list, and from then on what changes; again with another filter."""
        self._followers[connection] = _Follower(wanted)
        if self._is_fresh():
            self._tell({connection: self._followers[connection]})
        else:
            self._wake.set()

    def leave(self, connection: "Connection") -> None:
        """No longer; also for a socket that does not follow."""
        self._followers.pop(connection, None)

    def note(self, publication: Publication) -> None:
        """A table has changed: perhaps its row too."""
        if not self._followers or publication.after.options.visibility != "public":
            return
        if any(event.type in _SHOWS for event in publication.events):
            self._wake.set()

    def _is_fresh(self) -> bool:
        if self._read_ms is None:
            return False
        return self._clock.monotonic_ms() - self._read_ms < self._timing.lobby_poll

    async def run(self) -> None:
        """Read and tell until cancelled."""
        tick_s = self._timing.lobby_tick / 1000
        poll_s = self._timing.lobby_poll / 1000
        while True:
            try:
                async with asyncio.timeout(poll_s if self._followers else None):
                    await self._wake.wait()
            except TimeoutError:
                pass
            self._wake.clear()
            if self._followers:
                await self._read()
                self._tell(self._followers)
                await asyncio.sleep(tick_s)

    async def _read(self) -> None:
        try:
            tables = await self._lobby.public_tables()
        except Exception as error:
            if unreachable(error):
                log.warning("lobby_unread", kind=type(error).__name__)
            else:
                log.error("lobby_unread", exc_info=error)
            return
        rows = listing.listed(tables, self._rows)
        if listing.change(self._rows, rows) is not None or self._read_ms is None:
            self._rows = rows
        self._read_ms = self._clock.monotonic_ms()

    def _tell(self, followers: "dict[Connection, _Follower]") -> None:
        """Tell each what it lacks; what many lack is encoded once."""
        if self._read_ms is None:
            return
        chosen: dict[Filter, tuple[List, bool]] = {}
        texts: dict[tuple[Filter, int], str | None] = {}
        for connection, follower in followers.items():
            if follower.of is self._rows or connection.outbox.holds(SLOT):
                continue
            wanted = follower.wanted
            if wanted not in chosen:
                chosen[wanted] = listing.chosen(self._rows, wanted, self._limits.lobby_rows)
            rows, more = chosen[wanted]
            key = wanted, id(follower.of)
            if key not in texts:
                texts[key] = _text(follower.seen, rows, more)
            follower.seen, follower.of = rows, self._rows
            if (text := texts[key]) is not None:
                connection.put_latest(*SLOT, text)


def _text(seen: List | None, rows: List, more: bool) -> str | None:
    if seen is None:
        return protocol.lobby([row.json for row in rows.values()], more)
    change = listing.change(seen, rows)
    if change is None:
        return None
    return protocol.lobby([row.json for row in change.rows], more, change.gone)
