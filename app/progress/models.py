"""The rows of progress: one sum a player, and the ledger that it is the sum of."""

from datetime import date, datetime
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    DateTime,
    ForeignKey,
    Identity,
    Index,
    UniqueConstraint,
    desc,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from app.infra.db import Base


class Progress(Base):
    """What a player has gathered. Always the sum of the player's ledger rows, kept for ranking.

    ``matches`` and ``won`` count matches played to their end. ``bot_xp`` is what matches against
    bots alone have given on the day ``bot_xp_day`` (UTC); rules.md §7 limits it.
    """

    __tablename__ = "progress"
    __table_args__ = (Index("ix_progress_ranking", desc("xp"), "player_id"),)

    player_id: Mapped[UUID] = mapped_column(
        ForeignKey("player.id", ondelete="CASCADE"), primary_key=True
    )
    xp: Mapped[int] = mapped_column(server_default=text("0"))
    matches: Mapped[int] = mapped_column(server_default=text("0"))
    won: Mapped[int] = mapped_column(server_default=text("0"))
    bot_xp_day: Mapped[date | None]
    bot_xp: Mapped[int] = mapped_column(server_default=text("0"))


class XpEntry(Base):
    """One line of experience. ``count`` is how many times the reason applied; ``points`` may be
    fewer than it is worth when the day's limit for matches against bots was reached.

    No foreign key to the match: the ledger is written in the transaction that ends it.
    """

    __tablename__ = "xp_ledger"
    __table_args__ = (
        UniqueConstraint("player_id", "match_id", "reason"),
        CheckConstraint("reason IN ('played', 'won', 'deals', 'tricks')", name="reason"),
        CheckConstraint("points >= 0", name="points"),
    )

    id: Mapped[int] = mapped_column(BigInteger, Identity(always=True), primary_key=True)
    player_id: Mapped[UUID] = mapped_column(ForeignKey("player.id", ondelete="CASCADE"))
    match_id: Mapped[UUID]
    reason: Mapped[str]
    count: Mapped[int]
    points: Mapped[int]
    at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
