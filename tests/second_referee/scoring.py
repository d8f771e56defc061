"""Scoring a deal from its totals: a second reading of sections 2, 4 and 5 of the rules page.

Written from the page alone. Here: the comparison that decides the contract, hanging points,
penalties, and the two games that count points; `match_points.py` has the third.
"""

from .cards import LAST_TRICK, side_count, side_of
from .declarations import after_tricks
from .match_points import match_point_award


def nearest_ten(points):
    return (points + 5) // 10 * 10


def capot_side(tricks):
    """The side that took every trick, or None."""
    for side, won in enumerate(tricks):
        if won and won == sum(tricks):
            return side
    return None


def bid_points(contract):
    """A capot bid is worth 250."""
    if contract.get("value") in (None, 0):
        return 0
    return 250 if contract["value"] == "capot" else contract["value"]


def decide(rules, contract, taker, trick_points, declarations, belote, capot):
    """made, failed or litige."""
    if capot is not None:
        return "made" if capot == taker else "failed"
    if contract.get("value") == "capot":
        return "failed"
    counts = list(trick_points)
    if rules["contract_counts"] in ("belote", "all"):
        counts = [c + b for c, b in zip(counts, belote, strict=True)]
    if rules["contract_counts"] == "all":
        counts = [c + d for c, d in zip(counts, declarations, strict=True)]
    mine = counts[taker]
    theirs = sum(counts) - mine
    if rules["made_if"] == "at_least":
        return "made" if mine >= theirs else "failed"
    if rules["made_if"] == "bid":
        return "made" if mine >= bid_points(contract) else "failed"
    if rules["made_if"] == "bid_and_more" and mine < bid_points(contract):
        return "failed"
    if mine > theirs:
        return "made"
    if mine == theirs:
        # Doubt: a table without a `tie` whose house rule makes one possible: read as failed.
        return rules["tie"] or "failed"
    return "failed"


def number_in(words):
    return int(words.split()[1])


def with_capot(rules, side, taker, points, solo):
    """What stands for the trick points of the side that took every trick."""
    if rules["capot_to"] == "taker" and side != taker:
        return points
    figure = rules["capot"]
    if solo is not None and rules["solo_capot"] != "none":
        figure = rules["solo_capot"]
    if figure.startswith("bonus"):
        return points + number_in(figure)
    if figure.startswith("total"):
        return number_in(figure)
    raise ValueError("capot in match points has no meaning in a game of points")


class Deal:
    """The facts of one deal that the scoring functions share."""

    def __init__(self, rules, contract, trick_points, tricks, solo, declarations, belote):
        self.rules = rules
        self.contract = contract
        self.taker = side_of(rules, contract["taker"])
        self.sides = range(side_count(rules))
        self.raw = list(trick_points)
        self.tricks = list(tricks)
        self.solo = solo
        self.belote = list(belote)
        self.declarations = after_tricks(rules, declarations, tricks)
        self.capot = capot_side(tricks)
        self.outcome = decide(
            rules, contract, self.taker, self.raw, self.declarations, self.belote, self.capot
        )
        if rules["rounding"] == "ten":
            self.points = [nearest_ten(p) for p in self.raw]
        else:
            self.points = list(self.raw)
        # Doubt: with rounding, "all 162" of a failed deal is read as 162 rounded.
        total = sum(self.raw)
        self.all_points = nearest_ten(total) if rules["rounding"] == "ten" else total
        self.others = [s for s in self.sides if s != self.taker]


def made_points(deal):
    """Each side its own; a capot's figure in place of, or on top of, the trick points."""
    award = []
    for side in deal.sides:
        points = deal.points[side]
        if side == deal.capot:
            points = with_capot(deal.rules, side, deal.taker, points, deal.solo)
        award.append(points + deal.declarations[side] + deal.belote[side])
    return award


def hanging_points(deal):
    """Litige: (what each side scores at once, what hangs of the taker's points)."""
    award = made_points(deal)
    hung = award[deal.taker]
    award[deal.taker] = 0
    if deal.rules["belote_in_litige"] == "kept":
        hung -= deal.belote[deal.taker]
        award[deal.taker] = deal.belote[deal.taker]
    return award, hung


def nearest_after(rules, seats, first):
    return min(seats, key=lambda seat: (seat - first) % rules["players"])


def receivers_of_failure(rules, taker, others, points):
    """Which of the others get a lone taker's points (`failed_trio`); with one, that one."""
    if len(others) == 1 or rules["failed_trio"] == "both":
        return others
    if rules["failed_trio"] == "vanish":
        return []
    most = max(points[s] for s in others)
    return [nearest_after(rules, [s for s in others if points[s] == most], taker)]


def moved_by_failure(deal):
    """(what a failed taker keeps, what goes to the others) of its declarations and belote."""
    kept, moved = 0, 0
    if deal.rules["declarations_on_failure"] == "owner":
        kept += deal.declarations[deal.taker]
    else:
        moved += deal.declarations[deal.taker]
    if deal.rules["belote_on_failure"] == "kept":
        kept += deal.belote[deal.taker]
    else:
        moved += deal.belote[deal.taker]
    return kept, moved


