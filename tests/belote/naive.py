"""Counts play sequences with its own, slow reading of the rules: lists, texts and nothing shared.

Written from docs/rules.md alone, so that a count on which both agree says something.
"""

from dataclasses import dataclass

TRUMP_ORDER = "78QKTA9J"
PLAIN_ORDER = "789JQKTA"


@dataclass(frozen=True)
class NaiveRules:
    """The three fields of play in which the turn-up games differ."""

    rise_over_partner: bool
    partner_exempts: str  # "free" or "trump_any"
    undertrump: bool


RULES = {
    "classic": NaiveRules(False, "free", False),
    "classic-clockwise": NaiveRules(False, "trump_any", True),
    "classic-dealer-leads": NaiveRules(False, "free", True),
    "sans-annonces": NaiveRules(True, "free", True),
    "french": NaiveRules(True, "free", True),
}


def beats(card: str, other: str, trump: str) -> bool:
    """Whether ``card``, played later, takes the trick from ``other``, which is winning."""
    if card[1] == other[1]:
        order = TRUMP_ORDER if card[1] == trump else PLAIN_ORDER
        return order.index(card[0]) > order.index(other[0])
    return card[1] == trump


def winner(trick: list[tuple[int, str]], trump: str) -> tuple[int, str]:
    """The seat and card that win so far."""
    best = trick[0]
    for seat, card in trick[1:]:
        if beats(card, best[1], trump):
            best = (seat, card)
    return best


def allowed(
    rules: NaiveRules, trump: str, seat: int, hand: list[str], trick: list[tuple[int, str]]
) -> list[str]:
    """The cards that ``seat`` may play."""
    if not trick:
        return list(hand)
    led = trick[0][1][1]
    best_seat, best = winner(trick, trump)
    partner = best_seat == (seat + 2) % 4
    same = [card for card in hand if card[1] == led]
    higher = [card for card in hand if card[1] == trump and beats(card, best, trump)]
    trumps = [card for card in hand if card[1] == trump]
    if same:
        if led != trump or (partner and not rules.rise_over_partner):
            return same
        return higher or same
    if not trumps:
        return list(hand)
    if partner:
        return list(hand) if rules.partner_exempts == "free" else trumps
    if higher:
        return higher
    return trumps if rules.undertrump else list(hand)


def perft(
    rules: NaiveRules,
    trump: str,
    hands: list[list[str]],
    seat: int,
    trick: list[tuple[int, str]],
    depth: int,
) -> int:
    """How many sequences of ``depth`` cards may follow."""
    if depth == 0 or not hands[seat]:
        return 1
    count = 0
    for card in allowed(rules, trump, seat, hands[seat], trick):
        left = [[c for c in hand if c != card] for hand in hands]
        table = [*trick, (seat, card)]
        if len(table) == 4:
            taker = winner(table, trump)[0]
            count += perft(rules, trump, left, taker, [], depth - 1)
        else:
            count += perft(rules, trump, left, (seat + 1) % 4, table, depth - 1)
    return count
