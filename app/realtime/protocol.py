"""The whole wire protocol of `/ws`, in one place; `docs/protocol.md` is its page for strangers.

Every message is one JSON object in a text frame with its kind in `t`. What a client may send is
the closed union `ClientFrame`; what the server sends is made by the functions below and by nothing
else. A frame that can't be read is answered with `error`; it is not an illegal move (that is a
`nak`).
"""

from collections.abc import Sequence
from enum import IntEnum
from typing import Annotated, Any, Final, Literal
from uuid import UUID

import orjson
from pydantic import Field, TypeAdapter, ValidationError

from app.infra.errors import AppError
from app.lobby.places import Place
from app.realtime.commands import Frame, WireCommand
from app.tables.events import Speed

PROTO: Final = 1
"""Raised when a client of the version before could no longer play; it then gets 4426."""


class CloseCode(IntEnum):
    """Why the server closes a socket, and so what the client does next."""

    GOING_AWAY = 1001
    """Connect again after the usual wait."""
    RESTARTING = 1012
    """The server stops for a moment: connect again."""
    SIGN_IN = 4401
    """No session, or it is over: get a new one first."""
    FORBIDDEN = 4403
    """Connect again only as somebody else."""
    SLOW = 4408
    """Nothing was read, said or answered for too long: connect again."""
    TOO_MANY = 4409
    """This player has too many sockets: close another first."""
    RELOAD = 4426
    """The client is too old: reload it."""
    FLOOD = 4429
    """Too many messages: wait, then connect again."""


Code = Annotated[str, Field(pattern=r"^[2-9A-HJKMNP-Z]{6}$")]
Seq = Annotated[int, Field(ge=0, le=2**31 - 1)]
Nonce = Annotated[int, Field(ge=0, le=2**53)]
MAX_TABLES: Final = 8
"""Tables that one `hello` or `ping` may name, and that one socket may listen to."""


class Have(Frame):
    """What a client has of a table: the last number applied, and the decision it knows open."""

    table: Code
    seq: Seq
    decision: Seq | None = None


class Known(Frame):
    """A table to go on with after a break: the last number applied."""

    table: Code
    seq: Seq


class Hello(Frame):
    """`{"t":"hello","proto":1,"build":"any","resume":[{"table":"K7Q2MD","seq":30}]}`"""

    t: Literal["hello"]
    proto: int
    build: Annotated[str, Field(max_length=64)] = "any"
    resume: Annotated[tuple[Known, ...], Field(max_length=MAX_TABLES)] = ()


class Sub(Frame):
    """`{"t":"sub","table":"K7Q2MD"}`"""

    t: Literal["sub"]
    table: Code


class Unsub(Frame):
    """`{"t":"unsub","table":"K7Q2MD"}`"""

    t: Literal["unsub"]
    table: Code


class Resync(Frame):
    """`{"t":"resync","table":"K7Q2MD","seq":41}`"""

    t: Literal["resync"]
    table: Code
    seq: Seq = 0


class Ping(Frame):
    """`{"t":"ping","n":7,"have":[{"table":"K7Q2MD","seq":41,"decision":41}]}`"""

    t: Literal["ping"]
    n: Nonce
    have: Annotated[tuple[Have, ...], Field(max_length=MAX_TABLES)] = ()


class Cmd(Frame):
    """`{"t":"cmd","id":"<uuid>","table":"K7Q2MD","decision":41,"c":{"type":"pass"}}`"""

    t: Literal["cmd"]
    id: UUID
    table: Code
    decision: Seq | None = None
    c: WireCommand


class Lobby(Frame):
    """`{"t":"lobby","on":true,"preset":"classic","rated":false,"speed":"normal","seats":1}`"""

    t: Literal["lobby"]
    on: bool
    preset: Annotated[str, Field(max_length=40)] | None = None
    rated: bool | None = None
    speed: Speed | None = None
    seats: Annotated[int, Field(ge=0, le=4)] = 0
    running: bool = False


class Queue(Frame):
    """`{"t":"queue","on":true,"preset":"classic","speed":"normal","rated":false}`"""

    t: Literal["queue"]
    on: bool
    preset: Annotated[str, Field(max_length=40)] = "classic"
    target: Annotated[int, Field(ge=1, le=10_000)] | None = None
    speed: Speed = "normal"
    rated: bool = False
    wait_ms: Annotated[int, Field(ge=0, le=600_000)] | None = None
    party: bool = False


ClientFrame = Hello | Sub | Unsub | Resync | Ping | Cmd | Lobby | Queue
_inbound: TypeAdapter[ClientFrame] = TypeAdapter(Annotated[ClientFrame, Field(discriminator="t")])

