"""Tables, their log, matches, and the heartbeat.

Revision ID: 0001
Revises:
"""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision: str = "0001"
down_revision: str | None = None
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Forward; small, and before the code that needs it."""
    op.create_table(
        "game_table",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("code", sa.CHAR(length=6), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("host", sa.Uuid(), nullable=True),
        sa.Column("preset", sa.String(), nullable=False),
        sa.Column("visibility", sa.String(), nullable=False),
        sa.Column("options", postgresql.JSONB(), nullable=False),
        sa.Column(
            "opened_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("clock_timestamp()"),
            nullable=False,
        ),
        sa.Column("head_seq", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("base_seq", sa.Integer(), server_default=sa.text("1"), nullable=False),
        sa.Column("deadline_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("deadline_seq", sa.Integer(), nullable=True),
        sa.Column("deadline_kind", sa.String(), nullable=True),
        sa.Column("idle_since", sa.DateTime(timezone=True), nullable=True),
        sa.Column("idle_limit_ms", sa.BigInteger(), nullable=True),
        sa.CheckConstraint(
            "deadline_kind IN ('turn', 'bot', 'next_deal', 'fill')",
            name=op.f("ck_game_table_deadline_kind"),
        ),
        sa.CheckConstraint(
            "status IN ('waiting', 'playing', 'finished', 'closed')",
            name=op.f("ck_game_table_status"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_game_table")),
        sa.UniqueConstraint("code", name=op.f("uq_game_table_code")),
        postgresql_with={"fillfactor": "50"},
    )
    op.create_index(
        "ix_game_table_live",
        "game_table",
        ["id"],
        postgresql_where=sa.text("status IN ('waiting', 'playing', 'finished')"),
    )
    op.create_table(
        "heartbeat",
        sa.Column("id", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("id = 1", name=op.f("ck_heartbeat_one")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_heartbeat")),
    )
    op.create_table(
        "table_event",
        sa.Column("table_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("type", sa.String(), nullable=False),
        sa.Column("v", sa.SmallInteger(), nullable=False),
        sa.Column(
            "at",
            sa.DateTime(timezone=True),
            server_default=sa.text("clock_timestamp()"),
            nullable=False,
        ),
        sa.Column("by_player", sa.Uuid(), nullable=True),
        sa.Column("how", sa.String(), nullable=False),
        sa.Column("cmd_id", sa.Uuid(), nullable=True),
        sa.Column("public", postgresql.JSONB(), nullable=False),
        sa.Column("private", postgresql.JSONB(), nullable=True),
        sa.Column("hidden", postgresql.JSONB(), nullable=True),
        sa.CheckConstraint(
            "how IN ('human', 'timeout', 'bot', 'system')", name=op.f("ck_table_event_how")
        ),
        sa.PrimaryKeyConstraint("table_id", "seq", name=op.f("pk_table_event")),
    )
    op.create_index(
        "uq_table_event_command",
        "table_event",
        ["table_id", "by_player", "cmd_id"],
        unique=True,
        postgresql_where=sa.text("cmd_id IS NOT NULL"),
    )
    op.create_table(
        "match",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("table_id", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("preset", sa.String(), nullable=False),
        sa.Column("target", sa.Integer(), nullable=False),
        sa.Column("rules", postgresql.JSONB(), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("reason", sa.String(), nullable=True),
        sa.Column("winner", sa.SmallInteger(), nullable=True),
        sa.Column("totals", postgresql.ARRAY(sa.Integer()), nullable=True),
        sa.Column("deals", sa.Integer(), nullable=True),
        sa.Column("seq_from", sa.Integer(), nullable=False),
        sa.Column("seq_to", sa.Integer(), nullable=True),
        sa.CheckConstraint(
            "reason IN ('target', 'resigned', 'abandoned')", name=op.f("ck_match_reason")
        ),
        sa.ForeignKeyConstraint(["table_id"], ["game_table.id"], name=op.f("fk_match_table_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_match")),
    )
    op.create_index("ix_match_table_id", "match", ["table_id"])
    op.create_table(
        "table_seat",
        sa.Column("table_id", sa.BigInteger(), nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("player_id", sa.Uuid(), nullable=True),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("avatar", sa.String(), nullable=False),
        sa.Column("level", sa.Integer(), nullable=True),
        sa.Column("bot", sa.String(), nullable=True),
        sa.CheckConstraint("kind IN ('person', 'bot')", name=op.f("ck_table_seat_kind")),
        sa.ForeignKeyConstraint(
            ["table_id"], ["game_table.id"], name=op.f("fk_table_seat_table_id")
        ),
        sa.PrimaryKeyConstraint("table_id", "seat", name=op.f("pk_table_seat")),
    )
    op.create_index(
        "ix_table_seat_player_id",
        "table_seat",
        ["player_id"],
        postgresql_where=sa.text("player_id IS NOT NULL"),
    )
    op.create_table(
        "match_player",
        sa.Column("match_id", sa.Uuid(), nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=False),
        sa.Column("side", sa.SmallInteger(), nullable=False),
        sa.Column("player_id", sa.Uuid(), nullable=True),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("avatar", sa.String(), nullable=False),
        sa.Column("bot", sa.String(), nullable=True),
        sa.Column("outcome", sa.String(), nullable=False),
        sa.Column("won", sa.Boolean(), nullable=True),
        sa.Column("deals_won", sa.Integer(), nullable=False),
        sa.Column("own_tricks", sa.Integer(), nullable=False),
        sa.Column("xp", sa.Integer(), nullable=False),
        sa.CheckConstraint(
            "outcome IN ('finished', 'quit', 'abandoned')", name=op.f("ck_match_player_outcome")
        ),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name=op.f("fk_match_player_match_id")),
        sa.PrimaryKeyConstraint("match_id", "seat", name=op.f("pk_match_player")),
    )
    op.create_index(
        "ix_match_player_player_id",
        "match_player",
        ["player_id", "match_id"],
        postgresql_where=sa.text("player_id IS NOT NULL"),
    )
    op.execute("INSERT INTO heartbeat (id, at) VALUES (1, clock_timestamp())")


def downgrade() -> None:
    """Back."""
    op.drop_table("match_player")
    op.drop_table("table_seat")
    op.drop_table("match")
    op.drop_table("table_event")
    op.drop_table("heartbeat")
    op.drop_table("game_table")
