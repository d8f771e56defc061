"""A table as a value: who sits where, which match is played, what is open.

The pure part of this room: no clock, no rows, no randomness. ``evolve`` folds the log; what one
viewer gets of it is in ``views``.
"""

from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol, TypeVar
from uuid import UUID

from app.belote import claims, engine
from app.belote.cards import Seat, side_of
from app.belote.events import (
    GAME_EVENTS,
    BidMade,
    CardPlayed,
    Continued,
    DealAnnulled,
    Doubled,
    Event,
    HandDealt,
    MatchEnded,
    Passed,
    Redoubled,
    ThirdDoubled,
)
from app.belote.legal import Legal
from app.belote.state import State
from app.progress import experience
from app.tables import asked, match
from app.tables import events as ev
from app.tables.asked import Ready, Rematch, Resignations
from app.tables.events import BotLevel, How, Occupant, Options
from app.tables.match import MatchMeta

Status = Literal["waiting", "playing", "finished", "closed"]
TurnKind = Literal["call", "declare", "play", "continue", "ready", "rematch"]
AlsoKind = Literal["double", "resign", "claim"]
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
class TableState:
    """The whole table after event ``seq``. ``decision`` is the number of the open one: the last
    seq of the batch that opened it (D7), None outside a match; ``bid`` that of the standing bid as
    long as it may be doubled; ``asked`` that of the ready check or the offer of a rematch,
    ``resigning`` those of the sides' offers to resign. ``left_ms``: what its person had left of the
    open turn when a bot or a pause interrupted it. ``removed``: who may not sit down here any
    more."""

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
    ready: Ready | None = None
    rematch: Rematch | None = None
    resign: Resignations = ()
    asked: int | None = None
    resigning: tuple[int | None, ...] = ()
    left_ms: int | None = None
    removed: frozenset[UUID] = frozenset()
    bid: int | None = None

    def seat_of(self, player: UUID | None) -> Seat | None:
        """The seat of a person, None for whoever only watches."""
        if player is None:
            return None
        for index, chair in enumerate(self.seats):
            if chair.player == player:
                return Seat(index)
        return None


@dataclass(frozen=True, slots=True)
class OpenTurn:
    """What the table waits for. ``seat`` is None where everybody is asked: for ``continue`` between
    two deals, ``ready`` before a match, ``rematch`` after one."""

    decision: int
    seat: Seat | None
    kind: TurnKind


@dataclass(frozen=True, slots=True)
class Also:
    """Another decision that is open to a seat (D7), and the number to answer it with."""

    kind: AlsoKind
    decision: int


@dataclass(frozen=True, slots=True)
class TurnInfo:
    """An open turn as the hub tells it. ``due_ms`` is the clock's monotonic time at which it ends,
    None where no clock is shown, ``whole_ms`` how long all of such a turn is; ``legal`` is for the
    seat to act alone, None if a bot acts; ``also`` is told to the seat standing with it alone."""

    decision: int
    seat: Seat | None
    kind: TurnKind
    due_ms: int | None
    legal: Legal | None
    also: tuple[tuple[Seat, Also], ...] = ()
    whole_ms: int | None = None

    def private(self, seat: int | None) -> bool:
        """Whether a seat is told more than everybody."""
        return seat == self.seat or any(seat == whose for whose, _ in self.also)


def begin(code: str, event: Event, seq: int, how: How) -> TableState:
    """The state after a log's first event or a later base; TypeError for any other event."""
    if not isinstance(event, ev.Opened | ev.MatchStarted):
        raise TypeError(f"a log can't begin with {event.TYPE}")
    free = (Chair(),) * event.options.rules.players
    return evolve(TableState(code, "waiting", None, event.options, free), event, seq, how)


def evolve(table: TableState, event: Event, seq: int, how: How) -> TableState:
    """The state after an event. Carries outcomes over, never asks a rule (D1)."""
    if type(event) in GAME:
        return _evolve_game(table, event, seq, how)
    changes = changed(table, event)
    match event:
        case ev.MatchStarted():
            changes |= {"match": match.begun(event, seq), "game": _new_game(event)}
            changes |= {"decision": None, "left_ms": None, "removed": frozenset(event.removed)}
        case ev.SeatToBot(seat=seat, reason="left") if table.match is not None:
            changes["match"] = match.gone(table.match, seat)
        case ev.SeatTaken() if table.status == "playing" and table.match and table.game:
            deals = len(table.game.deals)
            changes["match"] = match.joined(table.match, event.seat, event.occupant, deals)
        case ev.SeatLeft(seat=seat, removed=True):
            changes["removed"] = table.removed | {table.seats[seat].player}
        case ev.Closed():
            changes |= {"decision": None, "left_ms": None}
    if isinstance(event, ev.Paused) or (isinstance(event, ev.SeatToBot) and _acts(table, event)):
        changes["left_ms"] = event.left_ms
    return _numbered(replace(table, seq=seq, **changes), event)


def _acts(table: TableState, event: ev.SeatToBot) -> bool:
    """Whether it is this seat's turn."""
    return table.game is not None and table.game.turn == event.seat


