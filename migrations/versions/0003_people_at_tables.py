"""People at the tables: ready checks and rematches, latecomers, conduct in rated matches.

Revision ID: 0003
Revises: 0002
"""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0003"
down_revision: str | None = "0002"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

KINDS = "'turn', 'bot', 'next_deal', 'fill'"


def upgrade() -> None:
    """Forward; small, and before the code that needs it."""
    _deadline_kinds(f"{KINDS}, 'ready', 'rematch'")
    op.add_column(
        "match",
        sa.Column("rated", sa.Boolean(), server_default=sa.text("false"), nullable=False),
    )
    op.add_column(
        "match_player",
        sa.Column(
            "stint",
            sa.SmallInteger(),
            autoincrement=False,
            server_default=sa.text("0"),
            nullable=False,
        ),
    )
    op.add_column(
        "match_player",
        sa.Column("from_deal", sa.Integer(), server_default=sa.text("0"), nullable=False),
    )
    op.add_column(
        "match_player",
        sa.Column("spared", sa.Boolean(), server_default=sa.text("false"), nullable=False),
    )
    op.drop_constraint(op.f("pk_match_player"), "match_player", type_="primary")
    op.create_primary_key(op.f("pk_match_player"), "match_player", ["match_id", "seat", "stint"])
    op.create_table(
        "conduct",
        sa.Column("player_id", sa.Uuid(), nullable=False),
        sa.Column("match_id", sa.Uuid(), nullable=False),
        sa.Column("outcome", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "outcome IN ('finished', 'absent', 'abandoned', 'quit')",
            name=op.f("ck_conduct_outcome"),
        ),
        sa.PrimaryKeyConstraint("player_id", "match_id", name=op.f("pk_conduct")),
    )
    op.create_index("ix_conduct_newest", "conduct", ["player_id", sa.text("at DESC")])


def downgrade() -> None:
    """Back. A latecomer's row can't be kept where a seat has one row."""
    op.drop_table("conduct")
    op.execute("DELETE FROM match_player WHERE stint > 0")
    op.drop_constraint(op.f("pk_match_player"), "match_player", type_="primary")
    op.create_primary_key(op.f("pk_match_player"), "match_player", ["match_id", "seat"])
    for column in ("spared", "from_deal", "stint"):
        op.drop_column("match_player", column)
    op.drop_column("match", "rated")
    op.execute(
        "UPDATE game_table SET deadline_at = NULL, deadline_seq = NULL, deadline_kind = NULL"
        " WHERE deadline_kind IN ('ready', 'rematch')"
    )
    _deadline_kinds(KINDS)


def _deadline_kinds(kinds: str) -> None:
    op.drop_constraint(op.f("ck_game_table_deadline_kind"), "game_table", type_="check")
    op.create_check_constraint(
        op.f("ck_game_table_deadline_kind"), "game_table", f"deadline_kind IN ({kinds})"
    )
