"""Tables in any state, shown to a page over a socket that tells it so.

A scene is a table whose events the referee decided, from an arranged pack or a seed; the page gets
its snapshot and turn as the hub would send them, and nothing that it says is answered. So a state
that comes once in a thousand deals can be looked at in every size within a second.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final
from uuid import UUID

from playwright.async_api import Page, Route, WebSocketRoute

from app.belote.cards import PACK_32, Seat, Trump, card_named
from app.belote.commands import (
    Annul,
    Bid,
    Command,
    Declare,
    Double,
    Name,
    Pass,
    Play,
    Redouble,
    Take,
    ThirdDouble,
)
from app.belote.deal import seats_from
from app.belote.engine import State, decide, legal
from app.belote.presets import validated
from app.belote.rules import RuleSet
from app.tables import codec
from app.tables import events as ev
from app.tables import table as tables
from app.tables.events import Event, Occupant, Options
from app.tables.table import Chair, TableState, TurnInfo
from app.tables.views import view
from tests.belote.driver import by_seed, commit_of, deal_of, moves, secret

CODE: Final = "K7Q2MD"
VIEWER: Final = UUID(int=1)
NAMES: Final = ("Maximiliano Ferreira", "Bérénice", "Aleksandar Kovačević", "Ed")
"""Two long names, one with marks, one of two letters: where these fit, others do."""
FACES: Final = ("qh", "js", "kd", "qc")
LEFT_MS: Final = 12_000
WHOLE_MS: Final = 20_000
ME: Final = {"id": str(VIEWER), "name": NAMES[0], "avatar": FACES[0], "level": 3}
QR: Final = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" width="160" height="160"/>'
SIMPLE: Final[dict[str, Callable[[Seat], Command]]] = {
    "pass": Pass,
    "take": Take,
    "double": Double,
    "redouble": Redouble,
    "third": ThirdDouble,
    "annul": Annul,
    "declare": Declare,
}


class Scene:
    """A table with people, brought to a state by calls and cards. The viewer has seat 0."""

    def __init__(self, preset: str, *, dealer: int = 3, **house: object) -> None:
        rules = validated(preset, house)
        options = Options(preset=preset, rules=rules, bots="novice")
        chairs = (Chair(),) * rules.players
        self.rules: RuleSet = rules
        self.dealer = Seat(dealer % rules.players)
        self.table = TableState(CODE, "waiting", VIEWER, options, chairs, seq=1)
        self.seed: object = 0
        for seat in range(rules.players):
            who = Occupant("person", UUID(int=seat + 1), NAMES[seat], FACES[seat], 3 + 9 * seat)
            self.write([ev.SeatTaken(Seat(seat), who)])

    @property
    def game(self) -> State:
        """The match."""
        assert self.table.game is not None
        return self.table.game

    def write(self, events: Iterable[Event], how: ev.How = "human") -> "Scene":
        """Things that happen."""
        for event in events:
            self.table = tables.evolve(self.table, event, self.table.seq + 1, how)
        return self

    def start(self, seed: object = 0, hands: Sequence[str] | None = None) -> "Scene":
        """A match, and its first deal."""
        self.seed = seed
        first = secret(seed, 1)
        seats = tuple(
            Occupant(c.kind, c.player, c.name or "", c.avatar or "", c.level, c.bot)  # type: ignore[arg-type]
            for c in self.table.seats
        )
        self.write([
            ev.MatchStarted(
                match=f"match-{seed}", number=1, rules=self.rules, options=self.table.options,
                host=VIEWER, seats=seats, dealer=self.dealer, commit=commit_of(first), secret=first,
            )
        ])  # fmt: skip
        return self.deal(hands)

    def deal(self, hands: Sequence[str] | None = None) -> "Scene":
        """The next deal: these hands, with what is left over turned up, or any."""
        pack = None if hands is None else pack_of(self.rules, self.game.next_dealer, hands)
        return self.write(decide(self.game, deal_of(self.game, self.seed, pack)), "system")

    def call(self, text: str) -> "Scene":
        """Calls and cards in turn: ``"pass 90H double@3 AS"``; ``@3`` is said by seat 3, out of
        turn."""
        for word in text.split():
            said, _, by = word.partition("@")
            seat = Seat(int(by)) if by else self.game.turn
            assert seat is not None
            self.write(decide(self.game, self._command(said, seat)))
        return self

    def _command(self, said: str, seat: Seat) -> Command:
        if said in SIMPLE:
            return SIMPLE[said](seat)
        if self.game.phase == "play":
            return Play(seat, card_named(said))
        kind = self.rules.auction
        if kind in ("turn_up", "call"):
            return Name(seat, Trump(said))
        if kind == "contracts":
            return Bid(seat, Trump(said))
        trump = next(
            trump for trump in sorted(Trump, key=len, reverse=True) if said.endswith(trump)
        )
        value = said.removesuffix(trump)
        return Bid(seat, trump, "capot" if value == "capot" else int(value))

    def until(self, met: Callable[[State], bool]) -> "Scene":
        """Go on at random, the same for a seed, until something is true."""
        choose = by_seed(self.seed)
        while not met(self.game):
            if self.game.turn is None:
                self.deal()
            else:
                self.write(decide(self.game, choose(self.game, moves(self.game))))
        return self

    def frame(self, left_ms: int | None = LEFT_MS) -> dict[str, Any]:
        """The snapshot that the hub would send to the viewer."""
        turn = tables.open_turn(self.table)
        told = None
        if turn is not None:
            choices = None
            if turn.seat is not None:
                choices = legal(self.game, turn.seat)
            also = tables.also(self.table)
            told = TurnInfo(turn.decision, turn.seat, turn.kind, left_ms, choices, also, WHOLE_MS)
        here = tuple(chair.kind == "person" for chair in self.table.seats)
        seat = self.table.seat_of(VIEWER)
        shown = codec.view_json(view(self.table, VIEWER), here)
        turn_ = codec.turn_json(told, seat, 0)
        return {"t": "snap", "table": CODE, "seq": self.table.seq, "view": shown, "turn": turn_}


def pack_of(rules: RuleSet, dealer: Seat, hands: Sequence[str]) -> tuple[Any, ...]:
    """The order of a pack that gives those hands; a hand that is left short gets what is over."""
    wished = [[card_named(name) for name in hand.split()] for hand in hands]
    taken = {card for hand in wished for card in hand}
    lowest = 0 if rules.pack == 32 else 2
    over = [card for card in PACK_32 if card not in taken and card % 8 >= lowest]
    over.sort(key=lambda card: card * 7 % 32)  # so that nobody is left with a whole suit
    sizes = sum(rules.packets.before) + sum(rules.packets.after)
    for hand in wished:
        while len(hand) < sizes:
            hand.append(over.pop())
    order = seats_from(Seat((dealer + 1) % rules.players), rules.players)
    pack: list[Any] = []
    for size in (*rules.packets.before, *rules.packets.after):
        for seat in order:
            pack += wished[seat][:size]
            wished[seat] = wished[seat][size:]
    return (*pack, *over)


class Gallery:
    """A page that is shown one scene after the other."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._socket: WebSocketRoute | None = None
        self._frame: dict[str, Any] = {}
        self._count = 0

    async def hang(self) -> None:
        """Answer for the server where a scene needs it: who I am, that the table is there, the
        socket."""
        await self.page.route("**/api/session", self._session)
        await self.page.route(f"**/api/tables/{CODE}", self._there)
        await self.page.route("**/qr.svg", self._qr)
        await self.page.route_web_socket("**/ws", self._open)

    async def show(self, scene: Scene, left_ms: int | None = LEFT_MS) -> None:
        """Tell the page of the scene, and wait until that is what it shows."""
        self._count += 1
        self._frame = scene.frame(left_ms)
        # The code stands in the top bar: by it one sees which scene is shown.
        self._frame["view"]["code"] = f"SCENE{self._count}"
        if self._socket is None:
            await self.page.goto(f"/t/{CODE}")
        else:
            self._socket.send(json.dumps(self._frame))
        bar = self.page.locator(".topbar", has_text=f"SCENE{self._count}")
        await bar.wait_for(state="attached")

    async def _session(self, route: Route) -> None:
        await route.fulfill(json={"player": {**ME, "guest": True}, "tables": []})

    async def _there(self, route: Route) -> None:
        await route.fulfill(json={"code": CODE})

    async def _qr(self, route: Route) -> None:
        await route.fulfill(body=QR, content_type="image/svg+xml")

    def _open(self, socket: WebSocketRoute) -> None:
        self._socket = socket
        socket.on_message(self._hear)

    def _hear(self, text: str | bytes) -> None:
        assert self._socket is not None
        frame = json.loads(text)
        if frame["t"] == "hello":
            welcome = {"t": "welcome", "proto": 1, "build": "any", "now": "", "player": ME}
            self._socket.send(json.dumps(welcome))
        elif frame["t"] == "sub":
            self._socket.send(json.dumps(self._frame))
        elif frame["t"] == "ping":
            self._socket.send(json.dumps({"t": "pong", "n": frame["n"]}))
