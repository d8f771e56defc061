"""Several sockets of one player, commands sent again, sessions that end, and who may not listen."""

import asyncio
from uuid import uuid4

from tests.realtime.harness import Running, Seat, serving, timing
from tests.realtime.test_resume import own_turn, playing


async def test_two_tabs_get_the_same_events_and_the_first_valid_command_wins(
    server: Running,
) -> None:
    ada, table = await playing(server)
    async with ada.socket() as one, ada.socket() as two:
        left, right = await Seat(one, table).sit(), await Seat(two, table).sit()
        await own_turn(left)
        await own_turn(right)
        assert left.turn["legal"] == right.turn["legal"]
        mine, other = left.command(), right.command()
        assert mine is not None
        assert other is not None
        first, second = str(uuid4()), str(uuid4())
        await one.send(t="cmd", id=first, table=table, **mine)
        frame = await one.until(lambda f: f["t"] == "ev" and f.get("ack") == first)
        seen = await two.get("ev")
        assert seen["evs"] == frame["evs"]
        assert "ack" not in seen, "only the socket that acted gets the ack"
        await two.send(t="cmd", id=second, table=table, **other)
        nak = await two.get("nak")
        assert (nak["id"], nak["code"], nak["retry"]) == (second, "stale", False)


async def test_a_command_sent_again_is_answered_again_and_done_once(server: Running) -> None:
    ada, table = await playing(server)
    async with ada.socket() as wire:
        seat = await Seat(wire, table).sit()
        await own_turn(seat)
        command = seat.command()
        assert command is not None
        cid = str(uuid4())
        await wire.send(t="cmd", id=cid, table=table, **command)
        done = await wire.until(lambda f: f.get("ack") == cid)
        await wire.send(t="cmd", id=cid, table=table, **command)
        again = await wire.get("ack")
        assert again == {"t": "ack", "id": cid, "seq": done["evs"][0]["seq"]}
    async with ada.socket() as wire:
        await wire.send(t="cmd", id=cid, table=table, **command)
        assert await wire.get("ack", "nak") == again, "also on another socket, subscribed or not"


async def test_one_id_sent_by_two_sockets_at_once_is_one_command(server: Running) -> None:
    ada, table = await playing(server)
    async with ada.socket() as one, ada.socket() as two:
        seat = await Seat(one, table).sit()
        await own_turn(seat)
        command = seat.command()
        cid = str(uuid4())
        frame = {"t": "cmd", "id": cid, "table": table, **(command or {})}
        await asyncio.gather(one.send(**frame), two.send(**frame))
        told = await one.until(lambda f: f.get("ack") == cid or f["t"] in ("ack", "nak"))
        answer = await two.get("ack", "nak")
        assert answer["t"] == "ack"
        assert told["t"] in ("ev", "ack")
        head = seat.have
        await one.send(t="resync", table=table, seq=0)
        snap = await one.get("snap")
        own = [c for c in snap["view"]["game"]["auction"] if c["seat"] == seat.seat]
        assert snap["seq"] > head
        assert len(own) <= 1 or command["c"]["type"] == "pass"


async def test_a_refused_command_changes_nothing_and_tells_why(server: Running) -> None:
    ada, table = await playing(server)
    async with ada.socket() as wire:
        seat = await Seat(wire, table).sit()
        await own_turn(seat)
        await wire.send(
            t="cmd",
            id=str(uuid4()),
            table=table,
            decision=seat.turn["decision"],
            c={"type": "play", "card": "AH"} if seat.turn["kind"] == "call" else {"type": "pass"},
        )
        nak = await wire.get("nak")
        assert nak["code"] == "wrong_phase"
        await wire.send(t="cmd", id=str(uuid4()), table=table, decision=1, c={"type": "pass"})
        assert (await wire.get("nak"))["code"] == "stale"
        await wire.send(t="resync", table=table, seq=0)
        assert (await wire.get("snap"))["seq"] == seat.have


async def test_the_old_sockets_end_after_the_new_ones_start_is_no_absence(
    database_url: str,
) -> None:
    async with serving(database_url, timing_=timing(pause_grace=50)) as server:
        ada = await server.guest("Ada")
        table = (await ada.get("POST", "/api/tables", {"preset": "classic"}))["table"]
        async with ada.socket() as old:
            await Seat(old, table).sit()  # before the match: nobody's absence is on its way to it
            await ada.get("POST", f"/api/tables/{table}/start")
            async with ada.socket() as new:
                seat = await Seat(new, table).sit()
                await old.ws.close()
                await own_turn(seat)
                await asyncio.sleep(0.15)  # three graces: nothing must come of it
                await new.send(t="ping", n=1)
                heard = []
                while (frame := await new.next())["t"] != "pong":
                    heard.append(frame)
                assert not [f for f in heard if f["t"] == "presence" and f["seats"][0] is False]
                assert not [
                    e for f in heard if f["t"] == "ev" for e in f["evs"] if e["type"] == "paused"
                ]


