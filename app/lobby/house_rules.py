"""House rules: which rules of a preset a host may change, to what, and what then no longer fits.

Pure. What may go together is decided by ``rules.CHECKS`` alone; here it is only asked in another
order, so that a page can offer values that work and explain a rule that no longer does.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
from typing import Any, Final, Literal

from app.belote.cards import Trump
from app.belote.presets import PRESETS
from app.belote.rules import (
    CHECKS,
    FIELDS,
    RuleSet,
    RuleSetError,
    checked,
    field_from_record,
    field_to_record,
)

Group = Literal["deal", "auction", "declarations", "belote", "play", "contract", "score", "match"]
ProblemCode = Literal["conflict", "idle", "bad_value", "unknown_field", "not_offered"]

GROUPS: Final[Mapping[Group, tuple[str, ...]]] = {
    "deal": ("direction", "handling", "first_dealer", "packets", "all_pass", "dealer_cancel"),
    "auction": ("trumps", "bids", "capot_bid", "double", "redouble", "third_double"),
    "declarations": (
        "declare", "declare_at", "declarations_shown", "declaration_tie", "declaration_pools",
        "run_of_eight", "cards_shared", "declarations_without_trick", "declarations_on_failure",
        "nt_declarations", "nt_four_aces",
    ),
    "belote": ("belote", "belote_said", "belote_when", "belote_on_failure", "belote_in_litige"),
    "play": ("lead", "trump_led", "plain_led", "partner_winning", "undertrump"),
    "contract": ("contract_counts", "made_if", "tie", "failed", "failed_trio"),
    "score": (
        "capot", "solo_capot", "capot_to", "capot_doubling", "doubled_capot", "card_points",
        "nt_factor", "rounding", "doubled", "failure_penalty",
    ),
    "match": ("target", "finish_on_capot"),
}  # fmt: skip
"""Every rule that a host may change. What makes a game another game stays: its players, pack,
layout, auction, scoring, and the list of its usual targets."""

_CHANGEABLE: Final = tuple(chain.from_iterable(GROUPS.values()))
FIXED: Final = frozenset(FIELDS) - frozenset(_CHANGEABLE)

_VALUES: Final[Mapping[str, tuple[object, ...]]] = {
    "direction": ("counterclockwise", "clockwise"),
    "handling": ("shuffle", "cut"),
    "first_dealer": ("drawn", "winners"),
    "packets": (
        "3+2 then 3", "2+3 then 3", "3+2+3", "2+3+3", "3+3+2", "4+4", "3+3 then 2", "3+3 then 3",
    ),
    "all_pass": ("same", "next", "previous", "dealer_must"),
    "dealer_cancel": ("no", "at_most_7", "any"),
    "bids": tuple(list(range(low, high, 10)) for low in (80, 90) for high in (170, 190)),
    "capot_bid": ("none", "contract_250", "flat_500"),
    "double": ("none", "in_turn ×2", "any_time ×2"),
    "redouble": ("none", "in_turn ×4", "any_time ×4"),
    "third_double": ("none", "match"),
    "declare": ("none", "automatic", "player"),
    "declare_at": ("first_card", "before_lead"),
    "declarations_shown": ("after_first_trick", "after_last_trick"),
    "declaration_tie": ("first", "trump_then_first", "void"),
    "declaration_pools": ("one", "separate"),
    "run_of_eight": ("quinte", "quinte_and_tierce", "wins_match"),
    "cards_shared": ("no", "yes"),
    "declarations_without_trick": ("kept", "lost", "to_others"),
    "declarations_on_failure": ("owner", "defence"),
    "nt_declarations": ("none", "all"),
    "nt_four_aces": (0, 200),
    "belote": ("trump", "none"),
    "belote_said": ("automatic", "player"),
    "belote_when": ("any", "lead_ruff_or_partner"),
    "belote_on_failure": ("kept", "lost"),
    "belote_in_litige": ("hangs", "kept"),
    "lead": ("eldest", "dealer"),
    "trump_led": ("beat_unless_partner", "beat_always"),
    "plain_led": ("follow", "beat"),
    "partner_winning": ("free", "trump_any", "no_exemption"),
    "undertrump": ("free", "forced"),
    "contract_counts": ("tricks", "belote", "all"),
    "made_if": ("at_least", "more", "bid", "bid_and_more"),
    "tie": ("litige", "failed"),
    "failed": ("all_162", "bid_and_160", "everything"),
    "failed_trio": ("higher", "vanish", "both"),
    "capot": ("bonus 90", "bonus 100", "total 250", "total 252", "match 9"),
    "solo_capot": ("none", "total 350", "bonus 490"),
    "capot_to": ("either", "taker"),
    "capot_doubling": ("after", "before"),
    "doubled_capot": (160, 250),
    "card_points": ("natural", "scaled_162"),
    "nt_factor": (1, 2),
    "rounding": ("none", "ten"),
    "doubled": ("base_and_bid", "winner_takes_all"),
    "failure_penalty": (0, 10),
    "finish_on_capot": ("yes", "no"),
}  # fmt: skip
"""What is offered for each, in the words of records. A preset's own value is always among them;
the target may be any number."""

_MORE_TRUMPS: Final = ("NT", "AT")


@dataclass(frozen=True, slots=True)
class Problem:
    """A rule that does not fit: ``conflict`` and ``bad_value`` stop the table from being opened,
    ``idle`` (it changes nothing in this game) does not."""

    field: str
    code: ProblemCode


@dataclass(frozen=True, slots=True)
class Checked:
    """A preset with house rules, looked at as a whole. ``rules`` is the record of all rules,
    ``changed`` those that differ from the preset, ``open`` the values that a rule could have now,
    for each that a host may change."""

    rules: Mapping[str, object]
    changed: Mapping[str, object]
    problems: tuple[Problem, ...]
    open: Mapping[str, tuple[object, ...]]


def values_of(field: str, preset: RuleSet) -> tuple[object, ...]:
    """The values that are offered for a rule, the preset's own first where it is an unusual one."""
    if field == "target":
        return preset.targets
    own = field_to_record(field, getattr(preset, field))
    offered = _trumps(preset) if field == "trumps" else _VALUES[field]
    return offered if own is None or own in offered else (own, *offered)


