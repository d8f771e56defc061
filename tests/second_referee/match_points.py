"""Match points (the belot family): section 5 of the rules page, read a second time.

Written from the page alone.
"""


def limit_of(trump, sides):
    """The last digit from which a side's points go up to the next ten."""
    if sides == 3:
        return 5 if trump in ("NT", "AT") else 6
    return {"AT": 4, "NT": 5}.get(trump, 6)


def up_from(points, limit):
    return points // 10 + (1 if points % 10 >= limit else 0)


def down_on(points, limit):
    """As `up_from`, but the limit digit itself goes down."""
    return points // 10 + (1 if points % 10 > limit else 0)


def shares(raw, taker, limit, hangs):
    """(each side's share of M, M) before failure, capot and factor."""
    if len(raw) == 3:
        each = [up_from(p, limit) for p in raw]
        return each, sum(each)
    m = (sum(raw) + 5) // 10
    other = 1 - taker
    each = [0, 0]
    if hangs or raw[0] == raw[1]:
        each[other] = down_on(raw[other], limit)
        each[taker] = m - each[other]
        return each, m
    lower = 0 if raw[0] < raw[1] else 1
    each[lower] = up_from(raw[lower], limit)
    each[1 - lower] = m - each[lower]
    return each, m


def match_point_award(deal, receivers_of_failure):
    """(shares, what each side is awarded, what newly hangs); carried points are not in it."""
    rules, contract, taker = deal.rules, deal.contract, deal.taker
    trump = contract["trump"]
    nt = rules["nt_factor"] if trump == "NT" else 1
    raw = [
        (t + d + b) * nt for t, d, b in zip(deal.raw, deal.declarations, deal.belote, strict=True)
    ]
    factor = 8 if contract["factor"] == "match" else contract["factor"]
    limit = limit_of(trump, len(raw))
    each, m = shares(raw, taker, limit, deal.outcome == "litige")
    award = [0 for _ in raw]
    hung = 0
    if deal.outcome == "litige":
        if factor == 1:
            award = list(each)
            award[taker] = 0
            hung = each[taker]
        else:
            hung = m * factor
    elif deal.outcome == "made":
        if factor == 1:
            award = list(each)
        else:
            award[taker] = m * factor
    elif len(raw) == 2:
        award[1 - taker] = m * factor
    else:
        for side in deal.others:
            award[side] = each[side] * factor
        # Doubt: "the opponent with more" is read as more raw points, not a larger share.
        for side in receivers_of_failure(rules, taker, deal.others, raw):
            award[side] += each[taker] * factor
    if deal.capot is not None:
        pay_capot(rules, award, deal.capot, taker, nt, factor)
    return each, award, hung


def pay_capot(rules, award, capot, taker, nt, factor):
    """`capot` match 9: after the factor as it is, before it multiplied like the rest.

    Doubt: before it, the nine is doubled at no trumps too ("18 at no trumps").
    """
    if rules["capot_to"] == "taker" and capot != taker:
        return
    words = rules["capot"].split()
    if words[0] != "match":
        raise ValueError("match points need a capot in match points")
    nine = int(words[1])
    award[capot] += nine * nt * factor if rules["capot_doubling"] == "before" else nine
