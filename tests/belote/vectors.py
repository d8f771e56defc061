"""Vectors for the browser's `apply.js`, made from the referee's own `view`, `redact` and `apply`.

`tests/vectors/game.json` is a list of `{"view", "event", "after"}`: a viewer's game, an event as
that viewer gets it, and its game afterwards, once for each situation. `game_folds.json` is a list
of `{"view", "events", "after"}`: whole deals, for each seat and the spectator; `games.json` has the
same of a deal of each other game. All are JSON as the wire carries it (the codec of `app/tables`);
`apply` takes any number of events in order.

`REBELOTE_WRITE=1 pytest tests/belote/test_vectors.py` writes them anew.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from app.belote.cards import Seat
from app.belote.commands import Command, Continue, End, Pass
from app.belote.engine import State, decide, evolve, turn_of
from app.belote.events import CardPlayed, GameEvent, HandDealt
from app.belote.presets import BOOK, PRESETS
from app.belote.rules import RuleSet, overridden
from app.belote.view import View, apply, redact, view
from app.tables.codec import CODEC, record

from .driver import by_seed, deal_of, play_deal, play_match, start, step

Json = dict[str, Any]
VIEWERS: tuple[Seat | None, ...] = (Seat(0), Seat(1), Seat(2), Seat(3), None)

# Found by trying seeds in turn: four deals, of which the third hangs (litige), the fourth is a
# capot, and declarations are scored, beaten, and taken from a side without a trick.
LITIGE_AND_CAPOT = 38
# First deals with belote: a failed taker whose tierce is beaten; a seat with two tierces.
BELOTE = (9, 265)


@dataclass(frozen=True, slots=True)
class Happening:
    """An event with the state before it."""

    before: State
    event: GameEvent


def happenings() -> Iterator[list[Happening]]:
    """Some deals, each a list: a whole match, two deals, a match passed out once and abandoned."""
    yield from _match(LITIGE_AND_CAPOT)
    for seed in BELOTE:
        yield from _match(seed, deals=1)
    yield from _abandoned_match()


def _match(seed: int, deals: int | None = None) -> Iterator[list[Happening]]:
    deal: list[Happening] = []
    for done in play_match(PRESETS["classic"], seed, deals):
        if isinstance(done.events[0], HandDealt) and deal:
            yield deal
            deal = []
        deal += _list(done.before, done.events)
    yield deal


def _abandoned_match() -> Iterator[list[Happening]]:
    state, seed = start(PRESETS["classic"], "abandoned", dealer=2), "abandoned"
    done = step(state, deal_of(state, seed))
    deal = _list(done.before, done.events)
    while (turn := turn_of(done.after)) is not None:
        done = step(done.after, Pass(turn.seat))
        deal += _list(done.before, done.events)
    for seat in (1, 3):
        done = step(done.after, Continue(Seat(seat)))
        deal += _list(done.before, done.events)
    yield deal
    state, deal = done.after, []
    for done in play_deal(state, deal_of(state, seed), lambda state, options: options[0]):
        deal += _list(done.before, done.events)
        if len(done.after.played) == 10:
            break
    yield deal + _list(done.after, decide(done.after, End("abandoned")))


def _list(state: State, events: tuple[GameEvent, ...]) -> list[Happening]:
    found = []
    for event in events:
        found.append(Happening(state, event))
        state = evolve(state, event)
    return found


def event_json(event: GameEvent, viewer: Seat | None) -> Json:
    """The event as the wire gives it to a viewer, without its number."""
    encoded = CODEC.encode(event)
    out: Json = {"type": encoded.type, "v": encoded.v, "d": orjson.loads(encoded.public)}
    if viewer is not None and encoded.private is not None and encoded.private[viewer]:
        out["p"] = orjson.loads(encoded.private[viewer] or b"")
    return out


def _situation(happening: Happening) -> tuple[object, ...]:
    """What makes an event's step another one: each situation is kept once."""
    event, state = happening.event, happening.before
    last = isinstance(event, CardPlayed) and len(state.trick.cards if state.trick else ()) == 3
    kinds = getattr(event, "kinds", None)
    outcomes = tuple(sorted({str(d.outcome) for d in getattr(event, "declarations", ())}
                            if kinds is None else set()))  # fmt: skip
    score = getattr(event, "score", None)
    return (
        event.TYPE,
        last,
        kinds is not None and len(kinds),
        outcomes,
        getattr(event, "belote", None) if isinstance(event, CardPlayed) else None,
        getattr(event, "call", None),
        getattr(event, "round", None),
        event.TYPE == "passed" and state.turn == state.dealer,
        event.TYPE == "trick_taken" and not any(state.hands),
        score and (score.outcome, score.capot),
        getattr(event, "reason", None),
    )


