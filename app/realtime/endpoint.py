"""`/ws` as a raw ASGI app, reached before FastAPI (D14): who may come in, and as whom.

A foreign Origin and a draining server are refused before the handshake; everything else is
accepted first and then closed with a code, because of a refused handshake a browser sees only
1006. Without an Origin (no browser) only a bearer token counts, never a cookie.
"""

import asyncio

import asyncpg
from sqlalchemy.exc import SQLAlchemyError
from starlette.types import Receive, Scope, Send

from app.infra import metrics
from app.infra.config import Settings
from app.infra.errors import AppError
from app.infra.logging import get_logger
from app.players.bounds import Bounds
from app.players.deps import token_of
from app.players.limiter import address_key
from app.players.service import Players, Signed
from app.realtime.connection import Connection
from app.realtime.hub import Hub
from app.realtime.protocol import CloseCode
from app.web.guard import same_origin

log = get_logger(__name__)

PATH = "/ws"
REFUSED = metrics.counter("rebelote_sockets_refused_total", "Sockets refused, by reason.")


class SocketEndpoint:
    """One handshake after the other."""

    def __init__(self, hub: Hub, players: Players, settings: Settings, bounds: Bounds) -> None:
        self._hub = hub
        self._players = players
        self._settings = settings
        self._bounds = bounds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One socket, from its handshake to its end."""
        headers = dict(scope["headers"])
        origin = headers.get(b"origin")
        if scope["path"] != PATH:
            await _refuse(send, 404, "path")
            return
        if self._hub.draining:
            await _refuse(send, 503, "draining")
            return
        if origin is not None and not same_origin(origin, headers, self._settings):
            await _refuse(send, 403, "foreign_origin")
            return
        if (await receive())["type"] != "websocket.connect":
            return
        token, bearer = token_of(scope["headers"], self._settings.cookie_name)
        await send({"type": "websocket.accept"})
        client = scope.get("client")
        host: str | None = client[0] if client else None
        try:
            self._bounds.handshake(address_key(host))
        except AppError:
            await _close(send, CloseCode.FLOOD)
            return
        if origin is None and not bearer:
            await _close(send, CloseCode.SIGN_IN if token is None else CloseCode.FORBIDDEN)
            return
        await self._enter(token, host, receive, send)

    async def _enter(
        self, token: str | None, host: str | None, receive: Receive, send: Send
    ) -> None:
        who: Signed | None = None
        if token is not None:
            try:
                who = await self._players.authenticate(token)
            except (OSError, SQLAlchemyError, asyncpg.PostgresError) as error:
                log.warning("socket_sign_in_failed", kind=type(error).__name__)
                await _close(send, CloseCode.RESTARTING)
                return
        if who is None:
            await _close(send, CloseCode.SIGN_IN)
            return
        now = self._hub.clock.monotonic_ms()
        connection = Connection(self._hub, send, who.account.ref, who.token_hash, now, host)
        if self._hub.draining:
            await _close(send, CloseCode.RESTARTING)
        elif not self._hub.admit(connection):
            await _close(send, CloseCode.TOO_MANY)
        else:
            await connection.serve(receive)


async def _refuse(send: Send, status: int, reason: str) -> None:
    """Refuse the handshake with a plain HTTP status."""
    REFUSED.add(reason=reason)
    await send(
        {
            "type": "websocket.http.response.start",
            "status": status,
            "headers": [(b"content-length", b"0")],
        }
    )
    await send({"type": "websocket.http.response.body", "body": b""})


async def _close(send: Send, code: CloseCode) -> None:
    REFUSED.add(reason=code.name.lower())
    try:
        await send({"type": "websocket.close", "code": int(code), "reason": code.name.lower()})
    except (OSError, asyncio.CancelledError):
        return
