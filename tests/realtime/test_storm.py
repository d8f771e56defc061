"""Twenty thousand things that no client should say, from everybody, to tables at every stage: they
change nothing, tell nobody a card, break nothing, and the matches go on afterwards."""

import asyncio
import logging
import random
import re
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from app.infra.rng import SeededRng
from app.tables.table import TableState
from tests.realtime.harness import Frame, limits, serving, timing
from tests.realtime.stages import STAGES, STILL, Board, Fair, Player, fair
from tests.realtime.storm import Shot, Storm
from tests.realtime.truth import Row, Witness, cards_in, log_of

SHOTS = 20_000
VOLLEY = 25
"""Frames that a socket sends before it listens to the answers."""
AT_ONCE = 8
"""Sockets that do so at the same time: enough for races, few enough for a busy machine."""
SEED = 20_261
WIDE = limits(
    messages_per_window=10_000_000,
    outbox_messages=1_000_000,
    outbox_bytes=1_000_000_000,
    searches_per_player_per_minute=1_000_000,
    code_misses_per_player=1_000_000,
    code_misses_per_address=1_000_000,
    sockets_per_address=1_000,
)
PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text()
SOCKET = PAGE.partition("## 2. The socket")[2]
"""Without the codes that REST alone has."""
DOCUMENTED = {a or b for a, b in re.findall(r"`([a-z_]+)`|\"code\":\"([a-z_]+)\"", SOCKET)}
NEVER = {"internal", "unavailable", "conflict", "draining", "flood"}
"""Documented, but not for this: nothing here is the server's fault, or too much for it."""


class Truth:
    """What each seat may know of each table, from the logs, which the storm does not change."""

    def __init__(self, there: Fair) -> None:
        self._there = there
        self._logs: dict[str, list[Row]] = {}
        self._witnesses: dict[tuple[str, int | None], Witness] = {}

    async def read(self, database_url: str) -> "Truth":
        for board in self._there.boards:
            self._logs[board.code] = await log_of(database_url, board.code)
        return self

    def of(self, player: Player, code: str) -> Witness:
        """For a player at a table; who has no seat there sees what everybody sees."""
        seated = any(player in board.seats for board in self._there.boards if board.code == code)
        key = (code, player.seat if seated else None)
        if key not in self._witnesses:
            self._witnesses[key] = Witness(self._logs[code], key[1])
        return self._witnesses[key]


