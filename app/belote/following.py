"""What follows from an event for the referee's state and for every viewer alike (D6): whose turn,
which phase, what lies where. Nothing here judges what was called or played.
"""

from dataclasses import replace
from typing import Protocol, TypedDict, TypeVar

from app.belote.cards import Card, Seat, suit_of
from app.belote.deal import next_seat
from app.belote.events import (
    BeloteSaid,
    CardPlayed,
    Declared,
    Event,
    Passed,
    RestDealt,
    SeenDeclaration,
)
from app.belote.rules import RuleSet
from app.belote.seen import Phase, Trick

T = TypeVar("T")
Places = tuple[tuple[T, ...], ...]
"""By seat, what lies at each place before it."""


class Following(Protocol):
    """What state and view share, as far as it is asked for here."""

    @property
    def rules(self) -> RuleSet:
        """The match's."""
        ...

    @property
    def dealer(self) -> Seat:
        """Of this deal."""
        ...

    @property
    def phase(self) -> Phase:
        """Before the event."""
        ...

    @property
    def round(self) -> int:
        """Of the auction."""
        ...

    @property
    def trick(self) -> Trick | None:
        """The one on the table."""
        ...


class Step(TypedDict, total=False):
    """A change of phase and turn."""

    phase: Phase
    turn: Seat | None


def added(counts: tuple[int, ...], place: int, more: int) -> tuple[int, ...]:
    """The counts with one of them changed."""
    return (*counts[:place], counts[place] + more, *counts[place + 1 :])


def belote_told(said: tuple[BeloteSaid, ...], event: CardPlayed) -> tuple[BeloteSaid, ...]:
    """What has been said of king and queen of trumps, with what this card's seat said."""
    if event.belote is None:
        return said
    suit = suit_of(event.card)
    if event.belote == "belote":
        return (*said, BeloteSaid(event.seat, suit, 1))
    return tuple(replace(b, said=2) if b.seat == event.seat and b.suit == suit else b for b in said)


def placed(places: Places[T], seat: Seat, place: int, item: T) -> Places[T]:
    """What lies before the seats, with one place changed."""
    own = places[seat]
    own = (*own[:place], item, *own[place + 1 :])
    return (*places[:seat], own, *places[seat + 1 :])


def played_from(up: Places[Card | None], seat: Seat, card: Card) -> Places[Card | None]:
    """The face-up cards after one of them was played."""
    return placed(up, seat, up[seat].index(card), None)


def unseen(event: Declared) -> tuple[SeenDeclaration, ...]:
    """Declarations of which the kinds alone are known."""
    return tuple(SeenDeclaration(event.seat, kind) for kind in event.kinds)


def round_after(before: Following, event: Event) -> int:
    """The round of the auction: a turn-up is offered twice, the dealer's pass ends the first."""
    again = isinstance(event, Passed) and event.round == 1 and event.seat == before.dealer
    return 2 if again and before.rules.auction == "turn_up" else before.round


def before_the_lead(before: Following, event: RestDealt) -> Step:
    """Play begins; or all are asked for declarations first, from eldest."""
    rules = before.rules
    if rules.declare_at == "before_lead" and rules.declare != "none":
        return {"phase": "declaring", "turn": next_seat(before.dealer, rules.players)}
    return {"phase": "play", "turn": event.leader}


def after_declaring(before: Following, event: Declared) -> Step:
    """The next seat is asked; after the dealer the leader leads."""
    if before.phase != "declaring":
        return {}
    if event.seat != before.dealer:
        return {"turn": next_seat(event.seat, before.rules.players)}
    assert before.trick is not None
    return {"phase": "play", "turn": before.trick.leader}
