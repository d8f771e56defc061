"""Rated matches that were left or missed bring pauses from rated play, by the newest thirty."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.infra.config import Timing
from app.infra.db import Database
from app.infra.errors import AppError
from app.tables.conduct import WINDOW, pause
from app.tables.match import Outcome

from .kit import House, opened, options, rules
from .test_absence import go

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
STEPS = Timing().rated_pauses


def newest(*outcomes: Outcome) -> list[tuple[Outcome, datetime]]:
    """Outcomes a minute apart, the newest first and at noon."""
    return [(each, NOON - timedelta(minutes=n)) for n, each in enumerate(outcomes)]


def test_who_plays_to_the_end_has_no_pause() -> None:
    assert pause([], STEPS) is None
    assert pause(newest(*["finished"] * 40), STEPS) is None


@pytest.mark.parametrize(
    ("broken", "minutes"), [(1, 0), (2, 10), (3, 60), (4, 360), (5, 1440), (9, 1440)]
)
def test_each_broken_match_brings_a_longer_pause(broken: int, minutes: int) -> None:
    outcomes: list[Outcome] = ["quit", *["absent"] * (broken - 1), *["finished"] * 5]
    found = pause(newest(*outcomes), STEPS)
    assert found is not None
    assert found.until == NOON + timedelta(minutes=minutes)
    assert found.counts["matches"] == broken + 5


def test_a_pause_is_counted_from_the_last_broken_match() -> None:
    found = pause(newest("finished", "finished", "abandoned", "quit"), STEPS)
    assert found is not None
    assert found.until == NOON - timedelta(minutes=2) + timedelta(minutes=10)
    assert found.counts == {"matches": 4, "finished": 2, "abandoned": 1, "quit": 1}


@given(st.lists(st.sampled_from(("finished", "absent", "abandoned", "quit")), max_size=60))
def test_only_the_window_counts_and_playing_on_heals(outcomes: list[Outcome]) -> None:
    found = pause(newest(*outcomes), STEPS)
    assert found == pause(newest(*outcomes[:WINDOW]), STEPS)
    healed = pause(newest(*["finished"] * WINDOW, *outcomes), STEPS)
    assert healed is None
    if found is not None:
        later = pause([*newest("finished"), *newest(*outcomes)], STEPS)
        assert later is None or later.until <= found.until


def test_a_house_without_pauses_has_none() -> None:
    assert pause(newest("quit", "quit", "quit"), ()) is None


# At the tables


async def outcomes(house: House) -> list[tuple[UUID, str]]:
    """What was noted, in the order of seats."""
    rows = await house.database.pool.fetch("SELECT player_id, outcome FROM conduct")
    return [(row["player_id"], row["outcome"]) for row in rows]


async def test_a_rated_match_notes_how_it_ended_for_each_and_a_casual_one_does_not(
    house: House,
) -> None:
    casual = await house.playing(4)
    await casual.play_out()
    assert await outcomes(house) == []
    table = await house.playing(4, rated=True)
    await table.play_out()
    assert sorted(await outcomes(house)) == sorted((p.id, "finished") for p in table.people)
    assert await house.database.pool.fetchval("SELECT count(*) FROM match WHERE rated") == 1


async def test_who_leaves_is_noted_at_once_and_its_partner_is_spared(house: House) -> None:
    table = await house.playing(4, rated=True, rules=rules())
    quitter, partner = table.people[1], table.people[3]
    await house.tables.leave(table.code, quitter.id)
    assert await outcomes(house) == [(quitter.id, "quit")]
    await table.send(partner.id, {"type": "resign", "yes": True}, decision=None)
    assert table.state.status == "finished"
    rows = await house.database.pool.fetch(
        "SELECT seat, outcome, spared, xp FROM match_player ORDER BY seat"
    )
    assert [tuple(row)[:3] for row in rows] == [
        (0, "finished", False), (1, "quit", False), (2, "finished", False), (3, "finished", True),
    ]  # fmt: skip
    assert rows[1]["xp"] == 0
    assert dict(await outcomes(house))[quitter.id] == "quit"
    assert len(await outcomes(house)) == 4


async def test_who_is_away_at_the_end_was_absent(database: Database) -> None:
    async with opened(database, away=1) as house:
        table = await house.playing(4, rated=True)
        away = table.people[2]
        go(table, away.id)
        table.silent = {away.id}
        await table.play_out()
        assert table.state.seats[2].sitting_in
        assert dict(await outcomes(house))[away.id] == "absent"


async def test_a_match_that_nobody_came_back_to_is_noted_so(database: Database) -> None:
    async with opened(database, pause_grace=1) as house:
        table = await house.playing(4, rated=True)
        go(table)
        await table.until(lambda state: state.paused)
        await house.database.pool.execute(
            "UPDATE game_table SET idle_since = clock_timestamp() - interval '1 day'"
        )
        await house.tables.sweep()
        assert await house.database.pool.fetchval("SELECT status FROM game_table") == "closed"
        assert {outcome for _, outcome in await outcomes(house)} == {"abandoned"}


async def broken(house: House, player: UUID, count: int) -> None:
    """So many rated matches that the player has just left."""
    for _ in range(count):
        await house.database.pool.execute(
            "INSERT INTO conduct (player_id, match_id, outcome, at)"
            " VALUES ($1, $2, 'quit', clock_timestamp())",
            player,
            uuid4(),
        )


async def test_a_pause_keeps_from_rated_tables_alone_and_says_why(house: House) -> None:
    table = await house.seated(1, rated=True)
    player = await house.person("Quitter")
    await broken(house, player.id, 1)
    await house.tables.rated_pause(player.id)
    await broken(house, player.id, 2)
    for refused in (
        house.tables.join(table.code, player),
        house.tables.open(player, options(rated=True)),
        house.tables.rated_pause(player.id),
    ):
        with pytest.raises(AppError, match="rated_pause") as caught:
            await refused
        assert caught.value.retry_after is not None
        assert 3_500 < caught.value.retry_after <= 3_601
        facts = caught.value.facts
        assert facts["window"] == {"matches": 3, "quit": 3}
        assert set(facts) == {"until", "left_ms", "window"}
        assert caught.value.body()["error"]["facts"] == facts
    casual = await house.seated(1)
    assert await house.tables.join(casual.code, player) == 1


async def test_rated_tables_shuffle(house: House) -> None:
    cut = replace(rules(), handling="cut")
    with pytest.raises(AppError, match="bad_options"):
        await house.tables.open(await house.person(), options(rated=True, rules=cut))
