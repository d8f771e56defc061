"""Which cards may be played, and the words for those that may not."""

from dataclasses import replace

import pytest

from app.belote.cards import Card, Trump, card_named, name_of
from app.belote.play import legal_mask, refusal
from app.belote.presets import BOOK, CLASSIC
from app.belote.ranking import cards_of, mask_of
from app.belote.rules import RuleSet

from .driver import cards

CLOCKWISE, DEALER, SANS, FRENCH = (
    "classic-clockwise",
    "classic-dealer-leads",
    "sans-annonces",
    "french",
)
COINCHE, CONTREE, BELOT, INTERNATIONAL, BELA = (
    "coinche", "contree", "belot", "belote-international", "bela",
)  # fmt: skip
ALL = ("classic", CLOCKWISE, DEALER, SANS, FRENCH, COINCHE, CONTREE, BELOT, INTERNATIONAL, BELA)
"""The games for four players."""
BUT_BELA = ALL[:-1]


def may(rules: RuleSet, trump: str, hand: str, trick: str) -> set[str]:
    """The names of the cards that may be played."""
    mask = legal_mask(rules, Trump(trump), mask_of(cards(hand)), cards(trick))
    return {name_of(card) for card in cards_of(mask)}


# An opponent led the ace of spades, another ruffed with the nine of hearts.
RUFFED = "AS 8S 9H"


@pytest.mark.parametrize(
    ("trick", "hand", "allowed", "presets"),
    [
        (RUFFED, "QH 7H KD", "QH 7H KD", ("classic", COINCHE, CONTREE, BELOT, INTERNATIONAL)),
        (RUFFED, "QH 7H KD", "QH 7H", (CLOCKWISE, DEALER, SANS, FRENCH, BELA)),
        ("AS 8S", "QH KD", "QH", (CLOCKWISE, BELA)),  # the partner is winning
        ("AS 8S", "QH KD", "QH KD", tuple(p for p in ALL if p not in (CLOCKWISE, BELA))),
        ("TH 7H", "AH 8H", "AH 8H", ("classic", CLOCKWISE, DEALER, COINCHE)),  # and led trumps
        ("TH 7H", "AH 8H", "AH", (SANS, FRENCH, CONTREE, BELOT, INTERNATIONAL, BELA)),
        ("TH", "AH 8H KD", "AH", ALL),  # an opponent led trumps
        ("9H", "AH 8H KD", "AH 8H", ALL),  # nothing higher: any trump, but a trump
        ("9H 7H", "AS KD", "AS KD", ALL),  # no trump at all: anything
        ("TS", "AS 7S AH", "AS 7S", BUT_BELA),  # a plain suit need not be beaten
        ("TS", "AS 7S AH", "AS", (BELA,)),  # but here
        ("TS 7H", "AS 7S AH", "AS 7S", ALL),  # unless the trick is trumped
        ("TS", "AH 7H KD", "AH 7H", ALL),  # void: must trump an opponent's trick
        ("TS 8H", "AH 7H KD", "AH", ALL),  # the partner led but is beaten: no exemption
        ("7S TS 8H", "AH 7H KD", "AH", ALL),  # must overtrump
        ("AS TS 9S", "8D 7C", "8D 7C", ALL),
        ("", "8D 7C JH", "8D 7C JH", ALL),
    ],
)
def test_a_hand_may_play_what_its_rules_allow(
    trick: str, hand: str, allowed: str, presets: tuple[str, ...]
) -> None:
    for preset in presets:
        assert may(BOOK[preset], "H", hand, trick) == set(allowed.split()), preset


def test_the_exemption_holds_though_the_partner_wins_with_a_trump() -> None:
    # Partner ruffed with the eight, the opponent behind did not overtrump.
    for preset in ("classic", DEALER, SANS, FRENCH):
        assert may(BOOK[preset], "H", "QH KD", "AS 8H 7S") == {"QH", "KD"}
    assert may(BOOK[CLOCKWISE], "H", "QH 7H KD", "AS 8H 7S") == {"QH", "7H"}


def test_the_partner_is_the_seat_two_places_before() -> None:
    assert may(CLASSIC, "H", "AH KD", "AS 9S 8S") == {"AH"}  # an opponent led and is winning
    assert may(CLASSIC, "H", "AH KD", "9S AS 8S") == {"AH", "KD"}


