"""Which deadline a table's row needs (D9), as functions of the table alone.

The row holds one deadline. A batch that leaves the same one open keeps it; any other sets a new
one, or none: at a table with one person and else bots nobody is hurried.
"""

from app.belote import engine
from app.belote.events import Event, HandDealt, RestDealt, TrickTaken
from app.infra.config import Timing
from app.infra.rng import Rng
from app.tables import table as tables
from app.tables.store import DeadlineKind, Due
from app.tables.table import TableState

Wanted = tuple[DeadlineKind, int | None]


def wanted(table: TableState) -> Wanted | None:
    """The kind of deadline that a table needs now, and the decision that it belongs to."""
    if table.asked is not None:
        return "rematch" if table.ready is None else "ready", table.asked
    turn = tables.open_turn(table)
    if turn is None:
        return None
    if turn.seat is None:
        return "next_deal", turn.decision
    if tables.is_bot(table.seats[turn.seat]) or nothing_to_declare(table):
        return "bot", turn.decision
    return None if tables.alone(table) else ("turn", turn.decision)


def nothing_to_declare(table: TableState) -> bool:
    """Whether the seat that is asked before the lead has nothing: the server answers for it, after
    a bot's pace, so that being asked tells nothing."""
    game = table.game
    if game is None or game.phase != "declaring" or game.turn is None:
        return False
    return not engine.legal(game, game.turn).declarations


def plan(
    before: TableState | None,
    after: TableState,
    events: tuple[Event, ...],
    timing: Timing,
    rng: Rng,
) -> tuple[bool, Due | None]:
    """(keep, due) for a batch. Pauses that the screen needs are added to what follows them."""
    need = wanted(after)
    if before is not None and need == wanted(before):
        return True, None
    if need is None:
        return False, None
    kind, seq = need
    if kind == "turn" and after.left_ms is not None:
        # Nothing but a legal move gives a turn more time: who comes back has what was left of it,
        # and at least as long as the bot, which was to move, would have had.
        return False, Due(kind, seq, max(after.left_ms, timing.bot_max))
    if kind == "bot":  # drawn for a forced card too, so that speed tells nothing
        length = rng.between(timing.bot_min, timing.bot_max)
    else:
        length = whole(kind, after, timing)
    return False, Due(kind, seq, length + _pauses(events, timing))


def whole(kind: DeadlineKind, table: TableState, timing: Timing) -> int:
    """How long such a wait is, pauses apart; of a bot's, which is drawn, the longest."""
    match kind:
        case "ready":
            return timing.ready_check
        case "rematch":
            return timing.rematch
        case "bot":
            return timing.bot_max
        case "turn":
            return {
                "fast": timing.fast_turn,
                "normal": timing.normal_turn,
                "relaxed": timing.relaxed_turn,
            }[table.options.speed]
        case "next_deal":
            passed_out = table.game is not None and table.game.phase == "passed_out"
            return timing.passed_out_pause if passed_out else timing.next_deal


def _pauses(events: tuple[Event, ...], timing: Timing) -> int:
    tricks = sum(isinstance(event, TrickTaken) for event in events)  # several after a claim
    deal = any(isinstance(event, HandDealt | RestDealt) for event in events)
    return timing.trick_pause * tricks + timing.deal_pause * deal


def shown(kind: DeadlineKind, table: TableState) -> bool:
    """Whether people see this clock: a bot's pace and a relaxed table's limit are not shown."""
    if kind == "turn":
        return table.options.speed != "relaxed"
    return kind in ("next_deal", "ready", "rematch")
