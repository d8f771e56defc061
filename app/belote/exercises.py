"""Positions for who learns a game: a trick, a hand, and which of its cards may be played.

Made by the same rules as every match: hands are dealt from a number, seats play any legal card, and
of the positions that arise one of each kind is kept. So a house rule changes the exercises too.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.belote.cards import PACK_24, PACK_32, Card, Seat, Trump, suit_of
from app.belote.deal import next_seat
from app.belote.events import Cards
from app.belote.play import Refusal, legal_mask, refusals
from app.belote.ranking import best_of, cards_of, mask_of
from app.belote.rules import RuleSet
from app.belote.shuffle import below, shuffled, words_of

HAND_SIZE = 5
"""Enough to choose from, and few enough to stand in one row on a phone."""
TRIES = 240
"""Positions looked at for one round: more find hardly ever another kind."""
READER = Seat(0)
KINDS = (
    "must_follow",
    "must_trump",
    "must_overtrump",
    "must_undertrump",
    "must_beat_trump",
    "must_beat_plain",
    "free",
)
"""In the order in which they are learnt."""


@dataclass(frozen=True, slots=True)
class Exercise:
    """Seat 0 is to play. ``trick`` is in order of play from ``leader``; ``best`` is the place in it
    of the card that wins so far. ``why`` has the cards of the hand that may not be played."""

    trump: Trump
    leader: Seat
    trick: Cards
    best: int
    hand: Cards
    legal: Cards
    why: tuple[tuple[Card, Refusal], ...]


def exercises(rules: RuleSet, number: int) -> tuple[Exercise, ...]:
    """The round of that number: an exercise for each reason for which a card may be refused under
    these rules, and one in which a seat that can't follow is free."""
    found: dict[str, Exercise] = {}
    for one in _positions(rules, number):
        found.setdefault(_kind(one), one)
    return tuple(found[kind] for kind in KINDS if kind in found)


def _positions(rules: RuleSet, number: int) -> Iterator[Exercise]:
    secret = hashlib.sha256(f"exercises {number}".encode()).digest()
    for turn in range(TRIES):
        yield _position(rules, words_of(secret, (), "exercises", turn))


def _position(rules: RuleSet, words: Iterator[int]) -> Exercise:
    """Everybody has five cards, the reader is not the first to play."""
    trump = rules.trumps[below(len(rules.trumps), words)]
    pack = shuffled(PACK_32 if rules.pack == 32 else PACK_24, words)
    hands = [mask_of(pack[seat * HAND_SIZE :][:HAND_SIZE]) for seat in range(rules.players)]
    before = 1 + below(rules.players - 1, words)
    leader = Seat(rules.players - before)
    trick: list[Card] = []
    seat = leader
    while seat != READER:
        open_now = cards_of(legal_mask(rules, trump, hands[seat], tuple(trick)))
        trick.append(open_now[below(len(open_now), words)])
        seat = next_seat(seat, rules.players)
    return _exercise(rules, trump, leader, trick, hands[READER])


def _exercise(
    rules: RuleSet, trump: Trump, leader: Seat, trick: Sequence[Card], hand: int
) -> Exercise:
    cards = tuple(trick)
    legal = legal_mask(rules, trump, hand, cards)
    why = refusals(rules, trump, hand, cards, legal)
    return Exercise(
        trump, leader, cards, best_of(cards, trump), cards_of(hand), cards_of(legal), why
    )


def _kind(one: Exercise) -> str:
    """What it teaches: the rule that refuses a card (beside following suit, which all know soon),
    or ``free`` where a seat may throw off although it holds trumps; ``""`` for nothing."""
    codes = {refusal.code for _, refusal in one.why}
    if codes:
        return min(codes - {"must_follow"} or codes)
    suits = {suit_of(card) for card in one.hand}
    follows = suit_of(one.trick[0]) in suits
    return "free" if one.trump.suit in suits and len(suits) > 1 and not follows else ""
