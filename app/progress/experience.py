"""Experience, as arithmetic alone (rules.md §7): what a match gives, and what a level needs.

Pure: no rows, no clock. A match's events are folded into a ``Tally``, the tally and how each
player's match ended give the lines. Which seats people held and who left is the table's knowledge.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import isqrt
from typing import Literal, TypeVar

from app.belote.cards import Seat, Side, side_of, sides
from app.belote.events import CardPlayed, DealScored, Event, MatchEnded, TrickTaken

T = TypeVar("T")
Reason = Literal["played", "won", "deals", "tricks"]
How = Literal["human", "timeout", "bot", "system"]

POINTS: dict[Reason, int] = {"played": 15, "won": 25, "deals": 2, "tricks": 1}
BOT_MATCHES_A_DAY = 300
"""Points a day (UTC) that matches against bots alone may give."""
LEVEL_STEP = 25
"""Level n needs ``25 · n · (n + 1)`` points in all."""


@dataclass(frozen=True, slots=True)
class XpLine:
    """One line of the account: the reason, how often it applied, the points given for it."""

    reason: Reason
    count: int
    points: int


@dataclass(frozen=True, slots=True)
class Tally:
    """What counts for experience in a match so far. ``deals_won`` has one entry a side,
    ``own_tricks`` one a seat; ``by_bot`` tells who played the cards of the trick on the table."""

    players: int
    deals_won: tuple[int, ...]
    own_tricks: tuple[int, ...]
    by_bot: tuple[bool, ...]
    open_win: bool = False
    """A deal that wins the match by itself (outcome "match") waits for ``match_ended``."""

    def deals_of(self, seat: Seat) -> int:
        """The deals that the seat's side has won."""
        return self.deals_won[side_of(seat, self.players)]


def new_tally(players: int) -> Tally:
    """Nothing yet."""
    return Tally(players, (0,) * sides(players), (0,) * players, (False,) * players)


def add(tally: Tally, event: Event, how: How) -> Tally:
    """Count one event; ``how`` is the envelope's. Events that do not count change nothing.

    A trick counts for a player unless a bot in the seat played the winning card; a card that the
    server played at a deadline ("timeout") is the player's own.
    """
    match event:
        case CardPlayed(seat=seat):
            return replace(tally, by_bot=_with(tally.by_bot, seat, how == "bot"))
        case TrickTaken(winner=winner) if not tally.by_bot[winner]:
            won = tally.own_tricks[winner] + 1
            return replace(tally, own_tricks=_with(tally.own_tricks, winner, won))
        case DealScored():
            return _scored(tally, event)
        case MatchEnded(winner=side) if tally.open_win and side is not None:
            return replace(_deal_to(tally, side), open_win=False)
        case _:
            return tally


def tally_of(players: int, events: Iterable[tuple[Event, How]]) -> Tally:
    """The whole match at once."""
    tally = new_tally(players)
    for event, how in events:
        tally = add(tally, event, how)
    return tally


def _scored(tally: Tally, event: DealScored) -> Tally:
    outcome = event.score.outcome
    taker = side_of(event.contract.taker, tally.players)
    if outcome == "made":
        return _deal_to(tally, taker)
    if outcome == "failed":
        for side in range(len(tally.deals_won)):
            tally = tally if side == taker else _deal_to(tally, Side(side))
        return tally
    return replace(tally, open_win=outcome == "match")  # in litige the deal is won by nobody


def _deal_to(tally: Tally, side: Side) -> Tally:
    return replace(tally, deals_won=_with(tally.deals_won, side, tally.deals_won[side] + 1))


def _with(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    return (*values[:index], value, *values[index + 1 :])


def lines(
    won: bool, deals_won: int, own_tricks: int, *, end_points: bool = True
) -> tuple[XpLine, ...]:
    """The lines of a player who stayed to the end (a resigned match has ended). Who left for good
    and who was in an abandoned match has none: don't ask. ``end_points``: a latecomer has the
    points of the match's end only with half of its deals."""
    counts: tuple[tuple[Reason, int], ...] = (
        ("played", int(end_points)),
        ("won", int(won and end_points)),
        ("deals", deals_won),
        ("tricks", own_tricks),
    )
    return tuple(XpLine(why, count, count * POINTS[why]) for why, count in counts if count)


def capped(given: Sequence[XpLine], left: int) -> tuple[XpLine, ...]:
    """The same lines with at most ``left`` points in all, filled from the first; lines stay even
    at 0 points, so that the account shows that the day's limit cut them."""
    out = []
    for line in given:
        points = min(line.points, max(left, 0))
        left -= points
        out.append(replace(line, points=points))
    return tuple(out)


def needs(level: int) -> int:
    """The points in all that a level needs: 50 for the first, 150 for the second."""
    return LEVEL_STEP * level * (level + 1)


def level_of(xp: int) -> int:
    """The highest level that these points reach; 0 below 50."""
    return (isqrt(4 * (xp // LEVEL_STEP) + 1) - 1) // 2


@dataclass(frozen=True, slots=True)
class Standing:
    """A sum of points as a level, with the sums at which it begins and the next one does."""

    xp: int
    level: int
    level_from: int
    level_to: int


def standing(xp: int) -> Standing:
    """The level of a sum and its bounds."""
    level = level_of(xp)
    return Standing(xp, level, needs(level), needs(level + 1))
