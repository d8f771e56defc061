"""What the process keeps for ever does not grow with what people send."""

import functools
import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from typing import Any

import app

Cached = functools._lru_cache_wrapper


def caches() -> Iterator[tuple[str, "Cached[Any]"]]:
    for module in pkgutil.walk_packages(app.__path__, "app."):
        found = vars(importlib.import_module(module.name))
        for name, value in found.items():
            if isinstance(value, Cached) and value.__module__ == module.name:
                yield f"{module.name}.{name}", value


def test_a_cache_without_an_end_is_keyed_by_our_own_classes_alone() -> None:
    """A rule set, a name, a number comes from people: there are as many as they like."""
    ours = {"Any", "type[Any]", "type[Event]"}
    endless = {name: each for name, each in caches() if each.cache_parameters()["maxsize"] is None}
    assert endless, "they are found at all"
    for name, each in endless.items():
        for parameter in inspect.signature(each.__wrapped__).parameters.values():
            told = parameter.annotation
            text = told if isinstance(told, str) else inspect.formatannotation(told)
            assert text.replace("typing.", "").replace("app.belote.events.", "") in ours, name
