"""The core's commands: from what a client sent, and back from the events that one has left."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from app.belote import engine
from app.belote.cards import Seat, Trump, card_named
from app.belote.commands import (
    Annul,
    Bid,
    Command,
    Continue,
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
from app.belote.events import (
    BidMade,
    BidValue,
    CardPlayed,
    Cards,
    Continued,
    DealAnnulled,
    Declared,
    Doubled,
    Event,
    HandDealt,
    MatchEnded,
    Passed,
    Redoubled,
    ThirdDoubled,
)
from app.belote.state import State

_SIMPLE: Final[Mapping[str, Callable[[Seat], Command]]] = {
    "pass": Pass,
    "take": Take,
    "double": Double,
    "redouble": Redouble,
    "third": ThirdDouble,
    "annul": Annul,
    "continue": Continue,
}


def parse(c: Mapping[str, Any], seat: Seat) -> Command:
    """The command of a message, such as ``{"type": "play", "card": "AH"}``; ``ValueError`` for
    anything that is none of a person's."""
    try:
        return _parsed(c, seat)
    except (KeyError, TypeError) as error:
        raise ValueError(f"no command: {error}") from error


def _parsed(c: Mapping[str, Any], seat: Seat) -> Command:
    kind = c["type"]
    match kind:
        case "name":
            return Name(seat, Trump(c["trump"]))
        case "bid":
            return Bid(seat, Trump(c["trump"]), _value(c.get("value")))
        case "declare":
            return Declare(seat, _declarations(c.get("declarations")))
        case "play":
            declare, belote = _declarations(c.get("declare")), c.get("belote")
            if belote not in (None, True, False):
                raise ValueError("belote is said or not")
            return Play(seat, card_named(c["card"]), declare, belote)
        case _:
            return _SIMPLE[kind](seat)


def _value(value: object) -> BidValue | None:
    if value is None or value == "capot" or type(value) is int:
        return value
    raise ValueError("no value of a bid")


def _declarations(names: Any) -> tuple[Cards, ...] | None:
    if names is None:
        return None
    return tuple(tuple(card_named(name) for name in each) for each in names)


def command_of(game: State, events: Sequence[Event]) -> Command:
    """The command that a run of a game's events came from; ``ValueError`` if none begins so."""
    declared: Declared | None = None
    for event in events:
        match event:
            case HandDealt():
                return engine.next_deal(game, event.next_secret)
            case Declared() if game.phase == "declaring":
                return Declare(event.seat, _chosen(event))
            case Declared():
                declared = event  # it comes before its card
            case CardPlayed():
                return _play(game, event, declared)
            case Continued():
                return Continue(event.seat)
            case MatchEnded():
                return End(event.reason, event.winner)
            case _:
                return _call(event)
    raise ValueError("no command begins so")


def _call(event: Event) -> Command:
    match event:
        case Passed():
            return Pass(event.seat)
        case BidMade(call="take"):
            return Take(event.seat)
        case BidMade(call="name"):
            return Name(event.seat, event.trump)
        case BidMade():
            return Bid(event.seat, event.trump, event.value)
        case Doubled():
            return Double(event.seat)
        case Redoubled():
            return Redouble(event.seat)
        case ThirdDoubled():
            return ThirdDouble(event.seat)
        case DealAnnulled():
            return Annul(event.seat)
        case _:
            raise ValueError(f"no command begins with {event.TYPE}")


def _chosen(event: Declared) -> tuple[Cards, ...]:
    return tuple(each.cards for each in event.declarations[event.seat] or ())


def _play(game: State, event: CardPlayed, declared: Declared | None) -> Play:
    """The card with what its seat chose to say, where there was a choice."""
    options = engine.legal(game, event.seat)
    declare: tuple[Cards, ...] | None = None
    if options.declarations:
        declare = () if declared is None else _chosen(declared)
    silent = event.card in options.belote and event.belote is None
    return Play(event.seat, event.card, declare, False if silent else None)
