"""Resignation of a side by both partners (docs/rules.md §2 "End of a match", §7)."""

import random

from app.belote.notation import records
from app.infra.db import Database
from app.tables import events as ev
from app.tables import table as tables
from app.tables.check_log import check
from app.tables.codec import CODEC
from app.tables.service import Ack, Nak
from app.tables.store import Store
from app.tables.table import Also, TableState

from .kit import House, Seated, rules

OFFER = {"type": "resign", "yes": True}
NO = {"type": "resign", "yes": False}


async def offered(house: House, people: int = 4) -> Seated:
    """Four people in a long match, the first of whom would resign."""
    table = await house.playing(people, rules=rules())
    assert isinstance(await table.send(table.people[0].id, OFFER, decision=None), Ack)
    return table


def number(table: Seated, side: int = 0) -> int | None:
    """The number of a side's offer."""
    return table.state.resigning[side]


async def test_the_partner_is_asked_and_with_its_yes_the_match_is_over(house: House) -> None:
    table = await offered(house)
    assert table.state.status == "playing"
    also = dict(tables.also(table.state))
    assert also[2] == Also("resign", number(table) or 0)
    assert set(also) == {2}, "the opponents have nothing to answer"
    assert isinstance(await table.send(table.people[2].id, OFFER, decision=number(table)), Ack)
    assert table.state.status == "finished"
    types = house.recorder.types(table.code)
    assert types[-2:] == ["resign_answered", "match_ended"]
    match = await house.database.pool.fetchrow("SELECT reason, winner FROM match")
    assert tuple(match) == ("resigned", 1)


async def test_a_resigned_match_counts_as_ended(house: House) -> None:
    """Experience: 15 for all four, 25 for the winners."""
    table = await offered(house)
    await table.send(table.people[2].id, OFFER, decision=number(table))
    rows = await house.database.pool.fetch(
        "SELECT outcome, won, xp FROM match_player ORDER BY seat"
    )
    assert [tuple(each) for each in rows] == [
        ("finished", False, 15), ("finished", True, 40), ("finished", False, 15),
        ("finished", True, 40),
    ]  # fmt: skip


async def test_an_offer_touches_nobodys_clock(house: House) -> None:
    table = await house.playing(4, rules=rules())
    before = await _deadline(house)
    decision = table.state.decision
    await table.send(table.people[1].id, OFFER, decision=None)
    await table.send(table.people[3].id, NO, decision=number(table, 1))
    assert await _deadline(house) == before
    assert table.state.decision == decision
    assert isinstance(await table.send(table.turn_player, {"type": "pass"}), Ack)


async def _deadline(house: House) -> tuple[object, ...]:
    found = await house.database.pool.fetchrow(
        "SELECT deadline_at, deadline_seq, deadline_kind FROM game_table"
    )
    return tuple(found)


async def test_a_no_holds_until_the_next_deal(house: House) -> None:
    table = await offered(house)
    old = number(table)
    assert isinstance(await table.send(table.people[2].id, NO, decision=old), Ack)
    assert table.state.resign[0] is not None
    assert table.state.resign[0].refused
    for who in (0, 2):
        answer = await table.send(table.people[who].id, OFFER, decision=None)
        assert answer == Nak("already_refused")
    assert await table.send(table.people[2].id, OFFER, decision=old) == Nak("stale")
    await table.play_on(random.Random(1), lambda state: _deal(state) == 2)
    assert table.state.resign == (None, None)
    assert isinstance(await table.send(table.people[2].id, OFFER, decision=None), Ack)


def _deal(state: TableState) -> int:
    return 0 if state.game is None else state.game.deal


async def test_an_offer_can_be_taken_back_and_lapses_with_the_deal(house: House) -> None:
    table = await offered(house)
    assert isinstance(await table.send(table.people[0].id, NO, decision=number(table)), Ack)
    assert number(table) is None
    await table.play_on(random.Random(1), lambda state: _deal(state) == 2)
    await table.send(table.people[0].id, OFFER, decision=None)
    old = number(table)
    await table.play_on(random.Random(2), lambda state: _deal(state) == 3)
    assert number(table) is None
    assert await table.send(table.people[2].id, OFFER, decision=old) == Nak("stale")
    assert table.state.status == "playing"


async def test_both_partners_who_offer_agree(house: House) -> None:
    table = await offered(house)
    assert isinstance(await table.send(table.people[2].id, OFFER, decision=None), Ack)
    assert table.state.status == "finished"


async def test_both_sides_may_have_an_offer_open(house: House) -> None:
    table = await offered(house)
    await table.send(table.people[3].id, OFFER, decision=None)
    assert set(dict(tables.also(table.state))) == {1, 2}
    assert isinstance(await table.send(table.people[1].id, OFFER, decision=number(table, 1)), Ack)
    assert table.state.game is not None
    assert table.state.game.result is not None
    assert table.state.game.result.winner == 0


async def test_a_bot_agrees(house: House) -> None:
    """Two people, opponents of each other: the partner of each is a bot."""
    table = await offered(house, people=2)
    assert table.state.status == "finished"
    last = house.recorder.seen[-1].events
    assert [(each.type, each.how) for each in last] == [
        ("resign_offered", "human"), ("resign_answered", "bot"), ("match_ended", "human"),
    ]  # fmt: skip
    report = await check(house.database, referee=True)
    assert report.problems == []


async def test_the_partner_who_leaves_is_asked_no_more(house: House) -> None:
    table = await offered(house)
    await house.tables.leave(table.code, table.people[2].id)
    assert number(table) is None
    assert isinstance(await table.send(table.people[0].id, OFFER, decision=None), Ack)
    assert table.state.status == "finished", "its bot agrees"


async def test_there_is_nothing_to_answer_without_an_offer(house: House) -> None:
    table = await house.playing(4)
    assert await table.send(table.people[1].id, NO, decision=None) == Nak("stale")
    assert await table.send(table.people[1].id, OFFER, decision=7) == Nak("stale")
    waiting = await house.seated(4)
    assert await waiting.send(waiting.people[1].id, OFFER, decision=None) == Nak("wrong_phase")


async def test_the_record_of_a_resigned_match_ends_where_it_was_resigned(
    house: House, database: Database
) -> None:
    table = await house.playing(4, rules=rules())
    await table.play_on(random.Random(1), lambda state: _deal(state) == 2 and _cards(state) == 6)
    await table.send(table.people[0].id, OFFER, decision=None)
    await table.send(table.people[2].id, OFFER, decision=number(table))
    store = Store(database)
    head = await store.head(table.code)
    assert head is not None
    events = [
        CODEC.decode(logged.row.type, logged.row.v, *logged.parts())
        async for logged in store.events(head.id, 0, head.head_seq)
    ]
    start = next(each for each in events if isinstance(each, ev.MatchStarted))
    told = list(records(start.rules, start.match, events))
    assert told[-1]["score"] is None
    assert sum(len(trick["cards"]) for trick in told[-1]["tricks"]) == 6
    assert told[-1]["proof"] is not None, "the bytes of the unfinished deal are told"


def _cards(state: TableState) -> int:
    return 0 if state.game is None else len(state.game.played)
