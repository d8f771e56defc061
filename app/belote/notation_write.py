"""Records from events: what the log tells of a deal, whole (see ``notation``)."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from app.belote.cards import NAMES, SUITS, Card, Seat
from app.belote.deal import Dealt, pack_of
from app.belote.declarations import held
from app.belote.engine import evolve, legal, new_match
from app.belote.events import (
    BidMade,
    CardPlayed,
    Cards,
    DealAnnulled,
    DealScored,
    Declaration,
    DeclarationsSettled,
    Declared,
    Doubled,
    GameEvent,
    HandDealt,
    Passed,
    Redoubled,
    RestDealt,
    Score,
    SeenDeclaration,
    ThirdDoubled,
    TrickTaken,
)
from app.belote.gather import Leavings
from app.belote.notation_rules import FORMAT, Record, RecordError, rules_record
from app.belote.ranking import mask_of
from app.belote.rules import RuleSet

_PLAIN_CALLS = {
    Passed: "pass",
    Doubled: "double",
    Redoubled: "redouble",
    ThirdDoubled: "third",
    DealAnnulled: "annul",
}


def records(
    rules: RuleSet,
    match: str,
    events: Iterable[GameEvent],
    with_legal: bool = False,
) -> Iterator[Record]:
    """A record for each deal of a match, from all of its events in order."""
    deal: list[GameEvent] = []
    for event in events:
        if isinstance(event, HandDealt) and deal:
            yield deal_record(rules, match, deal, with_legal)
            deal = []
        if deal or isinstance(event, HandDealt):
            deal.append(event)
    if deal:
        yield deal_record(rules, match, deal, with_legal)


def deal_record(
    rules: RuleSet,
    match: str,
    events: Sequence[GameEvent],
    with_legal: bool = False,
) -> Record:
    """The record of one deal from its events, the first of which is ``HandDealt``; whole events,
    as the log has them, not a viewer's. ``with_legal`` adds what each seat might have played."""
    told = _Told(rules)
    for event in events:
        told.add(event)
    dealt = told.dealt
    contract = told.rest.contract if told.rest else None
    record: Record = {
        "format": FORMAT,
        "match": match,
        "deal": dealt.deal,
        "preset": rules.preset,
        "rules": rules_record(rules),
        "dealer": int(dealt.dealer),
        "pack": _names(_pack(rules, dealt)),
        "cut": dealt.cut,
        "turned": None if dealt.turned is None else NAMES[dealt.turned],
        "proof": _proof(dealt, rules.players),
        "hands": [_names(sorted(cards)) for cards in _hands(told)],
        "auction": told.auction,
        "contract": contract
        and {
            "taker": int(contract.taker),
            "trump": contract.trump.value,
            "value": contract.value,
            "factor": contract.factor,
        },
        "declarations": _declarations(told),
        "belote": told.belote,
        "tricks": _tricks(told, _legal_cards(rules, match, events) if with_legal else None),
        "score": None if told.score is None else score_record(told.score),
    }
    if rules.layout == "open":
        record["up"] = [_names(cards) for cards in dealt.up]
        record["down"] = [_names(cards) for cards in dealt.under]
    return record


@dataclass(slots=True)
class _Told:
    """What the events of one deal tell, gathered for its record. ``answered`` are the seats that
    have declared or let it be, in order; ``declared`` what they declared."""

    rules: RuleSet
    first: HandDealt | None = None
    rest: RestDealt | None = None
    auction: list[Record] = field(default_factory=list)
    answered: list[Seat] = field(default_factory=list)
    declared: list[Declaration] = field(default_factory=list)
    seen: tuple[SeenDeclaration, ...] = ()
    belote: list[Record] = field(default_factory=list)
    played: list[CardPlayed] = field(default_factory=list)
    winners: list[Seat] = field(default_factory=list)
    score: Score | None = None

    @property
    def dealt(self) -> HandDealt:
        """The event that a deal begins with."""
        if self.first is None:
            raise RecordError("bad_record")
        return self.first

    def add(self, event: GameEvent) -> None:
        match event:
            case HandDealt():
                self.first = event
            case Passed() | Doubled() | Redoubled() | ThirdDoubled() | DealAnnulled():
                call = {"seat": int(event.seat), "call": _PLAIN_CALLS[type(event)]}
                self.auction.append(call)
            case BidMade():
                self.auction.append(_bid(event))
            case RestDealt():
                self.rest = event
            case Declared():
                self._answer(event.seat)
                self.declared += event.declarations[event.seat] or ()
            case CardPlayed():
                self._answer(event.seat)
                self.played.append(event)
                if event.belote == "belote":
                    self.belote.append({"seat": int(event.seat), "suit": SUITS[event.card >> 3]})
            case TrickTaken():
                self.winners.append(event.winner)
            case DeclarationsSettled() | DealScored():
                self.seen = event.declarations
                self.score = event.score if isinstance(event, DealScored) else None
            case _:
                pass  # what ends a deal that was passed out or cut short is seen from the rest

    def _answer(self, seat: Seat) -> None:
        if seat not in self.answered:
            self.answered.append(seat)


