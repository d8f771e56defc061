"""The pack from committed bytes, recomputed here by the words of the architecture alone."""

import hashlib
import hmac
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from app.belote.cards import PACK_32, name_of
from app.belote.shuffle import below, commit_of, pack_from_bytes

SECRET = bytes(range(32))
NOBODY = [None] * 4
PINNED = (
    "7S QS KH KC 8S QD 9C JS KD 9H QH TS TC JH 7D AC "
    "AD QC 9S 9D 8H 8C TH 8D KS JD AH 7C JC TD 7H AS"
)


def by_hand(secret: bytes, message: bytes) -> list[int]:
    """Another writing of the same shuffle: all words first, then the swaps."""
    words: list[int] = []
    for counter in range(200):
        block = hmac.new(secret, message + b"\n" + counter.to_bytes(8, "big"), hashlib.sha256)
        digest = block.digest()
        words += [int.from_bytes(digest[i * 4 : i * 4 + 4], "big") for i in range(8)]
    pack = list(range(32))
    for size in range(32, 1, -1):
        while words[0] >= (1 << 32) // size * size:
            words.pop(0)
        place = words.pop(0) % size
        pack[size - 1], pack[place] = pack[place], pack[size - 1]
    return pack


def test_the_pack_is_what_the_published_words_give() -> None:
    message = b"rebelote-deal/1\nmatch\n3\n-\n" + b"ab" * 16 + b"\n-\n-"
    given_ = [None, bytes([0xAB] * 16), None, None]
    assert list(pack_from_bytes(SECRET, given_, "match", 3)) == by_hand(SECRET, message)


def test_a_pack_is_pinned() -> None:
    pack = pack_from_bytes(SECRET, NOBODY, "match", 1)
    assert " ".join(name_of(card) for card in pack) == PINNED


@given(st.binary(min_size=32, max_size=32), st.integers(1, 99))
def test_every_pack_has_every_card(secret: bytes, deal: int) -> None:
    assert sorted(pack_from_bytes(secret, NOBODY, "m", deal)) == list(PACK_32)


def test_match_deal_and_contributions_each_change_the_pack() -> None:
    packs = {
        pack_from_bytes(SECRET, NOBODY, "m", 1),
        pack_from_bytes(SECRET, NOBODY, "n", 1),
        pack_from_bytes(SECRET, NOBODY, "m", 2),
        pack_from_bytes(SECRET, [b"x" * 16, None, None, None], "m", 1),
        pack_from_bytes(SECRET, [None, b"x" * 16, None, None], "m", 1),
    }
    assert len(packs) == 5


def test_the_commitment_is_the_hash_of_the_bytes() -> None:
    assert commit_of(SECRET.hex()) == hashlib.sha256(SECRET).hexdigest()


def test_no_place_is_favoured() -> None:
    deals = 3_200
    tops = Counter(pack_from_bytes(SECRET, NOBODY, "m", deal)[0] for deal in range(deals))
    # 31 degrees of freedom: 61.1 is passed by chance once in a thousand; these packs are pinned.
    assert sum((count - 100) ** 2 / 100 for count in tops.values()) < 61.1
    assert len(tops) == 32


def test_a_word_that_would_favour_some_places_is_drawn_again() -> None:
    assert 2**32 % 3 == 1  # so that one word is too many
    assert below(3, iter([2**32 - 1, 5])) == 2
    assert below(3, iter([2**32 - 2, 5])) == 2
    assert below(32, iter([2**32 - 1])) == 31
