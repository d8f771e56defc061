"""FastAPI dependencies: who asks. `CurrentPlayer` in a signature is the whole of it.

The services hang on `request.app.state` (`main.py` puts them there).
"""

from typing import Annotated, cast

from fastapi import Depends, Request, Security
from fastapi.openapi.models import HTTPBearer as HTTPBearerModel
from fastapi.security.base import SecurityBase

from app.infra.errors import AppError
from app.players.bounds import Bounds
from app.players.service import Players, Signed


def players_of(request: Request) -> Players:
    """The players' service."""
    return cast(Players, request.app.state.players)


def bounds_of(request: Request) -> Bounds:
    """The limits by player and address."""
    return cast(Bounds, request.app.state.bounds)


def host_of(request: Request) -> str | None:
    """The address that the request comes from, as the server or its trusted proxy sees it."""
    return request.client.host if request.client else None


def token_of(headers: list[tuple[bytes, bytes]], cookie_name: str) -> tuple[str | None, bool]:
    """The token of a request and whether it came as a bearer token, from raw ASGI headers.

    A bearer token goes before the cookie: a program says who it is on purpose.
    """
    cookie: str | None = None
    prefix = f"{cookie_name}="
    for name, value in headers:
        if name == b"authorization":
            scheme, _, token = value.decode("latin-1").partition(" ")
            if scheme.lower() == "bearer" and token:
                return token.strip(), True
        elif name == b"cookie":
            for part in value.decode("latin-1").split(";"):
                if part.strip().startswith(prefix):
                    cookie = part.strip()[len(prefix) :]
    return cookie or None, False


async def maybe_signed(request: Request) -> Signed | None:
    """Who asks, or None; AppError ``too_many_requests`` for who asks too much."""
    token, _ = token_of(request.scope["headers"], request.app.state.settings.cookie_name)
    if token is None:
        return None
    who = await players_of(request).authenticate(token)
    if who is not None:
        bounds_of(request).asked(who.account.id)
    return who


class _Token(SecurityBase):
    """How the schema says that an operation needs a session; `maybe_signed` looks for it."""

    def __init__(self) -> None:
        self.model = HTTPBearerModel(
            description="The token of `POST /api/guests`. A browser's cookie is the same session."
        )
        self.scheme_name = "session"

    async def __call__(self) -> None:
        return None


async def signed(
    who: Annotated[Signed | None, Depends(maybe_signed)],
    _: Annotated[None, Security(_Token())],
) -> Signed:
    """Who asks; AppError ``sign_in``."""
    if who is None:
        raise AppError("sign_in")
    return who


CurrentPlayer = Annotated[Signed, Depends(signed)]
"""`who.account.id`, `who.account.ref`; refuses with ``sign_in``."""
MaybePlayer = Annotated[Signed | None, Depends(maybe_signed)]
"""The same where signing in is not needed."""
Host = Annotated[str | None, Depends(host_of)]
BoundsOfHouse = Annotated[Bounds, Depends(bounds_of)]
PlayersService = Annotated[Players, Depends(players_of)]
