"""What reading and writing of records share: the format, its errors, rule sets as objects."""

from collections.abc import Mapping
from typing import Any

from app.belote.rules import FIELDS, RuleSet, RuleSetError, field_from_record, field_to_record

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
