"""The ranking by experience: order, ties, pages, one's own row."""

from uuid import UUID, uuid4

from app.infra.db import Database
from app.progress import repository
from app.progress.service import PlayerTally
from tests.progress.people import people
from tests.progress.test_award import give

TRICKS = (5, 30, 10, 10, 0)
"""Own tricks of the players in their only match: 20, 45, 25, 25 and 15 points."""


async def ranked(database: Database) -> list[UUID]:
    players = await people(database, 6)  # the sixth has never finished a match
    for player, tricks in zip(players, TRICKS, strict=False):
        await give(database, uuid4(), [PlayerTally(player, False, 0, tricks)])
    return players


async def test_more_points_stand_higher_and_equal_ones_share_a_rank(database: Database) -> None:
    players = await ranked(database)
    async with database.unit_of_work() as session:
        rows = await repository.ranking(session, 10, 0)
        total = await repository.ranked_players(session)
    places = [(row.rank, players.index(row.player_id), row.xp) for row in rows]
    assert places == [(1, 1, 45), (2, 2, 25), (2, 3, 25), (4, 0, 20), (5, 4, 15)]
    assert total == 5


async def test_pages_fit_together(database: Database) -> None:
    await ranked(database)
    async with database.unit_of_work() as session:
        whole = await repository.ranking(session, 10, 0)
        pages = [await repository.ranking(session, 2, offset) for offset in (0, 2, 4, 6)]
    assert [row for page in pages for row in page] == whole


async def test_my_row_is_that_of_the_ranking(database: Database) -> None:
    players = await ranked(database)
    async with database.unit_of_work() as session:
        rows = {row.player_id: row for row in await repository.ranking(session, 10, 0)}
        for player in players[:5]:
            assert await repository.rank_of(session, player) == rows[player]
        assert await repository.rank_of(session, players[5]) is None
