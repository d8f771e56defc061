"""Rule sets as records, and those that make no sense."""

from dataclasses import fields, replace

import pytest

from app.belote.cards import Trump
from app.belote.notation import rules_from_record, rules_record
from app.belote.presets import BOOK, CLASSIC, PRESETS, validated
from app.belote.rules import (
    Capot,
    Doubling,
    Packets,
    RuleSet,
    RuleSetError,
    field_from_record,
    field_to_record,
    overridden,
)


@pytest.mark.parametrize("name", BOOK)
def test_a_rule_set_is_its_record(name: str) -> None:
    record = rules_record(BOOK[name])
    assert set(record) == {field.name for field in fields(RuleSet)}
    assert rules_from_record(record) == BOOK[name]


def test_a_record_writes_the_words_of_the_tables() -> None:
    record = rules_record(PRESETS["classic-dealer-leads"])
    assert record["packets"] == "3+2 then 3"
    assert record["capot"] == "total 252"
    assert record["solo_capot"] == "total 350"
    assert record["declaration_tie"] is None
    assert record["trumps"] == ["S", "H", "D", "C"]
    assert record["targets"] == [501]
    assert record["finish_on_capot"] == "yes"
    assert record["double"] == "none"
    assert rules_record(CLASSIC)["solo_capot"] == "none"


def test_a_field_that_an_older_record_lacks_has_its_default() -> None:
    record = {"preset": "classic", "target": 501, "targets": [501, 701, 1001],
              "declarations_without_trick": "to_others"}  # fmt: skip
    assert rules_from_record(record) == CLASSIC


@pytest.mark.parametrize("missing", ["preset", "target", "targets"])
def test_a_record_without_its_name_or_target_is_none(missing: str) -> None:
    record = {k: v for k, v in rules_record(CLASSIC).items() if k != missing}
    with pytest.raises(RuleSetError) as error:
        rules_from_record(record)
    assert (error.value.field, error.value.code) == (missing, "missing_field")


@pytest.mark.parametrize(
    ("name", "record", "value"),
    [
        ("packets", "3+3 then 2", Packets((3, 3), (2,))),
        ("packets", "3+2+3", Packets((3, 2, 3))),
        ("capot", "bonus 90", Capot("bonus", 90)),
        ("capot", "match 9", Capot("match", 9)),
        ("solo_capot", "none", None),
        ("double", "any_time ×2", Doubling("any_time", 2)),
        ("redouble", "in_turn ×4", Doubling("in_turn", 4)),
        ("double", "none", None),
        ("rounding", "ten", "ten"),
        ("tie", None, None),
        ("cards_shared", "yes", True),
        ("nt_factor", 2, 2),
        ("trumps", ["S", "NT"], (Trump.SPADES, Trump.NO_TRUMPS)),
        ("bids", [80, 90], (80, 90)),
    ],
)
def test_a_value_is_read_and_written(name: str, record: object, value: object) -> None:
    assert field_from_record(name, record) == value
    assert field_to_record(name, value) == record


@pytest.mark.parametrize(
    ("name", "record"),
    [
        ("target", "501"), ("target", True), ("preset", 1), ("lead", "west"), ("players", 5),
        ("players", "4"), ("players", True), ("packets", "3+2 then"), ("packets", "three"),
        ("packets", "0"), ("packets", 3), ("packets", "99"), ("capot", "bonus"), ("capot", 90),
        ("capot", "gift 90"), ("capot", "bonus 9000"), ("double", "in_turn"),
        ("double", "in_turn ×99"), ("double", "often ×2"), ("cards_shared", True),
        ("cards_shared", "maybe"), ("trumps", ["X"]), ("trumps", [1]), ("trumps", "SH"),
        ("targets", 501), ("tie", "none"), ("nt_factor", 3), ("direction", None),
    ],
)  # fmt: skip
def test_a_value_that_a_rule_can_not_have_is_refused(name: str, record: object) -> None:
    with pytest.raises(RuleSetError) as error:
        field_from_record(name, record)
    assert (error.value.field, error.value.code) == (name, "bad_value")


