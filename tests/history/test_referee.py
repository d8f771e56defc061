"""Questions to the referee as JSON lines, with the figures of the rules' page."""

from typing import Any

import orjson
import pytest

from app.belote.presets import PRESETS
from app.history.referee import answer, answers
from app.history.simulate import at_random, chooser, simulate

Json = dict[str, Any]


def ask(**question: Any) -> Json:
    return answer(orjson.dumps({"preset": "classic", **question}))


def points(**figures: Any) -> Json:
    usual = {
        "contract": {"taker": 0, "trump": "H"},
        "last_ten": 0,
        "tricks": [4, 4],
        "declarations": [0, 0],
        "belote": [0, 0],
    }
    told = ask(ask="score_points", **{**usual, **figures})
    score: Json = told["score"]
    return score


@pytest.mark.parametrize(
    ("figures", "awarded", "hung"),
    [
        ({"cards": [71, 81]}, [0, 81], 81),
        ({"cards": [61, 91], "belote": [20, 0]}, [0, 91], 91),
        ({"cards": [60, 92], "belote": [20, 0]}, [20, 162], 0),
        ({"cards": [65, 87], "declarations": [20, 0]}, [95, 87], 0),
        ({"cards": [80, 72], "declarations": [0, 50]}, [0, 212], 0),
        ({"cards": [50, 102], "carried_in": 81}, [0, 243], 0),
    ],
)
def test_totals_score_as_the_worked_figures(figures: Json, awarded: list[int], hung: int) -> None:
    score = points(**figures)
    assert (score["awarded"], score["hung"]) == (awarded, hung)


def test_legal_cards_come_with_their_reasons() -> None:
    told = ask(ask="legal", trump="H", seat=2, hand=["7D", "AS"], trick=[[0, "KS"], [1, "7S"]])
    assert told == {"legal": ["AS"], "why": {"7D": "must_follow"}}


def test_a_worked_figure_of_play() -> None:
    """Opponent led A♠, opponent ruffed 9♥; hand Q♥ 7♥ K♦."""
    question: Json = {
        "ask": "legal",
        "trump": "H",
        "seat": 3,
        "hand": ["QH", "7H", "KD"],
        "trick": [[0, "AS"], [1, "7S"], [2, "9H"]],
    }
    assert sorted(ask(**question)["legal"]) == ["7H", "KD", "QH"]
    forced = ask(**question, rules={"undertrump": "forced"})
    assert sorted(forced["legal"]) == ["7H", "QH"]
    assert forced["why"] == {"KD": "must_undertrump"}


def test_declarations_are_found_compared_and_withheld() -> None:
    hands = [["7S", "8S", "9S"], ["QH", "KH", "AH"], ["JD", "JC"], ["9D", "TD", "8D", "7D"]]
    told = ask(ask="declarations", trump="H", leader=0, hands=hands)
    assert told["points"] == [0, 70]
    kinds = {(d["seat"], d["kind"]): d["outcome"] for d in told["declarations"]}
    assert kinds == {(0, "tierce"): "beaten", (1, "tierce"): "scored", (3, "quarte"): "scored"}

    some = ask(
        ask="declarations",
        trump="H",
        leader=0,
        hands=hands,
        declared={"0": [["9S", "8S", "7S"]]},
    )
    outcomes = [d["outcome"] for d in some["declarations"]]
    assert (some["points"], outcomes) == ([20, 0], ["scored", "withheld", "withheld"])

    wrong = ask(
        ask="declarations", trump="H", leader=0, hands=hands, declared={"2": [["JD", "JC", "JS"]]}
    )
    assert wrong["error"]["code"] == "bad_declaration"


def test_a_recorded_deal_scores_what_it_scored() -> None:
    rules = PRESETS["classic"]
    players = (at_random, chooser("novice"), at_random, chooser("novice"))
    for record in simulate(rules, 60, 3, players):
        score = record["score"]
        unscored = {name: value for name, value in record.items() if name != "score"}
        told = ask(ask="score", deal=unscored, carried_in=score["carried_in"] if score else 0)
        if score is None:
            assert told == {"score": None}
            continue
        # The referee is asked of this deal alone, so it is all there is in total.
        assert told["score"] == {**score, "totals": score["awarded"]}


def test_a_deal_that_breaks_a_rule_is_refused_by_its_code() -> None:
    record = next(r for r in simulate(PRESETS["classic"], 1, 1, (at_random,) * 4) if r["tricks"])
    trick = record["tricks"][0]["cards"]
    trick[0], trick[1] = trick[1], trick[0]
    assert ask(ask="score", deal=record)["error"]["code"] == "not_your_card"


@pytest.mark.parametrize("line", [b"{", b"", b"nonsense", b"\xff"])
def test_what_is_no_json_is_told_so(line: bytes) -> None:
    assert answer(line)["error"]["code"] == "bad_json"


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"ask": "weather"}, "bad_question"),
        ({"trump": "X"}, "bad_question"),
        ({"seat": 4}, "bad_question"),
        ({"colour": "red"}, "bad_question"),
        ({"up": ["8S"]}, "bad_question"),
        ({"preset": "chess"}, "unknown_preset"),
        ({"rules": {"colour": "red"}}, "unknown_field"),
        ({"rules": {"capot": "red"}}, "bad_value"),
        ({"hand": ["1S"]}, "bad_card"),
        ({"hand": ["AS", "AS"]}, "bad_card"),
        ({"trick": [[3, "AS"]]}, "bad_card"),
        ({"trick": [[1, "7S"]]}, "bad_trick"),
        ({"ask": "score", "deal": {}}, "bad_question"),
    ],
)
def test_what_can_not_be_answered_gets_a_code(changed: Json, code: str) -> None:
    question = {"ask": "legal", "trump": "H", "seat": 0, "hand": ["AS"], "trick": []}
    assert ask(**question) == {"legal": ["AS"], "why": {}}
    told = ask(**{**question, **changed})
    assert told["error"]["code"] == code
    assert told["error"]["message"]


def test_what_is_no_record_gets_a_code() -> None:
    assert ask(ask="score", deal={})["error"]["code"] == "bad_format"
    deal = {"format": "rebelote-deal/1"}
    assert ask(ask="score", deal=deal)["error"]["code"] == "bad_record"


def test_lines_are_answered_in_order_whatever_one_of_them_is() -> None:
    good = orjson.dumps(
        {"ask": "legal", "preset": "classic", "trump": "H", "seat": 0, "hand": ["AS"], "trick": []}
    )
    told = [orjson.loads(line) for line in answers([good, b"\n", b"nonsense\n", good])]
    assert [sorted(one) for one in told] == [["legal", "why"], ["error"], ["legal", "why"]]
