"""What people ask each other beside the game: ready to start, a rematch, to resign together.

The same for the state and for what everybody sees of it (D6): nothing here is private. The numbers
that answers must carry (D7) are the state's; a viewer learns them with the turn.
"""

from dataclasses import dataclass, replace
from typing import Any, Protocol

from app.belote.cards import Seat, side_of, sides
from app.belote.events import Event, HandDealt, MatchEnded
from app.tables import events as ev


@dataclass(frozen=True, slots=True)
class Ready:
    """A ready check: who is ready so far; ``bots`` take the free seats in any case."""

    yes: tuple[Seat, ...]
    bots: bool = False


@dataclass(frozen=True, slots=True)
class Rematch:
    """An offer of another match with the same people: who has said yes so far, bots left aside."""

    yes: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Resignation:
    """What a side's ``seat`` has offered. ``refused``: the side plays on until the next deal."""

    seat: Seat
    refused: bool = False


Resignations = tuple[Resignation | None, ...]
"""One entry a side; none at all before a match."""


class Asked(Protocol):
    """A table as its state, or as a viewer knows it."""

    @property
    def seats(self) -> tuple[Any, ...]:
        """The chairs."""
        ...

    @property
    def ready(self) -> Ready | None:
        """The ready check."""
        ...

    @property
    def rematch(self) -> Rematch | None:
        """The offer of a rematch."""
        ...

    @property
    def resign(self) -> Resignations:
        """The offers to resign."""
        ...


def changes(table: Asked, event: Event) -> dict[str, Any]:
    """The fields ``ready``, ``rematch`` and ``resign`` as an event changes them.

    A ready check ends with a no, with who gets up and with other options; a rematch is for the
    same people; an offer to resign is for the deal in which it is made.
    """
    match event:
        case ev.ReadyAsked(seat=seat, bots=bots):
            return {"ready": Ready((seat,), bots), "rematch": None}
        case ev.ReadyAnswered(seat=seat, yes=yes):
            check = table.ready
            return {"ready": replace(check, yes=(*check.yes, seat)) if check and yes else None}
        case ev.RematchOffered(seat=seat):
            return {"rematch": Rematch((seat,))}
        case ev.RematchAnswered(seat=seat, yes=yes):
            offer = table.rematch
            return {"rematch": Rematch((*offer.yes, seat)) if offer and yes else None}
        case ev.ResignOffered(seat=seat):
            return {"resign": _with(table, seat, Resignation(seat))}
        case ev.ResignAnswered(seat=seat, yes=False):
            offered = table.resign[side_of(seat, len(table.seats))]
            refused = offered and replace(offered, refused=True)
            return {"resign": _with(table, seat, refused)}
        case _:
            return _ended(table, event)


def _ended(table: Asked, event: Event) -> dict[str, Any]:
    """What an event of another kind ends."""
    match event:
        case ev.SeatTaken(seat=seat):
            return {"rematch": None, "resign": _with(table, seat, None)}
        case ev.SeatLeft():
            return {"ready": None, "rematch": None}
        case ev.SeatToBot(seat=seat, reason="left"):
            return {"resign": _with(table, seat, None)}
        case ev.OptionsSet():
            return {"ready": None}
        case ev.MatchStarted() | HandDealt() | MatchEnded():
            return {"ready": None, "rematch": None, "resign": (None,) * sides(len(table.seats))}
        case ev.Closed():
            return {"ready": None, "rematch": None}
        case _:
            return {}


def _with(table: Asked, seat: Seat, offer: Resignation | None) -> Resignations:
    side = side_of(seat, len(table.seats))
    return tuple(offer if n == side else each for n, each in enumerate(table.resign))
