"""A person takes a bot's seat between two deals of a casual match; what counts is what follows."""

import asyncio
import random
from uuid import UUID

import pytest

from app.infra.db import Database
from app.infra.errors import AppError
from app.players.models import PlayerRef
from app.tables import table as tables
from app.tables.check_log import check
from app.tables.service import Ack
from app.tables.table import TableState

from .kit import HOUR, House, Seated, folded, opened, rules

SLOW = {"next_deal": HOUR, "passed_out_pause": HOUR}


def between(state: TableState) -> bool:
    """Between two deals, one of which was scored; or after the match."""
    turn = tables.open_turn(state)
    over = state.status == "finished"
    return over or (turn is not None and turn.kind == "continue" and bool(state.game.deals))  # type: ignore[union-attr]


async def pausing(house: House, people: int = 1, **changed: object) -> Seated:
    """A long match of so many people, between its first scored deal and the next."""
    table = await house.playing(people, **{"rules": rules(), **changed})
    while not between(table.state):
        await table.play_on(random.Random(1), _waits)
        if not between(table.state):
            await go_on(table)
    return table


def _waits(state: TableState) -> bool:
    turn = tables.open_turn(state)
    return turn is None or turn.kind == "continue"


async def go_on(table: Seated) -> None:
    """Everybody is ready for the next deal."""
    deal = table.state.game.deal  # type: ignore[union-attr]
    for chair in table.state.seats:
        if chair.player is not None and table.state.game.deal == deal:  # type: ignore[union-attr]
            await table.send(chair.player, {"type": "continue"})
    assert table.state.game.deal == deal + 1  # type: ignore[union-attr]


async def to_the_end(table: Seated) -> None:
    """The rest of the match."""
    while table.state.status == "playing":
        await table.play_on(random.Random(3), lambda s: _waits(s) or s.status != "playing")
        if table.state.status == "playing":
            await go_on(table)


async def joins(table: Seated, seat: int | None = None) -> PlayerRef:
    """A newcomer who takes a bot's seat and is there."""
    late = await table.house.person("Late")
    await table.house.tables.join(table.code, late, seat)
    table.house.tables.connected(table.code, late.id)
    table.people.append(late)
    return late


async def test_a_bots_seat_is_taken_between_two_deals_and_played_from_there(
    database: Database,
) -> None:
    async with opened(database, **SLOW) as house:
        table = await pausing(house)
        late = await joins(table)
        seat = table.state.seat_of(late.id)
        assert seat == 1, "the first bot's"
        assert table.state.seats[1].kind == "person"
        assert not tables.alone(table.state), "from now on there is a clock"
        assert await house.tables.seats_of(late.id)
        snapshot = await house.tables.snapshot(table.code, late.id)
        assert snapshot.view_json()["game"]["hand"] == []
        await go_on(table)
        snapshot = await house.tables.snapshot(table.code, late.id)
        assert len(snapshot.view_json()["game"]["hand"]) == 5
        await to_the_end(table)
        assert table.state.status == "finished"
        assert (await folded(database, table.code)) == table.state
        assert (await check(database, referee=True)).problems == []


async def test_only_what_was_won_from_there_counts_and_the_end_with_half_of_the_deals(
    database: Database,
) -> None:
    async with opened(database, **SLOW) as house:
        table = await pausing(house, rules=rules(target=501))
        before = table.state.match
        assert before is not None
        late = await joins(table)
        await go_on(table)
        await to_the_end(table)
        match = table.state.match
        assert match is not None
        row = await _row(house, late.id)
        total = await house.database.pool.fetchval("SELECT deals FROM match")
        deals = match.tally.deals_of(1) - before.tally.deals_of(1)
        tricks = match.tally.own_tricks[1] - before.tally.own_tricks[1]
        assert before.tally.own_tricks[1] == 0, "a bot's tricks are nobody's"
        assert (row["from_deal"], row["deals_won"], row["own_tricks"]) == (1, deals, tricks)
        assert 2 * (total - 1) >= total, "half of the deals and more"
        assert row["xp"] == 15 + 25 * row["won"] + 2 * deals + tricks
        assert row["stint"] == 1
        assert await house.database.pool.fetchval("SELECT count(*) FROM match_player") == 4


