"""The referee: what is open to whom, what a command brings about, and what a silent seat plays.

``decide`` makes events or raises ``RuleError``; ``evolve`` (from ``state``) folds them. Both are
functions of their arguments alone (D1). A batch that opens another turn ends with the event that
opened it. The parts: ``engine_auction``, ``engine_play``, ``engine_score``.
"""

from typing import assert_never

from app.belote import bidding, engine_auction, engine_play
from app.belote import sensible as silence
from app.belote.cards import Seat
from app.belote.commands import (
    Annul,
    Bid,
    Command,
    Continue,
    Deal,
    Declare,
    Double,
    End,
    Name,
    Pass,
    Play,
    Redouble,
    Take,
    ThirdDouble,
)
from app.belote.engine_auction import next_deal
from app.belote.engine_score import match_ended
from app.belote.events import CallKind, Continued, GameEvent
from app.belote.legal import Legal, Turn
from app.belote.play import Refusal
from app.belote.refusing import RuleError, require
from app.belote.state import State, evolve, new_match

__all__ = [
    "Legal",
    "Refusal",
    "RuleError",
    "State",
    "Turn",
    "also",
    "decide",
    "evolve",
    "legal",
    "new_match",
    "next_deal",
    "sensible",
    "turn_of",
]

_NOTHING = Legal()


def turn_of(state: State) -> Turn | None:
    """The open turn; None between deals and after the end."""
    if state.turn is None:
        return None
    match state.phase:
        case "play":
            return Turn(state.turn, "play")
        case "declaring":
            return Turn(state.turn, "declare")
        case _:
            return Turn(state.turn, "call")


def legal(state: State, seat: Seat) -> Legal:
    """Everything that is open to a seat in turn, and why its other cards are not."""
    if state.turn != seat:
        return _NOTHING
    if state.phase == "play":
        return engine_play.legal_cards(state, seat)
    if state.phase == "declaring":
        return engine_play.legal_declarations(state, seat)
    return bidding.options(state, seat)


def also(state: State, seat: Seat) -> tuple[CallKind, ...]:
    """The calls that are open to a seat out of turn, as long as the bid stands that they answer
    (D7)."""
    return bidding.out_of_turn(state, seat)


def decide(state: State, command: Command) -> tuple[GameEvent, ...]:
    """The events of a command, one batch; raises ``RuleError``, and then nothing has changed."""
    match command:
        case Play():
            return engine_play.play(state, command)
        case Declare():
            return engine_play.declare(state, command)
        case (
            Pass() | Take() | Name() | Bid() | Double() | Redouble() | ThirdDouble() | Annul()
        ):  # fmt: skip
            return engine_auction.call(state, command)
        case Deal():
            return engine_auction.deal(state, command)
        case Continue():
            return _continue(state, command)
        case End():
            require(state.phase != "ended", "wrong_phase")
            return (match_ended(state, command),)
        case _:
            assert_never(command)


def sensible(state: State, seat: Seat) -> Command:
    """What the server does for a seat whose time is up (D10). The seat must be to act."""
    return silence.sensible(state, seat, legal(state, seat))


def _continue(state: State, command: Continue) -> tuple[GameEvent, ...]:
    require(state.phase in ("scored", "passed_out"), "wrong_phase")
    require(command.seat not in state.continued, "already_continued")
    return (Continued(command.seat),)
