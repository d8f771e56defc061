"""Reading matches, and who may read what.

A match that is being played: its players alone, and of it nothing but public fields (D4); to
anybody else there is no such match. A match that has ended: whoever has its link, whole, hands and
secret bytes too, bounded by its own numbers, so that the table's next match stays closed.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

import orjson

from app.belote.cards import Seat, side_of
from app.belote.events import GAME_EVENTS, DealScored, Event, GameEvent
from app.belote.notation import Record, records
from app.history import repository
from app.history.repository import PastMatch, PastPlayer
from app.infra.db import Database
from app.infra.errors import AppError
from app.tables.codec import CODEC, Json
from app.tables.events import MatchStarted, Occupant, SeatTaken
from app.tables.store import Store


@dataclass(frozen=True, slots=True)
class OpenedMatch:
    """A match with its score sheets so far, as the socket told them."""

    match: PastMatch
    deals: list[dict[str, Any]]


async def opened(db: Database, match_id: UUID, asker: UUID | None) -> OpenedMatch:
    """A match for whoever asks; AppError ``match_not_found``."""
    store = Store(db)
    # The head before the row: if the row then says "running", all up to that head is this match's.
    head = await _head(db, store, match_id)
    match = await _found(db, match_id)
    if match.running:
        match = await _running(store, match, head, asker)
    last = head if match.seq_to is None else match.seq_to
    told = await store.public(match.table_id, match.seq_from - 1, last, DealScored.TYPE)
    return OpenedMatch(match, [_public(DealScored.TYPE, v, public) for v, public in told])


async def _head(db: Database, store: Store, match_id: UUID) -> int:
    async with db.unit_of_work() as session:
        table_id = await repository.table_of(session, match_id)
    head = None if table_id is None else await store.head_of(table_id)
    return 0 if head is None else head.head_seq


async def _found(db: Database, match_id: UUID) -> PastMatch:
    async with db.unit_of_work() as session:
        match = await repository.by_id(session, match_id)
    if match is None:
        raise AppError("match_not_found")
    return match


async def _running(store: Store, match: PastMatch, head: int, asker: UUID | None) -> PastMatch:
    """The running match with those who have played it so far, for one of them."""
    sitters = await _sitters(store, match, head)
    if asker is None or asker not in {who.player for seat in sitters for who in seat}:
        raise AppError("match_not_found")
    players = tuple(
        PastPlayer(
            seat=seat,
            side=side_of(Seat(seat), len(sitters)),
            id=occupant.player,
            name=occupant.name,
            avatar=occupant.avatar,
            bot=occupant.bot,
            outcome=None,
            won=None,
            xp=None,
        )
        for seat, stints in enumerate(sitters)
        for occupant in ([who for who in stints if who.player is not None] or stints[:1])
    )
    return replace(match, players=players)


async def _sitters(store: Store, match: PastMatch, head: int) -> list[list[Occupant]]:
    """By seat: who began the running match there, and who took a bot's place since."""
    first = match.seq_from
    told = await store.public(match.table_id, first - 1, first, MatchStarted.TYPE)
    started = CODEC.decode(MatchStarted.TYPE, *told[0], None, None)
    if not isinstance(started, MatchStarted):
        raise TypeError("a match begins with its base")
    sitters = [[occupant] for occupant in started.seats]
    for v, public in await store.public(match.table_id, first, head, SeatTaken.TYPE):
        taken = CODEC.decode(SeatTaken.TYPE, v, public, None, None)
        if isinstance(taken, SeatTaken):
            sitters[taken.seat].append(taken.occupant)
    return sitters


def _public(type_: str, v: int, public: Json) -> dict[str, Any]:
    """A public part in today's shape."""
    encoded = CODEC.encode(CODEC.decode(type_, v, public, None, None))
    shape: dict[str, Any] = orjson.loads(encoded.public)
    return shape


async def ended(db: Database, match_id: UUID) -> PastMatch:
    """A match whose secrets may be read; AppError ``match_not_found``, ``match_running``."""
    match = await _found(db, match_id)
    if match.running:
        raise AppError("match_running")
    return match


async def records_of(db: Database, match: PastMatch, with_legal: bool = False) -> list[Record]:
    """A record for each deal of an ended match; AppError ``match_running`` for another."""
    if match.running or match.seq_to is None:
        raise AppError("match_running")
    started: MatchStarted | None = None
    events: list[GameEvent] = []
    async for event in _events(Store(db), match.table_id, match.seq_from - 1, match.seq_to):
        if isinstance(event, MatchStarted):
            started = event
        elif isinstance(event, GAME_EVENTS):
            events.append(event)  # type: ignore[arg-type]  # GAME_EVENTS are the union's members
    if started is None:
        raise LookupError(f"match {match.id} does not begin where its row says")
    return list(records(started.rules, started.match, events, with_legal))


async def _events(store: Store, table_id: int, after: int, head: int) -> AsyncIterator[Event]:
    async for logged in store.events(table_id, after, head):
        yield CODEC.decode(logged.row.type, logged.row.v, *logged.parts())
