"""The ready check at tables that people made, and the rematch with the same people."""

import asyncio

import pytest

from app.belote.cards import Seat
from app.infra.db import Database
from app.infra.errors import AppError
from app.tables import events as ev
from app.tables import offers
from app.tables import table as tables
from app.tables.check_log import check
from app.tables.service import Ack, Nak

from .histories import PEOPLE, Life
from .kit import HOUR, House, Seated, opened
from .test_deadlines import overdue, row

ASKED = {"ready_check": HOUR, "rematch": HOUR}
YES, NO = {"type": "ready", "yes": True}, {"type": "ready", "yes": False}
AGAIN = {"type": "rematch", "yes": True}


async def asked(house: House, people: int, **changed: object) -> Seated:
    """A table whose host has asked to start."""
    table = await house.seated(people, **changed)
    await house.tables.start(table.code, table.people[0].id)
    return table


async def answer(table: Seated, who: int, c: dict[str, object]) -> Ack | Nak:
    """A person's answer to what is asked now."""
    return await table.send(table.people[who].id, c, decision=table.state.asked)


async def test_everybody_is_asked_and_with_the_last_yes_the_match_starts(
    database: Database,
) -> None:
    async with opened(database, **ASKED) as house:
        table = await asked(house, 3)
        assert table.state.status == "waiting"
        assert (await row(table))[:2] == ("ready", table.state.asked)
        turn = (await house.tables.snapshot(table.code, table.people[1].id)).turn
        assert turn is not None
        assert (turn.kind, turn.seat, turn.decision) == ("ready", None, table.state.asked)
        assert turn.due_ms is not None, "the clock is shown"
        assert isinstance(await answer(table, 1, YES), Ack)
        assert table.state.status == "waiting"
        assert isinstance(await answer(table, 2, YES), Ack)
        assert table.state.status == "playing"
        types = house.recorder.types(table.code)
        assert types[types.index("ready_asked") :][:6] == [
            "ready_asked", "ready_answered", "ready_answered", "seat_taken", "match_started",
            "hand_dealt",
        ]  # fmt: skip
        report = await check(database, referee=True)
        assert report.problems == []


async def test_a_no_calls_the_start_off_and_nobody_gets_up(database: Database) -> None:
    async with opened(database, **ASKED) as house:
        table = await asked(house, 2)
        number = table.state.asked
        assert isinstance(await answer(table, 1, NO), Ack)
        assert table.state.ready is None
        assert len(tables.persons(table.state)) == 2
        assert (await row(table))[0] is None
        assert await table.send(table.people[1].id, YES, decision=number) == Nak("stale")
        await house.tables.start(table.code, table.people[0].id)
        assert isinstance(await answer(table, 1, YES), Ack)
        assert table.state.status == "playing"


async def test_who_does_not_answer_in_time_gets_up(database: Database) -> None:
    async with opened(database, **ASKED) as house:
        table = await asked(house, 3)
        assert isinstance(await answer(table, 1, YES), Ack)
        await overdue(table)
        await house.tables.expire(table.code)
        assert [chair.kind for chair in table.state.seats] == ["person", "person", "free", "free"]
        assert table.state.ready is None
        assert table.state.status == "waiting"
        assert house.recorder.seen[-1].events[-1].how == "timeout"
        assert (await row(table))[0] is None
        assert await house.database.pool.fetchval("SELECT count(*) FROM table_seat") == 2


async def test_a_new_host_who_does_not_answer_hands_over_as_it_gets_up(
    database: Database,
) -> None:
    async with opened(database, **ASKED) as house:
        table = await asked(house, 2)
        host, other = table.people
        await house.tables.hosting.hand_over(table.code, host.id, other.id)
        assert table.state.ready is not None
        await overdue(table)
        await house.tables.expire(table.code)
        assert table.state.host == host.id
        assert table.state.seat_of(other.id) is None


async def test_who_leaves_calls_the_start_off_and_who_comes_is_asked_too(
    database: Database,
) -> None:
    async with opened(database, **ASKED) as house:
        table = await asked(house, 3)
        await house.tables.leave(table.code, table.people[2].id)
        assert table.state.ready is None
        await house.tables.start(table.code, table.people[0].id)
        late = await house.person("Late")
        table.people[2] = late
        await house.tables.join(table.code, late)
        assert isinstance(await answer(table, 1, YES), Ack)
        assert table.state.status == "waiting"
        assert isinstance(await answer(table, 2, YES), Ack)
        assert table.state.status == "playing"


async def test_answers_to_another_check_or_twice_are_refused(database: Database) -> None:
    async with opened(database, **ASKED) as house:
        table = await asked(house, 3)
        host = table.people[0].id
        assert await table.send(host, YES, decision=None) == Nak("stale")
        assert await answer(table, 0, YES) == Nak("already_answered")
        stranger = await house.person("Stranger")
        refused = await table.send(stranger.id, YES, decision=table.state.asked)
        assert refused == Nak("not_seated")
        assert await answer(table, 1, {"type": "ready", "yes": "maybe"}) == Nak("bad_command")
        with pytest.raises(AppError, match="wrong_status"):
            await house.tables.start(table.code, host)


async def test_who_is_alone_is_not_asked(database: Database) -> None:
    async with opened(database, **ASKED) as house:
        alone = await asked(house, 1)
        assert alone.state.status == "playing"


