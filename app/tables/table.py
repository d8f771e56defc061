"""A table as a value: who sits where, which match is played, what is open; and its views.

The pure part of this room: no clock, no rows, no randomness. ``evolve`` folds the log; ``view``,
``redact`` and ``apply`` compose what one viewer gets (D4) and obey D6 at the table's level::

    apply(view(t, p), redact(e, t.seat_of(p), n), how) == view(evolve(t, e, seq, how), p)

with one exception, which the service answers with a snapshot: an event that gives the viewer a
seat or takes it away, for then the viewer's private part is another one.
"""

from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields, replace
from functools import cache
from typing import Any, Literal, TypeVar, get_args, get_type_hints
from uuid import UUID

from app.belote import engine
from app.belote import view as game_view
from app.belote.cards import Seat
from app.belote.events import (
    GAME_EVENTS,
    HIDDEN,
    BidMade,
    CardPlayed,
    Continued,
    Event,
    MatchEnded,
    Passed,
)
from app.belote.legal import Legal
from app.belote.state import State
from app.belote.view import View
from app.progress import experience
from app.progress.experience import Tally
from app.tables import events as ev
from app.tables.events import BotLevel, How, Occupant, Options

Status = Literal["waiting", "playing", "finished", "closed"]
TurnKind = Literal["call", "play", "continue"]
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat as everybody sees it. ``sitting_in``: a bot of level ``bot`` plays for this person
    now; ``strikes``: deadlines in a row that the server had to answer."""

    kind: Literal["person", "bot", "free"] = "free"
    player: UUID | None = None
    name: str | None = None
    avatar: str | None = None
    level: int | None = None
    bot: BotLevel | None = None
    sitting_in: bool = False
    strikes: int = 0


@dataclass(frozen=True, slots=True)
class MatchMeta:
    """The match being played, or the last one: who began it, who left for good, what counts for
    experience. ``players`` are the seats at ``match_started``, whoever sits there now."""

    id: str
    number: int
    players: tuple[Occupant, ...]
    seq_from: int
    tally: Tally
    left: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class TableState:
    """The whole table after event ``seq``. ``decision`` is the number of the open one: the last
    seq of the batch that opened it (D7), None outside a match."""

    code: str
    status: Status
    host: UUID | None
    options: Options
    seats: tuple[Chair, ...]
    paused: bool = False
    match: MatchMeta | None = None
    game: State | None = None
    decision: int | None = None
    seq: int = 0

    def seat_of(self, player: UUID | None) -> Seat | None:
        """The seat of a person, None for whoever only watches."""
        if player is None:
            return None
        for index, chair in enumerate(self.seats):
            if chair.player == player:
                return Seat(index)
        return None


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
    match: MatchRef | None
    game: View | None


@dataclass(frozen=True, slots=True)
class OpenTurn:
    """What the table waits for. ``seat`` is None for ``continue``: everybody is asked."""

    decision: int
    seat: Seat | None
    kind: TurnKind


@dataclass(frozen=True, slots=True)
class TurnInfo:
    """An open turn as the hub tells it. ``due_ms`` is the clock's monotonic time at which it ends,
    None where no clock is shown; ``legal`` is for the seat to act alone, None if a bot acts."""

    decision: int
    seat: Seat | None
    kind: TurnKind
    due_ms: int | None
    legal: Legal | None


def begin(code: str, event: Event, seq: int, how: How) -> TableState:
    """The state after a log's first event or a later base; TypeError for any other event."""
    if not isinstance(event, ev.Opened | ev.MatchStarted):
        raise TypeError(f"a log can't begin with {event.TYPE}")
    free = (Chair(),) * event.options.rules.players
    return evolve(TableState(code, "waiting", None, event.options, free), event, seq, how)


def evolve(table: TableState, event: Event, seq: int, how: How) -> TableState:
    """The state after an event. Carries outcomes over, never asks a rule (D1)."""
    if type(event) in _GAME:
        return _evolve_game(table, event, seq, how)
    changes = _changes(table, event)
    if isinstance(event, ev.MatchStarted):
        changes |= {"match": _meta(event, seq), "game": _new_game(event), "decision": None}
    elif isinstance(event, ev.SeatToBot) and event.reason == "left" and table.match is not None:
        left = _with(table.match.left, event.seat, True)
        changes["match"] = replace(table.match, left=left)
    elif isinstance(event, ev.Closed):
        changes["decision"] = None
    return replace(table, seq=seq, **changes)


_GAME = frozenset(GAME_EVENTS)


def _evolve_game(table: TableState, event: Event, seq: int, how: How) -> TableState:
    if table.game is None or table.match is None:
        raise TypeError(f"{event.TYPE} before a match")
    game = engine.evolve(table.game, event)  # type: ignore[arg-type]  # one of GAME_EVENTS
    decision = table.decision if isinstance(event, Continued) else seq
    status = table.status
    if isinstance(event, MatchEnded):
        status, decision = "finished", None
    tally = experience.add(table.match.tally, event, how)
    match = table.match
    if tally is not match.tally:
        match = replace(match, tally=tally)
    return TableState(
        table.code,
        status,
        table.host,
        table.options,
        _struck(table.seats, event, how),
        table.paused,
        match,
        game,
        decision,
        seq,
    )


