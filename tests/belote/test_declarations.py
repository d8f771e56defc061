"""What a hand declares, and whose declarations count."""

from dataclasses import replace

import pytest

from app.belote.cards import Seat, Trump, card_named, name_of
from app.belote.declarations import (
    belote_call,
    held,
    picked,
    points_by_side,
    run_of_eight,
    settled,
    winning_side,
)
from app.belote.events import Declaration
from app.belote.presets import BOOK, CLASSIC
from app.belote.ranking import mask_of
from app.belote.rules import RuleSet

from .driver import cards


def declared(
    hand: str, rules: RuleSet = CLASSIC, seat: int = 0, trump: Trump = Trump.HEARTS
) -> tuple[Declaration, ...]:
    return held(rules, trump, Seat(seat), mask_of(cards(hand)))


def told(hand: str, rules: RuleSet = CLASSIC) -> list[str]:
    return [
        f"{d.kind} {d.points}: {' '.join(name_of(card) for card in d.cards)}"
        for d in declared(hand, rules)
    ]


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("7S 8S TS JH QD KD 7C 9C", []),
        ("7S 8S 9S JH QD KD 7C TC", ["tierce 20: 7S 8S 9S"]),
        ("9S TS JS QS 7H 8H 7C 8C", ["quarte 50: 9S TS JS QS"]),
        ("TS JS QS KS AS 7H 7C 8C", ["quinte 100: TS JS QS KS AS"]),
        ("8H 9H TH JH QH KH AH 7C", ["quinte 100: TH JH QH KH AH"]),
        ("7H 8H 9H TH JH QH KH AH", ["quinte 100: TH JH QH KH AH"]),
        ("7S 8S 9S QS KS AS 7C TD", ["tierce 20: QS KS AS", "tierce 20: 7S 8S 9S"]),
        ("JS JH JD JC 7S 8S 7H 8H", ["carre 200: JS JH JD JC"]),
        ("9S 9H 9D 9C 7S 7H AD AC", ["carre 150: 9S 9H 9D 9C"]),
        ("7S 7H 7D 7C 8S 8H 8D 8C", []),
        # aces, tens, kings and queens are 100 each
        ("AS AH AD AC QS QH QD QC", ["carre 100: AS AH AD AC", "carre 100: QS QH QD QC"]),
        ("TS TH TD TC KS KH KD KC", ["carre 100: TS TH TD TC", "carre 100: KS KH KD KC"]),
        # the carré takes its cards first if that is worth more in all: 100 against 50
        ("JS QS KS AS KH KD KC 7C", ["carre 100: KS KH KD KC"]),
        # what remains counts as runs: 200 and a tierce
        ("8S 9S TS JS JH JD JC 7C", ["carre 200: JS JH JD JC", "tierce 20: 8S 9S TS"]),
        # equal, 100 and 100: the run keeps its cards
        ("8S 9S TS JS QS TH TD TC", ["quinte 100: 8S 9S TS JS QS"]),
        # 150 and what is left of the run
        ("7S 8S 9S TS JS 9H 9D 9C", ["carre 150: 9S 9H 9D 9C"]),
    ],
)
def test_a_hand_declares_what_is_worth_most(hand: str, expected: list[str]) -> None:
    assert told(hand) == expected


def test_a_run_of_eight_may_count_as_quinte_and_tierce() -> None:
    rules = replace(CLASSIC, run_of_eight="quinte_and_tierce")
    hand = "7H 8H 9H TH JH QH KH AH"
    assert told(hand, rules) == ["quinte 100: TH JH QH KH AH", "tierce 20: 7H 8H 9H"]
    assert told("8H 9H TH JH QH KH AH 7C", rules) == ["quinte 100: TH JH QH KH AH"]


def test_a_card_may_serve_twice_where_cards_are_shared() -> None:
    rules = replace(CLASSIC, cards_shared=True)
    hand = "JS QS KS AS KH KD KC 7C"
    assert told(hand, rules) == ["carre 100: KS KH KD KC", "quarte 50: JS QS KS AS"]


def pool(*hands: str) -> list[Declaration]:
    """The declarations of seats 0, 1, … with those cards."""
    return [d for seat, hand in enumerate(hands) for d in declared(hand, seat=seat)]


