"""The rules of a table to be opened."""

from collections.abc import Mapping

from app.belote.presets import PRESETS, validated
from app.belote.rules import RuleSet, RuleSetError
from app.infra.errors import AppError


def rules_for(
    preset: str,
    target: int | None = None,
    house: Mapping[str, object] | None = None,
    *,
    rated: bool = False,
) -> RuleSet:
    """A preset with a target and house rules; AppError ``unknown_preset`` or ``bad_options``.

    A pack that is cut tells too much of the cards that will come: rated tables shuffle.
    """
    if preset not in PRESETS:
        raise AppError("unknown_preset")
    overrides = dict(house or {})
    if target is not None:
        overrides["target"] = target
    if rated:
        overrides["handling"] = "shuffle"
    try:
        return validated(preset, overrides)
    except RuleSetError as error:
        raise AppError("bad_options", message=str(error)) from error