def _trumps(preset: RuleSet) -> tuple[object, ...]:
    """The four suits in the preset's own order, alone or with what is not a suit."""
    suits = [trump.value for trump in preset.trumps if trump.value not in _MORE_TRUMPS]
    if preset.auction in ("turn_up", "call"):
        return (suits,)
    return (suits, [*suits, "NT"], [*suits, *_MORE_TRUMPS])


def check(preset: str, overrides: Mapping[str, object]) -> Checked:
    """Look at house rules as a whole; KeyError for an unknown preset."""
    base = PRESETS[preset]
    changes, problems = _read(overrides)
    rules = replace(base, **changes)
    blamed = _conflicts(rules)
    idle = frozenset(_idle(rules))
    problems += [Problem(name, "conflict") for name in FIELDS if name in blamed]
    problems += [Problem(n, "idle") for n in changes if n in idle and n not in blamed]
    if not blamed:
        problems += _refused(rules)
    return Checked(
        rules={name: field_to_record(name, getattr(rules, name)) for name in FIELDS},
        changed=differences(rules, base),
        problems=tuple(problems),
        open={
            name: tuple(_open_values(rules, base, name))
            for name in _CHANGEABLE
            if name not in idle or name in changes or name in blamed
        },
    )


def differences(rules: RuleSet, base: RuleSet) -> dict[str, object]:
    """The rules that differ from the preset's, as records write them, the target apart."""
    return {
        name: field_to_record(name, getattr(rules, name))
        for name in _CHANGEABLE
        if name != "target" and getattr(rules, name) != getattr(base, name)
    }


def house_rules_of(preset: str, record: Mapping[str, object]) -> dict[str, object]:
    """As ``differences``, of rules as they are stored; none for a preset no longer known."""
    base = PRESETS.get(preset)
    if base is None:
        return {}
    usual = {name: field_to_record(name, getattr(base, name)) for name in _CHANGEABLE}
    told = [name for name in _CHANGEABLE if name != "target" and name in record]
    return {name: record[name] for name in told if record[name] != usual[name]}


