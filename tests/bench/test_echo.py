"""The baseline: the echo and its clients, over real sockets."""

import asyncio
import socket
from collections.abc import AsyncIterator

import pytest
import uvicorn

from bench import echo
from bench.generator import Generator
from bench.socket import Refused, Socket


class Announcing(uvicorn.Server):
    """A server that says when it listens."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.listens = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.listens.set()


@pytest.fixture
async def port() -> AsyncIterator[int]:
    """A running echo."""
    listener = socket.create_server(("127.0.0.1", 0))
    config = echo.config(0)
    config.loop = "none"  # the test's own
    server = Announcing(config)
    task = asyncio.create_task(server._serve([listener]))
    await server.listens.wait()
    yield listener.getsockname()[1]
    server.should_exit = True
    await task


async def test_each_message_comes_to_all_four_of_a_room_and_counts_once(port: int) -> None:
    generator = Generator()
    await generator.do({"do": "echo", "base": f"ws://127.0.0.1:{port}/room", "rooms": 3})
    samples = 0
    while samples <= 3:  # a busy machine may lose a window
        window = await generator.do(
            {"do": "window", "target": "echo", "rate": None, "warm_s": 0.0, "seconds": 0.2}
        )
        assert window["unanswered"] == 0
        samples += window["samples"]
    again = await generator.do(
        {"do": "window", "target": "echo", "rate": 200.0, "warm_s": 0.0, "seconds": 0.3}
    )
    await generator.do({"do": "close"})
    assert again["unanswered"] == 0
    due = 200 * again["seconds"]  # as long as the window really was; Poisson: 60 ± 8
    assert abs(again["samples"] - due) < 5 * due**0.5


async def test_a_refused_socket_says_so(port: int) -> None:
    with pytest.raises(Refused, match="200"):
        await Socket.open(
            f"http://127.0.0.1:{port}/x",
            {"Upgrade": "nothing"},
            lambda _: None,
            lambda _: None,
        )
