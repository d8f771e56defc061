"""Two readings of the rules' page, written apart, agree on random deals of every game.

The other reading is tests/second_referee: slow, plain, and ignorant of app/belote. Games are tried
with house rules too, any that contradict nothing. A disagreement is settled by the page.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, get_args, get_type_hints

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from app.belote.cards import NAMES, Card, Seat, Side, Trump, side_of
from app.belote.commands import Annul, Command, Pass
from app.belote.declarations import belote_call, held, picked, points_by_side, run_of_eight, settled
from app.belote.events import Contract, SeenDeclaration
from app.belote.notation import records, rules_record, score_record
from app.belote.play import legal_mask, refusals
from app.belote.presets import BOOK, PRESETS
from app.belote.ranking import LAST_TEN, best_of, card_points, cards_of, mask_of
from app.belote.rules import CHECKS, Capot, RuleSet, overridden
from app.belote.scoring import Figures, final_outcomes, is_contract, score, winner
from app.belote.state import State
from tests import second_referee as second
from tests.second_referee.checks import outcomes_allowed

from .driver import by_seed, deal_of, play_deal, play_match, start
from .strategies import CASES, law

CAPOTS = [Capot("bonus", 90), Capot("total", 252), Capot("total", 250), Capot("match", 9)]
SOLO = [None, Capot("total", 350), Capot("bonus", 490)]

SCORE_RULES = (
    "declarations_without_trick", "belote_on_failure", "belote_in_litige", "contract_counts",
    "made_if", "tie", "failed", "failed_trio", "declarations_on_failure", "capot", "capot_bid",
    "solo_capot", "capot_to", "capot_doubling", "doubled_capot", "nt_factor", "rounding", "doubled",
    "third_double", "failure_penalty", "finish_on_capot", "card_points",
)  # fmt: skip
DECLARATION_RULES = (
    "declare", "declaration_tie", "declaration_pools", "run_of_eight", "cards_shared",
    "nt_declarations", "nt_four_aces", "belote", "belote_when",
)  # fmt: skip
PLAY_RULES = ("trump_led", "plain_led", "partner_winning", "undertrump")


def choices(field: str) -> list[Any]:
    """The values that a field may have."""
    if field in ("capot", "solo_capot"):
        return SOLO if field == "solo_capot" else CAPOTS
    hint = get_type_hints(RuleSet)[field]
    if hint is bool:
        return [False, True]
    found: list[Any] = []
    for part in get_args(hint):
        found += get_args(part) or [None if part is type(None) else part]
    return found


def contradicts(rules: RuleSet) -> bool:
    return any(wrong for check in CHECKS for wrong in check(rules).values())


@st.composite
def rule_sets(draw: st.DrawFn, fields: tuple[str, ...], game: str | None = None) -> RuleSet:
    """A game, half the time with house rules among those fields."""
    rules = BOOK[game or draw(st.sampled_from(sorted(BOOK)))]
    for field in draw(st.lists(st.sampled_from(fields), max_size=5)) if draw(st.booleans()) else ():
        changed = replace(rules, **{field: draw(st.sampled_from(choices(field)))})
        rules = rules if contradicts(changed) else changed
    return rules


@st.composite
def contracts(draw: st.DrawFn, rules: RuleSet) -> Contract:
    """A contract that an auction of the game may end in."""
    values: list[Any] = [None]
    if rules.auction == "levels":
        values = [80, 80, 90, 120, 160, *(["capot"] if rules.capot_bid else [])]
    factors = [1, 1, 2, 4, "match"]
    contract = Contract(
        Seat(draw(st.integers(0, rules.players - 1))),
        draw(st.sampled_from(rules.trumps)),
        draw(st.sampled_from(values)),
        draw(st.sampled_from(factors)),  # type: ignore[arg-type]
    )
    return contract if is_contract(rules, contract) else replace(contract, factor=1)


def other_rules(rules: RuleSet) -> Mapping[str, Any]:
    """The rules in the words of the page, for the other reading."""
    return rules_record(rules)


def other_contract(contract: Contract) -> Mapping[str, Any]:
    return {
        "taker": int(contract.taker),
        "trump": contract.trump.value,
        "value": contract.value,
        "factor": contract.factor,
    }


@st.composite
def played(draw: st.DrawFn, game: str) -> tuple[RuleSet, Figures]:
    """The totals of a deal: every third at the edge between made and failed, many a capot."""
    rules = draw(rule_sets(SCORE_RULES, game))
    contract = draw(contracts(rules))
    sides = [Side(side) for side in range(rules.sides)]
    alone = [(side,) for side in sides]
    taking = draw(st.sampled_from([tuple(sides)] * 4 + [*alone, tuple(sides[1:])]))
    # With two players some cards are out of play.
    out = draw(st.integers(0, 40)) if rules.players == 2 else 0
    whole = sum(card_points(rules, contract.trump)) + LAST_TEN - out
    declared = [draw(st.sampled_from([0, 0, 0, 20, 40, 50, 100, 120, 200])) for _ in sides]
    belote = [0] * len(sides)
    if contract.trump is not Trump.NO_TRUMPS:
        belote[draw(st.sampled_from(sides))] = 20 * draw(st.integers(0, 1))
    taker = side_of(contract.taker, rules.players)
    points = draw(splits(whole, taking))
    if taker in taking and len(taking) > 1 and draw(st.integers(0, 2)) < 2:
        edge = draw(edges(rules, contract, taker, whole, declared, belote))
        others = tuple(side for side in taking if side != taker)
        points = {**draw(splits(whole - edge, others)), taker: edge}
    last = max(points, key=lambda side: points[side])
    return rules, Figures(
        contract=contract,
        cards=tuple(points.get(side, 0) - LAST_TEN * (side == last) for side in sides),
        last_ten=last,
        tricks=tuple((8 if len(taking) == 1 else 4) * (side in taking) for side in sides),
        solo=Seat(taking[0]) if len(taking) == 1 and draw(st.booleans()) else None,
        declarations=tuple(declared),
        belote=tuple(belote),
        carried_in=draw(st.sampled_from([0, 0, 81, 16])),
    )


@st.composite
def edges(
    draw: st.DrawFn,
    rules: RuleSet,
    contract: Contract,
    taker: Side,
    whole: int,
    declared: list[int],
    belote: list[int],
) -> int:
    """Trick points with which the taker is just equal to the others, or meets its bid; or one more
    or less."""
    bonus = [0] * rules.sides
    if rules.contract_counts != "tricks":
        bonus = list(belote)
    if rules.contract_counts == "all":
        bonus = [d + b for d, b in zip(declared, belote, strict=True)]
    equal = (whole + sum(bonus)) // 2 - bonus[taker]
    if isinstance(contract.value, int) and draw(st.booleans()):
        equal = contract.value - bonus[taker]
    return min(max(equal + draw(st.integers(-1, 1)), 0), whole)


@st.composite
def splits(draw: st.DrawFn, whole: int, among: tuple[Side, ...]) -> dict[Side, int]:
    """Points shared out among some sides."""
    cuts = sorted(draw(st.integers(0, whole)) for _ in among[1:])
    bounds = [0, *cuts, whole]
    return {side: bounds[i + 1] - bounds[i] for i, side in enumerate(among)}


@pytest.mark.parametrize("game", BOOK)
@law
@given(data=st.data(), before=st.sampled_from([0, 100, 140, 500, 990]))
def test_both_score_the_same(game: str, data: st.DataObject, before: int) -> None:
    rules, figures = data.draw(played(game))
    result = score(rules, figures, tuple(before + 7 * side for side in range(rules.sides)))
    contract = other_contract(figures.contract)
    theirs = second.score_points(
        other_rules(rules),
        contract,
        list(figures.cards),
        figures.last_ten,
        list(figures.tricks),
        figures.solo,
        list(figures.declarations),
        list(figures.belote),
        figures.carried_in,
    )
    mine = score_record(result)
    totals = mine.pop("totals")
    assert mine == theirs
    who = winner(rules, figures.contract, result)
    assert who == second.match_over(other_rules(rules), totals, theirs, contract)
    for seat in range(rules.players):
        shown = SeenDeclaration(Seat(seat), "tierce", (), 20, "scored")
        (final,) = final_outcomes(rules, (shown,), figures.contract, result)
        assert final.outcome in outcomes_allowed(
            other_rules(rules), {"contract": contract}, theirs, {"seat": seat, "outcome": "scored"}
        )


@st.composite
def dealt(draw: st.DrawFn, rules: RuleSet) -> list[tuple[Card, ...]]:
    """What each seat may play when play begins, out of a pack that is rarely well shuffled: runs
    and four of a kind are frequent."""
    pack = [Card(c) for c in range(32) if rules.pack == 32 or c & 7 > 1]
    order = draw(st.sampled_from(["suits", "ranks", "shuffled"]))
    if order == "shuffled":
        pack = list(draw(st.permutations(pack)))
    elif order == "ranks":
        pack.sort(key=lambda card: (card & 7, card >> 3))
    for _ in range(draw(st.integers(0, 6))):
        one, two = (draw(st.integers(0, len(pack) - 1)) for _ in range(2))
        pack[one], pack[two] = pack[two], pack[one]
    each = {"belot-duel": 9, "belot-open": 12}.get(rules.preset, 8)
    turn = draw(st.integers(0, len(pack) - 1))
    pack = pack[turn:] + pack[:turn]
    return [tuple(pack[each * seat : each * (seat + 1)]) for seat in range(rules.players)]


@pytest.mark.parametrize("game", [name for name, rules in BOOK.items() if rules.declare != "none"])
@law
@given(data=st.data())
def test_both_find_and_settle_the_same_declarations(game: str, data: st.DataObject) -> None:
    rules = data.draw(rule_sets(DECLARATION_RULES, game))
    trump = data.draw(st.sampled_from(rules.trumps))
    leader = Seat(data.draw(st.integers(0, rules.players - 1)))
    hands = data.draw(dealt(rules))
    found = [held(rules, trump, Seat(seat), mask_of(hand)) for seat, hand in enumerate(hands)]
    said = list(found)
    if rules.declare == "player":
        for seat, each in enumerate(found):
            asked = [d.cards for d in each if data.draw(st.booleans())]
            chosen = picked(each, asked)
            assert chosen is not None
            said[seat] = chosen
    made = [d for each in said for d in each]
    shown = settled(rules, trump, leader, made)
    in_order = sorted(made, key=lambda d: (d.seat - leader) % rules.players)
    outcomes = {(d.seat, names(d.cards)): told.outcome
                for d, told in zip(in_order, shown, strict=True)}  # fmt: skip
    mine = {
        (int(d.seat), d.kind, d.points, names(d.cards[-5:])):
            outcomes.get((d.seat, names(d.cards)), "withheld")
        for each in found for d in each
    }  # fmt: skip

    theirs = second.found_declarations(
        other_rules(rules),
        trump.value,
        int(leader),
        [list(names(hand)) for hand in hands],
        None,
        {seat: [list(names(d.cards[-5:])) for d in each] for seat, each in enumerate(said)},
    )
    assert mine == {
        (d["seat"], d["kind"], d["points"], tuple(d["cards"])): d["outcome"] for d in theirs
    }
    assert list(points_by_side(rules, shown)) == second.side_points(other_rules(rules), theirs)
    eights = second.run_of_eight_wins(
        other_rules(rules),
        trump.value,
        [list(names(hand)) for hand in hands],
        None,
        {seat: [list(names(d.cards[-5:])) for d in each] for seat, each in enumerate(said)},
    )
    assert run_of_eight(rules, made) == (eights[0] if eights else None)


def names(cards: tuple[Card, ...]) -> tuple[str, ...]:
    return tuple(NAMES[card] for card in cards)


@st.composite
def turns(draw: st.DrawFn) -> tuple[RuleSet, Trump, Seat, list[Card], list[Card]]:
    """A seat's turn in some trick: what it may play from, and what lies on the table. Few suits,
    so that following, ruffing and being void are equally frequent."""
    rules = draw(rule_sets((*PLAY_RULES, "belote", "belote_when")))
    trump = draw(st.sampled_from(rules.trumps))
    suits = draw(st.lists(st.integers(0, 3), min_size=1, max_size=4, unique=True))
    if trump.suit is not None and draw(st.booleans()):
        suits = sorted({*suits, int(trump.suit)})
    pack = [Card(s * 8 + r) for s in suits for r in range(8)]
    size = draw(st.integers(0, rules.players - 1))
    cards = draw(st.permutations(pack))
    trick, rest = list(cards[:size]), list(cards[size:])
    hand = rest[: draw(st.integers(1, 5))]
    return rules, trump, Seat(draw(st.integers(0, rules.players - 1))), hand, trick


@law
@given(turns())
def test_both_allow_the_same_cards_and_refuse_the_others_for_the_same_reason(
    turn: tuple[RuleSet, Trump, Seat, list[Card], list[Card]],
) -> None:
    rules, trump, seat, hand, trick = turn
    legal = legal_mask(rules, trump, mask_of(hand), tuple(trick))
    whys = refusals(rules, trump, mask_of(hand), tuple(trick), legal)
    table = seated(rules, seat, trick)
    asked = (other_rules(rules), trump.value, int(seat), list(names(tuple(hand))), [], table)
    assert {NAMES[c] for c in cards_of(legal)} == set(second.legal_cards(*asked))
    assert {NAMES[card]: why.code for card, why in whys} == second.why_not(*asked)


def seated(rules: RuleSet, seat: Seat, trick: list[Card]) -> list[tuple[int, str]]:
    """The trick with the seats that played it, up to the one whose turn it is."""
    count = len(trick)
    return [((seat - count + i) % rules.players, NAMES[card]) for i, card in enumerate(trick)]


@law
@given(turns())
def test_both_name_the_same_winner_of_a_trick(
    turn: tuple[RuleSet, Trump, Seat, list[Card], list[Card]],
) -> None:
    rules, trump, seat, hand, trick = turn
    cards = [*trick, hand[0]]
    table = seated(rules, Seat((seat + 1) % rules.players), cards)
    place = best_of(tuple(cards), trump)
    assert second.trick_winner(other_rules(rules), trump.value, table) == table[place][0]


@law
@given(turns(), st.integers(0, 3), st.sampled_from(["K", "Q"]))
def test_both_hear_the_same_belote(
    turn: tuple[RuleSet, Trump, Seat, list[Card], list[Card]], suit: int, rank: str
) -> None:
    rules, trump, seat, hand, trick = turn
    king, queen = Card(suit * 8 + 6), Card(suit * 8 + 5)
    assume(king not in trick and queen not in trick)
    holding = {*hand, king, queen} if len(hand) % 2 else {*hand, king if rank == "K" else queen}
    card = king if rank == "K" else queen
    call = belote_call(rules, trump, mask_of(holding), 0, card, tuple(trick))
    play = {
        "seat": int(seat),
        "card": NAMES[card],
        "held": [NAMES[c] for c in sorted(holding)],
        "trick": seated(rules, seat, trick),
    }
    theirs = second.belotes_of(other_rules(rules), trump.value, [play])
    assert (call == "belote") == bool(theirs)


def disagreements(rules: RuleSet, seed: str, deals: int) -> list[str]:
    """What the other reading says of the records of random matches: pack, calls, legal cards,
    winners, declarations, belote, score, dealers, totals and the match's end."""
    faults: list[str] = []
    number = 0
    while deals > 0 and not faults:
        steps = list(play_match(rules, f"{seed} {number}"))
        events = [event for step in steps for event in step.events]
        told = list(records(rules, steps[0].before.match, events, with_legal=True))
        faults += second.check_match(told)
        deals, number = deals - len(told), number + 1
    return faults


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_whole_matches_are_refereed_the_same(preset: str) -> None:
    assert disagreements(PRESETS[preset], preset, CASES) == []


