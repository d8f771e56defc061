"""The rows of the tables layer. The log itself is read and written by ``store`` alone.

No foreign key leads from here to players (architecture, *Store*, rule 4): an append must not lock
rows of theirs, and a table's log outlives what a player deletes.
"""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    CHAR,
    BigInteger,
    CheckConstraint,
    DateTime,
    ForeignKey,
    Identity,
    Index,
    Integer,
    LargeBinary,
    SmallInteger,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.infra.db import Base

LIVE = "status IN ('waiting', 'playing', 'finished')"
"""The tables that still have something to do; the sweeper's partial index."""


class GameTable(Base):
    """A table: the row is the lock (D2), and holds the game's one deadline (D9).

    ``deadline_at`` has no index, which would end heap-only updates; ``fillfactor`` leaves room for
    them (rule 5). ``idle_limit_ms`` after ``idle_since`` the table is given up; None: somebody is
    there. ``options`` are the host's as an event carries them.
    """

    __tablename__ = "game_table"
    __table_args__ = (
        CheckConstraint("status IN ('waiting', 'playing', 'finished', 'closed')", name="status"),
        CheckConstraint(
            "deadline_kind IN ('turn', 'bot', 'next_deal', 'ready', 'rematch')",
            name="deadline_kind",
        ),
        Index("ix_game_table_live", "id", postgresql_where=text(LIVE)),
        {"postgresql_with": {"fillfactor": "50"}},
    )

    id: Mapped[int] = mapped_column(BigInteger, Identity(always=True), primary_key=True)
    code: Mapped[str] = mapped_column(CHAR(6), unique=True)
    status: Mapped[str]
    host: Mapped[UUID | None]
    preset: Mapped[str]
    visibility: Mapped[str]
    options: Mapped[dict[str, Any]] = mapped_column(JSONB)
    opened_at: Mapped[datetime] = mapped_column(
        DateTime(timezone=True), server_default=text("clock_timestamp()")
    )
    head_seq: Mapped[int] = mapped_column(Integer, server_default=text("0"))
    base_seq: Mapped[int] = mapped_column(Integer, server_default=text("1"))
    deadline_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    deadline_seq: Mapped[int | None] = mapped_column(Integer)
    deadline_kind: Mapped[str | None]
    idle_since: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    idle_limit_ms: Mapped[int | None] = mapped_column(BigInteger)


