"""The order of a pack from committed bytes, so that anybody can check a deal afterwards.

A Fisher-Yates shuffle whose numbers come from HMAC-SHA256 in counter mode, keyed by the deal's
secret bytes. The message names the match, the deal and what each seat contributed, so the same
bytes give another pack elsewhere. A number that would favour some places is drawn again.
"""

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from typing import TypeVar

from app.belote.cards import PACK_32, Card

T = TypeVar("T")

LABEL = "rebelote-deal/1"
SECRET_BYTES = 32
CONTRIBUTION_BYTES = 16


def pack_from_bytes(
    secret: bytes,
    contributions: Sequence[bytes | None],
    match: str,
    deal: int,
    cards: Sequence[Card] = PACK_32,
) -> tuple[Card, ...]:
    """The pack in the order dealt. ``contributions`` has one entry a seat, None where a seat gave
    none; ``deal`` counts from 1."""
    return shuffled(cards, words_of(secret, contributions, match, deal))


def words_of(
    secret: bytes, contributions: Sequence[bytes | None], match: str, deal: int
) -> Iterator[int]:
    """The numbers that a deal's bytes give, without end."""
    return _words(secret, _message(contributions, match, deal))


def shuffled(items: Sequence[T], words: Iterator[int]) -> tuple[T, ...]:
    """Fisher-Yates from the last place down; takes a word or more for each place but the first."""
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        other = below(last + 1, words)
        order[last], order[other] = order[other], order[last]
    return tuple(order)


def commit_of(secret: str) -> str:
    """The SHA-256 of a deal's bytes, both in hex: what is published before the deal."""
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest()


def _message(contributions: Sequence[bytes | None], match: str, deal: int) -> bytes:
    """Lines of text: label, match, deal, and each seat's contribution in hex or ``-``."""
    given = ["-" if c is None else c.hex() for c in contributions]
    return "\n".join([LABEL, match, str(deal), *given]).encode()


def _words(secret: bytes, message: bytes) -> Iterator[int]:
    """32-bit numbers, big-endian, from HMAC(secret, message + newline + counter in 8 bytes)."""
    counter = 0
    while True:
        block = hmac.digest(secret, message + b"\n" + counter.to_bytes(8, "big"), "sha256")
        for at in range(0, len(block), 4):
            yield int.from_bytes(block[at : at + 4], "big")
        counter += 1


def below(count: int, words: Iterator[int]) -> int:
    """A number from 0 to count - 1, each as likely as any other."""
    limit = 2**32 - 2**32 % count
    for word in words:
        if word < limit:
            return word % count
    raise AssertionError("the stream of words never ends")  # pragma: no cover
