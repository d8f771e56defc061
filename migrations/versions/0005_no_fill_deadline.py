"""No deadline `fill`: Play now opens its tables with the match begun (D19).

Revision ID: 0005
Revises: 0004
"""

from collections.abc import Sequence

from alembic import op

revision: str = "0005"
down_revision: str | None = "0004"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

_KINDS = "'turn', 'bot', 'next_deal', 'ready', 'rematch'"


def upgrade() -> None:
    """Forward. A table that still waits so has its host to start it."""
    op.execute(
        "UPDATE game_table SET deadline_at = NULL, deadline_seq = NULL, deadline_kind = NULL"
        " WHERE deadline_kind = 'fill'"
    )
    _deadline_kinds(_KINDS)


def downgrade() -> None:
    """Back."""
    _deadline_kinds(f"{_KINDS}, 'fill'")


def _deadline_kinds(kinds: str) -> None:
    op.drop_constraint(op.f("ck_game_table_deadline_kind"), "game_table", type_="check")
    op.create_check_constraint(
        op.f("ck_game_table_deadline_kind"), "game_table", f"deadline_kind IN ({kinds})"
    )