async def test_without_half_of_the_deals_the_matchs_end_is_not_the_latecomers(
    database: Database,
) -> None:
    async with opened(database, **SLOW) as house:
        table = await pausing(house, rules=rules(target=1001))
        while len(table.state.game.deals) < 2:  # type: ignore[union-attr]
            await go_on(table)
            await table.play_on(random.Random(2), _waits)
        late = await joins(table)
        await _resign(table, late)
        row = await _row(house, late.id)
        assert row["outcome"] == "finished"
        assert row["xp"] == 2 * row["deals_won"] + row["own_tricks"] == 0


async def _resign(table: Seated, player: PlayerRef) -> None:
    """The newcomer, whose partner is a bot, resigns at once."""
    answer = await table.send(player.id, {"type": "resign", "yes": True}, decision=None)
    assert isinstance(answer, Ack)
    assert table.state.status == "finished"


async def _row(house: House, player: UUID) -> dict[str, object]:
    found = await house.database.pool.fetchrow(
        "SELECT * FROM match_player WHERE player_id = $1", player
    )
    return dict(found)


async def test_the_seat_of_who_left_can_be_taken_but_not_by_who_left(database: Database) -> None:
    async with opened(database, **SLOW) as house:
        table = await pausing(house, people=2)
        one, two = table.people
        await house.tables.leave(table.code, two.id)
        with pytest.raises(AppError, match="match_left"):
            await house.tables.join(table.code, two)
        late = await joins(table, 1)
        await go_on(table)
        await to_the_end(table)
        rows = await house.database.pool.fetch(
            "SELECT player_id, stint, outcome, xp FROM match_player WHERE seat = 1 ORDER BY stint"
        )
        assert [tuple(each)[:3] for each in rows] == [(two.id, 0, "quit"), (late.id, 1, "finished")]
        assert rows[0]["xp"] == 0
        assert rows[1]["xp"] > 0
        again = await house.tables.join(table.code, two)
        assert again in (1, 2, 3), "the next match is another one"
        assert one.id in tables.persons(table.state)


async def test_the_host_may_forbid_it(database: Database) -> None:
    async with opened(database, **SLOW) as house:
        table = await pausing(house, latecomers=False)
        with pytest.raises(AppError, match="wrong_status"):
            await house.tables.join(table.code, await house.person("Late"))
        assert tables.persons(table.state) == (table.people[0].id,)


async def test_a_rated_match_goes_on_without_newcomers(database: Database) -> None:
    async with opened(database, **SLOW) as house:
        table = await pausing(house, 4, rated=True)
        await house.tables.leave(table.code, table.people[3].id)
        assert table.state.seats[3].kind == "bot"
        with pytest.raises(AppError, match="wrong_status"):
            await house.tables.join(table.code, await house.person("Late"), 3)


async def test_not_within_a_deal_not_a_persons_seat_and_not_where_nobody_is(
    database: Database,
) -> None:
    async with opened(database, pause_grace=1, **SLOW) as house:
        table = await pausing(house)
        late = await house.person("Late")
        with pytest.raises(AppError, match="seat_taken"):
            await house.tables.join(table.code, late, 0)
        await go_on(table)
        with pytest.raises(AppError, match="wrong_status"):
            await house.tables.join(table.code, late)
        await table.play_on(random.Random(1), _waits)
        house.tables.disconnected(table.code, table.people[0].id)
        await table.until(lambda state: state.paused)
        with pytest.raises(AppError, match="wrong_status"):
            await house.tables.join(table.code, late)


async def test_four_who_want_one_seat_are_one_who_has_it(database: Database) -> None:
    async with opened(database, **SLOW) as house, opened(database, seed=2, **SLOW) as other:
        table = await pausing(house)
        people = await house.people(4)
        answers = await asyncio.gather(
            *(
                (house, other)[n % 2].tables.join(table.code, person, 2)
                for n, person in enumerate(people)
            ),
            return_exceptions=True,
        )
        assert answers.count(2) == 1
        refused = {each.code for each in answers if isinstance(each, AppError)}
        assert refused <= {"seat_taken", "conflict"}
        assert (await check(database, referee=True)).problems == []


async def test_the_joiner_sees_nothing_of_the_deals_before(database: Database) -> None:
    """D6 at a new seat: the snapshot is the view of the seat, whose hand and own declarations are
    empty between two deals."""
    async with opened(database, **SLOW) as house:
        table = await pausing(house)
        late = await joins(table)
        game = (await house.tables.snapshot(table.code, late.id)).view_json()["game"]
        assert (game["viewer"], game["hand"]) == (1, [])
        events = await house.tables.events_after(table.code, late.id, table.state.seq - 1)
        assert events is None, "another seat than at that number: a snapshot"
