"""A process that plays at some tables until it is killed, and prints what was acknowledged.

Run as `python -m tests.crashes.writer URL TABLES`. Each line is `code seq command`, written after
the acknowledgement: whatever stands there must be in the log, however this process ends.
"""

import asyncio
import random
import sys
from uuid import uuid4

from app.infra.db import Database
from app.tables import table as tables
from app.tables.service import Ack, ClientCommand
from tests.tables.kit import Seated, opened


async def play(table: Seated, seed: int) -> None:
    """Match after match."""
    rng = random.Random(seed)
    while True:
        if table.state.status == "finished":
            await table.house.tables.start(table.code, table.people[0].id)
        turn = tables.open_turn(table.state)
        if turn is None or turn.seat is None:
            seq = table.state.seq
            await table.until(lambda state, seq=seq: state.seq > seq)  # type: ignore[misc]
            continue
        command = ClientCommand(uuid4(), turn.decision, table.move(rng))
        answer = await table.house.tables.handle(table.code, table.turn_player, command)
        if isinstance(answer, Ack):
            sys.stdout.write(f"{table.code} {answer.seq} {command.id}\n")
            sys.stdout.flush()


async def main(url: str, count: int) -> None:
    """Play at so many tables at once."""
    database = await Database.connect(url)
    async with opened(database, seed="writer") as house:
        seated = [await house.playing(4) for _ in range(count)]
        await asyncio.gather(*(play(table, seed) for seed, table in enumerate(seated)))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
