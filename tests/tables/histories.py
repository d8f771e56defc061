"""Whole tables' lives without a database: every kind of event, from a number."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from app.belote import claims
from app.belote.cards import Seat
from app.belote.commands import Command, Continue, Name, Play, Take
from app.belote.engine import decide, legal, sensible
from app.belote.events import Event
from app.belote.presets import PRESETS
from app.belote.rules import RuleSet
from app.infra.rng import SeededRng
from app.tables import drafts, offers
from app.tables import events as ev
from app.tables import table as tables
from app.tables.drafts import ClientCommand, Draft
from app.tables.events import How, Occupant
from app.tables.table import Chair, TableState
from tests.belote.driver import moves, out_of_turn
from tests.clocks import FakeClock

from .kit import options

CODE = "K7Q2MD"
PEOPLE = tuple(UUID(int=n + 1) for n in range(4))
STRANGER = UUID(int=99)


@dataclass(frozen=True, slots=True)
class Moment:
    """An event with the tables around it."""

    before: TableState
    event: Event
    how: How
    after: TableState


class Life:
    """Writes events as the service would, and remembers them."""

    def __init__(self, seed: int | str, rules: RuleSet | None = None) -> None:
        self.rng = SeededRng(seed)
        self.random = self.rng.random()
        self.clock = FakeClock()
        opts = options(bots="novice")
        if rules is not None:
            opts = options(preset=rules.preset, rules=rules)
        chairs = (Chair(),) * opts.rules.players
        self.table = TableState(CODE, "waiting", None, opts, chairs)
        self.moments: list[Moment] = []
        self.batches: list[list[Moment]] = []
        self.write([ev.Opened(CODE, PEOPLE[0], opts)], "human")

    def write(self, events: list[Event] | tuple[Event, ...], how: How) -> None:
        """One batch."""
        self.draft(Draft(tuple(events), how))

    def draft(self, draft: Draft) -> None:
        """One batch, each event with who acted."""
        batch = []
        for event, how in draft.each():
            before = self.table
            self.table = tables.evolve(before, event, before.seq + 1, how)
            batch.append(Moment(before, event, how, self.table))
        self.moments += batch
        self.batches.append(batch)

    def sit(self, seat: int, player: UUID) -> None:
        """A person sits down."""
        who = Occupant("person", player, f"Person {seat}", "qh", seat)
        self.write([ev.SeatTaken(Seat(seat), who)], "human")

    def start(self) -> None:
        """A match starts."""
        name = iter(["Mira", "Luka", "Vera", "Hugo"])
        events = drafts.match_start(self.table, self.rng, self.clock, lambda _: next(name))
        self.write(events, "human")

    def move(self, how: How) -> None:
        """Whose turn it is acts: at random, or sensibly at a deadline."""
        turn = tables.open_turn(self.table)
        game = self.table.game
        assert turn is not None
        assert game is not None
        if turn.seat is None:
            self.write(drafts.deal(game, self.rng), "system")
            return
        command: Command = sensible(game, turn.seat)
        if how != "timeout":
            options_ = legal(game, turn.seat)
            if "take" in options_.calls and self.random.random() < 0.3:
                command = Take(turn.seat)
            elif options_.trumps and self.random.random() < 0.3:
                command = Name(turn.seat, self.random.choice(options_.trumps))
            elif options_.cards:
                command = Play(turn.seat, self.random.choice(options_.cards))
        self.write(decide(game, command), how)


def life(seed: int | str, people: int = 3) -> Life:
    """A table from its opening to its end, with a bit of everything that can happen."""
    lived = Life(seed)
    for seat in range(people):
        lived.sit(seat, PEOPLE[seat])
    lived.sit(3, PEOPLE[3])
    lived.write([ev.SeatLeft(Seat(3)), ev.HostChanged(PEOPLE[1])], "human")
    lived.write([ev.OptionsSet(options(speed="fast", spectators=True))], "human")
    _ready_checks(lived)
    lived.start()
    while lived.table.status == "playing":
        _something(lived)
    _rematches(lived)
    lived.start()
    lived.move("human")
    lived.write([ev.SeatToBot(Seat(2), "left", "novice")], "human")
    lived.write([ev.Paused()], "system")
    lived.write(drafts.give_up(lived.table, "idle"), "system")
    return lived


def _ready_checks(lived: Life) -> None:
    """One that is refused, one that ends with who gets up, one that all agree to."""
    for answers in ((False,), (), (True, True)):
        if lived.table.seats[0].kind == "free":
            lived.sit(0, PEOPLE[0])
        lived.write([ev.ReadyAsked(Seat(1), bots=bool(answers))], "human")
        for seat, yes in zip((0, 2), answers, strict=False):
            lived.write([ev.ReadyAnswered(Seat(seat), yes)], "human")
        if not answers:
            lived.write([ev.SeatLeft(Seat(0))], "timeout")
    lived.write([ev.SeatLeft(Seat(2), removed=True)], "human")
    lived.sit(2, PEOPLE[2] if lived.random.random() < 0.5 else UUID(int=7))


def _rematches(lived: Life) -> None:
    """One that is refused, one that all agree to."""
    yes = Seat(0)
    others = [Seat(n) for n, chair in enumerate(lived.table.seats) if n and chair.player]
    lived.write([ev.RematchOffered(yes)], "human")
    lived.write([ev.RematchAnswered(others[-1], yes=False)], "timeout")
    lived.write([ev.RematchOffered(yes)], "human")
    for seat in others:
        lived.write([ev.RematchAnswered(seat, yes=True)], "human")


def _resigning(lived: Life) -> None:
    """An offer that the partner refuses, that is taken back, or that is still open."""
    if lived.table.resign[0] is None:
        lived.write([ev.ResignOffered(Seat(0))], "human")
        if lived.random.random() < 0.5:
            whose = Seat(2 if lived.random.random() < 0.5 else 0)
            lived.write([ev.ResignAnswered(whose, yes=False)], "human")


def _claiming(lived: Life) -> None:
    """Whoever may claim the rest, does."""
    game = lived.table.game
    assert game is not None
    seat = claims.claimant(game)
    if seat is not None:
        asked = ClientCommand(UUID(int=1), lived.table.decision, {"type": "claim"})
        lived.draft(offers.claim(lived.table, seat, asked, _NO_MEANS))


def _something(lived: Life) -> None:
    table, chance = lived.table, lived.random.random()
    turn = tables.open_turn(table)
    assert turn is not None
    game = table.game
    assert game is not None
    if chance < 0.03:
        lived.write([ev.Paused()], "system")
        lived.write([ev.Resumed()], "system")
    elif chance < 0.10:
        _sit_in_or_back(lived)
    elif turn.seat is not None and chance > 0.2 and claims.claimant(game) is not None:
        _claiming(lived)
    elif chance < 0.12:
        _resigning(lived)
    elif turn.seat is None and chance < 0.3 and lived.table.seats[3].kind == "bot":
        lived.sit(3, PEOPLE[3])
    elif turn.seat is None and chance < 0.6 and Seat(0) not in game.continued:
        lived.write(decide(game, Continue(Seat(0))), "human")
    elif turn.seat is not None and tables.is_bot(table.seats[turn.seat]):
        lived.move("bot")
    else:
        lived.move("timeout" if chance > 0.9 else "human")


def _sit_in_or_back(lived: Life) -> None:
    seat = Seat(lived.random.randrange(3))
    chair = lived.table.seats[seat]
    if chair.sitting_in:
        lived.write([ev.SeatReclaimed(seat)], "human")
    elif chair.kind == "person":
        reason: ev.SitInReason = "away" if lived.random.random() < 0.5 else "deadline"
        lived.write([ev.SeatToBot(seat, reason, "novice")], "system")


def match_of(preset: str, seed: int | str) -> Life:
    """A match of any game at a full table: random moves, doubles out of turn, claims; resigned
    after some deals if it has not ended by then."""
    lived = Life(f"{preset} {seed}", PRESETS[preset])
    seats = len(lived.table.seats)
    for seat in range(seats):
        lived.sit(seat, PEOPLE[seat])
    lived.start()
    while lived.table.status == "playing" and lived.table.game.deal < 4:  # type: ignore[union-attr]
        _any_move(lived)
    if lived.table.status == "playing":
        asked = ClientCommand(UUID(int=1), None, {"type": "resign"})
        lived.draft(offers.resign(lived.table, Seat(1), asked, _NO_MEANS))
        if lived.table.resigning[1] is not None:
            lived.draft(offers.resign(lived.table, Seat(3), asked, _NO_MEANS))
    return lived


_NO_MEANS: Any = None


def _any_move(lived: Life) -> None:
    game, turn = lived.table.game, tables.open_turn(lived.table)
    assert game is not None
    assert turn is not None
    late = out_of_turn(game)
    if turn.seat is None:
        lived.write(drafts.deal(game, lived.rng), "system")
    elif late and lived.random.random() < 0.2:
        lived.write(decide(game, lived.random.choice(late)), "human")
    elif claims.claimant(game) is not None and lived.random.random() < 0.5:
        _claiming(lived)
    else:
        lived.write(decide(game, lived.random.choice(moves(game))), "human")


def lives(count: int) -> Iterator[Life]:
    """Several."""
    for seed in range(count):
        yield life(seed)
