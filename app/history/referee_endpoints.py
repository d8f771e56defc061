"""The referee over REST: one question a request, the same four as at the command line."""

from typing import Annotated, Any

from fastapi import APIRouter, Body, Request

from app.history.referee import answer_to
from app.infra.errors import AppError
from app.infra.rest import errors
from app.players.deps import bounds_of, host_of
from app.players.limiter import address_key

router = APIRouter(prefix="/api", tags=["history"])

EXAMPLE = {
    "ask": "legal", "preset": "classic", "trump": "H", "seat": 2, "hand": ["7D", "AS"],
    "trick": [[0, "KS"], [1, "7S"]],
}  # fmt: skip


@router.post(
    "/referee",
    operation_id="askReferee",
    responses=errors("question_refused", "too_many_requests"),
)
async def ask_referee(
    request: Request, question: Annotated[dict[str, Any], Body(examples=[EXAMPLE])]
) -> dict[str, Any]:
    """Which cards are legal (`legal`), what hands declare (`declarations`), what a recorded deal
    scores (`score`), what totals score (`score_points`). A question that can't be answered is
    refused with `question_refused`; `facts` say which code and sentence the referee has for it."""
    bounds_of(request).question(address_key(host_of(request)))
    answer = answer_to(question)
    if "error" in answer:
        raise AppError("question_refused", facts=answer["error"])
    return answer
