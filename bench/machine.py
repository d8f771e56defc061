"""What the figures were measured on: without it they mean nothing."""

import contextlib
import os
import platform
import re
import subprocess
import sys
import time
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from app.infra.config import CHECKOUT
from bench.stats import spread

SYNCS = 200
BLOCK = 8192


def describe(folder: Path) -> dict[str, Any]:
    """The machine, the versions, the commit, and how fast `folder`'s disk makes writes durable."""
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "commit": _said("git", "rev-parse", "--short=10", "HEAD"),
        "tree": "changed" if _said("git", "status", "--porcelain", "--", "app") else "clean",
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "memory_gb": _memory_gb(),
        "kernel": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "packages": {
            name: version(name)
            for name in ("uvicorn", "uvloop", "websockets", "asyncpg", "orjson", "fastapi")
        },
        "disk": _said("findmnt", "-no", "FSTYPE,OPTIONS", "--target", str(folder)),
        "fdatasync_ms": _sync_times(folder),
        "load_before": [round(x, 2) for x in os.getloadavg()],
    }


def _said(*command: str) -> str:
    with contextlib.suppress(OSError):
        shown = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=False)
        return shown.stdout.strip()
    return ""


def _cpu() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        name = re.search(r"^model name\s*:\s*(.+)$", info.read_text(), re.MULTILINE)
        if name:
            return f"{name[1]} ({platform.machine()})"
    return _said("sysctl", "-n", "machdep.cpu.brand_string") or platform.machine()


def _memory_gb() -> float:
    pages, size = os.sysconf("SC_PHYS_PAGES"), os.sysconf("SC_PAGE_SIZE")
    return round(pages * size / 2**30, 1)


def _sync_times(folder: Path) -> dict[str, float]:
    """Write 8 KB over what is there and make them durable, again and again: a commit's wait."""
    path = folder / "sync-probe"
    sync = os.fdatasync if sys.platform == "linux" else os.fsync
    taken = []
    try:
        path.write_bytes(bytes(SYNCS * BLOCK))
        with path.open("r+b", buffering=0) as file:
            os.fsync(file.fileno())
            for _ in range(SYNCS):
                file.write(os.urandom(BLOCK))
                began = time.perf_counter()
                sync(file.fileno())
                taken.append(time.perf_counter() - began)
    finally:
        path.unlink(missing_ok=True)
    return spread(taken)
