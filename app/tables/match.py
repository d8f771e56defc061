"""Who plays a match from when to when: what its rows and its experience are written from.

A seat may see several people in a match: who leaves for good is followed by a bot, and a bot, in a
casual match, by a latecomer. Each stay is a stint; only what was won during it is the player's.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal
from uuid import UUID

from app.belote.cards import Seat
from app.progress import experience
from app.progress.experience import Tally
from app.tables.events import MatchStarted, Occupant

Outcome = Literal["finished", "absent", "abandoned", "quit"]
"""How a rated match ended for a person (``conduct``). absent: a bot played for the person when it
ended; abandoned: nobody came back to it; quit: left for good."""


@dataclass(frozen=True, slots=True)
class Stint:
    """One stay on a seat. ``deals`` (scored), ``deals_won`` and ``own_tricks`` are what the seat
    had before it; ``left``: it ended with the person's leaving for good."""

    seat: Seat
    who: Occupant
    deals: int = 0
    deals_won: int = 0
    own_tricks: int = 0
    left: bool = False


@dataclass(frozen=True, slots=True)
class MatchMeta:
    """The match being played, or the last one: who played it, what counts for experience."""

    id: str
    number: int
    stints: tuple[Stint, ...]
    seq_from: int
    tally: Tally

    @property
    def seats(self) -> int:
        """How many seats it has."""
        return self.tally.players

    @property
    def players(self) -> tuple[Occupant, ...]:
        """Who sat there when it began."""
        return tuple(stint.who for stint in self.stints[: self.seats])

    @property
    def left(self) -> tuple[bool, ...]:
        """By seat: whether the last who came to it has left for good."""
        return tuple(self.last(Seat(seat)).left for seat in range(self.seats))

    def last(self, seat: Seat) -> Stint:
        """The newest stint on a seat."""
        return next(stint for stint in reversed(self.stints) if stint.seat == seat)

    def of_seat(self, seat: Seat) -> list[Stint]:
        """The stints on a seat, one after the other."""
        return [stint for stint in self.stints if stint.seat == seat]

    def people(self) -> Iterator[Stint]:
        """The stints of people, those that ended too."""
        return (stint for stint in self.stints if stint.who.player is not None)

    def won_by(self, stint: Stint) -> tuple[int, int]:
        """(deals won, own tricks) of a stint: what came after what the seat had before it, up to
        the next stint on the seat."""
        stints = self.of_seat(stint.seat)
        after = stints[stints.index(stint) + 1 :]
        if after:
            deals, tricks = after[0].deals_won, after[0].own_tricks
        else:
            deals, tricks = self.tally.deals_of(stint.seat), self.tally.own_tricks[stint.seat]
        return deals - stint.deals_won, tricks - stint.own_tricks

    def half_played(self, stint: Stint, deals: int) -> bool:
        """Whether a stint that lasted to the end had half of the match's scored deals: then the
        points of the match's end are its player's too."""
        return 2 * (deals - stint.deals) >= deals

    def has_left(self, player: UUID) -> bool:
        """Whether somebody has left this match for good: there is no way back into it."""
        return any(stint.left and stint.who.player == player for stint in self.stints)


def begun(event: MatchStarted, seq: int) -> MatchMeta:
    """A match at its start."""
    return MatchMeta(
        id=event.match,
        number=event.number,
        stints=tuple(Stint(Seat(seat), who) for seat, who in enumerate(event.seats)),
        seq_from=seq,
        tally=experience.new_tally(len(event.seats)),
    )


def joined(match: MatchMeta, seat: Seat, who: Occupant, deals: int) -> MatchMeta:
    """A person takes a bot's seat after so many scored deals."""
    tally = match.tally
    stint = Stint(seat, who, deals, tally.deals_of(seat), tally.own_tricks[seat])
    return replace(match, stints=(*match.stints, stint))


def gone(match: MatchMeta, seat: Seat) -> MatchMeta:
    """The seat's person has left for good."""
    last = match.last(seat)
    stints = tuple(replace(each, left=True) if each is last else each for each in match.stints)
    return replace(match, stints=stints)
