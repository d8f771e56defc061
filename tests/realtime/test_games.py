"""Whole matches of every game over sockets, by clients that know no rule of it."""

import asyncio
from contextlib import AsyncExitStack

import pytest

from app.belote.presets import PRESETS
from tests.realtime.harness import Running, Seat
from tests.realtime.truth import Witness, log_of

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]  # whole matches are played for it

TARGETS = {"points": 150, "points_and_bid": 150, "match_points": 20}
"""Short matches: a few deals each."""


@pytest.mark.parametrize("preset", PRESETS)
async def test_a_match_of_every_game_is_played_by_its_people(
    preset: str, server: Running, database_url: str
) -> None:
    """As many people as the game has seats; what each gets is what the log says it may get."""
    rules = PRESETS[preset]
    body = {
        "preset": preset, "visibility": "private", "bots": None,
        "target": TARGETS[rules.scoring],
    }  # fmt: skip
    async with AsyncExitStack() as stack:
        guests = [await server.guest(f"P{n}") for n in range(rules.players)]
        table = (await guests[0].get("POST", "/api/tables", body))["table"]
        for guest in guests[1:]:
            await guest.get("POST", f"/api/tables/{table}/seats")
        wires = [await stack.enter_async_context(guest.socket()) for guest in guests]
        seats = [await Seat(wire, table, seed).sit() for seed, wire in enumerate(wires)]
        await guests[0].get("POST", f"/api/tables/{table}/start")
        async with asyncio.TaskGroup() as group:
            for seat in seats:
                group.create_task(seat.play())
    assert [seat.naks for seat in seats] == [[]] * rules.players
    ends = [seat.events[-1] for seat in seats]
    assert all(end == ends[0] for end in ends)
    assert ends[0]["d"]["winner"] is not None
    log = await log_of(database_url, table)
    assert [row.seq for row in log] == list(range(1, len(log) + 1))
    for seat in seats:
        witness = Witness(log, seat.seat)
        for frame in seat.wire.heard:
            witness.check(frame)


@pytest.mark.parametrize("preset", ["coinche", "belot-duel", "belot-trio", "bela"])
async def test_one_person_plays_every_game_with_bots(preset: str, server: Running) -> None:
    ada = await server.guest("Ada")
    rules = PRESETS[preset]
    body = {"preset": preset, "visibility": "private", "target": TARGETS[rules.scoring]}
    table = (await ada.get("POST", "/api/tables", body))["table"]
    async with ada.socket() as wire:
        seat = await Seat(wire, table).sit()
        await ada.get("POST", f"/api/tables/{table}/start")
        await seat.play()
    assert not seat.naks
    bots = {e["d"]["seat"] for e in seat.events
            if e.get("how") == "bot" and e["type"] == "card_played"}  # fmt: skip
    assert bots == set(range(1, rules.players))
