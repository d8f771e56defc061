"""Structured logs: an event name and ids, as a console line or as JSON.

Never cards, cookies, tokens or payloads: a log is read by more people than a table. Names that
would carry them are refused by the formatter, so that a slip shows in tests.
"""

import logging
import sys
from datetime import UTC, datetime
from typing import Any, Final, Literal, TextIO

import orjson

_FORBIDDEN: Final = frozenset(
    {"card", "cards", "hand", "hands", "pack", "cookie", "token", "password", "secret", "private",
     "hidden", "payload"}
)  # fmt: skip


class EventLogger:
    """A thin face on `logging`: `log.info("table_opened", table=code)`."""

    __slots__ = ("_logger",)

    def __init__(self, logger: logging.Logger) -> None:
        self._logger = logger

    def debug(self, event: str, **fields: object) -> None:
        """For following one case by hand."""
        self._log(logging.DEBUG, event, fields)

    def info(self, event: str, **fields: object) -> None:
        """Something happened that an operator may want to know."""
        self._log(logging.INFO, event, fields)

    def warning(self, event: str, **fields: object) -> None:
        """Something was refused or repaired."""
        self._log(logging.WARNING, event, fields)

    def error(self, event: str, *, exc_info: BaseException | None = None, **fields: object) -> None:
        """Something broke; pass the exception."""
        self._log(logging.ERROR, event, fields, exc_info)

    def _log(
        self,
        level: int,
        event: str,
        fields: dict[str, object],
        error: BaseException | None = None,
    ) -> None:
        if not self._logger.isEnabledFor(level):
            return
        if bad := _FORBIDDEN & fields.keys():
            raise ValueError(f"a log line may not carry {sorted(bad)}")
        self._logger.log(level, event, exc_info=error, extra={"fields": fields})


def get_logger(name: str) -> EventLogger:
    """The logger of a module: `log = get_logger(__name__)`."""
    return EventLogger(logging.getLogger(name))


def _moment(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")


def _fields(record: logging.LogRecord) -> dict[str, Any]:
    return getattr(record, "fields", {})


class JsonFormatter(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """The line without its newline."""
        line: dict[str, Any] = {
            "at": _moment(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage(),
            **_fields(record),
        }
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return orjson.dumps(line, default=str).decode()


class ConsoleFormatter(logging.Formatter):
    """A line for people."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, and below it the trace if there is one."""
        fields = "".join(f" {name}={value}" for name, value in _fields(record).items())
        text = (
            f"{_moment(record)[11:23]} {record.levelname.lower():7} {record.getMessage()}{fields}"
        )
        if record.exc_info:
            text = f"{text}\n{self.formatException(record.exc_info)}"
        return text


def configure(level: str, style: Literal["console", "json"], stream: TextIO | None = None) -> None:
    """Send all logs to `stream` (stderr). Call it once, at start."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonFormatter() if style == "json" else ConsoleFormatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for noisy in ("uvicorn", "websockets", "asyncio", "alembic"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
    # A pool that finds the database away says so with a trace each time; whoever asks it says so.
    logging.getLogger("asyncpg").setLevel(logging.ERROR)
