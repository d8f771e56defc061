"""House rules are looked at as a whole: what fits, what does not, and what could be chosen."""

import pytest

from app.belote.presets import PRESETS, validated
from app.belote.rules import FIELDS, RuleSetError
from app.lobby.house_rules import FIXED, GROUPS, check, house_rules_of, values_of


def problems(preset: str, **overrides: object) -> dict[str, str]:
    return {p.field: p.code for p in check(preset, overrides).problems}


def test_every_rule_is_either_fixed_or_in_one_group() -> None:
    grouped = [field for fields in GROUPS.values() for field in fields]
    assert len(grouped) == len(set(grouped))
    assert set(grouped) | FIXED == set(FIELDS)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_as_it_is_has_no_problem_and_no_difference(preset: str) -> None:
    found = check(preset, {})
    assert found.problems == ()
    assert found.changed == {}


@pytest.mark.parametrize("preset", PRESETS)
def test_its_own_value_is_offered_for_every_open_rule(preset: str) -> None:
    found = check(preset, {})
    for field, values in found.open.items():
        own = found.rules[field]
        assert own in values or own is None or field == "target", field


@pytest.mark.parametrize("preset", PRESETS)
def test_an_offered_value_opens_a_table_or_the_rule_to_mend_is_named(preset: str) -> None:
    for field, values in check(preset, {}).open.items():
        for value in values:
            named = problems(preset, **{field: value})
            if named:
                assert field not in named
                with pytest.raises(RuleSetError) as refused:
                    validated(preset, {field: value})
                assert refused.value.field in named
            else:
                validated(preset, {field: value})


def test_declarations_in_a_game_without_them_ask_for_their_rules() -> None:
    named = problems("sans-annonces", declare="automatic")
    assert named == {
        "declaration_tie": "conflict",
        "declarations_without_trick": "conflict",
        "declarations_on_failure": "conflict",
    }
    mended = {"declare": "automatic", "declaration_tie": "first",
              "declarations_without_trick": "kept", "declarations_on_failure": "owner"}  # fmt: skip
    found = check("sans-annonces", mended)
    assert found.problems == ()
    assert set(found.changed) == set(mended)


def test_a_rule_that_changes_nothing_is_told_and_kept() -> None:
    found = check("sans-annonces", {"declarations_shown": "after_last_trick"})
    assert [(p.field, p.code) for p in found.problems] == [("declarations_shown", "idle")]
    assert found.changed == {"declarations_shown": "after_last_trick"}
    assert "declarations_shown" in found.open


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("auction", "levels", "unknown_field"),
        ("no_such_rule", 1, "unknown_field"),
        ("lead", "youngest", "bad_value"),
        ("target", 0, "bad_value"),
        ("capot", "match 9", "conflict"),
    ],
)
def test_what_can_not_be_is_named(field: str, value: object, code: str) -> None:
    assert problems("classic", **{field: value}) == {field: code}


def test_stored_rules_are_compared_with_the_preset() -> None:
    record = dict(check("classic", {"target": 701, "lead": "dealer"}).rules)
    assert house_rules_of("classic", record) == {"lead": "dealer"}
    assert house_rules_of("a-game-of-old", record) == {}


def test_a_game_of_suits_offers_no_other_trumps() -> None:
    assert len(values_of("trumps", PRESETS["classic"])) == 1
