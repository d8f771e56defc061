"""What the worked figures leave open: outcomes on the sheet, house rules, the match's end.

The figures of the rules' page are in test_worked_figures.py, one value of a rule against another in
test_each_rule.py.
"""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.belote.cards import Seat, Side, Trump
from app.belote.events import Contract, SeenDeclaration
from app.belote.presets import BOOK, CLASSIC
from app.belote.rules import Capot, RuleSet
from app.belote.scoring import (
    capot_side,
    final_outcomes,
    is_contract,
    match_winner,
    run_score,
    winner,
)

from .strategies import law
from .test_worked_figures import Deal

EVERY, NONE = (162, 0), (0, 162)


def house(game: str = "classic", **changes: object) -> RuleSet:
    """A game with a house rule."""
    return replace(BOOK[game], **changes)  # type: ignore[arg-type]


def deal(points: tuple[int, ...], **more: Any) -> Deal:
    return Deal("", points, (), **more)


def awarded(rules: RuleSet, points: tuple[int, ...], **more: Any) -> tuple[int, ...]:
    return deal(points, **more).under(rules).awarded


@pytest.mark.parametrize(
    ("game", "played", "outcome"),
    [
        ("classic", deal((81, 81)), "litige"),
        ("classic", deal((70, 92), belote=(20, 0)), "failed"),
        ("classic", deal((75, 87), declared=(20, 0)), "made"),
        ("classic", deal(EVERY, declared=(0, 400)), "made"),  # whatever was declared
        ("classic", deal(NONE, declared=(400, 0)), "failed"),
        ("belote-international", deal(EVERY, declared=(0, 400)), "made"),
        ("coinche", deal((81, 81), bid=80), "litige"),
        ("coinche", deal((81, 81), bid=90), "failed"),  # equal, but the bid is not met
        ("coinche", deal((89, 73), bid=90), "failed"),  # rounding does not meet it
        ("coinche", deal((82, 80), bid=80, declared=(0, 20)), "failed"),  # met, but not more
        ("coinche", deal((152, 10), bid="capot"), "failed"),
        ("coinche", deal(EVERY, bid=160, declared=(0, 200)), "made"),
        ("contree", deal((60, 102), bid=80, belote=(20, 0)), "made"),
        ("belot-trio", deal((60, 40, 30)), "failed"),  # several opponents are taken together
        ("belot-trio", deal((0, 162, 0)), "failed"),
    ],
)
def test_the_sheet_says_how_the_contract_ended(game: str, played: Deal, outcome: str) -> None:
    assert played.under(BOOK[game]).outcome == outcome


@pytest.mark.parametrize(("tricks", "side"), [((8, 0), 0), ((0, 8), 1), ((7, 1), None)])
def test_capot_is_every_trick_to_one_side(tricks: tuple[int, int], side: int | None) -> None:
    assert capot_side(tricks) == side


def test_a_solo_capot_pays_its_own_figure_in_place_of_the_capots() -> None:
    assert awarded(house(solo_capot=Capot("total", 350)), EVERY, solo=True) == (350, 0)
    assert awarded(house(solo_capot=Capot("bonus", 490)), EVERY, solo=True) == (652, 0)
    assert awarded(house(solo_capot=Capot("bonus", 490)), EVERY) == (252, 0)
    solo = house("coinche", solo_capot=Capot("bonus", 490))
    assert awarded(solo, EVERY, bid=100, solo=True) == (750, 0)
    assert awarded(solo, EVERY, bid=100, solo=True, factor=2) == (700, 0)


def test_a_capot_bonus_of_the_defence_comes_on_top_of_160() -> None:
    bonus = house("coinche", capot_to="either", capot=Capot("bonus", 90), rounding=None)
    assert awarded(bonus, NONE, bid=100) == (0, 350)


def test_a_capot_of_the_defence_is_paid_where_either_side_is() -> None:
    assert awarded(BOOK["coinche"], NONE, bid=100) == (0, 260)
    assert awarded(house("coinche", capot_to="either"), NONE, bid=100) == (0, 350)
    assert awarded(house("coinche", capot_to="either"), NONE, bid=100, factor=2) == (0, 700)
    assert awarded(BOOK["coinche"], NONE, bid=100, factor=2) == (0, 520)
    assert awarded(BOOK["contree"], NONE, bid=100, factor=2) == (0, 520)


def test_a_double_changes_nothing_in_a_litige_of_points() -> None:
    for factor in (1, 2, 4):
        result = deal(
            (81, 81), bid=80, declared=(50, 0), belote=(0, 20), carried=30, factor=factor
        ).under(house("coinche", contract_counts="tricks"))
        assert (result.outcome, result.awarded, result.hung) == ("litige", (0, 100), 160)


