"""The SQL of tickets. Never commits; the database's clock alone tells how long somebody waits."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, and_, delete, func, or_, select, text, update
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.ext.asyncio import AsyncSession

from app.lobby.matching import Ticket, Wish
from app.lobby.models import TicketRow
from app.players.models import PlayerRef

_NOW = func.clock_timestamp()


@dataclass(frozen=True, slots=True)
class Answered:
    """A ticket that has its seat."""

    player: UUID
    conn: UUID
    code: str
    seat: int


def _of(wish: Wish) -> ColumnElement[bool]:
    return and_(
        TicketRow.preset == wish.preset,
        TicketRow.target == wish.target,
        TicketRow.speed == wish.speed,
        TicketRow.rated == wish.rated,
    )


def _in(ms: int) -> ColumnElement[Any]:
    return _NOW + timedelta(milliseconds=ms)


async def enter(
    session: AsyncSession, wish: Wish, ticket: Ticket, conn: UUID, owner: UUID, life_ms: int
) -> bool:
    """Queue a person, in place of an older ticket of its; False if that one has just got a seat."""
    player = ticket.player
    values = {
        "conn": conn,
        "owner": owner,
        "preset": wish.preset,
        "target": wish.target,
        "speed": wish.speed,
        "rated": wish.rated,
        "rating": ticket.rating,
        "name": player.name,
        "avatar": player.avatar,
        "level": player.level,
        "party": ticket.party,
        "address": ticket.address,
        "wait_ms": ticket.wait_ms,
        "patient": ticket.patient,
        "alive_until": _in(life_ms),
        "code": None,
        "seat": None,
    }
    dead = TicketRow.alive_until < _NOW  # answered, but its process is gone: nobody fetches it
    done = await session.execute(
        upsert(TicketRow)
        .values(player_id=player.id, **values)
        .on_conflict_do_update(
            index_elements=["player_id"],
            set_={**values, "queued_at": _NOW},
            where=or_(TicketRow.code.is_(None), dead),
        )
        .returning(TicketRow.player_id)
    )
    return done.first() is not None


async def alone_with(session: AsyncSession, wish: Wish) -> bool:
    """Be the only one to match tickets of a wish until the transaction ends; False if somebody
    else does. Without it two processes could each see half of those who wait."""
    key = f"ticket {wish.preset} {wish.target} {wish.speed} {wish.rated}"
    got = await session.scalar(
        select(func.pg_try_advisory_xact_lock(func.hashtextextended(key, 0)))
    )
    return bool(got)


async def take(session: AsyncSession, wish: Wish, most: int) -> list[Ticket]:
    """Those who wait with a wish, the eldest first, locked; who is just leaving is left out."""
    waited = func.extract("epoch", _NOW - TicketRow.queued_at) * 1000
    rows = await session.execute(
        select(TicketRow, waited)
        .where(_of(wish), TicketRow.code.is_(None), TicketRow.alive_until > _NOW)
        .order_by(TicketRow.queued_at, TicketRow.player_id)
        .limit(most)
        .with_for_update(skip_locked=True)
    )
    return [_ticket(row, int(ms)) for row, ms in rows]


def _ticket(row: TicketRow, waited_ms: int) -> Ticket:
    return Ticket(
        PlayerRef(row.player_id, row.name, row.avatar, row.level),
        row.rating,
        waited_ms,
        row.wait_ms,
        row.patient,
        row.party,
        row.address,
    )


async def answer(session: AsyncSession, code: str, seats: Mapping[UUID, int]) -> None:
    """Tell tickets where their people sit."""
    for player in sorted(seats):
        await session.execute(
            update(TicketRow)
            .where(TicketRow.player_id == player)
            .values(code=code, seat=seats[player])
        )


async def fetch(session: AsyncSession, owner: UUID) -> list[Answered]:
    """The answered tickets of a process, which are over with that."""
    rows = await session.execute(
        delete(TicketRow)
        .where(TicketRow.owner == owner, TicketRow.code.is_not(None))
        .returning(TicketRow.player_id, TicketRow.conn, TicketRow.code, TicketRow.seat)
    )
    return [Answered(player, conn, code or "", seat or 0) for player, conn, code, seat in rows]


async def fetch_one(session: AsyncSession, player: UUID) -> Answered | None:
    """The answer to a person's ticket, which is over with that."""
    rows = await session.execute(
        delete(TicketRow)
        .where(TicketRow.player_id == player, TicketRow.code.is_not(None))
        .returning(TicketRow.player_id, TicketRow.conn, TicketRow.code, TicketRow.seat)
    )
    found = [Answered(who, conn, code or "", seat or 0) for who, conn, code, seat in rows]
    return found[0] if found else None


