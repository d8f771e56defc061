"""The browser's vectors of tables are what this server says today."""

import os
from pathlib import Path

import orjson

from .vectors import table_vectors

FILE = Path(__file__).parents[1] / "vectors" / "table.json"


def test_the_vectors_on_disk_are_those_the_server_makes() -> None:
    made = orjson.loads(orjson.dumps(table_vectors()))
    if os.environ.get("REBELOTE_WRITE") == "1":
        lines = ",\n".join(orjson.dumps(vector).decode() for vector in made)
        FILE.write_text(f"[\n{lines}\n]\n")
    assert orjson.loads(FILE.read_bytes()) == made


def test_the_vectors_tell_every_event_of_a_table_and_every_way_to_act() -> None:
    made = table_vectors()
    types = {vector["event"]["type"] for vector in made}
    assert types >= {
        "seat_taken", "seat_left", "host_changed", "options_set", "match_started", "seat_to_bot",
        "seat_reclaimed", "paused", "resumed", "abandoned", "closed", "match_ended", "ready_asked",
        "ready_answered", "rematch_offered", "rematch_answered", "resign_offered",
        "resign_answered", "claimed",
    }  # fmt: skip
    hows = {vector["event"].get("how") for vector in made}
    assert hows == {None, "timeout", "bot"}
    strikes = {seat["strikes"] for vector in made for seat in vector["after"]["seats"]}
    assert {0, 1, 2} <= strikes
