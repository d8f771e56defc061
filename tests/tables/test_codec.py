"""Events and views as JSON: nothing lost, nothing hidden told, old shapes still read."""

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Any, ClassVar, get_args, get_type_hints

import orjson
import pytest

from app.belote.cards import Seat
from app.belote.events import HIDDEN, PRIVATE, Event, HandDealt
from app.belote.presets import BOOK
from app.belote.rules import overridden
from app.tables import views
from app.tables.codec import (
    CODEC,
    Codec,
    CodecError,
    Encoded,
    Json,
    Stored,
    event_json,
    private_column,
    view_json,
)
from app.tables.events import ALL_EVENTS, TABLE_EVENTS
from app.tables.ports import Publication
from tests.belote.driver import deal_of, play_deal, play_match, start

from .histories import PEOPLE, STRANGER, life

SENTINEL = "5ec4e7" * 10


GAMES = {
    "coinche": {},
    "belot": {"third_double": "match"},
    "belot-open": {},
    "bela": {"dealer_cancel": "any"},
    "belote-international": {},
}
"""Presets, with the house rules that they need, that show what no match of classic does."""


@cache
def moments() -> dict[type[Event], Event]:
    """One of each type of event, from whole lives, and what those lack from other games."""
    found: dict[type[Event], Event] = {}
    for seed in range(40):
        for moment in life(f"codec {seed}").moments:
            found.setdefault(type(moment.event), moment.event)
        if set(found) >= set(TABLE_EVENTS):
            break
    for event in other_games():
        had = found.setdefault(type(event), event)
        if _tells_privately(event) and not _tells_privately(had):
            found[type(event)] = event
    return found


def _tells_privately(event: Event) -> bool:
    marks = _audiences(type(event))
    return any(PRIVATE in marks[name] and getattr(event, name) for name in marks)


def other_games() -> Iterator[Event]:
    """The events of some matches of other games."""
    for preset, changes in GAMES.items():
        rules = overridden(BOOK[preset], changes)
        for seed in range(6):
            for step in play_match(rules, f"codec {seed}", deals=12):
                yield from step.events
    rules = overridden(BOOK["bela"], {"dealer_cancel": "any"})
    state = start(rules, "annulled")
    for step in play_deal(state, deal_of(state, "annulled"), lambda _, options: options[-1]):
        yield from step.events


def through(encoded: Encoded) -> Event:
    private, hidden = private_column(encoded.private), encoded.hidden
    return CODEC.decode(
        encoded.type,
        encoded.v,
        orjson.loads(encoded.public),
        None if private is None else orjson.loads(private),
        None if hidden is None else orjson.loads(hidden),
    )


def test_the_registry_holds_every_event_there_is() -> None:
    declared = Event.__subclasses__()
    ours = {cls.TYPE for cls in declared if cls.__module__.startswith("app.")}
    assert {cls.TYPE for cls in ALL_EVENTS} == ours
    assert len({cls.TYPE for cls in ALL_EVENTS}) == len(ALL_EVENTS)


def test_every_type_of_event_comes_back_as_it_was() -> None:
    found = moments()
    assert set(found) == set(ALL_EVENTS), "the lives show every type"
    for event in found.values():
        assert through(CODEC.encode(event)) == event


def test_every_event_of_other_games_comes_back_as_it_was() -> None:
    for event in other_games():
        assert through(CODEC.encode(event)) == event


def test_whole_lives_come_back_as_they_were() -> None:
    for moment in life("round trip").moments:
        assert through(CODEC.encode(moment.event)) == moment.event


def _audiences(cls: type[Event]) -> dict[str, Any]:
    hints = get_type_hints(cls, include_extras=True)
    return {field.name: get_args(hints[field.name])[1:] for field in fields(cls)}


def _marked(event: Event) -> Event:
    """The event with a mark in every hidden field and in the private entry of seat 3."""
    changes: dict[str, Any] = {}
    for name, marks in _audiences(type(event)).items():
        value = getattr(event, name)
        if HIDDEN in marks:
            changes[name] = SENTINEL if isinstance(value, str) else value
    return replace(event, **changes)


@pytest.mark.parametrize("cls", ALL_EVENTS)
def test_what_is_hidden_reaches_no_viewer(cls: type[Event]) -> None:
    """D4: not by the frame of any seat, nor of a spectator, nor by the viewer's own event."""
    event = _marked(moments()[cls])
    parts = CODEC.encode(event)
    hidden = [name for name, marks in _audiences(cls).items() if HIDDEN in marks]
    assert (parts.hidden is not None) == bool(hidden)
    stored = Stored(1, parts.type, parts.v, "human", parts.public, parts.private)
    for seat in (0, 1, 2, 3, None):
        frame = orjson.loads(event_json(stored, seat))
        assert SENTINEL not in orjson.dumps(frame).decode()
        told = set(frame["d"]) | set(frame.get("p", {}))
        assert not told & set(hidden)
        seen = views.redact(event, None if seat is None else Seat(seat), 4)
        assert SENTINEL not in repr(seen)


