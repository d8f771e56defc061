"""docs/rules.md says what the presets say: its tables are made from their fields."""

import os
from pathlib import Path

import pytest

from app.belote.presets import BOOK, PRESETS
from app.belote.rules import FIELDS

from . import rulebook

PAGE = Path(__file__).parents[2] / "docs" / "rules.md"


def test_the_tables_are_those_of_the_presets() -> None:
    text = PAGE.read_text()
    made = rulebook.written(text)
    if os.environ.get("REBELOTE_WRITE") == "1":
        PAGE.write_text(made)
    assert made == PAGE.read_text()


def test_every_game_stands_in_one_table() -> None:
    assert sorted(name for names in rulebook.GROUPS.values() for name in names) == sorted(BOOK)
    assert set(PRESETS) <= set(BOOK)


def test_what_a_field_means_is_told_of_fields_alone() -> None:
    assert set(rulebook.MEANINGS) <= set(FIELDS)


@pytest.mark.parametrize("field", [f for f in FIELDS if f not in ("preset", "version")])
def test_a_row_that_differs_between_games_stands_in_a_table(field: str) -> None:
    for names in rulebook.GROUPS.values():
        values = {getattr(BOOK[name], field) for name in names}
        table = rulebook.tables()[BOOK[names[0]].auction]
        assert len(values) == 1 or f"| `{field}` |" in table


def test_a_page_without_a_place_for_a_table_is_refused() -> None:
    with pytest.raises(ValueError, match="no place for the table fields"):
        rulebook.written("# Rules")
