"""Random deals of every preset, played and recorded by this referee's own reading.

They show that the referee's parts agree with each other (no record of its own is refused), that
nothing is lost or made in scoring, and that planted faults are found.
"""

import copy
import random

import pytest

from . import (
    PRESETS,
    auction_state,
    check_match,
    check_record,
    legal_cards,
    match_over,
    next_dealer,
    score_deal,
    trick_winner,
)
from .cards import after, full_pack, side_count
from .dealing import deal_after, deal_before
from .replay import declarations_in, first_leader, plays_of, said_belotes, trick_count


def choose_call(calls, rng):
    """Bidding that ends: mostly passes, now and then a bid or a double."""
    passes = [c for c in calls if c["call"] == "pass"]
    if passes and rng.random() < 0.6:
        return passes[0]
    others = [c for c in calls if c["call"] != "pass"]
    return rng.choice(others or calls)


def next_pack(rules, before, rng):
    """(pack, cut): shuffled, or gathered from the last deal's tricks and cut."""
    pack = full_pack(rules)
    rng.shuffle(pack)
    if rules["handling"] == "shuffle":
        return pack, None
    if before is not None and before["tricks"]:
        piles = [[], []]
        for trick in before["tricks"]:
            piles[trick["winner"] % 2] += trick["cards"]
        pack = piles[0] + piles[1]
    cut = rng.randint(3, len(pack) - 3)
    return pack[cut:] + pack[:cut], cut


def play(rules, record, rng):
    """Play all tricks at random, seeing each time what the seat may see."""
    leader = first_leader(rules, record)
    for _ in range(trick_count(record)):
        trick = {"leader": leader, "cards": [], "winner": None, "legal": []}
        record["tricks"].append(trick)
        so_far = []
        for i in range(rules["players"]):
            seat = after(rules, leader, i)
            held = now_held(rules, record, seat)
            legal = legal_cards(rules, record["contract"]["trump"], seat, held, [], so_far)
            assert legal
            card = rng.choice(legal)
            trick["legal"].append(legal)
            trick["cards"].append(card)
            so_far.append((seat, card))
        leader = trick_winner(rules, record["contract"]["trump"], so_far)
        trick["winner"] = leader


def now_held(rules, record, seat):
    """What the seat may play now: asked of the replay by adding a card that nobody has."""
    asked = copy.deepcopy(record)
    last = asked["tricks"][-1]
    while after(rules, last["leader"], len(last["cards"])) != seat:
        last["cards"].append("??")
    last["cards"].append("??")
    return plays_of(rules, asked)[-1]["held"]


def one_deal(preset, number, dealer, before, carried, rng):
    rules = PRESETS[preset]
    pack, cut = next_pack(rules, before, rng)
    table = deal_before(rules, dealer, pack)
    auction = []
    state = auction_state(rules, auction, dealer, table["turned"])
    while not state["over"]:
        auction.append(choose_call(state["calls"], rng))
        state = auction_state(rules, auction, dealer, table["turned"])
    record = {
        "preset": preset,
        "rules": rules,
        "deal": number,
        "dealer": dealer,
        "pack": pack,
        "cut": cut,
        "turned": table["turned"],
        "auction": auction,
        "contract": state["contract"],
        "declarations": [],
        "belote": [],
        "tricks": [],
        "score": None,
    }
    if state["contract"] is not None:
        table = deal_after(rules, dealer, pack, state["contract"]["taker"])
    record |= {"hands": table["hands"], "up": table["up"], "down": table["down"]}
    if state["contract"] is None:
        return record
    play(rules, record, rng)
    record["declarations"] = None
    record["belote"] = None
    found = declarations_in(rules, record)
    if rules["declare"] == "player":
        for d in found:
            if rng.random() < 0.3:
                d["outcome"] = "withheld"
    record["declarations"] = found
    outcomes = {(d["seat"], *d["cards"]): d for d in declarations_in(rules, record)}
    for d in found:
        d["outcome"] = outcomes[(d["seat"], *d["cards"])]["outcome"]
    record["belote"] = said_belotes(rules, record)
    if rules["belote_said"] == "player":
        record["belote"] = [b for b in record["belote"] if rng.random() < 0.7]
    record["score"] = score_deal(rules, record, carried)
    show_what_became_of_declarations(rules, record)
    return record


def show_what_became_of_declarations(rules, record):
    names = {"lost": "lost", "to_others": "taken"}
    for d in record["declarations"]:
        side = d["seat"] % 2 if rules["players"] == 4 else d["seat"]
        trickless = record["score"]["tricks"][side] == 0
        if d["outcome"] == "scored" and trickless:
            d["outcome"] = names.get(rules["declarations_without_trick"], "scored")


