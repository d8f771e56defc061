"""Batches before they are numbered: what is to be written, and the pure ways to make them.

Everything here is a function of the table, so that after a conflict it can be asked once more. The
randomness (secret bytes, dealer, ids, names of bots) comes in as arguments.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol
from uuid import UUID

from app.belote import engine, shuffle
from app.belote.cards import Seat
from app.belote.commands import Command, End
from app.belote.deal import first_dealer
from app.belote.engine import RuleError
from app.belote.events import Event, GameEvent
from app.belote.gather import Leavings
from app.belote.state import State
from app.bots.names import AVATAR
from app.infra.clock import Clock
from app.infra.errors import AppError
from app.infra.ids import new_id
from app.infra.rng import Rng
from app.tables import events as ev
from app.tables import table as tables
from app.tables.events import CloseReason, How, Occupant, SitInReason
from app.tables.table import Chair, TableState


@dataclass(frozen=True, slots=True)
class Draft:
    """A batch to be: its events, who acted, and the client's id for it. ``hows`` tells for each
    event who acted, where it was not always the same; ``address`` is the hash of where ``by`` sits
    down from, which rated tables keep as long as the seat."""

    events: tuple[Event, ...]
    how: How
    by: UUID | None = None
    cmd_id: UUID | None = None
    expiry: bool = False
    hows: tuple[How, ...] = ()
    address: bytes | None = None

    def each(self) -> Iterator[tuple[Event, How]]:
        """Every event with who acted."""
        return zip(self.events, self.hows or (self.how,) * len(self.events), strict=True)


@dataclass(frozen=True, slots=True)
class ClientCommand:
    """What a person sent: an id of the client's, the open decision it answers (D7), and the
    command, such as ``{"type": "play", "card": "AH"}``."""

    id: UUID
    decision: int | None
    c: Mapping[str, Any]


class Refused(Exception):
    """A command that is not carried out. ``reclaim``: the seat is taken back all the same (D7)."""

    def __init__(
        self, code: str, facts: Mapping[str, object] | None = None, reclaim: tuple[Event, ...] = ()
    ) -> None:
        super().__init__(code)
        self.code = code
        self.facts: Mapping[str, object] = facts or {}
        self.reclaim = reclaim


Away = Callable[[TableState], frozenset[int]]


class Namer(Protocol):
    """Finds a name for a bot that nobody at the table has."""

    def __call__(self, taken: set[str]) -> str:
        """The name."""
        ...


@dataclass(frozen=True, slots=True)
class Means:
    """What a draft may need beside the table: chance, time, names, and who is away (the seats
    whose people are not connected: they count as ready for the next deal)."""

    rng: Rng
    clock: Clock
    name: Namer
    away: Away


def fold(table: TableState, events: tuple[Event, ...], how: How) -> TableState:
    """The table after events that follow each other."""
    for event in events:
        table = tables.evolve(table, event, table.seq + 1, how)
    return table


# The server's own


def deal(game: State | None, rng: Rng) -> tuple[GameEvent, ...]:
    """Deal the next pack from the bytes committed before, and commit the bytes after them."""
    if game is None:
        raise TypeError("no match to deal for")
    secret = rng.token_bytes(shuffle.SECRET_BYTES).hex()
    return engine.decide(game, engine.next_deal(game, secret))


def timeout(table: TableState) -> Draft | None:
    """What a person's deadline brings: at the first the server plays a sensible card, at the
    second in a row a bot sits in (D10)."""
    turn = tables.open_turn(table)
    if turn is None or turn.seat is None or table.game is None:
        return None
    if table.seats[turn.seat].strikes >= 1:
        return sit_in(table, turn.seat, "deadline", 0, expiry=True)
    events = engine.decide(table.game, engine.sensible(table.game, turn.seat))
    return Draft(events, "timeout", expiry=True)


def sit_in(
    table: TableState,
    seat: Seat,
    reason: SitInReason,
    left_ms: int | None,
    *,
    expiry: bool = False,
) -> Draft:
    """A bot plays for an absent person, who had ``left_ms`` of the open turn left."""
    level = table.options.bots or "novice"
    return Draft((ev.SeatToBot(seat, reason, level, left_ms),), "system", expiry=expiry)


def bot(table: TableState, thought: Command | None) -> Draft | None:
    """A bot's turn: what it thought of, or the sensible card if it can't be told any more. For a
    person who is asked and has nothing to declare the server answers: nobody can tell which."""
    turn = tables.open_turn(table)
    if turn is None or turn.seat is None or table.game is None:
        return None
    if thought is not None:
        try:
            return Draft(engine.decide(table.game, thought), "bot", expiry=True)
        except RuleError:
            pass  # a bot's mistake must not hang the table
    events = engine.decide(table.game, engine.sensible(table.game, turn.seat))
    how: How = "bot" if tables.is_bot(table.seats[turn.seat]) else "system"
    return Draft(events, how, expiry=True)


def next_deal(table: TableState, rng: Rng) -> Draft | None:
    """The pause between two deals is over."""
    turn = tables.open_turn(table)
    if turn is None or turn.kind != "continue":
        return None
    return Draft(deal(table.game, rng), "system", expiry=True)


def match_start(table: TableState, rng: Rng, clock: Clock, name: Namer) -> tuple[Event, ...]:
    """Bots on the free seats, a match, its first deal. AppError ``rated_needs_people``."""
    require_people(table)
    bots = _fill(table, name)
    table = fold(table, bots, "system")
    rules = table.options.rules
    secret = rng.token_bytes(shuffle.SECRET_BYTES).hex()
    started = ev.MatchStarted(
        match=str(new_id(clock, rng)),
        number=1 if table.match is None else table.match.number + 1,
        rules=rules,
        options=table.options,
        host=table.host,
        seats=tuple(occupant(chair) for chair in table.seats),
        dealer=_first_dealer(table, rng),
        commit=shuffle.commit_of(secret),
        secret=secret,
        removed=tuple(sorted(table.removed)),
        left=_left(table),
    )
    return (*bots, started, *deal(fold(table, (started,), "system").game, rng))


def require_people(table: TableState) -> None:
    """A rated match begins with people on all seats (D22); a bot may take the place of who leaves,
    so that the others can play on (D10). AppError ``rated_needs_people``."""
    if table.options.rated and len(tables.persons(table)) < len(table.seats):
        raise AppError("rated_needs_people")


def _first_dealer(table: TableState, rng: Rng) -> Seat:
    """Drawn; or of the last match's winners, where there was one of as many players."""
    rules, last = table.options.rules, table.game
    if rules.first_dealer == "winners" and last is not None and last.result is not None:
        winner = last.result.winner
        if winner is not None and last.rules.players == rules.players:
            return first_dealer(rules, winner, last.dealer)
    return Seat(rng.between(0, rules.players - 1))


