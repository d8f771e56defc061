"""The record of a deal, ``rebelote-deal/1``: one plain object, the same in history, export, replay
and tests (docs/protocol.md has its shape).

Objects here are dicts of texts, numbers, lists and None, ready for any encoder; nothing here
encodes. A record tells every hand, so nothing of it may leave the server before its match has ended
(D4); whoever calls this sees to that. ``notation_write`` makes records, ``notation_read`` plays
them again.
"""

from app.belote.notation_read import replayed
from app.belote.notation_rules import (
    FORMAT,
    Record,
    RecordError,
    rules_from_record,
    rules_record,
)
from app.belote.notation_write import deal_record, records, score_record

__all__ = [
    "FORMAT",
    "Record",
    "RecordError",
    "deal_record",
    "records",
    "replayed",
    "rules_from_record",
    "rules_record",
    "score_record",
]
