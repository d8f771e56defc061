"""The keeper: a small process that owns the embedded Postgres and outlives a killed app.

It runs as a script with the standard library alone, in a session of its own, and reads a pipe that
the app holds. When the pipe closes, however the app died, it sends the postmaster SIGINT (a fast,
clean stop) and ends. `PR_SET_PDEATHSIG` would not do: it is cleared when privileges are dropped,
fires when the starting *thread* ends, and exists on Linux alone.

While the pipe is open, a postmaster that dies is started again. A plan of JSON is its argument.
"""

import contextlib
import fcntl
import json
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

RETRY_S = 0.5
"""Between two starts: after a kill, orphaned backends hold shared memory for a moment."""
ADOPTED_POLL_S = 1.0
"""How often an adopted postmaster, which is not our child, is looked at."""
STOP_S = 60.0
"""How long a fast stop may take before the keeper gives up waiting (it never kills)."""
LOCK_GRACE_S = 3.0
"""A killed app's lock falls a moment after its pipe closes; while the machine is busy, a long one.
Given up too early, the database would run on for nobody."""


def process_is_alive(pid: int) -> bool:
    """Whether a process runs; a zombie answers signals but does not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return not _is_zombie(pid)


def _is_zombie(pid: int) -> bool:
    if Path("/proc/self/stat").exists():
        try:
            stat = Path(f"/proc/{pid}/stat").read_text()
        except OSError:
            return True  # gone between the two looks
        return stat.rpartition(")")[2].split()[0] == "Z"
    answer = subprocess.run(
        ["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    return answer.stdout.strip().startswith("Z")


def _is_postgres(pid: int) -> bool:
    """Whether the process is a postmaster at all: pids are used again after a restart."""
    command = Path(f"/proc/{pid}/comm")
    if command.exists():
        with contextlib.suppress(OSError):
            return command.read_text().startswith("postgres")
        return False
    answer = subprocess.run(
        ["ps", "-o", "comm=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    return "postgres" in answer.stdout


def postmaster_pid(pgdata: Path) -> int | None:
    """The pid in `postmaster.pid`, which may be stale."""
    try:
        return abs(int((pgdata / "postmaster.pid").read_text().splitlines()[0]))
    except (FileNotFoundError, IndexError, ValueError):
        return None


def clear_stale_pid(pgdata: Path) -> bool:
    """Remove a `postmaster.pid` whose process is dead, a zombie or something else.

    Postgres refuses to start while the pid answers signals, and a zombie under an init that reaps
    nothing does so for ever. Live orphans of the old server are still found by Postgres itself,
    through the shared memory that is named after the folder.
    """
    pid = postmaster_pid(pgdata)
    if pid is None or (process_is_alive(pid) and _is_postgres(pid)):
        return False
    (pgdata / "postmaster.pid").unlink(missing_ok=True)
    return True


class Keeper:
    """Starts, watches and stops one postmaster."""

    def __init__(self, plan: dict[str, Any]) -> None:
        self.command: list[str] = plan["command"]
        self.pgdata = Path(plan["pgdata"])
        self.lock = Path(plan["lock"])
        self.uid: int | None = plan["uid"]
        self.gid: int | None = plan["gid"]
        self.adopted: int | None = plan["adopt"]
        self.child: subprocess.Popen[bytes] | None = None

    def run(self) -> int:
        """Keep the postmaster until the app says stop, or is gone."""
        wake, woken = os.pipe()
        os.set_blocking(woken, False)
        signal.set_wakeup_fd(woken, warn_on_full_buffer=False)
        for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, lambda *_: None)
        while True:
            pause = self._look()
            ready, _, _ = select.select([0, wake], [], [], pause)
            if wake in ready:
                received = os.read(wake, 64)
                if any(number in received for number in (signal.SIGTERM, signal.SIGINT)):
                    return self._stop()
            if 0 in ready:
                word = os.read(0, 64)
                if word.startswith(b"stop"):
                    return self._stop()
                return self._app_is_gone()

    def _look(self) -> float | None:
        """Start the postmaster if it does not run; answers how long to sleep, None for ever."""
        if self.adopted is not None:
            if process_is_alive(self.adopted):
                return ADOPTED_POLL_S
            self.adopted = None
        if self.child is not None:
            code = self.child.poll()
            if code is None:
                return None
            self._say(f"the postmaster ended with {code}; starting it again")
            self.child = None
            return RETRY_S
        if clear_stale_pid(self.pgdata):
            self._say("removed a stale postmaster.pid")
        try:
            self.child = self._spawn()
        except OSError as error:  # no memory, no free process: for a moment, as a rule
            self._say(f"the postmaster can't be started: {error}")
            return RETRY_S
        return None

    def _spawn(self) -> "subprocess.Popen[bytes]":
        privileges: dict[str, Any] = {}
        if self.uid is not None:
            privileges = {"user": self.uid, "group": self.gid, "extra_groups": []}
        return subprocess.Popen(
            self.command,
            stdin=subprocess.DEVNULL,
            cwd=self.pgdata,
            umask=0o077,
            # As its own group's leader no signal meant for the keeper's group reaches it.
            process_group=0,
            **privileges,
        )

    def _app_is_gone(self) -> int:
        """The pipe closed without a word: stop the database unless another server took it over."""
        descriptor = os.open(self.lock, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        end = time.monotonic() + LOCK_GRACE_S
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > end:
                    self._say("another server uses the database; it stays")
                    return 0
                time.sleep(0.05)
        return self._stop()  # holding the lock: a new server waits for the end of the old database

    def _stop(self) -> int:
        end = time.monotonic() + STOP_S
        if self.child is not None:
            if self.child.poll() is None:
                self.child.send_signal(signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.child.wait(STOP_S)
            return 0
        if self.adopted is not None and process_is_alive(self.adopted):
            os.kill(self.adopted, signal.SIGINT)
            while process_is_alive(self.adopted) and time.monotonic() < end:
                time.sleep(0.05)
        return 0

    def _say(self, text: str) -> None:
        sys.stderr.write(f"{time.strftime('%Y-%m-%d %H:%M:%S')} keeper: {text}\n")
        sys.stderr.flush()


if __name__ == "__main__":
    sys.exit(Keeper(json.loads(sys.argv[1])).run())
