"""The rows beside the log, written in the transaction of the batch that they follow from.

Which rows a batch needs is read off its events and the table before and after; nothing here
commits. Lock order: game_table first (the append has it), then players' rows by id. Each kind of
row is one statement, whoever sits there: the last card of a match waits for them all (D21).
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import delete, func, insert, text, update
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.ext.asyncio import AsyncSession

from app.belote.cards import Seat, side_of
from app.belote.events import Event, MatchEnded
from app.belote.notation import rules_record
from app.infra.config import Timing
from app.infra.db import as_rows
from app.progress import service as progress
from app.progress.service import PlayerTally
from app.tables import events as ev
from app.tables import sitting
from app.tables import table as tables
from app.tables.codec import record
from app.tables.drafts import Draft
from app.tables.events import Options
from app.tables.match import MatchMeta, Outcome, Stint
from app.tables.models import GameTable, Match, TableSeat
from app.tables.table import Chair, TableState

_WITH_ROWS: Final = (
    ev.Opened,
    ev.SeatTaken,
    ev.SeatLeft,
    ev.HostChanged,
    ev.OptionsSet,
    ev.MatchStarted,
    ev.Paused,
    ev.Resumed,
    ev.Closed,
    MatchEnded,
)


def needs_rows(before: TableState, after: TableState, events: Sequence[Event]) -> bool:
    """Whether a batch brings rows along or looks at some; else it takes the group path (rule 4)."""
    kinds = _WITH_ROWS + sitting.looked_at(before, after)
    return any(
        isinstance(event, kinds) or (isinstance(event, ev.SeatToBot) and event.reason == "left")
        for event in events
    )


async def open_table(
    session: AsyncSession, code: str, host: UUID | None, options: Options, idle_ms: int
) -> int | None:
    """A row for a new table, with nobody there yet; None if the code is in use."""
    statement = (
        upsert(GameTable)
        .values(
            code=code,
            status="waiting",
            host=host,
            idle_since=func.clock_timestamp(),
            idle_limit_ms=idle_ms,
            **_option_columns(options),
        )
        .on_conflict_do_nothing(index_elements=["code"])
        .returning(GameTable.id)
    )
    table_id: int | None = (await session.execute(statement)).scalar_one_or_none()
    return table_id


def _option_columns(options: Options) -> dict[str, Any]:
    return {
        "preset": options.preset,
        "visibility": options.visibility,
        "options": record(options),
    }


async def write(
    session: AsyncSession,
    table_id: int,
    before: TableState,
    after: TableState,
    draft: Draft,
    now: datetime,
    timing: Timing,
) -> None:
    """All rows that follow from a batch whose last event has the number ``after.seq``."""
    events = draft.events
    await _write_table(session, table_id, before, after, events, timing)
    await _write_seats(session, table_id, before, after)
    await sitting.write(session, table_id, before, after, draft)
    for number, event in enumerate(events, after.seq - len(events) + 1):
        if isinstance(event, ev.MatchStarted):
            await _match_started(session, table_id, event, number, now)
        elif isinstance(event, MatchEnded) and after.match is not None:
            await _match_ended(session, after, after.match, event, number, now)
        elif isinstance(event, ev.SeatToBot) and before.match and before.options.rated:
            await _note_quit(session, before, before.match, event, now)


async def _write_table(
    session: AsyncSession,
    table_id: int,
    before: TableState,
    after: TableState,
    events: Sequence[Event],
    timing: Timing,
) -> None:
    values: dict[str, Any] = {}
    if after.status != before.status:
        values["status"] = after.status
    if after.host != before.host:
        values["host"] = after.host
    for number, event in enumerate(events, after.seq - len(events) + 1):
        match event:
            case ev.MatchStarted():
                values |= {"base_seq": number, "idle_since": None, "idle_limit_ms": None}
            case ev.OptionsSet():
                values |= _option_columns(event.options)
            case ev.Paused():
                values["idle_since"] = func.clock_timestamp()
                alone = tables.alone(after)
                values["idle_limit_ms"] = timing.alone_keep if alone else timing.abandon
            case ev.Resumed() | ev.Closed():
                values |= {"idle_since": None, "idle_limit_ms": None}
            case _:
                pass
    if values:
        await session.execute(update(GameTable).where(GameTable.id == table_id).values(**values))


_TAKE_SEATS: Final = text("""
INSERT INTO table_seat (table_id, seat, kind, player_id, name, avatar, level, bot)
SELECT :table_id, seat, kind, player_id, name, avatar, level, bot
FROM jsonb_populate_recordset(CAST(NULL AS table_seat), CAST(:rows AS jsonb))
ON CONFLICT (table_id, seat) DO UPDATE SET kind = excluded.kind, player_id = excluded.player_id,
  name = excluded.name, avatar = excluded.avatar, level = excluded.level, bot = excluded.bot""")


async def _write_seats(
    session: AsyncSession, table_id: int, before: TableState, after: TableState
) -> None:
    freed, taken = [], []
    for seat, (old, new) in enumerate(zip(before.seats, after.seats, strict=True)):
        if (old.kind, old.player, old.name, old.bot) == (new.kind, new.player, new.name, new.bot):
            continue
        if new.kind == "free":
            freed.append(seat)
        else:
            taken.append(_seat_row(seat, new))
    if freed:
        await session.execute(
            delete(TableSeat).where(TableSeat.table_id == table_id, TableSeat.seat.in_(freed))
        )
    if taken:
        await session.execute(_TAKE_SEATS, {"table_id": table_id, "rows": as_rows(taken)})


def _seat_row(seat: int, chair: Chair) -> dict[str, Any]:
    return {
        "seat": seat,
        "kind": chair.kind,
        "player_id": chair.player,
        "name": chair.name,
        "avatar": chair.avatar,
        "level": chair.level,
        "bot": chair.bot if chair.kind == "bot" else None,
    }


async def _match_started(
    session: AsyncSession, table_id: int, event: ev.MatchStarted, seq: int, now: datetime
) -> None:
    await session.execute(
        insert(Match).values(
            id=UUID(event.match),
            table_id=table_id,
            number=event.number,
            preset=event.options.preset,
            target=event.rules.target,
            rules=rules_record(event.rules),
            rated=event.options.rated,
            started_at=now,
            seq_from=seq,
        )
    )


async def _note_quit(
    session: AsyncSession,
    before: TableState,
    meta: MatchMeta,
    event: ev.SeatToBot,
    now: datetime,
) -> None:
    """Who leaves a rated match for good has that noted at once."""
    player = before.seats[event.seat].player
    if event.reason == "left" and player is not None:
        await _note_conduct(session, UUID(meta.id), [(player, "quit")], now)


_ENDED: Final = text("""
WITH ended AS (
  UPDATE match SET ended_at = :now, reason = :reason, winner = :winner, totals = :totals,
    deals = :deals, seq_to = :seq WHERE id = :match_id)
