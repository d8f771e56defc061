"""Errors, clock, randomness, ids, logs and metrics."""

import io
import json
import logging
import re
import uuid
from datetime import UTC

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.infra import ids, metrics
from app.infra.clock import SystemClock
from app.infra.encodings import reads_gzip
from app.infra.errors import KINDS, AppError
from app.infra.logging import ConsoleFormatter, configure, get_logger
from app.infra.rng import SeededRng, SystemRng
from app.infra.tasks import FAILED, RUNNING
from tests.clocks import FakeClock


def test_an_error_carries_its_registered_status_and_sentence() -> None:
    error = AppError("table_full")
    assert (error.status, error.retry) == (409, False)
    assert error.body() == {"error": {"code": "table_full", "message": "All seats are taken."}}


def test_a_code_that_nobody_registered_is_a_bug() -> None:
    with pytest.raises(KeyError):
        AppError("no_such_code")


def test_codes_are_snake_case_and_statuses_are_errors() -> None:
    for code, kind in KINDS.items():
        assert re.fullmatch(r"[a-z][a-z_]*", code)
        assert 400 <= kind.status < 600
        assert kind.message.endswith(".")


def test_the_system_clock_is_aware_and_grows() -> None:
    clock = SystemClock()
    assert clock.now().tzinfo is UTC
    assert clock.monotonic_ms() <= clock.monotonic_ms()


def test_the_same_seed_gives_the_same_stream() -> None:
    one, same, other = SeededRng(7), SeededRng(7), SeededRng(8)
    drawn = one.token_bytes(32), one.between(500, 900), one.random().random()
    assert drawn == (same.token_bytes(32), same.between(500, 900), same.random().random())
    assert drawn[0] != other.token_bytes(32)


def test_the_system_draws_both_ends() -> None:
    rng = SystemRng()
    assert {rng.between(1, 2) for _ in range(200)} == {1, 2}
    assert rng.token_bytes(32) != rng.token_bytes(32)
    assert 0 <= rng.random().random() < 1


@given(st.integers(0, 10_000), st.integers(0, 100_000_000))
def test_ids_are_version_7_and_ordered_by_the_millisecond(seed: int, later: int) -> None:
    clock, rng = FakeClock(), SeededRng(seed)
    first = ids.new_id(clock, rng)
    clock.advance(later + 1)
    second = ids.new_id(clock, rng)
    assert first.version == second.version == 7
    assert first.variant == uuid.RFC_4122
    assert first < second
    assert first.int >> 80 == int(FakeClock().now().timestamp() * 1000)


def test_table_codes_have_no_letter_that_is_read_wrongly() -> None:
    code = ids.new_table_code(SeededRng(1))
    assert len(code) == 6
    assert set(code) <= set(ids.CODE_ALPHABET)
    assert not set("01OIL") & set(ids.CODE_ALPHABET)


@pytest.mark.parametrize("typed", ["k7q2md", " K7Q 2MD ", "k7q-2md"])
def test_a_code_is_read_as_people_type_it(typed: str) -> None:
    assert ids.read_table_code(typed) == "K7Q2MD"


@pytest.mark.parametrize("typed", ["", "K7Q2M", "K7Q2MDX", "K7Q2M0", "K7Q2MÉ"])
def test_what_is_no_code_is_none(typed: str) -> None:
    assert ids.read_table_code(typed) is None


def test_a_json_line_has_the_event_and_its_ids() -> None:
    out = io.StringIO()
    configure("info", "json", out)
    log = get_logger("app.test")
    log.debug("too_small", table="K7Q2MD")
    log.info("table_opened", table="K7Q2MD", seat=2)
    line = json.loads(out.getvalue())
    assert (line["event"], line["table"], line["seat"]) == ("table_opened", "K7Q2MD", 2)
    assert line["level"] == "info"


def test_an_error_is_logged_with_its_trace() -> None:
    out = io.StringIO()
    configure("info", "json", out)
    get_logger("app.test").error("broke", exc_info=ValueError("why"), task="x")
    assert "ValueError: why" in json.loads(out.getvalue())["error"]


def test_the_console_line_is_for_people() -> None:
    record = logging.LogRecord("app", logging.WARNING, "f", 1, "slow_socket", None, None)
    record.fields = {"player": "p1"}
    assert ConsoleFormatter().format(record).endswith("warning slow_socket player=p1")


@pytest.mark.parametrize("field", ["cards", "token", "hidden", "cookie"])
def test_a_line_with_secrets_is_refused(field: str) -> None:
    with pytest.raises(ValueError, match=field):
        get_logger("app.test").error("leak", **{field: "x"})  # type: ignore[arg-type]


def test_a_counter_grows_by_labels_and_never_shrinks() -> None:
    counter = metrics.Counter("moves_total", "Moves.")
    counter.add(kind="play")
    counter.add(2, kind="play")
    assert counter.value(kind="play") == 3
    assert list(counter.lines()) == ['moves_total{kind="play"} 3']
    with pytest.raises(ValueError, match="grows"):
        counter.add(-1)


def test_a_gauge_is_set_and_moved() -> None:
    gauge = metrics.Gauge("sockets", "Sockets.")
    gauge.set(5)
    gauge.add(-2)
    assert list(gauge.lines()) == ["sockets 3"]


def test_a_histogram_counts_up_to_and_including_its_bounds() -> None:
    histogram = metrics.Histogram("commit_ms", "Commits.", (1, 10))
    for value in (0.5, 1, 7, 99):
        histogram.observe(value)
    assert list(histogram.lines()) == [
        'commit_ms_bucket{le="1"} 2',
        'commit_ms_bucket{le="10"} 3',
        'commit_ms_bucket{le="+Inf"} 4',
        "commit_ms_sum 107.5",
        "commit_ms_count 4",
    ]
    assert histogram.count() == 4


def test_labels_are_escaped() -> None:
    gauge = metrics.Gauge("g", "G.")
    gauge.set(1, name='a"b\\c\nd')
    assert list(gauge.lines()) == ['g{name="a\\"b\\\\c\\nd"} 1']


def test_ids_as_labels_are_noticed() -> None:
    counter = metrics.Counter("c_total", "C.")
    with pytest.raises(ValueError, match="too many"):
        for number in range(metrics.MAX_SERIES + 1):
            counter.add(player=str(number))


def test_the_page_of_metrics_names_and_types_each() -> None:
    text = metrics.render()
    assert f"# TYPE {RUNNING.name} gauge" in text
    assert text.endswith("\n")


def test_a_metric_has_one_owner() -> None:
    with pytest.raises(ValueError, match="exists"):
        metrics.counter(FAILED.name, "Again.")


@pytest.mark.parametrize(
    ("header", "reads"),
    [
        ("gzip", True),
        ("br, GZIP ; q=0.5", True),
        ("gzip;q=0.001, identity", True),
        ("", False),
        ("br;q=1.0, identity", False),
        ("gzip;q=0", False),
        ("br, gzip; Q = 0.000", False),
        ("notgzip", False),
    ],
)
def test_gzip_goes_to_who_names_it_and_does_not_refuse_it(header: str, reads: bool) -> None:
    assert reads_gzip(header) is reads
