"""Checking records: everything in them that this second reading of the rules disagrees with.

Written from the page alone. `check_record` judges one deal, `check_match` the deals of a match
in order.
"""

from .auction import auction_state, same_call
from .belote import belotes_of
from .cards import side_count, side_of, trick_winner
from .dealing import deal_after, deal_before, gathered_in_piles, pack_faults
from .legal import why_refused
from .match_end import match_over, next_dealer
from .replay import (
    declarations_in,
    first_leader,
    is_complete,
    match_winners,
    plays_of,
    rules_in,
    score_deal,
    seated,
)


def check_deal(rules, record):
    """The pack, the hands and the turn-up."""
    faults = pack_faults(rules, record)
    dealer, pack, contract = record["dealer"], record["pack"], record["contract"]
    if contract is None:
        table = deal_before(rules, dealer, pack)
    else:
        table = deal_after(rules, dealer, pack, contract["taker"])
    for seat, hand in enumerate(table["hands"]):
        if sorted(hand) != sorted(record["hands"][seat]):
            faults.append(f"hands[{seat}]: {hand} was dealt, not {record['hands'][seat]}")
    if record.get("turned") != table["turned"]:
        faults.append(f"turned: {table['turned']} was turned up, not {record.get('turned')}")
    if rules["layout"] == "open":
        for pile in ("up", "down"):
            if record.get(pile) != table[pile]:
                faults.append(f"{pile}: {table[pile]} was dealt, not {record.get(pile)}")
    return faults


def check_auction(rules, record):
    faults = []
    table = deal_before(rules, record["dealer"], record["pack"])
    seen = table["hands"][record["dealer"]]
    if rules["auction"] == "call":
        seen = seen[:6]
    for i, call in enumerate(record["auction"]):
        state = auction_state(rules, record["auction"][:i], record["dealer"], table["turned"], seen)
        if not any(same_call(rules, call, c) for c in state["calls"]):
            faults.append(f"auction[{i}]: {call} is not allowed")
            return faults
    state = auction_state(rules, record["auction"], record["dealer"], table["turned"], seen)
    contract = record["contract"]
    if contract is not None:
        contract = {k: contract.get(k) for k in ("taker", "trump", "value", "factor")}
    if contract != state["contract"]:
        faults.append(f"contract: {state['contract']}, not {contract}")
    return faults


def check_tricks(rules, record):
    faults = []
    trump = record["contract"]["trump"]
    leader = first_leader(rules, record)
    for play in plays_of(rules, record):
        number, seat, held = play["number"], play["seat"], play["held"]
        place = len(play["trick"])
        judged = {c: why_refused(rules, trump, seat, held, play["trick"], c) for c in held}
        if judged.get(play["card"], "not_your_card") is not None:
            code = judged.get(play["card"], "not_your_card")
            faults.append(f"tricks[{number}]: seat {seat} may not play {play['card']}: {code}")
        listed = record["tricks"][number].get("legal")
        if listed is not None:
            mine = sorted(c for c in held if judged[c] is None)
            if sorted(listed[place]) != mine:
                faults.append(
                    f"tricks[{number}].legal[{place}]: seat {seat} had {mine}, not {listed[place]}"
                )
    for number, trick in enumerate(record["tricks"]):
        if trick["leader"] != leader:
            faults.append(f"tricks[{number}]: seat {leader} leads, not {trick['leader']}")
        if len(trick["cards"]) < rules["players"]:
            if number + 1 < len(record["tricks"]):
                faults.append(f"tricks[{number}]: only the last trick may be short")
            break
        leader = trick_winner(rules, trump, seated(rules, trick))
        if trick["winner"] != leader:
            faults.append(f"tricks[{number}]: seat {leader} wins, not {trick['winner']}")
    return faults


def loses_its_bonuses(rules, record, score, side):
    """Whether failure (or a double) takes this side's declarations from it."""
    taker = side_of(rules, record["contract"]["taker"])
    failed, doubled = score["outcome"] == "failed", record["contract"]["factor"] != 1
    if side == taker:
        taken = doubled and rules["doubled"] == "winner_takes_all"
        match = rules["scoring"] == "match_points"
        return failed and (match or taken or rules["declarations_on_failure"] != "owner")
    return doubled and score["outcome"] == "made"


def outcomes_allowed(rules, record, score, declaration):
    """Which outcomes the record may show for a declaration once the deal has been scored.

    Doubt: the record's `outcome` may stand before or after failure moves declarations; where
    failure or a double takes them away, both readings are accepted.
    """
    if declaration["outcome"] != "scored":
        return {declaration["outcome"]}
    side = side_of(rules, declaration["seat"])
    if score["tricks"][side] == 0 and rules["declarations_without_trick"] not in ("kept", None):
        return {"lost"} if rules["declarations_without_trick"] == "lost" else {"taken"}
    if loses_its_bonuses(rules, record, score, side):
        return {"scored", "taken", "lost"}
    return {"scored"}


