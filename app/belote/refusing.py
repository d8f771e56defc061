"""How the referee says no: a stable code, and the facts for a sentence."""

from collections.abc import Mapping


class RuleError(Exception):
    """A command that the rules refuse; it changes nothing. ``code`` is stable: ``not_your_turn``,
    ``wrong_phase``, ``already_continued``, ``not_your_card`` or one of ``play.RefusalCode`` for a
    card, ``declaration_not_open``, or for a call ``call_not_open`` (not now), ``trump_not_open``,
    ``value_not_open``, ``bid_too_low``, ``auction_frozen``, ``must_name``, ``nothing_to_double``,
    ``own_bid``, ``not_your_bid``, ``already_doubled``, ``not_doubled``, ``too_many_points``.
    ``facts`` are JSON-ready: names of suits and cards, and what would be open."""

    def __init__(self, code: str, facts: Mapping[str, object] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.facts: Mapping[str, object] = facts or {}


def require(met: bool, code: str, **facts: object) -> None:
    """Raises ``RuleError`` unless ``met``."""
    if not met:
        raise RuleError(code, facts)
