"""What is a frame and what is not; and docs/protocol.md tells of all of them."""

import re
from pathlib import Path

import orjson
import pytest

from app.infra.config import Settings
from app.infra.errors import KINDS
from app.main import create_app
from app.realtime import protocol
from app.realtime.commands import COMMANDS
from app.realtime.protocol import CloseCode
from app.tables.codec import CODEC
from app.tables.events import ALL_EVENTS

PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text()
CID = "6f0c4a8e-0c4e-4a57-9c80-2f0e4f6d3b11"


def cmd(**changed: object) -> str:
    frame = {"t": "cmd", "id": CID, "table": "K7Q2MD", "decision": 41, "c": {"type": "pass"}}
    return orjson.dumps({**frame, **changed}).decode()


@pytest.mark.parametrize(
    "name", ["Hello", "Sub", "Unsub", "Resync", "Ping", "Cmd", "Lobby", "Queue"]
)
def test_the_example_of_each_frame_can_be_read(name: str) -> None:
    kind = getattr(protocol, name)
    example = (kind.__doc__ or "").strip().strip("`").replace("<uuid>", CID)
    assert isinstance(protocol.read(example), kind)


@pytest.mark.parametrize(
    "c",
    [
        {"type": "pass"},
        {"type": "take"},
        {"type": "name", "trump": "H"},
        {"type": "play", "card": "TH"},
        {"type": "continue"},
        {"type": "reclaim"},
        {"type": "ready", "yes": False},
        {"type": "rematch", "yes": True},
        {"type": "resign", "yes": True},
        {"type": "claim"},
    ],
)
def test_every_command_can_be_read(c: dict[str, object]) -> None:
    frame = protocol.read(cmd(c=c))
    assert isinstance(frame, protocol.Cmd)
    assert frame.c.model_dump(exclude_unset=True) == c


def test_reclaim_needs_no_decision() -> None:
    frame = protocol.read(cmd(decision=None, c={"type": "reclaim"}))
    assert isinstance(frame, protocol.Cmd)
    assert frame.decision is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "null",
        "[]",
        "7",
        '"hello"',
        "{}",
        '{"t":"dance"}',
        '{"t":"hello"}',
        '{"t":"hello","proto":"one"}',
        '{"t":"sub"}',
        '{"t":"sub","table":"k7q2md"}',
        '{"t":"sub","table":"K7Q2M0"}',
        '{"t":"sub","table":"K7Q2MDX"}',
        '{"t":"sub","table":"K7Q2MD","more":1}',
        '{"t":"resync","table":"K7Q2MD","seq":-1}',
        '{"t":"ping","n":1e400}',
        '{"t":"ping","n":1,"have":[' + ",".join(['{"table":"K7Q2MD","seq":1}'] * 9) + "]}",
        cmd(id="7"),
        cmd(decision=-1),
        cmd(c={"type": "deal"}),
        cmd(c={"type": "play"}),
        cmd(c={"type": "play", "card": "1H"}),
        cmd(c={"type": "play", "card": "AH", "seat": 2}),
        cmd(c={"type": "name", "trump": "X"}),
        "[" * 3000,
    ],
)
def test_what_is_no_frame_is_none_and_never_an_error(text: str) -> None:
    assert protocol.read(text) is None


def test_a_batch_frame_is_made_of_shared_parts() -> None:
    from uuid import UUID

    text = protocol.ev("K7Q2MD", [b'{"seq":1}', b'{"seq":2}'], b'{"decision":2}', UUID(CID))
    assert orjson.loads(text) == {
        "t": "ev",
        "table": "K7Q2MD",
        "evs": [{"seq": 1}, {"seq": 2}],
        "turn": {"decision": 2},
        "ack": CID,
    }


@pytest.mark.parametrize(
    "text",
    [
        '{"t":"ping","n":"7"}',
        '{"t":"ping","n":true}',
        '{"t":"ping","n":1.0}',
        '{"t":"hello","proto":"1"}',
        '{"t":"hello","proto":true}',
        cmd(decision="41"),
        cmd(decision=True),
    ],
)
def test_a_number_is_a_number_and_nothing_like_it(text: str) -> None:
    assert protocol.read(text) is None


def test_the_page_names_every_frame_command_and_close_code() -> None:
    for kind in (*protocol.CLIENT_FRAMES, *protocol.SERVER_FRAMES):
        assert f'{{"t":"{kind}"' in PAGE, kind
    for kind in COMMANDS:
        assert f'{{"type":"{kind}"' in PAGE, kind
    for code in CloseCode:
        assert re.search(rf"\b{int(code)}\b", PAGE), code


