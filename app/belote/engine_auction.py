"""From the deal to the contract: what a deal and a call bring about (docs/rules.md §3)."""

from collections.abc import Sequence

from app.belote import bidding, standing
from app.belote.bidding_turn_up import trump_of
from app.belote.cards import PACK_24, PACK_32, Seat
from app.belote.commands import Annul, Bid, CallCommand, Deal, Double, Name, Pass, Redouble, Take
from app.belote.deal import Dealt, first_packets, next_seat, rest
from app.belote.engine_play import before_the_lead, first_leader
from app.belote.events import (
    BidMade,
    Cards,
    DealAnnulled,
    Doubled,
    GameEvent,
    HandDealt,
    Passed,
    PassedOut,
    Redoubled,
    RestDealt,
    ThirdDoubled,
)
from app.belote.gather import cut, cutter, gathered
from app.belote.legal import Legal
from app.belote.ranking import cards_of
from app.belote.refusing import RuleError, require
from app.belote.rules import RuleSet
from app.belote.shuffle import commit_of, shuffled, words_of
from app.belote.state import State, evolve


def pack_cards(rules: RuleSet) -> Cards:
    """The cards of a game's pack, in the order from which it is shuffled."""
    return PACK_32 if rules.pack == 32 else PACK_24


def next_deal(
    state: State, next_secret: str, contributions: Sequence[bytes | None] | None = None
) -> Deal:
    """The command that deals the pack of the committed bytes: shuffled, or gathered and cut.
    ``next_secret`` (hex) are the bytes of the deal after it."""
    rules = state.rules
    given = contributions or (None,) * rules.players
    words = words_of(bytes.fromhex(state.next_secret), given, state.match, state.deal + 1)
    commit = commit_of(next_secret)
    if rules.handling == "shuffle":
        return Deal(shuffled(pack_cards(rules), words), next_secret, commit)
    left = state.left
    whole = shuffled(pack_cards(rules), words) if left is None else gathered(left, words)
    pack, lifted = cut(whole, words)
    return Deal(pack, next_secret, commit, lifted)


def deal(state: State, command: Deal) -> tuple[GameEvent, ...]:
    """The packets before the auction."""
    require(state.phase in ("dealing", "scored", "passed_out"), "wrong_phase")
    rules, dealer = state.rules, state.next_dealer
    if sorted(command.pack) != list(pack_cards(rules)):
        raise ValueError("not a pack of this game")
    dealt = first_packets(rules, command.pack, dealer)
    is_cut = rules.handling == "cut"
    event = HandDealt(
        deal=state.deal + 1,
        dealer=dealer,
        counts=tuple(len(hand) for hand in dealt.hands),
        turned=dealt.turned,
        commit=state.next_commit,
        next_commit=command.next_commit,
        cards=dealt.hands,
        up=dealt.up,
        down=tuple(len(cards) for cards in dealt.under),
        cutter=cutter(rules.players, dealer, state.deal == 0) if is_cut else None,
        under=dealt.under,
        stock=dealt.stock,
        before=state.left if is_cut else None,
        cut=command.cut,
        secret=state.next_secret,
        next_secret=command.next_secret,
    )
    return (event,)


def call(state: State, command: CallCommand) -> tuple[GameEvent, ...]:
    """A call, and what it brings: the contract, or a deal that nobody wants."""
    require(state.phase == "auction", "wrong_phase")
    seat = command.seat
    if bidding.kind_of(command) not in bidding.out_of_turn(state, seat):
        require(state.turn == seat, "not_your_turn", seat=state.turn)
        options = bidding.options(state, seat)
        code = bidding.why_not(state, command, options)
        if code is not None:
            raise RuleError(code, _facts(options))
    event = _called(state, command)
    if isinstance(event, DealAnnulled):
        return (event,)
    after = evolve(state, event)
    if bidding.over(after):
        return (event, *_rest(after))
    if standing.passed_out(after):
        return event, PassedOut(state.deal, bidding.next_dealer(state.rules, state.dealer))
    return (event,)


def _facts(options: Legal) -> dict[str, object]:
    """What would be open."""
    facts: dict[str, object] = {"calls": list(options.calls)}
    if options.trumps:
        facts["trumps"] = [trump.value for trump in options.trumps]
    if options.values:
        facts["values"] = list(options.values)
    return facts


def _called(state: State, command: CallCommand) -> GameEvent:
    rules, seat = state.rules, command.seat
    match command:
        case Pass():
            return Passed(seat, state.round, _under(state, seat))
        case Take():
            assert state.turned is not None  # a turn-up auction
            return BidMade(seat, "take", trump_of(state.turned))
        case Name():
            return BidMade(seat, "name", command.trump, None, _under(state))
        case Bid():
            return BidMade(seat, "bid", command.trump, command.value)
        case Double():
            return Doubled(seat, rules.double.factor if rules.double else 1)
        case Redouble():
            return Redoubled(seat, rules.redouble.factor if rules.redouble else 1)
        case Annul():
            return DealAnnulled(state.deal, seat, next_seat(state.dealer, rules.players))
        case _:
            return ThirdDoubled(seat)


def _under(state: State, only: Seat | None = None) -> tuple[Cards | None, ...]:
    """The cards that lie face down, for their owners: of all who have not seen theirs, or of one
    seat alone. Nothing where none do (all games but bela)."""
    if state.rules.auction != "call":
        return ()
    cards = [tuple(c for c in places if c is not None) for places in state.under]
    return tuple(mine if mine and only in (None, seat) else None for seat, mine in enumerate(cards))


def _rest(state: State) -> tuple[GameEvent, ...]:
    """The packets after the auction, and the play that begins."""
    rules, contract = state.rules, state.standing
    assert contract is not None  # the auction is over
    if rules.auction == "call":  # everybody has picked up what lay face down
        hands = tuple(cards_of(hand) for hand in state.hands)
    else:
        dealt = Dealt(state.dealt, state.turned, state.stock)
        hands = rest(rules, dealt, state.dealer, contract.taker).hands
    counts = tuple(len(hand) for hand in hands)
    event = RestDealt(contract, first_leader(state), counts, hands)
    return (event, *before_the_lead(evolve(state, event)))
