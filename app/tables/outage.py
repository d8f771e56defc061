"""Telling a database that is away from one that has refused: the first is nobody's fault, and is
answered with ``unavailable``, so that the client sends the same again."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from app.infra.errors import AppError
from app.tables.cache import LiveTable
from app.tables.committer import Unavailable, lost


def unreachable(error: BaseException) -> bool:
    """Whether an error means that the database can't be reached, or went away in between."""
    if isinstance(error, DBAPIError):
        cause = None if error.orig is None else error.orig.__cause__
        return error.connection_invalidated or (cause is not None and lost(cause))
    return isinstance(error, Unavailable | PoolTimeout) or lost(error)


@contextmanager
def reaching(live: LiveTable | None = None) -> Iterator[None]:
    """AppError ``unavailable`` if the database can't be reached within; a table whose fate is then
    unknown (``live``) is not trusted: its log is read before the next step."""
    try:
        yield
    except Exception as error:
        if not unreachable(error):
            raise
        if live is not None:
            live.trusted = False
        raise AppError("unavailable") from error
