"""A link of the house as a QR code, for another phone."""

import io
from typing import Any, Final

import segno
from fastapi import Request, Response

QR: Final[dict[str, Any]] = {
    "content": {"image/svg+xml": {}},
    "description": "The link as a QR code.",
}
"""What OpenAPI says of it."""


def qr_of(request: Request, path: str) -> Response:
    """The picture of a page's address; of the public one where the house has one."""
    out = io.BytesIO()
    base = request.app.state.settings.public_url or str(request.base_url).rstrip("/")
    segno.make(f"{base}{path}", error="m", micro=False).save(
        out, kind="svg", border=2, xmldecl=False, svgclass=None, lineclass=None, omitsize=True
    )
    return Response(out.getvalue(), media_type="image/svg+xml")
