"""The embedded Postgres: adopted, repaired and stopped, whoever was killed."""

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.infra.holder import Holder, ask, ask_until_it_answers, is_gone, rows, write_a_row

pytestmark = [pytest.mark.crash, pytest.mark.slow, pytest.mark.timeout(600)]


def test_when_the_app_is_killed_the_keeper_stops_the_database(hold: Callable[[], Holder]) -> None:
    holder = hold()
    write_a_row(holder.url)
    postmaster = holder.postmaster
    holder.kill()
    assert is_gone(postmaster)
    again = hold()
    assert not again.adopted
    assert rows(again.url) == 1


def test_when_the_keeper_is_killed_too_the_next_start_adopts(hold: Callable[[], Holder]) -> None:
    holder = hold()
    write_a_row(holder.url)
    postmaster = holder.postmaster
    os.kill(holder.keeper, signal.SIGKILL)
    holder.kill()
    again = hold()
    assert again.adopted
    assert again.postmaster.pid == postmaster.pid
    assert rows(again.url) == 1
    again.stop()
    assert is_gone(postmaster), "what was adopted is stopped"


def test_a_killed_adopter_leaves_nothing_running(hold: Callable[[], Holder]) -> None:
    holder = hold()
    postmaster = holder.postmaster
    os.kill(holder.keeper, signal.SIGKILL)
    holder.kill()
    hold().kill()
    assert is_gone(postmaster)


def test_a_killed_keeper_does_not_keep_the_app_from_stopping(hold: Callable[[], Holder]) -> None:
    holder = hold()
    postmaster = holder.postmaster
    os.kill(holder.keeper, signal.SIGKILL)
    holder.stop()
    assert is_gone(postmaster)


def test_a_killed_postmaster_comes_back_under_a_living_app(hold: Callable[[], Holder]) -> None:
    holder = hold()
    write_a_row(holder.url)
    killed = holder.postmaster
    killed.kill()
    assert is_gone(killed)
    assert rows(holder.url) == 1
    assert holder.postmaster.pid != killed.pid


def test_an_adopted_postmaster_comes_back_as_well(hold: Callable[[], Holder]) -> None:
    holder = hold()
    os.kill(holder.keeper, signal.SIGKILL)
    holder.kill()
    again = hold()
    killed = again.postmaster
    killed.kill()
    assert is_gone(killed)
    assert ask_until_it_answers(again.url, "SELECT 1") == 1


def test_when_all_were_killed_the_next_start_repairs(hold: Callable[[], Holder]) -> None:
    holder = hold()
    write_a_row(holder.url)
    postmaster = holder.postmaster
    os.kill(holder.keeper, signal.SIGKILL)
    postmaster.kill()
    holder.kill()
    assert (holder.path / "postgres" / "postmaster.pid").exists()
    again = hold()
    assert not again.adopted
    assert rows(again.url) == 1


def test_a_pid_file_of_a_zombie_or_a_stranger_is_swept_away(
    hold: Callable[[], Holder], home: Path
) -> None:
    hold().stop()
    zombie = os.posix_spawn("/bin/sh", ["sh", "-c", "exit 0"], {})
    os.waitid(os.P_PID, zombie, os.WEXITED | os.WNOWAIT)  # dead, but not taken away
    try:
        for pid in (zombie, os.getpid()):
            pid_file = home / "data" / "postgres" / "postmaster.pid"
            pid_file.write_text(f"{pid}\n{home}/data/postgres\n0\n1\n\n127.0.0.1\n0 0\nready\n")
            holder = hold()
            assert ask(holder.url, "SELECT 1") == 1
            holder.stop()
    finally:
        os.waitpid(zombie, 0)


def test_five_kills_lose_nothing_that_was_acknowledged(hold: Callable[[], Holder]) -> None:
    holder = hold()
    ask(holder.url, "CREATE TABLE kept (n int)")
    for number in range(1, 6):
        ask(holder.url, "INSERT INTO kept VALUES ($1)", number)
        killed = holder.postmaster
        killed.kill()
        assert is_gone(killed)
        assert rows(holder.url) == number
