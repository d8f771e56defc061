"""What REST answers when the database is away, as against one that has refused a statement."""

from typing import NoReturn

import asyncpg
import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import create_async_engine

from app.web.refusals import install

AWAY = (
    asyncpg.CannotConnectNowError("the database system is starting up"),
    asyncpg.TooManyConnectionsError("sorry, too many clients already"),
    asyncpg.AdminShutdownError("terminating connection due to administrator command"),
    asyncpg.CrashShutdownError("terminating connection because of crash"),
    asyncpg.ConnectionDoesNotExistError("connection was closed in the middle of operation"),
    ConnectionRefusedError("refused"),
    TimeoutError(),
)


async def wrapped(error: BaseException) -> BaseException:
    """An error of the driver as SQLAlchemy hands it on."""

    async def creator() -> NoReturn:
        raise error

    engine = create_async_engine("postgresql+asyncpg://", async_creator=creator)
    with pytest.raises(type(error) if not _is_driver(error) else DBAPIError) as told:
        await engine.connect()
    return told.value


def _is_driver(error: BaseException) -> bool:
    return isinstance(error, asyncpg.PostgresError)


async def answered(error: BaseException) -> httpx.Response:
    """The answer of an app whose only endpoint fails so."""
    api = FastAPI()
    install(api)

    async def failing() -> None:
        raise error

    api.add_api_route("/", failing)
    transport = httpx.ASGITransport(api, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://here") as client:
        return await client.get("/")


@pytest.mark.parametrize("error", AWAY, ids=lambda error: type(error).__name__)
async def test_a_database_that_is_away_is_told_as_such_and_when_to_come_back(
    error: BaseException,
) -> None:
    for told in (error, await wrapped(error)):
        answer = await answered(told)
        assert (answer.status_code, answer.json()["error"]["code"]) == (503, "unavailable")
        assert answer.headers["Retry-After"] == "2"


async def test_what_the_database_refuses_is_a_fault_of_ours() -> None:
    for told in (
        asyncpg.UndefinedTableError("no such table"),
        await wrapped(asyncpg.UniqueViolationError("twice")),
    ):
        answer = await answered(told)
        assert (answer.status_code, answer.json()["error"]["code"]) == (500, "internal")
