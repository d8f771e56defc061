"""``rebelote replay``, ``simulate`` and ``referee``: matches and rules at the command line."""

import argparse
import asyncio
import os
import sys
from collections.abc import Iterable
from uuid import UUID

import orjson

from app.belote.notation import Record
from app.belote.presets import PRESETS, validated
from app.belote.rules import RuleSetError
from app.belote.text import texts_of
from app.bots.policy import LEVELS
from app.history import referee, service
from app.history.simulate import chooser, simulate
from app.infra.config import Settings
from app.infra.db import Database
from app.infra.embedded import database_for_command
from app.infra.errors import AppError


def add_parsers(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Make the three known to the command line."""
    replay = commands.add_parser("replay", help="print a match that has ended")
    replay.add_argument("match", type=UUID, help="its id, as in its address")
    replay.add_argument("--text", action="store_true", help="text notation instead of records")
    replay.add_argument("--legal", action="store_true", help="add what might have been played")
    replay.set_defaults(run=_replay)

    play = commands.add_parser("simulate", help="play deals without a server, print their records")
    play.add_argument("--preset", default="classic", choices=list(PRESETS))
    play.add_argument(
        "--rules", type=_object, default={}, help='rules that differ, as JSON: {"tie": "failed"}'
    )
    play.add_argument("--deals", type=_count, default=1, help="how many deals are to be played")
    play.add_argument("--seed", type=int, default=0, help="the same seed prints the same lines")
    play.add_argument("--policy", default="random", choices=["random", *LEVELS])
    play.add_argument("--legal", action="store_true", help="add what might have been played")
    play.set_defaults(run=_simulate)

    ask = commands.add_parser("referee", help="answer questions about the rules, JSON a line")
    ask.set_defaults(run=_referee)


def _object(text: str) -> dict[str, object]:
    try:
        found = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise argparse.ArgumentTypeError(f"not JSON: {error}") from None
    if not isinstance(found, dict):
        raise argparse.ArgumentTypeError("a JSON object is needed")
    return found


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("at least 1")
    return number


def _replay(arguments: argparse.Namespace, settings: Settings) -> int:
    try:
        with database_for_command(settings, ready=True) as url:
            records = asyncio.run(_records(url, arguments.match, arguments.legal))
    except AppError as error:
        print(f"{error.code}: {error.message}", file=sys.stderr)
        return 1
    if arguments.text:
        return _print([texts_of(records).encode().rstrip(b"\n")])
    return _print(map(orjson.dumps, records))


async def _records(url: str, match_id: UUID, with_legal: bool) -> list[Record]:
    database = await Database.connect(url)
    try:
        match = await service.ended(database, match_id)
        return await service.records_of(database, match, with_legal)
    finally:
        await database.dispose()


def _simulate(arguments: argparse.Namespace, _: Settings) -> int:
    try:
        rules = validated(arguments.preset, arguments.rules)
    except RuleSetError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    players = (chooser(arguments.policy),) * rules.players
    found = simulate(rules, arguments.deals, arguments.seed, players, arguments.legal)
    return _print(map(orjson.dumps, found))


def _referee(_: argparse.Namespace, __: Settings) -> int:
    return _print(referee.answers(sys.stdin.buffer))


def _print(lines: Iterable[bytes]) -> int:
    """Write lines as they come; whoever reads them may stop early (``| head``)."""
    out = sys.stdout.buffer
    try:
        for line in lines:
            out.write(line + b"\n")
            out.flush()
    except BrokenPipeError:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115, PTH123  (the end writes to it once more)
    return 0
