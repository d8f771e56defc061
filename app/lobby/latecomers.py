"""A bot's seat at a running table, for whoever looks for a game (architecture, *Events*)."""

from collections.abc import Sequence
from typing import Final

from app.infra import metrics
from app.infra.db import Database
from app.infra.errors import AppError
from app.lobby.matching import Wish
from app.lobby.places import Place
from app.lobby.repository import late_tables
from app.lobby.rules import rules_for
from app.players.models import PlayerRef
from app.tables.service import Tables

MOST: Final = 5
"""Tables that are offered at a time."""

TAKEN = metrics.counter("rebelote_latecomers_total", "Bots' seats that tickets have taken.")

_NOT_HERE: Final = frozenset(
    {
        "already_seated", "busy_elsewhere", "conflict", "match_left", "seat_taken", "sent_away",
        "table_closed", "table_full", "table_not_found", "wrong_status",
    }
)  # fmt: skip
"""Refusals that mean: the next table."""


class Latecomers:
    """Between two deals of a casual match, a person may sit down in a bot's place."""

    def __init__(self, db: Database, tables: Tables) -> None:
        self._db = db
        self._tables = tables

    async def tables(self, wish: Wish) -> list[str]:
        """Casual tables of a wish that stand between two deals, with a bot's seat."""
        if wish.rated:
            return []
        rules = rules_for(wish.preset, wish.target)
        async with self._db.unit_of_work() as session:
            return await late_tables(session, rules, wish.preset, wish.speed, MOST)

    async def seat(self, place: Place, codes: Sequence[str]) -> bool:
        """Sit down at one of these tables where so much is still to be played that the match can
        count in full (rules.md §7). Partners are not torn apart. True when seated, and told so."""
        for code in codes if place.party is None else ():
            seat = await self._try(code, place.player)
            if seat is not None:
                TAKEN.add()
                place.matched(code, seat)
                return True
        return False

    async def _try(self, code: str, player: PlayerRef) -> int | None:
        try:
            game = (await self._tables.snapshot(code, None)).state.game
            if game is None or 2 * max(game.totals) > game.rules.target:
                return None
            return await self._tables.join(code, player, None)
        except AppError as error:
            if error.code in _NOT_HERE:
                return None
            raise
