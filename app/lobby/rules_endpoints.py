"""REST of rules: what a host may change, and whether it fits."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from app.belote.presets import PRESETS
from app.infra.errors import AppError
from app.infra.rest import errors
from app.lobby.house_rules import GROUPS, check
from app.lobby.schemas import PRESET

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


class RulesToCheck(BaseModel):
    """House rules over a preset, in the words of `GET /api/presets`."""

    model_config = ConfigDict(extra="forbid")

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


@cache
def _fitting() -> dict[str, Mapping[str, tuple[object, ...]]]:
    """What fits each preset as it is; the presets never change while a server runs."""
    return {name: check(name, {}).open for name in PRESETS}


@router.get("/rules", operation_id="listHouseRules")
async def list_house_rules() -> Rulebook:
    """The rules that a host may change, by group, with each game's values."""
    return Rulebook(
        rules=[
            HouseRule(
                field=field,
                group=group,
                values={name: list(fitting.get(field, ())) for name, fitting in _fitting().items()},
            )
            for group, fields in GROUPS.items()
            for field in fields
        ]
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
