"""The sockets of this process: who may come in, who has fallen silent, whose session has ended.

Nothing here knows what a socket says or listens to; ``gone`` is told once of each that goes.
"""

from collections import Counter
from collections.abc import Callable
from uuid import UUID

from app.infra import metrics
from app.infra.clock import Clock
from app.infra.config import Limits, Timing
from app.players.limiter import address_key
from app.players.service import Players
from app.realtime.connection import Connection
from app.realtime.protocol import CloseCode

OPEN = metrics.gauge("rebelote_sockets_open", "Sockets of players.")


class Sockets:
    """The register of sockets, by player and by address."""

    def __init__(
        self,
        players: Players,
        clock: Clock,
        timing: Timing,
        limits: Limits,
        gone: Callable[[Connection], None],
    ) -> None:
        self._players = players
        self._clock = clock
        self._timing = timing
        self._limits = limits
        self._gone = gone
        self._by_player: dict[UUID, set[Connection]] = {}
        self._by_address: Counter[str] = Counter()

    def all(self) -> list[Connection]:
        """All of them."""
        return [connection for each in self._by_player.values() for connection in each]

    def admit(self, connection: Connection) -> bool:
        """Let a new socket in; a player that has too many gives up one that is silent.

        A phone that changes networks leaves sockets behind that nobody has closed: one that has
        said nothing for a third of the allowed silence (two pings) makes room. Without such a one
        the new socket is refused.
        """
        address = address_key(connection.host)
        if self._by_address[address] >= self._limits.sockets_per_address:
            return False
        mine = self._by_player.setdefault(connection.player_id, set())
        if len(mine) >= self._limits.sockets_per_player:
            eldest = min(mine, key=lambda each: each.heard_at)
            if self._clock.monotonic_ms() - eldest.heard_at < self._timing.silent // 3:
                return False
            eldest.close(CloseCode.TOO_MANY)
            self.forget(eldest)
            mine = self._by_player.setdefault(connection.player_id, set())
        mine.add(connection)
        self._by_address[address] += 1
        OPEN.add(1)
        return True

    def forget(self, connection: Connection) -> None:
        """Clean up after a socket; calling it again does nothing."""
        mine = self._by_player.get(connection.player_id)
        if mine is None or connection not in mine:
            return
        mine.discard(connection)
        if not mine:
            del self._by_player[connection.player_id]
        OPEN.add(-1)
        address = address_key(connection.host)
        self._by_address[address] -= 1
        if self._by_address[address] <= 0:
            del self._by_address[address]
        self._gone(connection)

    def sessions_ended(self, player_id: UUID, token_hash: bytes | None) -> None:
        """Sessions of a player are over, all (None) or one: their sockets close at once."""
        for connection in list(self._by_player.get(player_id, ())):
            if token_hash is None or connection.token_hash == token_hash:
                connection.close(CloseCode.SIGN_IN)

    async def sweep(self) -> None:
        """Look at every socket's clocks once."""
        now, due = self._clock.monotonic_ms(), []
        for connection in self.all():
            if _overdue(connection, now, self._timing):
                connection.close(CloseCode.SLOW)
            elif now - connection.checked_at >= self._timing.session_recheck:
                due.append(connection)
        if due:
            await self._recheck(due, now)

    async def _recheck(self, due: list[Connection], now: int) -> None:
        """One query for the sessions of all sockets that are due. While the database is away it
        raises, and nobody is put out."""
        alive = await self._players.still_alive({each.token_hash for each in due})
        for connection in due:
            connection.checked_at = now
            if connection.token_hash not in alive:
                connection.close(CloseCode.SIGN_IN)


def _overdue(connection: Connection, now: int, timing: Timing) -> bool:
    """No `hello`, no word, or a send that does not end."""
    if connection.hello_by is not None and now >= connection.hello_by:
        return True
    since = connection.sending_since
    stuck = since is not None and now - since >= timing.send
    return stuck or now - connection.heard_at >= timing.silent
