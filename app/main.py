"""Wiring: `create_app` builds the services and hands uvicorn one ASGI app."""

from fastapi import FastAPI

from app import __version__
from app.infra.config import Settings


def create_app(settings: Settings) -> FastAPI:
    """The ASGI app for these settings."""
    api = FastAPI(title="Rebelote", version=__version__, docs_url=None, redoc_url=None)

    @api.get("/api/health")
    async def health() -> dict[str, str]:
        return {"status": "ok", "version": __version__, "instance": settings.instance}

    api.state.settings = settings
    return api
