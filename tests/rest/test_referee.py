"""The referee over REST gives the answers of the command line, and not without end."""

from typing import Any

import pytest

from app.history.referee import answer_to
from tests.clocks import FakeClock
from tests.realtime.harness import Running, limits, serving

pytestmark = pytest.mark.asyncio(loop_scope="module")

LEGAL: dict[str, Any] = {
    "ask": "legal", "preset": "belot", "trump": "AT", "seat": 2, "hand": ["7D", "AS", "9S"],
    "trick": [[0, "KS"], [1, "7S"]],
}  # fmt: skip
POINTS: dict[str, Any] = {
    "ask": "score_points", "preset": "classic", "contract": {"taker": 0, "trump": "H"},
    "cards": [80, 72], "last_ten": 1, "tricks": [4, 4], "solo": None, "declarations": [0, 0],
    "belote": [0, 0], "carried_in": 0,
}  # fmt: skip


async def test_it_says_what_is_legal_and_why_not_the_rest(shared: Running) -> None:
    answer = await shared.http.post("/api/referee", json=LEGAL)
    assert answer.status_code == 200
    assert answer.json() == {"legal": ["9S", "AS"], "why": {"7D": "must_follow"}}


async def test_it_scores_as_the_command_line_does(shared: Running) -> None:
    answer = await shared.http.post("/api/referee", json=POINTS)
    assert answer.json() == answer_to(POINTS)
    assert answer.json()["score"]["awarded"] == [0, 162]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"ask": "tea"}, "bad_question"),
        ({"hand": ["1X"]}, "bad_card"),
        ({"trick": [[3, "KS"]]}, "bad_trick"),
        ({"preset": "poker"}, "unknown_preset"),
    ],
)
async def test_a_question_that_makes_no_sense_is_refused_with_the_referees_code(
    shared: Running, change: dict[str, Any], code: str
) -> None:
    answer = await shared.http.post("/api/referee", json=LEGAL | change)
    error = answer.json()["error"]
    assert (answer.status_code, error["code"]) == (422, "question_refused")
    assert error["facts"]["code"] == code


async def test_who_asks_too_much_is_told_when_to_come_back(database_url: str) -> None:
    exercises, classic = "/api/rules/exercises", {"preset": "classic"}
    asked = [("/api/referee", LEGAL), (exercises, classic), ("/api/referee", LEGAL)]
    few, still = limits(questions_per_address_per_minute=2), FakeClock()
    async with serving(database_url, limits_=few, clock=still) as server:
        answers = [await server.http.post(path, json=body) for path, body in asked]
        last = await server.http.post(exercises, json=classic)
    assert [answer.status_code for answer in (*answers, last)] == [200, 200, 429, 429]
    assert 1 <= int(answers[2].headers["retry-after"]) <= 60
