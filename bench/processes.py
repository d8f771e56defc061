"""The processes of a bench: `rebelote serve`, the echo, the generator; where they run, what they
use. Every one that was started is stopped, by its own handle."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import orjson

from app.infra.config import CHECKOUT

START_S = 90.0
SERVE = "import sys; from app.cli import main; sys.exit(main(['serve']))"
STOP_S = 20.0


class BenchError(Exception):
    """Why the bench stops, in one sentence."""


def free_port() -> int:
    """A port of 127.0.0.1 that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def pin(pid: int, cores: set[int] | None) -> None:
    """Keep a process, with all its threads, on these cores (where the system can: Linux)."""
    if cores is None or not hasattr(os, "sched_setaffinity"):
        return
    for task in Path(f"/proc/{pid}/task").iterdir():
        with contextlib.suppress(ProcessLookupError):
            os.sched_setaffinity(int(task.name), cores)


def resident_kb(pid: int) -> int:
    """The memory of one process (not of its children) that lies in RAM, in KB."""
    status = Path(f"/proc/{pid}/status")
    if status.exists():
        found = re.search(r"^VmRSS:\s+(\d+) kB", status.read_text(), re.MULTILINE)
        return int(found[1]) if found else 0
    shown = subprocess.run(
        ["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True, check=True
    )
    return int(shown.stdout)


def cpu_seconds(pid: int) -> float:
    """What one process has used of a core so far, in seconds; 0 where /proc is absent."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except FileNotFoundError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def postgres_seconds(pgdata: Path) -> float:
    """What a cluster's processes that are alive have used of a core, in seconds."""
    try:
        postmaster = int((pgdata / "postmaster.pid").read_text().split("\n", 1)[0])
    except (FileNotFoundError, ValueError):
        return 0.0
    family = [
        int(stat.parent.name)
        for stat in Path("/proc").glob("[0-9]*/stat")
        if _parent(stat) == postmaster
    ]
    return sum(cpu_seconds(pid) for pid in (postmaster, *family))


def _parent(stat: Path) -> int:
    try:
        return int(stat.read_text().rpartition(")")[2].split()[1])
    except FileNotFoundError:  # it has just ended
        return 0


class Server:
    """A server that is ours; a context manager that stops it with SIGTERM.

    `ready(pid)` is called once it answers.
    """

    def __init__(
        self,
        command: list[str],
        port: int,
        env: dict[str, str],
        log: Path,
        ready: Callable[[int], None] = lambda _: None,
    ) -> None:
        self.port = port
        self.base = f"http://127.0.0.1:{port}"
        self.log = log
        self._command = command
        self._env = env
        self._ready = ready
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """Its process id."""
        if self._process is None:
            raise BenchError("a server was asked for its pid before it was started")
        return self._process.pid

    def __enter__(self) -> Self:
        with self.log.open("ab") as sink:
            self._process = subprocess.Popen(
                self._command,
                cwd=CHECKOUT,
                env={**os.environ, **self._env},
                stdin=subprocess.DEVNULL,
                stdout=sink,
                stderr=sink,
                start_new_session=True,
            )
        try:
            self._wait_until_it_answers()
        except BenchError:
            self.stop()
            raise
        self._ready(self.pid)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """SIGTERM, then SIGKILL; calling it again does nothing."""
        if self._process is None or self._process.poll() is not None:
            return
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _wait_until_it_answers(self) -> None:
        end = time.monotonic() + START_S
        while time.monotonic() < end:
            if self._process is not None and self._process.poll() is not None:
                raise BenchError(f"{self._command[0]} ended at its start; {self.log} says why")
            try:
                with urllib.request.urlopen(f"{self.base}/api/health", timeout=2):
                    return
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                time.sleep(0.1)
        raise BenchError(f"{self._command[0]} does not answer; {self.log} may say why")


def rebelote(
    data: Path, settings: dict[str, str], log: Path, ready: Callable[[int], None] = lambda _: None
) -> Server:
    """`rebelote serve` on a port and a data folder of its own."""
    port = free_port()
    env = {
        **settings,
        "REBELOTE_DATA_DIR": str(data),
        "REBELOTE_PORT": str(port),
        "REBELOTE_HOST": "127.0.0.1",
    }
    return Server([sys.executable, "-c", SERVE], port, env, log, ready)


def echo(log: Path, ready: Callable[[int], None] = lambda _: None) -> Server:
    """The baseline."""
    port = free_port()
    return Server([sys.executable, "-m", "bench.echo", str(port)], port, {}, log, ready)


class GeneratorProcess:
    """The generator, in a process of its own; a context manager."""

    def __init__(self, log: Path) -> None:
        self._log = log
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        with self._log.open("ab") as sink:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "bench.generator"],
                cwd=CHECKOUT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=sink,
                start_new_session=True,
            )
        return self

    @property
    def pid(self) -> int:
        """Its process id."""
        if self._process is None:
            raise BenchError("the generator was asked for its pid before it was started")
        return self._process.pid

    def do(self, what: str, **arguments: Any) -> dict[str, Any]:
        """Let it do one command; raises `BenchError` with its words if that failed."""
        process = self._process
        if process is None or process.stdin is None or process.stdout is None:
            raise BenchError("the generator does not run")
        process.stdin.write(orjson.dumps({"do": what, **arguments}) + b"\n")
        process.stdin.flush()
        line = process.stdout.readline()
        if not line:
            raise BenchError(f"the generator ended; {self._log} says why")
        answer: dict[str, Any] = orjson.loads(line)
        if "error" in answer:
            raise BenchError(f"{what}: {answer['error']}")
        return answer

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        process = self._process
        if process is None or process.stdin is None:
            return
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()
        try:
            process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
