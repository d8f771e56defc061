"""The baseline: a bare ASGI app that answers each message to everybody in its room.

Run `python -m bench.echo PORT`. The path is the room (`/room/7`); a room of one is a plain echo.
uvicorn is set up as `rebelote serve` sets it up (D14), so the difference is Rebelote.
"""

import sys
from collections import defaultdict
from collections.abc import Awaitable, Callable
from typing import Any

import uvicorn

Message = dict[str, Any]
Send = Callable[[Message], Awaitable[None]]

rooms: dict[str, list[Send]] = defaultdict(list)


async def app(scope: Message, receive: Callable[[], Awaitable[Message]], send: Send) -> None:
    """Echo."""
    if scope["type"] == "lifespan":
        await _lifespan(receive, send)
    elif scope["type"] == "websocket":
        await _echo(scope["path"], receive, send)
    else:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"{}"})


async def _echo(room: str, receive: Callable[[], Awaitable[Message]], send: Send) -> None:
    await receive()
    await send({"type": "websocket.accept"})
    rooms[room].append(send)
    try:
        while (message := await receive())["type"] == "websocket.receive":
            answer = {"type": "websocket.send", "text": message["text"]}
            for other in rooms[room]:
                await other(answer)
    finally:
        rooms[room].remove(send)


async def _lifespan(receive: Callable[[], Awaitable[Message]], send: Send) -> None:
    while True:
        what = (await receive())["type"]
        await send({"type": f"{what}.complete"})
        if what == "lifespan.shutdown":
            return


def config(port: int) -> uvicorn.Config:
    """uvicorn's settings, those of `rebelote serve`."""
    return uvicorn.Config(
        app,
        host="127.0.0.1",
        port=port,
        loop="uvloop",
        http="httptools",
        ws="websockets-sansio",
        ws_per_message_deflate=False,
        ws_ping_interval=None,
        ws_max_size=4096,
        lifespan="on",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        log_level="warning",
    )


if __name__ == "__main__":
    uvicorn.Server(config(int(sys.argv[1]))).run()