@pytest.mark.parametrize(
    ("hands", "trump", "leader", "side"),
    [
        (("7S 8S 9S", "8H 9H TH"), "D", 0, 1),  # the higher top card; the ten is in the order
        (("7S 8S 9S TS", "QH KH AH"), "D", 0, 0),  # the longer
        (("TS JS QS KS AS", "QH QD QC QS"), "D", 0, 1),  # any carré beats any sequence
        (("AS AH AD AC", "9S 9H 9D 9C"), "D", 0, 1),  # 150 beats 100
        (("QS QH QD QC", "KS KH KD KC"), "D", 0, 1),  # A > 10 > K > Q
        (("TS TH TD TC", "KS KH KD KC"), "D", 0, 0),
        (("7S 8S 9S TS JS QS", "7H 8H 9H TH JH"), "D", 0, 0),  # quintes by their top card
        (("8S 9S TS JS QS KS", "9H TH JH QH KH"), "D", 1, 1),  # every long run is a quinte
        (("7S 8S 9S", "7H 8H 9H"), "H", 0, 1),  # equal: trump first
        (("7S 8S 9S", "7H 8H 9H"), "D", 0, 0),  # then the first from the leader
        (("7S 8S 9S", "7H 8H 9H"), "D", 1, 1),
        (("7S 8S 9S", "7H 8H 9H"), "D", 2, 0),
        (("7S 8S 9S", "", "7H 8H 9H"), "D", 1, 0),  # equal tierces of one side
    ],
)
def test_the_strongest_declaration_wins_for_its_side(
    hands: tuple[str, ...], trump: str, leader: int, side: int
) -> None:
    assert winning_side(CLASSIC, Trump(trump), Seat(leader), pool(*hands)) == side


def test_equal_declarations_may_be_void_but_not_those_of_one_side() -> None:
    void = replace(CLASSIC, declaration_tie="void")
    both = pool("7S 8S 9S", "7H 8H 9H")
    assert winning_side(void, Trump.HEARTS, Seat(0), both) is None
    assert [d.outcome for d in settled(void, Trump.HEARTS, Seat(0), both)] == ["void", "void"]
    partners = pool("7S 8S 9S", "", "7H 8H 9H")
    assert winning_side(void, Trump.HEARTS, Seat(0), partners) == 0
    assert winning_side(void, Trump.HEARTS, Seat(0), []) is None


def test_equal_declarations_may_go_to_the_first_in_order_of_play() -> None:
    first = replace(CLASSIC, declaration_tie="first")
    both = pool("7S 8S 9S", "7H 8H 9H")
    assert winning_side(first, Trump.HEARTS, Seat(0), both) == 0


def test_the_winning_side_scores_all_of_its_own_and_alone_is_shown() -> None:
    all_ = pool("7S 8S 9S", "QH KH AH", "7D 8D 9D", "TC JC QC")
    shown = settled(CLASSIC, Trump.SPADES, Seat(2), all_)
    assert [(d.seat, d.outcome) for d in shown] == [
        (2, "beaten"), (3, "scored"), (0, "beaten"), (1, "scored"),
    ]  # fmt: skip
    assert [d.cards is not None for d in shown] == [False, True, False, True]
    assert [d.points for d in shown] == [None, 20, None, 20]
    assert points_by_side(CLASSIC, shown) == (0, 40)


def test_carres_and_sequences_may_be_settled_apart() -> None:
    tens, quinte = "TS TH TD TC", "7S 8S 9S"
    one = settled(CLASSIC, Trump.HEARTS, Seat(0), pool(tens, quinte))
    apart = replace(CLASSIC, declaration_pools="separate")
    two = settled(apart, Trump.HEARTS, Seat(0), pool(tens, quinte))
    assert points_by_side(CLASSIC, one) == (100, 0)
    assert points_by_side(apart, two) == (100, 20)


@pytest.mark.parametrize(
    ("trump", "hand", "said", "card", "call"),
    [
        ("H", "KH QH 7S", 0, "KH", "belote"),
        ("H", "KH QH 7S", 0, "QH", "belote"),
        ("H", "QH 7S", 1, "QH", "rebelote"),
        ("H", "KH 7S", 0, "KH", None),  # the queen is with another seat
        ("H", "KH QH KS QS", 0, "KS", None),
        ("H", "KH QH JH", 0, "JH", None),
        ("AT", "KS QS", 0, "QS", "belote"),
        ("NT", "KS QS", 0, "QS", None),
    ],
)
def test_belote_is_said_with_the_first_and_rebelote_with_the_second(
    trump: str, hand: str, said: int, card: str, call: str | None
) -> None:
    found = belote_call(CLASSIC, Trump(trump), mask_of(cards(hand)), said, card_named(card), ())
    assert found == call


@pytest.mark.parametrize(
    ("game", "trump", "trick", "call"),
    [
        ("belot", "H", "", "belote"),  # led
        ("belot", "H", "7S", "belote"),  # a ruff
        ("belot", "H", "7S 8S 9S", "belote"),
        ("belot", "H", "7H 8S", "belote"),  # on the suit that the partner led
        ("belot", "H", "7H", None),
        ("belot", "H", "7H 8S 9S", None),
        ("belot", "AT", "7S 8S", None),  # at all trumps a discard is no ruff
        ("belot", "AT", "7H 8S", "belote"),
        ("belot-trio", "H", "7H 8S", None),  # three players have no partners
        ("belot-duel", "H", "7S", "belote"),
        ("belote-international", "H", "7H", "belote"),
        ("bela", "H", "7H", "belote"),
    ],
)
def test_belote_may_ask_for_a_lead_a_ruff_or_the_partners_suit(
    game: str, trump: str, trick: str, call: str | None
) -> None:
    hand = mask_of(cards("KH QH"))
    found = belote_call(BOOK[game], Trump(trump), hand, 0, card_named("KH"), cards(trick))
    assert found == call


