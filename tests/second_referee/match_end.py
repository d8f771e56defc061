"""When a match is over and who has won it: "End of a match", section 2 of the rules page.

A second reading, written from the page alone.
"""

from .cards import side_of


def match_over(rules, totals, score, contract=None, declared_match=None):
    """The side that has won the match with this deal, or None if another deal is played.

    `totals` include the deal; `score` is None for a passed-out deal; `contract` is needed for a
    third double; `declared_match` is the side that declared a run of eight that wins.
    """
    if score is None:
        return None
    if score["outcome"] == "match":
        return declared_match
    if contract is not None and contract["factor"] == "match" and score["outcome"] != "litige":
        # Doubt: a third double wins the match even in a capot deal and short of the target.
        taker = side_of(rules, contract["taker"])
        if score["outcome"] == "made":
            return taker
        # Doubt: in trio, of two winning opponents the one awarded more is taken; equal: as in
        # `failed_trio`, the nearer after the taker.
        others = [(taker + i) % len(totals) for i in range(1, len(totals))]
        return max(others, key=lambda side: score["awarded"][side])
    if rules["finish_on_capot"] == "no" and score["capot"] is not None:
        return None
    reached = [side for side, total in enumerate(totals) if total >= rules["target"]]
    if not reached:
        return None
    best = max(totals[side] for side in reached)
    leaders = [side for side in reached if totals[side] == best]
    return leaders[0] if len(leaders) == 1 else None


def next_dealer(rules, dealer, passed_out):
    """Who deals next; an annulled deal moves on like a played one."""
    steps = 1
    if passed_out:
        steps = {"same": 0, "previous": -1}.get(rules["all_pass"], 1)
    return (dealer + steps) % rules["players"]
