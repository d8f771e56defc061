"""What a socket does in the lobby: follow the list, look for a game."""

import asyncio
from typing import TYPE_CHECKING

from app.infra.clock import Clock
from app.infra.config import Timing
from app.infra.errors import AppError
from app.lobby.listing import Filter
from app.lobby.matchmaker import Matchmaker
from app.lobby.places import Asked
from app.players.bounds import Bounds
from app.players.service import Players
from app.realtime import protocol
from app.realtime.lobby_feed import LobbyFeed
from app.realtime.seeking import Seeker
from app.tables.ports import Publication

if TYPE_CHECKING:
    from app.realtime.connection import Connection


class LobbySide:
    """One a process, for the hub's sockets."""

    def __init__(
        self,
        feed: LobbyFeed,
        matchmaker: Matchmaker,
        players: Players,
        bounds: Bounds,
        clock: Clock,
        timing: Timing,
    ) -> None:
        self._feed = feed
        self._matchmaker = matchmaker
        self._players = players
        self._bounds = bounds
        self._clock = clock
        self._answer_s = timing.answer / 1000

    async def run(self) -> None:
        """Keep the list until cancelled."""
        await self._feed.run()

    def note(self, publication: Publication) -> None:
        """A table has changed."""
        self._feed.note(publication)

    def forget(self, connection: "Connection") -> None:
        """A socket has gone: its ticket dies with it."""
        self._feed.leave(connection)
        self._stop(connection)

    def follow(self, connection: "Connection", frame: protocol.Lobby) -> None:
        """Send the list, and what changes; or no longer."""
        if frame.on:
            wanted = Filter(frame.preset, frame.rated, frame.speed, frame.seats, frame.running)
            self._feed.follow(connection, wanted)
        else:
            self._feed.leave(connection)

    async def queue(self, connection: "Connection", frame: protocol.Queue) -> None:
        """Look for a game, or no longer. Asking again for the same keeps the place."""
        if not frame.on:
            if self._stop(connection):
                connection.put(protocol.cancelled())
            return
        before, seeker = connection.seeker, Seeker(connection, self._clock)
        if before is not None:
            before.silent = True  # whatever it hears now, this one says
        try:
            await self._enter(connection, frame, seeker)
        except TimeoutError:
            seeker.cancelled(AppError("unavailable"))
        except AppError as error:
            seeker.cancelled(error)
        finally:
            if before is not None and before.key is not None:
                self._matchmaker.leave(before.key)
        connection.seeker = None if seeker.silent else seeker

    async def _enter(self, connection: "Connection", frame: protocol.Queue, seeker: Seeker) -> None:
        self._bounds.search(connection.player_id)
        asked = Asked(
            frame.preset, frame.target, frame.speed, frame.rated, frame.wait_ms, frame.party
        )
        async with asyncio.timeout(self._answer_s):
            player = await self._players.ref(connection.player_id)
            seeker.key = await self._matchmaker.enter(player, asked, connection.host, seeker)

    def _stop(self, connection: "Connection") -> bool:
        """The socket looks no more, by its wish or its end. False if it did not."""
        seeker, connection.seeker = connection.seeker, None
        if seeker is None or seeker.silent or seeker.key is None:
            return False
        seeker.silent = True
        connection.outbox.drop(("queued", ""))
        return self._matchmaker.leave(seeker.key)
