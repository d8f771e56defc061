"""How well the novice plays, over fixed seeds: enough to be worth a seat at a table."""

from collections import Counter
from dataclasses import dataclass, field
from random import Random

import pytest

from app.belote.cards import Seat, side_of
from app.belote.events import BidMade, DealScored, Doubled, PassedOut
from app.belote.presets import PRESETS
from app.history.simulate import Chooser, at_random, chooser, first_legal, play_match

pytestmark = pytest.mark.slow  # thousands of deals

MATCHES = 200
FEW = 20
"""For the other games, in which a match is longer."""
NOVICE = chooser("novice")


@dataclass
class Tally:
    """What happened in some matches: ``won`` by the pair in question."""

    won: int = 0
    doubles: int = 0
    calls: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)

    @property
    def taken(self) -> float:
        """The share of deals that somebody took."""
        deals = self.calls.total()
        return (deals - self.calls["passed out"]) / deals


def matches(pair: Chooser, others: Chooser, count: int = MATCHES) -> Tally:
    """Matches of one pair against another, which change sides each time."""
    tally = Tally()
    for seed in range(count):
        side = seed % 2
        players = (pair, others) * 2 if side == 0 else (others, pair) * 2
        for batch in play_match(
            PRESETS["classic"], f"strength-{seed}", Seat(seed % 4), players, Random(seed)
        ):
            last = batch
            for event in batch.events:
                _count(tally, event)
        result = last.after.result
        assert result is not None
        tally.won += result.winner == side
    return tally


def _count(tally: Tally, event: object) -> None:
    match event:
        case BidMade(call=call):
            tally.calls[call] += 1
        case PassedOut():
            tally.calls["passed out"] += 1
        case DealScored(contract=contract, score=score):
            assert side_of(contract.taker, 4) in (0, 1)
            tally.outcomes[score.outcome] += 1


@pytest.mark.parametrize("others", [at_random, first_legal], ids=["random", "first legal"])
def test_the_novice_beats_who_does_not_think(others: Chooser) -> None:
    assert matches(NOVICE, others).won >= 0.9 * MATCHES


def test_novices_take_as_people_do() -> None:
    tally = matches(NOVICE, NOVICE)
    assert 0.6 <= tally.taken <= 0.95
    assert tally.calls["take"] > tally.calls["name"] > 0.1 * tally.calls.total()
    failed = tally.outcomes["failed"] / tally.outcomes.total()
    assert 0.1 <= failed <= 0.35, "neither timid nor wild"
    assert 0.4 * MATCHES <= tally.won <= 0.6 * MATCHES, "no side has an edge"


def played(preset: str, others: Chooser, count: int, deals: int = 0) -> Tally:
    """Matches of any game: a pair, or at smaller tables one seat, against the rest; more than
    ``count`` if so many ``deals`` were not yet scored."""
    rules, tally, seed = PRESETS[preset], Tally(), -1
    while seed + 1 < count or tally.outcomes.total() < deals:
        seed += 1
        mine = seed % rules.sides
        seats = range(rules.players)
        players = tuple(NOVICE if side_of(Seat(s), len(seats)) == mine else others for s in seats)
        match = play_match(rules, f"of-{seed}", Seat(seed % len(seats)), players, Random(seed))
        for batch in match:
            last = batch
            for event in batch.events:
                if isinstance(event, Doubled):
                    tally.doubles += 1
                elif isinstance(event, DealScored):
                    tally.outcomes[event.score.outcome] += 1
                elif isinstance(event, PassedOut):
                    tally.calls["passed out"] += 1
        result = last.after.result
        assert result is not None
        tally.won += result.winner == mine
    return tally


@pytest.mark.slow
@pytest.mark.parametrize("preset", [name for name in PRESETS if name != "classic"])
def test_the_novice_is_worth_its_seat_in_every_game(preset: str) -> None:
    others = played(preset, at_random, FEW)
    assert others.won >= (0.65 if PRESETS[preset].players == 3 else 0.8) * FEW
    alone = played(preset, NOVICE, 1, deals=120)
    played_out = alone.outcomes.total() / (alone.outcomes.total() + alone.calls["passed out"])
    assert played_out >= 0.5, "somebody bids"
    failed = alone.outcomes["failed"] / alone.outcomes.total()
    assert 0.05 <= failed <= 0.5, "neither timid nor wild"


def test_the_novice_doubles_what_it_can_beat() -> None:
    wild = played("coinche", at_random, FEW)
    calm = played("coinche", NOVICE, 1, deals=120)
    assert wild.doubles / wild.outcomes.total() > calm.doubles / calm.outcomes.total()
