"""Tables on a real database, people who play at them, and a publisher that remembers.

Time is real but tiny, or so long that no machine is slow enough; nobody sleeps: tests wait until
something was published. What a process does by itself now and then (its heart, its sweeper, the
look round after a start) is done when a test says so, or before the test begins.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID, uuid4

from app.belote import engine
from app.belote.cards import NAMES
from app.belote.presets import PRESETS
from app.belote.rules import RuleSet, overridden
from app.infra.clock import Clock
from app.infra.config import Limits, Timing
from app.infra.db import Database
from app.infra.rng import SeededRng
from app.players.models import PlayerRef
from app.tables import table as pure
from app.tables.cache import fold
from app.tables.events import Options
from app.tables.ports import Publication
from app.tables.service import Ack, ClientCommand, Nak, Tables
from app.tables.store import Store
from app.tables.table import TableState

HOUR = 3_600_000
WAIT_S = 60.0
"""Longer than anything here takes; a test that waits so long has failed."""

QUICK = {
    "bot_min": 0,
    "bot_max": 1,
    "trick_pause": 0,
    "deal_pause": 0,
    "next_deal": 1,
    "passed_out_pause": 1,
    "ready_check": 0,
    "rematch": HOUR,
    "away": HOUR,
    "pause_grace": HOUR,
    "sweep": HOUR,
    "sweep_late": 0,
    "sweep_jitter": 0,
    "heartbeat": HOUR,
    "expiry_beat_max": 2 * HOUR,
    "outage_gap": 3 * HOUR,
}


def timing(**changed: int) -> Timing:
    """Bots and pauses without waiting, people with all the time; the sweeper comes when called."""
    return Timing(**{**QUICK, "normal_turn": HOUR, **changed})


def rules(**overrides: object) -> RuleSet:
    """The classic rules with some changed."""
    return overridden(PRESETS["classic"], overrides)


def options(**changed: Any) -> Options:
    """A normal, public table of a short classic match."""
    return Options(**{"preset": "classic", "rules": rules(target=120), **changed})


@dataclass
class Recorder:
    """A publisher that keeps all it is given and wakes whoever waits."""

    seen: list[Publication] = field(default_factory=list)
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    def publish(self, publication: Publication) -> None:
        """Keep it."""
        self.seen.append(publication)
        self._news.set()
        self._news = asyncio.Event()

    async def until(self, met: Callable[[], bool]) -> None:
        """Wait until something published makes it true."""
        async with asyncio.timeout(WAIT_S):
            while not met():
                await self._news.wait()

    def types(self, code: str) -> list[str]:
        """The types of all events published of a table, in order."""
        return [event.type for p in self.seen if p.code == code for event in p.events]

    def sequence(self, code: str) -> list[int]:
        """Their numbers."""
        return [event.seq for p in self.seen if p.code == code for event in p.events]


class House:
    """``Tables`` with what a test wants to see of it."""

    def __init__(self, database: Database, tables: Tables, recorder: Recorder) -> None:
        self.database = database
        self.tables = tables
        self.recorder = recorder

    async def person(self, name: str = "Ana") -> PlayerRef:
        """A new player with a row of its own."""
        player = PlayerRef(uuid4(), name, "qh")
        await self.database.pool.execute(
            "INSERT INTO player (id, name, avatar, guest, created_at)"
            " VALUES ($1, $2, 'qh', true, clock_timestamp())",
            player.id,
            name,
        )
        return player

    async def people(self, count: int) -> list[PlayerRef]:
        """Several."""
        return [await self.person(f"Person {number}") for number in range(count)]

    async def seated(self, count: int, *, here: bool = True, **changed: Any) -> "Seated":
        """A waiting table with so many people, connected unless told otherwise."""
        people = await self.people(count)
        code = await self.tables.open(people[0], options(**changed))
        for player in people[1:]:
            await self.tables.join(code, player)
        if here:
            for player in people:
                self.tables.connected(code, player.id)
        return Seated(self, code, people)

    async def playing(self, count: int, *, here: bool = True, **changed: Any) -> "Seated":
        """The same with a match that has begun."""
        seated = await self.seated(count, here=here, **changed)
        await self.tables.start(seated.code, seated.people[0].id)
        return seated


@dataclass
class Seated:
    """A table and its people."""

    house: House
    code: str
    people: list[PlayerRef]
    silent: set[UUID] = field(default_factory=set)
    """People for whom ``play_on`` does not play."""

    @property
    def state(self) -> TableState:
        """The live state."""
        found = self.house.tables.state(self.code)
        assert found is not None
        return found

    @property
    def turn_player(self) -> UUID:
        """Whose turn it is."""
        turn = pure.open_turn(self.state)
        assert turn is not None
        assert turn.seat is not None
        player = self.state.seats[turn.seat].player
        assert player is not None
        return player

    async def until(self, met: Callable[[TableState], bool]) -> None:
        """Wait for the live state to become something."""
        await self.house.recorder.until(lambda: met(self.state))

    async def send(self, player: UUID, c: dict[str, Any], **changed: Any) -> Ack | Nak:
        """A command that answers the open decision."""
        given = {"id": uuid4(), "decision": self.state.decision, **changed}
        return await self.house.tables.handle(self.code, player, ClientCommand(c=c, **given))

    async def table_id(self) -> int:
        """The row's id."""
        found = await self.house.database.pool.fetchval(
            "SELECT id FROM game_table WHERE code = $1", self.code
        )
        assert isinstance(found, int)
        return found

    def move(self, rng: random.Random | None = None) -> dict[str, Any]:
        """A legal command of whose turn it is, as a client would send it."""
        rng = rng or random.Random(0)
        legal = pure_legal(self.state)
        if legal.cards:
            return {"type": "play", "card": NAMES[rng.choice(legal.cards)]}
        return {"type": "take"} if "take" in legal.calls else {"type": "pass"}

    async def play_on(self, rng: random.Random, until: Callable[[TableState], bool]) -> None:
        """The people play by random legal cards until something is true; bots do as they do."""
        while not until(self.state):
            turn = pure.open_turn(self.state)
            if turn is not None and turn.seat is not None:
                chair = self.state.seats[turn.seat]
                if chair.player not in {None, *self.silent} and not chair.sitting_in:
                    assert chair.player is not None
                    answer = await self.send(chair.player, self.move(rng))
                    assert isinstance(answer, Ack | Nak)
                    continue
            seq = self.state.seq
            await self.until(lambda state, seq=seq: state.seq > seq or until(state))  # type: ignore[misc]

    async def play_out(self, seed: int = 1) -> None:
        """The whole match."""
        await self.play_on(random.Random(seed), lambda state: state.status != "playing")


