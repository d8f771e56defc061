"""A deal's record as text that people read, and the record again from that text.

Tags in brackets as chess players know them, then a line a trick. Rules that differ from the
preset's are named; a record of a preset that this referee does not know can't be written so.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from app.belote.notation import FORMAT, Record, RecordError, rules_record
from app.belote.presets import BOOK

_TAG = re.compile(r"\[(\w+) (.*)\]")
_SEATS = "seat"
_OPEN = ("up", "down")
"""What lies before the seats in an open layout."""


def text_of(record: Mapping[str, Any]) -> str:
    """The deal as lines of text, the last one ended too."""
    return "\n".join([*_tags(record), "", *_body(record), ""])


def record_of(text: str) -> Record:
    """The record that ``text_of`` wrote; raises ``RecordError`` (``bad_record``)."""
    try:
        return _parsed(text.splitlines())
    except (KeyError, ValueError, IndexError) as error:
        if isinstance(error, RecordError):
            raise
        raise RecordError("bad_record") from None


def texts_of(records: Iterable[Mapping[str, Any]]) -> str:
    """A whole match: its deals with an empty line between."""
    return "\n".join(text_of(record) for record in records)


def _tags(record: Mapping[str, Any]) -> Iterator[str]:
    proof = record["proof"]
    tags = {
        "Format": record["format"],
        "Match": record["match"],
        "Deal": record["deal"],
        "Preset": record["preset"],
        **_differences(record),
        "Dealer": record["dealer"],
        "Pack": " ".join(record["pack"]),
        "Cut": _word(record["cut"]),
        "Turned": _word(record["turned"]),
    }
    if proof is not None:
        tags["Commit"] = proof["commit"]
        tags["Secret"] = proof["secret"]
        tags["Contributions"] = " ".join(_word(each) for each in proof["contributions"])
        tags["Before"] = _before_text(proof["before"])
    return (f"[{name} {value}]" for name, value in tags.items())


def _differences(record: Mapping[str, Any]) -> dict[str, str]:
    preset = BOOK.get(record["preset"])
    if preset is None:
        raise RecordError("bad_record")
    usual = rules_record(preset)
    return {
        f"Rule_{name}": _value_text(value)
        for name, value in record["rules"].items()
        if usual[name] != value
    }


def _value_text(value: Any) -> str:
    """A rule's value: a number, a text in quotes, a list or a dash."""
    if isinstance(value, list):
        return ", ".join(_value_text(item) for item in value)
    return f'"{value}"' if isinstance(value, str) else _word(value)


def _value(text: str, like: Any) -> Any:
    if isinstance(like, list):
        return [_value(item, None) for item in text.split(", ")]
    if text.startswith('"'):
        return text[1:-1]
    return None if text == "-" else int(text)


def _word(value: object) -> str:
    return "-" if value is None else str(value)


def _maybe(word: str) -> str | None:
    return None if word == "-" else word


def _maybe_number(word: str) -> int | None:
    return None if word == "-" else int(word)


def _before_text(before: list[Mapping[str, Any]] | None) -> str:
    """What a cut pack came from: ``trick 0 AS TS 7S 8S, …``."""
    if before is None:
        return "-"
    piles = ((each["from"], _word(each["side"]), *each["cards"]) for each in before)
    return ", ".join(" ".join(pile) for pile in piles)


def _before(text: str) -> list[Record] | None:
    if text == "-":
        return None
    piles = (pile.split() for pile in text.split(", "))
    return [
        {"from": kind, "side": _maybe_number(side), "cards": cards} for kind, side, *cards in piles
    ]


def _body(record: Mapping[str, Any]) -> Iterator[str]:
    for seat, hand in enumerate(record["hands"]):
        yield f"{_SEATS} {seat}: {' '.join(hand)}"
    for pile in _OPEN:
        for seat, cards in enumerate(record.get(pile, ())):
            yield f"{pile} {seat}: {' '.join(cards)}"
    calls = [" ".join(str(call[k]) for k in ("seat", "call", "value", "trump") if k in call)
             for call in record["auction"]]  # fmt: skip
    yield "auction: " + ", ".join(calls)
    contract = record["contract"]
    if contract is not None:
        yield "contract: " + " ".join(_word(contract[key]) for key in _CONTRACT)
    for each in record["declarations"]:
        head = f"declared: {each['seat']} {each['kind']} {each['points']} {_word(each['outcome'])}"
        yield f"{head} {' '.join(each['cards'])}"
    for said in record["belote"]:
        yield f"belote: {said['seat']} {said['suit']}"
    for number, trick in enumerate(record["tricks"], 1):
        head = f"trick {number}: {trick['leader']} {_word(trick['winner'])}"
        yield f"{head} {' '.join(trick['cards'])}"
    if record["score"] is not None:
        yield from (f"{key}: {_score_text(value)}" for key, value in record["score"].items())