INSERT INTO match_player (match_id, seat, stint, side, player_id, name, avatar, bot, outcome, won,
  deals_won, own_tricks, xp, from_deal, spared)
SELECT :match_id, seat, stint, side, player_id, name, avatar, bot, outcome, won,
  deals_won, own_tricks, xp, from_deal, spared
FROM jsonb_populate_recordset(CAST(NULL AS match_player), CAST(:rows AS jsonb))""")


async def _match_ended(
    session: AsyncSession,
    after: TableState,
    meta: MatchMeta,
    event: MatchEnded,
    seq: int,
    now: datetime,
) -> None:
    """The match's row, its players, and their experience: once, since the batch is (D3)."""
    points = await _award(session, meta, event, now)
    rows = [
        _player_row(meta, event, stint, number, points.get(stint.who.player, 0))
        for seat in range(meta.seats)
        for number, stint in _listed(meta.of_seat(Seat(seat)))
    ]
    match_id = UUID(meta.id)
    values = {
        "match_id": match_id,
        "now": now,
        "reason": event.reason,
        "winner": event.winner,
        "totals": list(event.totals),
        "deals": event.deals,
        "seq": seq,
        "rows": as_rows(rows),
    }
    await session.execute(_ENDED, values)
    if after.options.rated:
        outcomes = [(stint.who.player, _conduct(after, event, stint)) for stint in meta.people()]
        await _note_conduct(session, match_id, outcomes, now)


