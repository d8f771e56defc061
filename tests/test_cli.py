"""The command line as a person meets it: `play`, `serve`, `migrate`, and a wrong setting."""

import asyncio
import itertools
import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import asyncpg
import psutil
import pytest

from app.cli import main
from app.infra import keeper
from app.infra.config import CHECKOUT
from app.infra.migrate import heads, revision_of
from tests.infra.holder import is_gone

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]  # starts processes

PATIENCE_S = 120
_numbers = itertools.count(1)


class Server:
    """A `rebelote play` or `serve` in a process of its own."""

    def __init__(self, data: Path, *words: str, **variables: str) -> None:
        self.data = data
        self.process = subprocess.Popen(
            [sys.executable, "-m", "app.cli", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=CHECKOUT,
            env=environment(data, **variables),
        )

    @property
    def postmaster(self) -> psutil.Process:
        """The running postmaster."""
        pid = keeper.postmaster_pid(self.data / "postgres")
        assert pid is not None
        return psutil.Process(pid)

    def address(self) -> str:
        """The address that it prints; waits for it."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if (found := re.search(r"Rebelote is at (\S+)", line)) is not None:
                return found[1]
        raise AssertionError(f"it ended: {self.process.communicate()}")

    def end(self, number: signal.Signals) -> int:
        """Send a signal; answers the exit code."""
        self.process.send_signal(number)
        self.process.communicate(timeout=PATIENCE_S)
        return self.process.returncode


def environment(data: Path, **variables: str) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith("REBELOTE_")}
    return {**kept, "REBELOTE_DATA_DIR": str(data), **variables}


def run(data: Path, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "app.cli", *words],
        capture_output=True,
        text=True,
        cwd=CHECKOUT,
        env=environment(data, **variables),
        timeout=PATIENCE_S,
        check=False,
    )


def health(address: str) -> dict[str, str]:
    with urllib.request.urlopen(f"{address}/api/health", timeout=PATIENCE_S) as answer:
        body: dict[str, str] = json.load(answer)
        return body


@pytest.fixture
def data(readable_folder: Path) -> Path:
    """A data folder of this test's own."""
    home = readable_folder / f"cli-{os.getpid()}-{next(_numbers)}"
    home.mkdir(mode=0o755)
    return home / "data"


@pytest.fixture
def start(data: Path) -> Iterator[Callable[..., Server]]:
    """Start servers on that folder; all are ended."""
    servers: list[Server] = []

    def begin(*words: str, **variables: str) -> Server:
        servers.append(Server(data, *words, **variables))
        return servers[-1]

    yield begin
    for server in servers:
        if server.process.poll() is None:
            server.end(signal.SIGTERM)
        for stream in (server.process.stdout, server.process.stderr):
            if stream is not None:
                stream.close()


@pytest.mark.slow
@pytest.mark.database
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_play_serves_until_it_is_asked_to_stop_and_stops_its_database(
    start: Callable[..., Server], number: signal.Signals
) -> None:
    server = start("play")
    address = server.address()
    assert 8000 <= int(address.rpartition(":")[2]) <= 8019
    assert health(address)["status"] == "ok"
    postmaster = server.postmaster
    assert server.end(number) == 0
    assert is_gone(postmaster)
    assert "shut down" in (server.data / "postgres.log").read_text().splitlines()[-1]
    assert not (server.data / "server.json").exists()


@pytest.mark.slow
@pytest.mark.database
def test_a_second_play_prints_the_first_ones_address(start: Callable[..., Server]) -> None:
    first = start("play")
    address = first.address()
    second = run(first.data, "play")
    assert second.returncode == 0
    assert address in second.stdout
    refused = run(first.data, "serve", "--port", "0")
    assert refused.returncode == 1
    assert address in refused.stderr
    assert health(address)["status"] == "ok", "the first one is none the worse"


@pytest.mark.crash
@pytest.mark.slow
@pytest.mark.database
def test_after_a_kill_play_starts_again_without_a_question(start: Callable[..., Server]) -> None:
    first = start("play")
    instance = health(first.address())["instance"]
    first.end(signal.SIGKILL)
    second = start("play")
    assert health(second.address())["instance"] != instance, "the stale address was not believed"


@pytest.mark.slow
@pytest.mark.database
def test_a_taken_port_is_passed_over_or_said(start: Callable[..., Server], data: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = other.getsockname()[1]
        refused = run(data, "play", "--port", str(taken))
        assert refused.returncode == 1
        assert refused.stderr.strip() == f"Port {taken} is taken; choose another with PORT="
        try:
            blocker = socket.create_server(("127.0.0.1", 8000))
        except OSError:
            blocker = None  # somebody has it already: as good
        try:
            port = int(start("play").address().rpartition(":")[2])
            assert 8001 <= port <= 8019
        finally:
            if blocker is not None:
                blocker.close()


@pytest.mark.slow
@pytest.mark.database
def test_the_home_network_gets_an_address_and_a_code_to_scan(start: Callable[..., Server]) -> None:
    server = start("play", "--host", "0.0.0.0", REBELOTE_PUBLIC_URL="http://cards.example")
    server.address()
    assert server.process.stdout is not None
    assert "http://cards.example" in server.process.stdout.readline()
    server.process.send_signal(signal.SIGTERM)
    if "192." in server.process.stdout.read():
        pytest.fail("an address that was set is not replaced")


@pytest.mark.slow
def test_serve_with_a_database_of_its_own_needs_no_folder(
    start: Callable[..., Server], database_url: str, data: Path
) -> None:
    server = start("serve", "--port", "0", REBELOTE_DATABASE_URL=database_url)
    assert health(server.address())["status"] == "ok"
    assert not data.exists()
    assert server.end(signal.SIGTERM) == 0


def test_serve_refuses_a_database_that_is_behind(database_url: str, data: Path) -> None:
    async def forget() -> None:
        connection = await asyncpg.connect(database_url)
        await connection.execute("DELETE FROM alembic_version")
        await connection.close()

    asyncio.run(forget())
    refused = run(data, "serve", "--port", "0", REBELOTE_DATABASE_URL=database_url)
    assert refused.returncode == 1
    assert "rebelote migrate" in refused.stderr


def test_serve_goes_on_with_a_database_that_newer_code_has_migrated(
    start: Callable[..., Server], database_url: str
) -> None:
    async def grow() -> None:
        connection = await asyncpg.connect(database_url)
        await connection.execute("UPDATE alembic_version SET version_num = 'from_tomorrow'")
        await connection.close()

    asyncio.run(grow())
    server = start("serve", "--port", "0", REBELOTE_DATABASE_URL=database_url)
    assert health(server.address())["status"] == "ok"


Statements = tuple[str, ...]


@pytest.fixture
def made(cluster_url: str) -> Iterator[Callable[..., str]]:
    """Makes databases that this code did not make."""
    names: list[str] = []

    async def make(name: str, encoding: str, statements: Statements) -> None:
        connection = await asyncpg.connect(cluster_url)
        await connection.execute(f"CREATE DATABASE {name} ENCODING '{encoding}' TEMPLATE template0")
        await connection.close()
        names.append(name)
        connection = await asyncpg.connect(f"{cluster_url.rpartition('/')[0]}/{name}")
        for statement in statements:
            await connection.execute(statement)
        await connection.close()

    def of(*statements: str, encoding: str = "UTF8") -> str:
        name = f"made_{os.getpid()}_{next(_numbers)}"
        asyncio.run(make(name, encoding, statements))
        return f"{cluster_url.rpartition('/')[0]}/{name}"

    async def drop() -> None:
        connection = await asyncpg.connect(cluster_url)
        for name in names:
            await connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
        await connection.close()

    yield of
    asyncio.run(drop())


OTHERS_REVISION = (
    "CREATE TABLE alembic_version (version_num text)",
    "INSERT INTO alembic_version VALUES ('abc123')",
)


@pytest.mark.parametrize("words", [("serve", "--port", "0"), ("play", "--port", "0"), ("migrate",)])
@pytest.mark.parametrize(
    ("statements", "encoding", "sentence"),
    [
        (OTHERS_REVISION, "UTF8", "another program's: its revision is abc123"),
        (("CREATE TABLE player (x int)",), "UTF8", "it has tables of its own, player"),
        ((), "SQL_ASCII", "encoded in SQL_ASCII"),
    ],
)
def test_a_database_that_is_not_ours_is_left_alone(
    made: Callable[..., str],
    readable_folder: Path,
    words: tuple[str, ...],
    statements: Statements,
    encoding: str,
    sentence: str,
) -> None:
    url = made(*statements, encoding=encoding)
    data = readable_folder / f"foreign-{next(_numbers)}"
    refused = run(data, *words, REBELOTE_DATABASE_URL=url)
    assert refused.returncode == 1
    assert sentence in refused.stderr
    assert "Traceback" not in refused.stderr


@pytest.mark.parametrize(
    "address",
    ["rebelote:wrong@{host}/postgres", "x@127.0.0.1:1/x", "x@nowhere.invalid/x", "x@[::1/x"],
)
@pytest.mark.parametrize("words", [("serve",), ("migrate",), ("check-log",)])
def test_a_database_that_lets_nobody_in_is_said_in_a_sentence(
    cluster_url: str, data: Path, address: str, words: tuple[str, ...]
) -> None:
    host = cluster_url.rpartition("@")[2].partition("/")[0]
    url = f"postgresql://{address.format(host=host)}"
    refused = run(data, *words, REBELOTE_DATABASE_URL=url)
    assert refused.returncode == 1
    assert refused.stderr.startswith("The database can't be reached: ")
    assert "Traceback" not in refused.stderr
    assert "wrong" not in refused.stderr


@pytest.mark.parametrize(
    "words", [("check-log",), ("replay", "0190a3f2-0000-7000-8000-000000000000")]
)
def test_commands_want_a_database_that_was_migrated(
    made: Callable[..., str], data: Path, words: tuple[str, ...]
) -> None:
    refused = run(data, *words, REBELOTE_DATABASE_URL=made())
    assert refused.returncode == 1
    assert "rebelote migrate" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_migrate_brings_an_empty_database_to_the_head(cluster_url: str, data: Path) -> None:
    async def make(statement: str) -> None:
        connection = await asyncpg.connect(cluster_url)
        await connection.execute(statement)
        await connection.close()

    url = f"{cluster_url.rpartition('/')[0]}/empty_{os.getpid()}"
    asyncio.run(make(f"CREATE DATABASE empty_{os.getpid()}"))
    try:
        done = run(data, "migrate", REBELOTE_DATABASE_URL=url)
        assert (done.returncode, done.stderr) == (0, "")
        assert asyncio.run(revision_of(url)) == heads()[0]
    finally:
        asyncio.run(make(f"DROP DATABASE empty_{os.getpid()} WITH (FORCE)"))


def test_a_wrong_setting_stops_the_start_with_a_sentence(data: Path) -> None:
    refused = run(data, "play", REBELOTE_PUBLIC_URL="cards.example")
    assert refused.returncode == 1
    assert "public_url must begin with http" in refused.stderr
    assert "Traceback" not in refused.stderr
    assert not data.exists()


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("REBELOTE_PRT", "8005", "no such setting: REBELOTE_PRT"),
        ("REBELOTE_TIMNIG__FILL", "1", "no such setting: REBELOTE_TIMNIG__FILL"),
        ("REBELOTE_TIMING", "{", "The settings are wrong"),
        ("REBELOTE_PORT", "eighty", "The settings are wrong: port"),
    ],
)
def test_a_slip_of_the_pen_is_said_too(data: Path, name: str, value: str, sentence: str) -> None:
    refused = run(data, "serve", **{name: value})
    assert refused.returncode == 1
    assert sentence in refused.stderr
    assert "Traceback" not in refused.stderr


def test_help_names_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == 0
    out = capsys.readouterr().out
    assert all(word in out for word in ("play", "serve", "migrate"))
