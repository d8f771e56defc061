"""What this room asks of the rooms above and beside it; ``main.py`` passes the implementations."""

from dataclasses import dataclass
from random import Random
from typing import Protocol
from uuid import UUID

from app.belote.commands import Command
from app.belote.legal import Legal
from app.belote.view import View
from app.tables.codec import Stored
from app.tables.events import BotLevel
from app.tables.table import TableState, TurnInfo


@dataclass(frozen=True, slots=True)
class Publication:
    """A committed batch (D3), or events that were read back, in order and without a gap between
    ``before`` and ``after``. No events: only the turn is told again. ``origin`` is the person and
    the command that brought it about."""

    code: str
    table_id: int
    events: tuple[Stored, ...]
    before: TableState
    after: TableState
    turn: TurnInfo | None
    origin: tuple[UUID, UUID] | None = None


class Publisher(Protocol):
    """Whoever brings committed events to the sockets."""

    def publish(self, publication: Publication) -> None:
        """Put frames into outboxes; it must not wait, and what it raises is logged, no more."""
        ...


class BotBrain(Protocol):
    """A bot: from a seat's view and its legal choices to one of them (D11)."""

    def __call__(self, view: View, legal: Legal, level: BotLevel, rng: Random) -> Command:
        """The bot's command."""
        ...
