"""Players for tests that need rows of them."""

from datetime import UTC, datetime
from uuid import UUID

from app.infra.db import Database
from app.players.models import Player

NOON = datetime(2026, 3, 14, 12, tzinfo=UTC)


async def people(database: Database, count: int) -> list[UUID]:
    """That many players, their ids in order."""
    ids = [UUID(int=n + 1) for n in range(count)]
    async with database.unit_of_work() as session:
        session.add_all(
            Player(
                id=player, name=f"Player {n}", avatar="qh", locale=None, guest=True, created_at=NOON
            )
            for n, player in enumerate(ids)
        )
    return ids
