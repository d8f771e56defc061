"""Whole matches through ``Tables`` alone: people, bots, both; their rows and experience."""

import random

import pytest

from app.belote import engine
from app.belote.cards import NAMES, Card
from app.belote.play import Refusal
from app.infra.db import Database
from app.infra.errors import AppError
from app.tables.service import Ack, Nak
from app.tables.table import TableState

from .kit import House, folded, opened, rules


async def test_four_people_play_a_match_to_its_end(house: House) -> None:
    table = await house.playing(4)
    await table.play_out()
    assert table.state.status == "finished"
    assert table.state.game is not None
    assert table.state.game.result is not None
    assert table.state.game.result.reason == "target"
    seen = house.recorder.sequence(table.code)
    assert seen == list(range(1, table.state.seq + 1)), "every number once, in order (D5)"


async def test_one_person_and_three_bots_play_a_match_to_its_end(house: House) -> None:
    table = await house.playing(1)
    kinds = [chair.kind for chair in table.state.seats]
    assert kinds == ["person", "bot", "bot", "bot"]
    assert len({chair.name for chair in table.state.seats}) == 4
    await table.play_out()
    assert table.state.status == "finished"


async def test_the_stored_log_folds_to_the_live_state(house: House) -> None:
    table = await house.playing(2)
    await table.play_out()
    assert await folded(house.database, table.code) == table.state
    whole = await folded(house.database, table.code, base=1)
    assert whole == table.state, "from the first event and from the base alike"


async def test_a_match_end_is_booked_once_with_its_experience(house: House) -> None:
    table = await house.playing(2)
    await table.play_out()
    pool = house.database.pool
    meta = table.state.match
    assert meta is not None
    match = await pool.fetchrow("SELECT * FROM match")
    result = table.state.game.result if table.state.game else None
    assert result is not None
    assert match["reason"] == "target"
    assert match["winner"] == result.winner
    assert match["totals"] == list(result.totals)
    assert (match["seq_from"], match["seq_to"]) == (meta.seq_from, table.state.seq)
    rows = await pool.fetch("SELECT * FROM match_player ORDER BY seat")
    assert [row["outcome"] for row in rows] == ["finished"] * 4
    assert [row["won"] for row in rows] == [seat % 2 == result.winner for seat in range(4)]
    for seat, row in enumerate(rows):
        ledger = await pool.fetch(
            "SELECT reason, points FROM xp_ledger WHERE player_id = $1", row["player_id"]
        )
        points = sum(line["points"] for line in ledger)
        assert row["xp"] == points
        if row["player_id"] is not None:
            won = meta.tally.deals_of(seat)
            expected = 15 + 25 * row["won"] + 2 * won + meta.tally.own_tricks[seat]
            assert points == expected
        else:
            assert points == 0


async def test_the_host_starts_another_match_at_the_same_table(house: House) -> None:
    table = await house.playing(2)
    await table.play_out()
    first = table.state.match
    await house.tables.start(table.code, table.people[0].id)
    assert table.state.status == "playing"
    assert table.state.match is not None
    assert first is not None
    assert table.state.match.number == first.number + 1
    base = await house.database.pool.fetchval("SELECT base_seq FROM game_table")
    assert base == table.state.match.seq_from, "loading starts at the newest base"
    await table.play_out(seed=2)
    assert await house.database.pool.fetchval("SELECT count(*) FROM match_player") == 8


async def test_only_the_host_may_start_and_only_once(house: House) -> None:
    table = await house.seated(2)
    host, guest = table.people
    with pytest.raises(AppError, match="not_host"):
        await house.tables.start(table.code, guest.id)
    with pytest.raises(AppError, match="not_seated"):
        await house.tables.start(table.code, (await house.person()).id)
    await house.tables.start(table.code, host.id)
    with pytest.raises(AppError, match="wrong_status"):
        await house.tables.start(table.code, host.id)


async def test_a_table_without_bots_waits_for_four_people(house: House) -> None:
    table = await house.seated(3, bots=None)
    with pytest.raises(AppError, match="wrong_status"):
        await house.tables.start(table.code, table.people[0].id)
    await house.tables.join(table.code, await house.person("Fourth"))
    await house.tables.start(table.code, table.people[0].id)
    assert table.state.status == "playing"


