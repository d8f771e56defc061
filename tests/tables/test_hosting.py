"""What a host may do before a match and at any time; who becomes host when the host leaves."""

import asyncio

import pytest

from app.infra.db import Database
from app.infra.errors import AppError
from app.tables.check_log import check

from .kit import House, Seated, folded, opened


def names(table: Seated) -> list[str | None]:
    """Who sits where."""
    return [chair.name for chair in table.state.seats]


async def test_the_host_moves_people_to_free_seats_and_makes_them_change_places(
    house: House,
) -> None:
    table = await house.seated(3)
    host, hosting = table.people[0].id, house.tables.hosting
    await hosting.move(table.code, host, 2, 3)
    assert names(table) == ["Person 0", "Person 1", None, "Person 2"]
    await hosting.move(table.code, host, 1, 3)
    assert names(table) == ["Person 0", "Person 2", None, "Person 1"]
    await hosting.move(table.code, host, 0, 2)
    assert names(table) == [None, "Person 2", "Person 0", "Person 1"]
    assert table.state.host == host, "who is moved stays host"
    rows = await house.database.pool.fetch("SELECT seat, name FROM table_seat ORDER BY seat")
    assert [tuple(each) for each in rows] == [(1, "Person 2"), (2, "Person 0"), (3, "Person 1")]
    assert await folded(house.database, table.code) == table.state
    with pytest.raises(AppError, match="no_such_seat"):
        await hosting.move(table.code, host, 0, 1)
    with pytest.raises(AppError, match="no_such_seat"):
        await hosting.move(table.code, host, 1, 4)
    seq = table.state.seq
    await hosting.move(table.code, host, 1, 1)
    assert table.state.seq == seq, "nothing to do"


async def test_whom_the_host_sends_away_stays_away(house: House) -> None:
    table = await house.seated(3)
    host, hosting = table.people[0], house.tables.hosting
    await hosting.remove(table.code, host.id, 1)
    assert table.state.seats[1].kind == "free"
    with pytest.raises(AppError, match="sent_away"):
        await house.tables.join(table.code, table.people[1])
    with pytest.raises(AppError, match="no_such_seat"):
        await hosting.remove(table.code, host.id, 0)
    await house.tables.start(table.code, host.id)
    await table.play_out()
    with pytest.raises(AppError, match="sent_away"):
        await house.tables.join(table.code, table.people[1])
    assert await folded(house.database, table.code) == table.state, "also from the newest base"
    await hosting.remove(table.code, host.id, 3)
    assert table.state.seats[3].kind == "free", "a bot is sent away for good too"


async def test_nobody_else_has_the_hosts_powers_and_nobody_is_moved_in_a_match(
    house: House,
) -> None:
    table = await house.seated(3)
    host, guest = table.people[:2]
    stranger, hosting = await house.person("Stranger"), house.tables.hosting
    for who, code in ((guest, "not_host"), (stranger, "not_seated")):
        for power in (
            hosting.move(table.code, who.id, 0, 1),
            hosting.remove(table.code, who.id, 2),
            hosting.hand_over(table.code, who.id, guest.id),
            hosting.set_options(table.code, who.id, spectators=True),
            hosting.start(table.code, who.id),
        ):
            with pytest.raises(AppError, match=code):
                await power
    await house.tables.start(table.code, host.id)
    for power in (
        hosting.move(table.code, host.id, 0, 1),
        hosting.remove(table.code, host.id, 1),
        hosting.start(table.code, host.id),
    ):
        with pytest.raises(AppError, match="wrong_status"):
            await power


async def test_the_table_is_handed_over_at_any_time(house: House) -> None:
    table = await house.playing(3)
    host, guest = table.people[:2]
    hosting = house.tables.hosting
    with pytest.raises(AppError, match="player_not_found"):
        await hosting.hand_over(table.code, host.id, (await house.person()).id)
    await hosting.hand_over(table.code, host.id, guest.id)
    assert table.state.host == guest.id
    assert await house.database.pool.fetchval("SELECT host FROM game_table") == guest.id
    with pytest.raises(AppError, match="not_host"):
        await hosting.hand_over(table.code, host.id, host.id)


async def test_a_host_who_leaves_hands_over_by_leaving(house: House) -> None:
    table = await house.seated(3)
    one, two, three = table.people
    await house.tables.leave(table.code, one.id)
    assert table.state.host == two.id
    await house.tables.start(table.code, two.id)
    await house.tables.leave(table.code, two.id)
    assert table.state.host == three.id
    assert house.recorder.types(table.code)[-2:] == ["seat_to_bot", "host_changed"]


async def test_onlookers_and_latecomers_are_the_hosts_choice_at_any_time(house: House) -> None:
    table = await house.playing(4)
    host, hosting = table.people[0].id, house.tables.hosting
    await hosting.set_options(table.code, host, spectators=True, latecomers=False)
    assert (table.state.options.spectators, table.state.options.latecomers) == (True, False)
    await hosting.set_options(table.code, host, spectators=False)
    assert (table.state.options.spectators, table.state.options.latecomers) == (False, False)
    seq = table.state.seq
    await hosting.set_options(table.code, host)
    assert table.state.seq == seq
    await table.play_out()
    await house.tables.start(table.code, host)
    assert table.state.options.latecomers is False


async def test_a_table_that_closed_obeys_nobody(house: House) -> None:
    table = await house.seated(1)
    host = table.people[0].id
    await house.tables.leave(table.code, host)
    with pytest.raises(AppError, match="table_closed"):
        await house.tables.hosting.set_options(table.code, host, spectators=True)


async def test_a_join_and_a_removal_of_one_seat_leave_it_with_one_or_nobody(
    database: Database,
) -> None:
    async with opened(database) as house, opened(database, seed=2) as other:
        table = await house.seated(2)
        host, guest = table.people
        late = await house.person("Late")
        await asyncio.gather(
            house.tables.hosting.remove(table.code, host.id, 1),
            other.tables.join(table.code, late, 1),
            return_exceptions=True,
        )
        await house.tables.refresh(table.code)
        assert table.state.seats[1].player in (None, late.id)
        assert table.state.seat_of(guest.id) is None
        assert (await check(database, referee=True)).problems == []
