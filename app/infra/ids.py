"""Ids: ordered UUIDs (version 7) for players, matches and commands; short codes for tables."""

from uuid import UUID

from app.infra.clock import Clock
from app.infra.rng import Rng

CODE_ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""Digits and capitals that nobody confuses when reading aloud or off a screen: no 0 O, 1 I L."""
CODE_LENGTH = 6
"""31^6 is 887 million: a guess finds one of ten thousand live tables once in 88,000 tries."""


def new_id(clock: Clock, rng: Rng) -> UUID:
    """A UUID of version 7 (RFC 9562): the millisecond first, so that indexes grow at their end."""
    millis = int(clock.now().timestamp() * 1000)
    value = (millis & ((1 << 48) - 1)) << 80
    value |= int.from_bytes(rng.token_bytes(10), "big")
    value = value & ~(0xF << 76) | (0x7 << 76)
    value = value & ~(0x3 << 62) | (0x2 << 62)
    return UUID(int=value)


def new_table_code(rng: Rng) -> str:
    """Six characters such as ``K7Q2MD``. The caller retries when the database knows it already."""
    top = len(CODE_ALPHABET) - 1
    return "".join(CODE_ALPHABET[rng.between(0, top)] for _ in range(CODE_LENGTH))


def read_table_code(text: str) -> str | None:
    """What a person typed, made clean (case, spaces, dashes), or None if it can't be a code."""
    code = "".join(text.split()).replace("-", "").upper()
    if len(code) != CODE_LENGTH or any(letter not in CODE_ALPHABET for letter in code):
        return None
    return code
