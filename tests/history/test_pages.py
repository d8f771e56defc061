"""Lists of matches: the latest first, in pages that fit together; figures by game."""

from uuid import UUID

import pytest
from sqlalchemy import insert

from app.history import repository
from app.infra.db import Database
from app.infra.ids import new_id
from app.infra.rng import SeededRng
from app.tables.models import GameTable, Match, MatchPlayer
from tests.clocks import FakeClock
from tests.progress.people import NOON, people
from tests.realtime.harness import Running


async def play(database: Database, player: UUID, outcomes: list[str]) -> list[UUID]:
    """Matches of one player against bots, a minute apart, the oldest first; rows alone."""
    clock, rng = FakeClock(NOON), SeededRng(7)
    ids = []
    async with database.unit_of_work() as session:
        table = await session.scalar(
            insert(GameTable)
            .values(
                code="K7Q2MD", status="closed", preset="classic", visibility="private", options={}
            )
            .returning(GameTable.id)
        )
        for number, outcome in enumerate(outcomes, 1):
            clock.advance(60_000)
            match = new_id(clock, rng)
            ids.append(match)
            await session.execute(
                insert(Match).values(
                    id=match,
                    table_id=table,
                    number=number,
                    preset="classic" if number % 3 else "sans-annonces",
                    target=501,
                    rules={},
                    started_at=clock.now(),
                    ended_at=None if outcome == "running" else clock.now(),
                    seq_from=number * 10,
                    seq_to=None if outcome == "running" else number * 10 + 9,
                )
            )
            if outcome == "running":
                continue  # the players' rows are written at the end
            rows = [
                {
                    "match_id": match,
                    "seat": seat,
                    "side": seat % 2,
                    "player_id": player if seat == 0 else None,
                    "name": f"Seat {seat}",
                    "avatar": "bot",
                    "bot": "novice" if seat else None,
                    "outcome": outcome if seat == 0 else "finished",
                    "won": None if outcome == "abandoned" else number % 2 == seat % 2,
                    "deals_won": 0,
                    "own_tricks": 0,
                    "xp": 0,
                }
                for seat in range(4)
            ]
            await session.execute(insert(MatchPlayer), rows)
    return ids


async def test_pages_come_latest_first_and_fit_together(database: Database) -> None:
    ada, ben = await people(database, 2)
    ids = await play(database, ada, ["finished"] * 7)
    async with database.unit_of_work() as session:
        whole = await repository.of_player(session, ada, None, 100)
        first = await repository.of_player(session, ada, None, 3)
        second = await repository.of_player(session, ada, first[-1].id, 3)
        third = await repository.of_player(session, ada, second[-1].id, 3)
        assert await repository.of_player(session, ben, None, 100) == []
    assert [match.id for match in whole] == ids[::-1]
    assert first + second + third == whole
    assert [player.seat for player in whole[0].players] == [0, 1, 2, 3]


async def test_a_running_match_is_in_no_list(database: Database) -> None:
    (ada,) = await people(database, 1)
    ids = await play(database, ada, ["finished", "running"])
    async with database.unit_of_work() as session:
        assert [m.id for m in await repository.of_player(session, ada, None, 9)] == ids[:1]


async def test_figures_count_what_was_played_to_the_end(database: Database) -> None:
    (ada,) = await people(database, 1)
    await play(database, ada, ["finished", "finished", "finished", "quit", "abandoned"])
    async with database.unit_of_work() as session:
        record = await repository.record_of(session, ada)
    assert [(r.preset, r.matches, r.won, r.quit) for r in record] == [
        ("classic", 2, 2, 1),
        ("sans-annonces", 1, 0, 0),
    ]


@pytest.mark.parametrize("limit", [1, 2, 5, 100])
async def test_the_cursor_walks_through_all_pages(
    server: Running, database_url: str, limit: int
) -> None:
    guest = await server.guest("Ada")
    database = await Database.connect(database_url)
    try:
        ids = await play(database, UUID(guest.id), ["finished"] * 5)
    finally:
        await database.dispose()
    found: list[str] = []
    cursor = ""
    while True:
        page = await guest.get("GET", f"/api/matches?limit={limit}{cursor}")
        assert 0 < len(page["matches"]) <= limit
        found += [match["id"] for match in page["matches"]]
        if page["next"] is None:
            break
        cursor = f"&before={page['next']}"
    assert found == [str(match) for match in ids[::-1]]


@pytest.mark.parametrize("query", ["limit=0", "limit=101", "before=yesterday", "player=you"])
async def test_a_list_is_asked_for_in_its_own_words(server: Running, query: str) -> None:
    guest = await server.guest("Ada")
    answer = await guest.ask("GET", f"/api/matches?{query}")
    assert answer.status_code == 422
    assert answer.json()["error"]["code"] == "invalid"
