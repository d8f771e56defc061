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
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

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


class _Frame(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


Code = Annotated[str, Field(pattern=r"^[2-9A-HJKMNP-Z]{6}$")]
Seq = Annotated[int, Field(ge=0, le=2**31 - 1)]
Nonce = Annotated[int, Field(ge=0, le=2**53)]
CardName = Annotated[str, Field(pattern=r"^[789TJQKA][SHDC]$")]
TrumpName = Literal["S", "H", "D", "C", "NT", "AT"]
Declarations = Annotated[
    tuple[Annotated[tuple[CardName, ...], Field(min_length=3, max_length=8)], ...],
    Field(max_length=6),
]
"""Each as its cards; no hand holds more than a few."""
MAX_TABLES: Final = 8
"""Tables that one `hello` or `ping` may name, and that one socket may listen to."""


class Have(_Frame):
    """What a client has of a table: the last number applied, and the decision it knows open."""

    table: Code
    seq: Seq
    decision: Seq | None = None


class Known(_Frame):
    """A table to go on with after a break: the last number applied."""

    table: Code
    seq: Seq


class Hello(_Frame):
    """`{"t":"hello","proto":1,"build":"any","resume":[{"table":"K7Q2MD","seq":30}]}`"""

    t: Literal["hello"]
    proto: int
    build: Annotated[str, Field(max_length=64)] = "any"
    resume: Annotated[tuple[Known, ...], Field(max_length=MAX_TABLES)] = ()


class Sub(_Frame):
    """`{"t":"sub","table":"K7Q2MD"}`"""

    t: Literal["sub"]
    table: Code


class Unsub(_Frame):
    """`{"t":"unsub","table":"K7Q2MD"}`"""

    t: Literal["unsub"]
    table: Code


class Resync(_Frame):
    """`{"t":"resync","table":"K7Q2MD","seq":41}`"""

    t: Literal["resync"]
    table: Code
    seq: Seq = 0


class Ping(_Frame):
    """`{"t":"ping","n":7,"have":[{"table":"K7Q2MD","seq":41,"decision":41}]}`"""

    t: Literal["ping"]
    n: Nonce
    have: Annotated[tuple[Have, ...], Field(max_length=MAX_TABLES)] = ()


class PassCommand(_Frame):
    """`{"type":"pass"}`"""

    type: Literal["pass"]


class TakeCommand(_Frame):
    """`{"type":"take"}`: the turned-up card and its suit as trump."""

    type: Literal["take"]


class NameCommand(_Frame):
    """`{"type":"name","trump":"H"}`"""

    type: Literal["name"]
    trump: TrumpName


class BidCommand(_Frame):
    """`{"type":"bid","value":90,"trump":"H"}`, `"value":"capot"`, or no value: a contract."""

    type: Literal["bid"]
    trump: TrumpName
    value: Annotated[int, Field(ge=1, le=1000)] | Literal["capot"] | None = None


class DoubleCommand(_Frame):
    """`{"type":"double"}`: in turn, or answering an `also` of the turn."""

    type: Literal["double"]


class RedoubleCommand(_Frame):
    """`{"type":"redouble"}`"""

    type: Literal["redouble"]


class ThirdCommand(_Frame):
    """`{"type":"third"}`: after a redouble, for the match."""

    type: Literal["third"]


class AnnulCommand(_Frame):
    """`{"type":"annul"}`: the dealer throws the deal in."""

    type: Literal["annul"]


class DeclareCommand(_Frame):
    """`{"type":"declare","declarations":[["9H","TH","JH"]]}` before the lead; null: all."""

    type: Literal["declare"]
    declarations: Declarations | None = None


class PlayCommand(_Frame):
    """`{"type":"play","card":"AH","declare":[["9H","TH","JH"]],"belote":false}`; what is left out
    or null is said: every declaration with the first card, belote with its card."""

    type: Literal["play"]
    card: CardName
    declare: Declarations | None = None
    belote: bool | None = None


class ContinueCommand(_Frame):
    """`{"type":"continue"}` at the score sheet."""

    type: Literal["continue"]


class ReclaimCommand(_Frame):
    """`{"type":"reclaim"}`: take one's seat back from the bot; needs no decision."""

    type: Literal["reclaim"]


class ReadyCommand(_Frame):
    """`{"type":"ready","yes":true}` where everybody is asked before a match starts."""

    type: Literal["ready"]
    yes: bool = True


class RematchCommand(_Frame):
    """`{"type":"rematch","yes":true}`: offers one (no decision), or answers the offer."""

    type: Literal["rematch"]
    yes: bool = True


class ResignCommand(_Frame):
    """`{"type":"resign","yes":true}`: offers to resign (no decision), or answers the partner."""

    type: Literal["resign"]
    yes: bool = True


class ClaimCommand(_Frame):
    """`{"type":"claim"}`: on lead, the rest of the tricks are mine whatever the others hold."""

    type: Literal["claim"]


WireCommand = Annotated[
    PassCommand
    | TakeCommand
    | NameCommand
    | BidCommand
    | DoubleCommand
    | RedoubleCommand
    | ThirdCommand
    | AnnulCommand
    | DeclareCommand
    | PlayCommand
    | ContinueCommand
    | ReclaimCommand
    | ReadyCommand
    | RematchCommand
    | ResignCommand
    | ClaimCommand,
    Field(discriminator="type"),
]


class Cmd(_Frame):
    """`{"t":"cmd","id":"<uuid>","table":"K7Q2MD","decision":41,"c":{"type":"pass"}}`"""

    t: Literal["cmd"]
    id: UUID
    table: Code
    decision: Seq | None = None
    c: WireCommand


ClientFrame = Hello | Sub | Unsub | Resync | Ping | Cmd
_inbound: TypeAdapter[ClientFrame] = TypeAdapter(Annotated[ClientFrame, Field(discriminator="t")])

CLIENT_FRAMES: Final = ("hello", "sub", "unsub", "resync", "ping", "cmd")
COMMANDS: Final = (
    "pass",
    "take",
    "name",
    "bid",
    "double",
    "redouble",
    "third",
    "annul",
    "declare",
    "play",
    "continue",
    "reclaim",
    "ready",
    "rematch",
    "resign",
    "claim",
)
SERVER_FRAMES: Final = (
    "welcome", "snap", "ev", "turn", "ack", "nak", "presence", "pong", "error",
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


def error(code: str, table: str | None = None) -> str:
    """A frame that can't be read (`bad_request`), or a table that can't be listened to."""
    frame = {"t": "error", "code": code}
    if table is not None:
        frame["table"] = table
    return _text(frame)
