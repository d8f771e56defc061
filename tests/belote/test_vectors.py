"""The browser's vectors are what the referee says today."""

import os
from pathlib import Path

import pytest

from .vectors import SHOWN, Json, folds, other_games, single_steps, text_of

FOLDER = Path(__file__).parents[1] / "vectors"
WRITE = os.environ.get("REBELOTE_WRITE") == "1"


@pytest.mark.parametrize(
    ("name", "vectors"),
    [("game", single_steps), ("game_folds", folds), ("games", other_games)],
)
def test_the_vectors_on_disk_are_those_the_referee_makes(name: str, vectors: object) -> None:
    assert callable(vectors)
    made: list[Json] = vectors()
    path = FOLDER / f"{name}.json"
    if WRITE:
        path.write_text(text_of(made))
    assert path.read_text() == text_of(made), f"{path.name} is old: see tests/belote/vectors.py"


def test_the_vectors_cover_every_event_and_every_viewer() -> None:
    steps = single_steps()
    assert {step["event"]["type"] for step in steps} == {
        "hand_dealt", "passed", "bid_made", "passed_out", "rest_dealt", "declared", "card_played",
        "trick_taken", "declarations_settled", "deal_scored", "continued", "match_ended",
    }  # fmt: skip
    assert {step["view"]["viewer"] for step in steps} == {0, 1, 2, 3, None}
    sheets = [s["event"]["d"]["score"] for s in steps if s["event"]["type"] == "deal_scored"]
    assert {"made", "failed", "litige"} >= {sheet["outcome"] for sheet in sheets} >= {"litige"}
    assert any(sheet["capot"] is not None for sheet in sheets)
    assert any(sheet["carried_in"] for sheet in sheets)
    played = [step["event"]["d"] for step in steps if step["event"]["type"] == "card_played"]
    assert {d["belote"] for d in played} == {"belote", "rebelote", None}


def test_the_vectors_of_other_games_show_what_classic_lacks() -> None:
    types = {event["type"] for vector in other_games() for event in vector["events"]}
    assert types >= {name for _, _, name in SHOWN}
    players = {vector["view"]["rules"]["players"] for vector in other_games()}
    assert players == {2, 3, 4}


def test_no_vector_holds_a_hidden_field() -> None:
    for fold in (*folds(), *other_games()):
        for event in fold["events"]:
            assert not {"stock", "under", "before", "cut", "next_secret"} & set(event["d"])
            assert event["type"] == "deal_scored" or "secret" not in event["d"]