_CONTRACT = ("taker", "trump", "value", "factor")
_BY_SIDE = ("cards", "tricks", "declarations", "belote", "rounded", "awarded", "totals")
_NUMBERS = ("last_ten", "capot", "carried_in", "hung")


def _score_text(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else _word(value)


def _score_value(key: str, text: str) -> Any:
    if key in _BY_SIDE:
        return None if text == "-" else [int(word) for word in text.split()]
    return _maybe_number(text) if key in _NUMBERS else text


def _parsed(lines: list[str]) -> Record:
    tags: dict[str, str] = {}
    for line in lines:
        found = _TAG.fullmatch(line)
        if found:
            tags[found[1]] = found[2]
    if tags.get("Format") != FORMAT:
        raise RecordError("bad_format")
    rules = rules_record(BOOK[tags["Preset"]])
    for name, value in tags.items():
        if name.startswith("Rule_"):
            rule = name.removeprefix("Rule_")
            rules[rule] = _value(value, rules[rule])
    record: Record = {
        "format": FORMAT,
        "match": tags["Match"],
        "deal": int(tags["Deal"]),
        "preset": tags["Preset"],
        "rules": rules,
        "dealer": int(tags["Dealer"]),
        "pack": tags["Pack"].split(),
        "cut": _maybe_number(tags["Cut"]),
        "turned": _maybe(tags["Turned"]),
        "proof": _proof(tags),
        "hands": [],
        "auction": [],
        "contract": None,
        "declarations": [],
        "belote": [],
        "tricks": [],
        "score": None,
    }
    for line in lines:
        if line and not line.startswith("["):
            _read_line(record, line)
    return record


def _proof(tags: Mapping[str, str]) -> Record | None:
    if "Secret" not in tags:
        return None
    return {
        "commit": tags["Commit"],
        "secret": tags["Secret"],
        "contributions": [_maybe(word) for word in tags["Contributions"].split()],
        "before": _before(tags["Before"]),
    }


def _read_line(record: Record, line: str) -> None:
    head, _, rest = line.partition(":")
    key, words = head.partition(" ")[0], rest.split()
    if record["score"] is not None or head == "cards":
        record["score"] = {**(record["score"] or {}), head: _score_value(head, rest.strip())}
    elif key == _SEATS:
        record["hands"].append(words)
    elif key in _OPEN:
        record.setdefault(key, []).append(words)
    elif key == "auction":
        record["auction"] = [_call(call.split()) for call in rest.split(",") if call.strip()]
    elif key == "contract":
        taker, trump, value, factor = words
        record["contract"] = {
            "taker": int(taker),
            "trump": trump,
            "value": _number_or_word(value),
            "factor": _number_or_word(factor),
        }
    elif key == "declared":
        record["declarations"].append(_declaration(words))
    elif key == "belote":
        record["belote"].append({"seat": int(words[0]), "suit": words[1]})
    elif key == "trick":
        trick = {"leader": int(words[0]), "cards": words[2:], "winner": _maybe_number(words[1])}
        record["tricks"].append(trick)
    else:
        raise RecordError("bad_record")


def _declaration(words: list[str]) -> Record:
    return {
        "seat": int(words[0]),
        "kind": words[1],
        "cards": words[4:],
        "points": int(words[2]),
        "outcome": _maybe(words[3]),
    }


def _number_or_word(word: str) -> int | str | None:
    return int(word) if word.isdigit() else _maybe(word)


def _call(words: list[str]) -> Record:
    call: Record = {"seat": int(words[0]), "call": words[1]}
    if len(words) == 4:
        call["value"] = _number_or_word(words[2])
    if len(words) > 2:
        call["trump"] = words[-1]
    return call
