"""Which methods an address of the API takes, so that a wrong one is answered as such before
anything else of the request is looked at, and with all of the right ones in `Allow`."""

import re
from functools import cached_property

from fastapi import FastAPI


class Methods:
    """Of every operation in the app's schema; made when first asked, when all routes are there."""

    def __init__(self, api: FastAPI) -> None:
        self._api = api

    @cached_property
    def _by_depth(self) -> dict[int, list[tuple[re.Pattern[str], frozenset[str]]]]:
        """Few addresses are as deep as any other, so few are compared."""
        found: dict[int, list[tuple[re.Pattern[str], frozenset[str]]]] = {}
        for template, operations in self._api.openapi()["paths"].items():
            address = re.compile(re.sub(r"\\\{[^}]+\}", "[^/]+", re.escape(template)))
            methods = frozenset(method.upper() for method in operations)
            found.setdefault(template.count("/"), []).append((address, methods))
        return found

    def of(self, path: str) -> frozenset[str]:
        """The methods that some operation takes at this address; none if it is nobody's."""
        return frozenset().union(
            *(
                methods
                for address, methods in self._by_depth.get(path.count("/"), ())
                if address.fullmatch(path)
            )
        )