def pure_legal(state: TableState) -> Any:
    """The legal choices of whose turn it is."""
    assert state.game is not None
    assert state.game.turn is not None
    return engine.legal(state.game, state.game.turn)


@asynccontextmanager
async def opened(
    database: Database,
    *,
    seed: int | str = 1,
    store: Store | None = None,
    limits: Limits | None = None,
    clock: Clock | None = None,
    run: bool = True,
    **changed: int,
) -> AsyncIterator[House]:
    """A process's ``Tables``, closed at the end."""
    recorder = Recorder()
    tables = Tables(
        database,
        recorder,
        timing=timing(**changed),
        limits=limits or Limits(),
        clock=clock,
        rng=SeededRng(seed),
        store=store,
    )
    await tables.run()
    try:
        await _looked_round(tables)
        yield House(database, tables, recorder)
    finally:
        await tables.close()


async def _looked_round(tables: Tables) -> None:
    """Where people are missed at once (``pause_grace``), so is everybody after a start: that look
    is over before anybody comes, or it would find, late, what a test has done meanwhile."""
    if tables._desk.timing.pause_grace < HOUR:
        looks = [task for task in tables._desk.tasks._tasks if task.get_name() == "tables/adopt"]
        async with asyncio.timeout(WAIT_S):
            await asyncio.gather(*looks)


async def folded(database: Database, code: str, base: int | None = None) -> TableState:
    """The state that the stored log gives, from its base or from number ``base``."""
    store = Store(database, page=7)
    head = await store.head(code)
    assert head is not None
    state: TableState | None = None
    first = head.base_seq if base is None else base
    async for logged in store.events(head.id, first - 1, head.head_seq):
        state = fold(code, state, logged)
    assert state is not None
    return state
