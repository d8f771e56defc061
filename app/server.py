"""Running the server: database first, then the app; on the way down the app first (D12).

`play` is for a person at a terminal, `serve` for a host. Both hold the data folder's lock while
they use the embedded database, so that there is one of them (D8: its bus is this process).
"""

import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from types import FrameType
from typing import Any

import segno
import uvicorn

from app.infra import collector
from app.infra.config import Settings
from app.infra.data_folder import DataFolder, FileLock, StartError, open_data_folder
from app.infra.embedded import EmbeddedPostgres
from app.infra.listen import (
    EVERYWHERE,
    ask_instance,
    home_address,
    hunt,
    local_host,
    take,
    url_of,
)
from app.infra.migrate import require_current, upgrade
from app.infra.tasks import TaskOwner
from app.infra.wire import HTTP, SOCKET

OTHER_S = 75.0
"""How long a server that holds the lock may be silent: it starts, or its database stops."""
GRACE_S = 10
"""Seconds that open requests get on the way down."""


class _Server(uvicorn.Server):
    """uvicorn, with a word when it is ready."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready
        self._tasks = TaskOwner("server")

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then tell."""
        await super().startup(sockets)
        if self.started:
            collector.settle()
            self._tasks.start(collector.tidy_for_ever(), "tidy")
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End what was started here, then all else."""
        await self._tasks.close()
        await super().shutdown(sockets)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def play(settings: Settings) -> int:
    """Start everything and print the address; when one runs already, print that one's address."""
    folder = open_data_folder(settings)
    lock = FileLock(folder.server_lock)
    other = _wait_for_lock(folder, lock)
    if other is not None:
        _say(f"Rebelote is running already: {other}")
        return 0
    if folder.moved_from is not None:
        _say(
            f"The data lies in {folder.path}: the database's account can't reach "
            f"{folder.moved_from}."
        )
    asked = "port" in settings.model_fields_set
    return _with_lock(
        settings,
        folder,
        lock,
        (lambda: take(settings.host, settings.port)) if asked else (lambda: hunt(settings.host)),
        at_home=True,
    )


def serve(settings: Settings) -> int:
    """The server for a host. With a database of its own it needs no data folder."""

    def listen() -> socket.socket:
        return take(settings.host, settings.port)

    if settings.database_url is not None:
        require_current(settings.database_url)
        with _signals():
            _run(settings, listen(), None, at_home=False)
        return 0
    folder = open_data_folder(settings)
    lock = FileLock(folder.server_lock)
    other = _wait_for_lock(folder, lock)
    if other is not None:
        raise StartError(f"Another server uses {folder.path}: {other}")
    return _with_lock(settings, folder, lock, listen, at_home=False)


def _wait_for_lock(folder: DataFolder, lock: FileLock) -> str | None:
    """Take the lock; or the address of the server that has it, once it really answers."""
    end = time.monotonic() + OTHER_S
    while not lock.acquire():
        state = folder.read_state()
        if state is not None and ask_instance(state["ask"]) == state["instance"]:
            return state["url"]
        if time.monotonic() > end:
            raise StartError(f"Another server holds {folder.server_lock} and does not answer.")
        time.sleep(0.2)
    return None


@contextmanager
def _signals() -> Iterator[None]:
    """SIGTERM is Ctrl-C; on the way down neither can break the order of things."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    for number in before:
        signal.signal(number, _interrupt)
    try:
        yield
    except KeyboardInterrupt:
        pass  # asked to stop, and stopped: that is success
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _deaf() -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)


def _with_lock(
    settings: Settings,
    folder: DataFolder,
    lock: FileLock,
    listen: Callable[[], socket.socket],
    *,
    at_home: bool,
) -> int:
    with _signals(), ExitStack() as down:
        down.callback(lock.release)
        listener = listen()  # before the database: a taken port is said at once
        down.callback(listener.close)
        if settings.database_url is None:
            postgres = EmbeddedPostgres(folder)
            down.callback(postgres.stop)
            down.callback(_deaf)
            url = postgres.start()
        else:
            url = settings.database_url
        upgrade(url)
        down.callback(folder.state_file.unlink, missing_ok=True)
        settings = settings.model_copy(update={"database_url": url})
        _run(settings, listener, folder, at_home=at_home)
    return 0


def _run(
    settings: Settings, listener: socket.socket, folder: DataFolder | None, *, at_home: bool
) -> None:
    """Serve on the socket until a signal comes. At home other devices get an address and a code."""
    from app.main import create_app

    host, port = settings.host, listener.getsockname()[1]
    told: dict[str, Any] = {"port": port}
    home = home_address() if at_home and host in EVERYWHERE else None
    if home is not None and settings.public_url is None:
        told["public_url"] = url_of(home, port)
    settings = settings.model_copy(update=told)
    here = url_of(local_host(host), port)

    def ready() -> None:
        if folder is not None:
            folder.write_state(
                {"url": settings.public_url or here, "ask": here, "instance": settings.instance}
            )
        _say(f"Rebelote is at {here}")
        if settings.public_url is not None:
            _say(f"For other devices: {settings.public_url}")
            if home is not None:
                segno.make(settings.public_url).terminal(out=sys.stdout, compact=True)
                sys.stdout.flush()

    config = uvicorn.Config(
        create_app(settings),
        loop="uvloop",
        http=HTTP,
        ws=SOCKET,
        ws_max_size=settings.limits.frame_bytes,
        ws_ping_interval=None,  # the client pings, and the hub judges silence
        ws_per_message_deflate=False,  # D14: a third of the speed and three times the memory
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=settings.trusted_proxies or None,
        timeout_graceful_shutdown=GRACE_S,
    )
    server = _Server(config, ready)
    server.run(sockets=[listener])
    if not server.started:
        raise StartError("The server did not start; the lines above say why.")
