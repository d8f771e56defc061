"""Belote-rebelote: who held it, and whether it was said in time. A second reading of the page."""

from .cards import SUIT_LETTERS, rank, side_count, side_of, suit

BELOTE_POINTS = 20


def in_time(rules, trump, seat, card, trick):
    """`belote_when`: whether the first of the two cards is played where it may be announced."""
    if rules["belote_when"] == "any" or not trick:
        return True  # led
    leader, first = trick[0]
    if suit(first) == suit(card):
        return leader != seat and side_of(rules, leader) == side_of(rules, seat)
    return trump != "AT"  # a trump on another suit ruffs it; at all trumps it is a discard


def belotes_of(rules, trump, plays):
    """Every belote that may be announced, as [{"seat", "suit"}], from the plays in order.

    A play is {"seat", "card", "held" (with the card itself), "trick" (before the card)}.
    """
    if rules["belote"] == "none" or trump == "NT":
        return []
    suits = list(SUIT_LETTERS) if trump == "AT" else [trump]
    settled = set()
    found = []
    for play in plays:
        card = play["card"]
        if rank(card) not in "KQ" or suit(card) not in suits or suit(card) in settled:
            continue
        settled.add(suit(card))
        other = ("Q" if rank(card) == "K" else "K") + suit(card)
        held_both = other in play["held"]
        if held_both and in_time(rules, trump, play["seat"], card, play["trick"]):
            found.append({"seat": play["seat"], "suit": suit(card)})
    return found


def belote_points(rules, said):
    points = [0] * side_count(rules)
    for entry in said:
        points[side_of(rules, entry["seat"])] += BELOTE_POINTS
    return points