def _numbered(table: TableState, event: Event) -> TableState:
    """The numbers of what is asked beside the game, after an event."""
    number, resigning = table.asked, table.resigning
    if isinstance(event, ev.ReadyAsked | ev.RematchOffered):
        number = table.seq
    elif table.ready is None and table.rematch is None:
        number = None
    if isinstance(event, ev.ResignOffered):
        resigning = _with(resigning, side_of(event.seat, len(table.seats)), table.seq)
    else:
        old = resigning or (None,) * len(table.resign)
        resigning = tuple(
            None if offer is None or offer.refused else n
            for offer, n in zip(table.resign, old, strict=True)
        )
    if (number, resigning) == (table.asked, table.resigning):
        return table
    return replace(table, asked=number, resigning=resigning)


GAME = frozenset(GAME_EVENTS)


def _evolve_game(table: TableState, event: Event, seq: int, how: How) -> TableState:
    if table.game is None or table.match is None:
        raise TypeError(f"{event.TYPE} before a match")
    game = engine.evolve(table.game, event)  # type: ignore[arg-type]  # one of GAME_EVENTS
    decision = table.decision if isinstance(event, Continued) else seq
    status = table.status
    if isinstance(event, MatchEnded):
        status, decision = "finished", None
    meta, tally = table.match, experience.add(table.match.tally, event, how)
    if tally is not meta.tally:
        meta = replace(meta, tally=tally)
    resign, resigning = table.resign, table.resigning
    if isinstance(event, HandDealt | MatchEnded):
        resign = asked.changes(table, event)["resign"]
        resigning = (None,) * len(resign)
    return TableState(
        table.code,
        status,
        table.host,
        table.options,
        struck(table.seats, event, how),
        table.paused,
        meta,
        game,
        decision,
        seq,
        table.ready,
        table.rematch,
        resign,
        table.asked,
        resigning,
        table.left_ms if isinstance(event, Continued) else None,
        table.removed,
        _bid(table, event, seq),
    )


def _bid(table: TableState, event: Event, seq: int) -> int | None:
    """The number of the standing bid; a pass leaves it, all else ends it."""
    if isinstance(event, BidMade) and event.call == "bid":
        return seq
    return table.bid if isinstance(event, Passed) else None


def _new_game(event: ev.MatchStarted) -> State:
    return engine.new_match(
        event.rules, event.match, event.dealer, event.commit, event.secret, event.left
    )


class Everybody(asked.Asked, Protocol):
    """A table as its state, or as a viewer knows it."""

    @property
    def seats(self) -> tuple[Chair, ...]:
        """The chairs."""
        ...


def changed(table: Everybody, event: Event) -> dict[str, Any]:
    """What a table event changes of what everybody sees; the same for state and view."""
    offers = asked.changes(table, event)
    return offers if isinstance(event, _ASKS) else _seen(table, event) | offers


_ASKS = (
    ev.ReadyAsked,
    ev.ReadyAnswered,
    ev.RematchOffered,
    ev.RematchAnswered,
    ev.ResignOffered,
    ev.ResignAnswered,
    ev.Claimed,
)
"""What changes nothing but what is asked; a claim changes nothing by itself."""


def _seen(table: Everybody, event: Event) -> dict[str, Any]:
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


def struck(seats: tuple[Chair, ...], event: Event, how: How) -> tuple[Chair, ...]:
    """Strikes after a call or a card: one more at a deadline, none once the person acts."""
    if not isinstance(event, _MOVES):
        return seats
    chair = seats[event.seat]
    if how == "timeout":
        return _with(seats, event.seat, replace(chair, strikes=chair.strikes + 1))
    if how == "human" and chair.strikes:
        return _with(seats, event.seat, replace(chair, strikes=0))
    return seats


_MOVES = (CardPlayed, Passed, BidMade, Doubled, Redoubled, ThirdDoubled, DealAnnulled)
"""Declarations are none: they come before a card, or from seats that the server answers for."""


def _with(values: tuple[_T, ...], index: int, value: _T) -> tuple[_T, ...]:
    return (*values[:index], value, *values[index + 1 :])


# Questions


def open_turn(table: TableState) -> OpenTurn | None:
    """What the table waits for; None when nothing is asked, paused, or in the middle of a batch."""
    if table.asked is not None:
        return OpenTurn(table.asked, None, "ready" if table.ready is not None else "rematch")
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


def also(table: TableState) -> tuple[tuple[Seat, Also], ...]:
    """Every other decision that is open to a seat beside the turn (D7): to double out of turn, to
    agree to the partner's resignation, and to claim the rest where it is certain."""
    if table.status != "playing" or table.paused or table.game is None:
        return ()
    out: list[tuple[Seat, Also]] = []
    for offer, number in zip(table.resign, table.resigning, strict=True):
        if offer is not None and number is not None:
            out.append((partner_of(table, offer.seat), Also("resign", number)))
    if table.bid is not None:
        late = [seat for seat in range(len(table.seats)) if engine.also(table.game, Seat(seat))]
        out += [(Seat(seat), Also("double", table.bid)) for seat in late]
    claimant = claims.claimant(table.game)
    if claimant is not None and table.decision is not None:
        out.append((claimant, Also("claim", table.decision)))
    return tuple(out)


def partner_of(table: TableState, seat: Seat) -> Seat:
    """The seat across at a table of four."""
    return Seat((seat + 2) % len(table.seats))
