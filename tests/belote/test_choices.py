"""What players choose beside calls and cards: declarations, belote, and cards that lie open."""

from dataclasses import replace

import pytest

from app.belote.cards import Card, Seat, Trump, card_named, name_of
from app.belote.commands import Bid, Declare, Name, Pass, Play
from app.belote.deal import first_packets, pack_of
from app.belote.engine import RuleError, State, decide, evolve, legal
from app.belote.engine_auction import pack_cards
from app.belote.events import (
    CardPlayed,
    CardTurnedUp,
    Contract,
    DealScored,
    Declared,
    HandDealt,
    MatchEnded,
    RestDealt,
    TrickTaken,
)
from app.belote.presets import BOOK
from app.belote.ranking import cards_of, mask_of
from app.belote.rules import RuleSet, overridden
from app.belote.view import view

from .driver import cards, deal_of, play, start, step

HANDS = (
    "7H 8H 9H KH QH AS KS 7C",
    "7S 8S 9S JH TH AC TC 7D",
    "TS JS QS AH 8C 9C 8D 9D",
    "JC QC KC TD JD QD KD AD",
)


def playing(
    preset: str | RuleSet, trump: str = "H", hands: tuple[str, ...] = HANDS, leader: int = 0
) -> State:
    """Those hands at the first lead, whoever bid what; seat 0 has the contract."""
    rules = BOOK[preset] if isinstance(preset, str) else preset
    state = start(rules, "choices", (leader - 1) % rules.players)
    state = step(state, deal_of(state, "choices")).after
    held = tuple(cards(hand) for hand in hands)
    contract = Contract(Seat(0), Trump(trump))
    counts = tuple(len(hand) for hand in held)
    return evolve(state, RestDealt(contract, Seat(leader), counts, held))


def names(seat: int, state: State) -> list[list[str]]:
    return [[name_of(c) for c in d.cards] for d in legal(state, Seat(seat)).declarations]


# Declaring by choice


def test_a_seat_chooses_among_what_it_holds_with_its_first_card() -> None:
    state = playing("belot")
    assert names(0, state) == [["7H", "8H", "9H"]]
    mine = cards("7H 8H 9H")
    declared, played = decide(state, Play(Seat(0), card_named("AS"), declare=(mine,)))
    assert isinstance(declared, Declared)
    assert isinstance(played, CardPlayed)
    (only,) = decide(state, Play(Seat(0), card_named("AS"), declare=()))
    assert only == played, "withheld: nothing is told, as if there were nothing"
    assert decide(state, Play(Seat(0), card_named("AS"))) == (declared, played)


@pytest.mark.parametrize("asked", ["7H 8H", "7S 8S 9S", "9H KH QH"])
def test_what_it_does_not_hold_is_refused(asked: str) -> None:
    with pytest.raises(RuleError) as error:
        decide(playing("belot"), Play(Seat(0), card_named("AS"), declare=(cards(asked),)))
    assert error.value.code == "declaration_not_open"
    assert error.value.facts == {"declarations": [["7H", "8H", "9H"]]}


def test_declarations_come_with_the_first_card_alone() -> None:
    state, _ = play(playing("belot"), "AS 7S TS JC")
    assert state.turn is not None
    assert legal(state, state.turn).declarations == ()
    late = Play(state.turn, legal(state, state.turn).cards[0], declare=(cards("7H 8H 9H"),))
    with pytest.raises(RuleError, match="declaration_not_open"):
        decide(state, late)


def test_where_the_server_declares_nobody_chooses() -> None:
    state = playing("classic")
    assert legal(state, Seat(0)).declarations == ()
    with pytest.raises(RuleError, match="declaration_not_open"):
        decide(state, Play(Seat(0), card_named("AS"), declare=()))


def test_at_no_trumps_there_is_nothing_to_declare() -> None:
    assert names(0, playing("belot", "NT")) == []


# Belote by choice


def test_belote_may_be_kept_silent_and_is_then_lost() -> None:
    state = playing("belot")
    assert [name_of(c) for c in legal(state, Seat(0)).belote] == ["QH", "KH"]
    (_, said) = decide(state, Play(Seat(0), card_named("KH")))
    assert isinstance(said, CardPlayed)
    assert said.belote == "belote"
    (_, silent) = decide(state, Play(Seat(0), card_named("KH"), belote=False))
    assert isinstance(silent, CardPlayed)
    assert silent.belote is None
    after = step(state, Play(Seat(0), card_named("KH"), belote=False)).after
    assert after.belote == ()
    assert [b.said for b in step(state, Play(Seat(0), card_named("KH"))).after.belote] == [1]