def failed_points(deal):
    """A failed taker in a game of points, `failed` all_162 or everything.

    Doubt: with three sides in a game of points (no preset) each opponent writes its own and
    the taker's points go as `failed_trio` says, declarations and belote with them.
    """
    kept, moved = moved_by_failure(deal)
    award = [0 for _ in deal.sides]
    award[deal.taker] = kept
    if len(deal.others) == 1:
        points = {deal.others[0]: deal.all_points}
        taken_over = 0
    else:
        points = {s: deal.points[s] for s in deal.others}
        taken_over = deal.points[deal.taker]
    for side in deal.others:
        mine = points[side]
        if side == deal.capot:
            mine = with_capot(deal.rules, side, deal.taker, mine, deal.solo)
        award[side] = mine + deal.declarations[side] + deal.belote[side]
    for side in receivers_of_failure(deal.rules, deal.taker, deal.others, deal.raw):
        award[side] += taken_over + moved
    return award


def score_by_points(deal):
    if deal.outcome == "made":
        return made_points(deal), 0
    if deal.outcome == "litige":
        return hanging_points(deal)
    return failed_points(deal), 0


def base_points(deal, winner):
    """What is added to the bid of a failed or a doubled deal: 160, or a capot's figure."""
    if deal.capot is None or deal.capot != winner:
        return 160
    if deal.rules["capot_to"] == "taker" and winner != deal.taker:
        return 160
    if deal.contract["factor"] != 1:
        # Doubt: a doubled deal takes `doubled_capot` even if one seat alone took every trick
        # and `solo_capot` is in force.
        return deal.rules["doubled_capot"]
    return with_capot(deal.rules, winner, deal.taker, 160, deal.solo)


def score_with_bid(deal):
    """Scoring points_and_bid: the bidding games."""
    rules, factor = deal.rules, deal.contract["factor"]
    bid = bid_points(deal.contract)
    if deal.outcome == "litige":
        return hanging_points(deal)  # not the bid, and a double changes nothing
    made = deal.outcome == "made"
    if len(deal.others) != 1:
        raise ValueError("points_and_bid has no meaning with three sides")
    winner = deal.taker if made else deal.others[0]
    loser = 1 - winner
    flat = deal.contract["value"] == "capot" and rules["capot_bid"] == "flat_500"
    if made and factor == 1 and not flat:
        award = made_points(deal)
        award[winner] += bid
        return award, 0
    if flat:
        figure = 500 * factor
    elif rules["failed"] == "bid_and_160" or factor != 1:
        figure = (base_points(deal, winner) + bid) * factor
    else:
        # Doubt: points_and_bid with failed all_162 or everything (no preset): no bid.
        return failed_points(deal), 0
    award = [0, 0]
    award[winner] = figure + deal.declarations[winner] + deal.belote[winner]
    if factor != 1 and rules["doubled"] == "winner_takes_all":
        award[winner] += deal.belote[loser] + deal.declarations[loser]
    elif not made:
        kept, moved = moved_by_failure(deal)
        award[loser] += kept
        award[winner] += moved
    elif factor != 1:
        # The loser of a doubled contract that was made keeps only its belote.
        award[loser] += deal.belote[loser]
    else:
        # Flat 500, made: the taker adds its own belote, the defence its own.
        # Doubt: declarations, if a house rule allows them, are read as counting likewise.
        award[loser] += deal.belote[loser] + deal.declarations[loser]
    return award, 0


def penalised_sides(deal):
    """`failure_penalty`: the failed taker; the losers of a doubled deal; sides without a trick.

    Doubt: "the first that applies" is read side by side, so that in trio a trickless opponent
    of a failed taker is penalised too.
    """
    doubled = deal.contract["factor"] != 1
    reasons = {
        "failed taker": [s for s in deal.sides if deal.outcome == "failed" and s == deal.taker],
        "doubled loser": [s for s in deal.others if deal.outcome == "made" and doubled],
        "no trick": [s for s in deal.sides if deal.tricks[s] == 0],
    }
    return [s for s in deal.sides if any(s in sides for sides in reasons.values())]


def collector(deal):
    """Who is awarded the hanging points; None if they stay hanging."""
    if deal.outcome == "made":
        return deal.taker
    if deal.outcome == "failed" and len(deal.others) == 1:
        return deal.others[0]
    return None


def score_points(
    rules, contract, cards, last_ten, tricks, solo, declarations, belote, carried_in=0
):
    """The score of a deal, as in the record, from its totals (without "totals").

    `declarations` and `belote` are each side's before tricks or failure move anything.
    """
    contract = {"value": None, "factor": 1} | contract
    trick_points = list(cards)
    if last_ten is not None:
        trick_points[last_ten] += LAST_TRICK
    deal = Deal(rules, contract, trick_points, tricks, solo, declarations, belote)
    rounded = list(deal.points) if rules["rounding"] == "ten" else None
    if rules["scoring"] == "match_points":
        rounded, award, hung = match_point_award(deal, receivers_of_failure)
        if rules["failure_penalty"]:
            for side in penalised_sides(deal):
                award[side] -= rules["failure_penalty"]
    elif rules["scoring"] == "points_and_bid":
        award, hung = score_with_bid(deal)
    else:
        award, hung = score_by_points(deal)
    winner = collector(deal)
    if winner is None:
        hung += carried_in
    else:
        award[winner] += carried_in
    return {
        "cards": list(cards),
        "last_ten": last_ten,
        "tricks": list(tricks),
        "declarations": deal.declarations,
        "belote": deal.belote,
        "outcome": deal.outcome,
        "capot": deal.capot,
        "rounded": rounded,
        "awarded": award,
        "carried_in": carried_in,
        "hung": hung,
    }
