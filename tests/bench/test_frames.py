"""The generator's framing, against the `websockets` library as the other side."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame as TheirFrame
from websockets.frames import Opcode
from websockets.http11 import Request
from websockets.server import ServerProtocol

from bench.frames import CLOSE, TEXT, Frame, FrameError, FrameReader, frame, handshake


def opened() -> ServerProtocol:
    """A server's side of a socket that we opened with our handshake."""
    server = ServerProtocol()
    request, accept = handshake("127.0.0.1:1", "/ws", {"Authorization": "Bearer x"})
    server.receive_data(request)
    (event,) = server.events_received()
    assert isinstance(event, Request)
    assert event.headers["Authorization"] == "Bearer x"
    response = server.accept(event)
    assert response.headers["Sec-WebSocket-Accept"] == accept
    server.send_response(response)
    server.data_to_send()
    return server


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65_535, 65_536])
def test_a_server_reads_what_we_write(size: int) -> None:
    server = opened()
    payload = bytes(i % 251 for i in range(size))
    server.receive_data(frame(payload))
    (event,) = server.events_received()
    assert isinstance(event, TheirFrame)
    assert (event.opcode, event.data) == (Opcode.TEXT, payload)


@given(
    st.lists(st.sampled_from([0, 1, 125, 126, 200, 65_535, 65_536]), max_size=4),
    st.lists(st.integers(1, 70_000), max_size=6),
)
def test_frames_come_whole_however_the_stream_is_cut(sizes: list[int], cuts: list[int]) -> None:
    payloads = [bytes([65 + i]) * size for i, size in enumerate(sizes)]
    stream = b"".join(
        TheirFrame(Opcode.TEXT, payload).serialize(mask=False) for payload in payloads
    )
    reader, got = FrameReader(), []
    for cut in cuts:
        got += list(reader.feed(stream[:cut]))
        stream = stream[cut:]
    got += list(reader.feed(stream))
    assert got == [Frame(TEXT, payload) for payload in payloads]


def test_a_close_is_a_frame_like_another() -> None:
    stream = TheirFrame(Opcode.CLOSE, (4408).to_bytes(2, "big")).serialize(mask=False)
    assert list(FrameReader().feed(stream)) == [Frame(CLOSE, (4408).to_bytes(2, "big"))]


def test_a_fragment_is_refused() -> None:
    stream = TheirFrame(Opcode.TEXT, b"half", fin=False).serialize(mask=False)
    with pytest.raises(FrameError):
        list(FrameReader().feed(stream))


def test_a_masked_frame_from_a_server_is_refused() -> None:
    with pytest.raises(FrameError):
        list(FrameReader().feed(frame(b"x")))
