"""The record of a deal, ``rebelote-deal/1``: one plain object, the same in history, export, replay
and tests (docs/protocol.md has its shape).

Objects here are dicts of texts, numbers, lists and None, ready for any encoder; this module
encodes nothing. A record tells every hand, so nothing of it may leave the server before its match
has ended (D4); whoever calls it sees to that.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from app.belote.cards import NAMES, SUITS, Card, Seat, Trump, card_named
from app.belote.commands import Command, Deal, Name, Pass, Play, Take
from app.belote.deal import Dealt, next_seat, pack_of
from app.belote.engine import decide, evolve
from app.belote.events import (
    BidMade,
    CardPlayed,
    Cards,
    DealScored,
    Declaration,
    DeclarationsSettled,
    Declared,
    GameEvent,
    HandDealt,
    Passed,
    RestDealt,
    Score,
    SeenDeclaration,
    TrickTaken,
)
from app.belote.play import legal_mask
from app.belote.ranking import cards_of, mask_of
from app.belote.rules import (
    FIELDS,
    RuleSet,
    RuleSetError,
    checked,
    field_from_record,
    field_to_record,
)
from app.belote.state import State, new_match

FORMAT = "rebelote-deal/1"
Record = dict[str, Any]


class RecordError(ValueError):
    """An object that is no record of a deal this referee can read. ``code`` is ``bad_format`` or
    ``bad_record``."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def rules_record(rules: RuleSet) -> Record:
    """Every field of a rule set, as the rules' tables write it."""
    return {name: field_to_record(name, getattr(rules, name)) for name in FIELDS}


def rules_from_record(record: Mapping[str, object]) -> RuleSet:
    """The rule set; a field that an older record lacks has its default, which is the old
    behaviour. Raises ``RuleSetError`` for unknown fields and values."""
    values: dict[str, Any] = {n: field_from_record(n, v) for n, v in record.items()}
    for name in ("preset", "target", "targets"):
        if name not in values:
            raise RuleSetError(name, "missing_field")
    return RuleSet(**values)


def records(
    rules: RuleSet,
    match: str,
    events: Iterable[GameEvent],
    with_legal: bool = False,
) -> Iterator[Record]:
    """A record for each deal of a match, from all of its events in order."""
    deal: list[GameEvent] = []
    for event in events:
        if isinstance(event, HandDealt) and deal:
            yield deal_record(rules, match, deal, with_legal)
            deal = []
        if deal or isinstance(event, HandDealt):
            deal.append(event)
    if deal:
        yield deal_record(rules, match, deal, with_legal)


def deal_record(
    rules: RuleSet,
    match: str,
    events: Sequence[GameEvent],
    with_legal: bool = False,
) -> Record:
    """The record of one deal from its events, the first of which is ``HandDealt``; whole events,
    as the log has them, not a viewer's. ``with_legal`` adds what each seat might have played."""
    told = _Told(rules)
    for event in events:
        told.add(event)
    dealt = told.dealt
    contract = told.rest.contract if told.rest else None
    return {
        "format": FORMAT,
        "match": match,
        "deal": dealt.deal,
        "preset": rules.preset,
        "rules": rules_record(rules),
        "dealer": int(dealt.dealer),
        "pack": _names(_pack(rules, dealt)),
        "cut": None,
        "turned": None if dealt.turned is None else NAMES[dealt.turned],
        "proof": _proof(dealt, rules.players),
        "hands": [_names(sorted(cards or ())) for cards in (told.rest or dealt).cards],
        "auction": told.auction,
        "contract": contract
        and {
            "taker": int(contract.taker),
            "trump": contract.trump.value,
            "value": contract.value,
            "factor": contract.factor,
        },
        "declarations": _declarations(told.declared, told.seen),
        "belote": told.belote,
        "tricks": _tricks(told, with_legal),
        "score": None if told.score is None else score_record(told.score),
    }


@dataclass(slots=True)
class _Told:
    """What the events of one deal tell, gathered for its record."""

    rules: RuleSet
    first: HandDealt | None = None
    rest: RestDealt | None = None
    auction: list[Record] = field(default_factory=list)
    declared: list[Declaration] = field(default_factory=list)
    seen: tuple[SeenDeclaration, ...] = ()
    belote: list[Record] = field(default_factory=list)
    played: list[CardPlayed] = field(default_factory=list)
    winners: list[Seat] = field(default_factory=list)
    score: Score | None = None

    @property
    def dealt(self) -> HandDealt:
        """The event that a deal begins with."""
        if self.first is None:
            raise RecordError("bad_record")
        return self.first

    def add(self, event: GameEvent) -> None:
        match event:
            case HandDealt():
                self.first = event
            case Passed() | BidMade():
                self.auction.append(_call(event))
            case RestDealt():
                self.rest = event
            case Declared():
                self.declared += event.declarations[event.seat] or ()
            case CardPlayed():
                self.played.append(event)
                if event.belote == "belote":
                    self.belote.append({"seat": int(event.seat), "suit": SUITS[event.card >> 3]})
            case TrickTaken():
                self.winners.append(event.winner)
            case DeclarationsSettled() | DealScored():
                self.seen = event.declarations
                self.score = event.score if isinstance(event, DealScored) else None
            case _:
                pass  # what ends a deal that was passed out or cut short is seen from the rest


def _call(event: Passed | BidMade) -> Record:
    if isinstance(event, Passed):
        return {"seat": int(event.seat), "call": "pass"}
    call: Record = {"seat": int(event.seat), "call": event.call}
    if event.value is not None:
        call["value"] = event.value
    if event.call != "take":
        call["trump"] = event.trump.value
    return call