def _viewers(happening: Happening, place: int) -> tuple[Seat | None, ...]:
    """All five where an event tells them different things, else the one whose turn it is here."""
    event = happening.event
    if event.TYPE in ("hand_dealt", "rest_dealt", "declared"):
        return VIEWERS
    if isinstance(event, CardPlayed):
        return event.seat, Seat((event.seat + 1) % 4), None
    return (VIEWERS[place % 5],)


def single_steps() -> list[Json]:
    """`game.json`: one step for each situation."""
    seen: set[tuple[object, ...]] = set()
    found = []
    for deal in happenings():
        for happening in deal:
            situation = _situation(happening)
            if situation in seen:
                continue
            for viewer in _viewers(happening, len(seen)):
                before = view(happening.before, viewer)
                after = apply(before, redact(happening.event, viewer, 4))
                event = event_json(happening.event, viewer)
                found.append({"view": record(before), "event": event, "after": record(after)})
            seen.add(situation)
    return found


def folds() -> list[Json]:
    """`game_folds.json`: whole deals for each viewer."""
    found = []
    for deal in happenings():
        for viewer in VIEWERS:
            first = now = view(deal[0].before, viewer)
            for happening in deal:
                now = apply(now, redact(happening.event, viewer, 4))
            events = [event_json(happening.event, viewer) for happening in deal]
            found.append({"view": record(first), "events": events, "after": record(now)})
    return found


SHOWN: tuple[tuple[str, dict[str, object], str], ...] = (
    ("classic-clockwise", {}, "declared"),
    ("french", {}, "passed_out"),
    ("coinche", {}, "redoubled"),
    ("contree", {}, "doubled"),
    ("belot", {"third_double": "match"}, "third_doubled"),
    ("belote-international", {}, "declarations_settled"),
    ("belot-duel", {}, "doubled"),
    ("belot-trio", {}, "redoubled"),
    ("belot-open", {}, "card_turned_up"),
    ("bela", {}, "declarations_settled"),
    ("bela", {"dealer_cancel": "any"}, "deal_annulled"),
)
"""Of each other game a deal in which something happens that no deal of classic has."""
PARTS = ("rest_dealt", "trick_taken")
"""The vectors of a deal are cut after the first of each, so that what comes between is seen."""


def other_games() -> list[Json]:
    """`games.json`: a deal of each other game in parts, for a seat, the one after it and the
    spectator."""
    found = []
    for preset, house, event in SHOWN:
        deal = _showing(overridden(BOOK[preset], house), event)
        players = deal[0].before.rules.players
        for viewer in (Seat(0), Seat(1), None):
            now = view(deal[0].before, viewer)
            for part in _parts(deal):
                first = now
                for happening in part:
                    now = apply(now, redact(happening.event, viewer, players))
                events = [event_json(happening.event, viewer) for happening in part]
                found.append({"view": record(first), "events": events, "after": record(now)})
    return found


def _showing(rules: RuleSet, event: str) -> list[Happening]:
    """The first deal, by seeds, with an event of that type."""
    for seed in range(1_000):
        deal: list[Happening] = []
        state = start(rules, seed)
        choose = by_seed(seed)
        if event in ("deal_annulled", "passed_out"):  # nobody wants it
            choose = _last
        for done in play_deal(state, deal_of(state, seed), choose):
            deal += _list(done.before, done.events)
        if any(event == happening.event.TYPE for happening in deal):
            return deal
    raise LookupError(f"no {event} in {rules.preset}")


def _last(_: State, options: Sequence[Command]) -> Command:
    return options[-1]


def _parts(deal: list[Happening]) -> Iterator[list[Happening]]:
    kinds, at = list(PARTS), 0
    for place, happening in enumerate(deal, 1):
        if kinds and kinds[0] == happening.event.TYPE:
            del kinds[0]
            yield deal[at:place]
            at = place
    if deal[at:]:
        yield deal[at:]


def text_of(vectors: list[Json]) -> str:
    """One vector a line, so that a change of one is one line of a diff."""
    lines = ",\n".join(orjson.dumps(vector).decode() for vector in vectors)
    return f"[\n{lines}\n]\n"


__all__ = ["View", "folds", "other_games", "single_steps", "text_of"]
