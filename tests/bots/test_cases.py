"""Each complaint about a bot's choice is a case file, and stays mended."""

from pathlib import Path
from random import Random

import pytest

from app.belote.cards import name_of
from app.belote.commands import Command, Name, Pass, Play, Take
from app.bots.policy import choose
from tests.bots.cases import Case, read_cases, situation

CASES = read_cases(Path(__file__).parent)


def _said(command: Command) -> str:
    match command:
        case Take():
            return "take"
        case Pass():
            return "pass"
        case Name(trump=trump):
            return f"name {trump}"
        case _:
            return "?"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.title)
def test_the_bot_does_what_the_case_asks(case: Case) -> None:
    view, legal = situation(case)
    for seed in range(5):
        command = choose(view, legal, "novice", Random(seed))
        if "call" in case.fields:
            assert _said(command) == case.fields["call"], case.place
            continue
        assert isinstance(command, Play)
        assert command.card in legal.cards
        card = name_of(command.card)
        assert card not in case.unwanted, case.place
        assert not case.wanted or card in case.wanted, case.place


def test_there_are_cases_of_every_kind() -> None:
    keys = {key for case in CASES for key in case.fields}
    assert {"call", "play", "not"} <= keys
    assert len(CASES) >= 25
