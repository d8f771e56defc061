"""What people ask each other beside the game, as batches: ready to start, a rematch, to resign
together; and the claim of the rest.

Each answer carries the number of what it answers (D7). A ready check and a rematch have a deadline
in the row; an offer to resign lasts until the next deal, for nothing but a move may touch a turn's
clock.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from app.belote import claims, engine
from app.belote.cards import Seat, side_of
from app.belote.commands import End
from app.belote.events import CardPlayed, Event
from app.tables import drafts
from app.tables import events as ev
from app.tables import table as tables
from app.tables.drafts import ClientCommand, Draft, Means, Refused
from app.tables.events import How
from app.tables.table import TableState

Answer = Callable[[TableState, Seat, ClientCommand, Means], Draft]


def _people(table: TableState) -> tuple[Seat, ...]:
    """The seats of people, also of those for whom a bot sits in."""
    return tuple(Seat(seat) for seat, chair in enumerate(table.seats) if chair.player is not None)


def _said_yes(c: Mapping[str, Any]) -> bool:
    yes = c.get("yes", True)
    if not isinstance(yes, bool):
        raise Refused("bad_command")
    return yes


# Ready to start


def ready(table: TableState, seat: Seat, asked: ClientCommand, means: Means) -> Draft:
    """``{"type": "ready", "yes": true}``: with the last yes the match starts."""
    check = table.ready
    if check is None or asked.decision != table.asked:
        raise Refused("stale")
    yes = _said_yes(asked.c)
    if yes and seat in check.yes:
        raise Refused("already_answered")
    events: tuple[Event, ...] = (ev.ReadyAnswered(seat, yes),)
    after = drafts.fold(table, events, "human")
    return Draft(events + _start_if_ready(after, means), "human")


def _start_if_ready(table: TableState, means: Means) -> tuple[Event, ...]:
    check = table.ready
    if check is None or set(check.yes) != set(_people(table)):
        return ()
    if not check.bots and table.options.bots is None and not _full(table):
        return ()
    return drafts.match_start(table, means.rng, means.clock, means.name)


def _full(table: TableState) -> bool:
    return all(chair.kind != "free" for chair in table.seats)


def not_ready(table: TableState) -> Draft | None:
    """The check's time is over: who has not answered gets up, and nothing starts."""
    check = table.ready
    if check is None:
        return None
    silent = [seat for seat in _people(table) if seat not in check.yes]
    events: tuple[Event, ...] = tuple(ev.SeatLeft(seat) for seat in silent)
    if not silent:  # all are ready, and still nothing has started: it is off
        events = (ev.ReadyAnswered(check.yes[0], yes=False),)
    return Draft(events + drafts.handed_over(table, events), "timeout", expiry=True)


# A rematch


def rematch(table: TableState, seat: Seat, asked: ClientCommand, means: Means) -> Draft:
    """``{"type": "rematch", "yes": true}``: with no decision it offers one, or agrees to the offer
    that somebody else made in the same moment; with the last yes the match starts."""
    yes, offer = _said_yes(asked.c), table.rematch
    if asked.decision is not None and (offer is None or asked.decision != table.asked):
        raise Refused("stale")
    if table.status != "finished" or table.ready is not None or not _full(table):
        raise Refused("wrong_phase")
    drafts.require_people(table)  # before anybody is asked
    if offer is None and not yes:
        raise Refused("stale")
    if offer is not None and yes and seat in offer.yes:
        raise Refused("already_answered")
    events: tuple[Event, ...] = (
        (ev.RematchOffered(seat),) if offer is None else (ev.RematchAnswered(seat, yes),)
    )
    after = drafts.fold(table, events, "human")
    if after.rematch is not None and set(after.rematch.yes) == set(_people(after)):
        events += drafts.match_start(after, means.rng, means.clock, means.name)
    return Draft(events, "human")


def no_rematch(table: TableState) -> Draft | None:
    """The offer's time is over: silence is a no."""
    offer = table.rematch
    if offer is None:
        return None
    silent = next((seat for seat in _people(table) if seat not in offer.yes), offer.yes[0])
    return Draft((ev.RematchAnswered(silent, yes=False),), "timeout", expiry=True)


# To resign


def resign(table: TableState, seat: Seat, asked: ClientCommand, _means: Means) -> Draft:
    """``{"type": "resign", "yes": true}``: with no decision it offers, or agrees if the partner
    has offered; the side resigns when both want it. A bot agrees, and so does whoever has no
    partner. The offerer's own no takes the offer back; a no holds until the next deal."""
    if table.status != "playing" or table.game is None:
        raise Refused("wrong_phase")
    side = side_of(seat, len(table.seats))
    offer, yes = table.resign[side], _said_yes(asked.c)
    if asked.decision is not None and asked.decision != table.resigning[side]:
        raise Refused("stale")
    if offer is None:
        if not yes:
            raise Refused("stale")
        return _offered(table, seat)
    if offer.refused:
        raise Refused("already_refused")
    if yes and offer.seat == seat:
        raise Refused("already_answered")
    events: tuple[Event, ...] = (ev.ResignAnswered(seat, yes),)
    return Draft(events + (_resigned(table, seat) if yes else ()), "human")


def _offered(table: TableState, seat: Seat) -> Draft:
    events: tuple[Event, ...] = (ev.ResignOffered(seat),)
    if len(table.seats) != 4:
        return Draft(events + _resigned(table, seat), "human")
    partner = tables.partner_of(table, seat)
    if not tables.is_bot(table.seats[partner]):
        return Draft(events, "human")
    events += (ev.ResignAnswered(partner, yes=True), *_resigned(table, seat))
    return Draft(events, "human", hows=("human", "bot", "human"))


def _resigned(table: TableState, seat: Seat) -> tuple[Event, ...]:
    assert table.game is not None  # a match is being played
    winner = _other_side(table.game.totals, seat, len(table.seats))
    return engine.decide(table.game, End("resigned", winner))


def _other_side(totals: tuple[int, ...], seat: Seat, players: int) -> int:
    """The side that wins; of two (three players) the one with more points, in equality the nearer
    after the seat."""
    after = [side_of(Seat((seat + n) % players), players) for n in range(1, players)]
    mine = side_of(seat, players)
    return max((side for side in after if side != mine), key=totals.__getitem__)


# The rest


def claim(table: TableState, seat: Seat, asked: ClientCommand, _means: Means) -> Draft:
    """``{"type": "claim"}``: the cards that are left are played in one batch. What others throw is
    a bot's doing: it is neither their move nor their absence."""
    if table.game is None or table.status != "playing":
        raise Refused("wrong_phase")
    if asked.decision is None or asked.decision != table.decision:
        raise Refused("stale")
    events = (ev.Claimed(seat), *claims.rest(table.game, seat))
    hows: tuple[How, ...] = tuple(
        "bot" if isinstance(event, CardPlayed) and event.seat != seat else "human"
        for event in events
    )
    return Draft(events, "human", hows=hows)


ASKED: Final[Mapping[str, Answer]] = {
    "ready": ready,
    "rematch": rematch,
    "resign": resign,
    "claim": claim,
}
"""The commands that are no move of the game, by their type."""
