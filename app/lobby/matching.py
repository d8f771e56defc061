"""Who plays with whom: the pure part of matchmaking. No rows, no clock.

Tickets of one wish come in; out comes one table's seats, or nothing yet. Partners stay partners,
who has waited longest is served first, and the longer it has waited the farther apart the ratings
may be. In a rated match two of one address never play against each other.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

from app.players.models import PlayerRef
from app.tables.events import Speed

EQUAL: Final = 1500
"""Everybody's rating, until there are ratings."""
FIRST_WINDOW: Final = 150
WIDER_PER_S: Final = 50
"""How far apart two ratings may be at once, and how much farther with each second of waiting."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody wants to play; only tickets of one wish meet."""

    preset: str
    target: int
    speed: Speed
    rated: bool


@dataclass(frozen=True, slots=True)
class Ticket:
    """A person who looks for a game. ``patient``: it chose to wait longer than usual, and until
    its time is over would rather wait than play with bots. ``address`` is a hash."""

    player: PlayerRef
    rating: int
    waited_ms: int
    wait_ms: int
    patient: bool = False
    party: str | None = None
    address: bytes | None = None


@dataclass(frozen=True, slots=True)
class Unit:
    """Who is seated together: one person, or two partners."""

    tickets: tuple[Ticket, ...]

    @property
    def rating(self) -> float:
        """The partners' mean."""
        return sum(ticket.rating for ticket in self.tickets) / len(self.tickets)

    @property
    def waited_ms(self) -> int:
        """Since the last of them came."""
        return min(ticket.waited_ms for ticket in self.tickets)

    @property
    def over(self) -> bool:
        """Whether it need not wait for people any longer."""
        return self.waited_ms >= max(ticket.wait_ms for ticket in self.tickets)

    @property
    def takes_bots(self) -> bool:
        """Whether it may be seated with bots now."""
        return self.over or not any(ticket.patient for ticket in self.tickets)


@dataclass(frozen=True, slots=True)
class Seating:
    """A table to open; None is a bot's seat. ``rated``: arranged so that it may be."""

    seats: tuple[Ticket | None, ...]
    rated: bool

    @property
    def people(self) -> list[Ticket]:
        """Those who sit, the one that has waited longest first."""
        sitting = [ticket for ticket in self.seats if ticket is not None]
        return sorted(sitting, key=lambda ticket: -ticket.waited_ms)

    @property
    def full(self) -> bool:
        """Whether people sit on all seats."""
        return None not in self.seats


def window(waited_ms: int) -> int:
    """How far apart ratings may be after so long."""
    return FIRST_WINDOW + WIDER_PER_S * waited_ms // 1000


def form(tickets: Iterable[Ticket], seats: int, *, rated: bool) -> Seating | None:
    """The next table of ``seats`` seats, or None as long as waiting may bring more people."""
    units = sorted(_units(tickets), key=lambda unit: -unit.waited_ms)
    for eldest in units:
        near = [unit for unit in units if unit is not eldest and _near(eldest, unit, rated)]
        near.sort(key=lambda unit: abs(unit.rating - eldest.rating))  # stable: then the eldest
        found = _gather(eldest, near, seats, rated=rated)
        if found is not None and found.full:
            return found
        if eldest.over:  # with bots nothing is rated, and addresses do not matter
            willing = [unit for unit in near if unit.takes_bots]
            return _gather(eldest, willing, seats, rated=False) or found
    return None


def _units(tickets: Iterable[Ticket]) -> list[Unit]:
    """Singles, and parties of which both are here; half a party waits for the other half."""
    units: list[Unit] = []
    parties: dict[str, list[Ticket]] = {}
    for ticket in tickets:
        if ticket.party is None:
            units.append(Unit((ticket,)))
        else:
            parties.setdefault(ticket.party, []).append(ticket)
    return units + [Unit(tuple(both)) for both in parties.values() if len(both) == 2]


def _near(eldest: Unit, other: Unit, rated: bool) -> bool:
    """Whether the ratings are near enough for how long the eldest has waited. Where nothing is at
    stake, anybody is better than a bot."""
    if eldest.over and not rated:
        return True
    return abs(eldest.rating - other.rating) <= window(eldest.waited_ms)


def _gather(eldest: Unit, others: Sequence[Unit], seats: int, *, rated: bool) -> Seating | None:
    """As many of the others as can sit down with the eldest, in their order."""
    together, found = [eldest], arrange([eldest], seats, rated=rated)
    for unit in others:
        if found is None or found.full:
            break
        if (more := arrange([*together, unit], seats, rated=rated)) is not None:
            together, found = [*together, unit], more
    return found


def arrange(units: Sequence[Unit], seats: int, *, rated: bool) -> Seating | None:
    """Seats for these, partners opposite each other and the sides as equal as can be; None if
    there is no way."""
    if seats == 4:
        return _two_sides(units, rated=rated)
    tickets = [ticket for unit in units for ticket in unit.tickets]
    if len(tickets) > seats or any(len(unit.tickets) > 1 for unit in units):
        return None
    if rated and _meet(*([ticket] for ticket in tickets)):
        return None
    free = (None,) * (seats - len(tickets))
    return Seating((*tickets, *free), rated=rated and not free)


def _two_sides(units: Sequence[Unit], *, rated: bool) -> Seating | None:
    best: tuple[tuple[int, float], Seating] | None = None
    for choice in product((0, 1), repeat=len(units) - 1):
        sides: tuple[list[Ticket], list[Ticket]] = ([], [])
        for unit, side in zip(units, (0, *choice), strict=True):
            sides[side].extend(unit.tickets)
        if max(map(len, sides)) > 2 or (rated and _meet(*sides)):
            continue
        heads = abs(len(sides[0]) - len(sides[1]))
        gap = abs(sum(t.rating for t in sides[0]) - sum(t.rating for t in sides[1]))
        if best is None or (heads, gap) < best[0]:
            (a, c), (b, d) = ([*side, None, None][:2] for side in sides)
            full = None not in (a, b, c, d)
            best = (heads, gap), Seating((a, b, c, d), rated=rated and full)
    return None if best is None else best[1]


def _meet(*sides: Sequence[Ticket]) -> bool:
    """Whether an address is on more than one side."""
    seen: set[bytes] = set()
    for side in sides:
        here = {ticket.address for ticket in side if ticket.address is not None}
        if here & seen:
            return True
        seen |= here
    return False
