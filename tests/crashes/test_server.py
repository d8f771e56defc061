"""The whole server, killed in the middle of matches: what was acknowledged stays, what was told
was durable, and the matches go on to their end."""

import asyncio
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import asyncpg
import orjson
import pytest

from app.infra.config import Settings
from app.infra.data_folder import open_data_folder
from app.infra.embedded import EmbeddedPostgres
from tests.conftest import apart
from tests.crashes.house import House, new_home
from tests.crashes.survivor import Frame, Journal, Survivor, new_account
from tests.infra.holder import is_gone

pytestmark = [pytest.mark.crash, pytest.mark.slow, pytest.mark.timeout(600)]

IN_FLIGHT = 5
"""Acknowledgements that may still be on their way when something is killed: one a seat."""
TURN_MS = 60_000
MATCH_S = 240
"""A whole match, and however many starts of a server in it, on a busy machine."""

WISH = {"preset": "classic", "visibility": "private", "bots": "novice"}


@pytest.fixture
def house(readable_folder: Path) -> Iterator[House]:
    """A running server with its own database."""
    home = House(new_home(readable_folder))
    home.start()
    yield home
    home.tear_down()


@asynccontextmanager
async def playing(house: House) -> AsyncIterator[tuple[Journal, list[Survivor]]]:
    """Four people at one table and one with three bots at another, in the middle of matches.

    At the end of the block the matches are played out, and the log is held against all that
    anybody was told.
    """
    journal = Journal()
    people = [await new_account(house.url) for _ in range(5)]
    full = (await people[0].ask("POST", "/api/tables", WISH))["table"]
    for person in people[1:4]:
        await person.ask("POST", f"/api/tables/{full}/seats", {})
    lone = (await people[4].ask("POST", "/api/tables", WISH))["table"]
    tables = [full] * 4 + [lone]
    seats = [
        Survivor(p, t, journal, n) for n, (p, t) in enumerate(zip(people, tables, strict=True))
    ]
    await people[0].ask("POST", f"/api/tables/{full}/start")
    await people[4].ask("POST", f"/api/tables/{lone}/start")
    tasks = [asyncio.create_task(seat.play()) for seat in seats]
    try:
        await journal.more_acks(10)
        yield journal, seats
        async with asyncio.timeout(MATCH_S):
            await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    await nothing_is_lost(house, journal)


async def nothing_is_lost(house: House, journal: Journal) -> None:
    """Every acknowledged command and every event that anybody heard is in the log, once."""
    url = apart(lambda: _address(house))
    connection = await asyncpg.connect(url)
    try:
        rows = await connection.fetch(
            "SELECT t.code, e.seq, e.type, e.public, e.cmd_id"
            " FROM table_event e JOIN game_table t ON t.id = e.table_id"
        )
    finally:
        await connection.close()
    log = {(row["code"], row["seq"]): row for row in rows}
    commands = {str(row["cmd_id"]): row["seq"] for row in rows if row["cmd_id"] is not None}
    assert len(commands) == sum(row["cmd_id"] is not None for row in rows)
    assert {i: commands.get(i) for i in journal.acked} == journal.acked
    for key, event in journal.heard.items():
        assert log[key]["type"] == event["type"]
        assert orjson.loads(log[key]["public"]) == event["d"]
    checked = house.command("check-log", "--referee")
    assert checked.returncode == 0, checked.stdout + checked.stderr


def _address(house: House) -> str:
    folder = open_data_folder(Settings(data_dir=house.data, database_url=None))
    postgres = EmbeddedPostgres(folder, serving=False)
    return postgres.start()  # the server's own, which it only finds


async def test_a_killed_server_goes_on_with_every_match(house: House) -> None:
    async with playing(house) as (journal, _):
        for _ in range(3):
            await journal.more_acks(7)
            await asyncio.to_thread(house.kill)
            await asyncio.to_thread(house.start)


async def test_a_killed_postmaster_is_started_again_beneath_the_running_server(
    house: House,
) -> None:
    server = house.running.pid
    async with playing(house) as (journal, _):
        for _ in range(2):
            await journal.more_acks(7)
            old = house.postmaster
            old.kill()
            assert await asyncio.to_thread(is_gone, old)
            await journal.more_acks(IN_FLIGHT + 1)
            assert house.postmaster != old
    assert house.running.pid == server
    assert house.running.poll() is None


async def test_a_killed_backend_costs_a_moment(house: House) -> None:
    async with playing(house) as (journal, _):
        for _ in range(3):
            await journal.more_acks(7)
            house.backends()[0].kill()
            await journal.more_acks(IN_FLIGHT + 1)


