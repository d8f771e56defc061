"""Counters, gauges and histograms of this process, and their text for Prometheus.

Small on purpose: one thread (the event loop) writes them, so there are no locks. Labels must be
few and closed (an owner, a kind, a code), never an id: each combination is kept for ever.
"""

from bisect import bisect_left
from collections.abc import Iterator
from typing import Final, TypeVar

Labels = tuple[tuple[str, str], ...]

MS_BUCKETS: Final = (1, 2, 5, 10, 20, 30, 50, 100, 200, 500, 1_000, 2_000, 5_000)
"""Bounds for durations in milliseconds."""
MAX_SERIES: Final = 1_000
"""Combinations of labels a metric may have; more means that somebody used an id as a label."""


def _key(labels: dict[str, str]) -> Labels:
    items = tuple(labels.items())
    return items if len(items) < 2 else tuple(sorted(items))


def _escape(value: str) -> str:
    return value.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")


def _text(labels: Labels) -> str:
    if not labels:
        return ""
    return "{" + ",".join(f'{name}="{_escape(value)}"' for name, value in labels) + "}"


class Metric:
    """What all kinds share: a name, a sentence, a type and lines."""

    kind = "untyped"

    def __init__(self, name: str, help_text: str) -> None:
        self.name = name
        self.help_text = help_text

    def lines(self) -> Iterator[str]:
        """The samples, in Prometheus' text form."""
        raise NotImplementedError

    def clear(self) -> None:
        """Forget all samples (tests)."""
        raise NotImplementedError


class _Scalar(Metric):
    def __init__(self, name: str, help_text: str) -> None:
        super().__init__(name, help_text)
        self._values: dict[Labels, float] = {}

    def value(self, **labels: str) -> float:
        """The present value; 0 when never touched."""
        return self._values.get(_key(labels), 0)

    def _store(self, key: Labels, value: float) -> None:
        if key not in self._values and len(self._values) >= MAX_SERIES:
            raise ValueError(f"{self.name} has too many label combinations")
        self._values[key] = value

    def lines(self) -> Iterator[str]:
        """One line a combination of labels."""
        for labels, value in sorted(self._values.items()):
            yield f"{self.name}{_text(labels)} {value:g}"

    def clear(self) -> None:
        """Forget all samples."""
        self._values.clear()


class Counter(_Scalar):
    """A number that only grows."""

    kind = "counter"

    def add(self, amount: float = 1, **labels: str) -> None:
        """Grow by `amount`, which is not negative."""
        if amount < 0:
            raise ValueError("a counter only grows")
        key = _key(labels)
        self._store(key, self._values.get(key, 0) + amount)


class Gauge(_Scalar):
    """A number that rises and falls."""

    kind = "gauge"

    def set(self, value: float, **labels: str) -> None:
        """Make it `value`."""
        self._store(_key(labels), value)

    def add(self, amount: float, **labels: str) -> None:
        """Change it by `amount`."""
        key = _key(labels)
        self._store(key, self._values.get(key, 0) + amount)


class Histogram(Metric):
    """How values are spread over fixed bounds; durations are in milliseconds."""

    kind = "histogram"

    def __init__(self, name: str, help_text: str, buckets: tuple[float, ...] = MS_BUCKETS) -> None:
        super().__init__(name, help_text)
        self._bounds = buckets
        self._counts: dict[Labels, list[int]] = {}
        self._sums: dict[Labels, float] = {}

    def observe(self, value: float, **labels: str) -> None:
        """Count one value."""
        key = _key(labels)
        counts = self._counts.get(key)
        if counts is None:
            if len(self._counts) >= MAX_SERIES:
                raise ValueError(f"{self.name} has too many label combinations")
            counts = self._counts[key] = [0] * (len(self._bounds) + 1)
            self._sums[key] = 0
        counts[bisect_left(self._bounds, value)] += 1
        self._sums[key] += value

    def count(self, **labels: str) -> int:
        """How many values were observed."""
        return sum(self._counts.get(_key(labels), ()))

    def lines(self) -> Iterator[str]:
        """Cumulative buckets, sum and count for each combination of labels."""
        for labels, counts in sorted(self._counts.items()):
            total = 0
            for bound, count in zip((*self._bounds, "+Inf"), counts, strict=True):
                total += count
                edge = bound if isinstance(bound, str) else f"{bound:g}"
                yield f"{self.name}_bucket{_text((*labels, ('le', edge)))} {total}"
            yield f"{self.name}_sum{_text(labels)} {self._sums[labels]:g}"
            yield f"{self.name}_count{_text(labels)} {total}"

    def clear(self) -> None:
        """Forget all samples."""
        self._counts.clear()
        self._sums.clear()


_registry: dict[str, Metric] = {}
_M = TypeVar("_M", bound=Metric)


def _register(metric: _M) -> _M:
    if metric.name in _registry:
        raise ValueError(f"the metric {metric.name} exists already")
    _registry[metric.name] = metric
    return metric


def counter(name: str, help_text: str) -> Counter:
    """Make and register a counter; call it once, at module level."""
    return _register(Counter(name, help_text))


def gauge(name: str, help_text: str) -> Gauge:
    """Make and register a gauge; call it once, at module level."""
    return _register(Gauge(name, help_text))


def histogram(name: str, help_text: str, buckets: tuple[float, ...] = MS_BUCKETS) -> Histogram:
    """Make and register a histogram; call it once, at module level."""
    return _register(Histogram(name, help_text, buckets))


def render() -> str:
    """All metrics of the process, as Prometheus reads them (text format 0.0.4)."""
    out: list[str] = []
    for metric in _registry.values():
        out.append(f"# HELP {metric.name} {metric.help_text}")
        out.append(f"# TYPE {metric.name} {metric.kind}")
        out.extend(metric.lines())
    return "\n".join(out) + "\n"
