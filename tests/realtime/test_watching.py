"""People without a seat: where the host allows it they see what lies open, and are counted."""

import asyncio
from typing import Any
from uuid import uuid4

from tests.realtime.harness import HOUR, Guest, Running, Seat, Wire, limits, serving, timing
from tests.realtime.test_resume import own_turn

OPEN = {"preset": "classic", "visibility": "private", "spectators": True}


async def watched(server: Running, **changed: Any) -> tuple[Guest, str]:
    """A person at a table with bots that anybody with its code may watch."""
    ada = await server.guest("Ada")
    table = (await ada.get("POST", "/api/tables", {**OPEN, **changed}))["table"]
    await ada.get("POST", f"/api/tables/{table}/start")
    return ada, table


async def test_an_onlooker_sees_every_number_and_no_hand(server: Running) -> None:
    ada, table = await watched(server, target=120)
    ben = await server.guest("Ben")
    async with ada.socket() as one, ben.socket() as two:
        looks = await Seat(two, table).sit()
        assert looks.seat is None
        assert looks.view["you"] == {"player": ben.id, "seat": None}
        assert looks.view["game"]["hand"] is None
        plays = await Seat(one, table).sit()
        await asyncio.gather(plays.play(), looks.play())
        assert looks.ended
        numbers = [event["seq"] for event in looks.events]
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
        assert not [event for event in looks.events if "p" in event]
        turns = [f["turn"] for f in two.heard if f.get("turn")]
        assert turns
        assert not [turn for turn in turns if "legal" in turn or "also" in turn]


async def test_cards_are_seen_when_they_are_played_and_not_before(server: Running) -> None:
    """No frame to an onlooker names a card that does not lie, or has not lain, on the table."""
    ada, table = await watched(server, target=120)
    ben = await server.guest("Ben")
    async with ada.socket() as one, ben.socket() as two:
        looks = await Seat(two, table).sit()
        plays = await Seat(one, table).sit()
        await asyncio.gather(plays.play(), looks.play())
        known: set[str] = set()
        for frame in two.heard:
            for event in frame.get("evs", []):
                if event["type"] == "hand_dealt":
                    known = {event["d"]["turned"]}
                if event["type"] in ("card_played", "declarations_settled"):
                    known |= _cards(event["d"])
                assert _cards(event["d"]) <= known, event


def _cards(value: Any) -> set[str]:
    """Every card that is named anywhere in a message."""
    if isinstance(value, str):
        card = len(value) == 2 and value[0] in "789TJQKA" and value[1] in "SHDC"
        return {value} if card else set()
    if isinstance(value, dict):
        return set().union(*map(_cards, value.values()))
    return set().union(*map(_cards, value)) if isinstance(value, list) else set()


async def test_who_watches_is_counted_once_however_many_tabs(server: Running) -> None:
    ada, table = await watched(server)
    ben, cleo = await server.guest("Ben"), await server.guest("Cleo")
    async with ada.socket() as wire:
        seat = await Seat(wire, table).sit()
        assert seat.view["watching"] == 0
        async with ben.socket() as one, ben.socket() as two, cleo.socket() as three:
            for socket in (one, two, three):
                await Seat(socket, table).sit()
            told = await _presence(wire, 2)
            assert told["seats"] == [True, None, None, None]
            snap = three.heard[-1]
            assert snap["view"]["watching"] == 2
        await _presence(wire, 0)


async def _presence(wire: Wire, watching: int) -> dict[str, Any]:
    return await wire.until(lambda f: f["t"] == "presence" and f["watching"] == watching)


async def test_an_onlooker_may_say_nothing(server: Running) -> None:
    _, table = await watched(server)
    ben = await server.guest("Ben")
    async with ben.socket() as wire:
        looks = await Seat(wire, table).sit()
        for c in (
            {"type": "pass"}, {"type": "play", "card": "AS"}, {"type": "continue"},
            {"type": "reclaim"}, {"type": "claim"}, {"type": "resign", "yes": True},
            {"type": "rematch", "yes": True}, {"type": "ready", "yes": True},
        ):  # fmt: skip
            decision = (looks.turn or {}).get("decision")
            await wire.send(t="cmd", id=str(uuid4()), table=table, decision=decision, c=c)
            assert (await wire.get("nak"))["code"] == "not_seated"


async def test_the_host_who_forbids_it_sends_onlookers_away(server: Running) -> None:
    ada, table = await watched(server)
    ben = await server.guest("Ben")
    async with ben.socket() as wire:
        await Seat(wire, table).sit()
        path = f"/api/tables/{table}/options"
        await ada.get("PATCH", path, {"spectators": False})
        denied = {"t": "error", "code": "forbidden", "table": table}
        assert await wire.until(lambda f: f["t"] == "error") == denied
        await wire.send(t="sub", table=table)
        assert await wire.until(lambda f: f["t"] == "error") == denied
        await ada.get("PATCH", path, {"spectators": True})
        assert (await Seat(wire, table).sit()).seat is None


async def test_an_onlooker_comes_back_by_events_and_after_a_changed_seat_by_a_snapshot(
    server: Running,
) -> None:
    ada, table = await watched(server)
    ben = await server.guest("Ben")
    async with ada.socket() as wire:
        seat = await Seat(wire, table).sit()
        await own_turn(seat)
        async with ben.socket() as two:
            looks = await Seat(two, table).sit()
        await seat.act()
        seat.turn = None
        await own_turn(seat)
        async with ben.socket(hello=False) as two:
            await two.send(t="hello", proto=1, resume=[{"table": table, "seq": looks.have}])
            frame = await two.get("ev", "snap")
            assert frame["t"] == "ev"
            assert frame["evs"][0]["seq"] == looks.have + 1
            assert not [event for event in frame["evs"] if "p" in event]