def _left(table: TableState) -> Leavings | None:
    """What the last match left of the table's one pack, where it is cut."""
    rules, last = table.options.rules, table.game
    if last is None or rules.handling != "cut" or last.rules.pack != rules.pack:
        return None
    return last.left


def _fill(table: TableState, name: Namer) -> tuple[Event, ...]:
    """Bots for free seats, and for those whose person left in the last match."""
    taken = {chair.name for chair in table.seats if chair.name is not None}
    level = table.options.bots or "novice"
    out: list[Event] = []
    for index, chair in enumerate(table.seats):
        if chair.kind == "free" or (chair.kind == "bot" and chair.avatar != AVATAR):
            called = name(taken)
            taken.add(called)
            sitter = Occupant("bot", None, called, AVATAR, None, level)
            out.append(ev.SeatTaken(Seat(index), sitter))
    return tuple(out)


def occupant(chair: Chair) -> Occupant:
    """Who sits on a chair; a bot that sits in for a person is no occupant."""
    if chair.kind == "free" or chair.name is None or chair.avatar is None:
        raise ValueError("a free seat")
    bot_level = chair.bot if chair.kind == "bot" else None
    return Occupant(chair.kind, chair.player, chair.name, chair.avatar, chair.level, bot_level)


def give_up(table: TableState, reason: CloseReason) -> tuple[Event, ...]:
    """Close a table; a match that runs ends without a winner."""
    events: tuple[Event, ...] = ()
    if table.status == "playing" and table.game is not None:
        events = (ev.Abandoned(), *engine.decide(table.game, End("abandoned")))
        reason = "abandoned"
    return (*events, ev.Closed(reason))


def leave(table: TableState, player: UUID) -> tuple[Event, ...]:
    """Somebody gets up for good: in a match a bot plays on; the last person's going closes."""
    seat = table.seat_of(player)
    if seat is None:
        raise AppError("not_seated")
    if table.status == "closed":
        raise AppError("table_closed")
    events: tuple[Event, ...]
    if table.status == "playing":
        events = (ev.SeatToBot(seat, "left", table.options.bots or "novice"),)
    else:
        events = (ev.SeatLeft(seat),)
    after = fold(table, events, "human")
    if not tables.persons(after):
        return events + give_up(after, "empty")
    return events + handed_over(table, events)


def handed_over(table: TableState, events: tuple[Event, ...]) -> tuple[Event, ...]:
    """Another host, if the table's own has no seat any more after these events."""
    after = fold(table, events, "human")
    if after.host is None or after.seat_of(after.host) is not None:
        return ()
    people = tables.persons(after)
    return (ev.HostChanged(people[0]),) if people else ()