class TableSeat(Base):
    """Who sits where now; a free seat has no row."""

    __tablename__ = "table_seat"
    __table_args__ = (
        CheckConstraint("kind IN ('person', 'bot')", name="kind"),
        Index(
            "ix_table_seat_player_id", "player_id", postgresql_where=text("player_id IS NOT NULL")
        ),
    )

    table_id: Mapped[int] = mapped_column(ForeignKey("game_table.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    kind: Mapped[str]
    player_id: Mapped[UUID | None]
    name: Mapped[str]
    avatar: Mapped[str]
    level: Mapped[int | None]
    bot: Mapped[str | None]


ONE_ACTIVE_SEAT = "uq_sitting_active"


class Sitting(Base):
    """A person with a seat at a table that is not closed; see ``tables.sitting``. ``address`` is a
    keyed hash, at rated tables alone."""

    __tablename__ = "sitting"
    __table_args__ = (
        Index(ONE_ACTIVE_SEAT, "player_id", unique=True, postgresql_where=text("active")),
    )

    table_id: Mapped[int] = mapped_column(ForeignKey("game_table.id"), primary_key=True)
    player_id: Mapped[UUID] = mapped_column(primary_key=True)
    active: Mapped[bool]
    address: Mapped[bytes | None] = mapped_column(LargeBinary)


class TableEvent(Base):
    """The log. ``cmd_id`` stands on a batch's first event alone; a person's is unique.

    No foreign key to ``game_table``: the append inserts only for tables that it has just moved,
    and checking each row again would cost the hot path what it has won.
    """

    __tablename__ = "table_event"
    __table_args__ = (
        CheckConstraint("how IN ('human', 'timeout', 'bot', 'system')", name="how"),
        Index(
            "uq_table_event_command",
            "table_id",
            "by_player",
            "cmd_id",
            unique=True,
            postgresql_where=text("cmd_id IS NOT NULL"),
        ),
    )

    table_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    seq: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    type: Mapped[str]
    v: Mapped[int] = mapped_column(SmallInteger)
    at: Mapped[datetime] = mapped_column(
        DateTime(timezone=True), server_default=text("clock_timestamp()")
    )
    by_player: Mapped[UUID | None]
    how: Mapped[str]
    cmd_id: Mapped[UUID | None]
    public: Mapped[dict[str, Any]] = mapped_column(JSONB)
    private: Mapped[dict[str, Any] | None] = mapped_column(JSONB)
    hidden: Mapped[dict[str, Any] | None] = mapped_column(JSONB)


class Match(Base):
    """A match, written when it starts and completed when it ends. ``seq_from`` and ``seq_to``
    bound what its reader may see of the table's log."""

    __tablename__ = "match"
    __table_args__ = (
        CheckConstraint("reason IN ('target', 'resigned', 'abandoned')", name="reason"),
        Index("ix_match_table_id", "table_id"),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    table_id: Mapped[int] = mapped_column(ForeignKey("game_table.id"))
    number: Mapped[int]
    preset: Mapped[str]
    target: Mapped[int]
    rules: Mapped[dict[str, Any]] = mapped_column(JSONB)
    rated: Mapped[bool] = mapped_column(server_default=text("false"))
    started_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    ended_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    reason: Mapped[str | None]
    winner: Mapped[int | None] = mapped_column(SmallInteger)
    totals: Mapped[list[int] | None] = mapped_column(ARRAY(Integer))
    deals: Mapped[int | None]
    seq_from: Mapped[int]
    seq_to: Mapped[int | None]


class MatchPlayer(Base):
    """How a match ended for whoever played it, written at its end: a row for each person's stint on
    a seat, and one for a seat where only bots played. ``player_id`` is None for a bot; who left for
    good stays here with the outcome ``quit``. ``from_deal``: the scored deals before a latecomer's
    first; ``spared``: its partner had left, so that a lost match shall cost no rating."""

    __tablename__ = "match_player"
    __table_args__ = (
        CheckConstraint("outcome IN ('finished', 'quit', 'abandoned')", name="outcome"),
        Index(
            "ix_match_player_player_id",
            "player_id",
            "match_id",
            postgresql_where=text("player_id IS NOT NULL"),
        ),
    )

    match_id: Mapped[UUID] = mapped_column(ForeignKey("match.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    stint: Mapped[int] = mapped_column(
        SmallInteger, primary_key=True, autoincrement=False, server_default=text("0")
    )
    side: Mapped[int] = mapped_column(SmallInteger)
    player_id: Mapped[UUID | None]
    name: Mapped[str]
    avatar: Mapped[str]
    bot: Mapped[str | None]
    outcome: Mapped[str]
    won: Mapped[bool | None]
    deals_won: Mapped[int]
    own_tricks: Mapped[int]
    xp: Mapped[int]
    from_deal: Mapped[int] = mapped_column(server_default=text("0"))
    spared: Mapped[bool] = mapped_column(server_default=text("false"))


class ConductRow(Base):
    """How a rated match ended for a person; ``tables.conduct`` says what follows."""

    __tablename__ = "conduct"
    __table_args__ = (
        CheckConstraint("outcome IN ('finished', 'absent', 'abandoned', 'quit')", name="outcome"),
        Index("ix_conduct_newest", "player_id", text("at DESC")),
    )

    player_id: Mapped[UUID] = mapped_column(primary_key=True)
    match_id: Mapped[UUID] = mapped_column(primary_key=True)
    outcome: Mapped[str]
    at: Mapped[datetime] = mapped_column(DateTime(timezone=True))


class Heartbeat(Base):
    """One row, beaten by every process: a gap between two beats is an outage (D9)."""

    __tablename__ = "heartbeat"
    __table_args__ = (CheckConstraint("id = 1", name="one"),)

    id: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
