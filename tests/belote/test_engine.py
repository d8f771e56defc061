"""A match through `decide` and `evolve`."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from app.belote.cards import PACK_32, Card, Seat, card_named, name_of
from app.belote.commands import Command, Continue, Deal, End, Name, Pass, Play, Take
from app.belote.engine import RuleError, State, decide, evolve, legal, sensible, turn_of
from app.belote.events import (
    CardPlayed,
    Continued,
    DealScored,
    DeclarationsSettled,
    Declared,
    HandDealt,
    MatchEnded,
    RevealedSecret,
    TrickTaken,
)
from app.belote.presets import CLASSIC, PRESETS
from app.belote.ranking import cards_of
from app.belote.shuffle import commit_of
from app.belote.view import apply, view

from .driver import (
    arranged,
    cards,
    deal_of,
    finish,
    moves,
    play,
    play_deal,
    play_match,
    secret,
    start,
    step,
    trump,
)

# Seat 0 takes the nine of hearts and holds belote; seat 1 has a tierce, the others nothing.
HANDS = [
    "9H 8H QH KH TS 7C 8D AD",
    "7S 8S 9S AH TC 9C TD 7D",
    "AS KS 7H JH AC KC QD 9D",
    "JS QS TH 8C QC JC KD JD",
]


def hands(state: State) -> list[str]:
    return [" ".join(name_of(card) for card in cards_of(mask)) for mask in state.hands]


def test_a_new_match_waits_for_its_first_deal() -> None:
    state = start(CLASSIC, "new", dealer=2)
    assert state.phase == "dealing"
    assert turn_of(state) is None
    assert legal(state, Seat(0)).cards == ()
    dealt = step(state, deal_of(state, "new"))
    event = dealt.events[0]
    assert isinstance(event, HandDealt)
    assert (event.deal, event.dealer, event.counts) == (1, 2, (5, 5, 5, 5))


def test_each_deal_is_made_of_the_bytes_committed_before_it() -> None:
    state = start(CLASSIC, "bytes")
    for number in (1, 2, 3):
        promised = state.next_commit
        state = step(state, deal_of(state, "bytes")).after
        assert state.commit == promised == commit_of(state.secret)
        assert state.secret == secret("bytes", number)
        while state.turn is not None:
            state = step(state, Pass(state.turn)).after


def test_declarations_come_before_a_seats_first_card_and_are_settled_after_the_trick() -> None:
    state = arranged(CLASSIC, HANDS, "9H", taker=0)
    state, events = play(state, "TS 7S AS JS")
    kinds = [type(event) for event in events]
    assert kinds == [
        CardPlayed, Declared, CardPlayed, CardPlayed, CardPlayed, TrickTaken, DeclarationsSettled,
    ]  # fmt: skip
    settled = events[-1]
    assert isinstance(settled, DeclarationsSettled)
    assert [(d.seat, d.kind, d.points, d.outcome) for d in settled.declarations] == [
        (1, "tierce", 20, "scored"),
    ]  # fmt: skip


def test_the_winner_of_a_trick_leads_the_next() -> None:
    state, events = play(arranged(CLASSIC, HANDS, "9H", taker=0), "TS 7S AS JS")
    taken = events[-2]
    assert taken == TrickTaken(1, Seat(2), 10 + 0 + 11 + 2)
    assert state.turn == 2


def test_belote_and_rebelote_are_said_and_count_for_their_holder() -> None:
    state = arranged(CLASSIC, HANDS, "9H", taker=0)
    state, events = play(state, "KH AH JH TH")
    assert isinstance(events[0], CardPlayed)
    assert events[0].belote == "belote"
    state, events = finish(state)
    said = [e.belote for e in events if isinstance(e, CardPlayed) and e.belote]
    assert said == ["rebelote"]
    sheet = state.deals[0]
    assert [(b.seat, b.suit, b.said) for b in sheet.belote] == [(0, 1, 2)]
    assert sheet.score.belote == (20, 0)


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (Play(Seat(1), card_named("7S")), "not_your_turn"),
        (Play(Seat(0), card_named("7S")), "not_your_card"),
        (Pass(Seat(0)), "wrong_phase"),
        (Take(Seat(0)), "wrong_phase"),
        (Name(Seat(0), trump("S")), "wrong_phase"),
        (Continue(Seat(0)), "wrong_phase"),
        (Deal(PACK_32, "", ""), "wrong_phase"),
    ],
)
def test_what_is_not_open_is_refused(command: Command, code: str) -> None:
    with pytest.raises(RuleError) as error:
        decide(arranged(CLASSIC, HANDS, "9H", taker=0), command)
    assert error.value.code == code


@pytest.mark.parametrize(
    ("played", "seat", "card", "code", "facts"),
    [
        ("8H", 1, "TC", "must_follow", {"suit": "H", "beat": None, "legal": ["AH"]}),
        ("8H AH", 2, "7H", "must_beat_trump", {"suit": "H", "beat": "AH", "legal": ["JH"]}),
    ],
)
def test_a_refused_card_tells_the_suit_the_card_to_beat_and_what_is_open(
    played: str, seat: int, card: str, code: str, facts: dict[str, object]
) -> None:
    state, _ = play(arranged(CLASSIC, HANDS, "9H", taker=0), played)
    options = legal(state, Seat(seat))
    assert [name_of(each) for each in options.cards] == facts["legal"]
    assert len(options.why) == 7
    with pytest.raises(RuleError) as error:
        decide(state, Play(Seat(seat), card_named(card)))
    assert (error.value.code, error.value.facts) == (code, facts)


def test_a_pack_that_is_none_is_a_fault_of_the_server() -> None:
    with pytest.raises(ValueError, match="not a pack"):
        decide(start(CLASSIC, "x"), Deal(PACK_32[:31] + PACK_32[:1], "", ""))
    with pytest.raises(ValueError, match="not a pack"):
        decide(start(CLASSIC, "x"), Deal(PACK_32 + PACK_32, "", ""))


def test_a_capot_brings_all_252_and_takes_the_declarations_of_the_trickless_side() -> None:
    strong = [
        "JH 9H AH TH KH QH AS TS",
        "7S 8S 9S 7D 8D 9D 7C 8C",
        "KS QS JS AD TD KD AC TC",
        "7H 8H QD JD KC QC JC 9C",
    ]
    state = arranged(CLASSIC, strong, "JH", taker=0)

    def strongest_first(state: State, options: Sequence[Command]) -> Command:
        leads = [Play(Seat(0), card) for card in cards("JH 9H AH TH KH QH AS TS")]
        return next((lead for lead in leads if lead in options), options[0])

    state, _ = finish(state, strongest_first)
    sheet = state.deals[0]
    assert sheet.score.capot == 0
    assert sheet.score.tricks == (8, 0)
    # 252, belote 20, a quinte of trumps 100 and partner's tierce 20
    assert sheet.score.awarded == (252 + 20 + 100 + 20, 0)
    assert {d.outcome for d in sheet.declarations if d.seat % 2} == {"beaten"}


def test_between_deals_each_seat_may_continue_once() -> None:
    state, _ = finish(arranged(CLASSIC, HANDS, "9H", taker=0))
    assert state.phase == "scored"
    done = step(state, Continue(Seat(2)))
    assert done.events == (Continued(Seat(2)),)
    with pytest.raises(RuleError) as error:
        decide(done.after, Continue(Seat(2)))
    assert error.value.code == "already_continued"


def test_a_played_deals_bytes_are_told_with_its_score() -> None:
    *_, last = play_deal(start(CLASSIC, 9), deal_of(start(CLASSIC, 9), 9), lambda s, o: o[0])
    scored = last.events[-1]
    assert isinstance(scored, DealScored)
    assert scored.secret == secret(9, 1)
    assert last.after.unrevealed == ()


def test_a_cut_games_bytes_wait_for_the_end() -> None:
    state = arranged(replace(CLASSIC, handling="cut"), HANDS, "9H", taker=0)
    state, events = finish(state)
    scored = events[-1]
    assert isinstance(scored, DealScored)
    assert scored.secret is None
    assert state.unrevealed == (RevealedSecret(1, secret("arranged", 1)),)


def test_a_match_ends_in_the_batch_of_its_last_card() -> None:
    *_, last = play_match(CLASSIC, 38)
    assert isinstance(last.events[-1], MatchEnded)
    assert isinstance(last.events[-2], DealScored)
    state = last.after
    assert state.result is not None
    assert state.result.reason == "target"
    assert state.totals[state.result.winner or 0] == max(state.totals) >= 501
    for command in (End("abandoned"), deal_of(state, 38), Continue(Seat(0))):
        with pytest.raises(RuleError) as error:
            decide(state, command)
        assert error.value.code == "wrong_phase"


def test_equal_totals_past_the_target_play_another_deal() -> None:
    state = arranged(CLASSIC, HANDS, "9H", taker=0)
    first, _ = finish(state)
    need = tuple(600 - each for each in first.totals)
    tied, events = finish(replace(state, totals=need))
    assert tied.totals == (600, 600)
    assert tied.phase == "scored"
    assert not any(isinstance(event, MatchEnded) for event in events)


def test_an_abandoned_match_has_no_winner_and_tells_every_secret() -> None:
    state = start(CLASSIC, "left")
    state = step(state, deal_of(state, "left")).after
    while state.turn is not None:
        state = step(state, Pass(state.turn)).after
    state = step(state, deal_of(state, "left")).after
    (ended,) = decide(state, End("abandoned"))
    assert ended == MatchEnded(
        None, "abandoned", (0, 0), 0,
        (RevealedSecret(1, secret("left", 1)), RevealedSecret(2, secret("left", 2))),
    )  # fmt: skip
    assert evolve(state, ended).phase == "ended"


def test_a_resigned_match_has_the_winner_it_is_told() -> None:
    (ended,) = decide(start(CLASSIC, "r"), End("resigned", 1))
    assert isinstance(ended, MatchEnded)
    assert (ended.winner, ended.reason, ended.secrets) == (1, "resigned", ())


def test_a_silent_seat_passes_and_then_plays_its_cheapest_card() -> None:
    state = start(CLASSIC, "quiet")
    state = step(state, deal_of(state, "quiet")).after
    assert sensible(state, Seat(1)) == Pass(Seat(1))
    state = arranged(CLASSIC, HANDS, "9H", taker=0)
    assert sensible(state, Seat(0)) == Play(Seat(0), card_named("7C"))
    state, _ = play(state, "8H AH")
    assert sensible(state, Seat(2)) == Play(Seat(2), card_named("JH"))


@pytest.mark.parametrize("preset", PRESETS)
def test_silent_seats_can_play_whole_deals(preset: str) -> None:
    state = start(PRESETS[preset], "silent")
    state = step(state, deal_of(state, "silent")).after
    assert state.turn is not None
    state = step(state, next(each for each in moves(state) if not isinstance(each, Pass))).after
    while state.turn is not None:
        state = step(state, sensible(state, state.turn)).after
    assert state.phase in ("scored", "ended")


@pytest.mark.parametrize("preset", PRESETS)
def test_a_deal_in_which_nobody_says_anything_is_passed_out_or_the_dealer_names(
    preset: str,
) -> None:
    state = start(PRESETS[preset], "silent")
    state = step(state, deal_of(state, "silent")).after
    while state.turn is not None and state.phase == "auction":
        state = step(state, sensible(state, state.turn)).after
    if preset == "bela":
        assert state.contract is not None
        assert state.contract.taker == state.dealer
    else:
        assert (state.phase, state.contract) == ("passed_out", None)


def test_a_sensible_card_depends_on_the_seats_own_view_alone() -> None:
    state, _ = play(arranged(CLASSIC, HANDS, "9H", taker=0), "TS 7S")
    mine = sensible(state, Seat(2))
    others = list(state.hands)
    others[0], others[3] = others[3], others[0]
    assert sensible(replace(state, hands=tuple(others), stock=(Card(1),)), Seat(2)) == mine


def test_declarations_may_be_settled_after_the_last_trick() -> None:
    rules = replace(CLASSIC, declarations_shown="after_last_trick")
    _, events = finish(arranged(rules, HANDS, "9H", taker=0))
    kinds = [type(event) for event in events]
    assert kinds[-3:] == [TrickTaken, DeclarationsSettled, DealScored]


def test_a_deal_without_declarations_settles_none() -> None:
    plain = [
        "JH 9H QH TS 7C 8D AD KC",
        "7S 8S KS AH TC 9C TD 7D",
        "AS 9S 7H 8H AC KH QD 9D",
        "JS QS TH 8C QC JC KD JD",
    ]
    _, events = finish(arranged(CLASSIC, plain, "JH", taker=0))
    assert not any(isinstance(event, Declared | DeclarationsSettled) for event in events)


def test_hands_are_what_was_arranged() -> None:
    state = arranged(CLASSIC, HANDS, "9H", taker=0)
    assert [set(hand.split()) for hand in hands(state)] == [set(hand.split()) for hand in HANDS]
    assert sum(len(cards(hand)) for hand in HANDS) == 32


def test_what_is_neither_command_nor_event_is_a_fault() -> None:
    state = start(CLASSIC, "fault")
    for broken in (
        lambda: decide(state, "pass"),  # type: ignore[arg-type]
        lambda: evolve(state, "passed"),  # type: ignore[arg-type]
        lambda: apply(view(state, None), "passed"),  # type: ignore[arg-type]
    ):
        with pytest.raises(AssertionError):
            broken()
