"""Parties: two who stay partners, found by a code as tables are."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final
from uuid import UUID

from sqlalchemy import delete, func, select
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from app.infra.db import Database
from app.infra.errors import AppError
from app.infra.ids import new_table_code
from app.infra.rng import Rng
from app.lobby import tickets
from app.lobby.models import Party, PartyMember, TicketRow
from app.players.models import Player

CODE_TRIES: Final = 8
PLACES: Final = 2


@dataclass(frozen=True, slots=True)
class Member:
    """A member as its partner sees it. ``queued``: it looks for a game now."""

    player: UUID
    name: str
    avatar: str
    queued: bool


@dataclass(frozen=True, slots=True)
class PartyOf:
    """A party with its members, whoever made it first."""

    code: str
    members: tuple[Member, ...]


class Parties:
    """The service; one a process."""

    def __init__(self, db: Database, rng: Rng) -> None:
        self._db = db
        self._rng = rng

    async def open(self, player: UUID) -> PartyOf:
        """A new party; the player leaves the one it was in."""
        for _ in range(CODE_TRIES):
            code = new_table_code(self._rng)
            async with self._db.unit_of_work() as session:
                await _leave(session, player)
                made = await session.execute(
                    upsert(Party).values(code=code).on_conflict_do_nothing().returning(Party.code)
                )
                if made.first() is not None:
                    await _sit(session, code, 0, player)
                    return await _party(session, code)
        raise AppError("internal", message="No free code was found.")

    async def find(self, code: str) -> PartyOf:
        """The party with this code; AppError ``party_not_found``."""
        async with self._db.unit_of_work() as session:
            return await _party(session, code)

    async def own(self, player: UUID) -> PartyOf | None:
        """The player's party."""
        async with self._db.unit_of_work() as session:
            code = await _code_of(session, player)
            return None if code is None else await _party(session, code)

    async def join(self, code: str, player: UUID) -> PartyOf:
        """Become the second member, leaving another party; to join twice changes nothing.

        AppError ``party_not_found``, ``party_full``.
        """
        async with self._db.unit_of_work() as session:
            await _lock(session, code, await _code_of(session, player))
            found = await _party(session, code)
            if any(member.player == player for member in found.members):
                return found
            if len(found.members) >= PLACES:
                raise AppError("party_full")
            await _leave(session, player)
            taken = await session.scalars(select(PartyMember.place).where(PartyMember.code == code))
            await _sit(session, code, 1 if 0 in set(taken) else 0, player)
            return await _party(session, code)

    async def leave(self, player: UUID) -> None:
        """Leave one's party; its tickets are over. Nothing happens without one."""
        async with self._db.unit_of_work() as session:
            await _leave(session, player)


async def whole_party_of(session: AsyncSession, player: UUID) -> str:
    """The code of the player's party; AppError ``party_incomplete`` if it has no partner."""
    code = await _code_of(session, player)
    if code is None or len((await _party(session, code)).members) < PLACES:
        raise AppError("party_incomplete")
    return code


async def hold(session: AsyncSession, party: str) -> None:
    """Keep a party as it is until the transaction ends; AppError ``party_incomplete`` if it is no
    longer whole."""
    await _lock(session, party)
    count = select(func.count()).select_from(PartyMember).where(PartyMember.code == party)
    if await session.scalar(count) != PLACES:
        raise AppError("party_incomplete")


async def forget_old(session: AsyncSession, life_ms: int) -> None:
    """End parties that are older than anybody's evening; those that are just being touched stay
    for another time. Locked before their members, as everywhere."""
    found = await session.scalars(
        select(Party.code)
        .where(Party.created_at < func.clock_timestamp() - timedelta(milliseconds=life_ms))
        .with_for_update(skip_locked=True)
    )
    old = found.all()
    await session.execute(delete(PartyMember).where(PartyMember.code.in_(old)))
    await session.execute(delete(Party).where(Party.code.in_(old)))


async def _code_of(session: AsyncSession, player: UUID) -> str | None:
    code: str | None = await session.scalar(
        select(PartyMember.code).where(PartyMember.player_id == player)
    )
    return code


async def _lock(session: AsyncSession, *codes: str | None) -> None:
    """Lock parties, before the tickets of their members and in one order everywhere, so that nobody
    waits in a circle."""
    known = [code for code in codes if code is not None]
    await session.execute(
        select(Party.code).where(Party.code.in_(known)).order_by(Party.code).with_for_update()
    )


async def _party(session: AsyncSession, code: str) -> PartyOf:
    if await session.scalar(select(Party.code).where(Party.code == code)) is None:
        raise AppError("party_not_found")
    rows = await session.execute(
        select(PartyMember.player_id, Player.name, Player.avatar, TicketRow.party)
        .join(Player, Player.id == PartyMember.player_id)
        .outerjoin(TicketRow, TicketRow.player_id == PartyMember.player_id)
        .where(PartyMember.code == code)
        .order_by(PartyMember.place)
    )
    return PartyOf(
        code, tuple(Member(player, name, avatar, in_ == code) for player, name, avatar, in_ in rows)
    )


async def _sit(session: AsyncSession, code: str, place: int, player: UUID) -> None:
    try:
        await session.execute(upsert(PartyMember).values(code=code, place=place, player_id=player))
    except IntegrityError as error:  # the same person elsewhere, or somebody here, a moment before
        raise AppError("conflict") from error


async def _leave(session: AsyncSession, player: UUID) -> None:
    """Take a person out of its party, which is locked before its members are touched."""
    code = await _code_of(session, player)
    if code is None:
        return
    await _lock(session, code)
    await session.execute(delete(PartyMember).where(PartyMember.player_id == player))
    await tickets.drop_party(session, code)
    left = await session.scalar(
        select(func.count()).select_from(PartyMember).where(PartyMember.code == code)
    )
    if not left:
        await session.execute(delete(Party).where(Party.code == code))
