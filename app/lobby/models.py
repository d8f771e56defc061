"""The rows of the lobby: who looks for a game, who wants to stay partners."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import (
    CHAR,
    CheckConstraint,
    DateTime,
    ForeignKey,
    Index,
    LargeBinary,
    SmallInteger,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from app.infra.db import Base


class TicketRow(Base):
    """A person who looks for a game; one a person. It belongs to a connection (``conn``) of a
    process (``owner``), which keeps it alive; ``alive_until`` is over when that process is gone.
    ``code`` and ``seat`` are the answer, fetched by the owner. ``patient``: it would rather wait
    than play with bots. Unlogged: a crash of the database ends all connections as well.
    """

    __tablename__ = "ticket"
    __table_args__ = (
        Index("ix_ticket_wish", "preset", "target", "speed", "rated", "queued_at"),
        Index("ix_ticket_owner", "owner"),
        {"prefixes": ["UNLOGGED"]},
    )

    player_id: Mapped[UUID] = mapped_column(primary_key=True)
    conn: Mapped[UUID]
    owner: Mapped[UUID]
    preset: Mapped[str]
    target: Mapped[int]
    speed: Mapped[str]
    rated: Mapped[bool]
    rating: Mapped[int]
    name: Mapped[str]
    avatar: Mapped[str]
    level: Mapped[int]
    party: Mapped[str | None] = mapped_column(CHAR(6))
    address: Mapped[bytes | None] = mapped_column(LargeBinary)
    wait_ms: Mapped[int]
    patient: Mapped[bool]
    queued_at: Mapped[datetime] = mapped_column(
        DateTime(timezone=True), server_default=text("clock_timestamp()")
    )
    alive_until: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    code: Mapped[str | None] = mapped_column(CHAR(6))
    seat: Mapped[int | None] = mapped_column(SmallInteger)


class Party(Base):
    """Two who stay partners, as long as both want."""

    __tablename__ = "party"

    code: Mapped[str] = mapped_column(CHAR(6), primary_key=True)
    created_at: Mapped[datetime] = mapped_column(
        DateTime(timezone=True), server_default=text("clock_timestamp()")
    )


class PartyMember(Base):
    """A member; the places are 0 and 1, so that nobody is a third. A person is in one party."""

    __tablename__ = "party_member"
    __table_args__ = (
        CheckConstraint("place IN (0, 1)", name="place"),
        Index("uq_party_member_player_id", "player_id", unique=True),
    )

    code: Mapped[str] = mapped_column(ForeignKey("party.code"), primary_key=True)
    place: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    player_id: Mapped[UUID] = mapped_column(ForeignKey("player.id", ondelete="CASCADE"))


class HouseSecret(Base):
    """Bytes that all processes share and nobody else knows, such as the key of address hashes."""

    __tablename__ = "house_secret"

    name: Mapped[str] = mapped_column(primary_key=True)
    value: Mapped[bytes] = mapped_column(LargeBinary)
