"""The ledger on a real database: once, in one order, with the day's limit."""

import asyncio
from datetime import datetime, timedelta
from uuid import UUID, uuid4

from sqlalchemy import func, select

from app.infra.db import Database
from app.progress import repository, service
from app.progress.experience import XpLine
from app.progress.models import Progress, XpEntry
from app.progress.service import PlayerTally, award
from tests.progress.people import NOON, people


async def give(
    database: Database,
    match: UUID,
    tallies: list[PlayerTally],
    at: datetime = NOON,
    alone: bool = False,
) -> dict[UUID, list[XpLine]]:
    async with database.unit_of_work() as session:
        return await award(session, match_id=match, ended_at=at, players=tallies, bots_alone=alone)


async def sum_of(database: Database, player: UUID) -> tuple[int, int, int]:
    async with database.unit_of_work() as session:
        row = await repository.of_player(session, player)
        assert row is not None
        ledger = await session.scalar(
            select(func.sum(XpEntry.points)).where(XpEntry.player_id == player)
        )
        assert row.xp == ledger, "the sum is that of the ledger"
        return row.xp, row.matches, row.won


async def test_a_match_gives_its_lines_and_their_sum(database: Database) -> None:
    ada, ben = await people(database, 2)
    match = uuid4()
    given = await give(
        database, match, [PlayerTally(ben, False, 2, 3), PlayerTally(ada, True, 5, 11)]
    )
    assert given[ada] == [
        XpLine("played", 1, 15),
        XpLine("won", 1, 25),
        XpLine("deals", 5, 10),
        XpLine("tricks", 11, 11),
    ]
    assert await sum_of(database, ada) == (61, 1, 1)
    assert await sum_of(database, ben) == (22, 1, 0)


async def test_awarding_again_gives_nothing(database: Database) -> None:
    (ada,) = await people(database, 1)
    match, tally = uuid4(), PlayerTally(UUID(int=1), True, 5, 11)
    await give(database, match, [tally])
    assert await give(database, match, [tally]) == {ada: []}
    assert await sum_of(database, ada) == (61, 1, 1)


async def test_two_at_once_award_once(database: Database) -> None:
    (ada,) = await people(database, 1)
    match, tally = uuid4(), PlayerTally(ada, True, 5, 11)
    both = await asyncio.gather(*(give(database, match, [tally]) for _ in range(2)))
    assert sorted(len(given[ada]) for given in both) == [0, 4]
    assert await sum_of(database, ada) == (61, 1, 1)


async def test_matches_that_end_together_do_not_block_each_other(database: Database) -> None:
    players = await people(database, 4)
    tallies = [PlayerTally(player, True, 0, 0) for player in players]
    async with asyncio.timeout(30):
        await asyncio.gather(
            *(give(database, uuid4(), tallies if n % 2 else tallies[::-1]) for n in range(20))
        )
    for player in players:
        assert await sum_of(database, player) == (20 * 40, 20, 20)


async def test_a_rolled_back_match_end_leaves_nothing(database: Database) -> None:
    (ada,) = await people(database, 1)
    try:
        async with database.unit_of_work() as session:
            await award(
                session,
                match_id=uuid4(),
                ended_at=NOON,
                players=[PlayerTally(ada, True, 1, 1)],
                bots_alone=False,
            )
            raise LookupError("the log's row was taken by somebody else")
    except LookupError:
        pass
    async with database.unit_of_work() as session:
        assert await session.get(Progress, ada) is None
        assert await session.scalar(select(func.count()).select_from(XpEntry)) == 0


async def test_bots_alone_give_three_hundred_a_day(database: Database) -> None:
    (ada,) = await people(database, 1)
    tally = PlayerTally(ada, True, 10, 30)  # 90 points
    for _ in range(3):
        await give(database, uuid4(), [tally], alone=True)
    fourth = await give(database, uuid4(), [tally], alone=True)
    assert [(line.reason, line.count, line.points) for line in fourth[ada]] == [
        ("played", 1, 15),
        ("won", 1, 15),
        ("deals", 10, 0),
        ("tricks", 30, 0),
    ]
    fifth = await give(database, uuid4(), [tally], alone=True)
    assert sum(line.points for line in fifth[ada]) == 0
    assert await sum_of(database, ada) == (300, 5, 5)

    with_people = await give(database, uuid4(), [tally])
    assert sum(line.points for line in with_people[ada]) == 90
    tomorrow = await give(database, uuid4(), [tally], at=NOON + timedelta(days=1), alone=True)
    assert sum(line.points for line in tomorrow[ada]) == 90


async def test_matches_with_people_do_not_use_up_the_day(database: Database) -> None:
    (ada,) = await people(database, 1)
    for _ in range(5):
        await give(database, uuid4(), [PlayerTally(ada, True, 10, 30)])
    given = await give(database, uuid4(), [PlayerTally(ada, True, 10, 30)], alone=True)
    assert sum(line.points for line in given[ada]) == 90


async def test_an_account_tells_the_level_before_and_after(database: Database) -> None:
    (ada,) = await people(database, 1)
    first, second, other = uuid4(), uuid4(), uuid4()
    await give(database, first, [PlayerTally(ada, False, 0, 20)])
    await give(database, second, [PlayerTally(ada, True, 5, 11)])
    async with database.unit_of_work() as session:
        one = await service.account(session, ada, first)
        two = await service.account(session, ada, second)
        none = await service.account(session, ada, other)
    assert (one.before.xp, one.after.xp, one.before.level, one.after.level) == (0, 35, 0, 0)
    assert (two.before.xp, two.after.xp, two.before.level, two.after.level) == (35, 96, 0, 1)
    assert two.total == 61
    assert (none.lines, none.before.xp, none.after.xp) == ((), 96, 96)


async def test_who_has_played_nothing_stands_at_the_bottom(database: Database) -> None:
    (ada,) = await people(database, 1)
    async with database.unit_of_work() as session:
        assert (await service.standing_of(session, ada)).xp == 0
        account = await service.account(session, ada, uuid4())
    assert (account.before.xp, account.after.xp) == (0, 0)
