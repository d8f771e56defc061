"""What a person's command brings about: a move of the game, or what is asked beside it."""

from dataclasses import replace
from uuid import UUID

from app.belote import engine
from app.belote.cards import Seat
from app.belote.commands import Command, Continue, Double
from app.belote.engine import RuleError
from app.belote.events import Event
from app.tables import drafts, moves, offers
from app.tables import events as ev
from app.tables import table as tables
from app.tables.drafts import ClientCommand, Draft, Means, Refused
from app.tables.events import How
from app.tables.table import TableState


def command(table: TableState, player: UUID, asked: ClientCommand, means: Means) -> Draft:
    """The batch of a person's command; Refused if there is none."""
    seat = table.seat_of(player)
    if seat is None:
        raise Refused("not_seated")
    back = _back(table, seat)
    if asked.c.get("type") == "reclaim":
        if not back:
            raise Refused("nothing_to_reclaim")
        return Draft(back, "human", player, asked.id)
    try:
        draft = _asked(drafts.fold(table, back, "human"), seat, asked, means)
    except RuleError as error:
        raise Refused(error.code, error.facts, back) from error
    except Refused as refused:
        raise Refused(refused.code, refused.facts, back) from refused
    if not back:
        return replace(draft, by=player, cmd_id=asked.id)
    hows = draft.hows or (draft.how,) * len(draft.events)
    mine: list[How] = ["human"] * len(back)
    return Draft(back + draft.events, "human", player, asked.id, hows=(*mine, *hows))


def _back(table: TableState, seat: Seat) -> tuple[Event, ...]:
    """A command shows that its person is there: the table goes on, the seat is its own again."""
    events: tuple[Event, ...] = (ev.Resumed(),) if table.paused else ()
    return (*events, ev.SeatReclaimed(seat)) if table.seats[seat].sitting_in else events


def _asked(table: TableState, seat: Seat, asked: ClientCommand, means: Means) -> Draft:
    beside = offers.ASKED.get(str(asked.c.get("type")))
    if beside is not None:
        return beside(table, seat, asked, means)
    if table.game is None or table.status != "playing":
        raise Refused("wrong_phase")
    try:
        order = moves.parse(asked.c, seat)
    except ValueError as error:
        raise Refused("bad_command") from error
    if not _open(table, order, asked.decision):
        raise Refused("stale")
    events = engine.decide(table.game, order)
    if isinstance(order, Continue):
        after = drafts.fold(table, events, "human")
        if _all_ready(after, means.away(table)):
            events += drafts.deal(after.game, means.rng)
    return Draft(events, "human")


def _open(table: TableState, order: Command, decision: int | None) -> bool:
    """Whether a command answers an open decision (D7): the turn, or for a double the standing bid,
    in turn or out of it."""
    if decision is None:
        return False
    return decision == table.decision or (isinstance(order, Double) and decision == table.bid)


def _all_ready(table: TableState, away: frozenset[int]) -> bool:
    """Whether everybody has pressed Continue, whom bots replace and who is away left aside."""
    return table.game is not None and all(
        tables.is_bot(chair) or seat in away or seat in table.game.continued
        for seat, chair in enumerate(table.seats)
    )
