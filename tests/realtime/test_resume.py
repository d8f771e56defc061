"""Coming back: events if few are missing and the seat is the same, a snapshot otherwise."""

from app.infra.config import Limits
from tests.realtime.harness import Guest, Running, Seat, Wire, limits, serving


async def playing(server: Running) -> tuple[Guest, str]:
    """A person at a table with bots whose first turn has come."""
    ada = await server.guest("Ada")
    body = {"preset": "classic", "visibility": "private", "bots": "novice"}
    table = (await ada.get("POST", "/api/tables", body))["table"]
    await ada.get("POST", f"/api/tables/{table}/start")
    return ada, table


async def own_turn(seat: Seat) -> None:
    """Read until the seat is to act."""
    while seat.turn is None or "legal" not in seat.turn:
        seat.take(await seat.wire.next())


async def moves(seat: Seat, count: int) -> None:
    """Play on for some of the seat's own moves, and to its next turn."""
    for _ in range(count):
        await own_turn(seat)
        await seat.act()
        seat.turn = None
    await own_turn(seat)


async def back(guest: Guest, table: str, seq: int, wire: Wire) -> dict[str, object]:
    await wire.send(t="hello", proto=1, resume=[{"table": table, "seq": seq}])
    await wire.get("welcome")
    return await wire.get("ev", "snap")


async def test_what_was_missed_comes_as_events_in_one_frame_and_then_the_turn(
    server: Running,
) -> None:
    ada, table = await playing(server)
    async with ada.socket() as first:
        seat = await Seat(first, table).sit()
        await own_turn(seat)
        await moves(seat, 3)
        head = seat.have
        heard = {event["seq"]: event for event in seat.events}
        async with ada.socket(hello=False) as wire:
            start = head - 3
            frame = await back(ada, table, start, wire)
            assert frame["t"] == "ev"
            assert [event["seq"] for event in frame["evs"]] == list(range(start + 1, head + 1))
            assert frame["evs"] == [heard[seq] for seq in range(start + 1, head + 1)]
            turn = (await wire.get("turn"))["turn"]
            assert turn["decision"] == seat.turn["decision"]
            assert turn["legal"] == seat.turn["legal"]


async def test_with_nothing_missed_only_the_turn_comes(server: Running) -> None:
    ada, table = await playing(server)
    async with ada.socket() as first:
        seat = await Seat(first, table).sit()
        await own_turn(seat)
        async with ada.socket(hello=False) as wire:
            await wire.send(t="hello", proto=1, resume=[{"table": table, "seq": seat.have}])
            await wire.get("welcome")
            assert (await wire.get("turn", "ev", "snap"))["t"] == "turn"


async def test_a_longer_gap_is_a_snapshot(database_url: str) -> None:
    async with serving(database_url, limits_=limits(resume_gap=5)) as server:
        ada, table = await playing(server)
        async with ada.socket() as first:
            seat = await Seat(first, table).sit()
            await own_turn(seat)
            await moves(seat, 2)
            async with ada.socket(hello=False) as wire:
                frame = await back(ada, table, seat.have - 5, wire)
                assert frame["t"] == "ev"
            async with ada.socket(hello=False) as wire:
                frame = await back(ada, table, seat.have - 6, wire)
                assert frame["t"] == "snap"
                assert frame["seq"] == seat.have
                assert frame["turn"]["legal"] == seat.turn["legal"]


def test_the_house_answers_64_with_events() -> None:
    assert Limits().resume_gap == 64


async def test_another_seat_than_before_is_a_snapshot(server: Running) -> None:
    ada, ben = await server.guest("Ada"), await server.guest("Ben")
    table = (await ada.get("POST", "/api/tables", {"preset": "classic"}))["table"]
    await ben.get("POST", f"/api/tables/{table}/seats", {"seat": 1})
    async with ben.socket() as wire:
        seat = await Seat(wire, table).sit()
        before = seat.have
        assert seat.seat == 1
    await ben.get("DELETE", f"/api/tables/{table}/seats/me")
    await ben.get("POST", f"/api/tables/{table}/seats", {"seat": 3})
    async with ben.socket(hello=False) as wire:
        frame = await back(ben, table, before, wire)
        assert frame["t"] == "snap"
        assert frame["view"]["you"]["seat"] == 3


async def test_a_new_seat_comes_as_a_snapshot_to_a_socket_that_listens(server: Running) -> None:
    ada, ben = await server.guest("Ada"), await server.guest("Ben")
    table = (await ada.get("POST", "/api/tables", {"preset": "classic"}))["table"]
    async with ada.socket() as host, ben.socket() as wire:
        await Seat(host, table).sit()
        seat = await Seat(wire, table).sit()
        assert seat.seat is None, "before a match whoever has the code may look on"
        await ben.get("POST", f"/api/tables/{table}/seats", {"seat": 2})
        assert (await wire.get("snap"))["view"]["you"]["seat"] == 2
        frame = await host.get("ev", "snap")
        assert frame["t"] == "ev"
        assert frame["evs"][0]["type"] == "seat_taken"


async def test_resync_brings_what_a_client_lacks_or_everything(server: Running) -> None:
    ada, table = await playing(server)
    async with ada.socket() as wire:
        seat = await Seat(wire, table).sit()
        await own_turn(seat)
        await wire.send(t="resync", table=table, seq=seat.have - 1)
        frame = await wire.get("ev", "snap")
        assert [event["seq"] for event in frame["evs"]] == [seat.have]
        await wire.send(t="resync", table=table, seq=0)
        frame = await wire.get("ev", "snap")
        assert (frame["t"], frame["seq"]) == ("snap", seat.have)
        await wire.send(t="resync", table=table, seq=seat.have + 100)
        assert (await wire.get("ev", "snap"))["t"] == "snap"


async def test_a_ping_finds_lost_events_and_a_lost_turn(server: Running) -> None:
    ada, table = await playing(server)
    async with ada.socket() as wire:
        seat = await Seat(wire, table).sit()
        await own_turn(seat)
        decision = seat.turn["decision"]
        have = {"table": table, "seq": seat.have, "decision": decision}
        await wire.send(t="ping", n=1, have=[have])
        await wire.send(t="ping", n=2, have=[])
        assert (await wire.next()) == {"t": "pong", "n": 1}
        assert (await wire.next()) == {"t": "pong", "n": 2}, "nothing lacked, nothing said"
        await wire.send(t="ping", n=3, have=[{**have, "decision": None}])
        await wire.get("pong")
        assert (await wire.next())["turn"]["decision"] == decision
        await wire.send(t="ping", n=4, have=[{**have, "seq": seat.have - 2}])
        await wire.get("pong")
        frame = await wire.get("ev")
        assert [event["seq"] for event in frame["evs"]] == [seat.have - 1, seat.have]
        assert (await wire.get("turn"))["turn"]["decision"] == decision
