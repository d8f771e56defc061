"""Who waits in this process: what was asked for, and who is told."""

from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from app.infra.errors import AppError
from app.lobby.matching import Wish
from app.players.models import PlayerRef
from app.tables.events import Speed


class Listener(Protocol):
    """Whoever waits; told in the loop, and must not block."""

    def queued(self, place: "Place", people: int) -> None:
        """Still looking; so many people have the same wish, this one too."""
        ...

    def matched(self, code: str, seat: int) -> None:
        """The seat; the ticket is over."""
        ...

    def cancelled(self, error: AppError) -> None:
        """The ticket is over without a seat."""
        ...


@dataclass(frozen=True, slots=True)
class Asked:
    """What a person asks for. ``target`` None: the game's own; ``wait_ms`` None: as usual, with
    bots soon; ``party``: together with the partner of its party."""

    preset: str
    target: int | None = None
    speed: Speed = "normal"
    rated: bool = False
    wait_ms: int | None = None
    party: bool = False


@dataclass(slots=True)
class Place:
    """A ticket of this process: ``conn`` is the row's. Several windows of a person may wait for the
    same thing; it ends with the last of them. Times are of the clock, in milliseconds."""

    conn: UUID
    player: PlayerRef
    wish: Wish
    wait_ms: int
    patient: bool
    party: str | None
    since_ms: int
    listeners: dict[UUID, Listener]
    told: int = 0
    """How many people it was last told of."""
    together: bool = True
    """Whether its partner looks as well."""
    queued: bool = False
    """Whether its row is written."""

    def follow(self, partner: tuple[Wish, int, bool] | None) -> None:
        """Who of a party asked first has chosen for both: the wish, how long, if patiently."""
        if partner is not None:
            self.wish, self.wait_ms, self.patient = partner

    def same_as(self, other: "Place") -> bool:
        """Whether both ask for the same thing."""
        mine = (self.wish, self.wait_ms, self.party)
        return mine == (other.wish, other.wait_ms, other.party)

    def matched(self, code: str, seat: int) -> None:
        """Tell all."""
        for listener in self.listeners.values():
            listener.matched(code, seat)

    def cancelled(self, error: AppError) -> None:
        """Tell all."""
        for listener in self.listeners.values():
            listener.cancelled(error)