def _read(overrides: Mapping[str, object]) -> tuple[dict[str, Any], list[Problem]]:
    """The overrides that can be read, and why the others can't."""
    changes: dict[str, Any] = {}
    problems: list[Problem] = []
    for name, value in overrides.items():
        if name in FIXED:
            problems.append(Problem(name, "unknown_field"))
            continue
        try:
            changes[name] = field_from_record(name, value)
        except RuleSetError as error:
            code: ProblemCode = "unknown_field" if error.code == "unknown_field" else "bad_value"
            problems.append(Problem(name, code))
    return changes, problems


def _refused(rules: RuleSet) -> list[Problem]:
    """What ``checked`` says beyond conflicts: a value out of range, or one not yet played here."""
    try:
        checked(rules)
    except RuleSetError as error:
        return [Problem(error.field, "not_offered" if error.code == "not_offered" else "bad_value")]
    return []


@lru_cache(maxsize=4096)
def _conflicts(rules: RuleSet) -> frozenset[str]:
    """The rules that contradict another one."""
    return frozenset(
        name for name, wrong in chain.from_iterable(look(rules).items() for look in CHECKS) if wrong
    )


def _with(rules: RuleSet, field: str, value: object) -> RuleSet:
    """The rules with one of them changed, whatever that does to the others."""
    change: dict[str, Any] = {field: field_from_record(field, value)}
    return replace(rules, **change)


def _open_values(rules: RuleSet, base: RuleSet, field: str) -> Iterator[object]:
    """Values that the rule itself allows now, and that leave no other rule without a way out."""
    before = _conflicts(rules)
    for value in values_of(field, base):
        changed = _with(rules, field, value)
        after = _conflicts(changed)
        if field in after or not _is_offered(changed, field):
            continue
        if all(_has_way_out(changed, base, other) for other in after - before):
            yield value


def _has_way_out(rules: RuleSet, base: RuleSet, field: str) -> bool:
    """Whether another value of this rule would end its conflict."""
    if field in FIXED:
        return False
    return any(
        field not in _conflicts(_with(rules, field, value)) for value in values_of(field, base)
    )


def _is_offered(rules: RuleSet, field: str) -> bool:
    """Whether the referee plays this rule; a conflict elsewhere is not this rule's fault."""
    try:
        checked(rules)
    except RuleSetError as error:
        return not (error.code == "not_offered" and error.field == field)
    return True


def _idle(rules: RuleSet) -> Iterator[str]:
    """Rules that change nothing in such a game (docs/rules.md §2)."""
    match_points = rules.scoring == "match_points"
    has_litige = rules.made_if in ("more", "bid_and_more") and rules.tie == "litige"
    no_trumps = Trump.NO_TRUMPS in rules.trumps
    silent = rules.declare == "none"
    without = {
        "declare_at": silent, "declarations_shown": silent, "declaration_tie": silent,
        "declaration_pools": silent, "run_of_eight": silent or rules.pack == 24,
        "cards_shared": silent, "declarations_without_trick": silent,
        "declarations_on_failure": silent or match_points,
        "nt_declarations": silent or not no_trumps,
        "nt_four_aces": silent or not no_trumps or rules.nt_declarations == "none",
        "belote_said": rules.belote == "none", "belote_when": rules.belote == "none",
        "belote_on_failure": rules.belote == "none" or match_points,
        "belote_in_litige": rules.belote == "none" or match_points or not has_litige,
        "handling": rules.players != 4, "all_pass": rules.auction == "call",
        "dealer_cancel": rules.auction != "call", "packets": rules.layout == "open",
        "bids": rules.auction != "levels", "capot_bid": rules.auction != "levels",
        "third_double": rules.auction != "contracts",
        "double": rules.auction not in ("levels", "contracts"),
        "redouble": rules.auction not in ("levels", "contracts"),
        "partner_winning": rules.players != 4,
        "tie": rules.made_if not in ("more", "bid_and_more"),
        "made_if": match_points, "failed_trio": rules.players != 3,
        "capot_doubling": not match_points, "nt_factor": not match_points or not no_trumps,
        "rounding": match_points, "failure_penalty": not match_points,
        "doubled_capot": match_points or rules.double is None, "doubled": rules.double is None,
        "card_points": match_points or len(rules.trumps) == 4,
        "solo_capot": match_points,
    }  # fmt: skip
    return (name for name, wrong in without.items() if wrong)