def test_a_doubled_defence_that_loses_keeps_only_a_belote() -> None:
    coinche = BOOK["coinche"]
    played = {"bid": 100, "factor": 2, "declared": (0, 50), "belote": (0, 20)}
    assert awarded(coinche, (140, 22), **played) == (520, 20)
    assert awarded(house("coinche", belote_on_failure="lost"), (140, 22), **played) == (520, 20)
    assert awarded(house("coinche", doubled="winner_takes_all"), (140, 22), **played) == (590, 0)
    owner = house("coinche", declarations_on_failure="owner")
    assert awarded(owner, (40, 122), bid=100, factor=2, declared=(50, 0)) == (50, 520)


def test_winner_takes_all_is_a_rule_of_doubled_deals_alone() -> None:
    kept = house("contree", belote_on_failure="kept")
    assert awarded(kept, (76, 86), bid=100, belote=(20, 0)) == (20, 260)
    assert awarded(kept, (76, 86), bid=100, belote=(20, 0), factor=2) == (0, 540)


def test_a_game_without_bids_may_round_too() -> None:
    rounded = house(rounding="ten")
    assert awarded(rounded, (83, 79)) == (80, 80)
    assert awarded(rounded, (60, 102)) == (0, 160)
    assert awarded(rounded, NONE) == (0, 250)
    assert deal((81, 81)).under(rounded).hung == 80


def test_two_players_share_whatever_is_in_play() -> None:
    assert awarded(BOOK["belot-duel"], (70, 65)) == (8, 6)  # 135 in play
    assert awarded(BOOK["belot-duel"], (65, 59)) == (6, 6)
    assert deal((66, 66)).under(BOOK["belot-duel"]).awarded == (0, 6)
    assert deal((66, 66)).under(BOOK["belot-duel"]).hung == 7


def test_an_equal_contract_hangs_by_the_same_rule_though_bonuses_differ() -> None:
    tricks = house("belot-duel", contract_counts="tricks")
    result = deal((66, 66), declared=(20, 0)).under(tricks)
    assert (result.awarded, result.hung) == ((0, 6), 9)


def test_hanging_points_are_never_multiplied() -> None:
    assert awarded(BOOK["coinche"], (110, 52), bid=100, factor=2, carried=80) == (600, 0)
    assert awarded(BOOK["belot"], (100, 62), factor=4, carried=8) == (72, 0)
    assert awarded(BOOK["belot"], (62, 100), factor=2, carried=8) == (0, 40)


def test_three_players_leave_hanging_points_to_a_taker_who_makes_it() -> None:
    trio = BOOK["belot-trio"]
    failed = deal((60, 71, 31), carried=8).under(trio)
    assert (failed.awarded, failed.hung) == ((0, 13, 3), 8)
    assert deal((90, 40, 32), carried=8).under(trio).awarded == (17, 4, 3)
    doubled = deal((81, 50, 31), carried=8, factor=2).under(trio)
    assert (doubled.awarded, doubled.hung) == ((0, 0, 0), 8 + 32)
    assert awarded(trio, (90, 40, 32), factor=2) == (32, 0, 0)
    assert awarded(trio, (60, 71, 31), factor=2) == (0, 26, 6)
    assert awarded(trio, (0, 162, 0)) == (0, 25, 0)


def test_of_two_equal_opponents_the_nearer_gets_a_failed_takers_points() -> None:
    for taker in range(3):
        result = deal((60, 51, 51)).under(BOOK["belot-trio"], taker)
        assert result.awarded[(taker + 1) % 3] == 11
        assert result.awarded[(taker + 2) % 3] == 5


def test_three_players_round_up_from_five_where_there_is_no_trump_suit() -> None:
    trio = BOOK["belot-trio"]
    assert awarded(trio, (145, 65, 48), trump="AT") == (15, 7, 5)
    assert awarded(trio, (85, 45, 32)) == (8, 4, 3)


def test_a_penalty_is_paid_once_by_a_side() -> None:
    fined = house("belot", failure_penalty=10)
    assert awarded(fined, NONE, factor=2) == (-10, 41)  # failed, loser and without a trick
    trio = house("belot-trio", failure_penalty=10)
    assert awarded(trio, (100, 62, 0)) == (10, 6, -10)
    assert awarded(trio, (100, 62, 0), factor=2) == (32, -10, -10)
    assert awarded(trio, (81, 81, 0)) == (0, 8, -10)