async def drop(session: AsyncSession, player: UUID, conn: UUID) -> Answered | None:
    """End the ticket of a connection; its answer if it has just got one."""
    rows = await session.execute(
        delete(TicketRow)
        .where(TicketRow.player_id == player, TicketRow.conn == conn)
        .returning(TicketRow.code, TicketRow.seat)
    )
    for code, seat in rows:
        if code is not None:
            return Answered(player, conn, code, seat or 0)
    return None


async def drop_people(session: AsyncSession, players: Collection[UUID]) -> None:
    """End tickets; their owners find out and say why."""
    await session.execute(
        delete(TicketRow).where(TicketRow.player_id.in_(players), TicketRow.code.is_(None))
    )


async def drop_party(session: AsyncSession, party: str) -> None:
    """End the tickets of a party that is over."""
    await session.execute(
        delete(TicketRow).where(TicketRow.party == party, TicketRow.code.is_(None))
    )


async def beat(session: AsyncSession, owner: UUID, life_ms: int) -> set[UUID]:
    """Keep the tickets of a process alive; all that there are, by connection. What other processes
    left behind is dead; a process that was slow itself does not bury its own."""
    await session.execute(
        delete(TicketRow).where(TicketRow.owner != owner, TicketRow.alive_until < _in(-life_ms))
    )
    rows = await session.execute(
        update(TicketRow)
        .where(TicketRow.owner == owner)
        .values(alive_until=_in(life_ms))
        .returning(TicketRow.conn)
    )
    return set(rows.scalars())


async def drop_conns(session: AsyncSession, owner: UUID, conns: Collection[UUID]) -> None:
    """End tickets of a process that no longer belong to anybody."""
    await session.execute(
        delete(TicketRow).where(TicketRow.owner == owner, TicketRow.conn.in_(conns))
    )


async def drop_all(session: AsyncSession, owner: UUID) -> None:
    """End the tickets of a process."""
    await session.execute(delete(TicketRow).where(TicketRow.owner == owner))


async def counts(session: AsyncSession) -> dict[Wish, int]:
    """How many people wait, by wish."""
    rows = await session.execute(
        select(TicketRow.preset, TicketRow.target, TicketRow.speed, TicketRow.rated, func.count())
        .where(TicketRow.code.is_(None), TicketRow.alive_until > _NOW)
        .group_by(text("1, 2, 3, 4"))
    )
    return {
        Wish(preset, target, speed, rated): count  # type: ignore[arg-type]  # we wrote the speed
        for preset, target, speed, rated, count in rows
    }


async def wish_of_party(
    session: AsyncSession, party: str, but: UUID
) -> tuple[Wish, int, bool] | None:
    """What a member's partner has asked for already: the wish, how long it waits, if patiently."""
    row = await session.scalar(
        select(TicketRow).where(
            TicketRow.party == party,
            TicketRow.player_id != but,
            TicketRow.code.is_(None),
            TicketRow.alive_until > _NOW,
        )
    )
    if row is None:
        return None
    wish = Wish(row.preset, row.target, row.speed, row.rated)  # type: ignore[arg-type]
    return wish, row.wait_ms, row.patient


async def whole_parties(session: AsyncSession) -> set[str]:
    """The parties of which both members wait."""
    rows = await session.scalars(
        select(TicketRow.party)
        .where(TicketRow.party.is_not(None), TicketRow.code.is_(None), TicketRow.alive_until > _NOW)
        .group_by(TicketRow.party)
        .having(func.count() == 2)
    )
    return {party for party in rows if party is not None}
