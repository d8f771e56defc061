"""Replaying the record of a deal and counting its score again; written from the page alone."""

from .belote import belote_points, belotes_of
from .cards import after, points_of, side_count, side_of, trick_winner
from .declarations import found_declarations, run_of_eight_wins, side_points
from .presets import FREE, PRESETS, is_in_the_words
from .scoring import score_points


def rules_in(record):
    """(the rule set that a record was played under, faults in how it is written)."""
    rules = dict(PRESETS[record["preset"]])
    faults = []
    for field, value in (record.get("rules") or {}).items():
        if field not in rules:
            continue  # the record may hold more than the page names
        if is_in_the_words(field, value):
            if field not in ("packets", "bids") or isinstance(value, type(rules[field])):
                rules[field] = value
        elif field not in FREE:
            faults.append(f"rules.{field}: {value!r} is not in the words of the page")
    return rules, faults


def preset_differences(record):
    """{field: (the record's, this reading's)} where a record's rules differ from the tables."""
    mine = PRESETS[record["preset"]]
    theirs = record["rules"]
    fields = sorted(set(mine) | set(theirs))
    return {
        f: (theirs.get(f, "absent"), mine.get(f, "absent"))
        for f in fields
        if theirs.get(f, "absent") != mine.get(f, "absent")
    }


def first_leader(rules, record):
    dealer = record["dealer"]
    return dealer if rules["lead"] == "dealer" else after(rules, dealer)


def plays_of(rules, record):
    """Every card of the record in order, with what its seat could see of its own then.

    In open belot the card below a played face-up card is turned up once the trick is complete.
    """
    hands = [list(h) for h in record["hands"]]
    up = [list(u) for u in record.get("up") or [[] for _ in hands]]
    down = [list(d) for d in record.get("down") or [[] for _ in hands]]
    below = {}
    for ups, downs in zip(up, down, strict=True):
        below |= dict(zip(ups, downs, strict=False))
    plays = []
    for number, trick in enumerate(record["tricks"]):
        so_far, turn_over = [], []
        for i, card in enumerate(trick["cards"]):
            seat = after(rules, trick["leader"], i)
            plays.append(
                {
                    "number": number,
                    "seat": seat,
                    "card": card,
                    "held": hands[seat] + up[seat],
                    "trick": list(so_far),
                }
            )
            so_far.append((seat, card))
            if card in hands[seat]:
                hands[seat].remove(card)
            elif card in up[seat]:
                up[seat].remove(card)
                if card in below:
                    turn_over.append((seat, below[card]))
        if len(trick["cards"]) == rules["players"]:
            for seat, card in turn_over:
                up[seat].append(card)
    return plays


def declared_in(rules, record):
    """{seat: [cards, …]} that were declared and not withheld; None if the server declares."""
    listed = record.get("declarations")
    if rules["declare"] != "player" or listed is None:
        return None
    declared = {}
    for d in listed:
        if d.get("outcome") != "withheld":
            declared.setdefault(d["seat"], []).append(d["cards"])
    return declared


def declarations_in(rules, record):
    return found_declarations(
        rules,
        record["contract"]["trump"],
        first_leader(rules, record),
        record["hands"],
        record.get("up"),
        declared_in(rules, record),
    )


def said_belotes(rules, record):
    """The belotes that count: all that may be said or, at the player's choice, those said."""
    possible = belotes_of(rules, record["contract"]["trump"], plays_of(rules, record))
    if rules["belote_said"] == "player" and record.get("belote") is not None:
        return [b for b in possible if b in record["belote"]]
    return possible


def trick_count(record):
    """How many tricks a whole deal has: the cards that a seat holds when play begins."""
    cards = len(record["hands"][0])
    for pile in ("up", "down"):
        if record.get(pile):
            cards += len(record[pile][0])
    return cards


def is_complete(rules, record):
    tricks = record["tricks"]
    return (
        record["contract"] is not None
        and len(tricks) == trick_count(record)
        and all(len(t["cards"]) == rules["players"] for t in tricks)
    )


def match_winners(rules, record):
    """The seats that won the match by a declared run of eight."""
    if record["contract"] is None:
        return []
    return run_of_eight_wins(
        rules,
        record["contract"]["trump"],
        record["hands"],
        record.get("up"),
        declared_in(rules, record),
    )


def won_by_run_score(rules, carried_in):
    """A run of eight that wins the match: no tricks, zeros awarded.

    Doubt: what else such a score holds; here nothing is counted and what hangs still hangs.
    """
    zeros = [0] * side_count(rules)
    return {
        "cards": list(zeros),
        "last_ten": None,
        "tricks": list(zeros),
        "declarations": list(zeros),
        "belote": list(zeros),
        "outcome": "match",
        "capot": None,
        "rounded": None,
        "awarded": list(zeros),
        "carried_in": carried_in,
        "hung": carried_in,
    }


def score_deal(rules, record, carried_in=0):
    """The score of a record, counted again from its hands and tricks; None without one."""
    if not record["tricks"] and match_winners(rules, record):
        return won_by_run_score(rules, carried_in)
    if not is_complete(rules, record):
        return None
    trump = record["contract"]["trump"]
    sides = side_count(rules)
    cards, tricks, winners = [0] * sides, [0] * sides, []
    for trick in record["tricks"]:
        winner = trick_winner(rules, trump, seated(rules, trick))
        winners.append(winner)
        tricks[side_of(rules, winner)] += 1
        for card in trick["cards"]:
            cards[side_of(rules, winner)] += points_of(rules, trump, card)
    return score_points(
        rules,
        record["contract"],
        cards,
        side_of(rules, winners[-1]),
        tricks,
        winners[0] if len(set(winners)) == 1 else None,
        side_points(rules, declarations_in(rules, record)),
        belote_points(rules, said_belotes(rules, record)),
        carried_in,
    )


def seated(rules, trick):
    return [(after(rules, trick["leader"], i), c) for i, c in enumerate(trick["cards"])]
