"""Declarations: what a seat holds, whose count, and what becomes of them.

A second reading of "Declarations" and "Strength of declarations" in section 1 of the rules
page, written from the page alone.
"""

from itertools import combinations

from .cards import RANKS, SUIT_LETTERS, rank, seats_from, side_count, side_of, suit

CARRE_POINTS = {"J": 200, "9": 150, "A": 100, "T": 100, "K": 100, "Q": 100}
CARRE_ORDER = "QKTA"
RUN_POINTS = {3: 20, 4: 50, 5: 100}
RUN_NAMES = {3: "tierce", 4: "quarte", 5: "quinte"}


def runs_of_cards(cards):
    """Every longest run of neighbouring cards of a suit, as lists from low to high."""
    runs = []
    for letter in SUIT_LETTERS:
        run = []
        for r in RANKS:
            if r + letter in cards:
                run.append(r + letter)
            else:
                runs.append(run)
                run = []
        runs.append(run)
    return [run for run in runs if len(run) >= 3]


def as_run(cards):
    """A run as one declaration; of a run of five or more the five highest cards."""
    cards = cards[-5:]
    return {
        "kind": RUN_NAMES[len(cards)],
        "cards": cards,
        "points": RUN_POINTS[len(cards)],
    }


def sequences(rules, cards):
    found = []
    for run in runs_of_cards(cards):
        if len(run) == 8 and rules["run_of_eight"] == "quinte_and_tierce":
            found.append(as_run(run[3:]))
            found.append(as_run(run[:3]))
        else:
            found.append(as_run(run))
    return found


def carre(rules, trump, r):
    points = CARRE_POINTS[r]
    if trump == "NT" and r == "A" and rules["nt_four_aces"]:
        points = rules["nt_four_aces"]
    return {"kind": "carre", "cards": [r + s for s in SUIT_LETTERS], "points": points}


def hand_declarations(rules, trump, cards):
    """Everything that the holder of these cards would declare automatically."""
    if rules["declare"] == "none":
        return []
    carres = [carre(rules, trump, r) for r in CARRE_POINTS if all(r + s in cards for s in "SHDC")]
    if trump == "NT" and rules["nt_declarations"] == "none":
        # Doubt: with no declarations at no trumps, `nt_four_aces` is read as letting the four
        # aces alone be declared there.
        return [c for c in carres if rank(c["cards"][0]) == "A" and rules["nt_four_aces"]]
    if rules["cards_shared"] == "yes":
        return carres + sequences(rules, cards)
    # A carré takes its cards first if that is worth more in all; equal: the run keeps them.
    best, best_key = [], None
    for count in range(len(carres) + 1):
        for chosen in combinations(carres, count):
            taken = [card for c in chosen for card in c["cards"]]
            rest = [card for card in cards if card not in taken]
            found = list(chosen) + sequences(rules, rest)
            key = (sum(d["points"] for d in found), -count)
            if best_key is None or key > best_key:
                best, best_key = found, key
    return best


def strength_of(declaration):
    """Any carré beats any run; see "Strength of declarations"."""
    if declaration["kind"] == "carre":
        r = rank(declaration["cards"][0])
        # Doubt: four aces at 200 (no trumps) against four jacks: the aces are put first.
        place = CARRE_ORDER.index(r) if r in CARRE_ORDER else -1
        return (1, declaration["points"], place)
    top = max(RANKS.index(rank(c)) for c in declaration["cards"])
    return (0, len(declaration["cards"]), top)


def is_trump_run(declaration, trump):
    return declaration["kind"] != "carre" and trump in (suit(declaration["cards"][0]), "AT")


def settle(rules, trump, leader, pool):
    """Write each declaration's outcome in one pool: scored, beaten or void."""
    if not pool:
        return
    best = max(strength_of(d) for d in pool)
    strongest = [d for d in pool if strength_of(d) == best]
    if len({side_of(rules, d["seat"]) for d in strongest}) > 1:
        if rules["declaration_tie"] == "void":
            # Doubt: in trio the third seat's weaker declarations are void too ("nothing
            # counts"), not beaten.
            for d in pool:
                d["outcome"] = "void"
            return
        if rules["declaration_tie"] == "trump_then_first":
            in_trumps = [d for d in strongest if is_trump_run(d, trump)]
            strongest = in_trumps or strongest
        order = seats_from(rules, leader)
        strongest.sort(key=lambda d: order.index(d["seat"]))
    winner = side_of(rules, strongest[0]["seat"])
    for d in pool:
        d["outcome"] = "scored" if side_of(rules, d["seat"]) == winner else "beaten"


def chosen_cards(declared, seat):
    """The card sets that a seat declares; keys may be numbers or, from JSON, strings."""
    listed = declared.get(seat, declared.get(str(seat), []))
    return [set(cards) for cards in listed]


def found_declarations(rules, trump, leader, hands, up=None, declared=None):
    """All declarations of all seats with their outcomes before any trick has been counted.

    `declared` = {seat: [[cards], …]} says what a player chose; None: everything.
    """
    found = []
    for seat in seats_from(rules, leader):
        cards = list(hands[seat]) + list(up[seat] if up else [])
        for d in sorted(hand_declarations(rules, trump, cards), key=strength_of, reverse=True):
            entry = {"seat": seat, **d, "outcome": None}
            # Doubt: `declared` is obeyed only where the player chooses; a seat that it does
            # not name declares nothing.
            chooses = rules["declare"] == "player" and declared is not None
            if chooses and set(d["cards"]) not in chosen_cards(declared, seat):
                entry["outcome"] = "withheld"
            found.append(entry)
    said = [d for d in found if d["outcome"] is None]
    if rules["declaration_pools"] == "separate":
        settle(rules, trump, leader, [d for d in said if d["kind"] == "carre"])
        settle(rules, trump, leader, [d for d in said if d["kind"] != "carre"])
    else:
        settle(rules, trump, leader, said)
    return found


def run_of_eight_wins(rules, trump, hands, up=None, declared=None):
    """The seats that win the match by declaring a run of eight (`run_of_eight` wins_match)."""
    if rules["run_of_eight"] != "wins_match":
        return []
    winners = []
    for entry in found_declarations(rules, trump, 0, hands, up, declared):
        seat = entry["seat"]
        cards = list(hands[seat]) + list(up[seat] if up else [])
        whole = [r + suit(entry["cards"][0]) for r in RANKS]
        said = entry["kind"] == "quinte" and entry["outcome"] != "withheld"
        if said and all(c in cards for c in whole):
            winners.append(seat)
    return winners


def side_points(rules, found):
    """What each side's scored declarations come to, before tricks or failure move them."""
    points = [0] * side_count(rules)
    for d in found:
        if d["outcome"] == "scored":
            points[side_of(rules, d["seat"])] += d["points"]
    return points


def after_tricks(rules, points, tricks):
    """Apply `declarations_without_trick` to each side's points."""
    result = list(points)
    for side, won in enumerate(tricks):
        if won or not points[side] or rules["declarations_without_trick"] in ("kept", None):
            continue
        result[side] -= points[side]
        if rules["declarations_without_trick"] == "to_others":
            if len(tricks) != 2:
                # Doubt: with three sides the page does not say to which of the others.
                raise ValueError("to_others has no meaning with three sides")
            result[1 - side] += points[side]
    return result
