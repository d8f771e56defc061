"""The four kinds of auction: section 3 of the rules page, read a second time from the page alone.

`auction_state` walks the calls made so far and answers whose turn it is, whether it is over,
the contract that stands, and every call that could be made now (out of turn too).
"""

import re

from .cards import PLAIN_POINTS, SUIT_LETTERS, after, rank, seats_from, side_of, suit


def when_and_factor(rules, field):
    """`double` or `redouble`: (none | in_turn | any_time, its factor)."""
    words = rules[field].split()
    numbers = re.findall(r"\d+", rules[field])
    usual = 2 if field == "double" else 4
    return words[0], int(numbers[0]) if numbers else usual


def going(turn, calls):
    return {"over": False, "turn": turn, "contract": None, "calls": calls}


def ended(contract):
    return {"over": True, "turn": None, "contract": contract, "calls": []}


def contract_of(taker, trump, value=None, factor=1):
    return {"taker": taker, "trump": trump, "value": value, "factor": factor}


def named(seat, trump):
    return {"seat": seat, "call": "name", "trump": trump}


def simple(seat, call):
    return {"seat": seat, "call": call}


def may_annul(rules, hand):
    """`dealer_cancel`, for a dealer who must name a trump."""
    if rules["dealer_cancel"] == "any":
        return True
    if rules["dealer_cancel"] == "at_most_7" and hand is not None:
        # Doubt: "the cards dealt so far" is read as the dealer's own cards that it has seen.
        return sum(PLAIN_POINTS[rank(card)] for card in hand) <= 7
    return False


def turn_up_state(rules, auction, dealer, turned, hand):
    players = rules["players"]
    if auction and auction[-1]["call"] == "take":
        return ended(contract_of(auction[-1]["seat"], suit(turned)))
    if auction and auction[-1]["call"] == "name":
        return ended(contract_of(auction[-1]["seat"], auction[-1]["trump"]))
    if auction and auction[-1]["call"] == "annul":
        return ended(None)
    if len(auction) == 2 * players:
        return ended(None)
    seat = after(rules, dealer, 1 + len(auction))
    if len(auction) < players:
        return going(seat, [simple(seat, "pass"), simple(seat, "take")])
    others = [t for t in rules["trumps"] if t in SUIT_LETTERS and t != suit(turned)]
    calls = [named(seat, t) for t in others]
    forced = rules["all_pass"] == "dealer_must" and len(auction) == 2 * players - 1
    if not forced:
        calls.append(simple(seat, "pass"))
    elif may_annul(rules, hand):
        calls.append(simple(seat, "annul"))
    return going(seat, calls)


def call_state(rules, auction, dealer, turned, hand):
    if auction and auction[-1]["call"] == "name":
        return ended(contract_of(auction[-1]["seat"], auction[-1]["trump"]))
    if len(auction) == rules["players"] or (auction and auction[-1]["call"] == "annul"):
        return ended(None)
    seat = after(rules, dealer, 1 + len(auction))
    calls = [named(seat, t) for t in rules["trumps"]]
    if seat != dealer or rules["all_pass"] != "dealer_must":
        calls.append(simple(seat, "pass"))
    elif may_annul(rules, hand):
        calls.append(simple(seat, "annul"))
    return going(seat, calls)


def values_of(rules):
    """Every value that may be bid: a record's `bids` may leave capot to `capot_bid`."""
    capot = [] if rules["capot_bid"] == "none" else ["capot"]
    return [value for value in rules["bids"] if value != "capot"] + capot


def height(value):
    """The rank of a level among the bids; capot is above every number."""
    return 250 if value == "capot" else value


def may(when, seat, turn):
    """Whether a seat may double now, the turn being another's or its own."""
    return when == "any_time" or (when == "in_turn" and seat == turn)


def opponents(rules, seat):
    return [s for s in range(rules["players"]) if side_of(rules, s) != side_of(rules, seat)]


def levels_state(rules, auction, dealer, turned, hand):
    bid, doubler, redoubled, passes = None, None, False, 0
    for call in auction:
        passes = passes + 1 if call["call"] == "pass" else 0
        if call["call"] == "bid":
            bid = call
        if call["call"] == "double":
            doubler = call["seat"]
        if call["call"] == "redouble":
            redoubled = True
    if doubler is not None:
        return levels_answers(rules, bid, doubler, redoubled, passes)
    if bid is None and passes == rules["players"]:
        return ended(None)
    if bid is not None and passes == rules["players"] - 1:
        return ended(contract_of(bid["seat"], bid["trump"], bid["value"]))
    seat = after(rules, auction[-1]["seat"] if auction else dealer)
    calls = [simple(seat, "pass")]
    calls += [
        {"seat": seat, "call": "bid", "value": value, "trump": trump}
        for value in values_of(rules)
        for trump in rules["trumps"]
        if bid is None or height(value) > height(bid["value"])
    ]
    if bid is not None:
        when = when_and_factor(rules, "double")[0]
        calls += [simple(s, "double") for s in opponents(rules, bid["seat"]) if may(when, s, seat)]
    return going(seat, calls)