async def test_people_sit_where_they_may(house: House) -> None:
    table = await house.seated(1)
    tables = house.tables
    second, third = await house.people(2)
    assert await tables.join(table.code, second, 2) == 2
    with pytest.raises(AppError, match="already_seated"):
        await tables.join(table.code, second, 3)
    with pytest.raises(AppError, match="seat_taken"):
        await tables.join(table.code, third, 2)
    with pytest.raises(AppError, match="seat_taken"):
        await tables.join(table.code, third, 4)
    assert await tables.join(table.code, third) == 1
    found = [(seat.code, seat.seat) for seat in await tables.seats_of(third.id)]
    assert found == [(table.code, 1)]
    with pytest.raises(AppError, match="table_not_found"):
        await tables.join("ZZZZZZ", third)


async def test_a_full_table_takes_nobody_and_a_bot_gives_way_between_matches(house: House) -> None:
    full = await house.seated(4)
    with pytest.raises(AppError, match="table_full"):
        await house.tables.join(full.code, await house.person())
    table = await house.playing(1)
    newcomer = await house.person("Newcomer")
    with pytest.raises(AppError, match="wrong_status"):
        await house.tables.join(table.code, newcomer)
    await table.play_out()
    assert await house.tables.join(table.code, newcomer) == 1
    assert table.state.seats[1].player == newcomer.id


async def test_the_host_who_leaves_a_waiting_table_hands_it_on(house: House) -> None:
    table = await house.seated(2)
    host, guest = table.people
    await house.tables.leave(table.code, host.id)
    assert table.state.host == guest.id
    assert table.state.seats[0].kind == "free"
    row = await house.database.pool.fetchrow("SELECT host, status FROM game_table")
    assert (row["host"], row["status"]) == (guest.id, "waiting")
    await house.tables.leave(table.code, guest.id)
    assert table.state.status == "closed"
    with pytest.raises(AppError, match="table_closed"):
        await house.tables.join(table.code, host)
    assert await house.database.pool.fetchval("SELECT count(*) FROM table_seat") == 0


async def test_commands_of_the_wrong_people_are_refused_with_their_codes(house: House) -> None:
    table = await house.playing(4)
    stranger = await house.person("Stranger")
    to_act = table.turn_player
    other = next(p.id for p in table.people if p.id != to_act)

    async def code(player: object, c: dict[str, object], **changed: object) -> str:
        answer = await table.send(player, c, **changed)  # type: ignore[arg-type]
        assert isinstance(answer, Nak)
        assert not answer.retry
        return answer.code

    assert await code(stranger.id, {"type": "pass"}) == "not_seated"
    assert await code(other, {"type": "pass"}) == "not_your_turn"
    assert await code(to_act, {"type": "play", "card": "AS"}) == "wrong_phase"
    assert await code(to_act, {"type": "play", "card": "XX"}) == "bad_command"
    assert await code(to_act, {"type": "dance"}) == "bad_command"
    assert await code(to_act, {"type": "pass"}, decision=1) == "stale"
    assert await code(to_act, {"type": "pass"}, decision=None) == "stale"
    assert await code(to_act, {"type": "reclaim"}, decision=None) == "nothing_to_reclaim"
    assert await code(to_act, {"type": "name", "trump": "S"}) == "call_not_open"


def _refusals(state: TableState) -> tuple[tuple[Card, Refusal], ...]:
    if state.game is None or state.game.turn is None:
        return ()
    return engine.legal(state.game, state.game.turn).why


async def test_the_core_tells_why_a_card_may_not_be_played(house: House) -> None:
    table = await house.playing(4)
    await table.play_on(random.Random(3), lambda state: bool(_refusals(state)))
    card, why = _refusals(table.state)[0]
    answer = await table.send(table.turn_player, {"type": "play", "card": NAMES[card]})
    assert isinstance(answer, Nak)
    assert answer.code == why.code
    assert "legal" in answer.facts


async def test_the_next_deal_comes_at_once_when_everybody_continues(database: Database) -> None:
    async with opened(database, next_deal=600_000) as house:
        table = await house.playing(2, rules=rules())
        rng = random.Random(5)
        await table.play_on(
            rng, lambda state: state.game is not None and state.game.phase == "scored"
        )
        first, second = (player.id for player in table.people)
        deal = table.state.game.deal if table.state.game else 0
        assert isinstance(await table.send(first, {"type": "continue"}), Ack)
        assert table.state.game is not None
        assert table.state.game.phase == "scored", "the other has not said so yet"
        again = await table.send(first, {"type": "continue"})
        assert isinstance(again, Nak)
        assert again.code == "already_continued"
        assert isinstance(await table.send(second, {"type": "continue"}), Ack)
        assert table.state.game.deal == deal + 1
        assert house.recorder.types(table.code)[-2:] == ["continued", "hand_dealt"]