CLIENT_FRAMES: Final = ("hello", "sub", "unsub", "resync", "ping", "cmd", "lobby", "queue")
SERVER_FRAMES: Final = (
    "welcome", "snap", "ev", "turn", "ack", "nak", "presence", "pong", "error",
    "lobby", "queued", "matched", "cancelled",
)  # fmt: skip


def read(text: str | bytes) -> ClientFrame | None:
    """A client's frame; None if it is not one."""
    try:
        return _inbound.validate_json(text)
    except (ValidationError, ValueError):
        return None


def _text(frame: dict[str, Any]) -> str:
    return orjson.dumps(frame).decode()


def welcome(build: str, player: dict[str, Any], now: str) -> str:
    """The answer to `hello`."""
    frame = {"t": "welcome", "proto": PROTO, "build": build, "player": player, "now": now}
    return _text(frame)


def snap(table: str, seq: int, view: dict[str, Any], turn: dict[str, Any] | None) -> str:
    """A table as the viewer knows it; forget what was known before."""
    return _text({"t": "snap", "table": table, "seq": seq, "view": view, "turn": turn})


def ev(table: str, events: Sequence[bytes], turn: bytes | None, ack: UUID | None = None) -> str:
    """The events of a batch, one frame (D14). The parts come encoded: many sockets share them."""
    parts = [b'{"t":"ev","table":"', table.encode(), b'","evs":[', b",".join(events), b"]"]
    if turn is not None:
        parts += (b',"turn":', turn)
    if ack is not None:
        parts += (b',"ack":"', str(ack).encode(), b'"')
    parts.append(b"}")
    return b"".join(parts).decode()


def turn(table: str, told: dict[str, Any] | None) -> str:
    """Whose turn it is, and to that seat what is legal; never lost, only replaced by a newer."""
    return _text({"t": "turn", "table": table, "turn": told})


def ack(command: UUID, seq: int) -> str:
    """The command is done and durable (D3); also the answer to sending it again (D7)."""
    return _text({"t": "ack", "id": str(command), "seq": seq})


def nak(command: UUID, code: str, retry: bool, facts: dict[str, Any] | None = None) -> str:
    """The command is not done; with `retry`, the same one may be sent again."""
    frame: dict[str, Any] = {"t": "nak", "id": str(command), "code": code, "retry": retry}
    if facts:
        frame["facts"] = facts
    return _text(frame)


def presence(table: str, seats: Sequence[bool | None], watching: int) -> str:
    """By seat: true a person who is connected, false one who is not, null a bot or nobody; and how
    many watch."""
    return _text({"t": "presence", "table": table, "seats": list(seats), "watching": watching})


def pong(n: int) -> str:
    """The answer to `ping`."""
    return _text({"t": "pong", "n": n})


def error(code: str, table: str | None = None, retry_ms: int | None = None) -> str:
    """A frame that can't be read (`bad_request`), or a table that can't be listened to."""
    frame: dict[str, Any] = {"t": "error", "code": code}
    if table is not None:
        frame["table"] = table
    if retry_ms is not None:
        frame["retry_ms"] = retry_ms
    return _text(frame)


def lobby(rows: Sequence[bytes], more: bool, gone: Sequence[str] | None = None) -> str:
    """The list, or with `gone` what has changed of it. The rows come encoded: many share them."""
    parts = [b'{"t":"lobby","full":', orjson.dumps(gone is None), b',"more":', orjson.dumps(more)]
    parts += [b',"tables":[', b",".join(rows), b"]"]
    if gone is not None:
        parts += [b',"gone":', orjson.dumps(list(gone))]
    return b"".join([*parts, b"}"]).decode()


def queued(place: Place, people: int, left_ms: int | None) -> str:
    """Looking for a game; `left_ms` null: the partner does not look yet."""
    wish = place.wish
    asked = {
        "preset": wish.preset,
        "target": wish.target,
        "speed": wish.speed,
        "rated": wish.rated,
        "party": place.party,
        "wait_ms": place.wait_ms,
    }
    return _text({"t": "queued", **asked, "people": people, "left_ms": left_ms})


def matched(table: str, seat: int) -> str:
    """A seat; the search is over."""
    return _text({"t": "matched", "table": table, "seat": seat})


def cancelled(error: AppError | None = None) -> str:
    """The search is over without a seat; without an error because the client said so."""
    if error is None:
        return _text({"t": "cancelled", "code": "left"})
    frame: dict[str, Any] = {"t": "cancelled", "code": error.code}
    if facts := facts_of(error):
        frame["facts"] = facts
    return _text(frame)


def facts_of(error: AppError) -> dict[str, Any]:
    """What an error tells beside its code; how long to wait, where that is known."""
    facts = dict(error.facts)
    return facts if error.retry_after is None else {**facts, "retry_ms": error.retry_after * 1000}
