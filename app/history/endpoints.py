"""REST of past matches: lists, one match, its records and text, players' profiles."""

from typing import Annotated, Literal
from uuid import UUID

import orjson
from fastapi import APIRouter, Query, Request, Response

from app.belote.text import texts_of
from app.history import repository, service
from app.history.schemas import Matches, MatchPage, MatchSummary, Profile
from app.infra.db import Database
from app.infra.errors import AppError
from app.infra.rest import errors
from app.players import repository as players
from app.players.deps import MaybePlayer
from app.progress import service as progress
from app.progress.schemas import MatchExperience

router = APIRouter(prefix="/api", tags=["history"])
NDJSON = "application/x-ndjson"


def _db(request: Request) -> Database:
    db: Database = request.app.state.db
    return db


@router.get("/matches", operation_id="listMatches", responses=errors("sign_in"))
async def matches(
    request: Request,
    who: MaybePlayer,
    player: UUID | Literal["me"] = "me",
    before: Annotated[UUID | None, Query(description="`next` of the page before.")] = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
) -> Matches:
    """A player's matches that have ended, the latest first. Anybody may see them."""
    if player == "me":
        if who is None:
            raise AppError("sign_in")
        player = who.account.id
    async with _db(request).unit_of_work() as session:
        found = await repository.of_player(session, player, before, limit + 1)
    page = found[:limit]
    return Matches(
        matches=[MatchSummary.of(match) for match in page],
        next=page[-1].id if len(found) > limit else None,
    )


@router.get("/matches/{match_id}", operation_id="getMatch", responses=errors("match_not_found"))
async def match(match_id: UUID, request: Request, who: MaybePlayer) -> MatchPage:
    """One match with every deal's score sheet. One that has ended is open to whoever has the link;
    one that is being played to its players alone, and shows what everybody at the table knows."""
    asker = None if who is None else who.account.id
    found = await service.opened(_db(request), match_id, asker)
    experience = None
    if asker is not None:
        async with _db(request).unit_of_work() as session:
            account = await progress.account(session, asker, match_id)
        experience = MatchExperience.of(account) if account.lines else None
    return MatchPage(
        **MatchSummary.fields_of(found.match)
        | {
            "number": found.match.number,
            "rules": found.match.rules,
            "running": found.match.running,
            "deals": found.deals,
            "experience": experience,
        }
    )


@router.get(
    "/matches/{match_id}/records",
    operation_id="getMatchRecords",
    response_class=Response,
    responses={
        200: {"content": {NDJSON: {}}, "description": "A record of each deal, one a line."},
        **errors("match_not_found", "match_running"),
    },
)
async def match_records(
    match_id: UUID,
    request: Request,
    legal: Annotated[bool, Query(description="Add what each seat might have played.")] = False,
) -> Response:
    """The whole match as `rebelote-deal/1`, all hands, once it has ended."""
    found = await service.ended(_db(request), match_id)
    records = await service.records_of(_db(request), found, legal)
    body = b"".join(orjson.dumps(record) + b"\n" for record in records)
    return _file(body, NDJSON, f"rebelote-{match_id}.ndjson")


@router.get(
    "/matches/{match_id}/text",
    operation_id="getMatchText",
    response_class=Response,
    responses={
        200: {"content": {"text/plain": {}}, "description": "The match to read."},
        **errors("match_not_found", "match_running"),
    },
)
async def match_as_text(match_id: UUID, request: Request) -> Response:
    """The whole match in text notation, once it has ended."""
    found = await service.ended(_db(request), match_id)
    text = texts_of(await service.records_of(_db(request), found))
    return _file(text.encode(), "text/plain; charset=utf-8", f"rebelote-{match_id}.txt")


def _file(body: bytes, media_type: str, name: str) -> Response:
    headers = {"Content-Disposition": f'inline; filename="{name}"'}
    return Response(body, media_type=media_type, headers=headers)


@router.get("/players/{player_id}", operation_id="getPlayer", responses=errors("player_not_found"))
async def profile(player_id: UUID, request: Request) -> Profile:
    """A player as everybody may see it, with how it has done in each game."""
    async with _db(request).unit_of_work() as session:
        player = await players.by_id(session, player_id)
        if player is None:
            raise AppError("player_not_found")
        standing = await progress.standing_of(session, player_id)
        record = await repository.record_of(session, player_id)
    return Profile.of(player, standing, record)
