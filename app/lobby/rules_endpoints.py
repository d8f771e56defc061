"""REST of rules: what a host may change, whether it fits, and exercises made from it."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field

from app.belote.cards import SUITS, name_of
from app.belote.exercises import Exercise, exercises
from app.belote.presets import PRESETS
from app.infra.errors import AppError
from app.infra.fixed import UNCHANGED, Fixed
from app.infra.rest import Sent, errors
from app.lobby.house_rules import GROUPS, check
from app.lobby.rules import rules_for
from app.lobby.schemas import PRESET
from app.players.deps import BoundsOfHouse, Host
from app.players.limiter import address_key

router = APIRouter(prefix="/api", tags=["tables"])


class HouseRule(BaseModel):
    """A rule that a host may change, and what each game offers for it (``values``: a preset's
    name to the values that fit its own other rules)."""

    field: str
    group: str
    values: dict[str, list[Any]]


class Rulebook(BaseModel):
    """Every house rule, in the order in which they are read."""

    rules: list[HouseRule]


class RulesToCheck(Sent):
    """House rules over a preset, in the words of `GET /api/presets`."""

    preset: str = PRESET
    rules: dict[str, Any] = Field(default_factory=dict, max_length=60)


class RuleProblem(BaseModel):
    """A rule that does not fit: `conflict`, `bad_value`, `unknown_field`, `not_offered`; or
    `idle`, which is no hindrance: it changes nothing in this game."""

    field: str
    code: str


class CheckedRules(BaseModel):
    """``rules``: all of them; ``changed``: those that differ from the preset, the target apart;
    ``open``: what each could be now."""

    rules: dict[str, Any]
    changed: dict[str, Any]
    problems: list[RuleProblem]
    open: dict[str, list[Any]]


class RulesToTry(RulesToCheck):
    """Rules to make exercises from; another ``round`` has other cards."""

    round: int = Field(default=0, ge=0, le=9_999)


class Reason(BaseModel):
    """Why a card may not be played, as in a turn's ``why``."""

    code: str
    suit: str | None
    beat: str | None


class TryOne(BaseModel):
    """Seat 0 is to play: ``trick`` in order from ``leader``, ``best`` the place in it of the card
    that wins so far, ``legal`` and ``why`` as in a turn."""

    trump: str
    leader: int
    trick: list[str]
    best: int
    hand: list[str]
    legal: list[str]
    why: dict[str, Reason]


class Exercises(BaseModel):
    """One for each reason that these rules know."""

    exercises: list[TryOne]


@cache
def _rulebook() -> Fixed:
    """Every house rule with what fits each preset as it is; they never change while a server
    runs."""
    fitting: dict[str, Mapping[str, tuple[object, ...]]] = {
        name: check(name, {}).open for name in PRESETS
    }
    book = Rulebook(
        rules=[
            HouseRule(
                field=field,
                group=group,
                values={name: list(values.get(field, ())) for name, values in fitting.items()},
            )
            for group, fields in GROUPS.items()
            for field in fields
        ]
    )
    return Fixed(book.model_dump_json().encode())


@router.get("/rules", operation_id="listHouseRules", response_model=Rulebook, responses=UNCHANGED)
async def list_house_rules(request: Request) -> Response:
    """The rules that a host may change, by group, with each game's values."""
    return _rulebook().answer(request)


@router.post(
    "/rules/exercises",
    operation_id="makeExercises",
    responses=errors("unknown_preset", "bad_options"),
)
async def make_exercises(body: RulesToTry, bounds: BoundsOfHouse, host: Host) -> Exercises:
    """Positions for who learns the game: which of these cards may be played?"""
    bounds.question(address_key(host))  # some hundred deals, in which no table is served
    rules = rules_for(body.preset, house=body.rules)
    return Exercises(exercises=[_try_one(each) for each in exercises(rules, body.round)])


def _try_one(one: Exercise) -> TryOne:
    return TryOne(
        trump=one.trump.value,
        leader=one.leader,
        trick=[name_of(card) for card in one.trick],
        best=one.best,
        hand=[name_of(card) for card in one.hand],
        legal=[name_of(card) for card in one.legal],
        why={
            name_of(card): Reason(
                code=why.code,
                suit=None if why.suit is None else SUITS[why.suit],
                beat=None if why.beat is None else name_of(why.beat),
            )
            for card, why in one.why
        },
    )


@router.post("/rules/check", operation_id="checkRules", responses=errors("unknown_preset"))
async def check_rules(body: RulesToCheck) -> CheckedRules:
    """Look at house rules before a table is opened with them."""
    if body.preset not in PRESETS:
        raise AppError("unknown_preset")
    found = check(body.preset, body.rules)
    return CheckedRules(
        rules=dict(found.rules),
        changed=dict(found.changed),
        problems=[RuleProblem(field=p.field, code=p.code) for p in found.problems],
        open={field: list(values) for field, values in found.open.items()},
    )