async def test_the_host_may_start_with_bots_where_the_options_wait_for_people(
    database: Database,
) -> None:
    async with opened(database, **ASKED) as house:
        table = await house.seated(2, bots=None)
        host = table.people[0].id
        with pytest.raises(AppError, match="wrong_status"):
            await house.tables.start(table.code, host)
        await house.tables.start(table.code, host, bots=True)
        assert isinstance(await answer(table, 1, YES), Ack)
        assert [chair.kind for chair in table.state.seats] == ["person", "person", "bot", "bot"]


# Rematch


async def finished(house: House, people: int) -> Seated:
    """A table after its match."""
    table = await asked(house, people)
    for who in range(1, people):
        await answer(table, who, YES)
    await table.play_out()
    return table


async def test_all_yeses_start_the_next_match_at_the_same_table(database: Database) -> None:
    async with opened(database, **ASKED) as house:
        table = await finished(house, 2)
        one, two = table.people
        first = table.state.match
        assert first is not None
        assert isinstance(await table.send(one.id, AGAIN, decision=None), Ack)
        assert table.state.status == "finished"
        turn = (await house.tables.snapshot(table.code, two.id)).turn
        assert turn is not None
        assert (turn.kind, turn.decision) == ("rematch", table.state.asked)
        assert (await row(table))[0] == "rematch"
        assert isinstance(await answer(table, 1, AGAIN), Ack)
        assert table.state.status == "playing"
        assert table.state.match is not None
        assert table.state.match.number == first.number + 1
        assert [who.player for who in table.state.match.players[:2]] == [one.id, two.id]
        report = await check(database, referee=True)
        assert report.problems == []


async def test_two_offers_in_the_same_moment_are_a_yes_each(database: Database) -> None:
    async with opened(database, **ASKED) as house:
        table = await finished(house, 2)
        answers = await asyncio.gather(
            *(table.send(person.id, AGAIN, decision=None) for person in table.people)
        )
        assert all(isinstance(each, Ack) for each in answers)
        assert table.state.status == "playing"


async def test_a_no_silence_and_a_leave_call_a_rematch_off(database: Database) -> None:
    async with opened(database, **ASKED) as house:
        table = await finished(house, 3)
        one, two, three = table.people
        await table.send(one.id, AGAIN, decision=None)
        assert isinstance(await answer(table, 1, {"type": "rematch", "yes": False}), Ack)
        assert table.state.rematch is None
        await table.send(two.id, AGAIN, decision=None)
        await overdue(table)
        await house.tables.expire(table.code)
        assert table.state.rematch is None
        assert table.state.seat_of(three.id) == 2, "nobody gets up"
        await table.send(two.id, AGAIN, decision=None)
        number = table.state.asked
        await house.tables.leave(table.code, three.id)
        assert table.state.rematch is None
        assert await table.send(one.id, AGAIN, decision=number) == Nak("stale")
        assert await table.send(one.id, AGAIN, decision=None) == Nak("wrong_phase"), "a free seat"


async def test_a_rematch_is_for_after_a_match_alone(database: Database) -> None:
    async with opened(database, **ASKED) as house:
        table = await asked(house, 2)
        assert await table.send(table.people[0].id, AGAIN, decision=None) == Nak("wrong_phase")
        await answer(table, 1, YES)
        assert await table.send(table.people[0].id, AGAIN, decision=None) == Nak("wrong_phase")


async def test_a_rated_table_asks_for_no_match_with_bots(database: Database) -> None:
    async with opened(database, **ASKED) as house:
        table = await house.seated(3, rated=True)
        one, two, three = table.people
        for bots in (False, True):
            with pytest.raises(AppError, match="rated_needs_people"):
                await house.tables.start(table.code, one.id, bots=bots)
        four = await house.person("Four")
        table.people.append(four)
        await house.tables.join(table.code, four)
        await house.tables.start(table.code, one.id)
        for who in (1, 2, 3):
            assert isinstance(await answer(table, who, YES), Ack)
        await house.tables.leave(table.code, three.id)
        assert table.state.status == "playing", "the others play on (D10)"
        for who in (0, 2):
            await table.send(table.people[who].id, {"type": "resign", "yes": True}, decision=None)
        assert table.state.status == "finished"
        assert await table.send(two.id, AGAIN, decision=None) == Nak("rated_needs_people")
        with pytest.raises(AppError, match="rated_needs_people"):
            await house.tables.start(table.code, one.id)


async def test_alone_with_bots_the_offer_is_the_match(house: House) -> None:
    table = await house.playing(1)
    await table.play_out()
    assert isinstance(await table.send(table.people[0].id, AGAIN, decision=None), Ack)
    assert table.state.status == "playing"


def test_a_check_that_all_have_answered_and_that_started_nothing_ends_with_its_time() -> None:
    """It must not stand for ever, with its deadline overdue."""
    lived = Life("answered")
    lived.sit(0, PEOPLE[0])
    lived.sit(1, PEOPLE[1])
    lived.write([ev.ReadyAsked(Seat(0))], "human")
    lived.write([ev.ReadyAnswered(Seat(1), yes=True)], "human")
    draft = offers.not_ready(lived.table)
    assert draft is not None
    lived.draft(draft)
    assert lived.table.ready is None
    assert len(tables.persons(lived.table)) == 2
    assert offers.not_ready(lived.table) is None
    assert offers.no_rematch(lived.table) is None
