"""Events and views as JSON, built from the types' own hints; one closure a class, made once.

``encode`` splits an event into its public, private and hidden parts by the fields' audiences (D4);
what goes to a viewer is composed of the public bytes and that seat's private ones, so the hidden
bytes have no way out but the log. Views go through the same writers, which skip every field that
is not public. A stored shape is never edited: ``UPCASTERS`` lift old versions step by step.

In JSON: a card is ``"TH"``, a suit ``"S"``, a trump its value, ids are text, tuples are lists, a
rule set is its record. The private column has one entry a seat, null where there is nothing.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import StrEnum
from functools import cache, lru_cache
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)
from uuid import UUID

import orjson

from app.belote.cards import NAMES, SUITS, Card, Suit, card_named
from app.belote.events import HIDDEN, PRIVATE, Audience, Event
from app.belote.legal import Legal
from app.belote.notation import rules_from_record, rules_record
from app.belote.rules import RuleSet
from app.tables.events import ALL_EVENTS, How
from app.tables.table import TableState, TurnInfo
from app.tables.views import TableView, view

Json = dict[str, Any]
Write = Callable[[Any], Any]
Read = Callable[[Any], Any]
Upcaster = Callable[[Json, Json | None, Json | None], tuple[Json, Json | None, Json | None]]
"""From (public, private, hidden) of one version to those of the next."""


class CodecError(ValueError):
    """A stored row that no event can be made of: an unknown type or version, a missing field."""


# Values


@lru_cache(maxsize=256)  # hosts make rule sets of their own, as many as they like
def _rules_out(rules: RuleSet) -> Json:
    return rules_record(rules)


@cache
def _writer(hint: Any) -> Write | None:
    """How a value of this type is written; None: as it is."""
    origin = get_origin(hint)
    if origin is Annotated:
        return _writer(get_args(hint)[0])
    if hint is Card:
        return NAMES.__getitem__
    if hint is Suit:
        return SUITS.__getitem__
    if hint is UUID:
        return str
    if hint is RuleSet:
        return _rules_out
    if origin in (Union, UnionType):
        inner, _ = _optional(hint, _writer)
        return None if inner is None else lambda v: None if v is None else inner(v)
    if origin is tuple:
        item = _writer(_item(hint))
        return list if item is None else lambda v: [item(each) for each in v]
    if _is_record(hint):
        return _object_writer(hint)
    return _plain(hint, None, lambda v: v.value)


@cache
def _reader(hint: Any) -> Read | None:
    """How a value of this type is read back; None: as it is."""
    origin = get_origin(hint)
    if origin is Annotated:
        return _reader(get_args(hint)[0])
    if hint is Card:
        return card_named
    if hint is Suit:
        return SUITS.index
    if hint is UUID:
        return UUID
    if hint is RuleSet:
        return rules_from_record
    if origin in (Union, UnionType):
        inner, _ = _optional(hint, _reader)
        return None if inner is None else lambda v: None if v is None else inner(v)
    if origin is tuple:
        item = _reader(_item(hint))
        return tuple if item is None else lambda v: tuple(item(each) for each in v)
    if _is_record(hint):
        return _object_reader(hint)
    return _plain(hint, None, hint)


def _is_record(hint: Any) -> bool:
    return is_dataclass(hint)


def _plain(hint: Any, plain: None, enum: Write) -> Write | None:
    """Numbers, text, truth and literals are JSON already; an enum is its value."""
    if hasattr(hint, "__supertype__"):  # Seat, Side: numbers with a name
        return _plain(hint.__supertype__, plain, enum)
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return enum
    if hint in (int, str, bool, NoneType) or get_origin(hint) is Literal:
        return plain
    raise TypeError(f"the codec knows no {hint}")


def _optional(hint: Any, made: Callable[[Any], Write | None]) -> tuple[Write | None, bool]:
    """The one way to handle a union's members that are not None; TypeError if there are more."""
    members = [made(member) for member in get_args(hint) if member is not NoneType]
    special = [member for member in members if member is not None]
    if special and len(members) > 1:
        raise TypeError(f"the codec can't tell the members of {hint} apart")
    return (special[0] if special else None), NoneType in get_args(hint)


def _item(hint: Any) -> Any:
    item, *rest = get_args(hint)
    if rest != [...]:
        raise TypeError(f"the codec knows tuples of one type alone, not {hint}")
    return item


