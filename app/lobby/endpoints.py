"""REST of tables and seats, and of the asking player with its tables."""

import io
from typing import Annotated, cast
from uuid import UUID

import segno
from fastapi import APIRouter, Depends, Path, Request, Response

from app.belote.notation import rules_record
from app.belote.presets import PRESETS
from app.infra.errors import AppError
from app.infra.ids import read_table_code
from app.infra.rest import errors
from app.lobby.schemas import (
    Join,
    MeWithTables,
    NewTable,
    OwnTable,
    PlayNow,
    PresetOffer,
    Seat,
    Seated,
    Session,
    Summaries,
    Summary,
)
from app.lobby.service import Lobby, rules_for
from app.players.deps import CurrentPlayer, MaybePlayer
from app.players.schemas import OwnProfile
from app.tables.events import Options
from app.tables.service import Tables
from app.tables.table import open_turn

router = APIRouter(prefix="/api", tags=["tables"])


def _lobby(request: Request) -> Lobby:
    return cast(Lobby, request.app.state.lobby)


def _tables(request: Request) -> Tables:
    return cast(Tables, request.app.state.tables)


def _code(code: Annotated[str, Path(description="A table's code, such as `K7Q2MD`.")]) -> str:
    """A code as people type it."""
    clean = read_table_code(code)
    if clean is None:
        raise AppError("table_not_found")
    return clean


LobbyService = Annotated[Lobby, Depends(_lobby)]
TablesService = Annotated[Tables, Depends(_tables)]
TableCode = Annotated[str, Depends(_code)]


@router.get("/me", operation_id="getMe", responses=errors("sign_in"))
async def get_me(who: CurrentPlayer, tables: TablesService) -> MeWithTables:
    """The asking player, and the tables where a seat waits for it."""
    return MeWithTables(
        player=OwnProfile.of(who.account), tables=await _own_tables(tables, who.account.id)
    )


@router.get("/session", operation_id="getSession")
async def get_session(who: MaybePlayer, tables: TablesService) -> Session:
    """As `/api/me`, but a newcomer is no error: a page may ask before anybody was made."""
    if who is None:
        return Session(player=None, tables=[])
    return Session(
        player=OwnProfile.of(who.account), tables=await _own_tables(tables, who.account.id)
    )


async def _own_tables(tables: Tables, player_id: UUID) -> list[OwnTable]:
    return [
        OwnTable(
            code=sitting.code,
            status=sitting.status,
            preset=sitting.preset,
            seat=sitting.seat,
            your_turn=_is_turn_of(tables, sitting.code, sitting.seat),
        )
        for sitting in await tables.seats_of(player_id)
    ]


def _is_turn_of(tables: Tables, code: str, seat: int) -> bool:
    """Whether a table of this process waits for that seat; a sleeping one is not woken for it."""
    state = tables.state(code)
    turn = None if state is None else open_turn(state)
    return turn is not None and turn.seat == seat


@router.post("/play-now", operation_id="playNow", responses=errors("sign_in", "unknown_preset"))
async def play_now(body: PlayNow, who: CurrentPlayer, lobby: LobbyService) -> Seated:
    """A seat at a public table, at once: one's own unfinished one of this preset, else an open
    one, else a new one, which bots fill after a few seconds."""
    table, seat = await lobby.play_now(who.account.ref, body.preset, body.speed)
    return Seated(table=table, seat=seat)


@router.get("/tables", operation_id="listTables")
async def list_tables(lobby: LobbyService) -> Summaries:
    """Public tables that wait for players, the oldest first."""
    return Summaries(tables=[Summary.of(table) for table in await lobby.open_tables()])


@router.post(
    "/tables",
    status_code=201,
    operation_id="createTable",
    responses=errors("sign_in", "unknown_preset", "bad_options", "rated_pause", "busy_elsewhere"),
)
async def create_table(body: NewTable, who: CurrentPlayer, lobby: LobbyService) -> Seated:
    """Open a table; its creator is the host and sits on seat 0."""
    overrides = dict(body.rules)
    if body.target is not None:
        overrides["target"] = body.target
    if body.rated:  # a cut pack tells too much: rated tables shuffle
        overrides["handling"] = "shuffle"
    options = Options(
        preset=body.preset,
        rules=rules_for(body.preset, overrides),
        speed=body.speed,
        visibility=body.visibility,
        rated=body.rated,
        bots=body.bots,
        spectators=body.visibility == "public" if body.spectators is None else body.spectators,
        latecomers=body.latecomers and not body.rated,
    )
    table, seat = await lobby.create(who.account.ref, options)
    return Seated(table=table, seat=seat)


@router.get("/tables/{code}", operation_id="getTable", responses=errors("table_not_found"))
async def get_table(code: TableCode, lobby: LobbyService) -> Summary:
    """One table, for whoever has its code."""
    return Summary.of(await lobby.table(code))


@router.post(
    "/tables/{code}/seats",
    status_code=201,
    operation_id="takeSeat",
    responses=errors(
        "sign_in", "table_not_found", "table_closed", "table_full", "seat_taken",
        "already_seated", "busy_elsewhere", "wrong_status", "match_left", "sent_away",
        "rated_pause", "conflict",
    ),
)  # fmt: skip
async def take_seat(code: TableCode, body: Join, who: CurrentPlayer, tables: TablesService) -> Seat:
    """Sit down, on a certain seat or the first that is free."""
    return Seat(seat=await tables.join(code, who.account.ref, body.seat))


@router.delete(
    "/tables/{code}/seats/me",
    status_code=204,
    operation_id="leaveSeat",
    responses=errors("sign_in", "table_not_found", "not_seated", "conflict"),
)
async def leave_seat(code: TableCode, who: CurrentPlayer, tables: TablesService) -> Response:
    """Leave for good. During a match a bot plays on, and the match counts as quit."""
    await tables.leave(code, who.account.id)
    return Response(status_code=204)


@router.get(
    "/tables/{code}/qr.svg",
    operation_id="getTableQr",
    response_class=Response,
    responses={
        200: {"content": {"image/svg+xml": {}}, "description": "The table's link as a QR code."},
        **errors("table_not_found"),
    },
)
async def get_table_qr(code: TableCode, request: Request, lobby: LobbyService) -> Response:
    """The table's link as a picture for another phone."""
    table = await lobby.table(code)
    out = io.BytesIO()
    base = request.app.state.settings.public_url or str(request.base_url).rstrip("/")
    segno.make(f"{base}/t/{table.code}", error="m", micro=False).save(
        out, kind="svg", border=2, xmldecl=False, svgclass=None, lineclass=None, omitsize=True
    )
    return Response(out.getvalue(), media_type="image/svg+xml")


@router.get("/presets", operation_id="listPresets")
async def list_presets() -> list[PresetOffer]:
    """The games that can be played, with every rule of each."""
    return [PresetOffer(name=name, rules=rules_record(r)) for name, r in PRESETS.items()]
