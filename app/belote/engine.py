"""The referee: what is open to whom, what a command brings about, and what a silent seat plays.

``decide`` makes events or raises ``RuleError``; ``evolve`` (from ``state``) folds them. Both are
functions of their arguments alone (D1). A batch that opens another turn ends with the event that
opened it.
"""

from collections.abc import Mapping
from typing import Literal, NoReturn, assert_never

from app.belote import bidding, scoring
from app.belote.cards import Card, Seat, Side, Trump, name_of, side_of, suit_of
from app.belote.commands import Command, Continue, Deal, End, Name, Pass, Play, Take
from app.belote.deal import Dealt, first_packets, next_seat, rest
from app.belote.declarations import BELOTE_POINTS, belote_call, held, points_by_side, settled
from app.belote.events import (
    BidMade,
    CallKind,
    CardPlayed,
    Cards,
    Continued,
    Contract,
    DealScored,
    DeclarationsSettled,
    Declared,
    GameEvent,
    HandDealt,
    MatchEnded,
    Passed,
    PassedOut,
    RestDealt,
    RevealedSecret,
    TrickTaken,
)
from app.belote.legal import Legal, Turn
from app.belote.play import Refusal, legal_mask, refusals
from app.belote.ranking import LAST_TEN, STRENGTH, best_of, card_points, cards_of
from app.belote.state import State, evolve, new_match

__all__ = [
    "Legal",
    "Refusal",
    "RuleError",
    "State",
    "Turn",
    "decide",
    "evolve",
    "legal",
    "new_match",
    "sensible",
    "turn_of",
]