def test_the_page_names_every_endpoint() -> None:
    api = create_app(Settings(database_url="postgresql://nobody@127.0.0.1/none")).api
    example = {"{code}": "K7Q2MD", "{seat}": "2", "{match_id}": "<id>", "{player_id}": "<id>"}
    for template, operations in api.openapi()["paths"].items():
        path = template
        for name, value in example.items():
            path = path.replace(name, value)
        for method in operations:
            told = rf"^{method.upper()} +{re.escape(path)}(?=\s)"
            assert re.search(told, PAGE, re.MULTILINE), f"{method} {path}"


def test_the_page_names_every_code_of_a_refusal() -> None:
    told = set(re.findall(r"`([a-z_]+)`", PAGE))
    assert KINDS.keys() - told == set()


def test_the_page_names_every_event_with_its_public_fields() -> None:
    section = PAGE.partition("## 6. Events")[2].partition("## 7.")[0]
    for event in ALL_EVENTS:
        row = re.search(rf"^\| [^|]*`{event.TYPE}`[^|]*\|.*$", section, re.MULTILINE)
        assert row is not None, event.TYPE
        for name in public_fields(event):
            assert re.search(rf"\b{name}\b", row.group(0)), f"{event.TYPE}.{name}"


def public_fields(event: type) -> list[str]:
    return [name for name, _ in CODEC._kinds[event].public]


def test_the_page_tells_the_limits_that_the_server_has() -> None:
    from app.infra.config import Limits, Timing

    limits, timing = Limits(), Timing()
    assert f"{limits.frame_bytes} bytes" in PAGE
    assert f"{limits.messages_per_window} frames in {limits.window_ms // 1000} seconds" in PAGE
    assert f"{limits.sockets_per_player} sockets" in PAGE
    assert f"at most {limits.resume_gap} events" in PAGE
    assert f"within {timing.hello // 1000} seconds" in PAGE
    assert f"every {timing.silent // 1000}" in PAGE
    section = PAGE.partition("## 9. Limits")[2].partition("## 10.")[0]
    rows = re.findall(r"^\| ([^|]+) \| (\d*) ?\| (\d*) ?\|$", section, re.MULTILINE)
    told = {what: (player, address) for what, player, address in rows}
    own = {
        "requests in a minute": (limits.requests_per_player_per_minute, limits.requests_per_minute),
        "questions to the referee, and exercises, in a minute": (
            "",
            limits.questions_per_address_per_minute,
        ),
        "new guests in an hour": ("", limits.guests_per_address_per_hour),
        "tables and parties opened in an hour": (
            limits.tables_per_player_per_hour,
            limits.tables_per_address_per_hour,
        ),
        "searches for a game in a minute": (limits.searches_per_player_per_minute, ""),
        "codes that do not exist, in 10 minutes": (
            limits.code_misses_per_player,
            limits.code_misses_per_address,
        ),
        "sockets": (limits.sockets_per_player, limits.sockets_per_address),
        "handshakes in a minute": ("", limits.handshakes_per_address_per_minute),
        "frames of one socket in 10 seconds": (limits.messages_per_window, ""),
        "commands in 10 seconds, all sockets": (
            limits.commands_per_player,
            limits.commands_per_address,
        ),
    }
    assert told == {what: (str(player), str(address)) for what, (player, address) in own.items()}
    assert (limits.window_ms, limits.code_misses_window_ms) == (10_000, 600_000)
    for size in (limits.body_bytes, limits.outbox_messages, limits.outbox_bytes):
        assert str(size) in section
    assert f"{limits.onlookers_per_table} may watch a table" in section
    assert f"up to {timing.queue_longest}" in PAGE
    assert f"the {limits.lobby_rows} that are shown" in PAGE


def refused_by_tables() -> set[str]:
    """The codes with which tables refuse a command, as their source names them."""
    folder = Path(protocol.__file__).parents[1] / "tables"
    source = "".join(path.read_text() for path in folder.glob("*.py"))
    found = set(re.findall(r'\bRefused\("([a-z_]+)"', source))
    assert {"stale", "nothing_to_reclaim"} <= found
    return found


def test_codes_of_errors_on_the_page_are_registered_or_of_the_rules() -> None:
    from typing import get_args

    from app.belote.play import RefusalCode
    from app.belote.refusing import RuleCode

    rules = {*get_args(RuleCode), *get_args(RefusalCode), *refused_by_tables()}
    facts = {"retry", "facts", "turn", "calls", "trumps", "values", "legal", "seat", "declarations"}
    table = PAGE.partition("Codes of a `nak`")[2].partition("## 5")[0]
    told = set(re.findall(r"`([a-z_]+)`", table)) - facts
    assert told - rules - KINDS.keys() - {"nak", "facts.declarations"} == set()
    assert rules <= told
