"""What the novice calls, in each of the four kinds of auction (docs/rules.md §3).

It bids what its own hand is worth, raises a partner once for support, doubles what it holds
against, and names its best trump when it must.
"""

from app.belote.cards import SUITS, Card, Suit, Trump, side_of
from app.belote.commands import Annul, Bid, Command, Double, Name, Pass, Redouble, Take
from app.belote.events import BidValue, Cards, Contract
from app.belote.legal import Legal
from app.belote.view import View
from app.bots import valuing
from app.bots.estimates import defence, estimate, support

ALL_POINTS = 162
TAKES = 80.0
"""From this estimate on a contract without a value is bid."""
OVERCALL = 12.0
"""What a contract must promise beyond that to be bid over the partner's."""
CALLED_WITH_LESS = 6.0
"""A called trump of a hand of six cards: two more come, and the partner's eight."""
SURE = 22.0
"""How many points more than needed the defence must see before it doubles."""
REDOUBLES = 30.0
HIGHEST_BID = 150
SUPPORT_FOR_A_RAISE = 20.0
A_RAISE = 10


def call(view: View, legal: Legal) -> Command:
    """One of the legal calls of the seat in turn."""
    assert view.viewer is not None
    match view.rules.auction:
        case "turn_up":
            return _turn_up(view, legal)
        case "call":
            return _called(view, legal)
        case "levels" | "contracts":
            return _answer(view, legal) or _bid(view, legal) or _give_up(view, legal)


def _seat_hand(view: View) -> Cards:
    assert view.viewer is not None
    lying: list[Card] = [card for card in view.up[view.viewer] if card is not None]
    return (*(view.hand or ()), *lying)


def _whole(view: View) -> int:
    """How many cards a seat plays in all, those that lie face down aside."""
    packets = view.rules.packets
    lying = len(view.up[0]) if view.up else 0
    return sum(packets.before) + sum(packets.after) if not lying else 8 + lying


def _give_up(view: View, legal: Legal) -> Command:
    assert view.viewer is not None
    if "pass" in legal.calls:
        return Pass(view.viewer)
    best = max(legal.trumps, key=lambda trump: _worth(view, trump))
    return Bid(view.viewer, best, legal.values[0] if legal.values else None)


def _worth(view: View, trump: Trump) -> float:
    return estimate(_seat_hand(view), trump, _whole(view))


# A card is turned up, or a trump is called


def _turn_up(view: View, legal: Legal) -> Command:
    assert view.viewer is not None
    assert view.turned is not None
    cards = (*_seat_hand(view), view.turned)
    if "take" in legal.calls:
        suit = Suit(view.turned >> 3)
        if valuing.worth(cards, suit) >= valuing.ENOUGH:
            return Take(view.viewer)
    if legal.trumps and "name" in legal.calls:
        return _name(view, legal, cards, valuing.ENOUGH)
    return Pass(view.viewer)


def _called(view: View, legal: Legal) -> Command:
    return _name(view, legal, _seat_hand(view), CALLED_WITH_LESS)


def _name(view: View, legal: Legal, cards: Cards, enough: float) -> Command:
    assert view.viewer is not None
    suits = [trump.suit for trump in legal.trumps if trump.suit is not None]
    suit, value = valuing.best_trump(cards, suits)
    if value >= enough:
        return Name(view.viewer, Trump(SUITS[suit]))
    if "pass" in legal.calls:
        return Pass(view.viewer)
    if "annul" in legal.calls:
        return Annul(view.viewer)
    longest = max(suits, key=lambda s: valuing.length(cards, s))
    return Name(view.viewer, Trump(SUITS[longest if value == 0 else suit]))


# Bids, doubles, redoubles


def _ours(view: View, standing: Contract) -> bool:
    assert view.viewer is not None
    players = view.rules.players
    return side_of(standing.taker, players) == side_of(view.viewer, players)


def _needed(standing: Contract) -> float:
    """The points that the defence needs against a contract, of 162."""
    if standing.value is None:
        return ALL_POINTS / 2
    if standing.value == "capot":
        return 1.0
    return float(ALL_POINTS - standing.value)


def _answer(view: View, legal: Legal) -> Command | None:
    """A double or a redouble, if the hand is for it."""
    assert view.viewer is not None
    standing, hand = view.standing, _seat_hand(view)
    if standing is None:
        return None
    if "double" in legal.calls:
        against = defence(hand, standing.trump)
        if against >= _needed(standing) + SURE:
            return Double(view.viewer)
    if "redouble" in legal.calls and standing.taker == view.viewer:
        promised = 82.0 if standing.value is None else _promised(standing.value)
        if _worth(view, standing.trump) >= promised + REDOUBLES:
            return Redouble(view.viewer)
    return None


def _promised(value: BidValue) -> float:
    return float(ALL_POINTS) if value == "capot" else float(value)


def _bid(view: View, legal: Legal) -> Command | None:
    if "bid" not in legal.calls:
        return None
    if view.standing is not None and _ours(view, view.standing):
        return _over_partner(view, legal, view.standing)
    best = max(legal.trumps, key=lambda trump: _worth(view, trump))
    return _bid_of(view, legal, best, _worth(view, best))


def _bid_of(view: View, legal: Legal, trump: Trump, worth: float) -> Command | None:
    """A bid for what the hand is worth, if that is a bid."""
    assert view.viewer is not None
    if not legal.values:
        return Bid(view.viewer, trump) if worth >= TAKES else None
    affordable = [v for v in legal.values if v != "capot" and v <= min(worth, HIGHEST_BID)]
    return Bid(view.viewer, trump, affordable[-1]) if affordable else None


def _over_partner(view: View, legal: Legal, standing: Contract) -> Command | None:
    """A raise, once, for support; without values another contract if it is clearly better."""
    assert view.viewer is not None
    if standing.taker == view.viewer or standing.factor != 1:
        return None
    if not legal.values:
        best = max(legal.trumps, key=lambda trump: _worth(view, trump))
        better = _worth(view, best) >= TAKES + OVERCALL + support(_seat_hand(view), standing.trump)
        return Bid(view.viewer, best) if better else None
    mine = any(c.seat == view.viewer and c.trump == standing.trump for c in view.auction)
    if mine or standing.trump not in legal.trumps or standing.value == "capot":
        return None
    raises = int(support(_seat_hand(view), standing.trump) // SUPPORT_FOR_A_RAISE)
    aim = _promised(standing.value or 0) + A_RAISE * raises
    affordable = [v for v in legal.values if v != "capot" and v <= min(aim, HIGHEST_BID)]
    return Bid(view.viewer, standing.trump, affordable[-1]) if affordable else None
