"""Which cards a seat may play, and why not the others: "Play" in section 1 of the rules page.

A second reading, written from the page alone: each card is judged by itself, slowly.
"""

from .cards import SUIT_LETTERS, side_of, strength, suit, trick_winner


def partner_is_winning(rules, trump, seat, trick):
    winner = trick_winner(rules, trump, trick)
    return winner != seat and side_of(rules, winner) == side_of(rules, seat)


def higher_than_all(card, others, trump):
    return all(strength(card, trump) > strength(other, trump) for other in others)


def why_refused(rules, trump, seat, held, trick, card):
    """None if the card may be played, otherwise the code of the rule that forbids it."""
    if card not in held:
        return "not_your_card"
    if not trick:
        return None
    led = suit(trick[0][1])
    table = [played for _, played in trick]
    of_suit_led = [c for c in held if suit(c) == led]
    if of_suit_led:
        return why_not_when_following(rules, trump, seat, of_suit_led, trick, card)
    if trump not in SUIT_LETTERS:
        return None
    trumps = [c for c in held if suit(c) == trump]
    if not trumps:
        return None
    if partner_is_winning(rules, trump, seat, trick):
        if rules["partner_winning"] == "free":
            return None
        if rules["partner_winning"] == "trump_any":
            return None if card in trumps else "must_trump"
    trumps_on_table = [c for c in table if suit(c) == trump]
    higher = [c for c in trumps if higher_than_all(c, trumps_on_table, trump)]
    if higher:
        if card in higher:
            return None
        # Doubt: a discard where only a higher trump would do could be "must_trump" as well;
        # read here as "must_overtrump" whenever a trump lies in the trick.
        return "must_overtrump" if trumps_on_table else "must_trump"
    if rules["undertrump"] == "free" or card in trumps:
        return None
    return "must_undertrump"


def why_not_when_following(rules, trump, seat, of_suit_led, trick, card):
    led = suit(trick[0][1])
    table = [played for _, played in trick]
    if suit(card) != led:
        return "must_follow"
    led_on_table = [c for c in table if suit(c) == led]
    could_beat = [c for c in of_suit_led if higher_than_all(c, led_on_table, trump)]
    if not could_beat or card in could_beat:
        return None
    if trump == "AT" or led == trump:
        partner = partner_is_winning(rules, trump, seat, trick)
        if rules["trump_led"] == "beat_unless_partner" and partner:
            return None
        return "must_beat_trump"
    if rules["plain_led"] == "follow":
        return None
    if any(suit(c) == trump for c in table):
        return None  # the trick is trumped
    return "must_beat_plain"


def legal_cards(rules, trump, seat, hand, up, trick):
    """The cards of the hand (and of the face-up cards, if any) that may be played now."""
    held = list(hand) + list(up or [])
    trick = [tuple(play) for play in trick]
    return [c for c in held if why_refused(rules, trump, seat, held, trick, c) is None]


def why_not(rules, trump, seat, hand, up, trick, asked=None):
    """Each refused card with its code; `asked` may name cards, held or not, to be judged."""
    held = list(hand) + list(up or [])
    trick = [tuple(play) for play in trick]
    codes = {}
    for card in held if asked is None else asked:
        code = why_refused(rules, trump, seat, held, trick, card)
        if code is not None:
            codes[card] = code
    return codes
