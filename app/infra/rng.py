"""Randomness as an argument: the server draws from the system, tests from a seed.

Secret bytes for the pack come from here and nowhere else; bots and paces get `random.Random`.
"""

import hashlib
import random
import secrets
from typing import Protocol


class Rng(Protocol):
    """A source of randomness."""

    def token_bytes(self, count: int) -> bytes:
        """That many bytes."""
        ...

    def between(self, low: int, high: int) -> int:
        """A whole number from `low` to `high`, both included."""
        ...

    def random(self) -> random.Random:
        """A generator for things that are no secret (a bot's choice among equals)."""
        ...


class SystemRng:
    """The system's own randomness; fit for secrets."""

    def token_bytes(self, count: int) -> bytes:
        """That many unguessable bytes."""
        return secrets.token_bytes(count)

    def between(self, low: int, high: int) -> int:
        """A whole number from `low` to `high`, both included."""
        return low + secrets.randbelow(high - low + 1)

    def random(self) -> random.Random:
        """A generator backed by the system."""
        return random.SystemRandom()


class SeededRng:
    """The same stream for the same seed: tests, `simulate`, benches. Never for real deals."""

    def __init__(self, seed: int | str) -> None:
        digest = hashlib.sha256(str(seed).encode()).digest()
        self._random = random.Random(digest)

    def token_bytes(self, count: int) -> bytes:
        """The stream's next bytes."""
        return self._random.randbytes(count)

    def between(self, low: int, high: int) -> int:
        """The stream's next whole number from `low` to `high`."""
        return self._random.randint(low, high)

    def random(self) -> random.Random:
        """A generator seeded from the stream."""
        return random.Random(self._random.getrandbits(64))
