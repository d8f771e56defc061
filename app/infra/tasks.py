"""Tasks with an owner, a name and an end (D12).

Nobody calls `asyncio.create_task` elsewhere: a task without an owner is lost by the garbage
collector, and its error with it. An owner cancels what it started, once, in `close`.
"""

import asyncio
from collections.abc import Coroutine
from types import TracebackType
from typing import Any, Self, TypeVar

from app.infra import metrics
from app.infra.logging import get_logger

log = get_logger(__name__)
_T = TypeVar("_T")

RUNNING = metrics.gauge("rebelote_tasks_running", "Tasks alive, by owner.")
FAILED = metrics.counter("rebelote_tasks_failed_total", "Tasks that ended in an error nobody took.")


class TaskOwner:
    """Starts tasks and ends them all; an async context, or call `close` in a `finally`."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._tasks: set[asyncio.Task[Any]] = set()
        self._closed = False

    def start(self, coroutine: Coroutine[Any, Any, _T], name: str) -> asyncio.Task[_T]:
        """Run `coroutine` as a task of this owner; RuntimeError once closed.

        A task that fails is logged here and now; whoever awaits it gets the error as well.
        """
        if self._closed:
            coroutine.close()
            raise RuntimeError(f"{self.name} is closed and starts no task {name}")
        task = asyncio.get_running_loop().create_task(coroutine, name=f"{self.name}/{name}")
        self._tasks.add(task)
        RUNNING.add(1, owner=self.name)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        RUNNING.add(-1, owner=self.name)
        if not task.cancelled() and (error := task.exception()) is not None:
            FAILED.add(1, owner=self.name)
            log.error("task_failed", task=task.get_name(), exc_info=error)

    @property
    def count(self) -> int:
        """How many tasks are alive."""
        return len(self._tasks)

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return self._closed

    async def close(self) -> None:
        """Cancel all tasks and wait for their end. Calling it again does nothing more."""
        self._closed = True
        current = asyncio.current_task()
        tasks = [task for task in self._tasks if task is not current]
        for task in tasks:
            task.cancel()
        # Errors were logged by `_ended`; here only the end matters.
        await asyncio.gather(*tasks, return_exceptions=True)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()