def _audience(hint: Any) -> Audience | None:
    marks = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
    return next((mark for mark in marks if isinstance(mark, Audience)), None)


def _hints(kind: type[Any]) -> dict[str, Any]:
    every = get_type_hints(kind, include_extras=True)
    return {field.name: every[field.name] for field in fields(kind)}


@cache
def _object_writer(kind: Any) -> Write:
    """A dataclass as an object of its public fields."""
    plan = [(name, _writer(hint)) for name, hint in _hints(kind).items() if not _audience(hint)]

    def write(value: Any) -> Json:
        return {
            name: getattr(value, name) if item is None else item(getattr(value, name))
            for name, item in plan
        }

    return write


@cache
def _object_reader(kind: Any) -> Read:
    plan = [(name, _reader(hint)) for name, hint in _hints(kind).items()]

    def read(value: Json) -> Any:
        return kind(**{n: value[n] if r is None else r(value[n]) for n, r in plan if n in value})

    return read


# Events


@dataclass(frozen=True, slots=True)
class Encoded:
    """An event's three parts as JSON. ``private`` has one entry a seat."""

    type: str
    v: int
    public: bytes
    private: tuple[bytes | None, ...] | None
    hidden: bytes | None


class _Kind:
    """What the codec knows of one class of events."""

    __slots__ = ("cls", "hidden", "private", "public", "readers")

    def __init__(self, cls: type[Event]) -> None:
        self.cls = cls
        self.public: list[tuple[str, Write | None]] = []
        self.private: list[tuple[str, Write | None]] = []
        self.hidden: list[tuple[str, Write | None]] = []
        self.readers: list[tuple[str, Audience | None, Read | None]] = []
        lists = {None: self.public, PRIVATE: self.private, HIDDEN: self.hidden}
        for name, hint in _hints(cls).items():
            audience = _audience(hint)
            inner = _item(get_args(hint)[0]) if audience is PRIVATE else hint
            lists[audience].append((name, _writer(inner)))
            self.readers.append((name, audience, _reader(inner)))


def _part(event: Event, plan: list[tuple[str, Write | None]]) -> bytes:
    return orjson.dumps(
        {
            name: getattr(event, name) if write is None else write(getattr(event, name))
            for name, write in plan
        }
    )


def _private(event: Event, plan: list[tuple[str, Write | None]]) -> tuple[bytes | None, ...] | None:
    seats = len(getattr(event, plan[0][0])) if plan else 0
    if not seats:  # an empty private field tells nobody anything
        return None
    parts: list[Json] = [{} for _ in range(seats)]
    for name, write in plan:
        for part, value in zip(parts, getattr(event, name), strict=True):
            if value is not None:
                part[name] = value if write is None else write(value)
    return tuple(orjson.dumps(part) if part else None for part in parts)


class Codec:
    """Events of some types to and from their stored parts. The house's own is ``CODEC``."""

    def __init__(
        self,
        events: tuple[type[Event], ...],
        upcasters: Mapping[tuple[str, int], Upcaster] | None = None,
    ) -> None:
        self._kinds = {cls: _Kind(cls) for cls in events}
        self._named = {cls.TYPE: kind for cls, kind in self._kinds.items()}
        self._upcasters = dict(upcasters or {})

    def encode(self, event: Event) -> Encoded:
        """The three parts of an event."""
        kind = self._kinds[type(event)]
        return Encoded(
            event.TYPE,
            event.V,
            _part(event, kind.public),
            _private(event, kind.private),
            _part(event, kind.hidden) if kind.hidden else None,
        )

    def decode(
        self, name: str, v: int, public: Json, private: Json | None, hidden: Json | None
    ) -> Event:
        """The event that a row holds; CodecError if there is none."""
        kind = self._named.get(name)
        if kind is None:
            raise CodecError(f"unknown event {name}")
        while v < kind.cls.V:
            lift = self._upcasters.get((name, v))
            if lift is None:
                raise CodecError(f"no way up from {name} version {v}")
            public, private, hidden = lift(public, private, hidden)
            v += 1
        if v != kind.cls.V:
            raise CodecError(f"{name} version {v} is newer than this server")
        try:
            return kind.cls(**_values(kind, public, private or {}, hidden or {}))
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise CodecError(f"{name} version {v} can't be read") from error


