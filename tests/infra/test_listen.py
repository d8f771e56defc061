"""Where the server listens."""

import http.server
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from app.infra import listen
from app.infra.data_folder import StartError


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_a_free_port_is_taken_with_the_options_that_sockets_need() -> None:
    port = free_port()
    with listen.take("127.0.0.1", port) as listener:
        assert listener.getsockname() == ("127.0.0.1", port)
        assert listener.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            held = listener.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT)
            assert held == listen.USER_TIMEOUT_MS


def test_a_taken_port_is_said_in_a_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(StartError, match=f"Port {port} is taken"):
            listen.take("127.0.0.1", port)


def test_the_hunt_goes_on_to_the_next_free_port(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = other.getsockname()[1]
        monkeypatch.setattr(listen, "FIRST_PORT", taken)
        monkeypatch.setattr(listen, "LAST_PORT", taken + 19)
        with listen.hunt("127.0.0.1") as listener:
            assert taken < listener.getsockname()[1] <= taken + 19


def test_when_all_ports_are_taken_the_hunt_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        monkeypatch.setattr(listen, "FIRST_PORT", other.getsockname()[1])
        monkeypatch.setattr(listen, "LAST_PORT", other.getsockname()[1])
        with pytest.raises(StartError, match="are taken"):
            listen.hunt("127.0.0.1")


@pytest.mark.parametrize("host", ["203.0.113.7", "no host.invalid"])
def test_an_address_that_is_not_ours_is_said(host: str) -> None:
    with pytest.raises(StartError, match="no address of this machine"):
        listen.take(host, free_port())


def test_addresses_are_written_as_links() -> None:
    assert listen.url_of("127.0.0.1", 8000) == "http://127.0.0.1:8000"
    assert listen.url_of("::1", 8000) == "http://[::1]:8000"
    assert [listen.local_host(host) for host in ("0.0.0.0", "::", "10.0.0.2")] == [
        "127.0.0.1",
        "::1",
        "10.0.0.2",
    ]


@contextmanager
def answering(body: bytes) -> Iterator[str]:
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Quiet."""

    with http.server.HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.parametrize(
    ("body", "instance"),
    [
        (b'{"instance": "abc"}', "abc"),
        (b"<html>", None),
        (b'{"instance": 7}', None),
        (b"[]", None),
    ],
)
def test_only_a_server_of_ours_is_recognised(
    monkeypatch: pytest.MonkeyPatch, body: bytes, instance: str | None
) -> None:
    monkeypatch.setattr(listen, "ASK_S", 30.0)
    with answering(body) as url:
        assert listen.ask_instance(url) == instance


def test_nobody_is_no_instance() -> None:
    assert listen.ask_instance(f"http://127.0.0.1:{free_port()}") is None
    assert listen.ask_instance("nonsense") is None
