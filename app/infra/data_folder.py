"""The data folder: where it lies, whose it is, who may serve from it, and what is kept in it.

As root, Postgres runs under an unprivileged account which owns this folder and nothing else; the
mode of a parent is never changed. This module starts no process but the shell that tries whether
that account can reach a place.
"""

import contextlib
import fcntl
import os
import pwd
import secrets
import socket
import subprocess
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

import orjson

from app.infra.config import CHECKOUT, Settings, checkout_hash

ACCOUNT_NAME = "nobody"
"""`initdb` needs an entry in passwd, and every system has this one."""
SYSTEM_HOME = Path("/var/lib/rebelote")
"""Where data goes when root's checkout lies below a folder that the account can't enter."""
MARKER = "rebelote-data"
PORTS = range(20_000, 32_000)
"""Below the ephemeral ports, so that no outgoing connection sits on ours at the next start."""


class StartError(Exception):
    """Why the start stops, in one sentence for the person at the terminal."""


@dataclass(frozen=True, slots=True)
class Account:
    """The unprivileged account that Postgres runs under when we are root."""

    name: str
    uid: int
    gid: int

    def can_enter(self, folder: Path) -> bool:
        """Whether the account can get into an existing folder (tried, not computed: ACLs)."""
        result = subprocess.run(
            ["/bin/sh", "-c", 'cd -- "$1"', "sh", str(folder)],
            user=self.uid,
            group=self.gid,
            extra_groups=[],
            cwd="/",
            stderr=subprocess.DEVNULL,
            check=False,
        )
        return result.returncode == 0


def postgres_account() -> Account | None:
    """The account to change to, or None when we are not root and stay who we are."""
    if os.geteuid() != 0:
        return None
    entry = pwd.getpwnam(ACCOUNT_NAME)
    return Account(entry.pw_name, entry.pw_uid, entry.pw_gid)


@dataclass(frozen=True, slots=True)
class DataFolder:
    """A folder that is ours. Make it with `open_data_folder`."""

    path: Path
    account: Account | None
    moved_from: Path | None = None
    """The `./data` that the account can't reach, when the folder was moved."""

    @property
    def pgdata(self) -> Path:
        """The cluster's own folder."""
        return self.path / "postgres"

    @property
    def postgres_log(self) -> Path:
        """What the postmaster and its keeper say."""
        return self.path / "postgres.log"

    @property
    def server_lock(self) -> Path:
        """Held by the one `play` or `serve`."""
        return self.path / "server.lock"

    @property
    def start_lock(self) -> Path:
        """Held while somebody looks for, adopts or starts the database."""
        return self.path / "start.lock"

    @property
    def password_file(self) -> Path:
        """The database's password, 0600."""
        return self.path / "postgres-password"

    @property
    def state_file(self) -> Path:
        """What the running server says of itself."""
        return self.path / "server.json"

    def give(self, path: Path) -> None:
        """Hand something inside the folder to the account. The folder is the account's, so a link
        may lie where we have just made a file: it is never followed, here and wherever we open."""
        if self.account is not None:
            os.chown(path, self.account.uid, self.account.gid, follow_symlinks=False)

    def password(self) -> str:
        """The database's password, made on the first call."""
        try:
            return self.password_file.read_text().strip()
        except FileNotFoundError:
            if (self.pgdata / "PG_VERSION").exists():
                raise StartError(
                    f"{self.password_file} is missing, and without it the database in "
                    f"{self.pgdata} can't be opened."
                ) from None
        self.write_private(self.password_file, secrets.token_urlsafe(24))
        return self.password_file.read_text().strip()

    def write_private(self, path: Path, text: str) -> None:
        """Write a whole file at once, readable by its owner alone (0600)."""
        part = path.with_name(path.name + ".part")
        part.unlink(missing_ok=True)
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        self.give(part)
        part.replace(path)

    def port(self) -> int:
        """The database's port, chosen once and kept."""
        with contextlib.suppress(FileNotFoundError, ValueError):
            kept = int((self.path / "postgres-port").read_text())
            if 0 < kept < 65_536:
                return kept
        return self.choose_port()

    def choose_port(self) -> int:
        """Choose a free port and keep it."""
        port = free_port(PORTS)
        self.write_private(self.path / "postgres-port", str(port))
        return port

    def write_state(self, state: dict[str, str]) -> None:
        """Say where this server listens (`url`, `instance`)."""
        self.write_private(self.state_file, orjson.dumps(state).decode())

    def read_state(self) -> dict[str, str] | None:
        """What the last server said; it may be gone, so ask it before believing."""
        try:
            state = orjson.loads(self.state_file.read_bytes())
        except (FileNotFoundError, orjson.JSONDecodeError):
            return None
        whole = isinstance(state, dict) and all(
            isinstance(state.get(name), str) for name in ("url", "ask", "instance")
        )
        return state if whole else None