def one_match(preset, seed, deals):
    rng = random.Random(f"{preset} {seed}")
    rules = PRESETS[preset]
    totals, carried = [0] * side_count(rules), 0
    dealer, before, records = rng.randrange(rules["players"]), None, []
    for number in range(1, deals + 1):
        record = one_deal(preset, number, dealer, before, carried, rng)
        records.append(record)
        score = record["score"]
        if score is not None:
            totals = [a + b for a, b in zip(totals, score["awarded"], strict=True)]
            score["totals"] = totals
            carried = score["hung"]
        if match_over(rules, totals, score, record["contract"]) is not None:
            break
        dealer = next_dealer(rules, dealer, record["contract"] is None)
        before = record
    return records


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("seed", range(3))
def test_own_records_are_agreed_with(preset, seed):
    records = one_match(preset, seed, 6)
    assert check_match(records) == []
    for record in records:
        if record["score"] is not None:
            check_sums(PRESETS[preset], record)


def check_sums(rules, record):
    """Nothing is lost or made: card points, tricks and, undoubled, what is written or hangs."""
    score, contract = record["score"], record["contract"]
    assert sum(score["tricks"]) == trick_count(record)
    if rules["card_points"] == "scaled_162" or rules["pack"] == 32:
        natural = {"NT": 120, "AT": 248}.get(contract["trump"], 152)
        scaled = rules["card_points"] == "scaled_162"
        assert sum(score["cards"]) == (152 if scaled else natural)
    written = sum(score["awarded"]) + score["hung"] - score["carried_in"]
    if rules["scoring"] == "match_points" and contract["factor"] == 1 and score["capot"] is None:
        assert written == sum(score["rounded"])
    if rules["scoring"] == "points" and score["capot"] is None:
        assert written == 162 + sum(score["declarations"]) + sum(score["belote"])


def a_played_record(preset="classic"):
    for seed in range(50):
        record = one_match(preset, seed, 1)[0]
        if record["score"] is not None:
            return record
    raise AssertionError("no deal was played")


def swap_two_cards(record):
    pack = record["pack"]
    pack[0], pack[31] = pack[31], pack[0]


def double_a_pass(record):
    record["auction"].insert(0, dict(record["auction"][0], call="pass", seat=record["dealer"]))


def wrong_winner(record):
    record["tricks"][2]["winner"] = (record["tricks"][2]["winner"] + 1) % 4


def one_point_more(record):
    record["score"]["awarded"][0] += 1


def another_taker(record):
    record["contract"]["taker"] = (record["contract"]["taker"] + 1) % 4


def invented_belote(record):
    record["belote"] = [{"seat": 0, "suit": "S"}, {"seat": 1, "suit": "S"}]


def invented_tierce(record):
    record["declarations"].append(
        {"seat": 0, "kind": "tierce", "cards": ["??"], "points": 20, "outcome": "scored"}
    )


def legal_list_short(record):
    record["tricks"][0]["legal"][0].pop()


def unknown_word(record):
    record["rules"] = dict(record["rules"], undertrump="maybe")


@pytest.mark.parametrize(
    "spoil",
    [
        swap_two_cards,
        double_a_pass,
        wrong_winner,
        one_point_more,
        another_taker,
        invented_belote,
        invented_tierce,
        legal_list_short,
        unknown_word,
    ],
)
def test_a_planted_fault_is_found(spoil):
    record = a_played_record()
    assert check_record(record) == []
    spoil(record)
    assert check_record(record) != []


def test_a_revoke_is_found():
    """Exchange two cards of one seat between tricks so that one of them breaks a rule."""
    record = a_played_record()
    rules = PRESETS["classic"]
    for number, trick in enumerate(record["tricks"]):
        for i, card in enumerate(trick["cards"]):
            seat = after(rules, trick["leader"], i)
            refused = [c for c in record["hands"][seat] if c not in trick["legal"][i]]
            later = [t for t in record["tricks"][number + 1 :] if set(t["cards"]) & set(refused)]
            if not later:
                continue
            other = next(c for c in later[0]["cards"] if c in refused)
            spoiled = copy.deepcopy(record)
            spoiled["tricks"][number]["cards"][i] = other
            place = later[0]["cards"].index(other)
            spoiled["tricks"][record["tricks"].index(later[0])]["cards"][place] = card
            assert any("may not play" in fault for fault in check_record(spoiled))
            return
    raise AssertionError("nobody was ever bound by a rule")
