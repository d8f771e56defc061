"""How REST describes its refusals: the error body, and the `responses` of an operation.

Endpoints say `responses=errors("table_not_found", "table_full")`; OpenAPI then lists the codes
under their statuses. The handlers that write these bodies are in `app/web`.
"""

from typing import Any

from pydantic import BaseModel, ConfigDict, model_validator

from app.infra.errors import KINDS


class Sent(BaseModel):
    """A body that somebody sends: nothing but what is named, and nothing that would have to be
    turned into what the schema says first (no 0 for false, no "2" for 2)."""

    model_config = ConfigDict(extra="forbid", strict=True)

    @model_validator(mode="before")
    @classmethod
    def _whole(cls, body: Any) -> Any:
        """2.0 is 2: JSON has one kind of number."""
        if not isinstance(body, dict):
            return body
        return {
            name: int(value) if isinstance(value, float) and value.is_integer() else value
            for name, value in body.items()
        }


class Nothing(Sent):
    """`{}`: there is nothing to say, but a POST has a JSON body (no other site can send one)."""


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