def test_belote_once_missed_is_lost() -> None:
    queen = mask_of(cards("QH"))
    assert belote_call(BOOK["belot"], Trump.HEARTS, queen, 0, card_named("QH"), ()) is None


def test_a_game_without_declarations_finds_none() -> None:
    assert declared("7S 8S 9S JS JH JD JC", BOOK["contree"]) == ()


def test_at_no_trumps_nothing_is_declared_save_what_the_rules_say() -> None:
    hand = "7S 8S 9S AS AH AD AC 7H"

    def found(**changes: object) -> list[int]:
        rules = replace(BOOK["belot"], **changes)  # type: ignore[arg-type]
        return [d.points for d in declared(hand, rules, trump=Trump.NO_TRUMPS)]

    assert found() == []
    assert found(nt_four_aces=200) == [200]
    assert found(nt_declarations="all") == [100, 20]
    assert found(nt_declarations="all", nt_four_aces=200) == [200, 20]
    assert [d.points for d in declared(hand, BOOK["belot"], trump=Trump.ALL_TRUMPS)] == [100, 20]


def test_four_aces_worth_as_much_as_four_jacks_are_stronger() -> None:
    rules = replace(BOOK["belote-international"], nt_declarations="all", nt_four_aces=200)
    jacks = declared("JS JH JD JC", rules, 0, Trump.NO_TRUMPS)
    aces = declared("AS AH AD AC", rules, 1, Trump.NO_TRUMPS)
    assert winning_side(rules, Trump.NO_TRUMPS, Seat(0), jacks + aces) == 1
    assert winning_side(CLASSIC, Trump.HEARTS, Seat(0), pool("JS JH JD JC", "AS AH AD AC")) == 0


def test_a_run_of_eight_that_wins_the_match_shows_all_its_cards() -> None:
    bela = BOOK["bela"]
    run = declared("7H 8H 9H TH JH QH KH AH", bela, seat=3)
    assert [(d.kind, len(d.cards)) for d in run] == [("quinte", 8)]
    assert run_of_eight(bela, run) == 3
    assert run_of_eight(bela, declared("8H 9H TH JH QH KH AH 7S", bela)) is None
    assert run_of_eight(bela, ()) is None
    assert run_of_eight(CLASSIC, run) is None


def test_a_run_that_wins_the_match_is_never_broken_for_a_carre() -> None:
    rules = replace(BOOK["belot-open"], run_of_eight="wins_match")
    twelve = "7H 8H 9H TH JH QH KH AH JS JD JC 7S"
    assert run_of_eight(rules, declared(twelve, rules)) == 0
    assert [d.points for d in declared(twelve, BOOK["belot-open"])] == [200, 50, 20]


def test_any_of_a_hands_declarations_may_be_withheld() -> None:
    found = declared("7S 8S 9S QS KS AS 7C TD")
    assert picked(found, None) == found
    assert picked(found, []) == ()
    assert picked(found, [cards("9S 8S 7S")]) == found[1:]
    assert picked(found, [cards("7S 8S 9S"), cards("QS KS AS")]) == found
    assert picked(found, [cards("7S 8S")]) is None  # not what it holds, whole
    assert picked(found, [cards("7S 8S 9S"), cards("7S 8S 9S")]) is None


def test_two_strongest_of_three_players_are_void_and_a_third_scores_nothing() -> None:
    trio = BOOK["belot-trio"]
    all_ = pool("9S TS JS", "9H TH JH", "9D TD JD QD")
    shown = settled(trio, Trump.CLUBS, Seat(0), all_)
    assert points_by_side(trio, shown) == (0, 0, 50)
    shown = settled(trio, Trump.CLUBS, Seat(0), pool("9S TS JS", "9H TH JH", ""))
    assert points_by_side(trio, shown) == (0, 0, 0)
    carre = pool("9S TS JS QC QD QH QS", "9H TH JH", "")
    assert points_by_side(trio, settled(trio, Trump.CLUBS, Seat(0), carre)) == (100, 0, 0)


def test_a_game_may_have_no_belote() -> None:
    rules = replace(CLASSIC, belote="none")
    assert (
        belote_call(rules, Trump.HEARTS, mask_of(cards("KH QH")), 0, card_named("KH"), ()) is None
    )
