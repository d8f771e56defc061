"""The SQL of players and sessions. Never commits."""

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.players.models import Player, Session


async def add(session: AsyncSession, player: Player, first: Session) -> None:
    """A new player with its first session."""
    session.add(player)
    await session.flush()
    session.add(first)
    await session.flush()


async def by_id(session: AsyncSession, player_id: UUID) -> Player | None:
    """The player with that id."""
    return await session.get(Player, player_id)


async def by_token(
    session: AsyncSession, token_hash: bytes, alive_after: datetime
) -> tuple[Player, datetime] | None:
    """The player whose session it is and when it was last seen; None if it is over."""
    row = (
        await session.execute(
            select(Player, Session.seen_at)
            .join(Session, Session.player_id == Player.id)
            .where(Session.token_hash == token_hash, Session.seen_at > alive_after)
        )
    ).first()
    return None if row is None else (row[0], row[1])


async def touch(session: AsyncSession, token_hash: bytes, now: datetime) -> None:
    """Note that a session was used."""
    await session.execute(
        update(Session).where(Session.token_hash == token_hash).values(seen_at=now)
    )


async def alive(
    session: AsyncSession, token_hashes: Collection[bytes], alive_after: datetime
) -> set[bytes]:
    """Those of the sessions that are not over."""
    found = select(Session.token_hash).where(
        Session.token_hash.in_(token_hashes), Session.seen_at > alive_after
    )
    return set(await session.scalars(found))


async def end_session(session: AsyncSession, token_hash: bytes) -> None:
    """Forget one session."""
    await session.execute(delete(Session).where(Session.token_hash == token_hash))


async def end_sessions(session: AsyncSession, player_id: UUID) -> None:
    """Forget all sessions of a player."""
    await session.execute(delete(Session).where(Session.player_id == player_id))
