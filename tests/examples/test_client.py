"""The example of docs/protocol.md plays whole matches against a real server, as its own process."""

import asyncio
import sys
from asyncio.subprocess import PIPE, STDOUT, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.browser.cable import cable_to
from tests.realtime.harness import HOUR, Frame, Guest, Running, Seat, serving, timing

pytestmark = pytest.mark.timeout(600)

CLIENT = Path(__file__).parents[2] / "examples" / "client.py"


@pytest.fixture
async def server(database_url: str) -> AsyncIterator[Running]:
    async with serving(database_url, timing_=timing(ready_check=HOUR)) as running:
        yield running


@asynccontextmanager
async def client(*arguments: str) -> AsyncIterator[tuple[Process, str]]:
    """The running example, and the id of its player, which it tells when it has a seat."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(CLIENT), *arguments, stdout=PIPE, stderr=STDOUT
    )
    try:
        assert process.stdout is not None
        line = (await process.stdout.readline()).decode()
        assert " sits at " in line, line + (await process.stdout.read()).decode()
        yield process, line.split()[0]
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def end_of(process: Process) -> str:
    """What it still says; it has to end well."""
    said = (await process.communicate())[0].decode()
    assert process.returncode == 0, said
    return said


async def only_match(asking: Guest, player: str) -> Frame:
    """The one match that the player has finished."""
    page = await asking.get("GET", f"/api/matches?player={player}")
    [match] = page["matches"]
    assert player in [seat["id"] for seat in match["players"]]
    return match


def test_it_is_short() -> None:
    assert len(CLIENT.read_text().splitlines()) <= 100


async def test_it_joins_a_table_and_survives_a_lost_connection(server: Running) -> None:
    ada = await server.guest("Ada")
    wish = {"preset": "classic", "target": 100, "visibility": "private"}
    table = (await ada.get("POST", "/api/tables", wish))["table"]
    async with (
        cable_to(server.url) as cable,
        client(cable.url, "--table", table, "--seed", "7") as (process, player),
        ada.socket() as wire,
    ):
        seat = await Seat(wire, table).sit()
        await ada.get("POST", f"/api/tables/{table}/start")
        was_cut = False
        while not seat.ended:
            await seat.act()
            frame = await wire.next()
            seat.take(frame)
            if frame["t"] == "presence" and cable.is_cut and not frame["seats"][1]:
                cable.mend()
            played = [e["d"]["seat"] for e in seat.events if e["type"] == "card_played"]
            if 1 in played and not was_cut:
                cable.cut()
                was_cut = True
        said = await end_of(process)
    assert "connecting again" in said
    assert "ready_answered" in [event["type"] for event in seat.events]
    match = await only_match(ada, player)
    assert match["winner"] in (0, 1)
    assert f"winner: side {match['winner']}, totals {match['totals']}" in said


@pytest.mark.slow  # it speaks four times a second at most, and a match has some sixty commands
async def test_it_plays_now(server: Running) -> None:
    async with client(server.url, "--seed", "7") as (process, player):
        said = await end_of(process)
    match = await only_match(await server.guest(), player)
    assert match["winner"] in (0, 1)
    assert "connecting again" not in said
