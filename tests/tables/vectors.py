"""Vectors for the browser's table store: `tests/vectors/table.json`.

A list of `{"view", "event", "after"}`: a viewer's table, an event as the wire gives it (with its
number, and with `how` when it was the clock or a bot), and the table afterwards. Events that give
the viewer a seat or take it are not among them: those come as a snapshot.

`REBELOTE_WRITE=1 pytest tests/tables/test_vectors.py` writes them anew.
"""

from typing import Any
from uuid import UUID

import orjson

from app.belote.events import GAME_EVENTS, BidMade, CardPlayed, HandDealt, MatchEnded, Passed
from app.tables import views
from app.tables.codec import CODEC, Stored, event_json, view_json

from .histories import PEOPLE, STRANGER, Moment, life

Json = dict[str, Any]
VIEWERS: tuple[UUID, ...] = (PEOPLE[0], PEOPLE[2], STRANGER)


def wire(moment: Moment, viewer: UUID) -> Json:
    """The event as the wire gives it to a viewer."""
    parts = CODEC.encode(moment.event)
    stored = Stored(moment.after.seq, parts.type, parts.v, moment.how, parts.public, parts.private)
    out: Json = orjson.loads(event_json(stored, moment.before.seat_of(viewer)))
    return out


def same_seat(moment: Moment, viewer: UUID) -> bool:
    """Whether the viewer has the same seat before and after."""
    return moment.before.seat_of(viewer) == moment.after.seat_of(viewer)


def _situation(moment: Moment, viewer: UUID) -> tuple[object, ...]:
    """What makes a step another one; each is kept once. The game's own steps are in game.json, so
    here only those that touch the table: strikes, and a match's end."""
    event = moment.event
    seated = moment.before.seat_of(viewer) is not None
    if isinstance(event, CardPlayed | Passed | BidMade):
        strikes = moment.before.seats[event.seat].strikes > 0
        return type(event) is Passed, moment.how, strikes, seated
    if isinstance(event, HandDealt):
        return type(event), any(moment.before.resign)
    if type(event) in GAME_EVENTS and not isinstance(event, MatchEnded):
        return ("game",)
    return type(event), getattr(event, "reason", None), getattr(event, "yes", None), seated


def table_vectors() -> list[Json]:
    """All of them, in order."""
    found: dict[tuple[object, ...], Json] = {}
    for seed in range(8):
        for moment in life(f"vectors {seed}").moments:
            for viewer in VIEWERS:
                key = _situation(moment, viewer)
                if key in found or not same_seat(moment, viewer):
                    continue
                found[key] = {
                    "view": view_json(views.view(moment.before, viewer)),
                    "event": wire(moment, viewer),
                    "after": view_json(views.view(moment.after, viewer)),
                }
    return list(found.values())
