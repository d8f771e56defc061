"""The files of `static/`, under `/s/<hash of all of them>/`: immutable, compressed once.

The hash is of every file's path and bytes, so a page of one build never gets a module of another:
what is asked for under another hash is not found, and the client reloads.
"""

import asyncio
import gzip
import hashlib
import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from starlette.types import Receive, Scope, Send

from app.infra.encodings import reads_gzip
from app.infra.errors import AppError
from app.web.guard import refuse

HASH_LENGTH: Final = 12
YEAR_S: Final = 31_536_000
WORTH_IT: Final = 256
"""Bytes below which compressing saves no packet."""

_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".md": "text/plain; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
}
_PACKED: Final = frozenset({".png", ".webp", ".woff2", ".ico"})
_IMPORT = re.compile(rb"""(?:\bfrom|\bimport)\s*["'](\.{1,2}/[^"']+)["']""")


@dataclass(slots=True)
class Asset:
    """A file in memory; `packed` is made on the first request that wants it."""

    body: bytes
    media_type: str
    may_pack: bool
    packed: bytes | None = None


class Assets:
    """All files of a folder, as they were at start."""

    def __init__(self, folder: Path) -> None:
        self._files = _read(folder)
        self.hash = _hash(self._files)
        self.prefix = f"/s/{self.hash}/"

    def get(self, name: str) -> Asset | None:
        """The file with that path below the folder."""
        return self._files.get(name)

    def imports_of(self, entry: str) -> list[str]:
        """All modules that an entry module imports, straight or through others, nearest first."""
        found = [entry]
        for name in found:
            module = self._files.get(name)
            if module is None:
                continue
            for match in _IMPORT.finditer(module.body):
                target = _resolve(name, match.group(1).decode())
                if target in self._files and target not in found:
                    found.append(target)
        return found[1:]

    async def __call__(self, scope: Scope, _: Receive, send: Send) -> None:
        """Serve `GET /s/<hash>/<name>`."""
        if scope["method"] not in ("GET", "HEAD"):
            await refuse(AppError("method_not_allowed"), send)
            return
        path: str = scope["path"]
        asset = self.get(path[len(self.prefix) :]) if path.startswith(self.prefix) else None
        if asset is None:
            await refuse(AppError("not_found"), send)
            return
        await serve(asset, scope, send, f"public, max-age={YEAR_S}, immutable")


async def serve(
    asset: Asset,
    scope: Scope,
    send: Send,
    cache_control: str,
    more: tuple[tuple[bytes, bytes], ...] = (),
) -> None:
    """Answer with a file, compressed where the client can read that."""
    accepts = dict(scope["headers"]).get(b"accept-encoding", b"")
    pack = asset.may_pack and reads_gzip(accepts.decode("latin-1"))
    if pack and asset.packed is None:
        asset.packed = await asyncio.to_thread(gzip.compress, asset.body, 9, mtime=0)
    body = (asset.packed or b"") if pack else asset.body
    headers = [
        (b"content-type", asset.media_type.encode()),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", cache_control.encode()),
        (b"vary", b"accept-encoding"),
        *more,
    ]
    if pack:
        headers.append((b"content-encoding", b"gzip"))
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})


def asset_of(body: bytes, suffix: str) -> Asset:
    """Bytes as a file of that kind."""
    media_type = _TYPES.get(suffix, "application/octet-stream")
    return Asset(body, media_type, suffix not in _PACKED and len(body) >= WORTH_IT)


def _read(folder: Path) -> dict[str, Asset]:
    return {
        path.relative_to(folder).as_posix(): asset_of(path.read_bytes(), path.suffix)
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.startswith(".")
    }


def _hash(files: dict[str, Asset]) -> str:
    digest = hashlib.sha256()
    for name, asset in files.items():
        digest.update(f"{name}\0{len(asset.body)}\0".encode())
        digest.update(asset.body)
    return digest.hexdigest()[:HASH_LENGTH]


def _resolve(module: str, target: str) -> str:
    parts: list[str] = list(PurePosixPath(module).parent.parts)
    for part in PurePosixPath(target).parts:
        if part == "..":
            parts = parts[:-1]
        elif part != ".":
            parts.append(part)
    return "/".join(parts)