def levels_answers(rules, bid, doubler, redoubled, passes):
    """After a double: the bidding side's seats, in order from the doubler, each once."""
    redouble_when, redouble_factor = when_and_factor(rules, "redouble")
    factor = redouble_factor if redoubled else when_and_factor(rules, "double")[1]
    answering = [
        s
        for s in seats_from(rules, after(rules, doubler))
        if side_of(rules, s) == side_of(rules, bid["seat"])
    ]
    # Doubt: without redoubling there is nothing to answer, so the double ends it.
    # Doubt: `redouble` any_time changes nothing here, since the page fixes the order.
    if redoubled or redouble_when == "none" or passes == len(answering):
        return ended(contract_of(bid["seat"], bid["trump"], bid["value"], factor))
    seat = answering[passes]
    return going(seat, [simple(seat, "pass"), simple(seat, "redouble")])


CONTRACT_ORDER = ["C", "D", "H", "S", "NT", "AT"]


def contracts_state(rules, auction, dealer, turned, hand):
    bid, doubler, last, passes = None, None, None, 0
    for call in auction:
        passes = passes + 1 if call["call"] == "pass" else 0
        if call["call"] != "pass":
            last = call["call"]
        if call["call"] == "bid":
            bid, doubler = call, None
        if call["call"] == "double":
            doubler = call["seat"]
    if bid is None and passes == rules["players"]:
        return ended(None)
    if bid is not None and passes == rules["players"] - 1:
        factors = {
            "bid": 1,
            "double": when_and_factor(rules, "double")[1],
            "redouble": when_and_factor(rules, "redouble")[1],
            "third": "match",
        }
        return ended(contract_of(bid["seat"], bid["trump"], None, factors[last]))
    # Doubt: after a double out of turn (house rule) the turn goes on from the doubler.
    seat = after(rules, auction[-1]["seat"] if auction else dealer)
    calls = [simple(seat, "pass")]
    for trump in CONTRACT_ORDER:
        higher = bid is None or CONTRACT_ORDER.index(trump) > CONTRACT_ORDER.index(bid["trump"])
        if higher and trump in rules["trumps"]:
            calls.append({"seat": seat, "call": "bid", "trump": trump})
    if bid is not None:
        calls += contracts_doubles(rules, bid, doubler, last, seat)
    return going(seat, calls)


def contracts_doubles(rules, bid, doubler, last, turn):
    """The double, redouble or third double that may follow the last call other than a pass."""
    bidders = [s for s in range(rules["players"]) if s not in opponents(rules, bid["seat"])]
    if last == "bid":
        when = when_and_factor(rules, "double")[0]
        return [simple(s, "double") for s in opponents(rules, bid["seat"]) if may(when, s, turn)]
    if last == "double":
        when = when_and_factor(rules, "redouble")[0]
        return [simple(s, "redouble") for s in bidders if may(when, s, turn)]
    if rules["third_double"] != "match":
        return []
    may_third = side_of(rules, turn) == side_of(rules, doubler)
    return [simple(turn, "third")] if last == "redouble" and may_third else []


def auction_state(rules, auction, dealer, turned=None, hand=None):
    """{"over", "turn", "contract", "calls"}; `hand` is the dealer's, for `dealer_cancel`."""
    kinds = {
        "turn_up": turn_up_state,
        "levels": levels_state,
        "contracts": contracts_state,
        "call": call_state,
    }
    return kinds[rules["auction"]](rules, auction, dealer, turned, hand)


def legal_calls(rules, auction_so_far, dealer, turned=None, hand=None):
    """Every call that any seat may make now; an ended auction has none."""
    return auction_state(rules, auction_so_far, dealer, turned, hand)["calls"]


def same_call(rules, a, b):
    """Whether two calls are the same, looking only at what belongs to their kind."""
    keys = ["seat", "call"]
    if a["call"] in ("name", "bid"):
        keys.append("trump")
    if a["call"] == "bid" and rules["auction"] == "levels":
        keys.append("value")
    return all(a.get(key) == b.get(key) for key in keys)
