"""The page of a result, and what it calls missed."""

from typing import Any

import pytest

from bench.report import markdown, verdict

ACK = {"p50": 1.0, "p90": 2.0, "p99": 3.0, "p99_9": 4.0, "max": 5.0}


def result(**changes: Any) -> dict[str, Any]:
    """A result in which all is well, but for `changes`."""
    values = {
        "moves": 2_000.0,
        "p99": 20.0,
        "kb": 40.0,
        "missing": 0,
        "unanswered": 0,
        "saw": {},
        **changes,
    }
    ack = {**ACK, "p99": values["p99"]}
    window = {"moves_per_s": values["moves"], "ack_ms": ack, "generator_cpu": 0.2}
    windows = {"rebelote": window, "echo": window}
    return {
        "machine": {"date": "2030-01-02T03:04:05+00:00", "cpu": "an abacus"},
        "runs": 5,
        "setup": {"rate": 750.0},
        "settings": {"REBELOTE_X": "1"},
        "medians": {"saturated": windows, "open": windows},
        "idle": {"rebelote": {"kb_per_socket": values["kb"]}, "echo": {"kb_per_socket": 9.0}},
        "clients_saw": {"snapshots": 800, **values["saw"]},
        "durable": {"acknowledged_but_missing": values["missing"], "check_log": {"exit": 0}},
        "windows": [
            {
                **window,
                "run": 1,
                "window": "open",
                "target": "rebelote",
                "unanswered": values["unanswered"],
                "server_cpu": 0.5,
                "postgres_cpu": 0.3,
            }
        ],
    }


def test_a_good_result_has_nothing_missed_and_a_page_with_the_machine() -> None:
    assert verdict(result()) == []
    page = markdown(result())
    assert "| durable, refereed moves a second, saturated | **2,000** | ≥ 1,500 | 2,000 |" in page
    assert "an abacus" in page
    assert "`REBELOTE_X=1`" in page


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"moves": 1_499.0}, "saturated"),
        ({"p99": 30.1}, "open loop"),
        ({"kb": 60.1}, "idle socket"),
        ({"missing": 1}, "missing"),
        ({"unanswered": 1}, "without an answer"),
        ({"saw": {"lost_4408": 2}}, "lost_4408: 2"),
    ],
)
def test_what_is_missed_is_said(change: dict[str, Any], word: str) -> None:
    (said,) = verdict(result(**change))
    assert word in said
