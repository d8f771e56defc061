"""What `/api/openapi.json` promises, held against every answer that a test gets."""

import re
from typing import Any

import httpx
from fastapi import FastAPI

Promises = list[tuple[str, "re.Pattern[str]", set[int], str]]


def promises_of(openapi: dict[str, Any]) -> Promises:
    """(method, address, statuses, template) of every operation; exact addresses come first."""
    found: Promises = []
    for template, operations in openapi["paths"].items():
        address = re.compile(re.sub(r"\\\{[^}]+\}", "[^/]+", re.escape(template)))
        for method, operation in operations.items():
            statuses = {int(status) for status in operation["responses"]}
            found.append((method.upper(), address, statuses, template))
    return sorted(found, key=lambda each: each[3].count("{"))


_kept: list[Promises] = []
"""Made once: every server of a run has the same."""


class Promised:
    """A response hook for httpx: an answer that OpenAPI does not know of fails the test."""

    def __init__(self, api: FastAPI) -> None:
        if not _kept:
            _kept.append(promises_of(api.openapi()))

    async def __call__(self, answer: httpx.Response) -> None:
        """Compare one answer."""
        asked = answer.request
        for method, address, statuses, template in _kept[0]:
            if method == asked.method and address.fullmatch(asked.url.path):
                assert answer.status_code in statuses, (
                    f"{method} {template} answered {answer.status_code}, which it does not document"
                )
                return
