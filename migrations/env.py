"""How Alembic runs: over the connection that `app.infra.migrate` opened, or one of its own.

Every migration is its own transaction and has a lock timeout: a migration that waits behind a long
query would make every later query wait behind it.
"""

import asyncio

from alembic import context
from sqlalchemy import Connection

from app.infra.config import Settings
from app.infra.db import Base
from app.infra.migrate import connect, import_models

import_models()


def run(connection: Connection) -> None:
    """Run the migrations over a connection."""
    context.configure(
        connection=connection,
        target_metadata=Base.metadata,
        transaction_per_migration=True,
        compare_type=True,
        compare_server_default=True,
    )
    with context.begin_transaction():
        context.run_migrations()


async def run_alone() -> None:
    """For the `alembic` command line: the address comes from REBELOTE_DATABASE_URL."""
    url = Settings().database_url
    if url is None:
        raise SystemExit("Set REBELOTE_DATABASE_URL; `rebelote migrate` finds the embedded one.")
    async with connect(url) as connection:
        await connection.run_sync(run)


if context.is_offline_mode():
    raise SystemExit("Migrations run over a connection only.")
given = context.config.attributes.get("connection")
if given is None:
    asyncio.run(run_alone())
else:
    run(given)
