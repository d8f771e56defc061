"""`python -m bench`: measure, print the page, keep it in bench/results/ (see bench/README.md)."""

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson

from app.infra.config import CHECKOUT
from bench.conductor import QUICK, Conductor, Plan, temporary_folder
from bench.processes import BenchError
from bench.report import markdown, verdict
from bench.stats import medians

PARTS = ("core", "saturated", "open", "idle", "durable")
RESULTS = CHECKOUT / "bench" / "results"
CORE_S = {True: 0.5, False: 2.0}


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one short run of 50 tables")
    parser.add_argument("--only", choices=PARTS, action="append", help="these parts alone")
    parser.add_argument("--runs", type=int, help="how many runs (the medians are over these)")
    parser.add_argument("--tables", type=int, help="how many tables of four")
    parser.add_argument("--rate", type=float, help="moves a second in the open loop")
    parser.add_argument("--seconds", type=float, help="length of a window")
    parser.add_argument("--spread", action="store_true", help="pin nothing to a core")
    parser.add_argument("--keep", type=Path, help="an existing folder for data and logs, kept")
    parser.add_argument("--name", help="keep the result as bench/results/NAME.{json,md}")
    parser.add_argument("--strict", action="store_true", help="exit 1 when a figure is missed")
    return parser.parse_args(argv)


def _plan(arguments: argparse.Namespace) -> Plan:
    plan = QUICK if arguments.quick else Plan()
    given = {
        name: value
        for name in ("runs", "tables", "rate", "seconds")
        if (value := getattr(arguments, name)) is not None
    }
    parts = frozenset(arguments.only or PARTS)
    plan = replace(plan, parts=parts, **given)
    cores = _cores()
    if arguments.spread or len(cores) < 2:
        return plan
    return replace(plan, generator_cores=frozenset(cores[:1]), server_cores=frozenset(cores[1:]))


def _cores() -> list[int]:
    """The cores that we may use: the generator gets the first, the server the others, and
    Postgres goes where there is room. Empty where processes can't be pinned."""
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []


def _core(runs: int, quick: bool) -> dict[str, Any]:
    """The core's figures, in a process of its own for each run."""
    measured = []
    for _ in range(runs):
        said = subprocess.run(
            [sys.executable, "-m", "bench.core", str(CORE_S[quick])],
            cwd=CHECKOUT, capture_output=True, check=True,
        )  # fmt: skip
        measured.append(orjson.loads(said.stdout))
        _tell(f"core {measured[-1]}")
    return medians(measured)


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _measure(arguments: argparse.Namespace, folder: Path) -> dict[str, Any]:
    plan = _plan(arguments)
    core = _core(plan.runs, arguments.quick) if "core" in plan.parts else None
    result = Conductor(plan, folder, _tell).run()
    if core is not None:
        result.setdefault("medians", {})["core"] = core
    return result


def main(argv: Sequence[str] | None = None) -> int:
    """Measure; 0 when all went well (with --strict: and every figure was reached)."""
    arguments = _arguments(argv)
    try:
        if arguments.keep:
            result = _measure(arguments, arguments.keep.resolve())
        else:
            with temporary_folder() as folder:
                result = _measure(arguments, Path(folder))
    except BenchError as error:
        _tell(f"The bench stopped: {error}")
        return 1
    page = markdown(result)
    print(page)
    if arguments.name or not (arguments.quick or arguments.only):
        name = arguments.name or result["machine"]["date"][:10]
        RESULTS.mkdir(exist_ok=True)
        (RESULTS / f"{name}.json").write_bytes(orjson.dumps(result, option=orjson.OPT_INDENT_2))
        (RESULTS / f"{name}.md").write_text(page)
        _tell(f"kept as bench/results/{name}.md")
    missed = verdict(result)
    for line in missed:
        _tell(f"MISSED: {line}")
    return 1 if missed and arguments.strict else 0


if __name__ == "__main__":
    sys.exit(main())
