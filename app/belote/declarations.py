"""Declarations and belote (docs/rules.md §1): what a hand holds, and whose count.

A tierce is three cards in sequence, a quarte four, a quinte five or more (its five highest); a
carré is four of a kind. Sequences go 7 8 9 10 J Q K A in every contract.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from app.belote.cards import (
    ACE,
    JACK,
    KING,
    NINE,
    QUEEN,
    TEN,
    Card,
    Seat,
    Trump,
    rank_of,
    side_of,
    suit_of,
)
from app.belote.events import (
    BeloteCall,
    Cards,
    Declaration,
    DeclarationKind,
    DeclarationOutcome,
    SeenDeclaration,
)
from app.belote.ranking import SUIT_MASKS, Mask, cards_of, mask_of
from app.belote.rules import RuleSet

CARRE_POINTS: Mapping[int, int] = {JACK: 200, NINE: 150, ACE: 100, TEN: 100, KING: 100, QUEEN: 100}
"""Four sevens and four eights are nothing."""
RUN_KINDS: Mapping[int, DeclarationKind] = {3: "tierce", 4: "quarte", 5: "quinte"}
RUN_POINTS: Mapping[DeclarationKind, int] = {"tierce": 20, "quarte": 50, "quinte": 100}
BELOTE_POINTS = 20
RUN_OF_EIGHT = 8
_NO_TRUMP_ACES: Mapping[int, int] = {ACE: 200}
_CARRE_STRENGTH = (ACE, TEN, KING, QUEEN, JACK, NINE)
"""Which of equal points is the stronger: aces may be worth as much as jacks at no trumps."""
_CARRE_MASKS: Mapping[int, Mask] = {
    rank: sum(1 << (suit * 8 + rank) for suit in range(4)) for rank in _CARRE_STRENGTH
}


def held(rules: RuleSet, trump: Trump, seat: Seat, hand: Mask) -> tuple[Declaration, ...]:
    """All that a hand may declare, strongest first (D4: for its owner and the server alone)."""
    carre_points = _carre_points(rules, trump)
    carres = [rank for rank in carre_points if hand & _CARRE_MASKS[rank] == _CARRE_MASKS[rank]]
    runs = rules if trump is not Trump.NO_TRUMPS or rules.nt_declarations == "all" else None
    if rules.cards_shared:
        return _sorted(_carres(seat, carres, carre_points) + _runs(runs, seat, hand))
    best: tuple[Declaration, ...] = ()
    # A carré takes its cards first only if that is worth more in all: fewer carrés are tried first.
    for count in range(len(carres) + 1):
        for chosen in combinations(carres, count):
            left = hand
            for rank in chosen:
                left &= ~_CARRE_MASKS[rank]
            found = _carres(seat, chosen, carre_points) + _runs(runs, seat, left)
            if _worth(found) > _worth(best):
                best = found
    return _sorted(best)


def _carre_points(rules: RuleSet, trump: Trump) -> Mapping[int, int]:
    """What four of a rank are worth under this contract, strongest first."""
    if rules.declare == "none":
        return {}
    if trump is not Trump.NO_TRUMPS:
        return CARRE_POINTS
    aces = _NO_TRUMP_ACES if rules.nt_four_aces else {}
    return aces if rules.nt_declarations == "none" else {**CARRE_POINTS, **aces}


def _carres(seat: Seat, ranks: Iterable[int], points: Mapping[int, int]) -> tuple[Declaration, ...]:
    return tuple(
        Declaration(seat, "carre", cards_of(_CARRE_MASKS[rank]), points[rank]) for rank in ranks
    )


def _runs(rules: RuleSet | None, seat: Seat, hand: Mask) -> tuple[Declaration, ...]:
    """The sequences of a hand, none without rules for them; a run is one declaration and never cut
    in two, save that a run of eight may count as quinte and tierce."""
    found: list[Declaration] = []
    if rules is None or rules.declare == "none":
        return ()
    for suit_mask in SUIT_MASKS:
        for run in _unbroken(cards_of(hand & suit_mask)):
            found += _of_run(rules, seat, run)
    return tuple(found)


def _of_run(rules: RuleSet, seat: Seat, run: Cards) -> tuple[Declaration, ...]:
    """What a run of three cards or more is declared as."""
    if len(run) == RUN_OF_EIGHT and rules.run_of_eight == "wins_match":
        return (Declaration(seat, "quinte", run, RUN_POINTS["quinte"]),)
    if len(run) == RUN_OF_EIGHT and rules.run_of_eight == "quinte_and_tierce":
        return _run(seat, run[-5:]), _run(seat, run[:3])
    return (_run(seat, run[-5:]),)


def run_of_eight(rules: RuleSet, declared: Iterable[Declaration]) -> Seat | None:
    """The seat that wins the match by a run of eight it has declared; such a quinte carries all
    eight cards, so that everybody sees why the match is over."""
    if rules.run_of_eight != "wins_match":
        return None
    return next((d.seat for d in declared if len(d.cards) == RUN_OF_EIGHT), None)


def picked(
    found: Sequence[Declaration], asked: Sequence[Iterable[Card]] | None
) -> tuple[Declaration, ...] | None:
    """Those of a hand's declarations that its owner makes (``declare`` player): all if nothing was
    ``asked``, else exactly those cards. None if something asked is not among them, or is twice."""
    if asked is None:
        return tuple(found)
    wanted = [mask_of(cards) for cards in asked]
    chosen = tuple(d for d in found if mask_of(d.cards) in wanted)
    return chosen if len(chosen) == len(wanted) else None


def _unbroken(cards: Cards) -> list[Cards]:
    """Runs of three cards or more among the cards of one suit, low to high."""
    runs: list[list[Card]] = []
    for card in cards:
        if runs and card == runs[-1][-1] + 1:
            runs[-1].append(card)
        else:
            runs.append([card])
    return [tuple(run) for run in runs if len(run) >= 3]


def _run(seat: Seat, cards: Cards) -> Declaration:
    kind = RUN_KINDS[len(cards)]
    return Declaration(seat, kind, cards, RUN_POINTS[kind])


def _worth(declarations: Iterable[Declaration]) -> int:
    """What they score; a run that wins the match is worth more than any points."""
    return sum(1000 if len(d.cards) == RUN_OF_EIGHT else d.points for d in declarations)


def _strength(declaration: Declaration) -> tuple[int, int, int]:
    """Any carré beats any sequence; among carrés more points, then A 10 K Q; among sequences the
    longer, then the higher top card."""
    top = rank_of(declaration.cards[-1])
    if declaration.kind == "carre":
        return 1, declaration.points, -_CARRE_STRENGTH.index(top)
    return 0, declaration.points, top


def _sorted(declarations: Iterable[Declaration]) -> tuple[Declaration, ...]:
    return tuple(sorted(declarations, key=_strength, reverse=True))


def winning_side(
    rules: RuleSet, trump: Trump, leader: Seat, declared: Sequence[Declaration]
) -> int | None:
    """The side that scores its declarations; None when nothing was declared or the best are equal
    and void. ``declared`` is one pool."""
    if not declared:
        return None
    best = max(_strength(declaration) for declaration in declared)
    tied = [declaration for declaration in declared if _strength(declaration) == best]
    if rules.declaration_tie == "trump_then_first":
        tied = [d for d in tied if suit_of(d.cards[0]) == trump.suit and best[0] == 0] or tied
    sides = {side_of(declaration.seat, rules.players) for declaration in tied}
    if rules.declaration_tie == "void" and len(sides) > 1:
        return None
    first = min(tied, key=lambda declaration: (declaration.seat - leader) % rules.players)
    return side_of(first.seat, rules.players)


def _pools(rules: RuleSet, declared: Sequence[Declaration]) -> list[list[Declaration]]:
    """Carrés and sequences are settled together, or each for themselves."""
    if rules.declaration_pools == "one":
        return [list(declared)]
    carres = [d for d in declared if d.kind == "carre"]
    return [carres, [d for d in declared if d.kind != "carre"]]


def settled(
    rules: RuleSet, trump: Trump, leader: Seat, declared: Sequence[Declaration]
) -> tuple[SeenDeclaration, ...]:
    """All declarations in order of play from ``leader``, with their outcome (scored, beaten or
    void), and cards and points for those that count alone: beaten ones are never shown."""
    outcomes: dict[Declaration, DeclarationOutcome] = {}
    for pool in _pools(rules, declared):
        winner = winning_side(rules, trump, leader, pool)
        for declaration in pool:
            mine = side_of(declaration.seat, rules.players) == winner
            outcomes[declaration] = "scored" if mine else "void" if winner is None else "beaten"
    in_order = sorted(declared, key=lambda declaration: (declaration.seat - leader) % rules.players)
    return tuple(seen(declaration, outcomes[declaration]) for declaration in in_order)


def seen(declaration: Declaration, outcome: DeclarationOutcome) -> SeenDeclaration:
    """A settled declaration as everybody knows it."""
    shown = outcome == "scored"
    return SeenDeclaration(
        declaration.seat,
        declaration.kind,
        declaration.cards if shown else None,
        declaration.points if shown else None,
        outcome,
    )


def points_by_side(rules: RuleSet, declarations: Iterable[SeenDeclaration]) -> tuple[int, ...]:
    """What each side's declarations that count are worth, before failure moves them."""
    points = [0] * rules.sides
    for declaration in declarations:
        if declaration.outcome == "scored":
            points[side_of(declaration.seat, rules.players)] += declaration.points or 0
    return tuple(points)


