"""The record of a deal and its text."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from app.belote.cards import Seat, Trump, card_named
from app.belote.commands import End, Pass, Take
from app.belote.engine import RuleError, decide
from app.belote.events import BidMade, DealScored, GameEvent
from app.belote.notation import (
    Record,
    RecordError,
    deal_record,
    records,
    replayed,
    rules_record,
)
from app.belote.presets import CLASSIC, validated
from app.belote.rules import RuleSetError
from app.belote.shuffle import commit_of, pack_from_bytes
from app.belote.text import record_of, text_of, texts_of

from .driver import cards, deal_of, pack_for, play, play_match, start, step

MATCH = "match-38"


def events(seed: int = 38) -> list[GameEvent]:
    return [event for step in play_match(CLASSIC, seed) for event in step.events]


def match_records(with_legal: bool = False) -> list[Record]:
    return list(records(CLASSIC, MATCH, events(), with_legal))


KEYS = ["format", "match", "deal", "preset", "rules", "dealer", "pack", "cut", "turned", "proof",
        "hands", "auction", "contract", "declarations", "belote", "tricks", "score"]  # fmt: skip


def test_a_match_has_a_record_for_each_deal() -> None:
    made = match_records()
    assert [record["deal"] for record in made] == [1, 2, 3, 4]
    assert all(list(record) == KEYS for record in made)
    assert [record["score"]["outcome"] for record in made][2] == "litige"
    assert made[3]["score"]["carried_in"] == made[2]["score"]["hung"] > 0


def test_a_records_pack_is_that_of_its_proof() -> None:
    for record in match_records():
        proof = record["proof"]
        assert commit_of(proof["secret"]) == proof["commit"]
        pack = pack_from_bytes(
            bytes.fromhex(proof["secret"]), proof["contributions"], MATCH, record["deal"]
        )
        assert tuple(record["pack"]) == tuple(
            "789TJQKA"[card & 7] + "SHDC"[card >> 3] for card in pack
        )


def test_a_record_has_the_words_of_the_format() -> None:
    first = match_records()[0]
    assert first["format"] == "rebelote-deal/1"
    assert first["rules"] == rules_record(CLASSIC)
    assert [len(hand) for hand in first["hands"]] == [8, 8, 8, 8]
    assert set(first["contract"]) == {"taker", "trump", "value", "factor"}
    assert all(set(trick) == {"leader", "cards", "winner"} for trick in first["tricks"])
    assert len(first["tricks"]) == 8
    assert list(first["score"]) == [
        "cards", "last_ten", "tricks", "declarations", "belote", "outcome", "capot", "rounded",
        "awarded", "carried_in", "hung", "totals",
    ]  # fmt: skip


def test_a_record_may_tell_what_each_seat_might_have_played() -> None:
    for record in match_records(with_legal=True):
        for trick in record["tricks"]:
            assert len(trick["legal"]) == 4
            assert all(c in legal for c, legal in zip(trick["cards"], trick["legal"], strict=True))
    opening = match_records(with_legal=True)[0]
    leader = opening["tricks"][0]["leader"]
    assert set(opening["tricks"][0]["legal"][0]) == set(opening["hands"][leader])


def declared_deal() -> Record:
    """A deal with a tierce, belote and a failed contract."""
    deal: list[GameEvent] = []
    for done in play_match(CLASSIC, 9, deals=1):
        deal += done.events
    return deal_record(CLASSIC, "match-9", deal)


def test_declarations_are_recorded_with_all_their_cards() -> None:
    record = declared_deal()
    assert [(d["seat"], d["kind"], d["outcome"]) for d in record["declarations"]] == [
        (1, "tierce", "beaten"), (2, "tierce", "scored"),
    ]  # fmt: skip
    assert all(len(each["cards"]) == 3 for each in record["declarations"])
    assert all(each["points"] == 20 for each in record["declarations"])
    assert len(record["belote"]) == 1
    assert set(record["belote"][0]) == {"seat", "suit"}


def passed_out_deal() -> Record:
    state = start(CLASSIC, "out")
    done = step(state, deal_of(state, "out"))
    deal = list(done.events)
    while done.after.turn is not None:
        done = step(done.after, Pass(done.after.turn))
        deal += done.events
    return deal_record(CLASSIC, "match-out", deal)


def test_a_deal_that_nobody_took_has_no_contract_and_no_score() -> None:
    record = passed_out_deal()
    assert (record["contract"], record["score"], record["tricks"]) == (None, None, [])
    assert [len(hand) for hand in record["hands"]] == [5, 5, 5, 5]
    assert len(record["auction"]) == 8
    assert len(record["pack"]) == 32
    assert replayed(record)[-1].TYPE == "passed_out"


# Seat 0 takes the nine of hearts and holds belote; seat 1 has a tierce, the others nothing.
HANDS = [
    "9H 8H QH KH TS 7C 8D AD",
    "7S 8S 9S AH TC 9C TD 7D",
    "AS KS 7H JH AC KC QD 9D",
    "JS QS TH 8C QC JC KD JD",
]


def short_deal() -> Record:
    state = start(CLASSIC, "arranged", 3)
    pack = pack_for(CLASSIC, 3, [cards(hand) for hand in HANDS], card_named("9H"), 0)
    dealt = step(state, deal_of(state, "arranged", pack))
    taken = step(dealt.after, Take(Seat(0)))
    state, played = play(taken.after, "TS 7S")
    ended = decide(state, End("abandoned"))
    return deal_record(CLASSIC, "short", [*dealt.events, *taken.events, *played, *ended])


def test_a_deal_cut_short_has_its_tricks_so_far() -> None:
    record = short_deal()
    assert record["tricks"] == [{"leader": 0, "cards": ["TS", "7S"], "winner": None}]
    assert record["score"] is None
    assert record["declarations"][0]["outcome"] is None
    assert record_of(text_of(record)) == record
    assert replayed(record)[-1].TYPE == "card_played"


def test_replaying_a_record_gives_the_same_score() -> None:
    for record in match_records():
        scored = [event for event in replayed(record) if isinstance(event, DealScored)]
        assert list(scored[0].score.totals) == record["score"]["totals"]
        assert deal_record(CLASSIC, MATCH, replayed(record)) == record


def test_a_record_without_proof_has_none() -> None:
    record = match_records()[0] | {"proof": None}
    again = deal_record(CLASSIC, MATCH, replayed(record))
    assert again["proof"] is None
    assert record_of(text_of(record)) == record


def test_events_without_a_deal_are_no_record() -> None:
    with pytest.raises(RecordError):
        deal_record(CLASSIC, MATCH, [])
    assert list(records(CLASSIC, MATCH, [])) == []


def without(key: str) -> Callable[[Record], None]:
    return lambda record: record.pop(key) and None


def setting(path: str, value: Any) -> Callable[[Record], None]:
    def change(record: Record) -> None:
        *way, last = path.split(".")
        inner: Any = record
        for each in way:
            inner = inner[int(each)] if isinstance(inner, list) else inner[each]
        inner[int(last) if isinstance(inner, list) else last] = value

    return change


@pytest.mark.parametrize(
    ("change", "error", "code"),
    [
        (setting("format", "rebelote-deal/9"), RecordError, "bad_format"),
        (without("rules"), RecordError, "bad_record"),
        (without("pack"), RecordError, "bad_record"),
        (setting("pack.0", "XX"), RecordError, "bad_record"),
        (setting("pack.0", "AS"), RecordError, "bad_record"),
        (setting("auction.0.call", "shout"), RecordError, "bad_record"),
        (setting("auction", None), RecordError, "bad_record"),
        (setting("tricks.0.leader", "one"), RecordError, "bad_record"),
        (setting("tricks.0.leader", 4), RecordError, "bad_record"),
        (setting("dealer", -1), RecordError, "bad_record"),
        (setting("dealer", True), RecordError, "bad_record"),
        (setting("deal", "1"), RecordError, "bad_record"),
        (setting("score.carried_in", None), RecordError, "bad_record"),
        (setting("score.totals", [1]), RecordError, "bad_record"),
        (setting("proof", "none"), RecordError, "bad_record"),
        (setting("rules.players", 3), RuleSetError, "conflict"),
        (setting("rules.lead", "west"), RuleSetError, "bad_value"),
        (setting("auction.0.seat", 3), RuleError, "not_your_turn"),
        (setting("tricks.0.leader", 3), RuleError, "not_your_turn"),
    ],
)
def test_what_is_no_record_is_refused_with_its_reason(
    change: Callable[[Record], None], error: type[Exception], code: str
) -> None:
    record = copy.deepcopy(match_records()[0])
    if record["pack"][0] == "AS":
        record["pack"][0], record["pack"][1] = record["pack"][1], record["pack"][0]
    change(record)
    with pytest.raises(error) as raised:
        replayed(record)
    assert getattr(raised.value, "code", None) == code


def test_the_text_is_the_record_again() -> None:
    for record in [*match_records(), declared_deal(), passed_out_deal()]:
        assert record_of(text_of(record)) == record


def test_a_house_rule_is_named_in_the_text() -> None:
    rules = validated("classic", {"target": 701, "capot": "total 252", "tie": "failed",
                                  "targets": [701, 1001], "declaration_tie": "void"})  # fmt: skip
    deal = [event for done in play_match(rules, 3, deals=1) for event in done.events]
    record = deal_record(rules, "house", deal)
    text = text_of(record)
    assert "[Rule_target 701]" in text
    assert '[Rule_capot "total 252"]' in text
    assert record_of(text) == record


def test_a_text_reads_like_one() -> None:
    text = text_of(declared_deal())
    lines = text.splitlines()
    assert lines[0] == "[Format rebelote-deal/1]"
    assert any(line.startswith("trick 8: ") for line in lines)
    assert any(line.startswith("declared: 1 tierce 20 beaten ") for line in lines)
    assert text.endswith("\n")
    assert texts_of([declared_deal(), declared_deal()]) == f"{text}\n{text}"


def test_a_contract_of_a_bidding_game_can_be_written() -> None:
    record = declared_deal()
    record["contract"] = {"taker": 1, "trump": "S", "value": "capot", "factor": 2}
    record["auction"] = [{"seat": 1, "call": "bid", "value": 100, "trump": "S"},
                         {"seat": 2, "call": "double"}]  # fmt: skip
    assert record_of(text_of(record)) == record


@pytest.mark.parametrize(
    "text",
    ["", "[Format rebelote-deal/9]\n", "[Format rebelote-deal/1]\n[Preset whist]\n"],
)
def test_what_is_no_text_of_a_deal_is_refused(text: str) -> None:
    with pytest.raises(RecordError):
        record_of(text)


def test_a_text_with_a_line_too_many_or_an_unknown_game_is_refused() -> None:
    text = text_of(passed_out_deal())
    with pytest.raises(RecordError, match="bad_record"):
        record_of(text + "weather: fine\n")
    with pytest.raises(RecordError, match="bad_record"):
        text_of(passed_out_deal() | {"preset": "whist"})


def test_what_comes_before_the_first_deal_is_no_deal() -> None:
    state = start(CLASSIC, "never")
    assert list(records(CLASSIC, "never", decide(state, End("abandoned")))) == []


def test_a_bid_is_recorded_with_its_value() -> None:
    state = start(CLASSIC, "bid")
    dealt = step(state, deal_of(state, "bid")).events
    bid = BidMade(Seat(1), "bid", Trump.SPADES, 100)
    record = deal_record(CLASSIC, "bid", [*dealt, bid])
    assert record["auction"] == [{"seat": 1, "call": "bid", "value": 100, "trump": "S"}]