@pytest.mark.parametrize("cls", ALL_EVENTS)
def test_a_private_field_reaches_its_own_seat_alone(cls: type[Event]) -> None:
    private = [name for name, marks in _audiences(cls).items() if PRIVATE in marks]
    event = moments()[cls]
    parts = CODEC.encode(event)
    stored = Stored(1, parts.type, parts.v, "human", parts.public, parts.private)
    for seat in (0, 1, 2, 3, None):
        frame = orjson.loads(event_json(stored, seat))
        assert not set(frame["d"]) & set(private)
        mine = {} if seat is None else {n: getattr(event, n)[seat] for n in private
                                        if getattr(event, n)}  # fmt: skip
        expected = {name for name, value in mine.items() if value is not None}
        assert set(frame.get("p", {})) == expected


def test_no_secret_bytes_and_no_other_hand_are_in_a_snapshot() -> None:
    for moment in life("snapshots").moments:
        game = moment.after.game
        if game is None or game.phase not in ("auction", "play"):
            continue
        for viewer in (*PEOPLE[:3], STRANGER):
            seat = moment.after.seat_of(viewer)
            shown = view_json(views.view(moment.after, viewer))
            text = orjson.dumps(shown).decode()
            assert game.next_secret not in text
            assert game.secret not in text
            hand = shown["game"]["hand"]
            assert hand is None if seat is None else len(hand) == game.hands[seat].bit_count()


def test_what_is_published_has_no_room_for_hidden_parts() -> None:
    """The classes that reach the hub have no field that the log's hidden column could be in."""
    assert "hidden" not in {field.name for field in fields(Stored)}
    events = next(f for f in fields(Publication) if f.name == "events")
    assert events.type == tuple[Stored, ...]


def test_how_is_told_only_of_the_clock_and_of_bots() -> None:
    for how, told in (("human", None), ("system", None), ("timeout", "timeout"), ("bot", "bot")):
        stored = Stored(7, "paused", 1, how, b"{}", None)  # type: ignore[arg-type]
        assert orjson.loads(event_json(stored, None)).get("how") == told


# Versions


@dataclass(frozen=True, slots=True)
class _Toast(Event):
    TYPE: ClassVar[str] = "toast"
    V: ClassVar[int] = 3
    seat: int
    words: str
    loud: bool


FIRST: Json = {"who": 2, "words": "santé"}
"""A row of version 1, as it lies in a log for ever."""


def _second(public: Json, private: Json | None, hidden: Json | None) -> Any:
    return {"seat": public["who"], "words": public["words"]}, private, hidden


def _third(public: Json, private: Json | None, hidden: Json | None) -> Any:
    return {**public, "loud": False}, private, hidden


def test_an_old_version_is_lifted_step_by_step() -> None:
    codec = Codec((_Toast,), {("toast", 1): _second, ("toast", 2): _third})
    assert codec.decode("toast", 1, FIRST, None, None) == _Toast(2, "santé", loud=False)
    second = {"seat": 1, "words": "olé"}
    assert codec.decode("toast", 2, second, None, None) == _Toast(1, "olé", loud=False)


def test_what_can_not_be_read_says_so() -> None:
    codec = Codec((_Toast,), {("toast", 2): _third})
    for name, v, public in (
        ("unheard_of", 1, {}),
        ("toast", 1, FIRST),
        ("toast", 4, FIRST),
        ("toast", 3, {"seat": 1}),
    ):
        with pytest.raises(CodecError):
            codec.decode(name, v, public, None, None)


def test_a_rule_set_travels_as_its_record() -> None:
    event = next(m.event for m in life("rules").moments if m.event.TYPE == "opened")
    public = orjson.loads(CODEC.encode(event).public)
    assert public["options"]["rules"]["capot"] == "bonus 90"
    assert through(CODEC.encode(event)) == event


def test_the_deck_travels_by_name() -> None:
    event = next(m.event for m in life("names").moments if isinstance(m.event, HandDealt))
    frame = orjson.loads(CODEC.encode(event).public)
    assert frame["turned"] in {rank + suit for rank in "789TJQKA" for suit in "SHDC"}
