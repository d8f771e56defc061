"""docs/rules.md says what the presets say."""

from pathlib import Path

import pytest

from app.belote.notation import rules_record
from app.belote.presets import BOOK, PRESETS
from app.belote.rules import FIELDS

TEXT = (Path(__file__).parents[2] / "docs" / "rules.md").read_text()


def rows(heading: str) -> list[list[str]]:
    """The cells of the table under a heading, its head first."""
    section = TEXT.split(heading)[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip().strip("`") for cell in line.strip("|").split("|")]
            for line in lines if not line.startswith("|---")]  # fmt: skip


def cell(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return "–" if value is None else str(value)


def test_the_table_of_presets_is_theirs() -> None:
    head, *body = rows("## 4. Presets")
    assert head[1:] == list(BOOK)
    records = [rules_record(rules) for rules in BOOK.values()]
    for field, *cells in body:
        assert cells == [cell(record[field]) for record in records], field
    told = {row[0] for row in body}
    differing = {f for f in FIELDS if len({cell(record[f]) for record in records}) > 1}
    assert differing - {"preset"} == told


def test_every_field_it_explains_exists() -> None:
    names = {name.strip("` ") for row in rows("## 2. The fields")[1:] for name in row[0].split(",")}
    assert names <= set(FIELDS)


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_is_named(preset: str) -> None:
    assert f"`{preset}`" in TEXT
