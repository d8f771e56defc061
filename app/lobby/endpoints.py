"""REST of tables and seats, and of the asking player with its tables."""

from functools import cache
from typing import Annotated, cast
from uuid import UUID

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from pydantic import TypeAdapter

from app.belote.notation import rules_record
from app.belote.presets import PRESETS
from app.infra.errors import AppError
from app.infra.fixed import UNCHANGED, Fixed
from app.infra.ids import read_table_code
from app.infra.rest import errors
from app.lobby import listing
from app.lobby.door import Door
from app.lobby.listing import Wanted
from app.lobby.matchmaker import Matchmaker
from app.lobby.parties import Parties
from app.lobby.qr import QR, qr_of
from app.lobby.rules import rules_for
from app.lobby.schemas import (
    Join,
    MeWithTables,
    NewTable,
    OwnTable,
    PartyOffer,
    PresetOffer,
    Seat,
    Seated,
    Session,
    Summaries,
    Summary,
)
from app.lobby.service import Lobby
from app.players.deps import BoundsOfHouse, CurrentPlayer, Host, MaybePlayer
from app.players.limiter import address_key
from app.players.schemas import OwnProfile
from app.tables.events import Options
from app.tables.service import Tables
from app.tables.table import open_turn

router = APIRouter(prefix="/api", tags=["tables"])

LIST_LIMIT = 200
"""Rows of an answer; more than anybody reads."""


def _lobby(request: Request) -> Lobby:
    return cast(Lobby, request.app.state.lobby)


def _tables(request: Request) -> Tables:
    return cast(Tables, request.app.state.tables)


async def _code(
    code: Annotated[str, Path(description="A table's code, such as `K7Q2MD`.")],
    who: MaybePlayer,
    host: Host,
    request: Request,
) -> str:
    """A code as people type it, of a table that is there; who guesses is stopped."""
    clean = read_table_code(code)
    if clean is None:
        raise AppError("table_not_found")
    door = cast(Door, request.app.state.door)
    await door.table(clean, None if who is None else who.account.id, host)
    return clean


def _address(request: Request, host: Host) -> bytes | None:
    """What rated tables remember of where a person comes from."""
    return cast(Matchmaker, request.app.state.matchmaker).hash_of(host)


LobbyService = Annotated[Lobby, Depends(_lobby)]
TablesService = Annotated[Tables, Depends(_tables)]
TableCode = Annotated[str, Depends(_code)]
"""Where one must be signed in, `CurrentPlayer` goes before it: others learn nothing of codes."""
AddressHash = Annotated[bytes | None, Depends(_address)]


@router.get("/me", operation_id="getMe", responses=errors("sign_in"))
async def get_me(who: CurrentPlayer, tables: TablesService) -> MeWithTables:
    """The asking player, and the tables where a seat waits for it."""
    return MeWithTables(
        player=OwnProfile.of(who.account), tables=await _own_tables(tables, who.account.id)
    )


@router.get("/session", operation_id="getSession")
async def get_session(who: MaybePlayer, tables: TablesService, request: Request) -> Session:
    """As `/api/me`, and with one's party; a newcomer is no error: a page may ask before anybody was
    made."""
    if who is None:
        return Session(player=None, tables=[])
    party = await cast(Parties, request.app.state.parties).own(who.account.id)
    return Session(
        player=OwnProfile.of(who.account),
        tables=await _own_tables(tables, who.account.id),
        party=None if party is None else PartyOffer.of(party),
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


@router.get("/tables", operation_id="listTables")
async def list_tables(lobby: LobbyService, wanted: Annotated[Wanted, Query()]) -> Summaries:
    """Public tables, the oldest first: those that wait for players, and with `running` also the
    matches that one may watch, or join between two deals."""
    rows = listing.listed(await lobby.public_tables(), {})
    chosen, more = listing.chosen(rows, wanted.filter(), LIST_LIMIT)
    return Summaries(tables=[row.summary for row in chosen.values()], more=more)


@router.post(
    "/tables",
    status_code=201,
    operation_id="createTable",
    responses=errors("sign_in", "unknown_preset", "bad_options", "rated_pause", "busy_elsewhere"),
)
async def create_table(
    body: NewTable,
    who: CurrentPlayer,
    lobby: LobbyService,
    bounds: BoundsOfHouse,
    host: Host,
    address: AddressHash,
) -> Seated:
    """Open a table; its creator is the host and sits on seat 0."""
    options = Options(
        preset=body.preset,
        rules=rules_for(body.preset, body.target, body.rules, rated=body.rated),
        speed=body.speed,
        visibility=body.visibility,
        rated=body.rated,
        bots=None if body.rated else body.bots,
        spectators=body.visibility == "public" if body.spectators is None else body.spectators,
        latecomers=body.latecomers and not body.rated,
    )
    bounds.opened(who.account.id, address_key(host))
    table, seat = await lobby.create(who.account.ref, options, address)
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
async def take_seat(
    who: CurrentPlayer, code: TableCode, body: Join, lobby: LobbyService, address: AddressHash
) -> Seat:
    """Sit down, on a certain seat or the first that is free."""
    return Seat(seat=await lobby.join(code, who.account.ref, body.seat, address))


@router.delete(
    "/tables/{code}/seats/me",
    status_code=204,
    operation_id="leaveSeat",
    responses=errors("sign_in", "table_not_found", "not_seated", "conflict"),
)
async def leave_seat(who: CurrentPlayer, code: TableCode, tables: TablesService) -> Response:
    """Leave for good. During a match a bot plays on, and the match counts as quit."""
    await tables.leave(code, who.account.id)
    return Response(status_code=204)


@router.get(
    "/tables/{code}/qr.svg",
    operation_id="getTableQr",
    response_class=Response,
    responses={200: QR, **errors("table_not_found")},
)
async def get_table_qr(code: TableCode, request: Request, lobby: LobbyService) -> Response:
    """The table's link as a picture for another phone."""
    table = await lobby.table(code)
    return qr_of(request, f"/t/{table.code}")


@cache
def _presets() -> Fixed:
    offers = [PresetOffer(name=name, rules=rules_record(r)) for name, r in PRESETS.items()]
    return Fixed(TypeAdapter(list[PresetOffer]).dump_json(offers))


@router.get(
    "/presets",
    operation_id="listPresets",
    response_model=list[PresetOffer],
    responses=UNCHANGED,
)
async def list_presets(request: Request) -> Response:
    """The games that can be played, with every rule of each."""
    return _presets().answer(request)