def test_an_unknown_rule_is_refused() -> None:
    with pytest.raises(RuleSetError, match="unknown_field"):
        field_from_record("jokers", 2)


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_can_be_played(name: str) -> None:
    assert validated(name) is not None
    assert PRESETS[name].preset == name
    assert PRESETS[name].target in PRESETS[name].targets


def test_a_house_rule_changes_one_field() -> None:
    rules = validated("classic", {"target": 701, "capot": "total 252"})
    assert rules == replace(CLASSIC, target=701, capot=Capot("total", 252))


@pytest.mark.parametrize(
    ("overrides", "field", "code"),
    [
        ({"target": 0}, "target", "bad_value"),
        ({"target": 10_001}, "target", "bad_value"),
        ({"preset": "mine"}, "preset", "bad_value"),
        ({"version": 2}, "version", "bad_value"),
        ({"jokers": 2}, "jokers", "unknown_field"),
        ({"trumps": []}, "trumps", "bad_value"),
        ({"trumps": ["S", "S", "H", "D"]}, "trumps", "bad_value"),
        ({"trumps": ["S", "H", "D"]}, "trumps", "conflict"),
        ({"players": 2}, "players", "conflict"),
        ({"targets": [501, 0]}, "targets", "bad_value"),
        ({"pack": 24}, "packets", "conflict"),
        ({"layout": "open"}, "layout", "conflict"),
        ({"all_pass": "dealer_must"}, "all_pass", "conflict"),
        ({"dealer_cancel": "any"}, "dealer_cancel", "conflict"),
        ({"double": "in_turn ×2"}, "double", "conflict"),
        ({"third_double": "match"}, "third_double", "conflict"),
        ({"auction": "call"}, "all_pass", "conflict"),
        ({"auction": "levels"}, "bids", "conflict"),
        ({"auction": "contracts"}, "scoring", "conflict"),
        ({"scoring": "match_points"}, "scoring", "conflict"),
        ({"failure_penalty": 10}, "failure_penalty", "conflict"),
        ({"nt_factor": 2}, "nt_factor", "conflict"),
        ({"solo_capot": "match 9"}, "solo_capot", "conflict"),
        ({"packets": "3+2 then 2"}, "packets", "conflict"),
        ({"packets": "3+2+3"}, "packets", "conflict"),
        ({"packets": "3+3 then 1+1"}, "packets", "conflict"),
        ({"bids": [80]}, "bids", "conflict"),
        ({"declaration_tie": None}, "declaration_tie", "conflict"),
        ({"run_of_eight": None}, "run_of_eight", "conflict"),
        ({"declarations_without_trick": None}, "declarations_without_trick", "conflict"),
        ({"declarations_on_failure": None}, "declarations_on_failure", "conflict"),
        ({"partner_winning": None}, "partner_winning", "conflict"),
        ({"made_if": "bid"}, "made_if", "conflict"),
        ({"tie": None}, "tie", "conflict"),
        ({"failed": "bid_and_160"}, "failed", "conflict"),
        ({"capot": "match 9"}, "capot", "conflict"),
        ({"capot_bid": "contract_250"}, "capot_bid", "conflict"),
        ({"redouble": "in_turn ×4"}, "redouble", "conflict"),
    ],
)
def test_rules_that_make_no_sense_are_refused_by_name(
    overrides: dict[str, object], field: str, code: str
) -> None:
    with pytest.raises(RuleSetError) as error:
        validated("classic", overrides)
    assert (error.value.field, error.value.code) == (field, code)


def test_an_unknown_game_is_refused() -> None:
    with pytest.raises(RuleSetError) as error:
        validated("whist")
    assert (error.value.field, error.value.code) == ("preset", "unknown_preset")