def test_a_third_double_counts_eight_times_and_wins_the_match() -> None:
    third = house("belot", third_double="match")
    contract = Contract(Seat(0), Trump.HEARTS, None, "match")
    made = deal((100, 62), factor="match").under(third)
    assert (made.awarded, winner(third, contract, made)) == ((128, 0), 0)
    failed = deal((62, 100), factor="match").under(third)
    assert (failed.awarded, winner(third, contract, failed)) == ((0, 128), 1)
    capot = deal(EVERY, factor="match").under(third)
    assert (capot.awarded, winner(third, contract, capot)) == ((137, 0), 0)
    equal = deal((81, 81), factor="match").under(third)
    assert (equal.awarded, equal.hung, winner(third, contract, equal)) == ((0, 0), 128, None)


def test_of_two_opponents_who_win_a_third_double_the_higher_wins_the_match() -> None:
    trio = house("belot-trio", third_double="match")
    contract = Contract(Seat(1), Trump.HEARTS, None, "match")
    failed = deal((60, 31, 71), factor="match").under(trio, 1)
    assert failed.awarded == (104, 0, 24)
    assert winner(trio, contract, failed) == 0
    assert winner(trio, contract, replace(failed, awarded=(64, 0, 64))) == 2


@pytest.mark.parametrize(
    ("totals", "who"),
    [((500, 490), None), ((501, 300), 0), ((300, 501), 1), ((510, 520), 1), ((510, 510), None),
     ((520, 510), 0)],
)  # fmt: skip
def test_a_match_ends_at_the_target_by_the_higher_total(
    totals: tuple[int, int], who: int | None
) -> None:
    assert match_winner(CLASSIC, totals, None) == who


def test_a_match_of_three_plays_on_while_the_best_are_equal() -> None:
    trio = BOOK["belot-trio"]
    assert match_winner(trio, (160, 160, 170), None) == 2
    assert match_winner(trio, (160, 160, 100), None) is None


def test_a_match_may_not_end_in_a_capot_where_the_rules_say_so() -> None:
    rules = house(finish_on_capot=False)
    assert match_winner(rules, (600, 0), Side(0)) is None
    assert match_winner(rules, (600, 0), None) == 0
    assert match_winner(CLASSIC, (600, 0), Side(0)) == 0


def test_a_run_of_eight_ends_the_match_without_a_point() -> None:
    result = run_score(BOOK["bela"], (990, 300), 40)
    assert (result.outcome, result.last_ten, result.tricks) == ("match", None, (0, 0))
    assert (result.awarded, result.totals, result.hung) == ((0, 0), (990, 300), 40)


def outcome_of(rules: RuleSet, played: Deal, seat: int, told: str = "scored") -> str | None:
    """What the sheet says of one declaration of that seat, the taker being seat 0."""
    contract = Contract(Seat(0), Trump.HEARTS, played.bid, played.factor)
    shown = SeenDeclaration(Seat(seat), "tierce", (), 20, told)  # type: ignore[arg-type]
    return final_outcomes(rules, (shown,), contract, played.under(rules))[0].outcome


def test_the_sheet_says_what_became_of_a_declaration() -> None:
    failed = deal((60, 102), declared=(20, 0))
    made = deal((100, 62), declared=(20, 0))
    trickless = deal(EVERY, declared=(0, 20))
    assert outcome_of(CLASSIC, made, 2) == "scored"
    assert outcome_of(CLASSIC, made, 2, "beaten") == "beaten"
    assert outcome_of(CLASSIC, failed, 2) == "taken"
    assert outcome_of(CLASSIC, failed, 1) == "scored"
    assert outcome_of(house(declarations_on_failure="owner"), failed, 0) == "scored"
    assert outcome_of(CLASSIC, trickless, 3) == "taken"
    assert outcome_of(house(declarations_without_trick="lost"), trickless, 3) == "lost"
    assert outcome_of(house(declarations_without_trick="kept"), trickless, 3) == "scored"


def test_the_sheet_says_what_a_double_did_to_declarations() -> None:
    made = deal((140, 22), bid=100, factor=2)
    assert outcome_of(BOOK["coinche"], made, 0) == "scored"
    assert outcome_of(BOOK["coinche"], made, 1) == "lost"  # the loser keeps only its belote
    assert outcome_of(house("coinche", doubled="winner_takes_all"), made, 1) == "taken"
    belot = deal((100, 62), factor=2)
    assert outcome_of(BOOK["belot"], belot, 1) == "taken"  # it is part of M
    assert outcome_of(BOOK["belot"], deal((62, 100)), 0) == "taken"
    trio = deal((60, 71, 31))
    assert outcome_of(BOOK["belot-trio"], trio, 0) == "taken"
    assert outcome_of(house("belot-trio", failed_trio="vanish"), trio, 0) == "lost"
    assert outcome_of(BOOK["belot-trio"], trio, 2) == "scored"