def test_at_all_trumps_the_suit_led_must_be_beaten_and_a_void_seat_is_free() -> None:
    assert may(BOOK[FRENCH], "AT", "9S 7S JH", "TS") == {"9S"}
    assert may(BOOK[FRENCH], "AT", "7S 8S JH", "TS") == {"7S", "8S"}
    assert may(BOOK[FRENCH], "AT", "JH 7D", "TS") == {"JH", "7D"}


def test_at_no_trumps_a_void_seat_is_free_and_nothing_need_be_beaten() -> None:
    assert may(BOOK[FRENCH], "NT", "JH 7D", "TS") == {"JH", "7D"}
    assert may(BOOK[FRENCH], "NT", "AS 7S", "TS") == {"AS", "7S"}


def test_a_plain_suit_must_be_beaten_where_the_rules_say_so_unless_it_is_ruffed() -> None:
    bela = BOOK[BELA]
    assert may(bela, "H", "AD 7D", "TD") == {"AD"}
    assert may(bela, "H", "9D 7D", "TD") == {"9D", "7D"}
    assert may(bela, "H", "AD 7D", "TD 7H") == {"AD", "7D"}
    assert may(bela, "H", "QH KD", "AS 8S") == {"QH"}
    assert may(bela, "H", "QH 7H KD", "AS 8H 7S") == {"QH"}


def test_two_and_three_players_have_no_partner() -> None:
    for preset in ("belot-duel", "belot-trio", "belot-open"):
        assert may(BOOK[preset], "H", "AH KD", "AS") == {"AH"}
    assert may(BOOK["belot-trio"], "H", "AH KD", "AS 9S") == {"AH"}
    trio = replace(CLASSIC, players=3, partner_winning="free")
    assert may(trio, "H", "AH KD", "AS 8S") == {"AH"}


def why(rules: RuleSet, trump: str, hand: str, trick: str, card: str) -> object:
    found = refusal(rules, Trump(trump), mask_of(cards(hand)), cards(trick), card_named(card))
    if found is None:
        return None
    suit = None if found.suit is None else "SHDC"[found.suit]
    return found.code, suit, None if found.beat is None else name_of(found.beat)


@pytest.mark.parametrize(
    ("rules", "trump", "hand", "trick", "card", "reason"),
    [
        (CLASSIC, "H", "7S AH", "TS", "AH", ("must_follow", "S", None)),
        (CLASSIC, "H", "8H KD", "TH", "KD", ("must_follow", "H", None)),
        (CLASSIC, "H", "8H AH", "TH", "8H", ("must_beat_trump", "H", "TH")),
        (CLASSIC, "AT", "8S 9S", "TS", "8S", ("must_beat_trump", "S", "TS")),
        (BOOK[BELA], "H", "AD 7D", "TD", "7D", ("must_beat_plain", "D", "TD")),
        (CLASSIC, "H", "8H KD", "TS", "KD", ("must_trump", "H", None)),
        (CLASSIC, "H", "AH 7H KD", "7S TS 8H", "7H", ("must_overtrump", "H", "8H")),
        (CLASSIC, "H", "AH 7H KD", "7S TS 8H", "KD", ("must_overtrump", "H", "8H")),
        (BOOK[FRENCH], "H", "QH 7H KD", RUFFED, "KD", ("must_undertrump", "H", None)),
        (BOOK[CLOCKWISE], "H", "QH 7H KD", "AS 8H 7S", "KD", ("must_trump", "H", None)),
        (BOOK[CLOCKWISE], "H", "7H KD", "AS 9H 7S", "KD", ("must_trump", "H", None)),
        (CLASSIC, "H", "7S AH", "TS", "7S", None),
    ],
)
def test_a_refused_card_has_its_reason(
    rules: RuleSet, trump: str, hand: str, trick: str, card: str, reason: object
) -> None:
    assert why(rules, trump, hand, trick, card) == reason


def test_a_reason_is_given_exactly_for_the_cards_that_are_not_allowed() -> None:
    hand, trick = mask_of(cards("AH 7H KD")), cards("7S TS 8H")
    legal = legal_mask(CLASSIC, Trump.HEARTS, hand, trick)
    refused = [c for c in cards_of(hand) if refusal(CLASSIC, Trump.HEARTS, hand, trick, Card(c))]
    assert mask_of(refused) == hand & ~legal
