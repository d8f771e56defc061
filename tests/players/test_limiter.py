"""Limits by player and address."""

from uuid import uuid4

import pytest

from app.infra.config import Limits
from app.infra.errors import AppError
from app.players import limiter
from app.players.bounds import Bounds
from app.players.limiter import Limiter, address_key
from tests.clocks import FakeClock


def test_the_next_one_waits_for_the_window_to_end() -> None:
    clock = FakeClock()
    guests = Limiter(clock, 2, 60_000)
    guests.count("a")
    clock.advance(10_500)
    assert guests.wait_ms("a") == 0
    guests.count("a")
    assert guests.wait_ms("a") == 49_500
    assert guests.wait_ms("b") == 0
    clock.advance(49_500)
    assert guests.wait_ms("a") == 0
    guests.count("a")
    assert guests.wait_ms("a") == 0, "a window of its own"


def test_a_refusal_tells_the_seconds_to_wait_and_counts_for_nobody_else() -> None:
    clock = FakeClock()
    bounds = Bounds(clock, Limits(tables_per_player_per_hour=1, tables_per_address_per_hour=2))
    ada, ben = uuid4(), uuid4()
    bounds.opened(ada, "192.0.2.1")
    clock.advance(500)
    for _ in range(3):
        with pytest.raises(AppError) as refused:
            bounds.opened(ada, "192.0.2.1")
        assert refused.value.code == "too_many_requests"
        assert refused.value.retry_after == 3_600
    bounds.opened(ben, "192.0.2.1")
    with pytest.raises(AppError):
        bounds.opened(uuid4(), "192.0.2.1")


def test_who_guesses_is_known_by_player_and_by_address() -> None:
    bounds = Bounds(FakeClock(), Limits(code_misses_per_player=2, code_misses_per_address=3))
    ada, ben = uuid4(), uuid4()
    for _ in range(2):
        assert bounds.guessing(ada, "here") is None
        bounds.code_missed(ada, "here")
    assert bounds.guessing(ada, "elsewhere") is not None
    assert bounds.guessing(ben, "here") is None
    bounds.code_missed(None, "here")
    refusal = bounds.guessing(ben, "here")
    assert refusal is not None
    assert refusal.retry_after == 600
    assert bounds.guessing(ben, "elsewhere") is None


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.2", False),
        ("192.0.2.1", "::ffff:192.0.2.1", True),
        ("2001:db8::1", "2001:db8::ffff:1", True),
        ("2001:db8:0:1::1", "2001:db8:0:2::1", False),
    ],
)
def test_an_ipv6_customer_counts_once(one: str, other: str, same: bool) -> None:
    assert (address_key(one) == address_key(other)) is same


def test_addresses_are_not_kept_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limiter, "MOST_KEYS", 10)
    clock = FakeClock()
    guests = Limiter(clock, 1, 1_000)
    for number in range(100):
        guests.count(f"a{number}")
        clock.advance(10)
    assert len(guests._seen) <= 10
