"""Which cards may be played, and why not the others (docs/rules.md §1 "Play").

``legal_mask`` is the whole law of play; ``refusal`` finds the words for a card that it leaves out.
Both see a hand, the trick so far and the rules, never another seat's cards.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from app.belote.cards import Card, Suit, Trump, suit_of
from app.belote.events import Cards
from app.belote.ranking import (
    ABOVE_PLAIN,
    ABOVE_TRUMP,
    SUIT_MASKS,
    Mask,
    best_of,
    cards_of,
)
from app.belote.rules import RuleSet

RefusalCode = Literal[
    "must_follow",
    "must_beat_trump",
    "must_beat_plain",
    "must_trump",
    "must_overtrump",
    "must_undertrump",
]


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a card may not be played: the suit that must be, and the card to beat if there is one."""

    code: RefusalCode
    suit: Suit | None
    beat: Card | None = None


def legal_mask(rules: RuleSet, trump: Trump, hand: Mask, trick: Cards) -> Mask:
    """The cards of ``hand`` that may be added to ``trick``; never empty for a hand with cards."""
    if not trick:
        return hand
    follow = hand & SUIT_MASKS[trick[0] >> 3]
    if follow:
        return _following(rules, trump, follow, trick)
    trump_suit = trump.suit
    if trump_suit is None:
        return hand
    trumps = hand & SUIT_MASKS[trump_suit]
    if not trumps:
        return hand
    best = best_of(trick, trump)
    if _partner_wins(rules, trick, best):
        if rules.partner_winning == "free":
            return hand
        if rules.partner_winning == "trump_any":
            return trumps
    if trick[best] >> 3 != trump_suit:
        return trumps
    higher = trumps & ABOVE_TRUMP[trick[best]]
    if higher:
        return higher
    return trumps if rules.undertrump == "forced" else hand


def _following(rules: RuleSet, trump: Trump, follow: Mask, trick: Cards) -> Mask:
    """What may be played of the suit led."""
    led = trick[0] >> 3
    best = best_of(trick, trump)
    if trump is Trump.ALL_TRUMPS or led == trump.suit:
        if rules.trump_led == "beat_unless_partner" and _partner_wins(rules, trick, best):
            return follow
        return follow & ABOVE_TRUMP[trick[best]] or follow
    if rules.plain_led == "follow" or trick[best] >> 3 != led:
        return follow
    return follow & ABOVE_PLAIN[trick[best]] or follow


def _partner_wins(rules: RuleSet, trick: Cards, best: int) -> bool:
    """Whether the card that wins at this moment is the partner's (two places before)."""
    return rules.players == 4 and best == len(trick) - 2


def refusal(rules: RuleSet, trump: Trump, hand: Mask, trick: Cards, card: Card) -> Refusal | None:
    """Why ``card``, held in ``hand``, may not be added to ``trick``; None if it may."""
    legal = legal_mask(rules, trump, hand, trick)
    return None if legal >> card & 1 else _why(rules, trump, hand, trick, legal, card)


def refusals(
    rules: RuleSet, trump: Trump, hand: Mask, trick: Cards, legal: Mask
) -> tuple[tuple[Card, Refusal], ...]:
    """Why each card of ``hand`` that is not ``legal`` (by ``legal_mask``) may not be played."""
    return tuple(
        (card, _why(rules, trump, hand, trick, legal, card)) for card in cards_of(hand & ~legal)
    )


def _why(
    rules: RuleSet, trump: Trump, hand: Mask, trick: Cards, legal: Mask, card: Card
) -> Refusal:
    led = suit_of(trick[0])
    place = best_of(trick, trump)
    best = trick[place]
    if hand & SUIT_MASKS[led]:
        if suit_of(card) != led:
            return _refusal("must_follow", led, None)
        plain = trump is not Trump.ALL_TRUMPS and led != trump.suit
        return _refusal("must_beat_plain" if plain else "must_beat_trump", led, best)
    suit = trump.suit
    exempt = rules.partner_winning == "trump_any" and _partner_wins(rules, trick, place)
    if exempt or suit_of(best) != suit:
        return _refusal("must_trump", suit, None)
    if legal & ABOVE_TRUMP[best] == legal:
        return _refusal("must_overtrump", suit, best)
    return _refusal("must_undertrump", suit, None)


@lru_cache(maxsize=1024)
def _refusal(code: RefusalCode, suit: Suit | None, beat: Card | None) -> Refusal:
    """The same refusal is the same object: ``legal`` is asked for at every turn."""
    return Refusal(code, suit, beat)