class RuleError(Exception):
    """A command that the rules refuse; it changes nothing. ``code`` is stable: ``not_your_turn``,
    ``wrong_phase``, ``call_not_open``, ``trump_not_open``, ``not_your_card``,
    ``already_continued`` or one of ``play.RefusalCode``. ``facts`` are for a sentence: names of
    suits and cards, and what would be open."""

    def __init__(self, code: str, facts: Mapping[str, object] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.facts: Mapping[str, object] = facts or {}


_NOTHING = Legal()


def turn_of(state: State) -> Turn | None:
    """The open turn; None between deals and after the end."""
    if state.turn is None:
        return None
    return Turn(state.turn, "play" if state.phase == "play" else "call")


def legal(state: State, seat: Seat) -> Legal:
    """Everything that is open to a seat, and why its other cards are not."""
    if state.turn != seat:
        return _NOTHING
    if state.phase == "auction":
        assert state.turned is not None  # a turn-up auction
        return Legal(
            bidding.open_calls(state.round),
            bidding.open_trumps(state.rules, state.round, state.turned),
        )
    rules, hand = state.rules, state.hands[seat]
    trump, trick = _on_the_table(state)
    mask = legal_mask(rules, trump, hand, trick)
    if mask == hand:
        return Legal(cards=cards_of(mask))
    return Legal(cards=cards_of(mask), why=refusals(rules, trump, hand, trick, mask))


def decide(state: State, command: Command) -> tuple[GameEvent, ...]:
    """The events of a command, one batch; raises ``RuleError``, and then nothing has changed."""
    match command:
        case Play():
            return _play(state, command)
        case Pass():
            return _pass(state, command)
        case Take() | Name():
            return _bid(state, command)
        case Deal():
            return _deal(state, command)
        case Continue():
            return _continue(state, command)
        case End():
            _require(state.phase != "ended", "wrong_phase")
            return (_match_ended(state, command),)
        case _:
            assert_never(command)


def sensible(state: State, seat: Seat) -> Command:
    """What the server does for a seat whose time is up (D10): it passes, or plays the cheapest
    card that is open. It looks only at what the seat itself sees. The seat must be to act."""
    options = legal(state, seat)
    if "pass" in options.calls:
        return Pass(seat)
    trump, _ = _on_the_table(state)
    points = card_points(state.rules, trump)

    def cost(card: Card) -> tuple[bool, int, int, int]:
        suit = suit_of(card)
        return suit == trump.suit, points[card], STRENGTH[trump][suit][card], card

    return Play(seat, min(options.cards, key=cost))


def _on_the_table(state: State) -> tuple[Trump, Cards]:
    assert state.contract is not None  # cards are played under a contract
    assert state.trick is not None
    return state.contract.trump, state.trick.cards


def _require(met: bool, code: str, **facts: object) -> None:
    if not met:
        raise RuleError(code, facts)


def _require_turn(state: State, seat: Seat, phase: Literal["auction", "play"]) -> None:
    _require(state.phase == phase, "wrong_phase")
    _require(state.turn == seat, "not_your_turn")


def _deal(state: State, command: Deal) -> tuple[GameEvent, ...]:
    _require(state.phase in ("dealing", "scored", "passed_out"), "wrong_phase")
    if len(set(command.pack)) != state.rules.pack or len(command.pack) != state.rules.pack:
        raise ValueError("not a pack of this game")
    dealt = first_packets(state.rules, command.pack, state.next_dealer)
    event = HandDealt(
        deal=state.deal + 1,
        dealer=state.next_dealer,
        counts=tuple(len(hand) for hand in dealt.hands),
        turned=dealt.turned,
        commit=state.next_commit,
        next_commit=command.next_commit,
        cards=dealt.hands,
        stock=dealt.stock,
        secret=state.next_secret,
        next_secret=command.next_secret,
    )
    return (event,)


def _pass(state: State, command: Pass) -> tuple[GameEvent, ...]:
    seat = command.seat
    _require_turn(state, seat, "auction")
    passed = Passed(seat, state.round)
    if not bidding.is_last_pass(state.round, seat, state.dealer):
        return (passed,)
    return passed, PassedOut(state.deal, bidding.next_dealer(state.rules, state.dealer))


def _bid(state: State, command: Take | Name) -> tuple[GameEvent, ...]:
    seat = command.seat
    _require_turn(state, seat, "auction")
    assert state.turned is not None  # a turn-up auction
    call: CallKind = "take" if isinstance(command, Take) else "name"
    calls = bidding.open_calls(state.round)
    _require(call in calls, "call_not_open", calls=list(calls))
    trump = bidding.trump_of(state.turned)
    if isinstance(command, Name):
        trumps = bidding.open_trumps(state.rules, state.round, state.turned)
        trump = command.trump
        _require(trump in trumps, "trump_not_open", trumps=[t.value for t in trumps])
    dealt = rest(state.rules, Dealt(state.dealt, state.turned, state.stock), state.dealer, seat)
    leader = state.dealer
    if state.rules.lead == "eldest":
        leader = next_seat(state.dealer, state.rules.players)
    counts = tuple(len(hand) for hand in dealt.hands)
    return (
        BidMade(seat, call, trump),
        RestDealt(Contract(seat, trump), leader, counts, dealt.hands),
    )


def _play(state: State, command: Play) -> tuple[GameEvent, ...]:
    seat, card = command.seat, command.card
    _require_turn(state, seat, "play")
    hand = state.hands[seat]
    _require(hand >> card & 1 == 1, "not_your_card")
    trump, trick = _on_the_table(state)
    if not legal_mask(state.rules, trump, hand, trick) >> card & 1:
        _refuse(state, seat, card)
    said = sum(b.seat == seat and b.suit == card >> 3 for b in state.belote)
    played = CardPlayed(seat, card, belote_call(state.rules, trump, hand, said, card, trick))
    events: tuple[GameEvent, ...] = (*_declare(state, seat), played)
    if len(trick) + 1 < state.rules.players:
        return events
    for event in events:
        state = evolve(state, event)
    return events + _complete_trick(state)


def _refuse(state: State, seat: Seat, card: Card) -> NoReturn:
    options = legal(state, seat)
    why = dict(options.why)[card]
    facts = {
        "suit": None if why.suit is None else "SHDC"[why.suit],
        "beat": None if why.beat is None else name_of(why.beat),
        "legal": [name_of(card) for card in options.cards],
    }
    raise RuleError(why.code, facts)


def _declare(state: State, seat: Seat) -> tuple[GameEvent, ...]:
    """The seat's declarations, with its first card and before it."""
    if state.rules.declare == "none" or any(state.won):
        return ()
    found = held(state.rules, _on_the_table(state)[0], seat, state.hands[seat])
    if not found:
        return ()
    private = tuple(found if s == seat else None for s in range(state.rules.players))
    return (Declared(seat, tuple(d.kind for d in found), private),)


def _complete_trick(state: State) -> tuple[GameEvent, ...]:
    """What follows the last card of a trick that lies on the table."""
    rules = state.rules
    trump, cards = _on_the_table(state)
    assert state.trick is not None
    last = not any(state.hands)
    points = sum(card_points(rules, trump)[card] for card in cards) + LAST_TEN * last
    winner = Seat((state.trick.leader + best_of(cards, trump)) % rules.players)
    number = sum(state.won) + 1
    taken = TrickTaken(number, winner, points)
    settle = last if rules.declarations_shown == "after_last_trick" else number == 1
    events: tuple[GameEvent, ...] = (taken,)
    if settle and state.declared:
        first = next_seat(state.dealer, rules.players) if rules.lead == "eldest" else state.dealer
        shown = settled(rules, trump, first, state.declared)
        events = (taken, DeclarationsSettled(shown))
    if not last:
        return events
    for event in events:
        state = evolve(state, event)
    return events + _end_deal(state, winner)


def _end_deal(state: State, last_winner: Seat) -> tuple[GameEvent, ...]:
    rules, contract = state.rules, state.contract
    assert contract is not None  # a deal that was played
    score = scoring.score(rules, _figures(state, contract, last_winner), state.totals)
    scored = DealScored(
        deal=state.deal,
        dealer=state.dealer,
        contract=contract,
        declarations=scoring.final_outcomes(rules, state.declarations, contract, score),
        belote=state.belote,
        score=score,
        next_dealer=next_seat(state.dealer, rules.players),
        # In a cut game the bytes would betray the next pack: they wait for the match's end.
        secret=state.secret if rules.handling == "shuffle" else None,
    )
    winner = scoring.winner(rules, contract, score)
    if winner is None:
        return (scored,)
    return scored, _match_ended(evolve(state, scored), End("target", winner))


def _figures(state: State, contract: Contract, last_winner: Seat) -> scoring.Figures:
    rules = state.rules
    last_ten = side_of(last_winner, rules.players)
    cards, tricks, belote = list(state.points), [0] * rules.sides, [0] * rules.sides
    cards[last_ten] -= LAST_TEN
    for seat, won in enumerate(state.won):
        tricks[side_of(Seat(seat), rules.players)] += won
    for said in state.belote:
        belote[side_of(said.seat, rules.players)] += BELOTE_POINTS
    alone = [Seat(seat) for seat, won in enumerate(state.won) if won]
    return scoring.Figures(
        contract=contract,
        cards=tuple(cards),
        last_ten=last_ten,
        tricks=tuple(tricks),
        solo=alone[0] if len(alone) == 1 else None,
        declarations=points_by_side(rules, state.declarations),
        belote=tuple(belote),
        carried_in=state.hanging,
    )


def _continue(state: State, command: Continue) -> tuple[GameEvent, ...]:
    _require(state.phase in ("scored", "passed_out"), "wrong_phase")
    _require(command.seat not in state.continued, "already_continued")
    return (Continued(command.seat),)


def _match_ended(state: State, command: End) -> MatchEnded:
    """The result, with the bytes that could not be told before."""
    secrets = state.unrevealed
    if state.phase in ("auction", "play"):
        secrets = (*secrets, RevealedSecret(state.deal, state.secret))
    winner = None if command.winner is None else Side(command.winner)
    return MatchEnded(winner, command.reason, state.totals, len(state.deals), secrets)
