"""The lobby: who sits where, who looks for a game, who stays partners.

Revision ID: 0004
Revises: 0003
"""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0004"
down_revision: str | None = "0003"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

_NOW = sa.text("clock_timestamp()")

# Whoever had several seats keeps the newest as the active one.
_SEATED = """
INSERT INTO sitting (table_id, player_id, active)
SELECT s.table_id, s.player_id,
  t.status <> 'finished' AND s.table_id = max(s.table_id)
    FILTER (WHERE t.status <> 'finished') OVER (PARTITION BY s.player_id)
FROM table_seat s JOIN game_table t ON t.id = s.table_id
WHERE s.player_id IS NOT NULL AND t.status <> 'closed'
ON CONFLICT DO NOTHING
"""


def upgrade() -> None:
    """Forward; small, and before the code that needs it."""
    op.create_table(
        "sitting",
        sa.Column("table_id", sa.BigInteger(), nullable=False),
        sa.Column("player_id", sa.Uuid(), nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("address", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(
            ["table_id"], ["game_table.id"], name=op.f("fk_sitting_table_id_game_table")
        ),
        sa.PrimaryKeyConstraint("table_id", "player_id", name=op.f("pk_sitting")),
    )
    op.execute(_SEATED)
    op.create_index(
        "uq_sitting_active",
        "sitting",
        ["player_id"],
        unique=True,
        postgresql_where=sa.text("active"),
    )
    _tickets()
    _parties()
    op.create_table(
        "house_secret",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("value", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_house_secret")),
    )


def _tickets() -> None:
    op.create_table(
        "ticket",
        sa.Column("player_id", sa.Uuid(), nullable=False),
        sa.Column("conn", sa.Uuid(), nullable=False),
        sa.Column("owner", sa.Uuid(), nullable=False),
        sa.Column("preset", sa.String(), nullable=False),
        sa.Column("target", sa.Integer(), nullable=False),
        sa.Column("speed", sa.String(), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("rating", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("avatar", sa.String(), nullable=False),
        sa.Column("level", sa.Integer(), nullable=False),
        sa.Column("party", sa.CHAR(6), nullable=True),
        sa.Column("address", sa.LargeBinary(), nullable=True),
        sa.Column("wait_ms", sa.Integer(), nullable=False),
        sa.Column("patient", sa.Boolean(), nullable=False),
        sa.Column("queued_at", sa.DateTime(timezone=True), server_default=_NOW, nullable=False),
        sa.Column("alive_until", sa.DateTime(timezone=True), nullable=False),
        sa.Column("code", sa.CHAR(6), nullable=True),
        sa.Column("seat", sa.SmallInteger(), nullable=True),
        sa.PrimaryKeyConstraint("player_id", name=op.f("pk_ticket")),
        prefixes=["UNLOGGED"],
    )
    wish = ["preset", "target", "speed", "rated", "queued_at"]
    op.create_index("ix_ticket_wish", "ticket", wish)
    op.create_index("ix_ticket_owner", "ticket", ["owner"])


def _parties() -> None:
    op.create_table(
        "party",
        sa.Column("code", sa.CHAR(6), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=_NOW, nullable=False),
        sa.PrimaryKeyConstraint("code", name=op.f("pk_party")),
    )
    op.create_table(
        "party_member",
        sa.Column("code", sa.CHAR(6), nullable=False),
        sa.Column("place", sa.SmallInteger(), nullable=False),
        sa.Column("player_id", sa.Uuid(), nullable=False),
        sa.CheckConstraint("place IN (0, 1)", name=op.f("ck_party_member_place")),
        sa.ForeignKeyConstraint(["code"], ["party.code"], name=op.f("fk_party_member_code_party")),
        sa.ForeignKeyConstraint(
            ["player_id"],
            ["player.id"],
            name=op.f("fk_party_member_player_id_player"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("code", "place", name=op.f("pk_party_member")),
    )
    op.create_index("uq_party_member_player_id", "party_member", ["player_id"], unique=True)


def downgrade() -> None:
    """Back; whoever looks for a game looks again."""
    for table in ("house_secret", "party_member", "party", "ticket", "sitting"):
        op.drop_table(table)
