"""The games as values of ``RuleSet`` (docs/rules.md §4), each in the words of its table."""

from collections.abc import Mapping
from dataclasses import replace

from app.belote.rules import Capot, RuleSet, RuleSetError, overridden

CLASSIC = RuleSet(
    preset="classic",
    target=501,
    targets=(501, 701, 1001),
    all_pass="next",  # noqa: S106  (a rule of the auction, not a password)
    lead="eldest",
    declare="automatic",
    declaration_tie="trump_then_first",
    declarations_without_trick="to_others",
    trump_led="beat_unless_partner",
    partner_winning="free",
    undertrump="free",
    contract_counts="all",
    made_if="more",
    tie="litige",
    failed="all_162",
    declarations_on_failure="defence",
    belote_on_failure="kept",
    capot=Capot("bonus", 90),
)

CLASSIC_CLOCKWISE = replace(
    CLASSIC,
    preset="classic-clockwise",
    direction="clockwise",
    all_pass="same",  # noqa: S106
    declare="player",
    declarations_without_trick="kept",
    partner_winning="trump_any",
    undertrump="forced",
    contract_counts="tricks",
    made_if="at_least",
    tie=None,
    declarations_on_failure="owner",
)

CLASSIC_DEALER_LEADS = replace(
    CLASSIC,
    preset="classic-dealer-leads",
    targets=(501,),
    all_pass="previous",  # noqa: S106
    lead="dealer",
    declare="none",
    declaration_tie=None,
    declarations_without_trick=None,
    declarations_on_failure=None,
    undertrump="forced",
    contract_counts="tricks",
    tie="failed",
    capot=Capot("total", 252),
    solo_capot=Capot("total", 350),
)

SANS_ANNONCES = replace(
    CLASSIC,
    preset="sans-annonces",
    target=500,
    targets=(500, 1000),
    declare="none",
    declaration_tie=None,
    declarations_without_trick=None,
    declarations_on_failure=None,
    trump_led="beat_always",
    undertrump="forced",
    contract_counts="belote",
    tie="litige",
    belote_on_failure="lost",
    capot=Capot("total", 252),
)

FRENCH = replace(
    CLASSIC,
    preset="french",
    handling="cut",
    target=1000,
    targets=(501, 701, 1000, 1001),
    declarations_without_trick="kept",
    trump_led="beat_always",
    undertrump="forced",
    tie="failed",
)

BOOK: Mapping[str, RuleSet] = {
    rules.preset: rules
    for rules in (CLASSIC, CLASSIC_CLOCKWISE, CLASSIC_DEALER_LEADS, SANS_ANNONCES, FRENCH)
}
"""The games whose rules are written down. Two can be scored but not played yet: declaring by
choice and the cut are missing (``rules.checked`` refuses them)."""

PRESETS: Mapping[str, RuleSet] = {
    name: BOOK[name] for name in ("classic", "classic-dealer-leads", "sans-annonces")
}
"""The games that can be played, in the order in which they are offered."""


def validated(preset: str, overrides: Mapping[str, object] | None = None) -> RuleSet:
    """A preset with a host's house rules, given as in records: ``{"target": 701, "capot": "total
    252"}``. Raises ``RuleSetError`` naming the field."""
    if preset not in PRESETS:
        raise RuleSetError("preset", "unknown_preset")
    return overridden(PRESETS[preset], overrides or {})
