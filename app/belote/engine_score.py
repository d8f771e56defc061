"""The end of a deal and of a match: figures for the score sheet, the result, the bytes."""

from app.belote import scoring
from app.belote.cards import Seat, Side, side_of
from app.belote.commands import End
from app.belote.deal import next_seat
from app.belote.declarations import BELOTE_POINTS, RUN_OF_EIGHT, points_by_side, seen
from app.belote.events import (
    Contract,
    DealScored,
    GameEvent,
    MatchEnded,
    RevealedSecret,
    Score,
    SeenDeclaration,
)
from app.belote.ranking import LAST_TEN
from app.belote.state import State, evolve


def end_deal(state: State, last_winner: Seat) -> tuple[GameEvent, ...]:
    """The score of a deal that was played to its end, and perhaps the match's."""
    rules, contract = state.rules, state.contract
    assert contract is not None  # a deal that was played
    score = scoring.score(rules, _figures(state, contract, last_winner), state.totals)
    shown = scoring.final_outcomes(rules, state.declarations, contract, score)
    # In a cut game the bytes would betray the next pack: they wait for the match's end.
    scored = _scored(state, shown, score, state.secret if rules.handling == "shuffle" else None)
    winner = scoring.winner(rules, contract, score)
    if winner is None:
        return (scored,)
    return scored, match_ended(evolve(state, scored), End("target", winner))


def end_with_run(state: State, seat: Seat) -> tuple[GameEvent, ...]:
    """A run of eight wins the match as soon as it is declared. Its cards alone are shown; what the
    others hold is told with the match's end, as of any deal that was not played."""
    score = scoring.run_score(state.rules, state.totals, state.hanging)
    shown: list[SeenDeclaration] = []
    for each in state.declared:
        wins = each.seat == seat and len(each.cards) == RUN_OF_EIGHT
        shown.append(seen(each, "scored" if wins else "void"))
    scored = _scored(state, tuple(shown), score, None)
    side = side_of(seat, state.rules.players)
    return scored, match_ended(evolve(state, scored), End("target", side))


def _scored(
    state: State, shown: tuple[SeenDeclaration, ...], score: Score, secret: str | None
) -> DealScored:
    assert state.contract is not None
    return DealScored(
        deal=state.deal,
        dealer=state.dealer,
        contract=state.contract,
        declarations=shown,
        belote=state.belote,
        score=score,
        next_dealer=next_seat(state.dealer, state.rules.players),
        secret=secret,
    )


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


def match_ended(state: State, command: End) -> MatchEnded:
    """The result, with the bytes that could not be told before."""
    secrets = state.unrevealed
    if state.phase in ("auction", "declaring", "play"):
        secrets = (*secrets, RevealedSecret(state.deal, state.secret))
    winner = None if command.winner is None else Side(command.winner)
    return MatchEnded(winner, command.reason, state.totals, len(state.deals), secrets)
