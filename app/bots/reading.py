"""What a seat can work out from its own view: cards still out, who is void, who is winning.

Counting only, no decisions. Everything comes from public knowledge and the viewer's hand (D11).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import comb

from app.belote.cards import PACK_32, SEVEN, Card, Seat, Suit, Trump, rank_of, side_of, suit_of
from app.belote.events import Cards
from app.belote.ranking import STRENGTH, best_of, card_points
from app.belote.view import Trick, View


@dataclass(frozen=True, slots=True)
class Reading:
    """A view during play, counted. ``hand`` is all that the viewer may play from, its cards that
    lie face up among them; ``trump`` is None at no trumps and all trumps, where nothing ruffs;
    ``unseen`` are the cards that it has not seen, ``lying`` those of each seat that lie face up.
    ``turn_up_at`` is who holds the turn-up, while another seat does: its place is known.
    ``voids`` has the suits that each seat has shown it does not hold."""

    view: View
    me: Seat
    hand: Cards
    contract: Trump
    trump: Suit | None
    taker: Seat
    trick: Trick
    unseen: frozenset[Card]
    lying: tuple[frozenset[Card], ...]
    turn_up_at: tuple[Seat, Card] | None
    voids: tuple[frozenset[Suit], ...]

    @property
    def players(self) -> int:
        """Seats at the table."""
        return len(self.view.counts)

    @property
    def partner(self) -> Seat | None:
        """The seat opposite, at a table of four."""
        return Seat((self.me + 2) % 4) if self.players == 4 else None

    def ours(self, seat: Seat) -> bool:
        """Whether the seat is on the viewer's side."""
        return side_of(seat, self.players) == side_of(self.me, self.players)

    @property
    def opponents(self) -> tuple[Seat, ...]:
        """The seats of the other sides."""
        return tuple(Seat(s) for s in range(self.players) if not self.ours(Seat(s)))

    @property
    def left_to_act(self) -> tuple[Seat, ...]:
        """The seats that play to this trick after the viewer, in order."""
        others = self.players - 1 - len(self.trick.cards)
        return tuple(Seat((self.me + i) % self.players) for i in range(1, others + 1))

    def worth(self, card: Card) -> int:
        """The card's points."""
        return card_points(self.view.rules, self.contract)[card]

    def is_trump(self, card: Card) -> bool:
        """Whether the card is of the trump suit."""
        return suit_of(card) == self.trump

    def beats(self, card: Card, other: Card) -> bool:
        """Whether ``card``, played after ``other`` was winning, takes the lead."""
        if suit_of(card) == suit_of(other):
            return self.height(card) > self.height(other)
        return self.is_trump(card)

    def height(self, card: Card) -> int:
        """The card's place in the order of its suit."""
        return STRENGTH[self.contract][suit_of(card)][card]

    def higher(self, card: Card, among: Iterable[Card]) -> list[Card]:
        """Those of the cards that are higher in the same suit."""
        mine = self.height(card)
        return [c for c in among if suit_of(c) == suit_of(card) and self.height(c) > mine]

    def is_master(self, card: Card) -> bool:
        """Whether no card that is still out is higher in its suit."""
        return not self.higher(card, self._not_mine())

    def _not_mine(self) -> Iterable[Card]:
        others = (cards for seat, cards in enumerate(self.lying) if seat != self.me)
        return self.unseen.union(*others)

    def out(self, suit: Suit) -> list[Card]:
        """The cards of a suit that others may hold, or have lying before them."""
        return [card for card in self._not_mine() if suit_of(card) == suit]

    def opponents_may_trump(self) -> bool:
        """Whether a trump may still be in an opponent's hand."""
        if self.trump is None:
            return False
        out = self.out(self.trump)
        return any(self.chance_of(seat, out) > 0 for seat in self.opponents)

    def winning(self) -> tuple[Seat, Card] | None:
        """Who wins the trick at this moment and with what; None before the lead."""
        return winning(self.trick, self.contract, self.players)

    def chance_of(self, seat: Seat, cards: Iterable[Card]) -> float:
        """How likely another seat has at least one of these cards, all hands being equal."""
        lying = self.lying[seat]
        wanted = []
        for card in cards:
            if card in lying:
                return 1.0
            if card in self.unseen and suit_of(card) not in self.voids[seat]:
                wanted.append(card)
        known = self.turn_up_at
        if known is not None and known[1] in wanted:
            if known[0] == seat:
                return 1.0
            wanted.remove(known[1])
        pool = [c for c in self.unseen if suit_of(c) not in self.voids[seat]]
        size = self.view.counts[seat]
        if known is not None and known[1] in pool:
            pool.remove(known[1])
            size -= known[0] == seat
        return _at_least_one(len(wanted), len(pool), size)

    def chance_beaten(self, seat: Seat, card: Card) -> float:
        """How likely a seat that is still to play can beat ``card`` as the trick's winner."""
        led = suit_of(self.trick.cards[0]) if self.trick.cards else suit_of(card)
        if suit_of(card) == led:
            over = self.chance_of(seat, self.higher(card, self._not_mine()))
            if self.trump is None or led == self.trump:
                return over
            return over + (1 - over) * self._chance_ruffs(seat, led, self.out(self.trump))
        return self._chance_ruffs(seat, led, self.higher(card, self._not_mine()))

    def _chance_ruffs(self, seat: Seat, led: Suit, trumps: list[Card]) -> float:
        void = 1.0 - self.chance_of(seat, self.out(led))
        return void * self.chance_of(seat, trumps)


