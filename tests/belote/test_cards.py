"""Cards, trumps and sides by name and number."""

import pytest

from app.belote.cards import (
    NAMES,
    PACK_32,
    Seat,
    Trump,
    card_named,
    name_of,
    rank_of,
    side_of,
    sides,
    suit_of,
)


def test_every_card_has_one_name_and_one_number() -> None:
    assert len(set(NAMES)) == 32
    assert all(card_named(name_of(card)) == card for card in PACK_32)
    assert (suit_of(card_named("TH")), rank_of(card_named("TH"))) == (1, 3)


@pytest.mark.parametrize("name", ["", "10H", "1S", "th", "AX", "AS "])
def test_what_is_no_card_has_no_number(name: str) -> None:
    with pytest.raises(ValueError, match="not a card"):
        card_named(name)


def test_a_trump_has_a_suit_unless_it_is_none_or_all() -> None:
    assert [trump.suit for trump in Trump] == [0, 1, 2, 3, None, None]


@pytest.mark.parametrize(("players", "count"), [(2, 2), (3, 3), (4, 2)])
def test_partners_differ_by_two_at_a_table_of_four_alone(players: int, count: int) -> None:
    assert sides(players) == count
    assert {side_of(Seat(seat), players) for seat in range(players)} == set(range(count))
    assert side_of(Seat(2), 4) == side_of(Seat(0), 4)
