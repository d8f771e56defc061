"""Who gets which card of an ordered pack (docs/rules.md §1 "Seats", §2 ``packets``).

Eldest, the seat after the dealer, is dealt to first; each packet goes round whole.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from app.belote.cards import Card, Seat
from app.belote.events import Cards
from app.belote.rules import RuleSet


@dataclass(frozen=True, slots=True)
class Dealt:
    """Hands in the order dealt, the turn-up where the game has one, and what is left."""

    hands: tuple[Cards, ...]
    turned: Card | None
    stock: Cards


def next_seat(seat: Seat, players: int) -> Seat:
    """The seat that plays, bids and deals after this one."""
    return Seat((seat + 1) % players)


def seats_from(first: Seat, players: int) -> tuple[Seat, ...]:
    """All seats in order of play, beginning with one."""
    return tuple(Seat((first + i) % players) for i in range(players))


def first_packets(rules: RuleSet, pack: Cards, dealer: Seat) -> Dealt:
    """The packets before the auction."""
    hands, stock = _round(rules, [()] * rules.players, pack, dealer, rules.packets.before)
    if rules.auction == "turn_up":
        return Dealt(hands, stock[0], stock[1:])
    return Dealt(hands, None, stock)


def rest(rules: RuleSet, dealt: Dealt, dealer: Seat, taker: Seat) -> Dealt:
    """The packets after the auction: the taker picks up the turn-up, then gets one card less."""
    hands, short = list(dealt.hands), None
    if dealt.turned is not None:
        hands[taker] = (*hands[taker], dealt.turned)
        short = taker
    full, stock = _round(rules, hands, dealt.stock, dealer, rules.packets.after, short)
    return Dealt(full, dealt.turned, stock)


def _round(
    rules: RuleSet,
    hands: Iterable[Cards],
    pack: Cards,
    dealer: Seat,
    packets: tuple[int, ...],
    short: Seat | None = None,
) -> tuple[tuple[Cards, ...], Cards]:
    """Deal packets from the top; ``short`` gets one card less in the first of them."""
    given, at = list(hands), 0
    for number, size in enumerate(packets):
        for seat in seats_from(next_seat(dealer, rules.players), rules.players):
            count = size - (seat == short and number == 0)
            given[seat] = given[seat] + pack[at : at + count]
            at += count
    return tuple(given), pack[at:]


def pack_of(rules: RuleSet, dealt: Dealt, dealer: Seat) -> Cards:
    """The pack that ``first_packets`` dealt from, in its order."""
    pack: list[Card] = []
    at = [0] * rules.players
    for size in rules.packets.before:
        for seat in seats_from(next_seat(dealer, rules.players), rules.players):
            pack += dealt.hands[seat][at[seat] : at[seat] + size]
            at[seat] += size
    turned = () if dealt.turned is None else (dealt.turned,)
    return (*pack, *turned, *dealt.stock)
