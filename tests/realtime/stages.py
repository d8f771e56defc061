"""Tables of several games at several stages, each with its people and their sockets.

Nothing moves at them by itself: no bots, and clocks of hours.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import cast
from uuid import uuid4

from app.belote import engine
from app.belote.presets import PRESETS
from app.tables import table as tables
from app.tables.service import Tables
from app.tables.table import TableState
from tests.realtime.harness import HOUR, Frame, Guest, Running, Seat

STILL = dict.fromkeys(("next_deal", "passed_out_pause", "ready_check", "session_recheck"), HOUR)
"""What `timing` has to be told so that a table waits for its people as long as the test takes."""
STAGE_S = 600
"""To play on to a stage may take so long, beside all other tables and however slow the machine."""


class Player(Seat):
    """A seat whose calls can be wished for; everything that it was told stays in `wire.heard`."""

    wishes: tuple[str, ...] = ()

    def _call(self, legal: Frame) -> Frame:
        for wish in self.wishes:
            if wish in legal["calls"]:
                legal = {**legal, "calls": [wish]}
                break
        return super()._call(legal)

    async def settle(self) -> None:
        """Hear all that was said to this socket so far."""
        n = int(uuid4()) % 2**50
        await self.wire.send(t="ping", n=n)
        while (frame := await self.wire.next()) != {"t": "pong", "n": n}:
            self.take(frame)

    async def do(self, decision: int | None, c: Frame) -> Frame:
        """One command, and its answer."""
        cid = str(uuid4())
        await self.wire.send(t="cmd", id=cid, table=self.table, decision=decision, c=c)
        while True:
            frame = await self.wire.next()
            self.take(frame)
            if cid in (frame.get("ack"), frame.get("id")):
                return frame


@dataclass
class Board:
    """A table, and who is at it."""

    server: Running
    stage: str
    code: str
    guests: list[Guest]
    seats: list[Player]
    done: list[tuple[Player, str, int]] = field(default_factory=list)
    """Commands that were carried out: by whom, their ids and their first numbers."""

    _known: TableState | None = None

    @property
    def state(self) -> TableState:
        """The truth, as the server has it in memory; as it was, of a table that it has let go."""
        self._known = self._tables.state(self.code) or self._known
        assert self._known is not None
        return self._known

    async def read(self) -> TableState:
        """The truth, from the log if it is not in memory."""
        self._known = (await self._tables.snapshot(self.code, None)).state
        return self._known

    @property
    def _tables(self) -> Tables:
        return cast(Tables, self.server.site.api.state.tables)

    async def settle(self) -> None:
        """Everybody has heard everything."""
        for seat in self.seats:
            await seat.settle()

    async def move(self) -> bool:
        """Whoever is asked answers; False if nobody is, because the server is about to act."""
        await self.settle()
        for seat in self.seats:
            command = seat.command()
            if command is None:
                continue
            answer = await seat.do(**command)
            assert answer["t"] != "nak", f"{self.stage}: {answer}"
            self.done.append((seat, answer.get("ack") or answer["id"], _first(answer)))
            return True
        return False

    async def until(self, reached: Callable[[TableState], bool]) -> None:
        """Play on until the table is at a stage, and nobody but people can go on."""
        async with asyncio.timeout(STAGE_S):
            while not (reached(self.state) and self._rests()):
                if not await self.move():
                    await asyncio.sleep(0.005)
        await self.settle()

    def _rests(self) -> bool:
        """Whether a person is asked: who has nothing to declare is answered for."""
        turn = tables.open_turn(self.state)
        if turn is None or turn.kind != "declare":
            return True
        game = self.state.game
        return game is not None and bool(engine.legal(game, game.turn).declarations)


def _first(answer: Frame) -> int:
    return int(answer["evs"][0]["seq"] if answer["t"] == "ev" else answer["seq"])


def phase(name: str, played: int = 0) -> Callable[[TableState], bool]:
    """A phase of the game, with so many cards on the table at least."""
    return lambda table: (
        table.game is not None and table.game.phase == name and len(table.game.played) >= played
    )


def factor(times: int) -> Callable[[TableState], bool]:
    """An auction with a bid that counts so many times."""
    return lambda table: (
        table.game is not None
        and table.game.phase == "auction"
        and table.game.standing is not None
        and table.game.standing.factor == times
    )


STAGES: tuple[tuple[str, str, tuple[str, ...], Callable[[TableState], bool]], ...] = (
    ("turned", "classic", (), phase("auction")),
    ("play", "classic", ("take", "name"), phase("play", 9)),
    ("sheet", "classic", ("take", "name"), phase("scored")),
    ("play", "french", ("take", "name"), phase("play", 2)),
    ("bid", "coinche", ("bid",), factor(1)),
    ("doubled", "coinche", ("double", "bid"), factor(2)),
    ("play", "coinche", ("bid",), phase("play", 6)),
    ("hidden", "bela", ("pass",), phase("auction")),
    ("declaring", "bela", ("name",), phase("declaring")),
    ("play", "bela", ("name",), phase("play", 5)),
    ("bid", "belot", ("bid",), factor(1)),
    ("play", "belot", ("bid",), phase("play", 7)),
    ("bid", "belot-open", ("bid",), factor(1)),
    ("play", "belot-open", ("bid",), phase("play", 5)),
    ("play", "belot-duel", ("bid",), phase("play", 3)),
    ("play", "belot-trio", ("bid",), phase("play", 4)),
)
"""What it is called, the game, what people call if they may, and when it is reached."""


class Fair:
    """All tables, and people without a seat."""

    def __init__(self, server: Running, stack: AsyncExitStack) -> None:
        self.server = server
        self.stack = stack
        self.boards: list[Board] = []
        self.strangers: list[Player] = []
        """Without a seat anywhere; the last two were once at a table: one left, one was sent
        away."""

    async def build(self) -> "Fair":
        """Everything in `STAGES`, and tables that are not being played at."""
        for number, (stage, preset, wishes, reached) in enumerate(STAGES):
            board = await self._seated(f"{preset}, {stage}", preset, PRESETS[preset].players)
            for seat in board.seats:
                seat.wishes, seat.random = wishes, seat.random.__class__(number)
            await self._start(board)
            await board.until(reached)
        waiting = await self._seated("waiting", "classic", 3)
        await waiting.settle()
        ready = await self._seated("ready", "classic", 4)
        await ready.guests[0].get("POST", f"/api/tables/{ready.code}/start")
        await ready.settle()
        finished = await self._seated("finished", "coinche", 4)
        await self._start(finished)
        for seat in (1, 3):
            await finished.seats[seat].do(None, {"type": "resign"})
        await finished.settle()
        assert (await finished.read()).status == "finished"
        for _ in range(2):
            self.strangers.append(await self._player(await self.server.guest(), waiting.code))
        await self._gone(waiting)
        await self._left()
        await self._closed()
        return self

    async def _start(self, board: Board) -> None:
        await board.guests[0].get("POST", f"/api/tables/{board.code}/start")
        await board.settle()
        for seat in board.seats[1:]:
            turn = seat.turn
            assert turn is not None
            if turn["kind"] == "ready":
                assert (await seat.do(turn["decision"], {"type": "ready"}))["t"] == "ev"
        await board.settle()

    async def _seated(self, stage: str, preset: str, people: int) -> Board:
        guests = [await self.server.guest() for _ in range(people)]
        body = {"preset": preset, "visibility": "private", "bots": None, "spectators": True}
        code = (await guests[0].get("POST", "/api/tables", body))["table"]
        for guest in guests[1:]:
            await guest.get("POST", f"/api/tables/{code}/seats")
        seats = [await self._player(guest, code) for guest in guests]
        board = Board(self.server, stage, code, guests, seats)
        self.boards.append(board)
        return board

    async def _player(self, guest: Guest, code: str) -> Player:
        wire = await self.stack.enter_async_context(guest.socket())
        player = Player(wire, code)
        await player.sit()
        return player

    async def _gone(self, board: Board) -> None:
        """The host sends one of the table away."""
        await board.guests[0].get("DELETE", f"/api/tables/{board.code}/seats/2")
        self.strangers.append(board.seats.pop())
        board.guests.pop()

    async def _left(self) -> None:
        """One leaves a match for good; the bot that plays for it waits for the others."""
        board = await self._seated("left", "classic", 4)
        await self._start(board)
        game = board.state.game
        assert game is not None
        gone = (game.turn + 3) % 4
        await board.guests[gone].get("DELETE", f"/api/tables/{board.code}/seats/me")
        self.strangers.append(board.seats.pop(gone))
        board.guests.pop(gone)
        await board.settle()

    async def _closed(self) -> None:
        board = await self._seated("closed", "classic", 1)
        await board.guests[0].get("DELETE", f"/api/tables/{board.code}/seats/me")
        assert (await board.read()).status == "closed"  # out of memory at the next sweep


@contextlib.asynccontextmanager
async def fair(server: Running) -> AsyncIterator[Fair]:
    """All of it, with its sockets open."""
    async with AsyncExitStack() as stack:
        yield await Fair(server, stack).build()
