"""``rebelote referee``: questions about the rules as JSON lines, answered by the referee itself.

Four questions: which cards are legal, what hands declare, what a recorded deal scores, what totals
score. Each is answered by the functions that referee a match; nothing is computed here. A line
that can't be read or answered gets ``{"error": {"code", "message"}}``, and the next is read.
"""

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Literal

import orjson
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from app.belote import scoring
from app.belote.cards import Card, Seat, Side, Trump, card_named, name_of
from app.belote.declarations import held, points_by_side, settled
from app.belote.engine import RuleError
from app.belote.events import Contract, DealScored, Declaration, SeenDeclaration
from app.belote.notation import Record, RecordError, replayed, rules_record, score_record
from app.belote.play import legal_mask, refusal
from app.belote.presets import validated
from app.belote.ranking import cards_of, mask_of
from app.belote.rules import RuleSet, RuleSetError

Names = list[str]
SeatNumber = Annotated[int, Field(ge=0, le=3)]


class Refused(Exception):
    """A question without an answer; ``code`` is stable."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class _Ask(BaseModel):
    """What every question has: a preset, and the rules that differ from it."""

    model_config = ConfigDict(extra="forbid")

    preset: str
    rules: dict[str, Any] = Field(default_factory=dict)

    @property
    def rule_set(self) -> RuleSet:
        """The rules in question; ``RuleSetError``."""
        return validated(self.preset, self.rules)


class LegalAsk(_Ask):
    """``{"ask": "legal", "preset": "classic", "trump": "H", "seat": 2, "hand": ["7D", "AS"],
    "trick": [[0, "KS"], [1, "7S"]]}``"""

    ask: Literal["legal"]
    trump: Trump
    seat: SeatNumber
    hand: Names
    up: Names = Field(default_factory=list)
    trick: list[tuple[SeatNumber, str]]


class DeclarationsAsk(_Ask):
    """``{"ask": "declarations", "preset": "classic", "trump": "H", "leader": 1, "hands": [[…] × 4],
    "declared": null}``; with ``declared`` only those declarations, by seat, are made."""

    ask: Literal["declarations"]
    trump: Trump
    leader: SeatNumber
    hands: list[Names]
    declared: dict[SeatNumber, list[Names]] | None = None


class ScoreAsk(_Ask):
    """``{"ask": "score", "preset": "classic", "deal": {a record without its score}}``"""

    ask: Literal["score"]
    deal: dict[str, Any]
    carried_in: int = Field(default=0, ge=0)


class ContractAsk(BaseModel):
    """A contract as the record has it."""

    model_config = ConfigDict(extra="forbid")

    taker: SeatNumber
    trump: Trump
    value: int | Literal["capot"] | None = None
    factor: int | Literal["match"] = 1


class ScorePointsAsk(_Ask):
    """``{"ask": "score_points", "preset": "classic", "contract": {"taker": 0, "trump": "H"},
    "cards": [92, 60], "last_ten": 0, "tricks": [5, 3], "declarations": [0, 0],
    "belote": [0, 20]}``"""

    ask: Literal["score_points"]
    contract: ContractAsk
    cards: list[int]
    last_ten: int = Field(ge=0)
    tricks: list[int]
    solo: SeatNumber | None = None
    declarations: list[int]
    belote: list[int]
    carried_in: int = Field(default=0, ge=0)


Ask = Annotated[LegalAsk | DeclarationsAsk | ScoreAsk | ScorePointsAsk, Field(discriminator="ask")]
_ASKS: TypeAdapter[LegalAsk | DeclarationsAsk | ScoreAsk | ScorePointsAsk] = TypeAdapter(Ask)


def answers(lines: Iterable[bytes]) -> Iterator[bytes]:
    """An answer a line, in order; empty lines are passed over."""
    for line in lines:
        if line.strip():
            yield orjson.dumps(answer(line))


def answer(line: bytes) -> Record:
    """The answer to one question, or the error."""
    try:
        question = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        return _error("bad_json", str(error))
    return answer_to(question)


def answer_to(question: object) -> Record:
    """The answer to one question that was read already, or the error."""
    try:
        return _answer(_ASKS.validate_python(question))
    except ValidationError as error:
        first = error.errors()[0]
        return _error("bad_question", f"{'.'.join(map(str, first['loc']))}: {first['msg']}")
    except RuleSetError as error:
        return _error(error.code, f"the rule {error.field}: {error.code}")
    except RuleError as error:
        return _error(error.code, f"the referee refuses: {error.code}")
    except (RecordError, Refused) as error:
        return _error(error.code, str(error))


def _error(code: str, message: str) -> Record:
    return {"error": {"code": code, "message": message}}


def _answer(ask: LegalAsk | DeclarationsAsk | ScoreAsk | ScorePointsAsk) -> Record:
    match ask:
        case LegalAsk():
            return _legal(ask)
        case DeclarationsAsk():
            return _declarations(ask)
        case ScoreAsk():
            return _score(ask)
        case ScorePointsAsk():
            return _score_points(ask)


def _cards(names: Iterable[str]) -> tuple[Card, ...]:
    try:
        cards = tuple(card_named(name) for name in names)
    except ValueError as error:
        raise Refused("bad_card", str(error)) from None
    if len(set(cards)) != len(cards):
        raise Refused("bad_card", "a card is there twice")
    return cards


def _legal(ask: LegalAsk) -> Record:
    rules = ask.rule_set
    if ask.up and rules.layout != "open":
        raise Refused("bad_question", "no cards lie face up in this game")
    hand = mask_of(_cards([*ask.hand, *ask.up]))
    trick = _cards([*(name for _, name in ask.trick)])
    _cards([*ask.hand, *ask.up, *(name for _, name in ask.trick)])
    before = [(ask.seat - len(trick) + i) % rules.players for i in range(len(trick))]
    if [seat for seat, _ in ask.trick] != before or len(trick) >= rules.players:
        raise Refused("bad_trick", "the trick's seats do not lead up to the seat to play")
    legal = legal_mask(rules, ask.trump, hand, trick)
    whys = ((card, refusal(rules, ask.trump, hand, trick, card)) for card in cards_of(hand))
    return {
        "legal": [name_of(card) for card in cards_of(legal)],
        "why": {name_of(card): why.code for card, why in whys if why is not None},
    }


def _declarations(ask: DeclarationsAsk) -> Record:
    rules = ask.rule_set
    if len(ask.hands) != rules.players:
        raise Refused("bad_question", f"hands of {rules.players} seats are needed")
    _cards([name for hand in ask.hands for name in hand])
    found: list[Declaration] = []
    for seat, hand in enumerate(ask.hands):
        found += held(rules, ask.trump, Seat(seat), mask_of(_cards(hand)))
    made = found if ask.declared is None else _made(found, ask.declared)
    shown = settled(rules, ask.trump, Seat(ask.leader), made)
    outcomes = _outcomes(made, shown, Seat(ask.leader), rules.players)
    return {
        "declarations": [
            {
                "seat": int(each.seat),
                "kind": each.kind,
                "cards": [name_of(card) for card in each.cards],
                "points": each.points,
                "outcome": outcomes.get(each, "withheld"),
            }
            for each in found
        ],
        "points": list(points_by_side(rules, shown)),
    }


def _made(found: list[Declaration], declared: dict[int, list[Names]]) -> list[Declaration]:
    """Those of the declarations that were chosen; Refused for one that no hand holds."""
    wanted = [(seat, frozenset(_cards(names))) for seat, each in declared.items() for names in each]
    held_ = {(int(d.seat), frozenset(d.cards)): d for d in found}
    unknown = [one for one in wanted if one not in held_]
    if unknown:
        raise Refused("bad_declaration", f"seat {unknown[0][0]} does not hold that")
    return [held_[one] for one in wanted]


def _outcomes(
    made: list[Declaration], shown: tuple[SeenDeclaration, ...], leader: Seat, players: int
) -> dict[Declaration, str | None]:
    """Each declaration's outcome: ``settled`` keeps a seat's own in their order."""
    in_order = sorted(made, key=lambda each: (each.seat - leader) % players)
    return {own: told.outcome for own, told in zip(in_order, shown, strict=True)}


def _score(ask: ScoreAsk) -> Record:
    rules = ask.rule_set
    nothing = [0] * rules.sides
    before = {"totals": nothing, "awarded": nothing, "carried_in": ask.carried_in}
    defaults = {"rules": rules_record(rules), "match": "", "deal": 1}
    events = replayed({**defaults, **ask.deal, "score": before})
    scored = next((event for event in events if isinstance(event, DealScored)), None)
    return {"score": None if scored is None else score_record(scored.score)}


def _score_points(ask: ScorePointsAsk) -> Record:
    rules = ask.rule_set
    by_side = (ask.cards, ask.tricks, ask.declarations, ask.belote)
    if any(len(each) != rules.sides for each in by_side) or ask.last_ten >= rules.sides:
        raise Refused("bad_question", f"figures of {rules.sides} sides are needed")
    given = ask.contract
    contract = Contract(Seat(given.taker), given.trump, given.value, given.factor)
    if not scoring.is_contract(rules, contract):
        raise Refused("bad_question", "no auction of this game ends in that contract")
    figures = scoring.Figures(
        contract=contract,
        cards=tuple(ask.cards),
        last_ten=Side(ask.last_ten),
        tricks=tuple(ask.tricks),
        solo=None if ask.solo is None else Seat(ask.solo),
        declarations=tuple(ask.declarations),
        belote=tuple(ask.belote),
        carried_in=ask.carried_in,
    )
    return {"score": score_record(scoring.score(rules, figures, (0,) * rules.sides))}
