"""How many statements a match's start and end send: each is a round trip for which the last card of
a match waits, and with it whoever comes after (D21). One for each kind of row, not for each player.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

import pytest
from sqlalchemy import event

from app.infra.db import Database

from .kit import HOUR, House, opened

START = ["log", "game_table", "sitting", "match"]
END = ["log", "game_table", "sitting", "progress", "xp_ledger", "match"]


@contextmanager
def transactions(database: Database) -> Iterator[list[list[str]]]:
    """The statements of each transaction through the pool of sessions, by what they are about."""
    found: list[list[str]] = []
    current: dict[Any, list[str]] = {}

    def began(connection: Any) -> None:
        current[connection.connection.dbapi_connection] = []
        found.append(current[connection.connection.dbapi_connection])

    def sent(connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        transaction = current.get(connection.connection.dbapi_connection)
        if transaction is not None:  # else it began before we looked
            transaction.append(about(statement))

    engine = database.engine.sync_engine
    event.listen(engine, "begin", began)
    event.listen(engine, "before_cursor_execute", sent)
    try:
        yield found
    finally:
        event.remove(engine, "begin", began)
        event.remove(engine, "before_cursor_execute", sent)


def about(statement: str) -> str:
    """The table that a statement writes first, or all of it if it only reads."""
    if "INSERT INTO table_event" in statement:
        return "log"
    words = statement.split()
    for verb, word in pairwise(words):
        if verb in ("INTO", "UPDATE", "FROM"):
            return word
    return statement


async def test_a_match_starts_with_a_statement_for_each_kind_of_row(house: House) -> None:
    table = await house.seated(4)
    with transactions(house.database) as sent:
        await house.tables.start(table.code, table.people[0].id)
    assert [each for each in sent if "match" in each] == [["log", "game_table", "match"]]


async def test_a_match_with_bots_starts_with_one_more_for_their_seats(house: House) -> None:
    table = await house.seated(1)
    with transactions(house.database) as sent:
        await house.tables.start(table.code, table.people[0].id)
    [start] = [each for each in sent if "match" in each]
    assert start == ["log", "game_table", "table_seat", "match"]


async def test_a_match_ends_and_its_rematch_starts_with_as_few(house: House) -> None:
    table = await house.playing(4)
    with transactions(house.database) as sent:
        await table.play_out()
        await house.tables.start(table.code, table.people[0].id)
    assert [each for each in sent if "match" in each] == [END, START]


@pytest.mark.parametrize("people", [1, 2, 3])
async def test_an_end_sends_no_more_for_fewer_or_more_people(house: House, people: int) -> None:
    table = await house.playing(people)
    with transactions(house.database) as sent:
        await table.play_out()
    assert [each for each in sent if "match" in each] == [END]


async def test_a_rated_end_adds_one_for_everybodys_conduct(house: House) -> None:
    table = await house.playing(4, rated=True)
    with transactions(house.database) as sent:
        await table.play_out()
    assert [each for each in sent if "match" in each] == [[*END, "conduct"]]


async def test_saying_that_one_is_ready_brings_no_rows_at_a_new_table(database: Database) -> None:
    async with opened(database, ready_check=HOUR) as house:
        table = await house.seated(3)
        with transactions(house.database) as sent:
            await house.tables.start(table.code, table.people[0].id)
            await table.send(
                table.people[1].id, {"type": "ready", "yes": True}, decision=table.state.asked
            )
        assert table.state.ready is not None
        assert [each for each in sent if "log" in each] == []