HOUSE: list[tuple[str, dict[str, object]]] = [
    ("classic", {"declaration_tie": "first", "cards_shared": "yes", "rounding": "ten"}),
    ("classic", {"declare": "player", "declare_at": "before_lead", "belote_said": "player"}),
    ("classic-dealer-leads", {"all_pass": "next", "partner_winning": "no_exemption"}),
    ("french", {"handling": "shuffle", "run_of_eight": "quinte_and_tierce", "plain_led": "beat"}),
    ("coinche", {"solo_capot": "bonus 490", "nt_declarations": "all", "nt_four_aces": 200}),
    ("coinche", {"double": "in_turn ×2", "redouble": "in_turn ×4", "tie": "failed"}),
    ("coinche", {"capot_bid": "none", "rounding": "none", "double": "none", "redouble": "none"}),
    ("contree", {"trumps": ["S", "H", "D", "C", "NT", "AT"], "double": "any_time ×2",
                 "redouble": "any_time ×4"}),
    ("belot", {"third_double": "match", "failure_penalty": 10, "belote_in_litige": "kept"}),
    ("belote-international", {"nt_four_aces": 200, "finish_on_capot": "yes"}),
    ("belot-duel", {"declaration_tie": "trump_then_first", "nt_declarations": "all"}),
    ("belot-trio", {"third_double": "match", "failed_trio": "both", "failure_penalty": 10}),
    ("belot-trio", {"failed_trio": "vanish", "tie": "failed"}),
    ("bela", {"dealer_cancel": "at_most_7", "tie": "failed", "belote_on_failure": "kept"}),
    ("bela", {"dealer_cancel": "any", "run_of_eight": "quinte", "declare_at": "first_card"}),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    ("preset", "house"), HOUSE, ids=[f"{name}: {', '.join(house)}" for name, house in HOUSE]
)
def test_matches_with_house_rules_are_refereed_the_same(
    preset: str, house: dict[str, object]
) -> None:
    assert disagreements(overridden(BOOK[preset], house), preset, CASES // 4) == []


def test_deals_that_the_dealer_annuls_are_refereed_the_same() -> None:
    """Random callers hardly ever come so far, so here all pass in every second deal."""
    rules = overridden(BOOK["bela"], {"dealer_cancel": "any"})
    random = by_seed("annulled")

    def choose(state: State, options: Sequence[Command]) -> Command:
        wanted = [each for each in options if isinstance(each, Pass | Annul)]
        return wanted[0] if wanted and state.deal % 2 == 0 else random(state, options)

    state, events = start(rules, "annulled"), []
    first = state
    while state.phase != "ended":
        for done in play_deal(state, deal_of(state, "annulled"), choose):
            events += done.events
            state = done.after
    told = list(records(rules, first.match, events, with_legal=True))
    annulled = [deal for deal in told if deal["contract"] is None]
    assert len(annulled) == len(told) // 2 > 2
    assert all(len(hand) == 8 for deal in annulled for hand in deal["hands"]), "two lie unseen"
    assert second.check_match(told) == []


def test_a_planted_fault_is_found() -> None:
    """The comparison of whole matches can fail."""
    rules = PRESETS["classic"]
    steps = list(play_match(rules, "planted", 3))
    events = [event for step in steps for event in step.events]
    record = next(r for r in records(rules, "m", events) if r["score"])
    assert second.check_record(record) == []
    record["score"]["awarded"][0] += 10
    assert second.check_record(record) != []
