"""Every limit that a request may meet: so much goes, then a clear refusal that says how long to
wait. A limit that is not looked at here, or where it is named, fails the first test."""

from collections.abc import Callable
from typing import Any

import httpx
import pytest

from app.infra.config import Limits
from tests.clocks import FakeClock
from tests.realtime.harness import Guest, Running, limits, serving

MINUTE, HOUR = 60, 3_600
ELSEWHERE = {
    # tests/realtime/test_limits.py
    "frame_bytes", "messages_per_window", "window_ms", "sockets_per_player",
    # tests/lobby/test_bounds.py
    "sockets_per_address", "handshakes_per_address_per_minute", "commands_per_player",
    "code_misses_window_ms",
    # tests/realtime/test_outbox.py, test_resume.py, test_watching.py, test_lobby.py
    "outbox_messages", "outbox_bytes", "resume_gap", "onlookers_per_table", "lobby_rows",
    # Nobody outside meets them: tests/tables, tests/infra
    "loads_at_once", "event_page", "group_batches", "waiting_batches", "row_transactions",
    "pool_size", "committer_connections",
}  # fmt: skip
SAME = "203.0.113.1"
MOST = 3


def asks(method: str, path: str, body: Any = None) -> Callable[[Guest], Any]:
    """A request of a guest's."""
    return lambda guest: guest.ask(method, path, body)


QUESTION = {"ask": "legal", "preset": "classic", "trump": "H", "seat": 0, "hand": [], "trick": []}
REQUESTS: dict[str, tuple[Callable[[Guest], Any], bool, int]] = {
    # by limit: what is asked, whether by one player (or several of one address), seconds
    "requests_per_player_per_minute": (asks("GET", "/api/me"), True, MINUTE),
    "requests_per_minute": (asks("GET", "/api/presets"), False, MINUTE),
    "guests_per_address_per_hour": (asks("POST", "/api/guests"), False, HOUR),
    "tables_per_player_per_hour": (asks("POST", "/api/parties"), True, HOUR),
    "tables_per_address_per_hour": (asks("POST", "/api/parties"), False, HOUR),
    "searches_per_player_per_minute": (
        asks("POST", "/api/play-now", {"party": True}),
        True,
        MINUTE,
    ),
    "questions_per_address_per_minute": (asks("POST", "/api/referee", QUESTION), False, MINUTE),
    "code_misses_per_player": (asks("GET", "/api/tables/ZZZZZZ"), True, 10 * MINUTE),
    "code_misses_per_address": (asks("GET", "/api/parties/ZZZZZZ"), False, 10 * MINUTE),
}


def test_every_limit_is_looked_at() -> None:
    others = {"body_bytes", "commands_per_address"}  # below
    assert REQUESTS.keys() | others | ELSEWHERE == Limits.model_fields.keys()


@pytest.mark.parametrize("name", REQUESTS)
async def test_so_much_goes_and_then_one_must_wait(database_url: str, name: str) -> None:
    ask, alone, window_s = REQUESTS[name]
    few, still = limits(**{name: MOST}), FakeClock()  # no window ends while it is filled
    async with serving(database_url, limits_=few, clock=still) as server:
        people = [await somebody(server, name, SAME) for _ in range(1 if alone else MOST + 1)]
        for n in range(MOST):
            answer = await ask(people[n % len(people)])
            assert answer.status_code != 429, answer.text
        refused = await ask(people[-1])
        assert refused.status_code == 429, refused.text
        assert refused.json()["error"]["code"] == "too_many_requests"
        assert refused.json()["error"]["message"]
        assert 0 < int(refused.headers["retry-after"]) <= window_s
        other = await somebody(server, name, "203.0.113.2")
        assert (await ask(other)).status_code != 429, "others go on"


async def somebody(server: Running, name: str, address: str) -> Guest:
    """A guest; but where making one is what the limit counts, nobody does as well."""
    if name in ("guests_per_address_per_hour", "requests_per_minute"):
        return Guest(server, "", "nobody", address)
    return await server.guest(address=address)


async def test_commands_of_an_address_are_counted_together(database_url: str) -> None:
    few, still = limits(commands_per_address=MOST), FakeClock()
    async with serving(database_url, limits_=few, clock=still) as server:
        people = [await server.guest(address=SAME) for _ in range(MOST + 1)]
        told = [await command(guest) for guest in people]
        assert [frame["code"] for frame in told] == ["table_not_found"] * MOST + ["flood"]
        assert told[-1]["retry"] is True
        assert 0 < told[-1]["facts"]["retry_ms"] <= 10_000


async def command(guest: Guest) -> dict[str, Any]:
    async with guest.socket() as wire:
        cid = "6f0c4a8e-0c4e-4a57-9c80-2f0e4f6d3b11"
        await wire.send(t="cmd", id=cid, table="ZZZZZZ", c={"type": "reclaim"})
        return await wire.get("nak")


@pytest.mark.parametrize("told", [True, False])
async def test_a_body_is_so_large_and_no_larger(database_url: str, told: bool) -> None:
    async with serving(database_url, limits_=limits(body_bytes=1_000)) as server:
        for size, status in ((1_000, 422), (1_001, 413)):
            answer = await posted(server, b'"' + b"x" * (size - 2) + b'"', told)
            assert answer.status_code == status, answer.text
        assert answer.json()["error"]["code"] == "too_large"


async def posted(server: Running, body: bytes, told: bool) -> httpx.Response:
    """With its length told before, or in chunks."""

    async def chunks() -> Any:
        for start in range(0, len(body), 300):
            yield body[start : start + 300]

    headers = {"Content-Type": "application/json"}
    return await server.http.post(
        "/api/guests", content=body if told else chunks(), headers=headers
    )
