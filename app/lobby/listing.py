"""The lobby's list as a value: rows, filters, and what has changed between two lists.

Pure. A row keeps its place: who follows the list puts new rows at its end and changed ones where
they are, so nothing jumps under the pointer.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from app.lobby.repository import Listed
from app.lobby.schemas import Speed, Summary


@dataclass(frozen=True, slots=True)
class Filter:
    """Which tables somebody wants to see; None: all. ``seats``: at least so many that a person may
    take; ``running``: matches too, to watch or to join."""

    preset: str | None = None
    rated: bool | None = None
    speed: str | None = None
    seats: int = 0
    running: bool = False

    def fits(self, table: Summary) -> bool:
        """Whether a table is among them."""
        return (
            (self.preset is None or table.preset == self.preset)
            and (self.rated is None or table.rated == self.rated)
            and (self.speed is None or table.speed == self.speed)
            and table.open >= self.seats
            and (self.running or table.status == "waiting")
        )


class Wanted(BaseModel):
    """A filter as a client says it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    preset: Annotated[str | None, Field(max_length=40)] = None
    rated: bool | None = None
    speed: Speed | None = None
    seats: Annotated[int, Field(ge=0, le=4, description="At least so many open seats.")] = 0
    running: Annotated[bool, Field(description="Matches too, to watch or to join.")] = False

    def filter(self) -> Filter:
        """The filter that is meant."""
        return Filter(self.preset, self.rated, self.speed, self.seats, self.running)


@dataclass(frozen=True, slots=True)
class Row:
    """A table of the list, encoded once for everybody."""

    listed: Listed
    summary: Summary
    json: bytes


List = Mapping[str, Row]
"""By code, in the list's order; never changed once made."""


def listed(tables: list[Listed], before: List) -> List:
    """The list of these tables; rows that are as before are taken over."""
    return {table.code: _row(table, before.get(table.code)) for table in tables}


def _row(table: Listed, before: Row | None) -> Row:
    if before is not None and before.listed == table:
        return before
    summary = Summary.of(table)
    return Row(table, summary, summary.model_dump_json().encode())


def chosen(rows: List, wanted: Filter, most: int) -> tuple[List, bool]:
    """The first rows that fit, and whether there are more."""
    fitting = [(code, row) for code, row in rows.items() if wanted.fits(row.summary)]
    return dict(fitting[:most]), len(fitting) > most


@dataclass(frozen=True, slots=True)
class Change:
    """From one list to the next: rows that are new or changed, and codes that are gone."""

    rows: tuple[Row, ...]
    gone: tuple[str, ...]


def change(before: List, after: List) -> Change | None:
    """What somebody lacks who has seen ``before``; None: nothing."""
    rows = tuple(row for code, row in after.items() if before.get(code) is not row)
    gone = tuple(code for code in before if code not in after)
    return Change(rows, gone) if rows or gone else None