def key_of(declaration):
    return (declaration["seat"], declaration["kind"], tuple(sorted(declaration["cards"])))


def check_declarations(rules, record):
    """The declarations listed; of a deal cut short only that each of them is held."""
    faults = []
    mine = {key_of(d): d for d in declarations_in(rules, record)}
    theirs = {key_of(d): d for d in record.get("declarations") or []}
    eights = match_winners(rules, record)
    for key, d in theirs.items():
        if key not in mine and d["seat"] in eights:
            continue  # a run of eight may be written with all its cards
        if key not in mine:
            faults.append(f"declarations: {d} is not held")
        elif d["points"] != mine[key]["points"]:
            faults.append(f"declarations: {key} counts {mine[key]['points']}, not {d['points']}")
    if not is_complete(rules, record):
        return faults
    score = score_deal(rules, record, 0)
    for key, d in mine.items():
        if key not in theirs:
            faults.append(f"declarations: {key} is missing")
            continue
        allowed = outcomes_allowed(rules, record, score, d)
        if theirs[key]["outcome"] not in allowed:
            faults.append(f"declarations: {key} is {sorted(allowed)}, not {theirs[key]['outcome']}")
    return faults


def check_belote(rules, record):
    listed = record.get("belote") or []
    possible = belotes_of(rules, record["contract"]["trump"], plays_of(rules, record))
    faults = [f"belote: {b} cannot be said" for b in listed if b not in possible]
    if rules["belote_said"] == "automatic" and is_complete(rules, record):
        faults += [f"belote: {b} is missing" for b in possible if b not in listed]
    return faults


def check_score(rules, record):
    theirs = record.get("score")
    mine = score_deal(rules, record, theirs["carried_in"] if theirs else 0)
    if mine is None or theirs is None:
        if mine is None and theirs is None:
            return []
        return [f"score: {mine}, not {theirs}"]
    compared = list(mine)
    if mine["outcome"] == "match":
        compared = ["outcome", "awarded", "carried_in"]
    return [
        f"score.{key}: {mine[key]}, not {theirs.get(key)}"
        for key in compared
        if theirs.get(key) != mine[key]
    ]


def check_record(record):
    """Everything in a record that this second reading of the rules disagrees with."""
    rules, faults = rules_in(record)
    faults += check_deal(rules, record)
    faults += check_auction(rules, record)
    if faults or record["contract"] is None:
        if record["contract"] is None and (record["tricks"] or record.get("score")):
            faults.append("tricks or score of a deal that nobody took")
        return faults
    faults += check_tricks(rules, record)
    faults += check_declarations(rules, record)
    faults += check_belote(rules, record)
    faults += check_score(rules, record)
    return faults


def was_passed_out(record):
    return record["contract"] is None and all(c["call"] == "pass" for c in record["auction"])


def check_match(records):
    """Every record of one match, in order, and what joins them: dealers, totals, what hangs."""
    faults = []
    totals, hanging, before = None, 0, None
    for i, record in enumerate(records):
        rules = rules_in(record)[0]
        faults += [f"deal {record['deal']}: {fault}" for fault in check_record(record)]
        if record["deal"] != i + 1:
            faults.append(f"deal {record['deal']}: should be number {i + 1}")
        if before is not None:
            dealer = next_dealer(rules, before["dealer"], was_passed_out(before))
            if record["dealer"] != dealer:
                faults.append(f"deal {i + 1}: {dealer} deals, not {record['dealer']}")
            gathered = rules["handling"] == "cut" and is_complete(rules, before)
            if gathered and not gathered_in_piles(before, record["pack"], record["cut"]):
                faults.append(f"deal {i + 1}: the pack is not the tricks of the deal before")
        score = record.get("score")
        if score is not None:
            totals = totals or [0] * side_count(rules)
            totals = [a + b for a, b in zip(totals, score["awarded"], strict=True)]
            if score["totals"] != totals:
                faults.append(f"deal {i + 1}: totals {totals}, not {score['totals']}")
            if score["carried_in"] != hanging:
                faults.append(f"deal {i + 1}: {hanging} hung, not {score['carried_in']}")
            hanging = score["hung"]
            eights = [side_of(rules, seat) for seat in match_winners(rules, record)]
            won = match_over(rules, totals, score, record["contract"], (eights or [None])[0])
            if won is not None and i + 1 < len(records):
                faults.append(f"deal {i + 1}: side {won} had won the match")
        before = record
    return faults
