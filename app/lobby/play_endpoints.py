"""REST of *Play now* and of parties."""

import asyncio
from typing import Annotated, Final, cast

from fastapi import APIRouter, Depends, Path, Request, Response

from app.infra.errors import AppError
from app.infra.ids import read_table_code
from app.infra.rest import Nothing, errors
from app.lobby.door import Door
from app.lobby.matchmaker import Matchmaker
from app.lobby.parties import Parties
from app.lobby.places import Asked, Place
from app.lobby.qr import QR, qr_of
from app.lobby.schemas import PartyOffer, PlayNow, Seated
from app.players.deps import BoundsOfHouse, CurrentPlayer, Host
from app.players.limiter import address_key

router = APIRouter(prefix="/api", tags=["tables"])

LOOK_S: Final = 0.5
"""How often a waiting request looks whether its client is still there."""


def _matchmaker(request: Request) -> Matchmaker:
    return cast(Matchmaker, request.app.state.matchmaker)


def _parties(request: Request) -> Parties:
    return cast(Parties, request.app.state.parties)


async def _code(
    code: Annotated[str, Path(description="A party's code, such as `K7Q2MD`.")],
    who: CurrentPlayer,
    host: Host,
    request: Request,
) -> str:
    clean = read_table_code(code)
    if clean is None:
        raise AppError("party_not_found")
    await cast(Door, request.app.state.door).party(clean, who.account.id, host)
    return clean


MatchmakerService = Annotated[Matchmaker, Depends(_matchmaker)]
PartiesService = Annotated[Parties, Depends(_parties)]
PartyCode = Annotated[str, Depends(_code)]


class _Waiter:
    """Waits for a ticket on behalf of a request."""

    def __init__(self) -> None:
        self.seat: asyncio.Future[Seated] = asyncio.get_running_loop().create_future()

    def queued(self, place: Place, people: int) -> None:
        """Still looking: a request has nobody to tell."""

    def matched(self, code: str, seat: int) -> None:
        if not self.seat.done():
            self.seat.set_result(Seated(table=code, seat=seat))

    def cancelled(self, error: AppError) -> None:
        if not self.seat.done():
            self.seat.set_exception(error)


@router.post(
    "/play-now",
    operation_id="playNow",
    responses=errors(
        "sign_in", "unknown_preset", "bad_options", "busy_elsewhere", "rated_pause",
        "party_incomplete", "queued_elsewhere", "conflict", "draining",
    ),
)  # fmt: skip
async def play_now(
    body: PlayNow,
    who: CurrentPlayer,
    request: Request,
    matchmaker: MatchmakerService,
    bounds: BoundsOfHouse,
    host: Host,
) -> Seated:
    """Look for a game, and answer when there is a seat: with people who look for the same within
    the time, and bots on the other seats. The match has begun then. At once, where a seat is ready:
    one's own, or a bot's at a running match. Whoever ends the request looks no longer."""
    bounds.search(who.account.id)
    asked = Asked(
        body.preset, body.target, body.speed or "normal", body.rated, body.wait_ms, body.party
    )
    waiter = _Waiter()
    key = await matchmaker.enter(who.account.ref, asked, host, waiter)
    try:
        while not waiter.seat.done():
            await asyncio.wait((waiter.seat,), timeout=LOOK_S)
            if not waiter.seat.done() and await request.is_disconnected():
                raise AppError("unavailable")  # which nobody hears
        return waiter.seat.result()
    finally:
        matchmaker.leave(key)
        waiter.seat.cancel()


@router.post(
    "/parties", status_code=201, operation_id="openParty", responses=errors("sign_in", "conflict")
)
async def open_party(
    _: Nothing, who: CurrentPlayer, parties: PartiesService, bounds: BoundsOfHouse, host: Host
) -> PartyOffer:
    """A new party, to which one other may come with its code; one leaves the party one was in."""
    bounds.opened(who.account.id, address_key(host))
    return PartyOffer.of(await parties.open(who.account.id))


@router.get("/me/party", operation_id="getMyParty", responses=errors("sign_in", "party_not_found"))
async def get_my_party(who: CurrentPlayer, parties: PartiesService) -> PartyOffer:
    """The party that one is in, and who of it looks for a game."""
    found = await parties.own(who.account.id)
    if found is None:
        raise AppError("party_not_found")
    return PartyOffer.of(found)


@router.delete("/me/party", status_code=204, operation_id="leaveParty", responses=errors("sign_in"))
async def leave_party(who: CurrentPlayer, parties: PartiesService) -> Response:
    """Leave one's party; who of it looked for a game together looks no longer."""
    await parties.leave(who.account.id)
    return Response(status_code=204)


@router.get(
    "/parties/{code}", operation_id="getParty", responses=errors("sign_in", "party_not_found")
)
async def get_party(code: PartyCode, parties: PartiesService) -> PartyOffer:
    """Who invites, for whoever has the code."""
    return PartyOffer.of(await parties.find(code))


@router.post(
    "/parties/{code}/members",
    status_code=201,
    operation_id="joinParty",
    responses=errors("sign_in", "party_not_found", "party_full", "conflict"),
)
async def join_party(
    code: PartyCode, _: Nothing, who: CurrentPlayer, parties: PartiesService
) -> PartyOffer:
    """Become the partner; one leaves the party one was in."""
    return PartyOffer.of(await parties.join(code, who.account.id))


@router.get(
    "/parties/{code}/qr.svg",
    operation_id="getPartyQr",
    response_class=Response,
    responses={200: QR, **errors("sign_in", "party_not_found")},
)
async def get_party_qr(code: PartyCode, request: Request, parties: PartiesService) -> Response:
    """The party's link as a picture for the partner's phone."""
    party = await parties.find(code)
    return qr_of(request, f"/party/{party.code}")