def belote_call(
    rules: RuleSet, trump: Trump, hand: Mask, said: int, card: Card, trick: Cards
) -> BeloteCall | None:
    """What may be said with ``card``, still in ``hand``, when ``trick`` lies on the table: belote
    with the first of king and queen of trumps when both are held, rebelote with the second.
    ``said`` is 0 or 1 for this suit and seat. Nobody but the holder knows of it before (D4)."""
    if rules.belote == "none" or rank_of(card) not in (QUEEN, KING):
        return None
    suit = suit_of(card)
    if trump is not Trump.ALL_TRUMPS and trump.suit != suit:
        return None
    if said:
        return "rebelote"
    pair = mask_of((Card(suit * 8 + QUEEN), Card(suit * 8 + KING)))
    return "belote" if hand & pair == pair and _in_time(rules, trump, card, trick) else None


def _in_time(rules: RuleSet, trump: Trump, card: Card, trick: Cards) -> bool:
    """Whether belote counts with this card (``belote_when``): led, as a ruff, or on the suit that
    the partner led. Once missed it is lost: the other card is then alone in the hand."""
    if rules.belote_when == "any" or not trick:
        return True
    if suit_of(trick[0]) != suit_of(card):
        return trump is not Trump.ALL_TRUMPS  # at all trumps a discard is no ruff
    return rules.players == 4 and len(trick) == 2
