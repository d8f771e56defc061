"""How the referee says no: a stable code, and the facts for a sentence."""

from collections.abc import Mapping
from typing import Literal

RuleCode = Literal[
    "not_your_turn",
    "wrong_phase",
    "already_continued",
    "not_your_card",
    "call_not_open",
    "trump_not_open",
    "value_not_open",
    "bid_too_low",
    "auction_frozen",
    "must_name",
    "too_many_points",
    "nothing_to_double",
    "own_bid",
    "not_your_bid",
    "already_doubled",
    "not_doubled",
    "declaration_not_open",
    "belote_not_open",
    "not_on_lead",
    "not_certain",
]
"""Why a command is refused, beside ``play.RefusalCode`` for cards. call_not_open: not in this game
or not now; bid_too_low: not above the standing bid; auction_frozen: nobody bids after a double;
must_name: the dealer may not pass; too_many_points: nor annul; own_bid: one's own side's may not be
doubled; not_your_bid: the others' may not be redoubled."""


class RuleError(Exception):
    """A command that the rules refuse; it changes nothing. ``code`` is stable: a ``RuleCode`` or
    ``play.RefusalCode``. ``facts`` are JSON-ready: names of suits and cards, and what would be
    open."""

    def __init__(self, code: str, facts: Mapping[str, object] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.facts: Mapping[str, object] = facts or {}


def require(met: bool, code: str, **facts: object) -> None:
    """Raises ``RuleError`` unless ``met``."""
    if not met:
        raise RuleError(code, facts)
