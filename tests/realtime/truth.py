"""What really lay in which hand, read from the log, against what sockets were told (D4)."""

import re
from dataclasses import dataclass
from typing import Any

import asyncpg
import orjson

CARD = re.compile(r"^[789TJQKA][SHDC]$")


@dataclass(frozen=True)
class Row:
    """An event as the log has it."""

    seq: int
    type: str
    public: dict[str, Any]
    private: dict[str, Any]
    hidden: dict[str, Any]


async def log_of(database_url: str, code: str) -> list[Row]:
    """A table's whole log."""
    connection = await asyncpg.connect(database_url)
    try:
        rows = await connection.fetch(
            "SELECT e.seq, e.type, e.public::text, e.private::text, e.hidden::text "
            "FROM table_event e JOIN game_table t ON t.id = e.table_id "
            "WHERE t.code = $1 ORDER BY e.seq",
            code,
        )
    finally:
        await connection.close()
    return [
        Row(r[0], r[1], *(orjson.loads(part) if part is not None else {} for part in r[2:]))
        for r in rows
    ]


def cards_in(value: Any) -> set[str]:
    """Every card that is named anywhere in a piece of JSON, as a value or as a key."""
    if isinstance(value, str):
        return {value} if CARD.match(value) else set()
    if isinstance(value, dict):
        return set().union(*(cards_in(part) for pair in value.items() for part in pair))
    if isinstance(value, list):
        return set().union(*(cards_in(part) for part in value))
    return set()


DEALING = ("hand_dealt", "rest_dealt", "passed", "bid_made")
"""What may bring a seat its own cards: packets, or those that lay face down before it."""


class Witness:
    """Follows what one seat may know, number by number, and what it must not."""

    def __init__(self, log: list[Row], seat: int | None) -> None:
        self._log = {row.seq: row for row in log}
        self._seat = seat
        self._after: dict[int, frozenset[str]] = {}
        self._secrets: list[tuple[str, int]] = []
        self._follow(log)

    def _follow(self, log: list[Row]) -> None:
        known: set[str] = set()
        for row in log:
            if row.type == "hand_dealt":
                known = {row.public["turned"], *cards_in(row.public["up"])}
            if row.type in DEALING and self._seat is not None:
                known |= set((row.private.get(str(self._seat)) or {}).get("cards", ()))
            if row.type in ("card_played", "card_turned_up"):
                known |= {row.public["card"]}
            if row.type in ("declarations_settled", "deal_scored"):
                known |= {
                    card
                    for declared in row.public["declarations"]
                    if declared["outcome"] == "scored"
                    for card in declared["cards"]
                }
            self._after[row.seq] = frozenset(known)
            self._note_secrets(row, log)

    def _note_secrets(self, row: Row, log: list[Row]) -> None:
        for name in ("secret", "next_secret"):
            if secret := row.hidden.get(name):
                told = [r.seq for r in log if secret in orjson.dumps(r.public).decode()]
                self._secrets.append((secret, min(told, default=1 << 30)))

    @property
    def known(self) -> frozenset[str]:
        """What the seat knows at the log's end."""
        return self._after[max(self._after)]

    def check(self, frame: dict[str, Any]) -> None:
        """AssertionError if a frame tells what its socket may not know."""
        if frame["t"] == "ev":
            seq = frame["evs"][-1]["seq"]
            for event in frame["evs"]:
                extra = cards_in([event["d"], event.get("p")]) - self._after[event["seq"]]
                assert not extra, f"{event['type']} told seat {self._seat} of {extra}"
                self._check_private(event)
            assert cards_in(frame.get("turn")) <= self._after[seq]
        elif frame["t"] == "snap":
            seq = frame["seq"]
            game = {**(frame["view"]["game"] or {}), "deals": []}
            extra = cards_in([game, frame["turn"]]) - self._after[seq]
            assert not extra, f"a snapshot told seat {self._seat} of {extra}"
        else:
            seq = max(self._after)
            assert frame["t"] in ("turn", "nak") or not cards_in(frame)
        text = orjson.dumps(frame).decode()
        for secret, told in self._secrets:
            assert secret not in text or seq >= told, "a secret was told too early"
        assert "hidden" not in text

    def _check_private(self, event: dict[str, Any]) -> None:
        private = self._log[event["seq"]].private
        own = private.get(str(self._seat)) if self._seat is not None else None
        assert event.get("p") == own, "the private part is the viewer's own"
