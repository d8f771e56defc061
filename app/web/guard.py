"""What every HTTP request must pass before it reaches FastAPI; and the headers all answers carry.

Cross-site requests: a browser sends JSON to another site only after a preflight, which nobody here
answers, so unsafe methods need the JSON content type; and where an Origin is told it must be ours.
Plain ASGI: a middleware that wraps streams would cost more than all of this.
"""

import asyncio
import re
from collections.abc import Collection
from typing import Final

import orjson
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.infra.config import Settings
from app.infra.errors import AppError
from app.players.bounds import Bounds
from app.players.limiter import address_key
from app.web.methods import Methods

SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_WITH_BODY: Final = frozenset({"POST", "PUT", "PATCH"})
BODY_S: Final = 15.0
"""Seconds in which a body must have come."""
LOOPBACK: Final = ("127.", "::1", "::ffff:127.")
_THIS_MACHINE: Final = re.compile(
    rb"(localhost|127(\.\d{1,3}){3}|\[(::1|::ffff:127(\.\d{1,3}){3})\])(:\d{1,5})?", re.IGNORECASE
)
"""What a Host may be called for requests that are answered to this machine alone."""

Headers = dict[bytes, bytes]


def same_origin(origin: bytes, headers: Headers, settings: Settings) -> bool:
    """Whether an Origin is this server as the client sees it: its Host, or the public address."""
    told = origin.decode("latin-1").lower()
    if settings.public_url is not None and told == settings.public_url.lower():
        return True
    host = headers.get(b"host", b"").decode("latin-1").lower()
    scheme, _, rest = told.partition("://")
    return scheme in ("http", "https") and bool(host) and rest == host


class Guard:
    """Wraps the HTTP app."""

    def __init__(self, app: ASGIApp, settings: Settings, bounds: Bounds, methods: Methods) -> None:
        self._app = app
        self._methods = methods
        self._settings = settings
        self._bounds = bounds
        self._common = _common_headers(settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request; lifespan passes through."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers: Headers = dict(scope["headers"])

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                have = {name for name, _ in message["headers"]}
                extra = [header for header in self._common if header[0] not in have]
                message["headers"] = [*message["headers"], *extra]
            await send(message)

        try:
            self._count(scope)
            allowed = self._methods.of(scope["path"])
            if allowed and scope["method"] not in allowed:
                await refuse(AppError("method_not_allowed"), send_with_headers, allowed)
                return
            self._check(scope, headers)
            if scope["method"] in _WITH_BODY:
                receive = _again(await self._body(receive), receive)
        except AppError as error:
            await refuse(error, send_with_headers)
            return
        await self._app(scope, receive, send_with_headers)

    def _count(self, scope: Scope) -> None:
        path: str = scope["path"]
        if path.startswith("/api/") and path != "/api/health":
            client = scope.get("client")
            self._bounds.request(address_key(client[0] if client else None))

    def _check(self, scope: Scope, headers: Headers) -> None:
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or int(length) > self._settings.limits.body_bytes:
            raise AppError("too_large")
        if scope["method"] in SAFE:
            return
        origin = headers.get(b"origin")
        if origin is not None and not same_origin(origin, headers, self._settings):
            raise AppError("foreign_origin")
        if headers.get(b"sec-fetch-site") in (b"cross-site", b"same-site"):
            raise AppError("foreign_origin")
        if scope["method"] in _WITH_BODY:
            kind = headers.get(b"content-type", b"").partition(b";")[0].strip().lower()
            if kind != b"application/json":
                raise AppError("unsupported_media_type")

    async def _body(self, receive: Receive) -> bytes:
        """The whole body, in time. What orjson can't read is refused here: Python's own reader
        lets through text that no answer could repeat (halves of surrogate pairs), and numbers that
        JSON does not know."""
        try:
            async with asyncio.timeout(BODY_S):
                body = await self._read(receive)
            if body:
                orjson.loads(body)
        except (TimeoutError, orjson.JSONDecodeError):
            raise AppError("bad_request") from None
        return body

    async def _read(self, receive: Receive) -> bytes:
        """A chunked body tells no length: it is counted."""
        body = b""
        while True:
            message = await receive()
            if message["type"] != "http.request":
                return b""  # the client has gone; whoever asks for more hears it
            part: bytes = message.get("body", b"")
            body += part
            if len(body) > self._settings.limits.body_bytes:
                raise AppError("too_large")
            if not message.get("more_body", False):
                return body


def _again(body: bytes, receive: Receive) -> Receive:
    """A body that was read, to be read once more; then what else the client does."""
    told = False

    async def again() -> Message:
        nonlocal told
        if told:
            return await receive()
        told = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


async def refuse(error: AppError, send: Send, allow: Collection[str] = ()) -> None:
    """Answer with an error, from plain ASGI; `allow` are the methods that might have been used."""
    headers = [(b"content-type", b"application/json")]
    if allow:
        headers.append((b"allow", ", ".join(sorted(allow)).encode()))
    if error.retry_after is not None:
        headers.append((b"retry-after", str(error.retry_after).encode()))
    body = orjson.dumps(error.body())
    headers.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": error.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _common_headers(settings: Settings) -> list[tuple[bytes, bytes]]:
    common = [
        (b"x-content-type-options", b"nosniff"),
        (b"referrer-policy", b"same-origin"),
        (b"x-frame-options", b"DENY"),
        (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
        (b"cache-control", b"no-store"),
    ]
    if settings.cookies_are_secure:
        common.append((b"cross-origin-opener-policy", b"same-origin"))
        common.append((b"strict-transport-security", b"max-age=31536000"))
    return common


def is_loopback(scope: Scope, headers: Headers) -> bool:
    """Whether a request comes from this machine itself and not through a proxy on it; nor from a
    page of another site whose name was pointed here: it asks for that name."""
    client = scope.get("client")
    forwarded = b"x-forwarded-for" in headers or b"forwarded" in headers
    if client is None or forwarded or not client[0].startswith(LOOPBACK):
        return False
    return _THIS_MACHINE.fullmatch(headers.get(b"host", b"")) is not None
