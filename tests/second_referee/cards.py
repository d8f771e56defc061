"""Cards, seats, card points and tricks: section 1 of the rules page, read a second time.

Written from the page alone. Cards are rank + suit ("TH"), as in the record's notation.
"""

RANKS = "789TJQKA"  # the order in sequences
SUIT_LETTERS = "SHDC"

PLAIN_ORDER = "789JQKTA"  # weakest first
TRUMP_ORDER = "78QKTA9J"

PLAIN_POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0, "8": 0, "7": 0}
TRUMP_POINTS = {"J": 20, "9": 14, "A": 11, "T": 10, "K": 4, "Q": 3, "8": 0, "7": 0}

# `card_points` scaled_162, section 4, the bidding games.
SCALED_NT = {"A": 19, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0, "8": 0, "7": 0}
SCALED_AT = {"J": 13, "9": 9, "A": 7, "T": 5, "K": 3, "Q": 1, "8": 0, "7": 0}

LAST_TRICK = 10


def rank(card):
    return card[0]


def suit(card):
    return card[1]


def full_pack(rules):
    """All cards of the game; a pack of 24 drops the sevens and eights."""
    ranks = RANKS if rules["pack"] == 32 else RANKS[2:]
    return [r + s for s in SUIT_LETTERS for r in ranks]


def side_of(rules, seat):
    """Partners differ by two; with two or three players each seat is a side."""
    return seat % 2 if rules["players"] == 4 else seat


def side_count(rules):
    return 2 if rules["players"] == 4 else rules["players"]


def after(rules, seat, steps=1):
    """The seat so many places later in order of play."""
    return (seat + steps) % rules["players"]


def seats_from(rules, first):
    return [after(rules, first, i) for i in range(rules["players"])]


def is_trump(card, trump):
    """At all trumps every card has the trump order; at no trumps none."""
    return trump == "AT" or suit(card) == trump


def strength(card, trump):
    """The place of a card within its own suit under this contract."""
    order = TRUMP_ORDER if is_trump(card, trump) else PLAIN_ORDER
    return order.index(rank(card))


def points_of(rules, trump, card):
    if rules["card_points"] == "scaled_162" and trump == "NT":
        return SCALED_NT[rank(card)]
    if rules["card_points"] == "scaled_162" and trump == "AT":
        return SCALED_AT[rank(card)]
    table = TRUMP_POINTS if is_trump(card, trump) else PLAIN_POINTS
    return table[rank(card)]


def trick_winner(rules, trump, trick):
    """The seat that wins a trick (or is winning it so far); trick is [(seat, card), …]."""
    led = suit(trick[0][1])
    wanted = led
    if trump in SUIT_LETTERS and any(suit(card) == trump for _, card in trick):
        wanted = trump
    best_seat, best_card = None, None
    for seat, card in trick:
        if suit(card) != wanted:
            continue
        if best_card is None or strength(card, trump) > strength(best_card, trump):
            best_seat, best_card = seat, card
    return best_seat