def test_rebelote_follows_a_belote_that_was_said_without_being_asked() -> None:
    state = step(playing("belot"), Play(Seat(0), card_named("KH"))).after
    state = evolve(state, CardPlayed(Seat(1), card_named("TH")))
    state = evolve(evolve(state, CardPlayed(Seat(2), card_named("AH"))),
                   CardPlayed(Seat(3), card_named("AD")))  # fmt: skip
    state = evolve(state, TrickTaken(1, Seat(0), 0))
    assert legal(state, Seat(0)).belote == ()
    (played,) = decide(state, Play(Seat(0), card_named("QH")))
    assert isinstance(played, CardPlayed)
    assert played.belote == "rebelote"
    with pytest.raises(RuleError, match="belote_not_open"):
        decide(state, Play(Seat(0), card_named("QH"), belote=False))


@pytest.mark.parametrize(
    ("preset", "card", "belote"),
    [("belot", "AS", True), ("classic", "KH", False), ("belot", "7C", False)],
)
def test_a_choice_that_is_none_is_refused(preset: str, card: str, belote: bool) -> None:
    with pytest.raises(RuleError, match="belote_not_open"):
        decide(playing(preset), Play(Seat(0), card_named(card), belote=belote))


# Before the lead


def asked() -> State:
    """Bela: seat 0 has named hearts, all are to be asked."""
    state = start(BOOK["bela"], "asked", 3)
    state = step(state, deal_of(state, "asked")).after
    state = step(state, Name(Seat(0), Trump.HEARTS)).after
    held = tuple(mask_of(cards(hand)) for hand in HANDS)
    return replace(state, hands=held)


def test_every_seat_is_asked_in_turn_from_eldest_and_then_the_leader_leads() -> None:
    state = asked()
    order = []
    while state.phase == "declaring":
        assert state.turn is not None
        order.append(int(state.turn))
        (event,) = decide(state, Declare(state.turn))
        assert isinstance(event, Declared)
        state = step(state, Declare(state.turn)).after
    assert order == [0, 1, 2, 3]
    assert (state.phase, state.turn) == ("play", 0)
    assert [(d.seat, d.kind) for d in state.declarations][:2] == [(0, "tierce"), (1, "tierce")]
    assert legal(state, Seat(0)).declarations == ()


def test_nobody_plays_before_all_have_answered() -> None:
    state = asked()
    with pytest.raises(RuleError, match="wrong_phase"):
        decide(state, Play(Seat(0), card_named("AS")))
    with pytest.raises(RuleError, match="not_your_turn"):
        decide(state, Declare(Seat(1)))
    done = step(state, Declare(Seat(0), ())).after
    assert done.declared == ()
    assert done.turn == 1


def test_eight_in_a_row_win_the_match_as_soon_as_they_are_declared() -> None:
    eight = ("7H 8H 9H TH JH QH KH AH", *(" ".join(name_of(Card(c)) for c in range(s, s + 8))
             for s in (0, 16, 24)))  # fmt: skip
    state = replace(asked(), hands=tuple(mask_of(cards(hand)) for hand in eight))
    declared, scored, ended = decide(state, Declare(Seat(0)))
    assert isinstance(declared, Declared)
    assert isinstance(scored, DealScored)
    assert isinstance(ended, MatchEnded)
    assert (scored.score.outcome, scored.score.awarded, scored.score.tricks) == (
        "match", (0, 0), (0, 0)
    )  # fmt: skip
    assert scored.secret is None, "the others' cards are told with the match's end"
    assert ended.secrets[-1].deal == 1
    assert (ended.winner, ended.totals) == (0, (0, 0))
    (withheld,) = decide(state, Declare(Seat(0), ()))
    assert isinstance(withheld, Declared)


# A third double


def test_the_deal_after_a_third_double_decides_the_match() -> None:
    rules = overridden(BOOK["belot"], {"third_double": "match"})
    state = playing(rules)
    assert state.contract is not None
    state = replace(state, contract=replace(state.contract, factor="match"))
    while state.turn is not None:
        state = step(state, Play(state.turn, legal(state, state.turn).cards[0])).after
    assert state.result is not None
    assert state.phase == "ended"
    score = state.deals[-1].score
    assert state.result.winner == score.awarded.index(max(score.awarded))


# Two, three and an open layout


def test_packets_of_the_games_for_two_and_three() -> None:
    for preset, seats, before, after, left in (
        ("belot-duel", 2, 6, 9, 6), ("belot-trio", 3, 5, 8, 0), ("bela", 4, 6, 8, 0),
        ("coinche", 4, 8, 8, 0), ("belot-open", 2, 5, 8, 0),
    ):  # fmt: skip
        rules = BOOK[preset]
        state = start(rules, "packets", seats - 1)
        done = step(state, deal_of(state, "packets"))
        (event,) = done.events
        assert isinstance(event, HandDealt)
        assert event.counts == (before,) * seats, preset
        state = done.after
        assert state.turn is not None
        calls = {"call": Name(state.turn, Trump.HEARTS), "contracts": Bid(state.turn, Trump.HEARTS),
                 "levels": Bid(state.turn, Trump.HEARTS, 80)}  # fmt: skip
        state = step(state, calls[rules.auction]).after
        while state.phase == "auction":
            assert state.turn is not None
            state = step(state, Pass(state.turn)).after
        assert [hand.bit_count() for hand in state.hands] == [after] * seats, preset
        assert len(state.stock) == left, preset


