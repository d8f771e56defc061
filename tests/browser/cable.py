"""A line between browser and server that a test can cut, or let go silent, and mend."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit


class Cable:
    """Passes bytes both ways. Cut: everything ends and nothing gets through. Deaf: connections
    stay, and carry nothing, as in a tunnel."""

    def __init__(self, server: str) -> None:
        parts = urlsplit(server)
        self._to = (parts.hostname, parts.port)
        self._open: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._flowing = asyncio.Event()
        self._flowing.set()
        self.is_cut = False
        self.url = ""

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection of the browser."""
        if self.is_cut:
            writer.transport.abort()
            return
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        up_reader, up_writer = await asyncio.open_connection(*self._to)
        both = {writer, up_writer}
        self._open |= both
        if self.is_cut:  # meanwhile
            self.cut()
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._pass(reader, up_writer))
                group.create_task(self._pass(up_reader, writer))
        finally:
            self._tasks.discard(task)
            self._open -= both
            for one in both:
                one.transport.abort()

    async def _pass(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError):
            while data := await source.read(65_536):
                await self._flowing.wait()
                target.write(data)
                await target.drain()
        target.transport.abort() if self.is_cut else target.close()

    def cut(self) -> None:
        """Both ends see the connection end."""
        self.is_cut = True
        for writer in self._open:
            writer.transport.abort()

    async def ended(self) -> None:
        """Wait until nothing of it runs any more, once it is cut."""
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def go_deaf(self) -> None:
        """Nothing comes through, and nobody is told."""
        self._flowing.clear()

    def mend(self) -> None:
        """All is well again."""
        self.is_cut = False
        self._flowing.set()


@asynccontextmanager
async def cable_to(server: str) -> AsyncIterator[Cable]:
    """A cable of this test's own; its `url` is the address to open."""
    cable = Cable(server)
    listener = await asyncio.start_server(cable.accept, "127.0.0.1", 0)
    cable.url = f"http://127.0.0.1:{listener.sockets[0].getsockname()[1]}"
    try:
        yield cable
    finally:
        listener.close()
        cable.mend()
        cable.cut()
        await cable.ended()
