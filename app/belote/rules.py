"""``RuleSet``: every rule in which the games differ, as one frozen record (docs/rules.md §2).

A preset is a value of it, a house rule another value of one field. Each field has its name and its
values from the rules' tables; in messages and records they stand as the tables write them
(``"bonus 90"``, ``"3+2 then 3"``, null for a rule that a game has no use for).

French and other terms, once: *belote* and *rebelote*, king and queen of trumps in one hand; *dix
de der*, ten points for the last trick; *capot*, every trick to one side; *litige*, an equal deal
whose points hang for the winner of a later one; *coinche* and *surcoinche*, double and redouble.

This module knows what a rule set is and which ones make sense, not how a rule is applied.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from itertools import chain
from typing import Any, Literal, Self, get_args, get_type_hints

from app.belote.cards import SUIT_TRUMPS, Trump


class RuleSetError(ValueError):
    """A rule set that can't be played. ``field`` is the rule to mend, ``code`` is one of
    ``unknown_preset``, ``unknown_field``, ``missing_field``, ``bad_value``, ``conflict`` and
    ``not_offered`` (a rule of the book that the referee does not know yet)."""

    def __init__(self, field: str, code: str) -> None:
        super().__init__(f"{field}: {code}")
        self.field = field
        self.code = code


@dataclass(frozen=True, slots=True)
class Packets:
    """Cards a seat gets at once, before and after the auction: ``3+2 then 3``."""

    before: tuple[int, ...]
    after: tuple[int, ...] = ()

    def __str__(self) -> str:
        texts = ["+".join(map(str, part)) for part in (self.before, self.after) if part]
        return " then ".join(texts)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Raises ``ValueError`` for what is not such a text."""
        before, _, after = text.partition(" then ")
        parts = [tuple(int(n) for n in part.split("+")) for part in (before, after) if part]
        if not parts or any(not 0 < n <= 16 for part in parts for n in part):
            raise ValueError(text)
        return cls(*parts)


@dataclass(frozen=True, slots=True)
class Capot:
    """What every trick pays: a ``bonus`` on top of the trick points, a ``total`` in their place,
    or ``match`` points."""

    kind: Literal["bonus", "total", "match"]
    points: int

    def __str__(self) -> str:
        return f"{self.kind} {self.points}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Raises ``ValueError`` for what is not such a text."""
        kind, _, points = text.partition(" ")
        if kind not in ("bonus", "total", "match") or not 0 <= int(points) <= 1000:
            raise ValueError(text)
        return cls(kind, int(points))  # type: ignore[arg-type]  # just checked


@dataclass(frozen=True, slots=True)
class Doubling:
    """When a double or redouble may be said, and by how much it multiplies."""

    when: Literal["in_turn", "any_time"]
    factor: int

    def __str__(self) -> str:
        return f"{self.when} ×{self.factor}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Raises ``ValueError`` for what is not such a text."""
        when, _, factor = text.partition(" ×")
        if when not in ("in_turn", "any_time") or not 1 < int(factor) <= 8:
            raise ValueError(text)
        return cls(when, int(factor))  # type: ignore[arg-type]  # just checked


