"""`rebelote check-log`: nothing to say of a good log, the place and the reason of a bad one."""

import argparse
import random

import pytest

from app.infra.config import Settings
from app.infra.db import Database
from app.tables import check_log
from app.tables import table as tables
from app.tables.check_log import check
from tests.conftest import apart

from .kit import House


async def problems(database: Database, *, referee: bool = False) -> list[str]:
    report = await check(database, referee=referee)
    return [problem.what for problem in report.problems]


def waits_in_the_middle(state: tables.TableState) -> bool:
    """A deal is being played and a person is to act, so that no bot writes on."""
    turn = tables.open_turn(state)
    if turn is None or turn.kind != "play" or turn.seat is None or state.game is None:
        return False
    return len(state.game.played) > 9 and state.seats[turn.seat].player is not None


async def test_good_logs_have_no_problem(house: House) -> None:
    table = await house.playing(2)
    await table.play_out()
    await house.tables.start(table.code, table.people[0].id)
    await table.play_on(random.Random(2), waits_in_the_middle)
    await house.seated(1)
    report = await check(house.database, referee=True)
    assert report.problems == []
    assert report.tables == 2
    events = await house.database.pool.fetchval("SELECT count(*) FROM table_event")
    assert report.events == events
    batches = await house.database.pool.fetchval(
        "SELECT count(*) FROM table_event WHERE cmd_id IS NOT NULL"
    )
    assert report.batches == batches


BROKEN = {
    "a row is missing": (
        "DELETE FROM table_event WHERE seq = 9",
        "number 10 follows",
    ),
    "the end is missing": (
        "DELETE FROM table_event WHERE seq = (SELECT head_seq FROM game_table)",
        "the log of table",
    ),
    "an unknown type": (
        "UPDATE table_event SET type = 'teleported' WHERE seq = 9",
        "unknown event teleported",
    ),
    "a newer version": (
        "UPDATE table_event SET v = 9 WHERE type = 'match_started'",
        "newer than this server",
    ),
    "a field is missing": (
        "UPDATE table_event SET public = public - 'winner' WHERE type = 'trick_taken'",
        "can't be read",
    ),
    "an event before its match": (
        "UPDATE table_event SET type = 'paused', public = '{}' WHERE type = 'match_started'",
        "does not fold",
    ),
    "the row says something else": (
        "UPDATE game_table SET status = 'waiting'",
        "the row says waiting",
    ),
}


@pytest.mark.parametrize("case", BROKEN)
async def test_a_bad_log_is_told_with_its_reason(house: House, case: str) -> None:
    table = await house.playing(2)
    await table.play_out()
    sql, expected = BROKEN[case]
    await house.database.pool.execute(sql)
    found = await problems(house.database)
    assert any(expected in what for what in found), found


async def test_the_referee_reports_what_it_would_write_otherwise(house: House) -> None:
    table = await house.playing(2)
    await table.play_out()
    await house.database.pool.execute(
        "UPDATE table_event SET public = jsonb_set(public, '{points}', '99')"
        " WHERE type = 'trick_taken' AND seq ="
        " (SELECT min(seq) FROM table_event WHERE type = 'trick_taken')"
    )
    assert await problems(house.database) == [], "it folds: events carry outcomes (D1)"
    found = await problems(house.database, referee=True)
    assert any("would be another batch" in what for what in found)


async def test_the_command_line_answers_with_its_exit_code(
    house: House, capsys: pytest.CaptureFixture[str]
) -> None:
    await house.seated(1)
    parser = argparse.ArgumentParser()
    check_log.add_parsers(parser.add_subparsers())
    arguments = parser.parse_args(["check-log", "--referee"])
    settings = Settings(database_url=house.database.url)
    assert apart(lambda: arguments.run(arguments, settings)) == 0
    assert "1 tables, 2 events, 1 batches: 0 problems" in capsys.readouterr().out
    await house.database.pool.execute("UPDATE table_event SET type = 'lost'")
    assert apart(lambda: arguments.run(arguments, settings)) == 1
    assert "unknown event lost" in capsys.readouterr().out
