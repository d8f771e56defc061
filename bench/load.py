"""When a scripted client may move: at once (saturated), on a fixed schedule (open loop), or not.

A client whose turn it is offers its move with `ready`; the load decides when it leaves. Latency is
counted from the moment a move was *due*: in the open loop that is its place in the schedule, even
if no table was ready then or the generator was late, so that a stalled server can't hide its
stall by keeping its clients from asking (coordinated omission).
"""

import asyncio
import random
from collections import deque
from collections.abc import Callable
from time import perf_counter
from typing import Protocol

TICK_S = 0.001
"""The rhythm in which the open loop looks at its schedule; its lateness counts as latency."""


class Mover(Protocol):
    """Somebody with a move to make."""

    def move(self, due: float) -> None:
        """Send the move now; `due` (of the load's clock) comes back with `Load.acked`."""
        ...


class Load:
    """The pace of one target's clients. Starts held; one window is measured at a time."""

    def __init__(self, clock: Callable[[], float] = perf_counter, seed: int = 1) -> None:
        self.clock = clock
        self._random = random.Random(seed)
        self._ready: deque[Mover] = deque()
        self._due: deque[float] = deque()
        """Places of the schedule that are due but found no table ready."""
        self._mode: str = "hold"
        self._rate = 0.0
        self._next = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self.in_flight = 0
        self.moves = 0
        """Acknowledged moves since the start, in every mode."""
        self._window: list[float] | None = None
        self._window_from = 0.0
        self._late: list[float] = []

    # For the clients

    def ready(self, mover: Mover) -> None:
        """`mover` has a move to make."""
        if self._mode == "saturated":
            self._go(mover, self.clock())
        elif self._mode == "open" and self._due:
            self._go(mover, self._due.popleft())
        else:
            self._ready.append(mover)

    def acked(self, due: float) -> None:
        """A move that was due then is acknowledged now."""
        self.in_flight -= 1
        self.moves += 1
        if self._window is not None and due >= self._window_from:
            self._window.append(self.clock() - due)

    def failed(self) -> None:
        """A move was refused; its client offers another when its turn is told again."""
        self.in_flight -= 1

    # For the conductor

    def saturate(self) -> None:
        """From now on every move leaves at once."""
        self._stop_timer()
        self._mode = "saturated"
        waiting, self._ready = self._ready, deque()
        for mover in waiting:
            self._go(mover, self.clock())

    def pace(self, rate: float) -> None:
        """From now on moves leave at `rate` a second, at random moments (a Poisson stream)."""
        self._stop_timer()
        self._mode, self._rate = "open", rate
        self._due.clear()
        self._next = self.clock() + self._random.expovariate(rate)
        self.tick()

    def hold(self) -> None:
        """From now on no move leaves. What was due and found no table counts as late as it is."""
        self._stop_timer()
        self._mode = "hold"
        if self._window is not None:
            now = self.clock()
            self._window += [now - due for due in self._due if due >= self._window_from]
        self._due.clear()

    def begin_window(self) -> None:
        """Measure from now: moves that were due earlier don't count."""
        self._window, self._window_from, self._late = [], self.clock(), []

    def end_window(self) -> tuple[list[float], list[float]]:
        """Latencies (s) of the moves acknowledged in the window, and how late the open loop's
        sends were for want of a ready table or of our own time (s)."""
        window, self._window = self._window or [], None
        return window, self._late

    @property
    def backlog(self) -> int:
        """Places of the schedule that still wait for a table."""
        return len(self._due)

    @property
    def waiting(self) -> int:
        """Moves that are ready to leave."""
        return len(self._ready)

    def tick(self) -> None:
        """Send what is due by now (called by its own timer)."""
        now = self.clock()
        while self._next <= now:
            self._due.append(self._next)
            self._next += self._random.expovariate(self._rate)
        while self._due and self._ready:
            self._go(self._ready.popleft(), self._due.popleft())
        self._timer = asyncio.get_running_loop().call_later(TICK_S, self.tick)

    def _go(self, mover: Mover, due: float) -> None:
        self.in_flight += 1
        if self._mode == "open" and self._window is not None:
            self._late.append(self.clock() - due)
        mover.move(due)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
