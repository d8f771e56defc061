"""One bench from its start to its result: which processes run, and which window comes when.

Echo and Rebelote take turns within each run, so that what disturbs the machine disturbs both.
"""

import asyncio
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench import durable, processes
from bench.machine import describe
from bench.processes import (
    BenchError,
    GeneratorProcess,
    Server,
    cpu_seconds,
    pin,
    postgres_seconds,
    resident_kb,
)
from bench.stats import medians

SETTINGS = {
    # 800 guests and 200 tables come from one address within seconds; a client plays far faster
    # than a person.
    "REBELOTE_LIMITS__GUESTS_PER_ADDRESS_PER_HOUR": "1000000",
    "REBELOTE_LIMITS__REQUESTS_PER_MINUTE": "1000000",
    "REBELOTE_LIMITS__MESSAGES_PER_WINDOW": "100000",
    "REBELOTE_LIMITS__COMMANDS_PER_PLAYER": "1000000",
    "REBELOTE_LIMITS__COMMANDS_PER_ADDRESS": "100000000",
    "REBELOTE_LIMITS__SOCKETS_PER_ADDRESS": "1000000",
    "REBELOTE_LIMITS__HANDSHAKES_PER_ADDRESS_PER_MINUTE": "1000000",
    "REBELOTE_LIMITS__TABLES_PER_ADDRESS_PER_HOUR": "1000000",
    # Clients are held between windows; the clock must not play for them meanwhile. Pauses need no
    # change: a trick's pause only lengthens a person's clock, and clients press Continue at once.
    "REBELOTE_TIMING__READY_CHECK": "0",
    "REBELOTE_TIMING__NORMAL_TURN": "600000",
    "REBELOTE_TIMING__NEXT_DEAL": "600000",
    "REBELOTE_TIMING__PASSED_OUT_PAUSE": "600000",
    "REBELOTE_LOG_LEVEL": "warning",
}
IDLE_WARM = 0.25
"""This share of the sockets is opened first, so that buffers, caches and tables are there."""


@dataclass(frozen=True)
class Plan:
    """How much is measured. Times in seconds, rates in moves a second."""

    tables: int = 200
    runs: int = 5
    warm_s: float = 2.0
    seconds: float = 10.0
    echo_seconds: float = 4.0
    rate: float = 750.0
    parts: frozenset[str] = frozenset({"saturated", "open", "idle", "durable"})
    generator_cores: frozenset[int] | None = None
    server_cores: frozenset[int] | None = None


QUICK = Plan(tables=50, runs=1, warm_s=1.0, seconds=4.0, echo_seconds=2.0)


