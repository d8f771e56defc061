"""All refusals of the HTTP side in one shape: `{"error": {"code", "message"}}`."""

import orjson
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from starlette.exceptions import HTTPException

from app.infra.errors import AppError
from app.infra.logging import get_logger
from app.tables.committer import LOST_CONNECTION
from app.tables.outage import unreachable

log = get_logger(__name__)

_BY_STATUS = {
    400: "bad_request",
    401: "sign_in",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    413: "too_large",
    415: "unsupported_media_type",
    429: "too_many_requests",
    503: "unavailable",
}


def answer(error: AppError, **extra: object) -> Response:
    """The response of an error; `extra` goes beside its code."""
    body = error.body()
    headers = {} if error.retry_after is None else {"Retry-After": str(error.retry_after)}
    content = orjson.dumps({"error": {**body["error"], **extra}})
    return Response(content, error.status, headers, "application/json")


def install(api: FastAPI) -> None:
    """Make the app answer all errors in our shape."""
    api.add_exception_handler(AppError, _app_error)
    api.add_exception_handler(RequestValidationError, _invalid)
    api.add_exception_handler(HTTPException, _http)
    for lost in (OperationalError, InterfaceError, PoolTimeout, *LOST_CONNECTION):
        api.add_exception_handler(lost, _unavailable)
    api.add_exception_handler(DBAPIError, _database)
    api.add_exception_handler(Exception, _broken)


def _app_error(_: Request, error: Exception) -> Response:
    if not isinstance(error, AppError):
        raise error
    return answer(error)


def _invalid(_: Request, error: Exception) -> Response:
    if not isinstance(error, RequestValidationError):
        raise error
    problems = error.errors()
    if any(problem["type"] == "json_invalid" for problem in problems):
        return answer(AppError("bad_request"))
    fields = [
        {"path": ".".join(str(part) for part in problem["loc"]), "code": problem["type"]}
        for problem in problems
    ]
    return answer(AppError("invalid"), fields=fields)


def _http(_: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        raise error
    response = answer(AppError(_BY_STATUS.get(error.status_code, "bad_request")))
    response.status_code = error.status_code
    response.headers.update(error.headers or {})
    return response


def _unavailable(request: Request, error: Exception) -> Response:
    log.warning("database_unavailable", path=request.url.path, kind=type(error).__name__)
    return answer(AppError("unavailable", retry_after=2))


def _database(request: Request, error: Exception) -> Response:
    """A connection that ends, or is not yet taken while the database recovers, is no fault of ours;
    what it says of a statement is."""
    return _unavailable(request, error) if unreachable(error) else _broken(request, error)


def _broken(request: Request, error: Exception) -> Response:
    log.error("request_failed", path=request.url.path, exc_info=error)
    return answer(AppError("internal"))
