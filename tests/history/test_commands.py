"""`replay` and `simulate` as they are called."""

import io
import subprocess
import sys
from uuid import uuid4

import orjson
import pytest

from app.belote.notation import replayed, score_record
from app.belote.text import record_of
from app.cli import main
from app.infra.config import CHECKOUT
from tests.conftest import apart
from tests.history.conftest import Played


@pytest.mark.parametrize("policy", ["random", "novice"])
def test_simulate_prints_a_record_a_line_that_the_referee_agrees_with(
    policy: str, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    words = ["simulate", "--deals", "30", "--seed", "5", "--policy", policy, "--legal"]
    assert main(words) == 0
    first = capfdbinary.readouterr().out
    records = [orjson.loads(line) for line in first.splitlines()]
    assert sum(record["score"] is not None for record in records) == 30
    for record in records:
        events = replayed(record)
        scored = [event.score for event in events if event.TYPE == "deal_scored"]  # type: ignore[union-attr]
        assert [score_record(score) for score in scored] == [
            record["score"] for _ in scored if record["score"] is not None
        ]
        for trick in record["tricks"]:
            assert all(c in legal for c, legal in zip(trick["cards"], trick["legal"], strict=True))
    assert main(words) == 0
    assert capfdbinary.readouterr().out == first, "the same seed prints the same lines"
    assert main([*words[:4], "6", *words[5:]]) == 0
    assert capfdbinary.readouterr().out != first


def test_simulate_plays_house_rules_and_names_one_that_makes_no_sense(
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    words = ["simulate", "--preset", "belot", "--deals", "3", "--rules"]
    assert main([*words, '{"failure_penalty": 10}']) == 0
    for line in capfdbinary.readouterr().out.splitlines():
        record = orjson.loads(line)
        assert record["rules"]["failure_penalty"] == 10
        replayed(record)
    assert main([*words, '{"tie": "tea"}']) == 2
    assert capfdbinary.readouterr().err == b"tie: bad_value\n"


def test_whoever_reads_may_stop_early() -> None:
    command = f"{sys.executable} -m app.cli simulate --deals 300 | head -n 1"
    done = subprocess.run(
        ["/bin/sh", "-c", command], cwd=CHECKOUT, capture_output=True, check=True, timeout=60
    )
    assert orjson.loads(done.stdout)["format"] == "rebelote-deal/1"
    assert done.stderr == b""


def test_referee_answers_what_it_is_asked(
    monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    question = {"ask": "legal", "preset": "classic", "trump": "H", "seat": 0, "hand": ["AS"]}
    lines = orjson.dumps({**question, "trick": []}) + b"\n{\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines)))
    assert main(["referee"]) == 0
    told = [orjson.loads(line) for line in capfdbinary.readouterr().out.splitlines()]
    assert told[0] == {"legal": ["AS"], "why": {}}
    assert told[1]["error"]["code"] == "bad_json"


async def test_replay_prints_what_the_server_tells(
    played: Played,
    database_url: str,
    monkeypatch: pytest.MonkeyPatch,
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    monkeypatch.setenv("REBELOTE_DATABASE_URL", database_url)
    told = await played.server.http.get(f"/api/matches/{played.id}/records?legal=1")
    assert apart(lambda: main(["replay", played.id, "--legal"])) == 0
    assert capfdbinary.readouterr().out == told.content
    assert apart(lambda: main(["replay", played.id, "--text"])) == 0
    text = capfdbinary.readouterr().out.decode()
    assert record_of("[Format " + text.split("[Format ")[1])["match"] == played.id

    assert apart(lambda: main(["replay", str(uuid4())])) == 1
    assert capfdbinary.readouterr().err.startswith(b"match_not_found")
