"""`rebelote serve` with its embedded Postgres, in processes that a test may kill."""

import itertools
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

import psutil

from app.infra import keeper
from app.infra.config import CHECKOUT
from app.infra.data_folder import free_port
from tests.infra.holder import end_postmaster

PATIENCE_S: Final = 120
QUICK: Final = {
    "TIMING__BOT_MIN": "0",
    "TIMING__BOT_MAX": "0",
    "TIMING__TRICK_PAUSE": "0",
    "TIMING__DEAL_PAUSE": "0",
    "TIMING__NEXT_DEAL": "20",
    "TIMING__PASSED_OUT_PAUSE": "0",
    "TIMING__READY_CHECK": "600000",  # nobody is sent away for being slow, but where
    "TIMING__NORMAL_TURN": "600000",  # a test is about it
    "TIMING__AWAY": "600000",
    "LIMITS__GUESTS_PER_ADDRESS_PER_HOUR": "10000",
    "LIMITS__REQUESTS_PER_MINUTE": "100000",
    "LIMITS__MESSAGES_PER_WINDOW": "5000",
}
_numbers = itertools.count(1)


PORTS: Final = range(10_000, 20_000)
"""A restarted server must be found where it was: these nobody takes meanwhile, for they lie below
what the system gives out by itself, and beside what the databases choose from."""


class House:
    """One data folder and the server that runs on it, now and then."""

    def __init__(self, home: Path, *words: str, **changed: str) -> None:
        self.data = home / "data"
        self.port = free_port(PORTS)
        self._log = home / "server.log"
        self._words = words or ("serve",)
        kept = {k: v for k, v in os.environ.items() if not k.startswith("REBELOTE_")}
        told = {f"REBELOTE_{name}": value for name, value in {**QUICK, **changed}.items()}
        self._environment = {**kept, "REBELOTE_DATA_DIR": str(self.data), **told}
        self.process: subprocess.Popen[str] | None = None

    @property
    def url(self) -> str:
        """The address, whether somebody answers there or not."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it, and wait until it says that it serves."""
        with self._log.open("a") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "app.cli", *self._words, "--port", str(self.port)],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                cwd=CHECKOUT,
                env=self._environment,
            )
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if re.search(r"Rebelote is at (\S+)", line) is not None:
                return
        raise AssertionError(f"the server ended: {self.said()}")

    def said(self) -> str:
        """What the servers have written so far."""
        return self._log.read_text()

    @property
    def running(self) -> "subprocess.Popen[str]":
        """The process that serves."""
        assert self.process is not None
        return self.process

    @property
    def postmaster(self) -> psutil.Process:
        """The database's first process."""
        pid = keeper.postmaster_pid(self.data / "postgres")
        assert pid is not None
        return psutil.Process(pid)

    @property
    def keeper(self) -> psutil.Process:
        """The process between server and database."""
        (found,) = psutil.Process(self.running.pid).children()
        return found

    def backends(self) -> list[psutil.Process]:
        """The database's processes that serve a connection."""
        return [one for one in self.postmaster.children() if _serves(one)]

    def kill(self) -> None:
        """`kill -9` of the server."""
        self.running.kill()
        self._wait()

    def end(self, number: signal.Signals = signal.SIGINT) -> int:
        """As Ctrl-C does it; the exit code."""
        self.running.send_signal(number)
        return self._wait()

    def _wait(self) -> int:
        process, self.process = self.running, None
        process.wait(PATIENCE_S)
        if process.stdout is not None:
            process.stdout.close()
        return process.returncode

    def command(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Another command of the command line on the same data."""
        return subprocess.run(
            [sys.executable, "-m", "app.cli", *words],
            capture_output=True,
            text=True,
            cwd=CHECKOUT,
            env=self._environment,
            timeout=PATIENCE_S,
            check=False,
        )

    def tear_down(self) -> None:
        """Nothing of it may run on."""
        try:
            if self.process is not None:
                self.end(signal.SIGTERM)
        finally:
            end_postmaster(self.data / "postgres")


def _serves(backend: psutil.Process) -> bool:
    try:
        return "127.0.0.1(" in " ".join(backend.cmdline())
    except psutil.Error:  # it has just ended
        return False


def new_home(readable_folder: Path) -> Path:
    """A folder of a test's own that the database's account can enter."""
    home = readable_folder / f"house-{os.getpid()}-{next(_numbers)}"
    home.mkdir(mode=0o755)
    return home
