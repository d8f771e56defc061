"""The rows beside the log, written in the transaction of the batch that they follow from.

Which rows a batch needs is read off its events and the table before and after; nothing here
commits. Lock order: game_table first (the append has it), then players' rows by id.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import delete, func, insert, update
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.ext.asyncio import AsyncSession

from app.belote.cards import Seat, side_of
from app.belote.events import Event, MatchEnded
from app.belote.notation import rules_record
from app.infra.config import Timing
from app.progress import service as progress
from app.progress.service import PlayerTally
from app.tables import events as ev
from app.tables import table as tables
from app.tables.codec import record
from app.tables.events import Options
from app.tables.models import GameTable, Match, MatchPlayer, TableSeat
from app.tables.table import MatchMeta, TableState

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


def needs_rows(events: Sequence[Event]) -> bool:
    """Whether a batch brings rows along; else it takes the group path (rule 4)."""
    return any(
        isinstance(event, _WITH_ROWS)
        or (isinstance(event, ev.SeatToBot) and event.reason == "left")
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
    events: Sequence[Event],
    now: datetime,
    timing: Timing,
) -> None:
    """All rows that follow from a batch whose last event has the number ``after.seq``."""
    await _write_table(session, table_id, after, events, timing)
    await _write_seats(session, table_id, before, after)
    for number, event in enumerate(events, after.seq - len(events) + 1):
        if isinstance(event, ev.MatchStarted):
            await _match_started(session, table_id, event, number, now)
        elif isinstance(event, MatchEnded) and after.match is not None:
            await _match_ended(session, after.match, event, number, now)


async def _write_table(
    session: AsyncSession,
    table_id: int,
    after: TableState,
    events: Sequence[Event],
    timing: Timing,
) -> None:
    values: dict[str, Any] = {"status": after.status, "host": after.host}
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
    await session.execute(update(GameTable).where(GameTable.id == table_id).values(**values))


async def _write_seats(
    session: AsyncSession, table_id: int, before: TableState, after: TableState
) -> None:
    for seat, (old, new) in enumerate(zip(before.seats, after.seats, strict=True)):
        if (old.kind, old.player, old.name, old.bot) == (new.kind, new.player, new.name, new.bot):
            continue
        if new.kind == "free":
            await session.execute(
                delete(TableSeat).where(TableSeat.table_id == table_id, TableSeat.seat == seat)
            )
            continue
        values = {
            "kind": new.kind,
            "player_id": new.player,
            "name": new.name,
            "avatar": new.avatar,
            "level": new.level,
            "bot": new.bot if new.kind == "bot" else None,
        }
        await session.execute(
            upsert(TableSeat)
            .values(table_id=table_id, seat=seat, **values)
            .on_conflict_do_update(index_elements=["table_id", "seat"], set_=values)
        )


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
            started_at=now,
            seq_from=seq,
        )
    )


async def _match_ended(
    session: AsyncSession, meta: MatchMeta, event: MatchEnded, seq: int, now: datetime
) -> None:
    """The match's row, its players, and their experience: once, since the batch is (D3)."""
    match_id = UUID(meta.id)
    await session.execute(
        update(Match)
        .where(Match.id == match_id)
        .values(
            ended_at=now,
            reason=event.reason,
            winner=event.winner,
            totals=list(event.totals),
            deals=event.deals,
            seq_to=seq,
        )
    )
    rows = [_player_row(meta, event, Seat(seat)) for seat in range(len(meta.players))]
    points = await _award(session, match_id, rows, now)
    await session.execute(
        insert(MatchPlayer),
        [row | {"match_id": match_id, "xp": points.get(row["player_id"], 0)} for row in rows],
    )


def _player_row(meta: MatchMeta, event: MatchEnded, seat: Seat) -> dict[str, Any]:
    who, players = meta.players[seat], len(meta.players)
    outcome = "abandoned" if event.reason == "abandoned" else "finished"
    if meta.left[seat]:
        outcome = "quit"
    won: bool | None = None
    if outcome == "finished":
        won = side_of(seat, players) == event.winner
    elif outcome == "quit":
        won = False
    return {
        "seat": seat,
        "side": side_of(seat, players),
        "player_id": who.player,
        "name": who.name,
        "avatar": who.avatar,
        "bot": who.bot,
        "outcome": outcome,
        "won": won,
        "deals_won": meta.tally.deals_of(seat),
        "own_tricks": meta.tally.own_tricks[seat],
    }


async def _award(
    session: AsyncSession, match_id: UUID, rows: Sequence[dict[str, Any]], now: datetime
) -> dict[UUID | None, int]:
    """Experience for the people who stayed to the end of a match that had one."""
    people = [row for row in rows if row["player_id"] is not None]
    stayed = [
        PlayerTally(row["player_id"], bool(row["won"]), row["deals_won"], row["own_tricks"])
        for row in people
        if row["outcome"] == "finished"
    ]
    if not stayed:
        return {}
    lines = await progress.award(
        session, match_id=match_id, ended_at=now, players=stayed, bots_alone=len(people) == 1
    )
    return {player: sum(line.points for line in given) for player, given in lines.items()}