@pytest.mark.parametrize(
    ("game", "overrides", "field"),
    [
        ("coinche", {"bids": []}, "bids"),
        ("coinche", {"bids": [90, 80]}, "bids"),
        ("coinche", {"bids": [80, 250]}, "bids"),
        ("coinche", {"bids": [0, 80]}, "bids"),
        ("coinche", {"redouble": "in_turn ×4"}, "redouble"),
        ("coinche", {"redouble": "any_time ×2"}, "redouble"),
        ("coinche", {"double": "none"}, "redouble"),
        ("coinche", {"made_if": "more"}, "made_if"),
        ("coinche", {"failed": "all_162"}, "failed"),
        ("coinche", {"tie": None}, "tie"),
        ("coinche", {"third_double": "match"}, "third_double"),
        ("coinche", {"scoring": "points"}, "scoring"),
        ("coinche", {"capot": "match 9"}, "capot"),
        ("coinche", {"players": 2}, "players"),
        ("contree", {"declare": "automatic"}, "declaration_tie"),
        ("belot", {"double": "any_time ×2"}, "double"),
        ("belot", {"double": "none", "redouble": "none", "third_double": "match"}, "third_double"),
        ("belot", {"doubled": "base_and_bid"}, "doubled"),
        ("belot", {"failed": "all_162"}, "failed"),
        ("belot", {"capot": "bonus 90"}, "capot"),
        ("belot", {"solo_capot": "total 350"}, "solo_capot"),
        ("belot", {"card_points": "scaled_162"}, "card_points"),
        ("belot", {"rounding": "ten"}, "rounding"),
        ("belot", {"capot_bid": "flat_500"}, "capot_bid"),
        ("belot", {"players": 3}, "packets"),
        ("belot-duel", {"run_of_eight": "quinte"}, "run_of_eight"),
        ("belot-duel", {"packets": "3+3 then 8"}, "packets"),
        ("belot-duel", {"handling": "cut"}, "handling"),
        ("belot-duel", {"layout": "open"}, "layout"),
        ("belot-trio", {"handling": "cut"}, "handling"),
        ("belot-trio", {"declarations_without_trick": "to_others"}, "declarations_without_trick"),
        ("belot-open", {"packets": "3+2 then 3"}, "packets"),
        ("belot-open", {"players": 4}, "layout"),
        ("bela", {"all_pass": "next"}, "all_pass"),
        ("bela", {"packets": "3+3+2"}, "packets"),
        ("bela", {"trumps": ["S", "NT"]}, "trumps"),
        ("bela", {"run_of_eight": None}, "run_of_eight"),
    ],
)
def test_a_house_rule_that_contradicts_a_game_is_refused_by_name(
    game: str, overrides: dict[str, object], field: str
) -> None:
    with pytest.raises(RuleSetError) as error:
        overridden(BOOK[game], overrides)
    assert (error.value.field, error.value.code) == (field, "conflict")


@pytest.mark.parametrize(
    ("game", "overrides"),
    [
        ("coinche", {"solo_capot": "bonus 490"}),
        ("coinche", {"target": 2000, "declare": "none"}),
        ("coinche", {"double": "none", "redouble": "none"}),
        ("coinche", {"capot_bid": "none"}),
        ("contree", {"trumps": ["S", "H", "D", "C", "NT", "AT"]}),
        ("belot", {"third_double": "match", "failure_penalty": 10}),
        ("belote-international", {"nt_four_aces": 200}),
        ("belot-trio", {"failed_trio": "both"}),
        ("belot-duel", {"packets": "3+3 then 4"}),
        ("bela", {"tie": "failed", "dealer_cancel": "at_most_7"}),
        ("classic", {"rounding": "ten"}),
    ],
)
def test_the_options_of_the_page_contradict_nothing(
    game: str, overrides: dict[str, object]
) -> None:
    try:
        overridden(BOOK[game], overrides)
    except RuleSetError as error:
        assert error.code == "not_offered"  # noqa: PT017  (a rule that is still to come)


def test_a_rule_that_the_referee_does_not_know_yet_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("app.belote.rules._OFFERED", {"lead": ("eldest",)})
    assert overridden(CLASSIC, {"lead": "eldest"}) == CLASSIC
    with pytest.raises(RuleSetError, match="lead: not_offered"):
        overridden(CLASSIC, {"lead": "dealer"})


def test_a_game_without_declarations_needs_none_of_their_rules() -> None:
    assert overridden(PRESETS["sans-annonces"], {"target": 1000}).declaration_tie is None
