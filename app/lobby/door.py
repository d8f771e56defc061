"""Who has a code may come in; who guesses codes may not go on guessing.

A code that does not exist counts as a miss, by player and by address. After too many of them only
what is no secret is told: public tables, and those (and the party) where one sits. Whether the code
of another one exists is then not told either.
"""

from uuid import UUID

from sqlalchemy import Select, or_, select

from app.infra.db import Database
from app.infra.errors import AppError
from app.lobby.models import Party, PartyMember
from app.players.bounds import Bounds
from app.players.limiter import address_key
from app.tables.models import GameTable, Sitting


class Door:
    """One a process."""

    def __init__(self, db: Database, bounds: Bounds) -> None:
        self._db = db
        self._bounds = bounds

    async def table(self, code: str, player: UUID | None, host: str | None) -> None:
        """AppError ``table_not_found``, or ``too_many_requests`` for who has guessed too often."""
        sits = select(Sitting).where(Sitting.table_id == GameTable.id, Sitting.player_id == player)
        known = select(GameTable.id).where(GameTable.code == code)
        no_secret = known.where(or_(GameTable.visibility == "public", sits.exists()))
        await self._admit("table_not_found", known, no_secret, player, host)

    async def party(self, code: str, player: UUID, host: str | None) -> None:
        """AppError ``party_not_found``, or ``too_many_requests``."""
        member = select(PartyMember).where(
            PartyMember.code == Party.code, PartyMember.player_id == player
        )
        known = select(Party.code).where(Party.code == code)
        await self._admit("party_not_found", known, known.where(member.exists()), player, host)

    async def _admit(
        self,
        missing: str,
        known: Select[int] | Select[str],
        no_secret: Select[int] | Select[str],
        player: UUID | None,
        host: str | None,
    ) -> None:
        address = address_key(host)
        refusal = self._bounds.guessing(player, address)
        async with self._db.unit_of_work() as session:
            if await session.scalar(known if refusal is None else no_secret) is not None:
                return
        if refusal is not None:
            raise refusal
        self._bounds.code_missed(player, address)
        raise AppError(missing)