async def test_the_last_sockets_end_is_told_and_pauses_the_table(database_url: str) -> None:
    async with serving(database_url, timing_=timing(pause_grace=30)) as server:
        ada, table = await playing(server)
        async with ada.socket() as wire:
            await own_turn(await Seat(wire, table).sit())
        async with ada.socket() as wire:
            while True:
                seat = await Seat(wire, table).sit()
                if seat.view["paused"] or any(
                    e["type"] == "resumed" for f in wire.heard if f["t"] == "ev" for e in f["evs"]
                ):
                    break
                await wire.send(t="unsub", table=table)
                await asyncio.sleep(0.05)
            await own_turn(seat)


async def test_presence_tells_of_others_who_come_and_go(server: Running) -> None:
    ada, ben = await server.guest("Ada"), await server.guest("Ben")
    table = (await ada.get("POST", "/api/tables", {"preset": "classic"}))["table"]
    await ben.get("POST", f"/api/tables/{table}/seats", {"seat": 2})
    async with ada.socket() as wire:
        seat = await Seat(wire, table).sit()
        assert seat.view["presence"] == [True, None, False, None]
        async with ben.socket() as other:
            await Seat(other, table).sit()
            assert (await wire.until(lambda f: f["t"] == "presence" and f["seats"][2]))[
                "seats"
            ] == [True, None, True, None]
        frame = await wire.get("presence")
        assert frame["seats"] == [True, None, False, None]


async def test_signing_out_everywhere_closes_all_sockets_at_once(server: Running) -> None:
    ada, ben = await server.guest(), await server.guest()
    async with ada.socket() as one, ada.socket() as two, ben.socket() as other:
        await ada.get("POST", "/api/me/sign-out-everywhere")
        assert await one.closed() == 4401
        assert await two.closed() == 4401
        await other.send(t="ping", n=1)
        assert (await other.next())["n"] == 1
    async with ada.socket(hello=False) as again:
        assert await again.closed() == 4401


async def test_a_session_that_ended_elsewhere_is_found_by_the_recheck(database_url: str) -> None:
    async with serving(database_url, timing_=timing(session_recheck=100)) as server:
        ada, ben = await server.guest(), await server.guest()
        async with ada.socket() as wire, ben.socket() as other:
            db = server.site.db
            assert db is not None
            await db.pool.execute("DELETE FROM session WHERE player_id = $1", ada.id)
            assert await wire.closed() == 4401
            await other.send(t="ping", n=1)
            assert (await other.next())["n"] == 1


async def test_who_has_no_seat_may_not_listen_to_a_match(server: Running) -> None:
    _, table = await playing(server)
    ben = await server.guest()
    async with ben.socket() as wire:
        await wire.send(t="sub", table=table)
        denied = {"t": "error", "code": "forbidden", "table": table}
        assert await wire.next() == denied
        await wire.send(t="resync", table=table, seq=1)
        assert await wire.next() == denied
        await wire.send(t="ping", n=1, have=[{"table": table, "seq": 1}])
        assert (await wire.next())["t"] == "pong"
        assert await wire.next() == denied
        await wire.send(t="cmd", id=str(uuid4()), table=table, decision=None, c={"type": "reclaim"})
        assert (await wire.get("nak"))["code"] == "not_seated"
    async with ben.socket(hello=False) as wire:
        await wire.send(t="hello", proto=1, resume=[{"table": table, "seq": 3}])
        await wire.get("welcome")
        assert await wire.next() == denied


async def test_an_onlooker_is_sent_away_when_the_match_begins(server: Running) -> None:
    ada, ben = await server.guest(), await server.guest()
    body = {"preset": "classic", "spectators": False}
    table = (await ada.get("POST", "/api/tables", body))["table"]
    async with ben.socket() as wire:
        await Seat(wire, table).sit()
        await ada.get("POST", f"/api/tables/{table}/start")
        frame = await wire.get("error", "ev")
        assert frame == {"t": "error", "code": "forbidden", "table": table}


async def test_a_table_that_is_not_there_is_said_so(server: Running) -> None:
    ada = await server.guest()
    async with ada.socket() as wire:
        await wire.send(t="sub", table="ABCDEF")
        assert await wire.next() == {"t": "error", "code": "table_not_found", "table": "ABCDEF"}


async def test_unsub_means_silence(server: Running) -> None:
    ada, table = await playing(server)
    async with ada.socket() as one, ada.socket() as two:
        seat = await Seat(one, table).sit()
        await Seat(two, table).sit()
        await own_turn(seat)
        await two.send(t="unsub", table=table)
        await two.send(t="ping", n=1)
        while (await two.next())["t"] != "pong":
            pass
        await seat.act()
        await one.until(lambda f: f.get("ack") is not None)
        await two.send(t="ping", n=2)
        assert await two.next() == {"t": "pong", "n": 2}