def read(view: View) -> Reading:
    """Count a view in play, the viewer being seated; ``ValueError`` for another view."""
    if view.viewer is None or view.hand is None or view.contract is None or view.trick is None:
        raise ValueError("a bot thinks in its own seat, in play")
    lying = tuple(frozenset(c for c in places if c is not None) for places in view.up)
    hand = (*view.hand, *sorted(lying[view.viewer]))
    unseen = _pack(view).difference(view.hand, view.played, *lying)
    taker = view.contract.taker
    at = None
    if view.turned is not None and view.turned in unseen and taker != view.viewer:
        at = (taker, view.turned)
    return Reading(
        view=view,
        me=view.viewer,
        hand=hand,
        contract=view.contract.trump,
        trump=view.contract.trump.suit,
        taker=taker,
        trick=view.trick,
        unseen=unseen,
        lying=lying,
        turn_up_at=at,
        voids=_voids(view, view.contract.trump),
    )


def _pack(view: View) -> frozenset[Card]:
    if view.rules.pack == len(PACK_32):
        return frozenset(PACK_32)
    return frozenset(card for card in PACK_32 if rank_of(card) > SEVEN + 1)


def winning(trick: Trick, trump: Trump, players: int) -> tuple[Seat, Card] | None:
    """The seat and card that win a trick so far, or None when nothing lies there."""
    if not trick.cards:
        return None
    place = best_of(trick.cards, trump)
    return Seat((trick.leader + place) % players), trick.cards[place]


def tricks_of(view: View, trump: Trump) -> list[Trick]:
    """The deal's tricks so far, the open one last. Who leads each follows from who won the one
    before; counted back from the open trick's leader, no rule of who leads first is needed."""
    players = len(view.counts)
    packets = [view.played[i : i + players] for i in range(0, len(view.played), players)]
    offset = 0  # seats counted from the first leader, whom the end tells
    relative: list[tuple[int, Cards]] = []
    for cards in packets:
        relative.append((offset, cards))
        won = winning(Trick(Seat(offset), cards), trump, players)
        offset = won[0] if won is not None and len(cards) == players else offset
    if view.trick is None:
        return []
    first = (view.trick.leader - offset) % players
    return [Trick(Seat((first + at) % players), cards) for at, cards in relative]


def _voids(view: View, trump: Trump) -> tuple[frozenset[Suit], ...]:
    players, suit = len(view.counts), trump.suit
    voids: list[set[Suit]] = [set() for _ in range(players)]
    if view.rules.layout == "open":
        return (frozenset(),) * players  # a card that is turned up later may be of any suit
    for trick in tricks_of(view, trump):
        led = suit_of(trick.cards[0])
        for i, card in enumerate(trick.cards):
            seat = (trick.leader + i) % players
            if suit_of(card) == led:
                continue
            voids[seat].add(led)
            off_trump = suit is not None and suit_of(card) != suit
            if suit is not None and off_trump and _had_to_trump(trick, i, trump, players):
                voids[seat].add(suit)
    return tuple(frozenset(suits) for suits in voids)


def _had_to_trump(trick: Trick, place: int, trump: Trump, players: int) -> bool:
    """Whether the seat at that place, void, had to trump if it could: an opponent was winning
    with a plain card (over a trump a lower one may be kept, in some games)."""
    best = best_of(trick.cards[:place], trump)
    against = players != 4 or (place - best) % 2 == 1
    return suit_of(trick.cards[best]) != trump.suit and against


def _at_least_one(wanted: int, pool: int, size: int) -> float:
    if wanted <= 0 or size <= 0:
        return 0.0
    if pool - wanted < size:
        return 1.0
    return 1.0 - comb(pool - wanted, size) / comb(pool, size)
