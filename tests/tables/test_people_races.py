"""People who do things in the same moment, at one table, through two processes."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from app.infra.db import Database
from app.infra.errors import AppError
from app.players.models import PlayerRef
from app.tables.check_log import check
from app.tables.service import Ack, Nak

from .doubles import Gate
from .kit import HOUR, House, Seated, opened, options, rules
from .test_commands import elsewhere


@pytest.fixture
async def other(database: Database) -> AsyncIterator[House]:
    """A second process on the same database."""
    async with opened(database, seed=2) as found:
        yield found


async def well(house: House, table: Seated) -> None:
    """No person on two seats, the rows say what the log says, the log is whole."""
    await house.tables.refresh(table.code)
    people = [chair.player for chair in table.state.seats if chair.player is not None]
    assert len(people) == len(set(people))
    rows = await house.database.pool.fetch(
        "SELECT seat, player_id FROM table_seat WHERE player_id IS NOT NULL"
        " AND table_id = $1 ORDER BY seat",
        await table.table_id(),
    )
    seats = [(n, chair.player) for n, chair in enumerate(table.state.seats) if chair.player]
    assert [tuple(row) for row in rows] == seats
    report = await check(house.database, referee=True)
    assert report.problems == []


async def test_four_joins_of_one_seat_seat_one(house: House, other: House) -> None:
    table = await house.seated(1)
    people = await house.people(4)
    answers = await asyncio.gather(
        *(
            (house, other)[n % 2].tables.join(table.code, person, 2)
            for n, person in enumerate(people)
        ),
        return_exceptions=True,
    )
    assert answers.count(2) == 1
    codes = {each.code for each in answers if isinstance(each, AppError)}
    assert codes <= {"seat_taken", "conflict"}
    await well(house, table)


async def test_one_person_who_joins_twice_at_once_has_one_seat(house: House, other: House) -> None:
    table = await house.seated(1)
    person = await house.person("Twice")
    answers = await asyncio.gather(
        house.tables.join(table.code, person, 1),
        other.tables.join(table.code, person, 2),
        return_exceptions=True,
    )
    assert len([each for each in answers if isinstance(each, int)]) == 1
    await well(house, table)


@pytest.mark.parametrize("round_", range(4))
async def test_a_join_against_a_leave_of_the_same_seat(
    house: House, other: House, round_: int
) -> None:
    table = await house.seated(2)
    guest, late = table.people[1], await house.person("Late")
    first = other.tables.join(table.code, late, 1)
    second = house.tables.leave(table.code, guest.id)
    order = (first, second) if round_ % 2 else (second, first)
    await asyncio.gather(*order, return_exceptions=True)
    await house.tables.refresh(table.code)
    assert table.state.seat_of(guest.id) is None
    assert table.state.seats[1].player in (None, late.id)
    await well(house, table)


async def test_the_hosts_leave_against_a_join_keeps_a_host_who_sits(
    house: House, other: House
) -> None:
    table = await house.seated(1)
    host, late = table.people[0], await house.person("Late")
    answers = await asyncio.gather(
        house.tables.leave(table.code, host.id),
        other.tables.join(table.code, late),
        return_exceptions=True,
    )
    await house.tables.refresh(table.code)
    if isinstance(answers[1], int):
        assert table.state.host == late.id
    else:
        assert table.state.status == "closed"
    await well(house, table)


@pytest.mark.parametrize("round_", range(4))
async def test_a_rematch_against_a_leave(database: Database, round_: int) -> None:
    """The last yes and the other's leaving at once: either the match starts and a bot plays on for
    who left, or the offer is off."""
    slow = {"bot_min": HOUR, "bot_max": HOUR}  # no third one writes while the two race
    async with opened(database) as house, opened(database, seed=2, **slow) as other:
        table = await house.playing(2)
        one, two = table.people
        await table.play_out()
        c = {"type": "rematch", "yes": True}
        assert isinstance(await table.send(one.id, c, decision=None), Ack)
        far, number = await elsewhere(table, other), table.state.asked
        yes = far.send(two.id, c, decision=number)
        leave = house.tables.leave(table.code, one.id)
        answers = await asyncio.gather(*((yes, leave) if round_ % 2 else (leave, yes)))
        await house.tables.refresh(table.code)
        said = next(each for each in answers if each is not None)
        if isinstance(said, Ack):
            assert table.state.status == "playing"
            assert table.state.seats[0].kind == "bot"
            assert table.state.match is not None
            assert table.state.match.left[0]
        else:
            assert said in (Nak("stale"), Nak("wrong_phase"), Nak("conflict", retry=True))
            assert table.state.status == "finished"
            assert table.state.rematch is None
        await well(house, table)


async def test_two_tabs_that_play_at_once_play_one_card(house: House, other: House) -> None:
    table = await house.playing(4, rules=rules())
    far = await elsewhere(table, other)
    player, decision = table.turn_player, table.state.decision
    answers = await asyncio.gather(
        table.send(player, {"type": "pass"}, decision=decision),
        far.send(player, {"type": "take"}, decision=decision),
        table.send(player, {"type": "take"}, decision=decision),
    )
    assert [type(each) for each in answers].count(Ack) == 1
    refused = [each for each in answers if isinstance(each, Nak)]
    assert {each.code for each in refused} <= {"stale", "conflict"}
    await well(house, table)
    assert house.tables.presence(table.state)[0] is True, "nobody was put out"


async def test_a_result_is_told_when_it_is_stored_and_not_before(database: Database) -> None:
    """D3 at the match's end: while the transaction that ends it is open, nobody has heard."""
    async with opened(database) as house:
        table = await house.playing(4)
        gate, store = Gate(), house.tables.store
        real = store.append_with

        async def slow(session: object, batch: object) -> object:
            result = await real(session, batch)  # type: ignore[arg-type]
            if any(row.type == "match_ended" for row in batch.rows):  # type: ignore[attr-defined]
                await gate()
            return result

        store.append_with = slow  # type: ignore[method-assign, assignment]
        playing = asyncio.create_task(table.play_out())
        await gate.reached.wait()
        assert "match_ended" not in house.recorder.types(table.code)
        assert table.state.status == "playing"
        assert await database.pool.fetchval("SELECT count(*) FROM match_player") == 0
        gate.open.set()
        await playing
        assert house.recorder.types(table.code)[-1] == "match_ended"
        assert await database.pool.fetchval("SELECT count(*) FROM match_player") == 4


async def test_two_tables_for_the_same_people_in_two_orders_seat_them_once(house: House) -> None:
    people = await house.people(4)

    async def bring_together(seats: list[PlayerRef]) -> str:
        async with house.database.unit_of_work() as session:
            opening = await house.tables.open_in(session, seats, options(fill=True))
        return house.tables.opened(opening)

    orders = [people, people[::-1], people[2:] + people[:2], people[1:] + people[:1]]
    answers = await asyncio.gather(*map(bring_together, orders), return_exceptions=True)
    [code] = [each for each in answers if isinstance(each, str)]
    refused = [each.code for each in answers if isinstance(each, AppError)]
    assert refused == ["busy_elsewhere"] * 3, "nobody waits in a circle"
    await well(house, Seated(house, code, people))
