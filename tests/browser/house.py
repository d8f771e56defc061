"""A real server in a process of its own, quick enough to play whole matches in a test."""

import contextlib
import itertools
import os
import queue
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from app.infra.config import CHECKOUT

PATIENCE_S: Final = 120
QUICK: Final = {
    "TIMING__BOT_MIN": "0",
    "TIMING__BOT_MAX": "0",
    "TIMING__TRICK_PAUSE": "0",
    "TIMING__DEAL_PAUSE": "0",
    "TIMING__PASSED_OUT_PAUSE": "0",
    # Whoever is driven presses *Continue*; nothing may deal over a sheet that is being looked at.
    "TIMING__NEXT_DEAL": "60000",
    "TIMING__FILL": "1000",
    "TIMING__READY_CHECK": "0",
    "TIMING__NORMAL_TURN": "120000",
    "TIMING__PAUSE_GRACE": "300",
    "LIMITS__GUESTS_PER_ADDRESS_PER_HOUR": "10000",
    # Company by script plays fast, and is silent while a picture is taken.
    "TIMING__SILENT": "600000",
    "LIMITS__MESSAGES_PER_WINDOW": "5000",
    "LIMITS__REQUESTS_PER_MINUTE": "100000",
    "LIMITS__REQUESTS_PER_PLAYER_PER_MINUTE": "100000",
    "LIMITS__COMMANDS_PER_PLAYER": "5000",
    "LIMITS__COMMANDS_PER_ADDRESS": "100000",
    "LIMITS__HANDSHAKES_PER_ADDRESS_PER_MINUTE": "10000",
    "LIMITS__TABLES_PER_ADDRESS_PER_HOUR": "10000",
}
_numbers = itertools.count(1)


@dataclass(frozen=True)
class House:
    """A server that answers at `url`."""

    url: str
    process: "subprocess.Popen[str]"


@contextlib.contextmanager
def serving(database_url: str, **changed: str) -> Iterator[House]:
    """`rebelote serve` on a free port; stopped at the end as by Ctrl-C.

    `changed` are settings without their prefix: ``TIMING__FAST_TURN="500"``.
    """
    kept = {k: v for k, v in os.environ.items() if not k.startswith("REBELOTE_")}
    told = {f"REBELOTE_{name}": value for name, value in {**QUICK, **changed}.items()}
    process = subprocess.Popen(
        [sys.executable, "-m", "app.cli", "serve", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=CHECKOUT,
        env={**kept, **told, "REBELOTE_DATABASE_URL": database_url},
    )
    said = Said(process)
    try:
        yield House(said.address(), process)
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(timeout=PATIENCE_S)
        finally:
            process.kill()  # if it has not ended by itself
            said.join()
    assert process.returncode == 0, said.text
    assert "Traceback" not in said.text, said.text


class Said(threading.Thread):
    """What a server writes, read as it comes: a full pipe would make it wait."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        super().__init__(daemon=True)
        self._process = process
        self._lines: list[str] = []
        self._address: queue.Queue[str | None] = queue.Queue()
        self.start()

    def run(self) -> None:
        """Read to the end."""
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            for line in lines:
                self._lines.append(line)
                if (found := re.search(r"Rebelote is at (\S+)", line)) is not None:
                    self._address.put(found[1])
        self._address.put(None)

    @property
    def text(self) -> str:
        """All of it, so far."""
        return "".join(self._lines)

    def address(self) -> str:
        """Where the server says that it is."""
        found = self._address.get(timeout=PATIENCE_S)
        assert found is not None, f"the server ended: {self.text}"
        return found
