"""Percentiles and medians."""

import pytest

from bench.stats import medians, percentile, spread


@pytest.mark.parametrize(
    ("share", "expected"), [(0.0, 1), (0.01, 1), (0.5, 50), (0.99, 99), (0.991, 100), (1.0, 100)]
)
def test_a_percentile_is_a_sample_that_so_many_do_not_exceed(share: float, expected: int) -> None:
    assert percentile(range(1, 101), share) == expected


def test_a_spread_is_in_milliseconds_whatever_the_order() -> None:
    assert spread([0.003, 0.001, 0.002]) == {
        "p50": 2.0,
        "p90": 3.0,
        "p99": 3.0,
        "p99_9": 3.0,
        "max": 3.0,
    }


def test_nothing_measured_has_no_spread() -> None:
    assert spread([]) == {}


def test_medians_go_key_by_key_and_leave_out_what_is_no_number() -> None:
    runs = [
        {"moves": 5, "name": "a", "ack": {"p99": 1.0}, "once": 1},
        {"moves": 1, "name": "b", "ack": {"p99": 9.0}},
        {"moves": 3, "name": "c", "ack": {"p99": 2.0}},
    ]
    assert medians(runs) == {"moves": 3, "ack": {"p99": 2.0}}
