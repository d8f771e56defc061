"""Answers that stay the same as long as a server runs: made once, compressed once, and not sent
again to who has them (ETag)."""

import gzip
import hashlib
from typing import Any, Final

from fastapi import Request, Response

from app.infra.encodings import reads_gzip

TYPE: Final = "application/json"
UNCHANGED: Final[dict[int | str, dict[str, Any]]] = {
    304: {"description": "What you have (`If-None-Match`) is still right."}
}
"""For the ``responses`` of such an operation."""


class Fixed:
    """A body of JSON, ready to send."""

    def __init__(self, body: bytes) -> None:
        self._body = body
        self._packed = gzip.compress(body, 9, mtime=0)
        digest = hashlib.sha256(body).hexdigest()[:20]
        # The two forms are other bytes, so they have other tags (RFC 9110, 8.8.3.3).
        self._tag, self._packed_tag = f'"{digest}"', f'"{digest}-gz"'

    def answer(self, request: Request) -> Response:
        """The whole, compressed where the client reads that; 304 where it has it."""
        pack = reads_gzip(request.headers.get("accept-encoding", ""))
        tag = self._packed_tag if pack else self._tag
        headers = {"etag": tag, "cache-control": "no-cache", "vary": "accept-encoding"}
        if tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        if pack:
            headers["content-encoding"] = "gzip"
        return Response(self._packed if pack else self._body, headers=headers, media_type=TYPE)
