"""A search that ends in the very moment in which it is answered, in both orders."""

from contextlib import AsyncExitStack
from typing import Any

import pytest

from app.lobby import tickets as rows
from tests.lobby.test_play_now import last, look, no_ticket, seated, sockets, tickets
from tests.realtime.harness import Guest, Running
from tests.tables.doubles import Gate


def held_up(server: Running) -> Gate:
    """Every match that is found stops before its transaction ends, until the gate is opened."""
    gate, tables = Gate(), server.site.api.state.tables
    real = tables.open_in

    async def slow(*args: Any, **more: Any) -> Any:
        opening = await real(*args, **more)
        await gate()
        return opening

    tables.open_in = slow
    return gate


def has_socket(server: Running, guest: Guest) -> bool:
    """Whether the hub knows one of this guest."""
    hub = server.site.hub
    assert hub is not None
    return any(str(each.player_id) == guest.id for each in hub.connections())


async def test_a_socket_that_goes_while_its_ticket_is_matched_leaves_its_person_seated(
    patient: Running,
) -> None:
    """The match was first: she has her seat, once, and finds it when she comes back."""
    ada, *others = [await patient.guest() for _ in range(4)]
    gate = held_up(patient)
    async with AsyncExitStack() as stack:
        wire = await stack.enter_async_context(ada.socket())
        await look(wire)
        async with sockets(*others) as wires:
            for other in wires:
                await look(other)
            await gate.reached.wait()
            await stack.aclose()
            while has_socket(patient, ada):  # her wish to look no longer waits for the row
                await wires[0].send(t="ping", n=1)
                await wires[0].get("pong")
            assert len(await tickets(patient)) == 4, "nothing is committed yet"
            gate.open.set()
            found = {(await last(other))["table"] for other in wires}
        assert await seated(patient, ada) == list(found)
        await no_ticket(patient)


async def test_a_ticket_that_is_dropped_before_the_match_gets_no_seat(patient: Running) -> None:
    """The socket's end was first: the three others go on looking, until a fourth comes."""
    ada, *others, late = [await patient.guest() for _ in range(5)]
    gate = held_up(patient)
    async with sockets(*others[:2]) as (ben, cleo):
        await look(ben)
        await look(cleo)
        async with ada.socket() as wire:
            await look(wire)
        await no_ticket(patient, ada)
        async with sockets(others[2], late) as (dan, eve):
            await look(dan)
            assert not gate.reached.is_set(), "three people and somebody who has gone are no four"
            gate.open.set()
            await look(eve)
            found = {(await last(other))["table"] for other in (ben, cleo, dan, eve)}
        assert len(found) == 1
    assert await seated(patient, ada) == []
    await no_ticket(patient)


async def test_who_comes_while_the_tickets_are_kept_alive_keeps_its_own(
    patient: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once a row was dropped that came after the look at who waits and before the database's."""
    ada, ben = await patient.guest(), await patient.guest()
    gate, real = Gate(), rows.beat

    async def slow(*args: Any) -> Any:
        await gate()
        return await real(*args)

    monkeypatch.setattr(rows, "beat", slow)
    async with sockets(ada, ben) as (one, two):
        await look(one)
        await gate.reached.wait()
        assert (await look(two))["people"] == 2
        gate.open.set()
        await one.until(lambda frame: frame.get("people") == 2)  # as the round's end tells
        assert {str(row["player_id"]) for row in await tickets(patient)} == {ada.id, ben.id}


async def test_a_ticket_whose_drop_was_lost_goes_with_the_next_beat(
    patient: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, ben = await patient.guest(), await patient.guest()

    async def lost(*_: Any) -> None:
        raise ConnectionRefusedError

    async with ben.socket() as other, ada.socket() as wire:
        await look(wire)
        with monkeypatch.context() as patch:
            patch.setattr(rows, "drop", lost)
            await wire.send(t="queue", on=False)
            assert (await last(wire))["code"] == "left"
            await look(other)  # as long as somebody looks there are rounds
            patient.site.api.state.matchmaker._beaten_ms = -60_000
            await no_ticket(patient, ada)
