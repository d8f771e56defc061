"""A match as text: every command, event and state, so that a change of any of them is a diff."""

from collections.abc import Iterable, Iterator
from dataclasses import fields
from enum import Enum

from app.belote.cards import NAMES, SUITS, Seat
from app.belote.commands import Command, Deal
from app.belote.engine import State, also, legal
from app.belote.events import DealScored, Event, Score
from app.belote.ranking import cards_of
from app.belote.rules import RuleSet

from .driver import play_match

CARD_FIELDS = {"card", "cards", "pack", "stock", "turned", "played", "beat", "up", "under", "hands",
               "declare", "declarations"}  # fmt: skip
SHORT_HEX = 8
"""Bytes and their hashes are told by their first letters."""


def playthrough(rules: RuleSet, seed: object) -> str:
    """The whole match of that seed."""
    lines = [f"{rules.preset}, seed {seed}", ""]
    before: dict[str, str] = {}
    for step in play_match(rules, seed):
        lines.append(f"> {command_text(step.command)}")
        lines += [f"  {event_text(event)}" for event in step.events]
        after = state_texts(step.after)
        lines += [f"    {name} {text}" for name, text in after.items() if before.get(name) != text]
        before = after
    return "\n".join([*lines, ""])


def command_text(command: Command) -> str:
    names = [field.name for field in fields(command)]
    if isinstance(command, Deal):
        names.remove("next_commit")
    told = (f"{name}={value_text(name, getattr(command, name))}" for name in names)
    return " ".join([type(command).__name__, *told])


def event_text(event: Event) -> str:
    told = (f"{each.name}={value_text(each.name, getattr(event, each.name))}"
            for each in fields(event))  # fmt: skip
    return " ".join([event.TYPE, *told])


def value_text(name: str, value: object) -> str:
    """A value in as few words as tell it from any other."""
    if isinstance(value, DealScored):
        return f"deal {value.deal}"
    if isinstance(value, Enum):
        return str(value.value)
    if hasattr(value, "__dataclass_fields__"):
        points = isinstance(value, Score)  # whose "cards" are points
        inner = (f"{f.name}={value_text('' if points else f.name, getattr(value, f.name))}"
                 for f in fields(value))  # type: ignore[arg-type]  # fmt: skip
        return f"({' '.join(inner)})"
    if isinstance(value, tuple):
        return f"[{' '.join(value_text(name, item) for item in value)}]"
    if isinstance(value, str) and ("secret" in name or "commit" in name):
        return value[:SHORT_HEX] or "-"
    if isinstance(value, int) and name in CARD_FIELDS:
        return NAMES[value]
    if isinstance(value, int) and name == "suit":
        return SUITS[value]
    return "-" if value is None else str(value)


def state_texts(state: State) -> dict[str, str]:
    """Every field of a state, and what is open to whom."""
    told = {}
    for each in fields(state):
        value = getattr(state, each.name)
        if each.name in ("rules", "match"):
            continue
        if each.name == "hands":
            told["hands"] = " | ".join(" ".join(names(cards_of(mask))) for mask in value)
        elif each.name == "dealt" or (each.name in ("up", "under") and any(value)):
            told[each.name] = " | ".join(" ".join(names(cards)) for cards in value)
        else:
            told[each.name] = value_text(each.name, value)
    told["legal"] = "-" if state.turn is None else legal_text(state)
    return told


def legal_text(state: State) -> str:
    assert state.turn is not None
    options = legal(state, state.turn)
    refused = (f"{NAMES[card]}:{why.code}" for card, why in options.why)
    trumps = (trump.value for trump in options.trumps)
    values = (str(value) for value in options.values)
    declarations = ("+".join(names(each.cards)) for each in options.declarations)
    said = (f"{NAMES[card]}:belote?" for card in options.belote)
    late = (f"{seat}:{call}" for seat in range(state.rules.players)
            for call in also(state, Seat(seat)))  # fmt: skip
    parts = [*options.calls, *trumps, *values, *names(options.cards), *refused, *declarations]
    return " ".join([*parts, *said, *late]) or "nothing to say"


def names(cards: Iterable[int | None]) -> Iterator[str]:
    return ("-" if card is None else NAMES[card] for card in cards)
