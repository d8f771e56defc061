"""REST of guests and sessions. `GET /api/me` lies in the lobby: it tells of tables too."""

from fastapi import APIRouter, Request, Response

from app.infra.rest import Nothing, errors
from app.players.deps import BoundsOfHouse, CurrentPlayer, PlayersService, host_of
from app.players.limiter import address_key
from app.players.schemas import Changes, Guest, Me, NewGuest, OwnProfile
from app.players.service import SESSION_LIFE

router = APIRouter(prefix="/api", tags=["players"])


@router.post(
    "/guests",
    status_code=201,
    operation_id="createGuest",
    responses=errors("bad_name", "too_many_requests"),
)
async def create_guest(
    body: NewGuest,
    request: Request,
    response: Response,
    players: PlayersService,
    bounds: BoundsOfHouse,
) -> Guest:
    """Make a guest. The session comes as a cookie for browsers and as a token for programs."""
    bounds.guest(address_key(host_of(request)))
    account, token = await players.new_guest(body.name, body.locale)
    settings = request.app.state.settings
    response.set_cookie(
        settings.cookie_name,
        token,
        max_age=int(SESSION_LIFE.total_seconds()),
        path="/",
        httponly=True,
        samesite="lax",
        secure=settings.cookies_are_secure,
    )
    return Guest(player=OwnProfile.of(account), token=token)


@router.patch("/me", operation_id="changeMe", responses=errors("sign_in", "bad_name"))
async def change_me(body: Changes, who: CurrentPlayer, players: PlayersService) -> Me:
    """Change name, avatar or language. Seats taken before keep what they show."""
    account = await players.change(
        who.account.id, name=body.name, avatar=body.avatar, locale=body.locale
    )
    return Me(player=OwnProfile.of(account))


@router.post("/me/sign-out", status_code=204, operation_id="signOut", responses=errors("sign_in"))
async def sign_out(
    _: Nothing, who: CurrentPlayer, request: Request, players: PlayersService
) -> Response:
    """End this session. A guest can't come back to its account afterwards."""
    await players.sign_out(who)
    return _without_cookie(request)


@router.post(
    "/me/sign-out-everywhere",
    status_code=204,
    operation_id="signOutEverywhere",
    responses=errors("sign_in"),
)
async def sign_out_everywhere(
    _: Nothing, who: CurrentPlayer, request: Request, players: PlayersService
) -> Response:
    """End all sessions of this player, this one too; their sockets close at once with 4401."""
    await players.sign_out_everywhere(who.account.id)
    return _without_cookie(request)


def _without_cookie(request: Request) -> Response:
    response = Response(status_code=204)
    settings = request.app.state.settings
    response.delete_cookie(
        settings.cookie_name, path="/", httponly=True, samesite="lax",
        secure=settings.cookies_are_secure,
    )  # fmt: skip
    return response