async def test_killed_together_server_and_database_repair_themselves_at_the_next_start(
    house: House,
) -> None:
    async with playing(house) as (journal, _):
        await journal.more_acks(7)
        old, keeper = house.postmaster, house.keeper
        keeper.kill()
        old.kill()
        await asyncio.to_thread(house.kill)
        assert await asyncio.to_thread(is_gone, old)
        await asyncio.to_thread(house.start)


async def test_a_database_whose_server_and_keeper_were_killed_is_adopted(house: House) -> None:
    async with playing(house) as (journal, _):
        await journal.more_acks(7)
        house.keeper.kill()
        await asyncio.to_thread(house.kill)
        old = house.postmaster
        assert old.is_running()
        await asyncio.to_thread(house.start)
        assert house.postmaster == old
    assert house.end() == 0
    assert is_gone(old), "what was adopted is stopped at the end"


async def test_ctrl_c_says_goodbye_to_the_sockets_and_the_next_start_goes_on(
    house: House,
) -> None:
    async with playing(house) as (journal, seats):
        await journal.more_acks(7)
        await journal.until(lambda: all(seat.have for seat in seats))
        before = [len(seat.closes) for seat in seats]
        assert await asyncio.to_thread(house.end, signal.SIGINT) == 0
        await journal.until(
            lambda: all(len(seat.closes) > n for seat, n in zip(seats, before, strict=True))
        )
        assert [seat.closes[n] for seat, n in zip(seats, before, strict=True)] == [1012] * 5
        assert "Traceback" not in house.said()
        await asyncio.to_thread(house.start)


async def test_after_an_outage_deadlines_have_moved_and_nobody_has_lost_a_turn(
    readable_folder: Path,
) -> None:
    """Postgres away for longer than the gap: naks with retry meanwhile, time again after it."""
    home = new_home(readable_folder)
    folder = open_data_folder(Settings(data_dir=home / "database", database_url=None))
    postgres = EmbeddedPostgres(folder)
    url = await asyncio.to_thread(postgres.start)
    house = House(
        home,
        DATABASE_URL=url,
        TIMING__NORMAL_TURN=str(TURN_MS),
        TIMING__HEARTBEAT="100",
        TIMING__EXPIRY_BEAT_MAX="300",
        TIMING__OUTAGE_GAP="600",
        TIMING__OUTAGE_BONUS=str(TURN_MS),
    )
    try:
        assert house.command("migrate").returncode == 0
        await asyncio.to_thread(house.start)
        await _outage(house, postgres, url)
    finally:
        house.tear_down()
        await asyncio.to_thread(postgres.stop)


async def _outage(house: House, postgres: EmbeddedPostgres, url: str) -> None:
    journal = Journal()
    people = [await new_account(house.url) for _ in range(2)]
    code = (await people[0].ask("POST", "/api/tables", WISH))["table"]
    await people[1].ask("POST", f"/api/tables/{code}/seats", {})
    await people[0].ask("POST", f"/api/tables/{code}/start")
    seats = [Survivor(person, code, journal, n) for n, person in enumerate(people)]
    tasks = [asyncio.create_task(seat.play()) for seat in seats]
    try:
        await journal.more_acks(5)
        for seat in seats:
            seat.resting = True
        await journal.until(lambda: any(seat.is_awaited for seat in seats))
        (asked,) = [seat for seat in seats if seat.is_awaited]
        assert asked.turn is not None
        decision = asked.turn["decision"]
        before = len(journal.naks)
        await asyncio.to_thread(postgres.stop)
        asked.resting, asked.patient = False, False
        await journal.until(lambda: len(journal.naks) > before)
        # After 2.5 s it sends the same again, as any client does, and may hear the same again.
        told = {(nak["code"], nak["retry"]) for nak in journal.naks[before:]}
        assert told == {("unavailable", True)}
        await asyncio.to_thread(postgres.start)
        await journal.until(lambda: _long(asked.turn))
        assert asked.turn["decision"] == decision, "the turn has waited"
        for seat in seats:
            seat.resting, seat.patient = False, True
        async with asyncio.timeout(MATCH_S):
            await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    connection = await asyncpg.connect(url)
    try:
        late = await connection.fetchval(
            "SELECT count(*) FROM table_event WHERE how = 'timeout' OR type = 'seat_to_bot'"
        )
    finally:
        await connection.close()
    assert late == 0, "nobody loses a turn to a server that was away"


def _long(turn: Frame | None) -> bool:
    """More time than any turn has by itself."""
    return turn is not None and (turn.get("left_ms") or 0) > TURN_MS
