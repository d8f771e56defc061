"""What was acknowledged is in the log, however a process or a database backend dies."""

import asyncio
import os
import random
import signal
import sys
from pathlib import Path
from typing import TypeAlias
from uuid import UUID, uuid4

import asyncpg
import pytest

from app.infra.config import Settings
from app.infra.data_folder import open_data_folder
from app.infra.db import Database
from app.infra.embedded import EmbeddedPostgres
from app.infra.migrate import upgrade
from app.tables import table as tables
from app.tables.check_log import check
from app.tables.service import Ack, ClientCommand
from tests.conftest import apart
from tests.tables.kit import Seated, opened

pytestmark = [pytest.mark.crash, pytest.mark.timeout(600)]

ROOT = Path(__file__).parents[2]
Told = tuple[str, int, UUID]
"""Code, number, command."""


async def acknowledged(process: asyncio.subprocess.Process, count: int) -> list[Told]:
    """The first so many lines that the process prints."""
    assert process.stdout is not None
    found = []
    async with asyncio.timeout(120):
        while len(found) < count:
            line = (await process.stdout.readline()).decode().split()
            assert len(line) == 3, "the writer ended by itself"
            found.append((line[0], int(line[1]), UUID(line[2])))
    return found


async def the_rest(process: asyncio.subprocess.Process) -> list[Told]:
    """What it had printed before it died; the last line may be torn."""
    assert process.stdout is not None
    lines = (await process.stdout.read()).decode().split("\n")[:-1]
    return [(code, int(seq), UUID(cmd)) for code, seq, cmd in (line.split() for line in lines)]


@pytest.mark.parametrize("acks", [1, 40, 300])
async def test_a_killed_process_loses_nothing_that_it_acknowledged(
    database: Database, acks: int
) -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.crashes.writer", database.url, "6",
        cwd=ROOT, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        told = await acknowledged(process, acks)
    finally:
        process.kill()
    told += await the_rest(process)
    await process.wait()
    for code, seq, cmd_id in told:
        stored = await database.pool.fetchval(
            "SELECT e.cmd_id FROM table_event e JOIN game_table t ON t.id = e.table_id"
            " WHERE t.code = $1 AND e.seq = $2",
            code,
            seq,
        )
        assert stored == cmd_id
    report = await check(database, referee=True)
    assert report.problems == []
    await _finish_all(database)


async def _finish_all(database: Database) -> None:
    """A new process goes on with what the dead one left, and brings every match to its end."""
    playing = await database.pool.fetch("SELECT code FROM game_table WHERE status = 'playing'")
    assert playing
    async with opened(database, seed="heir") as house:
        for row in playing:
            await house.tables.snapshot(row["code"], None)
            table = Seated(house, row["code"], [])
            await table.play_out()
            assert table.state.status == "finished"
    report = await check(database, referee=True)
    assert report.problems == []
    double = await database.pool.fetchval(
        "SELECT count(*) FROM (SELECT 1 FROM xp_ledger GROUP BY player_id, match_id, reason"
        " HAVING count(*) > 1) twice"
    )
    assert double == 0


async def test_a_killed_backend_loses_nothing_that_was_acknowledged(readable_folder: Path) -> None:
    """`kill -9` of a backend makes Postgres throw everybody out and recover: commands are answered
    by naks that may be sent again, or are found in the log; nobody's match hangs."""
    folder = open_data_folder(Settings(data_dir=readable_folder / "killed", database_url=None))
    postgres = EmbeddedPostgres(folder)
    url = apart(postgres.start)
    try:
        apart(lambda: upgrade(url))
        database = await Database.connect(url)
        try:
            await _play_through_kills(database)
        finally:
            await database.dispose()
    finally:
        postgres.stop()


async def _play_through_kills(database: Database) -> None:
    async with opened(database) as house:
        table = await house.playing(4)
        rng, kills = random.Random(1), 0
        while table.state.status == "playing":
            turn = tables.open_turn(table.state)
            if turn is None or turn.seat is None:
                seq = table.state.seq
                await table.until(lambda state, seq=seq: state.seq > seq)  # type: ignore[misc]
                continue
            command = ClientCommand(uuid4(), turn.decision, table.move(rng))
            player = table.turn_player
            killing = kills < 3 and rng.random() < 0.2
            doomed = await _two_backends(database) if killing else None
            sending = asyncio.ensure_future(house.tables.handle(table.code, player, command))
            if doomed is not None:
                kills += 1
                for _ in range(rng.randrange(20)):  # somewhere on the command's way
                    await asyncio.sleep(0)
                await _kill_one(*doomed)
            answer = await sending
            while not isinstance(answer, Ack):
                assert answer.retry, answer.code
                await _recovered(database)
                answer = await house.tables.handle(table.code, player, command)
        assert kills == 3
    report = await check(database, referee=True)
    assert report.problems == []
    assert await database.pool.fetchval("SELECT count(*) FROM match_player") == 4


async def _recovered(database: Database) -> None:
    """Postgres answers again; it may wait five seconds for backends that do not end."""
    async with asyncio.timeout(60):
        while True:
            try:
                await database.ping()
            except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
                await asyncio.sleep(0.1)
            else:
                return


Backend: TypeAlias = "asyncpg.Connection[asyncpg.Record]"


async def _two_backends(database: Database) -> tuple[Backend, Backend]:
    """Once the last kill has been repaired: its command may have been faster than the crash."""
    await _recovered(database)
    return await asyncpg.connect(database.url), await asyncpg.connect(database.url)


async def _kill_one(victim: Backend, witness: Backend) -> None:
    """Kill a backend, and wait until all others have been thrown out for it."""
    thrown_out = asyncio.Event()
    witness.add_termination_listener(lambda _: thrown_out.set())
    os.kill(victim.get_server_pid(), signal.SIGKILL)
    async with asyncio.timeout(60):
        await thrown_out.wait()
    victim.terminate()
    witness.terminate()
