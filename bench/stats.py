"""Percentiles and medians. Exact: a window has some ten thousand samples, so they are all kept."""

from collections.abc import Mapping, Sequence
from math import ceil
from statistics import median
from typing import Any


def percentile(ordered: Sequence[float], share: float) -> float:
    """The smallest sample that at least `share` (0 to 1) of all samples don't exceed.

    `ordered` is sorted and not empty.
    """
    return ordered[max(0, ceil(share * len(ordered)) - 1)]


def spread(samples_s: Sequence[float]) -> dict[str, float]:
    """Milliseconds: p50, p90, p99, p99.9 and the worst; nothing for no samples."""
    if not samples_s:
        return {}
    ordered = sorted(samples_s)
    shares = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "p99_9": 0.999, "max": 1.0}
    return {name: round(percentile(ordered, share) * 1000, 3) for name, share in shares.items()}


def medians(runs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The median of each number over the runs, key by key (nested records too).

    A key that some run lacks, and what is no number, is left out.
    """
    if not runs:
        return {}
    result: dict[str, Any] = {}
    for key, first in runs[0].items():
        values = [run.get(key) for run in runs]
        if isinstance(first, Mapping):
            result[key] = medians([v for v in values if isinstance(v, Mapping)])
        elif all(isinstance(v, int | float) and not isinstance(v, bool) for v in values):
            result[key] = median(v for v in values if isinstance(v, int | float))
    return result