@dataclass(frozen=True, slots=True)
class RuleSet:
    """The rules of one match. Defaults are those that docs/rules.md §2 gives for most games; a
    field added later must default to the old behaviour, and ``version`` then tells them apart."""

    preset: str
    target: int
    targets: tuple[int, ...]
    version: int = 1

    players: Literal[2, 3, 4] = 4
    pack: Literal[32, 24] = 32
    layout: Literal["hand", "open"] = "hand"
    direction: Literal["clockwise", "counterclockwise"] = "counterclockwise"
    handling: Literal["shuffle", "cut"] = "shuffle"
    first_dealer: Literal["drawn", "winners"] = "drawn"
    packets: Packets = Packets((3, 2), (3,))
    all_pass: Literal["same", "next", "previous", "dealer_must"] = "next"  # noqa: S105
    dealer_cancel: Literal["no", "at_most_7", "any"] = "no"

    auction: Literal["turn_up", "levels", "contracts", "call"] = "turn_up"
    trumps: tuple[Trump, ...] = SUIT_TRUMPS
    bids: tuple[int, ...] = ()

    declare: Literal["none", "automatic", "player"] = "automatic"
    declare_at: Literal["first_card", "before_lead"] = "first_card"
    declarations_shown: Literal["after_first_trick", "after_last_trick"] = "after_first_trick"
    declaration_tie: Literal["first", "trump_then_first", "void"] | None = "trump_then_first"
    declaration_pools: Literal["one", "separate"] = "one"
    run_of_eight: Literal["quinte", "quinte_and_tierce", "wins_match"] | None = "quinte"
    cards_shared: bool = False
    declarations_without_trick: Literal["kept", "lost", "to_others"] | None = "kept"
    nt_declarations: Literal["none", "all"] = "none"
    nt_four_aces: Literal[0, 200] = 0

    belote: Literal["trump", "none"] = "trump"
    belote_said: Literal["automatic", "player"] = "automatic"
    belote_when: Literal["any", "lead_ruff_or_partner"] = "any"
    belote_on_failure: Literal["kept", "lost"] = "kept"
    belote_in_litige: Literal["hangs", "kept"] = "hangs"

    lead: Literal["eldest", "dealer"] = "eldest"
    trump_led: Literal["beat_always", "beat_unless_partner"] = "beat_unless_partner"
    plain_led: Literal["follow", "beat"] = "follow"
    partner_winning: Literal["free", "trump_any", "no_exemption"] | None = "free"
    undertrump: Literal["forced", "free"] = "free"

    contract_counts: Literal["tricks", "belote", "all"] = "all"
    made_if: Literal["at_least", "more", "bid", "bid_and_more"] = "more"
    tie: Literal["failed", "litige"] | None = "litige"
    failed: Literal["all_162", "bid_and_160", "everything"] = "all_162"
    failed_trio: Literal["higher", "vanish", "both"] = "higher"
    declarations_on_failure: Literal["owner", "defence"] | None = "defence"
    capot: Capot = Capot("bonus", 90)
    capot_bid: Literal["contract_250", "flat_500"] | None = None
    solo_capot: Capot | None = None
    capot_to: Literal["either", "taker"] = "either"
    capot_doubling: Literal["after", "before"] = "after"
    doubled_capot: Literal[160, 250] = 160
    card_points: Literal["natural", "scaled_162"] = "natural"
    nt_factor: Literal[1, 2] = 1
    scoring: Literal["points", "points_and_bid", "match_points"] = "points"
    rounding: Literal["ten"] | None = None
    double: Doubling | None = None
    redouble: Doubling | None = None
    doubled: Literal["base_and_bid", "winner_takes_all"] = "base_and_bid"
    third_double: Literal["match"] | None = None
    failure_penalty: Literal[0, 10] = 0
    finish_on_capot: bool = True

    @property
    def sides(self) -> int:
        """Two at a table of four, else one a seat."""
        return 2 if self.players == 4 else self.players


FIELDS: tuple[str, ...] = tuple(field.name for field in fields(RuleSet))
_NONE_AS_WORD = frozenset(
    ("capot_bid", "solo_capot", "rounding", "double", "redouble", "third_double")
)
"""Fields whose tables say ``none`` for what is None here; elsewhere None is the tables' dash."""


@cache
def _hints() -> Mapping[str, Any]:
    return get_type_hints(RuleSet)


def field_to_record(name: str, value: object) -> object:
    """A field's value as the rules' tables write it."""
    if value is None:
        return "none" if name in _NONE_AS_WORD else None
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return [field_to_record(name, item) for item in value]
    return value if isinstance(value, int) else str(value)


def field_from_record(name: str, value: object) -> object:
    """The other way; raises ``RuleSetError`` for an unknown field and for a value it can't have."""
    if name not in FIELDS:
        raise RuleSetError(name, "unknown_field")
    if value == "none" and name in _NONE_AS_WORD:
        return None
    try:
        return _parsed(_hints()[name], value)
    except (ValueError, TypeError):
        raise RuleSetError(name, "bad_value") from None


def _parsed(hint: Any, value: object) -> object:
    if hint is bool:
        return {"yes": True, "no": False}[value] if value in ("yes", "no") else _refuse(value)
    if hint is int or hint is str:
        return value if type(value) is hint else _refuse(value)
    if hint is Trump:
        return Trump(value) if isinstance(value, str) else _refuse(value)
    if hint in (Packets, Capot, Doubling):
        return hint.parse(value) if isinstance(value, str) else _refuse(value)
    arguments = get_args(hint)
    if arguments[-1] is Ellipsis:
        items = value if isinstance(value, list | tuple) else _refuse(value)
        return tuple(_parsed(arguments[0], item) for item in items)
    if type(None) in arguments:
        return None if value is None else _parsed(arguments[0], value)
    matches = [a for a in arguments if a == value and type(a) is type(value)]
    return matches[0] if matches else _refuse(value)


def _refuse(value: object) -> Any:
    raise ValueError(value)


_OFFERED: Mapping[str, tuple[object, ...]] = {}
"""Values that the referee knows so far, of fields of which it does not know all: none by now."""


def checked(rules: RuleSet) -> RuleSet:
    """The same rules; raises ``RuleSetError`` naming the first field that makes no sense."""
    if not all(0 < target <= _HIGHEST_TARGET for target in (rules.target, *rules.targets)):
        raise RuleSetError("target" if not 0 < rules.target <= _HIGHEST_TARGET else "targets",
                           "bad_value")  # fmt: skip
    if not rules.trumps or len(set(rules.trumps)) != len(rules.trumps):
        raise RuleSetError("trumps", "bad_value")
    for name, wrong in chain.from_iterable(check(rules).items() for check in CHECKS):
        if wrong:
            raise RuleSetError(name, "conflict")
    for name, offered in _OFFERED.items():
        if getattr(rules, name) not in offered:
            raise RuleSetError(name, "not_offered")
    return rules


