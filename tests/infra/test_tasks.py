"""Tasks have an owner, a name and an end (D12)."""

import asyncio
import logging

import pytest

from app.infra.tasks import FAILED, RUNNING, TaskOwner


async def test_a_task_has_its_owners_name_and_answers() -> None:
    async with TaskOwner("hub") as owner:

        async def work() -> int:
            return 7

        task = owner.start(work(), "work")
        assert task.get_name() == "hub/work"
        assert await task == 7


async def test_closing_cancels_and_waits_for_the_end() -> None:
    cleaned = asyncio.Event()
    started = asyncio.Event()

    async def forever() -> None:
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            cleaned.set()

    owner = TaskOwner("closing")
    owner.start(forever(), "forever")
    await started.wait()
    assert (owner.count, RUNNING.value(owner="closing")) == (1, 1)
    await owner.close()
    assert cleaned.is_set()
    assert (owner.count, RUNNING.value(owner="closing")) == (0, 0)
    await owner.close()
    assert owner.closed


async def test_a_closed_owner_starts_nothing() -> None:
    owner = TaskOwner("closed")
    await owner.close()

    async def work() -> None: ...

    with pytest.raises(RuntimeError, match="closed"):
        owner.start(work(), "late")


async def test_a_failing_task_is_logged_and_counted(caplog: pytest.LogCaptureFixture) -> None:
    async def work() -> None:
        raise LookupError("why")

    before = FAILED.value(owner="failing")
    async with TaskOwner("failing") as owner:
        with caplog.at_level(logging.ERROR), pytest.raises(LookupError):
            await owner.start(work(), "work")
    assert FAILED.value(owner="failing") == before + 1
    told = [record.getMessage() for record in caplog.records if record.name.startswith("app")]
    assert told == ["task_failed"]


async def test_a_task_may_close_its_own_owner() -> None:
    owner = TaskOwner("self")
    await owner.start(owner.close(), "closer")
    assert owner.count == 0
