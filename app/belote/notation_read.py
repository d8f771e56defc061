"""Events from records: a recorded deal decided again by the referee of today (see ``notation``)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from app.belote.cards import SUITS, Card, Seat, Side, Trump, card_named
from app.belote.commands import (
    Annul,
    Bid,
    Command,
    Deal,
    Declare,
    Double,
    Name,
    Pass,
    Play,
    Redouble,
    Take,
    ThirdDouble,
)
from app.belote.deal import next_seat
from app.belote.engine import decide, evolve, legal
from app.belote.events import BidValue, Cards, GameEvent
from app.belote.gather import Leavings, WonTrick
from app.belote.notation_rules import FORMAT, RecordError, rules_from_record
from app.belote.rules import RuleSet, checked
from app.belote.state import State, new_match


@dataclass(slots=True)
class _Read:
    """A record's choices, read before anything is played. ``declared`` are by seat the cards of
    what was declared, ``said`` seat and suit of each belote."""

    state: State
    deal: Deal
    calls: tuple[Command, ...]
    declared: dict[Seat, tuple[Cards, ...]]
    asked: int
    said: frozenset[tuple[int, int]]
    cards: tuple[tuple[Seat, Card], ...]
    events: list[GameEvent] = field(default_factory=list)

    def carry_out(self, command: Command) -> None:
        """Decide and evolve."""
        for event in decide(self.state, command):
            self.state = evolve(self.state, event)
            self.events.append(event)


def replayed(record: Mapping[str, Any]) -> tuple[GameEvent, ...]:
    """The events of a recorded deal, decided again from its pack, calls and cards: what the referee
    of today says of it. Raises ``RecordError`` for what is no record, ``RuleSetError`` for its
    rules, and ``RuleError`` for a call or card that it would refuse."""
    if record.get("format") != FORMAT:
        raise RecordError("bad_format")
    rules = _rules(record)
    try:
        read = _read(record, rules)
    except (KeyError, TypeError, IndexError, AttributeError, ValueError):
        raise RecordError("bad_record") from None
    read.carry_out(read.deal)
    for call in read.calls:
        read.carry_out(call)
    for _ in range(read.asked):
        seat = read.state.turn
        if read.state.phase != "declaring" or seat is None:
            break
        read.carry_out(Declare(seat, read.declared.get(seat, ())))
    for seat, card in read.cards:
        read.carry_out(_play(read, seat, card))
    return tuple(read.events)


def _play(read: _Read, seat: Seat, card: Card) -> Play:
    """The card with what its seat chose to say."""
    rules, options = read.state.rules, legal(read.state, seat)
    declare: tuple[Cards, ...] | None = None
    if rules.declare == "player" and options.declarations:
        declare = read.declared.get(seat, ())
    belote: bool | None = None
    if card in options.belote:
        belote = (int(seat), card >> 3) in read.said
    return Play(seat, card, declare, belote)


def _rules(record: Mapping[str, Any]) -> RuleSet:
    try:
        return checked(rules_from_record(record["rules"]))
    except (KeyError, TypeError, AttributeError):
        raise RecordError("bad_record") from None


def _read(record: Mapping[str, Any], rules: RuleSet) -> _Read:
    declared: dict[Seat, tuple[Cards, ...]] = {}
    for each in record.get("declarations") or ():
        if each["outcome"] != "withheld":
            seat = _seat(each["seat"], rules)
            declared[seat] = (*declared.get(seat, ()), _cards(each["cards"]))
    said = ((_seat(b["seat"], rules), SUITS.index(b["suit"])) for b in record.get("belote") or ())
    return _Read(
        state=_before(record, rules),
        deal=_deal(record, rules),
        calls=tuple(_call(call, rules) for call in record["auction"]),
        declared=declared,
        asked=_asked(record, rules),
        said=frozenset((int(seat), suit) for seat, suit in said),
        cards=tuple(_played(record, rules)),
    )


def _asked(record: Mapping[str, Any], rules: RuleSet) -> int:
    """How many seats have answered before the lead: all, or in a deal that was cut short then as
    many as its declarations show."""
    if record["tricks"] or record.get("score") is not None:
        return rules.players
    order = [(each["seat"] - record["dealer"] - 1) % rules.players
             for each in record.get("declarations") or ()]  # fmt: skip
    return max(order) + 1 if order else 0


def _cards(names: Sequence[str]) -> Cards:
    return tuple(card_named(name) for name in names)


def _before(record: Mapping[str, Any], rules: RuleSet) -> State:
    """The match as it stood when the recorded deal was to be dealt."""
    proof = record.get("proof") or {"commit": "", "secret": "", "before": None}
    dealer = _seat(record["dealer"], rules)
    left = _left(proof.get("before"))
    state = new_match(rules, str(record["match"]), dealer, proof["commit"], proof["secret"], left)
    state = replace(state, deal=_number(record["deal"]) - 1)
    score = record.get("score")
    if score is None:
        return state
    totals = tuple(
        _number(t) - _number(a) for t, a in zip(score["totals"], score["awarded"], strict=True)
    )
    return replace(state, totals=totals, hanging=_number(score["carried_in"]))


def _left(before: Sequence[Mapping[str, Any]] | None) -> Leavings | None:
    if before is None:
        return None
    piles = [(each["from"], _cards(each["cards"])) for each in before]
    tricks = tuple(
        WonTrick(Side(_number(each["side"])), _cards(each["cards"]))
        for each in before
        if each["from"] == "trick"
    )
    hands = tuple(cards for kind, cards in piles if kind == "hand")
    stock = tuple(card for kind, cards in piles if kind == "stock" for card in cards)
    return Leavings(tricks, hands, stock)


def _number(value: object) -> int:
    if type(value) is not int:
        raise RecordError("bad_record")
    return value


def _seat(value: object, rules: RuleSet) -> Seat:
    seat = _number(value)
    if not 0 <= seat < rules.players:
        raise RecordError("bad_record")
    return Seat(seat)


def _deal(record: Mapping[str, Any], rules: RuleSet) -> Deal:
    pack = _cards(record["pack"])
    if len(set(pack)) != len(pack) or len(pack) != rules.pack:
        raise RecordError("bad_record")
    cut = record.get("cut")
    return Deal(pack, "", "", None if cut is None else _number(cut))


def _played(record: Mapping[str, Any], rules: RuleSet) -> list[tuple[Seat, Card]]:
    found = []
    for trick in record["tricks"]:
        seat = _seat(trick["leader"], rules)
        for card in _cards(trick["cards"]):
            found.append((seat, card))
            seat = next_seat(seat, rules.players)
    return found


def _call(call: Mapping[str, Any], rules: RuleSet) -> Command:
    seat = _seat(call["seat"], rules)
    match call["call"]:
        case "pass":
            return Pass(seat)
        case "take":
            return Take(seat)
        case "name":
            return Name(seat, Trump(call["trump"]))
        case "bid":
            return Bid(seat, Trump(call["trump"]), _value(call.get("value")))
        case "double":
            return Double(seat)
        case "redouble":
            return Redouble(seat)
        case "third":
            return ThirdDouble(seat)
        case "annul":
            return Annul(seat)
        case _:
            raise RecordError("bad_record")


def _value(value: object) -> BidValue | None:
    return value if value is None or value == "capot" else _number(value)
