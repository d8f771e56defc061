"""How REST describes its refusals: the error body, and the `responses` of an operation.

Endpoints say `responses=errors("table_not_found", "table_full")`; OpenAPI then lists the codes
under their statuses. The handlers that write these bodies are in `app/web`.
"""

from typing import Any

from pydantic import BaseModel, ConfigDict

from app.infra.errors import KINDS


class WrongField(BaseModel):
    """A field with a wrong value: where it is, and which kind of wrong."""

    model_config = ConfigDict(extra="forbid")

    path: str
    code: str


class ErrorDetail(BaseModel):
    """A stable code to branch on, and a sentence for a log."""

    model_config = ConfigDict(extra="allow")

    code: str
    message: str
    fields: list[WrongField] | None = None
    facts: dict[str, Any] | None = None


class ErrorBody(BaseModel):
    """What every refusal looks like."""

    error: ErrorDetail


def errors(*codes: str) -> dict[int | str, dict[str, Any]]:
    """The `responses` of an operation that may refuse with these codes (KeyError: unknown)."""
    by_status: dict[int, list[str]] = {}
    for code in codes:
        by_status.setdefault(KINDS[code].status, []).append(code)
    return {
        status: {
            "model": ErrorBody,
            "description": "; ".join(f"`{code}`: {KINDS[code].message}" for code in group),
        }
        for status, group in by_status.items()
    }
