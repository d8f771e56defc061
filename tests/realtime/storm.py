"""What a client should never send: unreadable, mistimed and foreign, but never a valid command.

Everything comes from one seeded generator. What is told to a client (its `turn`) is what it takes
to make a command that is surely wrong: nothing here asks the rules.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal
from uuid import UUID

import orjson

from tests.realtime.harness import Frame
from tests.realtime.stages import Board, Fair, Player

CARDS = [rank + suit for suit in "SHDC" for rank in "789TJQKA"]
TRUMPS = ["S", "H", "D", "C", "NT", "AT"]
DEEP = 1_500
Expected = Literal["unreadable", "nak", "ack", "any"]


@dataclass(frozen=True)
class Shot:
    """A frame, and how it is to be answered: `error` `bad_request`, a `nak` of this id, an `ack`
    of this id with this number (it was done before), or whatever it is."""

    payload: str | bytes
    expected: Expected
    id: str = ""
    code: str = ""
    seq: int = 0
    named: frozenset[str] = frozenset()
    """Cards that the client itself names."""


@dataclass
class Storm:
    """Shots for any player against any table."""

    fair: Fair
    random: random.Random

    def shot(self, player: Player) -> Shot:
        """One frame of a player's."""
        board = self._board_for(player)
        kind = self.random.choices(
            ("text", "frame", "command", "bytes", "listen", "again"), (22, 14, 54, 2, 4, 4)
        )[0]
        make: Callable[[Player, Board], Shot] = getattr(self, f"_{kind}")
        return make(player, board)

    def _board_for(self, player: Player) -> Board:
        own = [board for board in self.fair.boards if board.code == player.table]
        if own and self.random.random() < 0.6:
            return own[0]
        return self.random.choice(self.fair.boards)

    def _uuid(self) -> str:
        return str(UUID(int=self.random.getrandbits(128), version=4))

    # --- What can't be read -------------------------------------------------------------------

    def _text(self, player: Player, board: Board) -> Shot:
        """A text that is no frame."""
        whole = orjson.dumps(self._wild(player, board)).decode()
        text = self.random.choice(
            [
                whole[: self.random.randrange(len(whole))],
                whole + self.random.choice(["}", ",", "\0", whole]),
                whole.replace('"', "'"),
                whole.replace(":", "="),
                "[" * self.random.randrange(1, DEEP),
                '{"t":' * self.random.randrange(1, DEEP // 4),
                "[" * DEEP + "]" * DEEP,
                '{"t":"cmd","c":' + "[" * 900 + "]" * 900 + "}",
                '{"t":"ping","n":' + "9" * self.random.randrange(17, 4_000) + "}",
                '{"t":"ping","n":1e400}', '{"t":"ping","n":NaN}', '{"t":"ping","n":-Infinity}',
                '{"t":"sub","table":"\\ud800\\ud800\\ud800"}', "\ufeff{}", "null", "7", '"pass"',
                "".join(chr(self.random.randrange(1, 0xD7FF)) for _ in range(40)),
                " " * self.random.randrange(1, 4_000), "",
            ]
        )  # fmt: skip
        return Shot(text, "unreadable")

    def _frame(self, player: Player, board: Board) -> Shot:
        """JSON that is no frame: a field too many, too few, or of a wrong kind."""
        frame = self._wild(player, board)
        part: dict[str, Any] = frame["c"] if self.random.random() < 0.5 else frame
        name = self.random.choice([key for key in part if key != "decision"])
        match self.random.randrange(4):
            case 0:
                del part[name]
            case 1:
                part[self._odd_text() or "more"] = 1
            case 2:
                part[name] = self._odd()
            case _:
                frame["decision"] = self.random.choice(
                    [-1, 2**31, 2**64 - 1, 1.5, "7", True, [], {}, [[7]]]
                )
        return Shot(orjson.dumps(frame).decode(), "unreadable")

    def _odd_text(self) -> str:
        return self.random.choice(["", "T", "type ", "__proto__", "seat", "player", "hidden", "é"])

    def _odd(self) -> Any:
        return self.random.choice(
            [None, True, False, 0, -7, 2**63, 1e308, "", "\0", "ZZ", "1S", "10H", "AS ", "as", [],
             {}, [[]], ["AS"], {"type": "play"}, "x" * 500, ["7S"] * 40, "spades", "K7Q2M0"]
        )  # fmt: skip

    def _wild(self, player: Player, board: Board) -> Frame:
        return {
            "t": "cmd",
            "id": self._uuid(),
            "table": board.code,
            "decision": self._decision(player, board),
            "c": {"type": "play", "card": self.random.choice(CARDS)},
        }

    def _bytes(self, player: Player, board: Board) -> Shot:
        """No text at all, though what is in it may be a command."""
        frame = orjson.dumps(self._wild(player, board))
        return Shot(self.random.choice([frame, b"", self.random.randbytes(60)]), "unreadable")

    # --- What can be read, and is not allowed ---------------------------------------------------

    def _decision(self, player: Player, board: Board) -> int | None:
        """Now, before, after, or another table's."""
        state = board.state
        now = state.decision or state.asked or state.seq
        other = self.random.choice(self.fair.boards).state
        return self.random.choice(
            [now, now, now, now - 1, now + 1, state.seq, state.seq + 1, state.seq + 40, 0, 1,
             2**31 - 1, None, other.decision, other.seq, state.bid]
        )  # fmt: skip

    def _command(self, player: Player, board: Board) -> Shot:
        while True:
            c, decision = self._some_command(), self._decision(player, board)
            if not may(player, board, decision, c):
                break
        return self._cmd(board, decision, c)

    def _cmd(self, board: Board, decision: int | None, c: Frame, cid: str = "") -> Shot:
        cid = cid or self._uuid()
        frame = {"t": "cmd", "id": cid, "table": board.code, "decision": decision, "c": c}
        named = frozenset(
            [c.get("card", "")]
            + [card for cards in c.get("declarations") or c.get("declare") or () for card in cards]
        )
        return Shot(orjson.dumps(frame).decode(), "nak", cid, board.code, named=named)

    def _some_command(self) -> Frame:
        pick = self.random.choice
        kind = pick(
            ["pass", "take", "name", "bid", "double", "redouble", "third", "annul", "declare",
             "play", "play", "play", "continue", "reclaim", "ready", "rematch", "resign", "claim"]
        )  # fmt: skip
        c: Frame = {"type": kind}
        if kind in ("name", "bid"):
            c["trump"] = pick(TRUMPS)
        if kind == "bid":
            c["value"] = pick([None, "capot", 1, 80, 90, 160, 170, 250, 1000])
        if kind == "play":
            c["card"] = pick(CARDS)
            c["belote"] = pick([None, True, False])
            c["declare"] = pick([None, None, [], self._declared()])
        if kind == "declare":
            c["declarations"] = pick([None, [], self._declared()])
        if kind in ("ready", "rematch", "resign"):
            c["yes"] = pick([True, False])
        return c

    def _declared(self) -> list[list[str]]:
        return [
            self.random.sample(CARDS, self.random.randrange(3, 9))
            for _ in range(self.random.randrange(1, 4))
        ]

    def _again(self, player: Player, board: Board) -> Shot:
        """An id of a command that was carried out, with something else in it: by whom it was, it
        is answered as before; by anybody else, or at another table, it is nothing known."""
        done = self.random.choice([b for b in self.fair.boards if b.done])
        seat, cid, seq = self.random.choice(done.done)
        shot = self._command(player, done if self.random.random() < 0.7 else board)
        frame = orjson.loads(shot.payload)
        frame["id"] = cid
        same = seat is player and frame["table"] == done.code
        return Shot(
            orjson.dumps(frame).decode(), "ack" if same else "nak", cid, shot.code, seq, shot.named
        )

    def _listen(self, player: Player, board: Board) -> Shot:
        """Listening where one may or may not, in the right words."""
        code = self.random.choice([board.code, board.code, "ZZZZZZ", "K7Q2MD"])
        seq = self.random.choice([0, 1, board.state.seq - 1, board.state.seq, 2**31 - 1])
        frame = self.random.choice(
            [
                {"t": "sub", "table": code},
                {"t": "resync", "table": code, "seq": seq},
                {"t": "ping", "n": 2**52, "have": [{"table": code, "seq": seq, "decision": None}]},
                {"t": "unsub", "table": code},
                {"t": "hello", "proto": 1},
                {"t": "hello", "proto": 0, "resume": [{"table": code, "seq": seq}]},
                {"t": "lobby", "on": True, "preset": "no such game", "running": True},
                {"t": "lobby", "on": False},
                {"t": "queue", "on": True, "preset": "no such game"},
                {"t": "queue", "on": True, "preset": "classic", "party": True},
                {"t": "queue", "on": False},
            ]
        )
        return Shot(orjson.dumps(frame).decode(), "any")


def may(player: Player, board: Board, decision: int | None, c: Frame) -> bool:
    """Whether a player may well do this, from what it was told; then it is no part of the storm."""
    if player not in board.seats:
        return False
    kind, state, turn = c["type"], board.state, player.turn
    if kind in ("resign", "rematch", "ready"):
        return _may_ask(kind, board, decision)
    if turn is None or state.status != "playing":
        return False
    also = {each["kind"] for each in turn.get("also", ())}
    if kind in ("double", "claim"):
        return kind in also or kind in turn.get("legal", {"calls": ()})["calls"]
    if turn["kind"] == "continue":
        return kind == "continue" and decision == turn["decision"]
    if "legal" not in turn or decision != turn["decision"]:
        return False
    legal = turn["legal"]
    if turn["kind"] == "declare":
        return kind == "declare"
    return c.get("card") in legal["cards"] if kind == "play" else kind in legal["calls"]


def _may_ask(kind: str, board: Board, decision: int | None) -> bool:
    state = board.state
    if kind == "resign":
        return state.status == "playing" and decision is None
    if kind == "rematch":
        return state.status == "finished" and decision is None
    return state.ready is not None and decision == state.asked
