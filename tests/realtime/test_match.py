"""Whole matches by socket, and what the frames of a match betray: nothing."""

import asyncio
from contextlib import AsyncExitStack

from tests.realtime.harness import Running, Seat
from tests.realtime.truth import Witness, log_of


async def four_play(server: Running, stack: AsyncExitStack) -> list[Seat]:
    """Four people at a private table, all listening, before the start."""
    guests = [await server.guest(name) for name in ("Ada", "Ben", "Cleo", "Dan")]
    body = {"preset": "classic", "visibility": "private", "bots": None}
    table = (await guests[0].get("POST", "/api/tables", body))["table"]
    for guest in guests[1:]:
        await guest.get("POST", f"/api/tables/{table}/seats")
    wires = [await stack.enter_async_context(guest.socket()) for guest in guests]
    seats = [await Seat(wire, table, seed).sit() for seed, wire in enumerate(wires)]
    await guests[0].get("POST", f"/api/tables/{table}/start")
    return seats


async def test_four_clients_play_a_whole_match(server: Running, database_url: str) -> None:
    async with AsyncExitStack() as stack:
        seats = await four_play(server, stack)
        async with asyncio.TaskGroup() as group:
            for seat in seats:
                group.create_task(seat.play())
    assert [seat.seat for seat in seats] == [0, 1, 2, 3]
    assert all(not seat.naks for seat in seats), "a legal answer to the open turn is never refused"
    ends = [seat.events[-1] for seat in seats]
    assert all(end == ends[0] for end in ends)
    assert max(ends[0]["d"]["totals"]) >= 501

    log = await log_of(database_url, seats[0].table)
    numbers = [row.seq for row in log]
    assert numbers == list(range(1, len(log) + 1)), "one number after the other (D5)"
    for seat in seats:
        witness = Witness(log, seat.seat)
        for frame in seat.wire.heard:
            witness.check(frame)


async def test_a_witness_would_notice(server: Running, database_url: str) -> None:
    """The check of the match above can fail."""
    async with AsyncExitStack() as stack:
        seats = await four_play(server, stack)
        for seat in seats:
            await seat.wire.until(
                lambda frame: frame["t"] == "ev" and frame["evs"][-1]["type"] == "hand_dealt"
            )
    log = await log_of(database_url, seats[0].table)
    frame = seats[1].wire.heard[-1]
    Witness(log, 1).check(frame)
    try:
        Witness(log, 2).check(frame)
    except AssertionError:
        return
    raise AssertionError("another seat's cards went unnoticed")


async def test_one_person_plays_with_bots(server: Running) -> None:
    ada = await server.guest("Ada")
    place = await ada.get("POST", "/api/play-now", {"preset": "classic"})
    async with ada.socket() as wire:
        seat = await Seat(wire, place["table"]).sit()
        assert seat.view["status"] in ("waiting", "playing")
        await seat.play()
    assert not seat.naks
    me = await ada.get("GET", "/api/me")
    assert me["player"]["xp"] >= 15
    bots = [event for event in seat.events if event.get("how") == "bot"]
    assert {event["d"]["seat"] for event in bots if event["type"] == "card_played"} == {1, 2, 3}


async def test_each_batch_is_one_frame_and_the_actor_finds_its_ack_in_it(server: Running) -> None:
    async with AsyncExitStack() as stack:
        seats = await four_play(server, stack)
        for seat in seats:
            seat.take(await seat.wire.until(lambda frame: frame["t"] == "ev" and "turn" in frame))
        actor = next(seat for seat in seats if seat.turn and seat.turn["seat"] == seat.seat)
        cid = await actor.act()
        for seat in seats:
            frame = await seat.wire.get("ev", "ack", "nak")
            assert frame["t"] == "ev"
            assert frame.get("ack") == (cid if seat is actor else None)
            assert ("legal" in frame.get("turn", {})) == (
                "turn" in frame and frame["turn"]["seat"] == seat.seat
            )
