"""Nobody plays in two places: who sits where, as the database guards it.

One row for each person with a seat, as long as it has the seat; it is *active* while the table
waits or plays, and a person has one active row (a unique index says so). A match that is over holds
nobody back. Rated tables also remember from which address a person came, as a hash, for as long as
the seat: two of one address must not play against each other.
"""

from collections.abc import Collection
from typing import Final
from uuid import UUID

from sqlalchemy import delete, select, text, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from app.belote.cards import side_of
from app.infra.errors import AppError
from app.tables import events as ev
from app.tables import table as tables
from app.tables.drafts import Draft
from app.tables.models import ONE_ACTIVE_SEAT, GameTable, Sitting
from app.tables.table import TableState


async def write(
    session: AsyncSession,
    table_id: int,
    before: TableState,
    after: TableState,
    draft: Draft,
) -> None:
    """The rows that follow from a batch. AppError ``busy_elsewhere`` if who asks would play in two
    places, ``somebody_elsewhere`` if another one would, ``same_address`` if a rated match would set
    two of one address against each other, or people are asked for one that would."""
    if any(isinstance(event, _promises(before)) for event in draft.events):
        await _require_free(session, table_id, after, draft)
    was, now = _seated(before), _seated(after)
    active = after.status in ("waiting", "playing")
    gone = was - now
    if gone:
        await session.execute(
            delete(Sitting).where(Sitting.table_id == table_id, Sitting.player_id.in_(gone))
        )
    if was - gone and active != (before.status in ("waiting", "playing")):
        come = now if active else now - was
        if not active:
            await _rest(session, table_id)
    else:
        come = now - was
    if come:
        await _sit(session, table_id, come, active=active)
    if not after.options.rated:
        return  # what is not needed is not kept
    if draft.by in come and draft.address is not None:
        await session.execute(
            update(Sitting)
            .where(Sitting.table_id == table_id, Sitting.player_id == draft.by)
            .values(address=draft.address)
        )
    if any(isinstance(event, _apart(after)) for event in draft.events):
        await _require_apart(session, table_id, after)


_APART: Final = (ev.MatchStarted, ev.ReadyAsked, ev.RematchOffered)
_PROMISES: Final = (ev.ReadyAsked, ev.ReadyAnswered, ev.RematchOffered, ev.RematchAnswered)


def looked_at(before: TableState, after: TableState) -> tuple[type[ev.TableEvent], ...]:
    """The events for which ``write`` looks at rows: what needs none takes the quick way (D13)."""
    return _promises(before) + _apart(after)


def _promises(before: TableState) -> tuple[type[ev.TableEvent], ...]:
    """Events by which somebody says that it would play again, after a match that holds nobody
    back."""
    return _PROMISES if before.status == "finished" else ()


def _apart(after: TableState) -> tuple[type[ev.TableEvent], ...]:
    """Events before which a rated table's people are looked at: nobody is asked for a match that
    could not begin. While they are asked all seats are taken, so nobody comes in between."""
    return _APART if after.options.rated else ()


async def _require_free(
    session: AsyncSession, table_id: int, table: TableState, draft: Draft
) -> None:
    """Who sits elsewhere can't promise another match, and is not drawn into one; each hears of
    what is its own to mend. Between this look and the commit the unique index stands guard."""
    elsewhere = select(Sitting.player_id).where(
        Sitting.player_id.in_(tables.persons(table)), Sitting.active, Sitting.table_id != table_id
    )
    found = set(await session.scalars(elsewhere))
    if draft.by in found and not _only_no(draft):
        raise AppError("busy_elsewhere")
    if found and any(isinstance(event, ev.MatchStarted) for event in draft.events):
        raise AppError("somebody_elsewhere")


def _only_no(draft: Draft) -> bool:
    answer = draft.events[-1]
    return isinstance(answer, ev.ReadyAnswered | ev.RematchAnswered) and not answer.yes


def _seated(table: TableState) -> set[UUID]:
    return set() if table.status == "closed" else set(tables.persons(table))


async def _rest(session: AsyncSession, table_id: int) -> None:
    await session.execute(
        update(Sitting).where(Sitting.table_id == table_id, Sitting.active).values(active=False)
    )


_SIT: Final = text("""
INSERT INTO sitting (table_id, player_id, active)
SELECT :table_id, id, :active FROM unnest(CAST(:players AS uuid[])) AS id ORDER BY id
ON CONFLICT (table_id, player_id) DO UPDATE SET active = excluded.active""")
"""In one order everywhere, so that nobody waits in a circle."""


async def _sit(
    session: AsyncSession, table_id: int, players: Collection[UUID], *, active: bool
) -> None:
    values = {"table_id": table_id, "players": list(players), "active": active}
    try:
        await session.execute(_SIT, values)
    except IntegrityError as error:
        if not _is_second_seat(error):
            raise
        raise AppError("busy_elsewhere") from error


def _is_second_seat(error: IntegrityError) -> bool:
    cause = None if error.orig is None else error.orig.__cause__
    return getattr(cause, "constraint_name", None) == ONE_ACTIVE_SEAT


async def _require_apart(session: AsyncSession, table_id: int, table: TableState) -> None:
    rows = await session.execute(
        select(Sitting.player_id, Sitting.address).where(
            Sitting.table_id == table_id, Sitting.address.is_not(None)
        )
    )
    sides: dict[bytes, set[int]] = {}
    for player, address in rows:
        seat = table.seat_of(player)
        if seat is not None and address is not None:
            sides.setdefault(address, set()).add(side_of(seat, len(table.seats)))
    if any(len(each) > 1 for each in sides.values()):
        raise AppError("same_address")


async def note_address(
    session: AsyncSession, code: str, player: UUID, address: bytes | None
) -> None:
    """Remember where a person at a rated table comes from (a hash), as long as it sits there."""
    table_id = select(GameTable.id).where(GameTable.code == code).scalar_subquery()
    await session.execute(
        update(Sitting)
        .where(Sitting.table_id == table_id, Sitting.player_id == player)
        .values(address=address)
    )


async def active_seat(session: AsyncSession, player: UUID) -> str | None:
    """The code of the table where the person waits or plays."""
    found: str | None = await session.scalar(
        select(GameTable.code)
        .join(Sitting, Sitting.table_id == GameTable.id)
        .where(Sitting.player_id == player, Sitting.active)
    )
    return found


async def busy(session: AsyncSession, players: Collection[UUID]) -> set[UUID]:
    """Those of the people who wait or play at some table."""
    found = select(Sitting.player_id).where(Sitting.player_id.in_(players), Sitting.active)
    return set(await session.scalars(found))
