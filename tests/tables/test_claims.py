"""A claim at the table: certain, played out in one batch, and worth what playing it would be."""

import asyncio
import random
from dataclasses import replace
from datetime import timedelta

from app.belote import claims
from app.belote.notation import records, replayed
from app.infra.db import Database
from app.tables import events as ev
from app.tables import table as tables
from app.tables.check_log import check
from app.tables.codec import CODEC
from app.tables.service import Ack, Nak
from app.tables.store import Store
from app.tables.table import Also, TableState

from .kit import HOUR, House, Seated, folded, opened, rules
from .test_commands import elsewhere
from .test_deadlines import overdue, row

CLAIM = {"type": "claim"}


def claimable(state: TableState) -> bool:
    """Whether a seat on lead may claim now, or the match is over."""
    over = state.status != "playing"
    return over or (state.game is not None and claims.claimant(state.game) is not None)


async def on_lead(house: House, seed: int = 1) -> Seated:
    """Four people, one of whom is certain of the rest: most matches come to that."""
    while True:
        table = await house.playing(4, rules=rules())
        await table.play_on(random.Random(seed), lambda state: claimable(state) or _waits(state))
        while _waits(table.state):
            for person in table.people:
                await table.send(person.id, {"type": "continue"})
            await table.play_on(random.Random(seed), lambda s: claimable(s) or _waits(s))
        if table.state.status == "playing":
            return table
        seed += 1


def _waits(state: TableState) -> bool:
    turn = tables.open_turn(state)
    return turn is not None and turn.kind == "continue"


async def test_a_claim_is_played_out_in_one_batch(database: Database) -> None:
    async with opened(database, next_deal=HOUR, passed_out_pause=HOUR) as house:
        await _claimed_in_one_batch(house)


async def _claimed_in_one_batch(house: House) -> None:
    table = await on_lead(house)
    seat, player = _claimant(table)
    before, left = table.state, table.state.game.held(seat).bit_count()  # type: ignore[union-attr]
    assert dict(tables.also(before))[seat] == Also("claim", before.decision or 0)
    assert isinstance(await table.send(player, CLAIM), Ack)
    batch = house.recorder.seen[-1].events
    assert batch[0].type == "claimed"
    assert [each.type for each in batch].count("card_played") == 4 * left
    assert "deal_scored" in [each.type for each in batch]
    hows = {each.how for each in batch if each.type != "card_played"}
    assert hows == {"human"}
    after = table.state
    assert after.match is not None
    assert before.match is not None
    won = after.match.tally.own_tricks[seat] - before.match.tally.own_tricks[seat]
    assert won == left, "the tricks are the claimant's own"
    assert await folded(house.database, table.code) == after


def _claimant(table: Seated) -> tuple[int, object]:
    assert table.state.game is not None
    seat = claims.claimant(table.state.game)
    assert seat is not None
    player = table.state.seats[seat].player
    assert player is not None
    return seat, player


async def test_what_others_throw_is_neither_their_move_nor_their_absence(house: House) -> None:
    """Who has missed a deadline before has missed it still when its cards were thrown for it."""
    table = await on_lead(house)
    seat, player = _claimant(table)
    partner = (seat + 2) % 4
    chair = replace(table.state.seats[partner], strikes=1)
    live = house.tables._desk.cache.peek(table.code)
    assert live is not None
    seats = tuple(chair if n == partner else each for n, each in enumerate(table.state.seats))
    live.state = replace(live.state, seats=seats)
    assert isinstance(await table.send(player, CLAIM), Ack)
    assert [chair.strikes for chair in table.state.seats] == [int(n == partner) for n in range(4)]


async def test_the_score_sheet_waits_until_the_cards_have_been_seen(database: Database) -> None:
    """Every trick that is played out adds its pause to the time until the next deal."""
    async with opened(database, trick_pause=HOUR, next_deal=HOUR) as house:
        table = await on_lead(house)
        seat, player = _claimant(table)
        tricks = table.state.game.held(seat).bit_count()  # type: ignore[union-attr]
        assert isinstance(await table.send(player, CLAIM), Ack)
        kind, _, left = await row(table)
        if table.state.status == "playing":
            assert kind == "next_deal"
            assert left is not None
            assert timedelta(hours=tricks) < left <= timedelta(hours=tricks + 1)


async def test_a_claim_that_is_not_certain_is_refused_and_changes_nothing(house: House) -> None:
    table = await house.playing(4, rules=rules())
    await table.play_on(random.Random(1), _on_first_lead)
    assert not claimable(table.state)
    seq = table.state.seq
    assert await table.send(table.turn_player, CLAIM) == Nak("not_certain")
    other = next(person.id for person in table.people if person.id != table.turn_player)
    assert await table.send(other, CLAIM) == Nak("not_your_turn")
    assert await table.send(table.turn_player, CLAIM, decision=3) == Nak("stale")
    await table.send(table.turn_player, table.move())
    assert await table.send(table.turn_player, CLAIM) == Nak("not_on_lead")
    assert table.state.seq == seq + len(house.recorder.seen[-1].events)
    waiting = await house.seated(2)
    assert await waiting.send(waiting.people[0].id, CLAIM) == Nak("wrong_phase")


def _on_first_lead(state: TableState) -> bool:
    return state.game is not None and state.game.phase == "play"


async def test_the_log_and_the_record_of_a_claimed_deal_are_those_of_a_played_one(
    house: House, database: Database
) -> None:
    table = await on_lead(house, seed=3)
    _, player = _claimant(table)
    deal = table.state.game.deal  # type: ignore[union-attr]
    assert isinstance(await table.send(player, CLAIM), Ack)
    report = await check(database, referee=True)
    assert report.problems == [], "the referee would write the same cards"
    store = Store(database)
    head = await store.head(table.code)
    assert head is not None
    events = [
        CODEC.decode(logged.row.type, logged.row.v, *logged.parts())
        async for logged in store.events(head.id, 0, head.head_seq)
    ]
    start = next(each for each in events if isinstance(each, ev.MatchStarted))
    told = records(start.rules, start.match, events)
    record = next(each for each in told if each["deal"] == deal)
    assert len(record["tricks"]) == 8
    assert record["score"] is not None
    again = [each for each in replayed(record) if each.TYPE == "deal_scored"]
    assert len(again) == 1


async def test_a_claim_against_its_own_deadline_is_one_of_the_two(house: House) -> None:
    """The claim and the expiry of its turn at once: one is written, the other is stale."""
    for seed in (1, 2, 3):
        table = await on_lead(house, seed)
        _, player = _claimant(table)
        await overdue(table)
        seq = table.state.seq
        answer, _ = await asyncio.gather(table.send(player, CLAIM), house.tables.expire(table.code))
        batches = [p for p in house.recorder.seen if p.code == table.code and p.after.seq > seq]
        first = batches[0].events
        if isinstance(answer, Ack):
            assert first[0].type == "claimed"
        else:
            assert answer == Nak("stale")
            assert first[-1].how == "timeout"
        hows = {event.how for batch in batches for event in batch.events}
        assert ("timeout" in hows) != isinstance(answer, Ack)


async def test_a_claim_from_another_process_is_one_of_the_two(
    house: House, database: Database
) -> None:
    async with opened(database, seed=2) as other:
        table = await on_lead(house)
        _, player = _claimant(table)
        far = await elsewhere(table, other)
        decision = table.state.decision
        answers = await asyncio.gather(
            table.send(player, CLAIM, decision=decision),
            far.send(player, table.move(), decision=decision),
        )
        assert [type(answer) for answer in answers].count(Ack) == 1
        assert (await check(database, referee=True)).problems == []