def _meta(event: ev.MatchStarted, seq: int) -> MatchMeta:
    players = len(event.seats)
    return MatchMeta(
        id=event.match,
        number=event.number,
        players=event.seats,
        seq_from=seq,
        tally=experience.new_tally(players),
        left=(False,) * players,
    )


def _new_game(event: ev.MatchStarted) -> State:
    return engine.new_match(event.rules, event.match, event.dealer, event.commit, event.secret)


def _changes(table: TableState | TableView, event: Event) -> dict[str, Any]:
    """What a table event changes of what everybody sees; the same for state and view."""
    match event:
        case ev.Opened(code=code, host=host, options=options):
            return {"code": code, "host": host, "options": options}
        case ev.SeatTaken(seat=seat, occupant=occupant):
            return {"seats": _with(table.seats, seat, seated(occupant))}
        case ev.SeatLeft(seat=seat):
            return {"seats": _with(table.seats, seat, Chair())}
        case ev.HostChanged(host=host):
            return {"host": host}
        case ev.OptionsSet(options=options):
            return {"options": options}
        case ev.MatchStarted():
            return {
                "status": "playing",
                "host": event.host,
                "options": event.options,
                "seats": tuple(seated(occupant) for occupant in event.seats),
                "paused": False,
            }
        case ev.SeatToBot(seat=seat):
            return {"seats": _with(table.seats, seat, _to_bot(table.seats[seat], event))}
        case ev.SeatReclaimed(seat=seat):
            back = replace(table.seats[seat], sitting_in=False, bot=None, strikes=0)
            return {"seats": _with(table.seats, seat, back)}
        case ev.Paused():
            return {"paused": True}
        case ev.Resumed() | ev.Abandoned():
            return {"paused": False}
        case ev.Closed():
            return {"status": "closed", "paused": False}
        case _:
            raise TypeError(f"not an event of a table: {event.TYPE}")


def seated(occupant: Occupant) -> Chair:
    """The seat of somebody who has just sat down."""
    return Chair(
        occupant.kind,
        occupant.player,
        occupant.name,
        occupant.avatar,
        occupant.level,
        occupant.bot,
    )


def _to_bot(chair: Chair, event: ev.SeatToBot) -> Chair:
    if event.reason == "left":  # the name stays: it is this person's match that the bot plays on
        return Chair("bot", None, chair.name, chair.avatar, None, event.bot)
    return replace(chair, sitting_in=True, bot=event.bot, strikes=0)


def _struck(seats: tuple[Chair, ...], event: Event, how: How) -> tuple[Chair, ...]:
    """Strikes after a call or a card: one more at a deadline, none once the person acts."""
    if not isinstance(event, CardPlayed | Passed | BidMade):
        return seats
    chair = seats[event.seat]
    if how == "timeout":
        return _with(seats, event.seat, replace(chair, strikes=chair.strikes + 1))
    if how == "human" and chair.strikes:
        return _with(seats, event.seat, replace(chair, strikes=0))
    return seats


def _with(values: tuple[_T, ...], index: int, value: _T) -> tuple[_T, ...]:
    return (*values[:index], value, *values[index + 1 :])


# Questions


def open_turn(table: TableState) -> OpenTurn | None:
    """What the table waits for; None when waiting, paused, ended or in the middle of a batch."""
    if table.status != "playing" or table.paused or table.game is None or table.decision is None:
        return None
    if table.game.phase in ("scored", "passed_out"):
        return OpenTurn(table.decision, None, "continue")
    turn = engine.turn_of(table.game)
    return None if turn is None else OpenTurn(table.decision, turn.seat, turn.kind)


def persons(table: TableState) -> tuple[UUID, ...]:
    """The people in the seats, in order of play, absent ones too."""
    return tuple(chair.player for chair in table.seats if chair.player is not None)


def alone(table: TableState) -> bool:
    """At most one person, and else bots: no clock, no strikes."""
    return len(persons(table)) <= 1


def is_bot(chair: Chair) -> bool:
    """Whether a bot plays for this seat now."""
    return chair.kind == "bot" or chair.sitting_in


# Views


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
        match=None if table.match is None else MatchRef(table.match.id, table.match.number),
        game=None if table.game is None else game_view.view(table.game, seat),
    )


def redact(event: Event, seat: Seat | None, players: int) -> Event:
    """The event as a seat (None: a spectator) may know it: its hidden fields are emptied and its
    private ones hold the seat's own entry alone (D4)."""
    if type(event) in _GAME:
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
    if type(event) in _GAME:
        if table.game is None:
            raise TypeError(f"{event.TYPE} before a match")
        return replace(
            table,
            status="finished" if isinstance(event, MatchEnded) else table.status,
            seats=_struck(table.seats, event, how),
            game=game_view.apply(table.game, event),  # type: ignore[arg-type]
        )
    changes = _changes(table, event)
    if isinstance(event, ev.MatchStarted):
        changes["match"] = MatchRef(event.match, event.number)
        changes["game"] = game_view.new_view(
            event.rules, table.you.seat, event.dealer, event.commit
        )
    return replace(table, **changes)
