"""A clock that moves when a test says so."""

from datetime import UTC, datetime, timedelta


class FakeClock:
    """Both faces of time move together, by hand."""

    def __init__(self, start: datetime | None = None) -> None:
        self._now = start or datetime(2026, 1, 1, 12, tzinfo=UTC)
        self._monotonic = 1_000_000

    def now(self) -> datetime:
        """The moment that the test has arrived at."""
        return self._now

    def monotonic_ms(self) -> int:
        """Milliseconds that only grow."""
        return self._monotonic

    def advance(self, ms: int) -> None:
        """Let time pass."""
        self._now += timedelta(milliseconds=ms)
        self._monotonic += ms
