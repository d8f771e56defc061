"""Wiring: `create_app` builds the services and hands uvicorn one ASGI app.

The socket is dispatched before FastAPI (D14); FastAPI serves REST and runs the lifespan, which
opens the database, starts the tables' tasks and binds the hub, and ends them in the other order:
sockets first hear 1012, then the committer is drained, then the pools close.
"""

import importlib.util
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from fastapi import FastAPI, Request, Response
from starlette.types import Receive, Scope, Send

from app import __version__
from app.history import referee_endpoints
from app.infra import metrics
from app.infra.clock import Clock, SystemClock
from app.infra.config import CHECKOUT, Settings
from app.infra.db import Database
from app.infra.errors import AppError
from app.infra.rest import errors
from app.infra.rng import Rng, SystemRng
from app.lobby import endpoints as lobby_endpoints
from app.lobby import host_endpoints, play_endpoints, rules_endpoints
from app.lobby.door import Door
from app.lobby.matchmaker import Matchmaker
from app.lobby.parties import Parties
from app.lobby.service import Lobby
from app.players import endpoints as players_endpoints
from app.players.bounds import Bounds
from app.players.service import Players
from app.progress.service import standing_of
from app.realtime.endpoint import SocketEndpoint
from app.realtime.hub import Hub
from app.realtime.lobby_feed import LobbyFeed
from app.realtime.lobby_side import LobbySide
from app.tables.service import Tables
from app.web import refusals
from app.web.assets import Assets
from app.web.guard import Guard, is_loopback
from app.web.methods import Methods
from app.web.page import Page

ANYWHERE = (
    "bad_request", "foreign_origin", "too_large", "unsupported_media_type", "invalid",
    "too_many_requests", "unavailable", "internal",
)  # fmt: skip
"""Refusals that any operation may meet before it is its turn."""


class Site:
    """What uvicorn runs."""

    def __init__(self, settings: Settings, clock: Clock, rng: Rng) -> None:
        self.settings = settings
        self.clock = clock
        self.rng = rng
        self.assets = Assets(CHECKOUT / "static")
        self.hub: Hub | None = None
        self.db: Database | None = None
        self._page = Page(self.assets)
        self._socket: SocketEndpoint | None = None
        self._matchmaker: Matchmaker | None = None
        self.bounds = Bounds(clock, settings.limits)
        self.api = _api(self)
        self._http = Guard(self._dispatch, settings, self.bounds, Methods(self.api))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Sockets to the hub, all else to the guarded HTTP side."""
        if scope["type"] == "websocket" and self._socket is not None:
            await self._socket(scope, receive, send)
        else:
            await self._http(scope, receive, send)

    async def _dispatch(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        if scope["type"] != "http" or path.startswith("/api/") or path == "/metrics":
            await self.api(scope, receive, send)
        elif path.startswith("/s/"):
            await self.assets(scope, receive, send)
        else:
            await self._page(scope, receive, send)

    def drain(self) -> None:
        """Tell all sockets to come back in a moment (1012) and let nobody in any more; whoever
        waits for a game is told to look elsewhere."""
        if self._matchmaker is not None:
            self._matchmaker.drain()
        if self.hub is not None:
            self.hub.drain()

    @asynccontextmanager
    async def run(self) -> AsyncIterator[None]:
        """The services, from their start to their end."""
        settings, clock = self.settings, self.clock
        if settings.database_url is None:
            raise RuntimeError("create_app needs a database_url; `play` starts the embedded one")
        async with AsyncExitStack() as stack:
            db = await Database.connect(settings.database_url, settings.limits)
            stack.push_async_callback(db.dispose)
            self.db = db
            timing, limits = settings.timing, settings.limits
            players = Players(db, clock, self.rng, standing_of)
            hub = Hub(players, clock, timing, limits, self.assets.hash)
            tables = Tables(db, hub, timing=timing, limits=limits, clock=clock, rng=self.rng)
            players.doormen = hub
            stack.push_async_callback(tables.close)
            stack.push_async_callback(hub.close)
            lobby, door = Lobby(db, tables, timing), Door(db, self.bounds)
            matchmaker = Matchmaker(db, tables, clock, self.rng, timing)
            stack.push_async_callback(matchmaker.close)
            feed = LobbyFeed(lobby, clock, timing, limits)
            lobby_side = LobbySide(feed, matchmaker, players, self.bounds, clock, timing)
            hub.start(tables, lobby_side, door, self.bounds)
            await tables.run()
            await matchmaker.run()
            state = self.api.state
            state.db, state.tables, state.players, state.lobby = db, tables, players, lobby
            state.matchmaker, state.door, state.parties = matchmaker, door, Parties(db, self.rng)
            self._matchmaker, self.hub = matchmaker, hub
            self._socket = SocketEndpoint(hub, players, settings, self.bounds)
            self.api.openapi()  # kept: else it would be made, and the loop held up, by a request
            yield


def create_app(settings: Settings, *, clock: Clock | None = None, rng: Rng | None = None) -> Site:
    """The ASGI app for these settings. Its lifespan opens and closes everything it needs."""
    return Site(settings, clock or SystemClock(), rng or SystemRng())


def _api(site: Site) -> FastAPI:
    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with site.run():
            yield

    api = FastAPI(
        title="Rebelote",
        version=__version__,
        description="REST of Rebelote. Matches are played over the WebSocket `/ws`; see "
        'docs/protocol.md. All refusals are `{"error": {"code", "message"}}`.',
        openapi_url="/api/openapi.json",
        docs_url=None,  # its page would load scripts from elsewhere
        redoc_url=None,
        redirect_slashes=False,  # the address of a redirect would be the Host that was told
        lifespan=lifespan,
        responses=errors(*ANYWHERE),
    )
    api.state.settings = site.settings
    api.state.clock = site.clock
    api.state.rng = site.rng
    api.state.bounds = site.bounds
    refusals.install(api)
    api.include_router(players_endpoints.router)
    api.include_router(lobby_endpoints.router)
    api.include_router(host_endpoints.router)
    api.include_router(play_endpoints.router)
    api.include_router(rules_endpoints.router)
    api.include_router(referee_endpoints.router)
    for package in ("history", "progress"):
        if importlib.util.find_spec(f"app.{package}.endpoints") is not None:
            module = importlib.import_module(f"app.{package}.endpoints")
            api.include_router(module.router)
    _add_machine_routes(api, site)
    return api


def _add_machine_routes(api: FastAPI, site: Site) -> None:
    @api.get("/api/health", operation_id="getHealth", tags=["machine"])
    async def health() -> dict[str, str]:
        """Whether this process serves, and whether its database answers."""
        database = "ok"
        try:
            if site.db is None:
                raise OSError("not open")
            await site.db.ping()
        except Exception:  # noqa: BLE001  (any failure of the driver is the answer)
            database = "degraded"
        draining = site.hub is None or site.hub.draining
        return {
            "status": "draining" if draining else "ok",
            "instance": site.settings.instance,
            "version": __version__,
            "build": site.assets.hash,
            "database": database,
        }

    @api.get("/metrics", include_in_schema=False)
    async def prometheus(request: Request) -> Response:
        """This process's metrics, for its own machine only."""
        if not is_loopback(request.scope, dict(request.scope["headers"])):
            raise AppError("not_found")
        return Response(metrics.render(), media_type="text/plain; version=0.0.4")