def _listed(stints: list[Stint]) -> list[tuple[int, Stint]]:
    """The stints of a seat that get a row: those of people; a bot's where no person ever sat."""
    numbered = list(enumerate(stints))
    return [(n, stint) for n, stint in numbered if stint.who.player is not None] or numbered[:1]


def _player_row(
    meta: MatchMeta, event: MatchEnded, stint: Stint, number: int, xp: int
) -> dict[str, Any]:
    who, side = stint.who, side_of(stint.seat, meta.seats)
    outcome = "abandoned" if event.reason == "abandoned" else "finished"
    if stint.left:
        outcome = "quit"
    won: bool | None = None
    if outcome == "finished":
        won = side == event.winner
    elif outcome == "quit":
        won = False
    deals_won, own_tricks = meta.won_by(stint)
    return {
        "seat": stint.seat,
        "stint": number,
        "side": side,
        "player_id": who.player,
        "name": who.name,
        "avatar": who.avatar,
        "bot": who.bot,
        "outcome": outcome,
        "won": won,
        "deals_won": deals_won,
        "own_tricks": own_tricks,
        "xp": xp,
        "from_deal": stint.deals,
        "spared": outcome == "finished" and not won and _partner_left(meta, stint.seat),
    }


def _partner_left(meta: MatchMeta, seat: Seat) -> bool:
    """Whether a partner has left for good: who was let down loses no rating."""
    return meta.seats == 4 and any(each.left for each in meta.of_seat(Seat((seat + 2) % 4)))


async def _award(
    session: AsyncSession, meta: MatchMeta, event: MatchEnded, now: datetime
) -> dict[UUID | None, int]:
    """Experience for the people who stayed to the end of a match that had one."""
    if event.reason == "abandoned":
        return {}
    people = list(meta.people())
    stayed = []
    for stint in people:
        if stint.left or stint.who.player is None:
            continue
        won = side_of(stint.seat, meta.seats) == event.winner
        half = meta.half_played(stint, event.deals)
        stayed.append(PlayerTally(stint.who.player, won, *meta.won_by(stint), end_points=half))
    if not stayed:
        return {}
    alone = len({stint.who.player for stint in people}) == 1
    lines = await progress.award(
        session, match_id=UUID(meta.id), ended_at=now, players=stayed, bots_alone=alone
    )
    return {player: sum(line.points for line in given) for player, given in lines.items()}


def _conduct(after: TableState, event: MatchEnded, stint: Stint) -> Outcome:
    if stint.left:
        return "quit"
    if event.reason == "abandoned":
        return "abandoned"
    return "absent" if after.seats[stint.seat].sitting_in else "finished"


_NOTE_CONDUCT: Final = text("""
INSERT INTO conduct (player_id, match_id, outcome, at)
SELECT player_id, :match_id, outcome, :at
FROM jsonb_populate_recordset(CAST(NULL AS conduct), CAST(:rows AS jsonb)) ORDER BY player_id
ON CONFLICT (player_id, match_id) DO NOTHING""")


async def _note_conduct(
    session: AsyncSession,
    match_id: UUID,
    outcomes: Sequence[tuple[UUID | None, Outcome]],
    now: datetime,
) -> None:
    """One outcome a person and rated match; who left had its own noted when it did."""
    rows = [{"player_id": player, "outcome": outcome} for player, outcome in outcomes]
    noted = {"match_id": match_id, "at": now, "rows": as_rows(rows)}
    await session.execute(_NOTE_CONDUCT, noted)
