"""Following a trick: what each card would bring.

The trick's points come to us or go to them, so a card's value is ``(2p - 1) · points`` with p the
chance that our side takes the trick if it is played, less what the card would still be worth in
the hand. Giving the partner points, ducking, not ruffing what the partner wins and taking with
the cheapest card that does all follow from that one line.
"""

from app.belote.cards import ACE, NINE, TEN, Card, Seat, rank_of, suit_of
from app.bots.reading import Reading

RUFF = 8.0
"""What any trump is worth later: it takes a trick that nobody would let it have."""
MASTER_TRUMP = 5.0
GUARDED_NINE = 0.8
GUARDED_TRUMP = 0.5
BARE_TRUMP = 0.2
"""How much of their own points trumps below the master bring home."""
WITH_A_MASTER = 5.0
"""Points that the others' cards bring to a trick that a master takes."""
COMES_HOME = (0.1, 0.15, 0.2, 0.3, 0.5, 0.65, 0.8, 0.8)
"""How likely a side master is not ruffed, by how many cards of its suit the others still hold."""
STILL_TO_COME = 3.5
"""Points that a seat which has not played yet adds to the trick, on average."""
TEN_UNDER_ACE = 5.0
GUARD = 2.5
SHORT_SUIT = 0.3
LAST_TEN = 10


def score(reading: Reading, card: Card) -> float:
    """How good it is to play the card to the trick on the table, in points of the game."""
    at_stake: float = sum(reading.worth(c) for c in (*reading.trick.cards, card))
    at_stake += STILL_TO_COME * len(reading.left_to_act)
    if len(reading.hand) == 1:
        at_stake += LAST_TEN
    ours = chance_ours(reading, card)
    return (2 * ours - 1) * at_stake - kept_worth(reading, card)


def chance_ours(reading: Reading, card: Card) -> float:
    """How likely our side wins the trick after this card, as far as the viewer can count."""
    standing = reading.winning()
    winner, best = (reading.me, card) if standing is None else standing
    if standing is not None and reading.beats(card, best):
        winner, best = reading.me, card
    for seat in reading.left_to_act:
        if reading.ours(winner) != reading.ours(seat):
            return _against(reading, winner, best)
    return 1.0 if reading.ours(winner) else 0.0


def _against(reading: Reading, winner: Seat, best: Card) -> float:
    """The chance when seats of the side that is not winning are still to play.

    A partner who plays after us may win it back, which is counted once and no further."""
    ours = 1.0 if reading.ours(winner) else 0.0
    for seat in reading.left_to_act:
        beaten = reading.chance_beaten(seat, best)
        ours = ours + (1 - ours) * beaten if reading.ours(seat) else ours * (1 - beaten)
    return ours


def kept_worth(reading: Reading, card: Card) -> float:
    """What the card would be worth later, in points: masters and trumps are kept, tens guarded."""
    tricks_left = len(reading.hand) - 1
    if tricks_left == 0:
        return 0.0
    if reading.is_trump(card):
        return _trump_worth(reading, card)
    return _side_worth(reading, card)


def _trump_worth(reading: Reading, card: Card) -> float:
    worth = reading.worth(card)
    if reading.is_master(card):
        return worth + RUFF + MASTER_TRUMP
    guarded = sum(1 for c in reading.hand if reading.is_trump(c)) > 1
    if not guarded:
        return worth * BARE_TRUMP + RUFF
    share = GUARDED_NINE if rank_of(card) == NINE else GUARDED_TRUMP
    return worth * share + RUFF + reading.height(card) * 0.01


def _side_worth(reading: Reading, card: Card) -> float:
    suit = suit_of(card)
    mates = [c for c in reading.hand if suit_of(c) == suit and c != card]
    if reading.is_master(card):
        return (reading.worth(card) + WITH_A_MASTER) * _comes_home(reading, card)
    worth = reading.height(card) * 0.1
    if rank_of(card) == TEN and mates:
        worth += TEN_UNDER_ACE
    ten = next((c for c in mates if rank_of(c) == TEN), None)
    if ten is not None and not reading.is_master(ten) and len(mates) == 1:
        worth += GUARD  # the ten would stand alone under the ace
    if any(rank_of(c) == ACE for c in mates):
        worth += SHORT_SUIT
    return worth


def _comes_home(reading: Reading, card: Card) -> float:
    """The chance that a side master wins its trick later, when this one has been played."""
    if not reading.opponents_may_trump():
        return 1.0
    led = reading.trick.cards and suit_of(reading.trick.cards[0]) == suit_of(card)
    out = len(reading.out(suit_of(card))) - (len(reading.left_to_act) if led else 0)
    return COMES_HOME[max(out, 0)]
