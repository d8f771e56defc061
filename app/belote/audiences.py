"""Who may read which field of an event, and what a viewer gets of one (D4)."""

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from functools import cache
from typing import Any, TypeVar, get_type_hints

from app.belote.cards import Seat
from app.belote.events import HIDDEN, PRIVATE, Audience, Event


@dataclass(frozen=True, slots=True)
class Audiences:
    """The names of an event type's fields by who may read them (D4)."""

    public: tuple[str, ...]
    private: tuple[str, ...]
    hidden: tuple[str, ...]


@cache
def audiences(kind: type[Event]) -> Audiences:
    """Who may read which field of that type. A field for several audiences, a private one that
    can't be left out and a hidden one without a default would leak or break: ``TypeError``."""
    hints: Mapping[str, Any] = get_type_hints(kind, include_extras=True)
    names: dict[Audience | None, list[str]] = {None: [], PRIVATE: [], HIDDEN: []}
    for field in fields(kind):
        marks = getattr(hints[field.name], "__metadata__", ())
        if len(marks) > 1 or any(not isinstance(mark, Audience) for mark in marks):
            raise TypeError(f"{kind.__name__}.{field.name}: one audience a field")
        if marks == (HIDDEN,) and field.default is MISSING:
            raise TypeError(f"{kind.__name__}.{field.name}: a hidden field needs a default")
        names[marks[0] if marks else None].append(field.name)
    return Audiences(tuple(names[None]), tuple(names[PRIVATE]), tuple(names[HIDDEN]))


E = TypeVar("E", bound=Event)


def redact(event: E, viewer: Seat | None, players: int) -> E:
    """What a viewer gets of an event: composed of the public fields and its own private entries,
    never cut out of the whole, so that what is forgotten stays hidden (D4). A private field that
    is empty tells nobody anything."""
    kind = type(event)
    who = audiences(kind)  # type: ignore[arg-type]  # mypy: a type is hashable
    if not who.private and not who.hidden:
        return event
    told: dict[str, Any] = {name: getattr(event, name) for name in who.public}
    for name in who.private:
        entries = getattr(event, name)
        own = None if viewer is None or not entries else entries[viewer]
        told[name] = tuple(
            own if seat == viewer else None for seat in range(players if entries else 0)
        )
    return kind(**told)
