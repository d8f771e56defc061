"""A result as a page: the figures, what was asked for, the baseline beside them, the machine."""

from collections.abc import Iterator
from typing import Any

ASKED = {"saturated": 1500.0, "open_p99_ms": 30.0, "idle_kb": 60.0}
"""What the figures must reach (moves a second, at least; the others, at most)."""


def markdown(result: dict[str, Any]) -> str:
    """The page of one result."""
    return "\n".join(_lines(result)) + "\n"


def _lines(result: dict[str, Any]) -> Iterator[str]:
    machine = result["machine"]
    yield f"# Figures of {machine['date'][:10]}"
    yield ""
    yield from _figures(result)
    yield ""
    yield from _core(result)
    yield from _every_run(result)
    yield "## Durable"
    yield ""
    yield from _facts(result.get("durable", {}))
    yield from _facts({"clients saw": result.get("clients_saw", {})})
    yield ""
    yield "## Machine and settings"
    yield ""
    yield from _facts(machine)
    yield from _facts(result.get("database", {}))
    yield from _facts({"setup": result.get("setup", {})})
    yield ""
    yield "Settings raised for the bench:"
    yield ""
    yield from (f"- `{name}={value}`" for name, value in result.get("settings", {}).items())


def _figures(result: dict[str, Any]) -> Iterator[str]:
    runs = result.get("runs", 0)
    yield f"Medians of {runs} runs. The bare ASGI echo answers each message to a room of four."
    yield ""
    yield "| figure | Rebelote | asked | bare echo |"
    yield "|---|---|---|---|"
    medians = result.get("medians", {})
    if "saturated" in medians:
        ours, echo = medians["saturated"]["rebelote"], medians["saturated"]["echo"]
        yield (
            f"| durable, refereed moves a second, saturated | **{ours['moves_per_s']:,.0f}** "
            f"| ≥ {ASKED['saturated']:,.0f} | {echo['moves_per_s']:,.0f} |"
        )
        yield (f"| acknowledged, saturated: p50 / p99 (ms) | {_pair(ours)} | | {_pair(echo)} |")
    if "open" in medians:
        ours, echo = medians["open"]["rebelote"], medians["open"]["echo"]
        rate = result["setup"]["rate"]
        yield (
            f"| acknowledged, open loop at {rate:,.0f} a second: p99 (ms) "
            f"| **{ours['ack_ms']['p99']:.1f}** | ≤ {ASKED['open_p99_ms']:.0f} "
            f"| {echo['ack_ms']['p99']:.1f} |"
        )
        yield (f"| the same: p50 / p99.9 / worst (ms) | {_tail(ours)} | | {_tail(echo)} |")
    idle = result.get("idle", {})
    if idle:
        yield (
            f"| memory of an idle socket (KB) | **{idle['rebelote']['kb_per_socket']:.1f}** "
            f"| ≤ {ASKED['idle_kb']:.0f} | {idle['echo']['kb_per_socket']:.1f} |"
        )


def _core(result: dict[str, Any]) -> Iterator[str]:
    core = result.get("medians", {}).get("core")
    if not core:
        return
    yield "| core, one process on one core | |"
    yield "|---|---|"
    yield f"| random legal deals of `classic` a second | {core['deals_per_s']:,.0f} |"
    yield f"| the same without `legal` (moves known) | {core['deals_known_per_s']:,.0f} |"
    yield f"| `legal` in play (µs) | {core['legal_us']:.1f} |"
    yield f"| `decide` + `evolve` of a move (µs) | {core['move_us']:.1f} |"
    yield f"| a fixed pure-Python loop (million steps a second) | {core['loop_mega_per_s']:.1f} |"
    yield ""


def _every_run(result: dict[str, Any]) -> Iterator[str]:
    windows = result.get("windows", [])
    if not windows:
        return
    yield "## Every run"
    yield ""
    yield (
        "| run | window | target | moves/s | p50 | p99 | p99.9 | worst (ms) | unanswered "
        "| CPU: server | Postgres | generator |"
    )
    yield "|---|---|---|---|---|---|---|---|---|---|---|---|"
    for w in windows:
        ack = w["ack_ms"]
        busy = " | ".join(
            f"{w[who]:.0%}" for who in ("server_cpu", "postgres_cpu", "generator_cpu")
        )
        yield (
            f"| {w['run']} | {w['window']} | {w['target']} | {w['moves_per_s']:,.0f} "
            f"| {ack['p50']:.1f} | {ack['p99']:.1f} | {ack['p99_9']:.1f} | {ack['max']:.1f} "
            f"| {w['unanswered']} | {busy} |"
        )
    yield ""


def _facts(facts: dict[str, Any]) -> Iterator[str]:
    for name, value in facts.items():
        nested = isinstance(value, dict)
        shown = ", ".join(f"{k} {v}" for k, v in value.items()) if nested else value
        yield f"- {name.replace('_', ' ')}: {shown}"


def _pair(window: dict[str, Any]) -> str:
    return f"{window['ack_ms']['p50']:.1f} / {window['ack_ms']['p99']:.1f}"


def _tail(window: dict[str, Any]) -> str:
    ack = window["ack_ms"]
    return f"{ack['p50']:.1f} / {ack['p99_9']:.1f} / {ack['max']:.1f}"


def verdict(result: dict[str, Any]) -> list[str]:
    """What was asked and not reached, or is wrong; empty when all is well."""
    wrong = []
    medians, idle = result.get("medians", {}), result.get("idle", {})
    durable = result.get("durable", {})
    if "saturated" in medians:
        moves = medians["saturated"]["rebelote"]["moves_per_s"]
        if moves < ASKED["saturated"]:
            wrong.append(f"{moves:,.0f} moves a second, saturated")
    if "open" in medians:
        p99 = medians["open"]["rebelote"]["ack_ms"]["p99"]
        if p99 > ASKED["open_p99_ms"]:
            wrong.append(f"{p99:.1f} ms for 99 % of the open loop")
    if idle and idle["rebelote"]["kb_per_socket"] > ASKED["idle_kb"]:
        wrong.append(f"{idle['rebelote']['kb_per_socket']:.1f} KB an idle socket")
    faults = ("acknowledged_but_missing", "tables_with_gaps", "moves_by_clock_or_bot")
    wrong += [f"{name.replace('_', ' ')}: {durable[name]}" for name in faults if durable.get(name)]
    if durable.get("check_log", {}).get("exit"):
        wrong.append(f"check-log: {durable['check_log']['said']}")
    seen = result.get("clients_saw", {})
    wrong += [
        f"{name}: {n}" for name, n in seen.items() if name.startswith(("lost_", "tables_dead"))
    ]
    unanswered = sum(w["unanswered"] for w in result.get("windows", []))
    if unanswered:
        wrong.append(f"{unanswered} moves without an answer")
    return wrong
