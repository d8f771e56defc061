"""What one viewer gets of a table, composed from public and own private parts (D4).

``view``, ``redact`` and ``apply`` obey D6 at the table's level::

    apply(view(t, p), redact(e, t.seat_of(p), n), how) == view(evolve(t, e, seq, how), p)

with one exception, which the hub answers with a snapshot: an event that gives the viewer a seat or
takes it away, for then the viewer's private part is another one.
"""

from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields, replace
from functools import cache
from typing import Any, get_args, get_type_hints
from uuid import UUID

from app.belote import view as game_view
from app.belote.cards import Seat
from app.belote.events import HIDDEN, Event, HandDealt, MatchEnded
from app.belote.view import View
from app.tables import asked
from app.tables import events as ev
from app.tables.asked import Ready, Rematch, Resignations
from app.tables.events import How, Options
from app.tables.table import GAME, Chair, Status, TableState, changed, struck


@dataclass(frozen=True, slots=True)
class You:
    """The viewer: its id and its seat, None for whoever only watches."""

    player: UUID | None
    seat: Seat | None


@dataclass(frozen=True, slots=True)
class MatchRef:
    """Which match of the table."""

    id: str
    number: int


@dataclass(frozen=True, slots=True)
class TableView:
    """All that one viewer may know of a table."""

    code: str
    status: Status
    host: UUID | None
    options: Options
    seats: tuple[Chair, ...]
    you: You
    paused: bool
    ready: Ready | None
    rematch: Rematch | None
    resign: Resignations
    match: MatchRef | None
    game: View | None


def view(table: TableState, viewer: UUID | None) -> TableView:
    """All that a viewer may know; whoever has no seat is a spectator."""
    seat = table.seat_of(viewer)
    return TableView(
        code=table.code,
        status=table.status,
        host=table.host,
        options=table.options,
        seats=table.seats,
        you=You(viewer, seat),
        paused=table.paused,
        ready=table.ready,
        rematch=table.rematch,
        resign=table.resign,
        match=None if table.match is None else MatchRef(table.match.id, table.match.number),
        game=None if table.game is None else game_view.view(table.game, seat),
    )


def redact(event: Event, seat: Seat | None, players: int) -> Event:
    """The event as a seat (None: a spectator) may know it: its hidden fields are emptied and its
    private ones hold the seat's own entry alone (D4)."""
    if type(event) in GAME:
        return game_view.redact(event, seat, players)
    kind: Any = type(event)
    return _unhidden(kind)(event)


@cache
def _unhidden(kind: Any) -> Callable[[Event], Event]:
    """For a table event: its hidden fields back to their defaults. Private ones it has none."""
    hints = get_type_hints(kind, include_extras=True)
    blanks = {
        field.name: field.default for field in fields(kind) if HIDDEN in get_args(hints[field.name])
    }
    if MISSING in blanks.values():
        raise TypeError(f"a hidden field of {kind.TYPE} needs a default")
    if not blanks:
        return lambda event: event
    return lambda event: replace(event, **blanks)


def apply(table: TableView, event: Event, how: How) -> TableView:
    """The viewer's own ``evolve``; the browser's mirrors it."""
    if type(event) in GAME:
        if table.game is None:
            raise TypeError(f"{event.TYPE} before a match")
        if isinstance(event, HandDealt | MatchEnded):
            table = replace(table, resign=asked.changes(table, event)["resign"])
        return replace(
            table,
            status="finished" if isinstance(event, MatchEnded) else table.status,
            seats=struck(table.seats, event, how),
            game=game_view.apply(table.game, event),  # type: ignore[arg-type]
        )
    changes = changed(table, event)
    if isinstance(event, ev.MatchStarted):
        changes["match"] = MatchRef(event.match, event.number)
        changes["game"] = game_view.new_view(
            event.rules, table.you.seat, event.dealer, event.commit
        )
    return replace(table, **changes)