@pytest.mark.slow
@pytest.mark.timeout(1_200)
async def test_a_storm_changes_nothing_and_tells_nobody_a_card(
    database_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    still, rng = timing(**STILL), SeededRng(SEED)
    async with (
        serving(database_url, timing_=still, limits_=WIDE, rng=rng) as server,
        fair(server) as there,
    ):
        truth = await Truth(there).read(database_url)
        before, states = await heads(database_url), [await board.read() for board in there.boards]
        senders = [*(seat for board in there.boards for seat in board.seats), *there.strangers]
        heard = [len(sender.wire.heard) for sender in senders]
        share = -(-SHOTS // len(senders))
        storms = [Storm(there, random.Random(SEED + n)) for n in range(len(senders))]
        turns = asyncio.Semaphore(AT_ONCE)
        await asyncio.gather(
            *(
                volleys(one, storm, share, truth, turns)
                for one, storm in zip(senders, storms, strict=True)
            )
        )
        await killers(there)
        assert await heads(database_url) == before
        assert [await board.read() for board in there.boards] == states
        for sender, start in zip(senders, heard, strict=True):
            look_for_cards(sender, start, truth)
        await everybody_plays_on(there)
    broken = [each for each in caplog.records if each.exc_info or each.levelno >= logging.ERROR]
    assert [each.getMessage() for each in broken] == []


async def heads(database_url: str) -> list[tuple[Any, ...]]:
    """Of every table: where its log is, its clock, its seats."""
    connection = await asyncpg.connect(database_url)
    try:
        rows = await connection.fetch(
            "SELECT t.code, t.head_seq, t.status, t.deadline_at, t.deadline_seq,"
            " (SELECT count(*) FROM table_event e WHERE e.table_id = t.id),"
            " (SELECT array_agg(s.player_id ORDER BY s.seat) FROM table_seat s"
            "   WHERE s.table_id = t.id)"
            " FROM game_table t ORDER BY t.code"
        )
    finally:
        await connection.close()
    return [tuple(row) for row in rows]


async def volleys(
    sender: Player, storm: Storm, share: int, truth: Truth, turns: asyncio.Semaphore
) -> None:
    """A sender's share, and every answer looked at."""
    for n in range(0, share, VOLLEY):
        shots = [storm.shot(sender) for _ in range(min(VOLLEY, share - n))]
        async with turns:
            for shot in shots:
                await sender.wire.ws.send(shot.payload)
            await sender.wire.send(t="ping", n=n)
            answers = []
            while (frame := await sender.wire.next()) != {"t": "pong", "n": n}:
                answers.append(frame)
        check(sender, shots, answers, truth)


def check(sender: Player, shots: list[Shot], answers: list[Frame], truth: Truth) -> None:
    """Every shot was answered as it should be, in the order in which it came."""
    unreadable = sum(shot.expected == "unreadable" for shot in shots)
    told = sum(answer == {"t": "error", "code": "bad_request"} for answer in answers)
    hellos = sum('"hello"' in str(shot.payload) for shot in shots if shot.expected == "any")
    assert told == unreadable + hellos
    commands = [shot for shot in shots if shot.expected in ("nak", "ack")]
    replies = [answer for answer in answers if answer["t"] in ("nak", "ack")]
    assert [shot.id for shot in commands] == [reply["id"] for reply in replies]
    for shot, reply in zip(commands, replies, strict=True):
        assert reply["t"] == shot.expected, f"{shot.payload!r}: {reply}"
        if reply["t"] == "ack":
            assert reply["seq"] == shot.seq, "as it was answered before"
        else:
            assert not reply["retry"]
            told_cards = cards_in(reply.get("facts")) - shot.named
            known = truth.of(sender, shot.code).known
            assert told_cards <= known, f"{shot.payload!r}: {reply}"
    for answer in answers:
        assert answer["t"] in ("nak", "ack", "error", "snap", "turn", "presence", "pong", "lobby",
                               "cancelled", "ev", "queued", "matched"), answer  # fmt: skip
        assert answer.get("code", "stale") in DOCUMENTED - NEVER, answer


def look_for_cards(sender: Player, start: int, truth: Truth) -> None:
    """No frame told a socket what its player may not know of the table that it speaks of."""
    for frame in sender.wire.heard[start:]:
        if frame["t"] in ("ev", "snap", "turn"):
            witness = truth.of(sender, frame["table"])
            witness.check(frame)
            assert cards_in(frame.get("turn")) <= witness.known
        elif frame["t"] != "nak":  # see `check`
            assert not cards_in(frame), frame


async def killers(there: Fair) -> None:
    """Frames that end a socket: too large, no UTF-8."""
    guest = there.boards[0].guests[0]
    too_large = b'{"t":"ping","n":1}' + b" " * 5_000
    for payload, code in ((too_large, 1009), (b'{"t":"\xff\xfe"}', 1007)):
        for _ in range(5):
            async with guest.socket() as wire:
                await wire.ws.send(payload, text=True)
                assert await wire.closed() == code


async def everybody_plays_on(there: Fair) -> None:
    """Each match goes on from where it was to the end of a deal."""
    playing = [board for board in there.boards if board.state.status == "playing"]
    assert len(playing) == len(STAGES) + 1
    await asyncio.gather(*(to_the_end_of_a_deal(board, there) for board in playing))


async def to_the_end_of_a_deal(board: Board, there: Fair) -> None:
    for seat in board.seats:
        for other in there.boards:  # a socket listens to a few tables only
            await seat.wire.send(t="unsub", table=other.code)
        await seat.sit()
        seat.wishes, seat.asked = ("take", "name", "bid"), None
    deals = _deals(board.state)
    await board.until(lambda table: _deals(table) > deals or table.status != "playing")


def _deals(table: TableState) -> int:
    return 0 if table.game is None else len(table.game.deals)
