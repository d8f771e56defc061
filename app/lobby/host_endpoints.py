"""REST of the host's powers at a table: start, place people, send them away, hand over."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Path, Response
from pydantic import Field

from app.infra.rest import Sent, errors
from app.lobby.endpoints import TableCode, TablesService
from app.players.deps import CurrentPlayer

router = APIRouter(prefix="/api", tags=["tables"])

SeatNumber = Annotated[int, Path(ge=0, le=3, description="A seat, 0 to 3 in order of play.")]
_HOST = ("sign_in", "table_not_found", "table_closed", "not_seated", "not_host", "conflict")


class Start(Sent):
    """``bots``: they take the free seats, whatever the table's options say."""

    bots: bool = False


class Move(Sent):
    """The seat to move to; who sits there changes places."""

    to: int = Field(ge=0, le=3)


class HandOver(Sent):
    """Who is host from now on."""

    player: UUID = Field(strict=False)  # as JSON has it, a text


class ChangedOptions(Sent):
    """What a host may change at any time; null leaves it as it is."""

    spectators: bool | None = None
    latecomers: bool | None = None


@router.post(
    "/tables/{code}/start",
    status_code=204,
    operation_id="startMatch",
    responses=errors(
        *_HOST,
        "wrong_status",
        "busy_elsewhere",
        "somebody_elsewhere",
        "same_address",
        "rated_needs_people",
    ),
)
async def start_match(
    who: CurrentPlayer, code: TableCode, body: Start, tables: TablesService
) -> Response:
    """Start the match; bots take the free seats where the table's options say so. At a table that
    people made everybody is asked first whether they are ready."""
    await tables.start(code, who.account.id, bots=body.bots)
    return Response(status_code=204)


@router.post(
    "/tables/{code}/seats/{seat}/move",
    status_code=204,
    operation_id="moveSeat",
    responses=errors(*_HOST, "wrong_status", "no_such_seat"),
)
async def move_seat(
    who: CurrentPlayer, code: TableCode, seat: SeatNumber, body: Move, tables: TablesService
) -> Response:
    """Put whoever sits there on another seat, before a match."""
    await tables.hosting.move(code, who.account.id, seat, body.to)
    return Response(status_code=204)


@router.delete(
    "/tables/{code}/seats/{seat}",
    status_code=204,
    operation_id="removeFromSeat",
    responses=errors(*_HOST, "wrong_status", "no_such_seat"),
)
async def remove_from_seat(
    who: CurrentPlayer, code: TableCode, seat: SeatNumber, tables: TablesService
) -> Response:
    """Send a person away, who may not come back to this table, or a bot; before a match."""
    await tables.hosting.remove(code, who.account.id, seat)
    return Response(status_code=204)


@router.post(
    "/tables/{code}/host",
    status_code=204,
    operation_id="handOver",
    responses=errors(*_HOST, "player_not_found"),
)
async def hand_over(
    who: CurrentPlayer, code: TableCode, body: HandOver, tables: TablesService
) -> Response:
    """Make another person at the table its host."""
    await tables.hosting.hand_over(code, who.account.id, body.player)
    return Response(status_code=204)


@router.patch(
    "/tables/{code}/options",
    status_code=204,
    operation_id="setOptions",
    responses=errors(*_HOST),
)
async def set_options(
    who: CurrentPlayer, code: TableCode, body: ChangedOptions, tables: TablesService
) -> Response:
    """Allow or forbid onlookers, and people who take a bot's seat between two deals."""
    await tables.hosting.set_options(
        code, who.account.id, spectators=body.spectators, latecomers=body.latecomers
    )
    return Response(status_code=204)