def free_port(among: range) -> int:
    """One of these ports at random that nobody has; StartError if none is found."""
    for _ in range(200):
        port = secrets.choice(among)
        if port_is_free(port):
            return port
    raise StartError(f"No port of 127.0.0.1 from {among[0]} to {among[-1]} was found free.")


def port_is_free(port: int, host: str = "127.0.0.1") -> bool:
    """Whether a server could listen there now."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


class FileLock:
    """An advisory lock that the kernel lets go when its process dies, however it died."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._descriptor: int | None = None

    def acquire(self, *, wait: bool = False) -> bool:
        """Take it; False when another process has it and `wait` is not asked for."""
        if self._descriptor is not None:
            return True
        descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            os.close(descriptor)
            return False
        self._descriptor = descriptor
        return True

    def release(self) -> None:
        """Let it go; calling it again does nothing."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def __enter__(self) -> Self:
        self.acquire(wait=True)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.release()


def _nearest_folder(path: Path) -> Path:
    while not path.is_dir():
        path = path.parent
    return path


def _reachable(path: Path, account: Account | None) -> bool:
    """Whether the account gets as far as the folder that holds `path`."""
    return account is None or account.can_enter(_nearest_folder(path.parent))


def open_data_folder(settings: Settings, checkout: Path = CHECKOUT) -> DataFolder:
    """Find or make the data folder; StartError when it can't be used."""
    account = postgres_account()
    moved_from = None
    if settings.data_dir is not None:
        path = Path(settings.data_dir).absolute()
        if not _reachable(path, account):
            raise StartError(
                f"REBELOTE_DATA_DIR={path} can't be reached by the account {ACCOUNT_NAME!r}, which "
                f"the database runs under when root starts it; name a folder that it can enter."
            )
    else:
        path = checkout / "data"
        if not _reachable(path, account):
            moved_from, path = path, SYSTEM_HOME / checkout_hash(checkout)
    _make(path, account)
    return DataFolder(path.resolve(), account, moved_from)


def _make(path: Path, account: Account | None) -> None:
    marker = path / MARKER
    try:
        # New parents are entered by the account too, whatever the umask; old ones stay as they are.
        missing = [parent for parent in path.parents if not parent.exists()]
        path.mkdir(parents=True, exist_ok=True)
        for parent in missing:
            parent.chmod(0o755)
        if not marker.exists():
            if any(path.iterdir()):
                raise StartError(f"{path} is not empty and holds no data of this server.")
            path.chmod(0o700)
            marker.write_text(
                "The data of a Rebelote server. Stop it before you copy this folder.\n"
            )
        if account is not None and path.stat().st_uid != account.uid:
            os.chown(path, account.uid, account.gid)
    except OSError as error:
        raise StartError(f"The data folder {path} can't be used: {error.strerror}.") from None
    if not os.access(path, os.R_OK | os.W_OK | os.X_OK):
        raise StartError(f"The data folder {path} belongs to somebody else.")
