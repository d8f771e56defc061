"""The echo's clients: the same load as at the tables, without a game.

Four sockets to a room. One after the other sends a message of a move's size, the server answers
it to all four, and the sender counts the answer as its acknowledgement.
"""

from bench.load import Load
from bench.socket import Socket

BODY = (
    b'{"t":"cmd","id":"%08x-0000-4000-8000-000000000000","table":"K7Q2MD",'
    b'"decision":%d,"c":{"type":"play","card":"AH"}}'
)


class Room:
    """Four echo clients; whose turn it is goes round."""

    def __init__(self, number: int, load: Load) -> None:
        self.number = number
        self._load = load
        self._sockets: list[Socket] = []
        self._count = 0
        self._due = 0.0
        self._sent = b""
        self.lost = 0

    async def connect(self, url: str) -> None:
        """Open the four sockets and offer the first move."""
        for seat in range(4):
            self._sockets.append(await self._open(url, seat))
        self._load.ready(self)

    def move(self, due: float) -> None:
        """Send from the seat whose turn it is."""
        self._due = due
        self._sent = BODY % (self.number, self._count)
        self._sockets[self._count % 4].send(self._sent)

    def close(self) -> None:
        """Close the four sockets."""
        for socket in self._sockets:
            socket.close()

    async def _open(self, url: str, seat: int) -> Socket:
        def on_text(payload: bytes) -> None:
            # The next seat still gets what the one before it sent: look at what it is.
            if self._count % 4 == seat and payload == self._sent:
                self._sent = b""
                self._count += 1
                self._load.acked(self._due)
                self._load.ready(self)

        return await Socket.open(f"{url}/{self.number}", {}, on_text, self._on_lost)

    def _on_lost(self, _code: int | None) -> None:
        self.lost += 1