class Conductor:
    """Runs a plan; `told` hears how far it is."""

    def __init__(self, plan: Plan, folder: Path, told: Callable[[str], None]) -> None:
        self._plan = plan
        self._folder = folder
        self._told = told
        self._data = folder / "data"
        self._data.mkdir()
        self._windows: list[dict[str, Any]] = []

    def run(self) -> dict[str, Any]:
        """Measure everything of the plan."""
        plan = self._plan
        result: dict[str, Any] = {
            "machine": describe(self._folder),
            "runs": plan.runs,
            "setup": {
                "tables": plan.tables,
                "clients": plan.tables * 4,
                "rate": plan.rate,
                "window_s": plan.seconds,
                "warm_s": plan.warm_s,
                "generator_cores": sorted(plan.generator_cores or ()) or "any",
                "server_cores": sorted(plan.server_cores or ()) or "any",
            },
            "settings": SETTINGS,
        }
        if plan.parts <= {"core"}:
            return result
        with (
            GeneratorProcess(self._folder / "generator.log") as generator,
            processes.echo(self._folder / "echo.log", self._pin_server) as echo,
        ):
            pin(generator.pid, set(plan.generator_cores) if plan.generator_cores else None)
            if plan.parts & {"saturated", "open", "durable"}:
                result |= self._play(generator, echo)
            if "idle" in plan.parts:
                result["idle"] = self._idle(generator)
        result["windows"] = self._windows
        return result

    def _play(self, generator: GeneratorProcess, echo: Server) -> dict[str, Any]:
        plan = self._plan
        result: dict[str, Any] = {}
        with self._serve() as server:
            url = durable.database_url(self._data)
            result["database"] = asyncio.run(durable.settings(url))
            self._told(f"seating {plan.tables * 4} guests at {plan.tables} tables")
            generator.do("seat", base=server.base, tables=plan.tables)
            generator.do("connect")
            generator.do("start")
            generator.do("echo", base=f"ws://127.0.0.1:{echo.port}/room", rooms=plan.tables)
            for run in range(1, plan.runs + 1):
                self._run(run, generator, server, echo)
            result["medians"] = self._medians()
            acked = self._folder / "acked"
            said = generator.do("acked", path=str(acked))
            generator.do("close")
            result["clients_saw"] = said["counts"]
            if "durable" in plan.parts:
                self._told("comparing acknowledgements with the log")
                result["durable"] = asyncio.run(durable.check(url, acked.read_bytes()))
                result["durable"]["check_log"] = durable.check_log(url)
        return result

    def _run(self, run: int, generator: GeneratorProcess, server: Server, echo: Server) -> None:
        plan = self._plan
        for name, rate in (("saturated", None), ("open", plan.rate)):
            if name not in plan.parts:
                continue
            for target, process, seconds in (
                ("echo", echo, plan.echo_seconds),
                ("rebelote", server, plan.seconds),
            ):
                cpu = cpu_seconds(process.pid)
                postgres = postgres_seconds(self._data / "postgres")
                window = generator.do(
                    "window", target=target, rate=rate, warm_s=plan.warm_s, seconds=seconds
                )
                if not window["samples"]:
                    raise BenchError(f"{target} acknowledged no move in a window of run {run}")
                lasted = seconds + plan.warm_s
                used = (cpu_seconds(process.pid) - cpu) / lasted
                postgres = (postgres_seconds(self._data / "postgres") - postgres) / lasted
                window |= {"run": run, "window": name, "target": target}
                window |= {"server_cpu": round(used, 3), "postgres_cpu": round(postgres, 3)}
                self._windows.append(window)
                self._told(
                    f"run {run} {name:9} {target:8} {window['moves_per_s']:8,.0f} moves/s  "
                    f"p50 {window['ack_ms'].get('p50', 0):.1f}  "
                    f"p99 {window['ack_ms'].get('p99', 0):.1f} ms  server {used:.0%}  "
                    f"postgres {postgres:.0%}  generator {window['generator_cpu']:.0%}"
                )

    def _idle(self, generator: GeneratorProcess) -> dict[str, Any]:
        """Sockets that said hello and follow their table, in a fresh process; and the echo's."""
        plan = self._plan
        sockets = plan.tables * 4
        warm = int(sockets * IDLE_WARM)
        self._told(f"memory of {sockets - warm} idle sockets")
        with processes.echo(self._folder / "echo-idle.log") as echo:
            base = f"ws://127.0.0.1:{echo.port}/room"
            generator.do("idle", base=base, sockets=warm)
            before = resident_kb(echo.pid)
            generator.do("idle", base=base, sockets=sockets - warm)
            echoes = _memory(before, resident_kb(echo.pid), sockets - warm)
            generator.do("close")
        with self._serve() as server:
            if plan.parts & {"saturated", "open", "durable"}:
                generator.do("moved", base=server.base)
            else:
                generator.do("seat", base=server.base, tables=plan.tables)
            start = resident_kb(server.pid)
            generator.do("connect", first=0, last=1)
            before = resident_kb(server.pid)
            generator.do("connect", first=1, last=4)
            ours = _memory(before, resident_kb(server.pid), sockets - warm)
            ours["first_sockets_with_their_tables_kb"] = round((before - start) / warm, 1)
            generator.do("close")
        return {"rebelote": ours, "echo": echoes}

    def _serve(self) -> Server:
        """The server; pinned after its start, so that Postgres, its child, is free."""
        return processes.rebelote(
            self._data, SETTINGS, self._folder / "serve.log", self._pin_server
        )

    def _pin_server(self, pid: int) -> None:
        cores = self._plan.server_cores
        pin(pid, set(cores) if cores else None)

    def _medians(self) -> dict[str, Any]:
        result: dict[str, Any] = {}
        for window in self._windows:
            result.setdefault(window["window"], {}).setdefault(window["target"], []).append(window)
        return {
            name: {target: medians(runs) for target, runs in targets.items()}
            for name, targets in result.items()
        }


def _memory(before_kb: int, after_kb: int, sockets: int) -> dict[str, Any]:
    return {
        "before_kb": before_kb,
        "after_kb": after_kb,
        "sockets": sockets,
        "kb_per_socket": round((after_kb - before_kb) / sockets, 1),
    }


def temporary_folder() -> "tempfile.TemporaryDirectory[str]":
    """A folder that the database's own account can enter."""
    folder = tempfile.TemporaryDirectory(prefix="rebelote-bench-")
    Path(folder.name).chmod(0o755)
    return folder
