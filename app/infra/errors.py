"""Errors that a client sees: a closed registry of stable codes, each with its status and message.

REST answers `{"error": {"code", "message"}}`, the socket a `nak` with the code. Nobody branches on
a message's text (D1's `RuleError` has its own codes, in `belote`). A layer above may not invent a
code: it registers it here, so that one page lists them all.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class ErrorKind:
    """What a code means: its HTTP status, a default sentence, whether trying again may help."""

    status: int
    message: str
    retry: bool = False


KINDS: Final[dict[str, ErrorKind]] = {
    # Asking
    "bad_request": ErrorKind(400, "The request could not be read."),
    "invalid": ErrorKind(422, "A field has a wrong value."),
    "not_found": ErrorKind(404, "There is no such thing here."),
    "method_not_allowed": ErrorKind(405, "This address does not do that."),
    "too_large": ErrorKind(413, "The request is too large."),
    "unsupported_media_type": ErrorKind(415, "The body must be JSON."),
    "question_refused": ErrorKind(422, "The referee can't answer this question."),
    # Who
    "sign_in": ErrorKind(401, "Sign in first."),
    "forbidden": ErrorKind(403, "This is not yours to do."),
    "foreign_origin": ErrorKind(403, "The request comes from another site."),
    "not_seated": ErrorKind(403, "You have no seat at this table."),
    "not_host": ErrorKind(403, "Only the table's host may do this."),
    "player_not_found": ErrorKind(404, "There is no such player."),
    "bad_name": ErrorKind(422, "This name can't be used."),
    # Tables
    "table_not_found": ErrorKind(404, "There is no such table."),
    "table_closed": ErrorKind(410, "This table is closed."),
    "table_full": ErrorKind(409, "All seats are taken."),
    "seat_taken": ErrorKind(409, "This seat is taken."),
    "already_seated": ErrorKind(409, "You already have a seat at this table."),
    "busy_elsewhere": ErrorKind(409, "You are playing at another table."),
    "somebody_elsewhere": ErrorKind(409, "Somebody of this table plays at another one."),
    "same_address": ErrorKind(
        409, "In rated matches people from one address can't play against each other."
    ),
    "rated_needs_people": ErrorKind(
        409, "A rated match is played by people alone: every seat needs one."
    ),
    "party_not_found": ErrorKind(404, "There is no such party."),
    "party_full": ErrorKind(409, "This party has two members already."),
    "party_incomplete": ErrorKind(409, "Your party needs a second member first."),
    "queued_elsewhere": ErrorKind(409, "You look for a game from another window now."),
    "wrong_status": ErrorKind(409, "The table is not in a state that allows this."),
    "no_such_seat": ErrorKind(409, "Nobody sits there who could be moved or sent away."),
    "sent_away": ErrorKind(403, "The host has sent you away from this table."),
    "match_left": ErrorKind(409, "You have left this match for good."),
    "too_many_onlookers": ErrorKind(429, "Too many people watch this table already."),
    "rated_pause": ErrorKind(403, "You left or missed rated matches: play casual ones for now."),
    "unknown_preset": ErrorKind(422, "There is no such preset."),
    "bad_options": ErrorKind(422, "These options do not go together."),
    # Matches and records
    "match_not_found": ErrorKind(404, "There is no such match."),
    "match_running": ErrorKind(409, "The match is still being played."),
    # Commands
    "stale": ErrorKind(409, "The table has moved on."),
    "conflict": ErrorKind(409, "Somebody else was first; try again.", retry=True),
    "unavailable": ErrorKind(503, "The database can't be reached; try again.", retry=True),
    "draining": ErrorKind(503, "This server is about to stop; try again.", retry=True),
    # Limits
    "too_many_requests": ErrorKind(429, "Too many requests; wait a little.", retry=True),
    "flood": ErrorKind(429, "Too many messages; wait a little.", retry=True),
    "internal": ErrorKind(500, "Something broke here; it has been written down.", retry=True),
}


class AppError(Exception):
    """A refusal with a stable code.

    `status` and `message` default to the registry's; `retry_after` is in seconds and becomes the
    header of that name; `facts` are JSON-ready, for a sentence that says why.
    """

    def __init__(
        self,
        code: str,
        status: int | None = None,
        message: str | None = None,
        *,
        retry_after: int | None = None,
        facts: Mapping[str, object] | None = None,
    ) -> None:
        kind = KINDS[code]  # KeyError here is a bug of ours: codes are registered, not invented
        self.code = code
        self.status = kind.status if status is None else status
        self.message = kind.message if message is None else message
        self.retry = kind.retry
        self.retry_after = retry_after
        self.facts: Mapping[str, object] = facts or {}
        super().__init__(f"{code}: {self.message}")

    def body(self) -> dict[str, dict[str, object]]:
        """The JSON body that REST answers with."""
        error: dict[str, object] = {"code": self.code, "message": self.message}
        return {"error": {**error, "facts": dict(self.facts)} if self.facts else error}
