"""REST of progress: the ranking, and what a match gave."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query, Request

from app.infra.rest import errors
from app.players.deps import CurrentPlayer, MaybePlayer
from app.progress import repository, service
from app.progress.schemas import MatchExperience, Ranking, RankingRow

router = APIRouter(prefix="/api", tags=["progress"])


@router.get("/leaderboards/experience", operation_id="rankingByExperience")
async def ranking(
    request: Request,
    who: MaybePlayer,
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
    offset: Annotated[int, Query(ge=0, le=100_000)] = 0,
) -> Ranking:
    """The players with the most experience; those who have finished no match are not in it."""
    async with request.app.state.db.unit_of_work() as session:
        rows = await repository.ranking(session, limit, offset)
        mine = await repository.rank_of(session, who.account.id) if who else None
        total = await repository.ranked_players(session)
    return Ranking(
        rows=[RankingRow.of(row) for row in rows],
        me=RankingRow.of(mine) if mine else None,
        total=total,
    )


@router.get(
    "/matches/{match_id}/experience",
    operation_id="experienceOfMatch",
    responses=errors("sign_in"),
)
async def experience(match_id: UUID, request: Request, who: CurrentPlayer) -> MatchExperience:
    """What a match gave the asker, line by line. A match that is still being played, was left or
    abandoned, or in which the asker did not sit, gave nothing: no lines."""
    async with request.app.state.db.unit_of_work() as session:
        account = await service.account(session, who.account.id, match_id)
    return MatchExperience.of(account)
