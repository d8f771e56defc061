"""Who gets which field of which event (D4), and what a viewer knows."""

from dataclasses import MISSING, dataclass, fields
from typing import Annotated, Any, ClassVar, get_args

import pytest

import app.belote.commands
import app.belote.events
from app.belote.cards import Card, Seat
from app.belote.commands import Command
from app.belote.events import GAME_EVENTS, HIDDEN, PRIVATE, Event, GameEvent, HandDealt
from app.belote.presets import CLASSIC
from app.belote.view import View, apply, audiences, redact, view

from .driver import arranged, cards, deal_of, play, start, step
from .strategies import VIEWERS

HANDS = [
    "9H 8H QH KH TS 7C 8D AD",
    "7S 8S 9S AH TC 9C TD 7D",
    "AS KS 7H JH AC KC QD 9D",
    "JS QS TH 8C QC JC KD JD",
]


def event_types() -> list[type[Event]]:
    """Every event the core can make."""
    found = vars(app.belote.events).values()
    return [each for each in found if isinstance(each, type) and issubclass(each, Event)
            and each is not Event]  # fmt: skip


def test_the_registry_and_the_union_hold_every_event() -> None:
    assert set(event_types()) == set(GAME_EVENTS) == set(get_args(GameEvent))
    assert len({each.TYPE for each in GAME_EVENTS}) == len(GAME_EVENTS)


def test_the_union_holds_every_command() -> None:
    names = vars(app.belote.commands).values()
    made = {each for each in names if isinstance(each, type)
            and each.__module__ == "app.belote.commands"}  # fmt: skip
    assert made == set(get_args(Command))


@pytest.mark.parametrize("kind", GAME_EVENTS, ids=lambda kind: kind.TYPE)
@pytest.mark.parametrize("viewer", VIEWERS)
def test_no_viewer_gets_a_hidden_field_or_another_seats_entry(
    kind: type[Event], viewer: Seat | None
) -> None:
    who = audiences(kind)
    values: dict[str, Any] = {name: f"public {name}" for name in who.public}
    values |= {name: tuple(f"{name} of {seat}" for seat in range(4)) for name in who.private}
    values |= {name: f"hidden {name}" for name in who.hidden}
    told = redact(kind(**values), viewer, 4)
    assert type(told) is kind
    for field in fields(kind):
        got = getattr(told, field.name)
        if field.name in who.public:
            assert got == f"public {field.name}"
        elif field.name in who.private:
            assert got == tuple(f"{field.name} of {s}" if s == viewer else None for s in range(4))
        else:
            assert field.default is not MISSING
            assert got == field.default


def test_what_must_be_hidden_is() -> None:
    names = ("under", "stock", "before", "cut", "secret", "next_secret")
    assert audiences(HandDealt).hidden == names
    assert audiences(HandDealt).private == ("cards",)
    hidden = {(kind.TYPE, name) for kind in GAME_EVENTS for name in audiences(kind).hidden}
    assert hidden == {("hand_dealt", name) for name in names}
    private = {(kind.TYPE, name) for kind in GAME_EVENTS for name in audiences(kind).private}
    assert private == {
        ("hand_dealt", "cards"),
        ("passed", "cards"),
        ("bid_made", "cards"),
        ("rest_dealt", "cards"),
        ("declared", "declarations"),
    }


def test_an_event_whose_hidden_field_has_no_default_is_a_fault() -> None:
    @dataclass(frozen=True, slots=True)
    class Careless(Event):
        TYPE: ClassVar[str] = "careless"
        secret: Annotated[str, HIDDEN]

    with pytest.raises(TypeError, match="default"):
        audiences(Careless)


def test_an_event_whose_field_has_two_audiences_is_a_fault() -> None:
    @dataclass(frozen=True, slots=True)
    class Torn(Event):
        TYPE: ClassVar[str] = "torn"
        cards: Annotated[tuple[str | None, ...], PRIVATE, HIDDEN] = ()

    with pytest.raises(TypeError, match="audience"):
        audiences(Torn)


def dealt() -> tuple[View, ...]:
    state = start(CLASSIC, "view")
    state = step(state, deal_of(state, "view")).after
    return tuple(view(state, viewer) for viewer in VIEWERS)


def test_each_seat_sees_its_own_hand_sorted_and_the_spectator_none() -> None:
    views = dealt()
    assert [len(each.hand or ()) for each in views] == [5, 5, 5, 5, 0]
    assert all(list(each.hand or ()) == sorted(each.hand or ()) for each in views)
    assert views[4].hand is None
    assert {each.turned for each in views} == {views[0].turned}
    held = [card for each in views for card in each.hand or ()]
    assert len(set(held)) == 20


def test_only_the_owner_knows_the_cards_of_a_declaration_before_it_is_shown() -> None:
    state, _ = play(arranged(CLASSIC, HANDS, "9H", taker=0), "TS 7S")
    for viewer in VIEWERS:
        seen = view(state, viewer)
        assert [(d.seat, d.kind, d.cards, d.points) for d in seen.declarations] == [
            (1, "tierce", None, None),
        ]  # fmt: skip
        assert [d.cards for d in seen.own_declarations] == (
            [cards("7S 8S 9S")] if viewer == 1 else []
        )
    state, _ = play(state, "AS JS")
    assert view(state, None).declarations[0].cards == cards("7S 8S 9S")


def test_a_view_counts_tricks_by_side_and_remembers_the_cards_played() -> None:
    state, _ = play(arranged(CLASSIC, HANDS, "9H", taker=0), "TS 7S AS JS KS")
    seen = view(state, Seat(3))
    assert seen.tricks == (1, 0)
    assert seen.counts == (7, 7, 6, 7)
    assert seen.played == cards("TS 7S AS JS KS")
    assert seen.last_trick is not None
    assert (seen.last_trick.leader, seen.last_trick.winner) == (0, 2)
    assert seen.trick is not None
    assert (seen.trick.leader, seen.trick.cards, seen.trick.winner) == (2, cards("KS"), None)


def test_apply_leaves_the_view_it_was_given() -> None:
    state = start(CLASSIC, "pure")
    before = view(state, Seat(0))
    (event,) = step(state, deal_of(state, "pure")).events
    after = apply(before, redact(event, Seat(0), 4))
    assert before == view(state, Seat(0))
    assert after.deal == 1
    assert all(isinstance(card, int) for card in after.hand or (Card(0),))