_HIGHEST_TARGET = 10_000
_CAPOT_BID = 250
"""No bid in points reaches a bid of capot."""
_OPEN_PACKETS = (1,) * 8
"""Open layout: four rounds of one card down and four of one up, before the auction."""


def _deal_conflicts(rules: RuleSet) -> Mapping[str, bool]:
    """Players, cards and packets."""
    before, after = rules.packets.before, rules.packets.after
    used = rules.players * (sum(before) + sum(after))
    opened = rules.layout == "open"
    packets = used > rules.pack or (used < rules.pack and rules.players != 2)
    if rules.auction == "turn_up":  # the taker gets the turn-up, then one card less
        packets |= not after or after[0] < 2
    if rules.auction == "call":  # the cards after the auction lie face down during it
        packets |= not after
    if opened:
        packets |= before[-8:] != _OPEN_PACKETS or sum(before[:-8]) + sum(after) != 8
    return {
        "players": rules.players != 4 and rules.auction != "contracts",
        "layout": opened and (rules.players != 2 or rules.pack != 32),
        "packets": packets,
        "handling": rules.handling == "cut" and rules.players != 4,  # the piles of two sides
    }


def _auction_conflicts(rules: RuleSet) -> Mapping[str, bool]:
    """What can be called, and what a double multiplies."""
    levels, call = rules.auction == "levels", rules.auction == "call"
    double, redouble = rules.double, rules.redouble
    bids = rules.bids
    trumps = set(rules.trumps)
    return {
        "all_pass": (rules.all_pass == "dealer_must") != call,  # noqa: S105
        "dealer_cancel": rules.dealer_cancel != "no" and not call,
        "trumps": (rules.auction == "turn_up" and trumps != set(SUIT_TRUMPS))
        or (call and not trumps <= set(SUIT_TRUMPS)),
        "bids": levels != bool(bids)
        or list(bids) != sorted(set(bids))
        or any(not 0 < bid < _CAPOT_BID for bid in bids),
        "double": double is not None
        and not (levels or (rules.auction == "contracts" and double.when == "in_turn")),
        "redouble": redouble is not None
        and (double is None or redouble.when != double.when or redouble.factor <= double.factor),
        "third_double": rules.third_double is not None
        and (rules.auction != "contracts" or redouble is None),
    }


def _declaration_conflicts(rules: RuleSet) -> Mapping[str, bool]:
    """A game with declarations needs all of their rules."""
    declares = rules.declare != "none"
    without = rules.declarations_without_trick
    return {
        "declaration_tie": declares and rules.declaration_tie is None,
        "run_of_eight": (declares and rules.pack == 32 and rules.run_of_eight is None)
        or (rules.pack == 24 and rules.run_of_eight is not None),
        "declarations_without_trick": (declares and without is None)
        or (without == "to_others" and rules.players == 3),
        "declarations_on_failure": declares and rules.declarations_on_failure is None,
    }


def _score_conflicts(rules: RuleSet) -> Mapping[str, bool]:
    """Play, contract and score. Each auction has its scoring: levels count the bid, ranked
    contracts match points."""
    levels, contracts = rules.auction == "levels", rules.auction == "contracts"
    scoring = {"levels": "points_and_bid", "contracts": "match_points"}.get(rules.auction, "points")
    failed = ("bid_and_160",) if levels else ("everything",) if contracts else _FAILED_IN_POINTS
    match = rules.scoring == "match_points"
    return {
        "scoring": rules.scoring != scoring,
        "partner_winning": rules.players == 4 and rules.partner_winning is None,
        "made_if": (rules.made_if in ("bid", "bid_and_more")) != levels,
        "tie": rules.made_if in ("more", "bid_and_more") and rules.tie is None,
        "failed": rules.failed not in failed,
        "doubled": match and rules.doubled != "winner_takes_all",
        "capot": (rules.capot.kind == "match") != match,
        "solo_capot": rules.solo_capot is not None and (match or rules.solo_capot.kind == "match"),
        "capot_bid": rules.capot_bid is not None and not levels,
        "card_points": rules.card_points != "natural" and match,
        "nt_factor": rules.nt_factor != 1 and not match,
        "rounding": rules.rounding is not None and match,
        "failure_penalty": rules.failure_penalty != 0 and not match,
    }


_FAILED_IN_POINTS = ("all_162", "everything")
CHECKS = (_deal_conflicts, _auction_conflicts, _declaration_conflicts, _score_conflicts)
"""Each says for some fields whether they contradict another one."""


def overridden(rules: RuleSet, overrides: Mapping[str, object]) -> RuleSet:
    """The rules with some fields changed, given as in records; raises ``RuleSetError``."""
    if "preset" in overrides or "version" in overrides:
        raise RuleSetError("preset" if "preset" in overrides else "version", "bad_value")
    changes: dict[str, Any] = {n: field_from_record(n, v) for n, v in overrides.items()}
    return checked(replace(rules, **changes))
