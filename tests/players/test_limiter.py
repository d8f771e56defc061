"""The limit by address."""

import pytest

from app.infra.errors import AppError
from app.players import limiter
from app.players.limiter import Limiter, address_key
from tests.clocks import FakeClock


def test_the_next_one_waits_for_the_window_to_end() -> None:
    clock = FakeClock()
    guests = Limiter(clock, 2, 60_000)
    guests.take("a")
    clock.advance(10_500)
    guests.take("a")
    with pytest.raises(AppError) as refused:
        guests.take("a")
    assert refused.value.code == "too_many_requests"
    assert refused.value.retry_after == 50
    guests.take("b")
    clock.advance(49_500)
    guests.take("a")


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
    monkeypatch.setattr(limiter, "MOST_ADDRESSES", 10)
    clock = FakeClock()
    guests = Limiter(clock, 1, 1_000)
    for number in range(100):
        guests.take(f"a{number}")
        clock.advance(10)
    assert len(guests._seen) <= 10