def _names(cards: Iterable[Card]) -> list[str]:
    return [NAMES[card] for card in cards]


def _pack(rules: RuleSet, dealt: HandDealt) -> Cards:
    hands = tuple(cards or () for cards in dealt.cards)
    return pack_of(rules, Dealt(hands, dealt.turned, dealt.stock), dealt.dealer)


def _proof(dealt: HandDealt, players: int) -> Record | None:
    """What lets anybody make the pack again; None for a deal that was not made from bytes."""
    if not dealt.secret:
        return None
    return {
        "commit": dealt.commit,
        "secret": dealt.secret,
        "contributions": [None] * players,
        "before": None,
    }


def _declarations(declared: Sequence[Declaration], seen: Sequence[SeenDeclaration]) -> list[Record]:
    """Declarations with all their cards; a seat's are told in the same order when settled."""
    outcomes: dict[Seat, list[str | None]] = {}
    for told in seen:
        outcomes.setdefault(told.seat, []).append(told.outcome)
    return [
        {
            "seat": int(own.seat),
            "kind": own.kind,
            "cards": _names(own.cards),
            "points": own.points,
            "outcome": outcomes[own.seat].pop(0) if own.seat in outcomes else None,
        }
        for own in declared
    ]


def _tricks(told: _Told, with_legal: bool) -> list[Record]:
    players, tricks = told.rules.players, []
    for start in range(0, len(told.played), players):
        cards = told.played[start : start + players]
        number = start // players
        trick: Record = {
            "leader": int(cards[0].seat),
            "cards": _names(each.card for each in cards),
            "winner": int(told.winners[number]) if number < len(told.winners) else None,
        }
        if with_legal:
            trick["legal"] = [_legal(told, start, place) for place in range(len(cards))]
        tricks.append(trick)
    return tricks


def _legal(told: _Told, start: int, place: int) -> list[str]:
    """What the seat at that place of the trick might have played."""
    rest, seat = told.rest, told.played[start + place].seat
    assert rest is not None  # cards are played after the rest is dealt
    gone = mask_of(e.card for e in told.played[: start + place] if e.seat == seat)
    hand = mask_of(rest.cards[seat] or ()) & ~gone
    trick = tuple(e.card for e in told.played[start : start + place])
    return _names(cards_of(legal_mask(told.rules, rest.contract.trump, hand, trick)))


def score_record(score: Score) -> Record:
    """A score sheet as the record has it."""
    return {
        "cards": list(score.cards),
        "last_ten": None if score.last_ten is None else int(score.last_ten),
        "tricks": list(score.tricks),
        "declarations": list(score.declarations),
        "belote": list(score.belote),
        "outcome": score.outcome,
        "capot": None if score.capot is None else int(score.capot),
        "rounded": None if score.rounded is None else list(score.rounded),
        "awarded": list(score.awarded),
        "carried_in": score.carried_in,
        "hung": score.hung,
        "totals": list(score.totals),
    }


def replayed(record: Mapping[str, Any]) -> tuple[GameEvent, ...]:
    """The events of a recorded deal, decided again from its pack, calls and cards: what the referee
    of today says of it. Raises ``RecordError`` for what is no record, ``RuleSetError`` for its
    rules, and ``RuleError`` for a call or card that it would refuse."""
    if record.get("format") != FORMAT:
        raise RecordError("bad_format")
    try:
        state = _before(record)
        commands = tuple(_commands(record, state.rules))
    except RuleSetError:
        raise
    except (KeyError, TypeError, IndexError, AttributeError, ValueError):
        raise RecordError("bad_record") from None
    events: list[GameEvent] = []
    for command in commands:
        for event in decide(state, command):
            state = evolve(state, event)
            events.append(event)
    return tuple(events)


def _before(record: Mapping[str, Any]) -> State:
    """The match as it stood when the recorded deal was to be dealt."""
    rules = checked(rules_from_record(record["rules"]))
    proof = record.get("proof") or {"commit": "", "secret": ""}
    dealer = _seat(record["dealer"], rules)
    state = new_match(rules, str(record["match"]), dealer, proof["commit"], proof["secret"])
    score = record.get("score")
    if score is None:
        return replace(state, deal=_number(record["deal"]) - 1)
    totals = tuple(
        _number(t) - _number(a) for t, a in zip(score["totals"], score["awarded"], strict=True)
    )
    return replace(
        state,
        deal=_number(record["deal"]) - 1,
        totals=totals,
        hanging=_number(score["carried_in"]),
    )


def _number(value: object) -> int:
    if type(value) is not int:
        raise RecordError("bad_record")
    return value


def _seat(value: object, rules: RuleSet) -> Seat:
    seat = _number(value)
    if not 0 <= seat < rules.players:
        raise RecordError("bad_record")
    return Seat(seat)


def _commands(record: Mapping[str, Any], rules: RuleSet) -> Iterator[Command]:
    pack = tuple(card_named(name) for name in record["pack"])
    if len(set(pack)) != len(pack) or len(pack) != rules.pack:
        raise RecordError("bad_record")
    yield Deal(pack, "", "")
    for call in record["auction"]:
        yield _call_command(call, rules)
    for trick in record["tricks"]:
        seat = _seat(trick["leader"], rules)
        for name in trick["cards"]:
            yield Play(seat, card_named(name))
            seat = next_seat(seat, rules.players)


def _call_command(call: Mapping[str, Any], rules: RuleSet) -> Command:
    seat = _seat(call["seat"], rules)
    match call["call"]:
        case "pass":
            return Pass(seat)
        case "take":
            return Take(seat)
        case "name":
            return Name(seat, Trump(call["trump"]))
        case _:
            raise RecordError("bad_record")
