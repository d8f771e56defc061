"""Who gets which card of an ordered pack (docs/rules.md §1 "Seats", §2 ``packets``, ``layout``).

Eldest, the seat after the dealer, is dealt to first; each packet goes round whole. In an open
layout the single cards at the end of the first packets lie on the table: the first half of them
face down, the others face up upon them. Where a trump is called (bela) the last packets lie face
down during the auction.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from app.belote.cards import Card, Seat, Side, side_of
from app.belote.events import Cards
from app.belote.rules import RuleSet

Pile = Literal["hand", "down", "up"]
OPEN_PLACES = 4
"""In an open layout, places before a seat; each holds a card face down and one face up upon it."""


@dataclass(frozen=True, slots=True)
class Dealt:
    """Hands in the order dealt, the turn-up where the game has one, and what is left. ``up`` lie
    face up and ``under`` face down before each seat, by place."""

    hands: tuple[Cards, ...]
    turned: Card | None
    stock: Cards
    up: tuple[Cards, ...] = ()
    under: tuple[Cards, ...] = ()


def next_seat(seat: Seat, players: int) -> Seat:
    """The seat that plays, bids and deals after this one."""
    return Seat((seat + 1) % players)


def seats_from(first: Seat, players: int) -> tuple[Seat, ...]:
    """All seats in order of play, beginning with one."""
    return tuple(Seat((first + i) % players) for i in range(players))


def first_dealer(rules: RuleSet, winner: Side, last_dealer: Seat) -> Seat:
    """``first_dealer`` winners: of the last match's winning side the seat nearest after its last
    dealer."""
    seats = seats_from(next_seat(last_dealer, rules.players), rules.players)
    return next(seat for seat in seats if side_of(seat, rules.players) == winner)


def _before(rules: RuleSet) -> Iterator[tuple[Pile, int]]:
    """The packets before the auction and where they go."""
    sizes = rules.packets.before
    lying = 2 * OPEN_PLACES if rules.layout == "open" else 0
    for size in sizes[: len(sizes) - lying]:
        yield "hand", size
    for place in range(lying):
        yield ("down" if place < OPEN_PLACES else "up"), 1
    if rules.auction == "call":
        for size in rules.packets.after:
            yield "down", size


def _places(rules: RuleSet, dealer: Seat) -> Iterator[tuple[Pile, Seat, int]]:
    """Each packet before the auction: where, to whom, how many."""
    for pile, size in _before(rules):
        for seat in seats_from(next_seat(dealer, rules.players), rules.players):
            yield pile, seat, size


def first_packets(rules: RuleSet, pack: Cards, dealer: Seat) -> Dealt:
    """The packets before the auction."""
    piles: dict[Pile, list[Cards]] = {pile: [()] * rules.players for pile in ("hand", "down", "up")}
    at = 0
    for pile, seat, size in _places(rules, dealer):
        piles[pile][seat] += pack[at : at + size]
        at += size
    turned = pack[at] if rules.auction == "turn_up" else None
    stock = pack[at:] if turned is None else pack[at + 1 :]
    return Dealt(
        tuple(piles["hand"]),
        turned,
        stock,
        tuple(piles["up"]) if rules.layout == "open" else (),
        tuple(piles["down"]) if any(piles["down"]) else (),
    )


def rest(rules: RuleSet, dealt: Dealt, dealer: Seat, taker: Seat) -> Dealt:
    """The packets after the auction: the taker picks up the turn-up, then gets one card less."""
    hands, short = list(dealt.hands), None
    if dealt.turned is not None:
        hands[taker] = (*hands[taker], dealt.turned)
        short = taker
    at = 0
    for number, size in enumerate(rules.packets.after):
        for seat in seats_from(next_seat(dealer, rules.players), rules.players):
            count = size - (seat == short and number == 0)
            hands[seat] += dealt.stock[at : at + count]
            at += count
    return Dealt(tuple(hands), dealt.turned, dealt.stock[at:], dealt.up, dealt.under)


def pack_of(rules: RuleSet, dealt: Dealt, dealer: Seat) -> Cards:
    """The pack that ``first_packets`` dealt from, in its order."""
    piles: dict[Pile, Sequence[Cards]] = {
        "hand": dealt.hands, "down": dealt.under, "up": dealt.up
    }  # fmt: skip
    at: dict[tuple[Pile, Seat], int] = {}
    pack: list[Card] = []
    for pile, seat, size in _places(rules, dealer):
        first = at.get((pile, seat), 0)
        pack += piles[pile][seat][first : first + size] if piles[pile] else ()
        at[pile, seat] = first + size
    turned = () if dealt.turned is None else (dealt.turned,)
    return (*pack, *turned, *dealt.stock)


def next_to_call(players: int, seat: Seat, only: Side | None) -> Seat:
    """Who calls after a seat; ``only`` the side that is left to answer a double."""
    following = next_seat(seat, players)
    while only is not None and side_of(following, players) != only:
        following = next_seat(following, players)
    return following
