"""A process that holds an embedded database as the server does, so that it can be killed."""

import asyncio
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import asyncpg
import psutil

from app.infra import keeper
from app.infra.config import CHECKOUT, Settings
from app.infra.data_folder import DataFolder, open_data_folder

PATIENCE_S = 60
"""Longer than a start, a stop or a repair takes on a machine that has much else to do."""
HOLDER = """
import sys
from pathlib import Path
from app.infra.config import Settings
from app.infra.data_folder import FileLock, open_data_folder
from app.infra.embedded import EmbeddedPostgres
folder = open_data_folder(Settings(data_dir=Path(sys.argv[1]), database_url=None))
FileLock(folder.server_lock).acquire()
postgres = EmbeddedPostgres(folder)
url = postgres.start()
print(url, postgres._keeper.pid, int(postgres.adopted), flush=True)
sys.stdin.read()
postgres.stop()
"""


class Holder:
    """A process that holds a database."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.process = subprocess.Popen(
            [sys.executable, "-c", HOLDER, str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=CHECKOUT,
        )
        assert self.process.stdout is not None
        words = self.process.stdout.readline().split()
        assert words, "the database did not start"
        self.url, self.keeper, self.adopted = words[0], int(words[1]), words[2] == "1"

    @property
    def postmaster(self) -> psutil.Process:
        """The running postmaster."""
        pid = keeper.postmaster_pid(self.path / "postgres")
        assert pid is not None
        return psutil.Process(pid)

    def kill(self) -> None:
        """As the kernel does it."""
        self.process.kill()
        self.process.wait()
        self._close()

    def stop(self) -> None:
        """As Ctrl-C does it."""
        if self.process.poll() is None:
            assert self.process.stdin is not None
            self.process.stdin.close()
            assert self.process.wait(PATIENCE_S) == 0
        self._close()

    def _close(self) -> None:
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None and not stream.closed:
                stream.close()


def ask(url: str, question: str, *arguments: object) -> Any:
    """One value over a connection of its own."""

    async def fetch() -> Any:
        connection = await asyncpg.connect(url, timeout=PATIENCE_S)
        try:
            return await connection.fetchval(question, *arguments)
        finally:
            await connection.close()

    return asyncio.run(fetch())


def ask_until_it_answers(url: str, question: str) -> Any:
    """The same while the database may be away."""
    end = time.monotonic() + PATIENCE_S
    while True:
        try:
            return ask(url, question)
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
            if time.monotonic() > end:
                raise
            time.sleep(0.05)  # nothing to wait on: the answer is the event


def folder_of(path: Path) -> DataFolder:
    return open_data_folder(Settings(data_dir=path, database_url=None))


def write_a_row(url: str) -> None:
    ask(url, "CREATE TABLE IF NOT EXISTS kept (n int)")
    ask(url, "INSERT INTO kept VALUES (1)")


def rows(url: str) -> int:
    return int(ask_until_it_answers(url, "SELECT count(*) FROM kept"))


def is_gone(process: psutil.Process) -> bool:
    """Whether it ends; a zombie has ended, though nobody may ever take it away."""
    if not hasattr(os, "pidfd_open"):  # macOS, where whoever is orphaned is taken away at once
        return not psutil.wait_procs([process], PATIENCE_S)[1]
    try:
        end = os.pidfd_open(process.pid)
    except ProcessLookupError:
        return True
    try:
        if not process.is_running():  # the pid was somebody else's already
            return True
        return bool(select.select([end], [], [], PATIENCE_S)[0])
    finally:
        os.close(end)


def end_postmaster(pgdata: Path) -> None:
    """Whatever a test has left running of its database is ended at once, and nothing else."""
    pid = keeper.postmaster_pid(pgdata)
    if pid is None:
        return
    try:
        process = psutil.Process(pid)
        if process.name().startswith("postgres"):  # a pid may have been given to somebody else
            process.send_signal(signal.SIGQUIT)
            is_gone(process)
    except psutil.NoSuchProcess:
        pass
