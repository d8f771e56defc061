"""The bounded outbox: order, replacing, overflow."""

import pytest

from app.infra.config import Limits
from app.realtime.connection import Outbox


def box(messages: int = 64, size: int = 262_144) -> Outbox:
    return Outbox(Limits(outbox_messages=messages, outbox_bytes=size))


def drained(outbox: Outbox) -> list[str]:
    return [outbox.take() for _ in range(len(outbox))]


def test_frames_leave_in_the_order_in_which_they_came() -> None:
    outbox = box()
    for text in ("a", "b", "c"):
        assert outbox.put(text)
    assert drained(outbox) == ["a", "b", "c"]


def test_a_newer_turn_takes_the_older_ones_place_at_the_end_of_the_line() -> None:
    outbox = box()
    outbox.put_latest(("turn", "K7Q2MD"), "old")
    outbox.put("ev")
    outbox.put_latest(("turn", "K7Q2MD"), "new")
    assert drained(outbox) == ["ev", "new"], "the new turn speaks of the state after ev"


def test_turns_of_other_tables_are_left_alone() -> None:
    outbox = box()
    outbox.put_latest(("turn", "K7Q2MD"), "one")
    outbox.put_latest(("turn", "ABCDEF"), "two")
    outbox.put_latest(("presence", "K7Q2MD"), "three")
    assert drained(outbox) == ["one", "two", "three"]


def test_the_sixty_fifth_message_does_not_fit() -> None:
    outbox = box(messages=64)
    assert all(outbox.put("x") for _ in range(64))
    assert not outbox.put("x")


def test_a_replaced_frame_needs_no_room() -> None:
    outbox = box(messages=2, size=100)
    for n in range(50):
        assert outbox.put_latest(("presence", "K7Q2MD"), f"{n:050}")
    assert len(outbox) == 1


def test_bytes_are_bounded_too_and_given_back_when_sent() -> None:
    outbox = box(size=100)
    assert outbox.put("x" * 100)
    outbox.take()
    assert outbox.put("x" * 100)
    assert not outbox.put("x")


def test_a_frame_that_was_overtaken_can_be_dropped() -> None:
    outbox = box()
    outbox.put_latest(("turn", "K7Q2MD"), "old")
    outbox.drop(("turn", "K7Q2MD"))
    outbox.drop(("turn", "K7Q2MD"))
    assert len(outbox) == 0
    with pytest.raises(IndexError):
        outbox.take()
