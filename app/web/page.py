"""The page: one `index.html` for every address of the client, never cached, strict about scripts.

`/s/HASH/` in it becomes the build's own prefix; the modules that its entry imports are announced
with `modulepreload`, so that a first visit fetches them in one round instead of one a level.
"""

import re
from typing import Final

from starlette.types import Receive, Scope, Send

from app.infra.errors import AppError
from app.web.assets import Asset, Assets, asset_of, serve
from app.web.guard import refuse

PLACEHOLDER: Final = "/s/HASH/"
_ENTRY = re.compile(r'<script[^>]*type="module"[^>]*src="/s/HASH/([^"]+)"')
_HOST = re.compile(rb"^[A-Za-z0-9.\-]+(:\d{1,5})?$|^\[[0-9a-fA-F:]+\](:\d{1,5})?$")

PAGES: Final = (
    re.compile(r"^/$"),
    re.compile(r"^/(t|party)/[A-Za-z0-9-]{1,12}/?$"),
    re.compile(r"^/(lobby|create|history|ranking|profile|how-to-play|settings)/?$"),
    re.compile(r"^/(match|player)/[0-9A-Za-z-]{1,64}/?$"),
    re.compile(r"^/how-to-play/[a-z0-9-]{1,40}/?$"),
)
"""The addresses of the client; all get the same document."""

_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "font-src 'self'; connect-src 'self'{sockets}; manifest-src 'self'; worker-src 'self'; "
    "media-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)


class Page:
    """`index.html`, ready to send."""

    def __init__(self, assets: Assets) -> None:
        self._document = _document(assets)
        self._icon = assets.get("img/icon.svg")

    async def __call__(self, scope: Scope, _: Receive, send: Send) -> None:
        """Serve a page's address; everything else is not found."""
        path: str = scope["path"]
        if path == "/favicon.ico" and self._icon is not None:
            await serve(self._icon, scope, send, "public, max-age=86400")
            return
        if self._document is None or not any(page.match(path) for page in PAGES):
            await refuse(AppError("not_found"), send)
            return
        if scope["method"] not in ("GET", "HEAD"):
            await refuse(AppError("method_not_allowed"), send)
            return
        policy = (b"content-security-policy", policy_for(dict(scope["headers"]).get(b"host", b"")))
        await serve(self._document, scope, send, "no-cache", (policy,))


def policy_for(host: bytes) -> bytes:
    """The page's Content-Security-Policy. Older Safari does not count sockets to 'self'."""
    named = host.decode() if _HOST.match(host) else None
    sockets = f" ws://{named} wss://{named}" if named else ""
    return _POLICY.format(sockets=sockets).encode()


def _document(assets: Assets) -> Asset | None:
    index = assets.get("index.html")
    if index is None:
        return None
    html = index.body.decode()
    entry = _ENTRY.search(html)
    if entry is not None:
        links = "".join(
            f'<link rel="modulepreload" href="{PLACEHOLDER}{name}">\n'
            for name in assets.imports_of(entry.group(1))
        )
        html = html.replace("</head>", f"{links}</head>", 1)
    return asset_of(html.replace(PLACEHOLDER, assets.prefix).encode(), ".html")
