"""Who gets which card of a pack."""

from dataclasses import replace

from app.belote.cards import PACK_32, Seat, name_of
from app.belote.deal import Dealt, first_packets, pack_of, rest, seats_from
from app.belote.presets import CLASSIC
from app.belote.rules import Packets

# The pack in its natural order, dealt by seat 3: eldest is seat 0.
DEALER = Seat(3)


def text(hand: tuple[int, ...]) -> str:
    return " ".join(name_of(card) for card in hand)  # type: ignore[arg-type]


def test_packets_of_three_and_two_go_round_whole_from_eldest() -> None:
    dealt = first_packets(CLASSIC, PACK_32, DEALER)
    assert [text(hand) for hand in dealt.hands] == [
        "7S 8S 9S JH QH", "TS JS QS KH AH", "KS AS 7H 7D 8D", "8H 9H TH 9D TD",
    ]  # fmt: skip
    assert dealt.turned is not None
    assert name_of(dealt.turned) == "JD"
    assert text(dealt.stock) == "QD KD AD 7C 8C 9C TC JC QC KC AC"


def test_the_taker_picks_up_the_turn_up_and_gets_one_card_less() -> None:
    full = rest(CLASSIC, first_packets(CLASSIC, PACK_32, DEALER), DEALER, Seat(1))
    assert [text(hand[5:]) for hand in full.hands] == [
        "QD KD AD", "JD 7C 8C", "9C TC JC", "QC KC AC",
    ]  # fmt: skip
    assert full.stock == ()


def test_a_pack_is_rebuilt_from_what_was_dealt() -> None:
    for dealer in range(4):
        pack = PACK_32[dealer * 3 :] + PACK_32[: dealer * 3]
        dealt = first_packets(CLASSIC, pack, Seat(dealer))
        assert pack_of(CLASSIC, dealt, Seat(dealer)) == pack
    assert pack_of(CLASSIC, Dealt(((),) * 4, None, PACK_32), DEALER) == PACK_32


def test_seats_go_round() -> None:
    assert seats_from(Seat(2), 4) == (2, 3, 0, 1)
    assert seats_from(Seat(1), 3) == (1, 2, 0)


def test_a_game_without_a_turn_up_deals_every_card_before_the_auction() -> None:
    rules = replace(CLASSIC, auction="levels", packets=Packets((3, 2, 3)))
    dealt = first_packets(rules, PACK_32, DEALER)
    assert dealt.turned is None
    assert dealt.stock == ()
    assert text(dealt.hands[0]) == "7S 8S 9S JH QH JD QD KD"
    assert rest(rules, dealt, DEALER, Seat(1)) == dealt
    assert pack_of(rules, dealt, DEALER) == PACK_32