async def test_an_onlooker_takes_a_bots_seat_between_two_deals_and_gets_a_snapshot(
    database_url: str,
) -> None:
    async with serving(database_url, timing_=timing(next_deal=HOUR)) as server:
        ada, table = await watched(server)
        ben = await server.guest("Ben")
        async with ada.socket() as one, ben.socket() as two:
            looks = await Seat(two, table).sit()
            seat = await Seat(one, table).sit()
            while seat.turn is None or seat.turn["kind"] != "continue":
                if seat.turn is not None and "legal" in seat.turn:
                    await seat.act()
                seat.take(await one.next())
            taken = await ben.get("POST", f"/api/tables/{table}/seats", {"seat": 2})
            assert taken == {"seat": 2}
            while looks.seat != 2:
                looks.take(await two.get("ev", "snap"))
            assert looks.view["game"]["viewer"] == 2
            assert two.heard[-1]["t"] == "snap"
            for whose in (seat, looks):
                await whose.act()
            event = await two.until(_has("hand_dealt"))
            dealt = next(e for e in event["evs"] if e["type"] == "hand_dealt")
            assert len(dealt["p"]["cards"]) == 5, "from here on it has a hand of its own"


def _has(kind: str) -> Any:
    return lambda f: any(event["type"] == kind for event in f.get("evs", []))


async def test_too_many_onlookers_are_told_so_and_a_seat_is_none(database_url: str) -> None:
    async with serving(database_url, limits_=limits(onlookers_per_table=1)) as server:
        ada, table = await watched(server)
        ben, cleo = await server.guest("Ben"), await server.guest("Cleo")
        async with ben.socket() as one, ben.socket() as again, cleo.socket() as two:
            await Seat(one, table).sit()
            await Seat(again, table).sit()
            await two.send(t="sub", table=table)
            error = {"t": "error", "code": "too_many_onlookers", "table": table}
            assert await two.next() == error
            async with ada.socket() as own:
                assert (await Seat(own, table).sit()).seat == 0


async def test_whom_the_host_has_sent_away_hears_no_more(server: Running) -> None:
    ada, ben = await server.guest("Ada"), await server.guest("Ben")
    table = (await ada.get("POST", "/api/tables", OPEN))["table"]
    await ben.get("POST", f"/api/tables/{table}/seats", {"seat": 1})
    async with ben.socket() as wire:
        await Seat(wire, table).sit()
        await ada.get("DELETE", f"/api/tables/{table}/seats/1")
        denied = {"t": "error", "code": "forbidden", "table": table}
        assert await wire.until(lambda f: f["t"] == "error") == denied
        await wire.send(t="sub", table=table)
        assert await wire.until(lambda f: f["t"] == "error") == denied
        again = await ben.ask("POST", f"/api/tables/{table}/seats", {"seat": 1})
        assert again.json()["error"]["code"] == "sent_away"


async def test_friends_are_asked_whether_they_are_ready(database_url: str) -> None:
    async with serving(database_url, timing_=timing(ready_check=HOUR)) as server:
        ada, ben = await server.guest("Ada"), await server.guest("Ben")
        table = (await ada.get("POST", "/api/tables", OPEN))["table"]
        await ben.get("POST", f"/api/tables/{table}/seats", {"seat": 2})
        async with ada.socket() as one, ben.socket() as two:
            host, guest = await Seat(one, table).sit(), await Seat(two, table).sit()
            await ada.get("POST", f"/api/tables/{table}/start")
            frame = await two.until(_has("ready_asked"))
            assert frame["turn"]["kind"] == "ready"
            assert frame["turn"]["whole_ms"] == HOUR >= frame["turn"]["left_ms"] > 0
            number = frame["turn"]["decision"]
            guest.take(frame)
            cid = str(uuid4())
            c = {"type": "ready", "yes": True}
            await two.send(t="cmd", id=cid, table=table, decision=number, c=c)
            frame = await two.until(lambda f: f.get("ack") == cid)
            types = [event["type"] for event in frame["evs"]]
            assert types[0] == "ready_answered"
            assert types[-1] == "hand_dealt"
            await two.send(t="cmd", id=cid, table=table, decision=number, c=c)
            assert (await two.get("ack"))["seq"] == frame["evs"][0]["seq"], "a resend"
            assert await one.until(_has("match_started"))
            assert host.seat == 0


async def test_a_partner_is_asked_to_resign_and_nobody_else(server: Running) -> None:
    guests = [await server.guest() for _ in range(4)]
    table = (await guests[0].get("POST", "/api/tables", OPEN))["table"]
    for n, guest in enumerate(guests[1:], 1):
        await guest.get("POST", f"/api/tables/{table}/seats", {"seat": n})
    await guests[0].get("POST", f"/api/tables/{table}/start")
    async with guests[1].socket() as one, guests[3].socket() as two, guests[0].socket() as foe:
        for wire in (one, two, foe):
            await Seat(wire, table).sit()
        c = {"type": "resign", "yes": True}
        await one.send(t="cmd", id=str(uuid4()), table=table, decision=None, c=c)
        asked = await two.until(_has("resign_offered"))
        also = asked["turn"]["also"]
        assert also == [{"kind": "resign", "decision": asked["evs"][0]["seq"]}]
        for wire in (one, foe):
            assert "also" not in (await wire.until(_has("resign_offered")))["turn"]
        await two.send(t="resync", table=table, seq=0)
        assert (await two.get("snap"))["turn"]["also"] == also, "also after a break"
        await two.send(t="cmd", id=str(uuid4()), table=table, decision=also[0]["decision"], c=c)
        ended = await foe.until(_has("match_ended"))
        assert ended["evs"][-1]["d"]["reason"] == "resigned"
        assert ended["evs"][-1]["d"]["winner"] == 0
