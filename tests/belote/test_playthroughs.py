"""A whole match of each preset, every state as text.

A change of the rules shows here as a diff: read it, and if it is meant, write the files anew with
`REBELOTE_WRITE=1 pytest tests/belote/test_playthroughs.py`.
"""

import os
from pathlib import Path

import pytest

from app.belote.presets import PRESETS

from .playthrough import playthrough

FOLDER = Path(__file__).parent / "playthroughs"
WRITE = os.environ.get("REBELOTE_WRITE") == "1"
SEED = 38
"""Under `classic` its third deal hangs and its fourth is a capot."""


@pytest.mark.parametrize("preset", PRESETS)
def test_a_match_goes_as_it_is_written_down(preset: str) -> None:
    path = FOLDER / f"{preset}.txt"
    made = playthrough(PRESETS[preset], SEED)
    if WRITE:
        path.parent.mkdir(exist_ok=True)
        path.write_text(made)
    assert path.read_text() == made


def test_no_preset_lacks_a_playthrough_and_none_is_left_over() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(PRESETS)
