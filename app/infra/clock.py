"""Time, injected: aware UTC for records, monotonic milliseconds for measuring.

The database's clock alone judges a deadline; this one only makes alarms punctual (D9).
"""

import time
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """What code that needs the time is given."""

    def now(self) -> datetime:
        """The present moment, aware, in UTC."""
        ...

    def monotonic_ms(self) -> int:
        """Milliseconds that only grow; for measuring, never for storing."""
        ...


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """The present moment, aware, in UTC."""
        return datetime.now(UTC)

    def monotonic_ms(self) -> int:
        """Milliseconds that only grow."""
        return time.monotonic_ns() // 1_000_000
