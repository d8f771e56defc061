"""Where the server listens: its socket, a free port, the address for other devices, and who is
there already.
"""

import http.client
import socket
from urllib.parse import urlsplit

import orjson

from app.infra.config import FIRST_PORT, LAST_PORT
from app.infra.data_folder import StartError

USER_TIMEOUT_MS = 20_000
"""Unacknowledged data drops a connection after this: a reader that is stuck can't even be sent its
close frame, and would be held for a quarter of an hour."""
ASK_S = 2.0
BACKLOG = 2048
EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104


def local_host(host: str) -> str:
    """How this machine itself reaches a server that listens at `host`."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104


def url_of(host: str, port: int) -> str:
    """The http address, with brackets where IPv6 needs them."""
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _somebody_listens(host: str, port: int) -> bool:
    """On some systems a narrow address may be bound beside a wide one, and shadows it."""
    try:
        with socket.create_connection((local_host(host), port), timeout=0.2):
            return True
    except OSError:
        return False


def listening_socket(host: str, port: int) -> socket.socket | None:
    """A socket that listens, or None when the port is taken. Port 0 lets the system choose.

    Bound alone, two servers that start together could both hold the port, and one would fail later.
    """
    if port and _somebody_listens(host, port):
        return None
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, USER_TIMEOUT_MS)
        listener.bind((host, port))
        listener.listen(BACKLOG)
    except socket.gaierror:
        listener.close()
        raise StartError(f"{host!r} is no address of this machine.") from None
    except PermissionError:
        listener.close()
        raise StartError(f"Port {port} may not be used by this account.") from None
    except OSError as error:
        listener.close()
        if error.errno == 99 or "assign requested address" in str(error).lower():
            raise StartError(f"{host} is no address of this machine.") from None
        return None
    return listener


def hunt(host: str) -> socket.socket:
    """The first free port of the usual ones."""
    for port in range(FIRST_PORT, LAST_PORT + 1):
        if (listener := listening_socket(host, port)) is not None:
            return listener
    raise StartError(f"All ports from {FIRST_PORT} to {LAST_PORT} are taken; choose one with PORT=")


def take(host: str, port: int) -> socket.socket:
    """The port that was asked for, and no other."""
    if (listener := listening_socket(host, port)) is not None:
        return listener
    raise StartError(f"Port {port} is taken; choose another with PORT=")


def home_address() -> str | None:
    """This machine's address in its network; None without one. Sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # a documentation address: it only picks the route
            address = str(probe.getsockname()[0])
        except OSError:
            return None
    return None if address.startswith(("127.", "0.")) else address


def ask_instance(url: str) -> str | None:
    """The id of the server that really answers there; None if none does."""
    parts = urlsplit(url)
    if parts.hostname is None:
        return None
    connection = http.client.HTTPConnection(parts.hostname, parts.port or 80, timeout=ASK_S)
    try:
        connection.request("GET", "/api/health")
        answer = orjson.loads(connection.getresponse().read(65_536))
    except (OSError, http.client.HTTPException, orjson.JSONDecodeError):
        return None
    finally:
        connection.close()
    instance = answer.get("instance") if isinstance(answer, dict) else None
    return instance if isinstance(instance, str) else None