def _values(kind: _Kind, public: Json, private: Json, hidden: Json) -> Json:
    out: Json = {}
    own = [private[str(seat)] or {} for seat in range(len(private))]
    for name, audience, read in kind.readers:
        if audience is PRIVATE:
            each = [part.get(name) for part in own]
            out[name] = tuple(v if v is None or read is None else read(v) for v in each)
            continue
        part = hidden if audience is HIDDEN else public
        if name in part:  # a field that the class gives a default may be absent
            out[name] = part[name] if read is None else read(part[name])
    return out


UPCASTERS: Final[dict[tuple[str, int], Upcaster]] = {}
"""(type, version) → the way to the next version. Each has a fixture of the old shape in tests."""

CODEC: Final = Codec(ALL_EVENTS, UPCASTERS)


def private_column(private: tuple[bytes | None, ...] | None) -> bytes | None:
    """The private parts as the log stores them."""
    if private is None:
        return None
    return b"{" + b",".join(b'"%d":%b' % (i, p or b"null") for i, p in enumerate(private)) + b"}"


@dataclass(frozen=True, slots=True)
class Stored:
    """A committed event, ready to be told. It has no hidden part to tell (D4)."""

    seq: int
    type: str
    v: int
    how: How
    public: bytes
    private: tuple[bytes | None, ...] | None

    def frame(self, seat: int | None) -> bytes:
        """``event_json`` of this event."""
        return event_json(self, seat)


def event_json(stored: Stored, seat: int | None) -> bytes:
    """What the viewer in ``seat`` (None: a spectator) gets: ``{"seq","type","v","d","p"?,"how"?}``.

    ``how`` is there when it was the clock or a bot. Put it into a frame as ``orjson.Fragment``.
    """
    out = b'{"seq":%d,"type":"%b","v":%d,"d":%b' % (
        stored.seq,
        stored.type.encode(),
        stored.v,
        stored.public,
    )
    if seat is not None and stored.private is not None:
        own = stored.private[seat]
        if own is not None:
            out += b',"p":' + own
    if stored.how == "timeout" or stored.how == "bot":
        out += b',"how":"%b"' % stored.how.encode()
    return out + b"}"


# Views

_write_view: Final[Write] = _object_writer(TableView)


def view_json(seen: TableView, presence: tuple[bool | None, ...] | None = None) -> Json:
    """A table's view as a snapshot carries it; ``presence`` is the hub's, see contract."""
    out: Json = _write_view(seen)
    out["presence"] = None if presence is None else list(presence)
    return out


def record(value: Any) -> Any:
    """Any of the house's dataclasses as JSON values, public fields alone."""
    kind: Any = type(value)
    return _object_writer(kind)(value)


def legal_json(legal: Legal) -> Json:
    """What the seat to act may do, and why not the rest."""
    return {
        "calls": list(legal.calls),
        "trumps": [trump.value for trump in legal.trumps],
        "cards": [NAMES[card] for card in legal.cards],
        "why": {NAMES[card]: record(refusal) for card, refusal in legal.why},
        "values": list(legal.values),
        "declarations": [record(each) for each in legal.declarations],
        "belote": [NAMES[card] for card in legal.belote],
    }


def snapshot_json(table: TableState, viewer: UUID | None) -> Json:
    """The view of ``viewer`` as a snapshot carries it, presence left out."""
    return view_json(view(table, viewer))


def turn_json(turn: TurnInfo | None, seat: int | None, now_ms: int) -> Json | None:
    """An open turn as ``seat`` gets it: its legal choices only if it is to act, and its clock when
    it is asked for declarations: others could tell from it whether it has any. ``now_ms`` is the
    clock's monotonic time."""
    if turn is None:
        return None
    secret = turn.kind == "declare" and seat != turn.seat
    left = None if turn.due_ms is None or secret else max(turn.due_ms - now_ms, 0)
    out: Json = {"decision": turn.decision, "seat": turn.seat, "kind": turn.kind, "left_ms": left}
    if left is not None and turn.whole_ms is not None:
        out["whole_ms"] = turn.whole_ms
    if turn.legal is not None and seat is not None and seat == turn.seat:
        out["legal"] = legal_json(turn.legal)
    also = [{"kind": each.kind, "decision": each.decision} for whose, each in turn.also
            if whose == seat]  # fmt: skip
    if also:
        out["also"] = also
    return out