@pytest.mark.parametrize("preset", BOOK)
def test_a_pack_is_rebuilt_from_what_was_dealt(preset: str) -> None:
    rules = BOOK[preset]
    for dealer in range(rules.players):
        pack = pack_cards(rules)
        pack = pack[dealer * 5 :] + pack[: dealer * 5]
        dealt = first_packets(rules, pack, Seat(dealer))
        assert pack_of(rules, dealt, Seat(dealer)) == pack


def opened() -> State:
    """Open belot in its natural pack, dealt by seat 1: hearts, at the first lead."""
    state = start(BOOK["belot-open"], "open", 1)
    state = step(state, deal_of(state, "open", pack_cards(state.rules))).after
    state = step(state, Bid(Seat(0), Trump.HEARTS)).after
    return step(state, Pass(Seat(1))).after


def test_four_lie_face_up_on_four_that_nobody_knows() -> None:
    state = opened()
    lying = [[[name_of(c) for c in row if c is not None] for row in rows]
             for rows in (state.up, state.under)]  # fmt: skip
    assert lying == [
        [["9D", "JD", "KD", "7C"], ["TD", "QD", "AD", "8C"]],
        [["9H", "JH", "KH", "7D"], ["TH", "QH", "AH", "8D"]],
    ]
    for viewer in (Seat(0), Seat(1), None):
        seen = view(state, viewer)
        assert seen.up == state.up
        assert seen.down == ((1, 1, 1, 1),) * 2
        known = {*(seen.hand or ()), *(c for row in seen.up for c in row)}
        assert not known & {c for row in state.under for c in row}


def test_what_lay_below_is_turned_up_once_the_trick_is_complete() -> None:
    state = opened()
    state = step(state, Play(Seat(0), card_named("9D"))).after
    assert state.up[0][0] is None
    assert view(state, None).down[0] == (1, 1, 1, 1), "not yet"
    done = step(state, Play(Seat(1), card_named("AD"), declare=()))
    *_, taken, one, two = done.events
    assert isinstance(taken, TrickTaken)
    assert one == CardTurnedUp(Seat(0), 0, card_named("9H"))
    assert two == CardTurnedUp(Seat(1), 2, card_named("AH"))
    assert view(done.after, None).down == ((0, 1, 1, 1), (1, 1, 0, 1))
    assert done.after.turn == 1
    assert card_named("AH") in legal(done.after, Seat(1)).cards


def test_both_hand_and_face_up_cards_must_follow_beat_and_trump() -> None:
    state = opened()
    hands = (mask_of(cards("TH")), mask_of(cards("AH 8S")))
    up = ((None,) * 4, (card_named("9H"), card_named("7C"), None, None))
    state = replace(state, hands=hands, up=up, under=((None,) * 4, (None,) * 4))
    state = step(state, Play(Seat(0), card_named("TH"))).after
    options = legal(state, Seat(1))
    assert {name_of(c) for c in options.cards} == {"9H", "AH"}
    assert {name_of(c): why.code for c, why in options.why} == {
        "8S": "must_follow", "7C": "must_follow"
    }  # fmt: skip


def test_a_covered_card_keeps_the_deal_going_when_all_else_is_played() -> None:
    state = opened()
    up = ((card_named("JD"), None, None, None), (card_named("QD"), None, None, None))
    under = ((card_named("JH"), None, None, None), (card_named("QH"), None, None, None))
    state = replace(state, hands=(0, 0), up=up, under=under)
    state, events = play(state, "JD QD")
    assert not any(isinstance(event, DealScored) for event in events)
    assert state.phase == "play"
    assert [cards_of(state.held(Seat(seat))) for seat in (0, 1)] == [cards("JH"), cards("QH")]


def test_belote_counts_with_one_card_in_hand_and_the_other_face_up() -> None:
    state = opened()
    hands = (mask_of(cards("KH AS")), mask_of(cards("8S 9S")))
    up = ((card_named("QH"), None, None, None), (None,) * 4)
    state = replace(state, hands=hands, up=up, under=((None,) * 4, (None,) * 4))
    (*_, played) = decide(state, Play(Seat(0), card_named("KH")))
    assert isinstance(played, CardPlayed)
    assert played.belote == "belote"