def _bid(event: BidMade) -> Record:
    call: Record = {"seat": int(event.seat), "call": event.call}
    if event.value is not None:
        call["value"] = event.value
    if event.call != "take":
        call["trump"] = event.trump.value
    return call


def _names(cards: Iterable[Card]) -> list[str]:
    return [NAMES[card] for card in cards]


def _pack(rules: RuleSet, dealt: HandDealt) -> Cards:
    hands = tuple(cards or () for cards in dealt.cards)
    whole = Dealt(hands, dealt.turned, dealt.stock, dealt.up, dealt.under)
    return pack_of(rules, whole, dealt.dealer)


def _hands(told: _Told) -> tuple[Cards, ...]:
    """The cards held when play begins; without play those dealt so far, what lies face down for
    the auction's sake among them (bela)."""
    dealt = told.dealt
    if told.rest is not None:
        return tuple(cards or () for cards in told.rest.cards)
    hands = tuple(cards or () for cards in dealt.cards)
    if told.rules.auction != "call":
        return hands
    return tuple(hand + under for hand, under in zip(hands, dealt.under, strict=True))


def _proof(dealt: HandDealt, players: int) -> Record | None:
    """What lets anybody make the pack again; None for a deal that was not made from bytes."""
    if not dealt.secret:
        return None
    return {
        "commit": dealt.commit,
        "secret": dealt.secret,
        "contributions": [None] * players,
        "before": None if dealt.before is None else _before(dealt.before),
    }


def _before(left: Leavings) -> list[Record]:
    """What a cut pack came from: tricks in the order taken with the side that took them; or the
    hands of a deal that nobody took, from eldest; last what was never dealt."""
    found: list[Record] = [
        {"from": "trick", "side": int(trick.side), "cards": _names(trick.cards)}
        for trick in left.tricks
    ]
    found += [{"from": "hand", "side": None, "cards": _names(hand)} for hand in left.hands]
    if left.stock:
        found.append({"from": "stock", "side": None, "cards": _names(left.stock)})
    return found


def _declarations(told: _Told) -> list[Record]:
    """Declarations with all their cards, seat by seat in the order in which they spoke; a seat's
    are told in the same order when settled. What it might have declared and did not comes last."""
    outcomes: dict[Seat, list[str | None]] = {}
    for seen in told.seen:
        outcomes.setdefault(seen.seat, []).append(seen.outcome)
    found = []
    for seat in told.answered:
        own = [each for each in told.declared if each.seat == seat]
        for each in own:
            left = outcomes.get(seat)
            found.append(_declaration(each, left.pop(0) if left else None))
        found += [_declaration(each, "withheld") for each in _withheld(told, seat, own)]
    return found


def _declaration(own: Declaration, outcome: str | None) -> Record:
    return {
        "seat": int(own.seat),
        "kind": own.kind,
        "cards": _names(own.cards),
        "points": own.points,
        "outcome": outcome,
    }


def _withheld(told: _Told, seat: Seat, own: list[Declaration]) -> list[Declaration]:
    rest = told.rest
    if told.rules.declare != "player" or rest is None:
        return []
    up = told.dealt.up[seat] if told.dealt.up else ()
    mask = mask_of((*(rest.cards[seat] or ()), *up))
    return [d for d in held(told.rules, rest.contract.trump, seat, mask) if d not in own]


def _tricks(told: _Told, legal_cards: list[list[str]] | None) -> list[Record]:
    players, tricks = told.rules.players, []
    for start in range(0, len(told.played), players):
        cards = told.played[start : start + players]
        number = start // players
        trick: Record = {
            "leader": int(cards[0].seat),
            "cards": _names(each.card for each in cards),
            "winner": int(told.winners[number]) if number < len(told.winners) else None,
        }
        if legal_cards is not None:
            trick["legal"] = legal_cards[start : start + players]
        tricks.append(trick)
    return tricks


def _legal_cards(rules: RuleSet, match: str, events: Sequence[GameEvent]) -> list[list[str]]:
    """For each card of the deal, what its seat might have played."""
    state, found = new_match(rules, match, Seat(0), "", ""), []
    for event in events:
        if isinstance(event, CardPlayed):
            found.append(_names(legal(state, event.seat).cards))
        state = evolve(state, event)
    return found


def score_record(score: Score) -> Record:
    """A score sheet as the record has it."""
    return {
        "cards": list(score.cards),
        "last_ten": None if score.last_ten is None else int(score.last_ten),
        "tricks": list(score.tricks),
        "declarations": list(score.declarations),
        "belote": list(score.belote),
        "outcome": score.outcome,
        "capot": None if score.capot is None else int(score.capot),
        "rounded": None if score.rounded is None else list(score.rounded),
        "awarded": list(score.awarded),
        "carried_in": score.carried_in,
        "hung": score.hung,
        "totals": list(score.totals),
    }
