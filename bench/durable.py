"""Is what was acknowledged in the database? Read from the log itself, past the server."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import asyncpg

from app.infra.config import CHECKOUT
from app.infra.data_folder import DataFolder, postgres_account
from app.infra.embedded import EmbeddedPostgres

MOVES = ("passed", "bid_made", "card_played", "declared")
"""The types that a move's batch begins with (its first event alone carries the command's id)."""

CHECK_LOG = "import sys; from app.cli import main; sys.exit(main(['check-log', '--referee']))"


def database_url(data: Path) -> str:
    """The URL of the running embedded database in that folder."""
    return EmbeddedPostgres(DataFolder(data, postgres_account()), serving=False).start()


async def settings(url: str) -> dict[str, str]:
    """What the database says of itself where durability is concerned."""
    connection = await asyncpg.connect(url)
    try:
        names = (
            "server_version", "synchronous_commit", "fsync", "full_page_writes",
            "wal_sync_method", "shared_buffers",
        )  # fmt: skip
        return {name: await connection.fetchval(f"SHOW {name}") for name in names}
    finally:
        await connection.close()


async def check(url: str, acked: bytes) -> dict[str, Any]:
    """Compare the acknowledged ids (16 bytes each) with the log: each must be there, and every
    table's numbers without a gap."""
    ids = {acked[at : at + 16] for at in range(0, len(acked), 16)}
    connection = await asyncpg.connect(url)
    try:
        rows = await connection.fetch(
            "SELECT cmd_id FROM table_event WHERE how = 'human' AND type = ANY($1)", MOVES
        )
        kept = {row["cmd_id"].bytes for row in rows if row["cmd_id"] is not None}
        total = await connection.fetchval("SELECT count(*) FROM table_event")
        gaps = await connection.fetchval(
            """SELECT count(*) FROM (SELECT max(seq) - min(seq) + 1 - count(*) AS missing
               FROM table_event GROUP BY table_id) t WHERE missing <> 0"""
        )
        others = await connection.fetchval(
            "SELECT count(*) FROM table_event WHERE how IN ('timeout', 'bot') AND type = ANY($1)",
            MOVES,
        )
    finally:
        await connection.close()
    return {
        "acknowledged": len(ids),
        "moves_in_log": len(kept),
        "acknowledged_but_missing": len(ids - kept),
        "events": total,
        "tables_with_gaps": gaps,
        "moves_by_clock_or_bot": others,
    }


def check_log(url: str) -> dict[str, Any]:
    """`rebelote check-log --referee`: fold every table again, decide every move again."""
    done = subprocess.run(
        [sys.executable, "-c", CHECK_LOG],
        cwd=CHECKOUT,
        env={"PATH": "/usr/bin:/bin", "REBELOTE_DATABASE_URL": url},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    said = (done.stdout.strip() or done.stderr.strip()).splitlines()
    return {"exit": done.returncode, "said": said[-1] if said else ""}