@pytest.mark.parametrize(
    ("game", "contract", "possible"),
    [
        ("classic", Contract(Seat(3), Trump.HEARTS), True),
        ("classic", Contract(Seat(3), Trump.NO_TRUMPS), False),
        ("classic", Contract(Seat(3), Trump.HEARTS, 80), False),
        ("classic", Contract(Seat(3), Trump.HEARTS, None, 2), False),
        ("coinche", Contract(Seat(0), Trump.ALL_TRUMPS, 160, 4), True),
        ("coinche", Contract(Seat(0), Trump.ALL_TRUMPS), False),
        ("coinche", Contract(Seat(0), Trump.ALL_TRUMPS, 85), False),
        ("coinche", Contract(Seat(0), Trump.HEARTS, "capot"), True),
        ("contree", Contract(Seat(0), Trump.ALL_TRUMPS, 160), False),
        ("belot", Contract(Seat(0), Trump.NO_TRUMPS, None, 4), True),
        ("belot", Contract(Seat(0), Trump.NO_TRUMPS, None, "match"), False),
        ("belot-duel", Contract(Seat(2), Trump.NO_TRUMPS), False),
    ],
)
def test_a_contract_is_one_that_an_auction_can_end_in(
    game: str, contract: Contract, possible: bool
) -> None:
    assert is_contract(BOOK[game], contract) is possible


def test_a_game_may_allow_a_third_double_or_no_capot_bid() -> None:
    third = Contract(Seat(0), Trump.CLUBS, None, "match")
    assert is_contract(house("belot", third_double="match"), third)
    capot = Contract(Seat(0), Trump.CLUBS, "capot")
    assert not is_contract(house("coinche", capot_bid=None), capot)


bonuses = st.sampled_from([0, 20, 40, 50, 70, 100, 150, 200, 250])


@st.composite
def match_deals(draw: st.DrawFn) -> tuple[str, Deal]:
    """A deal of a game in match points, its trick points split at random."""
    game = draw(st.sampled_from(["belot", "belote-international", "belot-open", "belot-trio"]))
    trump = draw(st.sampled_from(["H", "NT", "AT"]))
    whole = {"H": 162, "NT": 130, "AT": 258}[trump]
    factor = draw(st.sampled_from([1, 1, 2, 4]))
    first = draw(st.integers(1, whole - 2))
    points = [first, whole - first]
    if game == "belot-trio":
        second = draw(st.integers(1, whole - first - 1)) if whole - first > 1 else 1
        points = [first, second, whole - first - second]
    declared = tuple(draw(bonuses) for _ in points)
    return game, deal(tuple(points), trump=trump, factor=factor, declared=declared)


@law
@given(match_deals())
def test_match_points_of_a_deal_are_a_constant_times_the_factor(case: tuple[str, Deal]) -> None:
    game, played = case
    rules = BOOK[game]
    result = played.under(rules)
    assert result.rounded is not None
    whole = sum(result.rounded)
    raw = sum(played.points) + sum(played.declared)
    times = 2 if played.trump == "NT" else 1
    if rules.players < 3:
        assert whole == (raw * times + 5) // 10
    else:
        assert abs(whole * 10 - raw * times) <= 15
    assert sum(result.awarded) + result.hung == whole * int(played.factor)


@law
@given(
    st.sampled_from(["coinche", "contree"]),
    st.integers(1, 161),
    st.sampled_from([80, 100, 160, "capot"]),
    st.sampled_from([1, 2, 4]),
)
def test_a_bid_pays_its_winner_alone(game: str, first: int, bid: Any, factor: int) -> None:
    result = deal((first, 162 - first), bid=bid, factor=factor).under(BOOK[game])
    assert result.rounded is not None
    assert sum(result.rounded) in (160, 170)
    if result.outcome == "made" and factor == 1:
        assert result.awarded == (result.rounded[0] + bid, result.rounded[1])
    elif result.outcome != "litige":
        assert min(result.awarded) == 0
        assert (result.awarded[0] > 0) == (result.outcome == "made")
        assert result.awarded[0] % factor == result.awarded[1] % factor == 0


POINT_GAMES = [name for name, rules in BOOK.items() if rules.scoring == "points"]


@law
@given(
    st.sampled_from(POINT_GAMES), st.integers(1, 161), st.tuples(bonuses, bonuses),
    st.sampled_from([(0, 0), (20, 0), (0, 20)]), st.sampled_from([0, 81, 162]),
)  # fmt: skip
def test_every_point_is_written_or_hangs_once(
    game: str, first: int, declared: tuple[int, int], belote: tuple[int, int], carried: int
) -> None:
    played = deal((first, 162 - first), declared=declared, belote=belote, carried=carried)
    result = played.under(BOOK[game])
    whole = 162 + sum(declared) + sum(belote) + carried
    assert sum(result.awarded) + result.hung == whole
    assert result.hung == 0 or result.outcome == "litige"
