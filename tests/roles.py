"""Who may ask something of a table, for both halves of what is permitted: REST and the socket.

`nobody` has no session. `stranger`, `spectator`, `left` and `removed` have no seat: they never had
one, watch, have left the match for good, and were sent away by the host. `seated` and `host` wait
for a match to begin; `at_turn` and `not_at_turn` are in one.
"""

from dataclasses import dataclass
from typing import Final

from tests.realtime.harness import Guest, Running

WAITING: Final = ("nobody", "stranger", "seated", "host")
"""Those who may come to a table that waits."""
ROLES: Final = (*WAITING, "removed", "spectator", "left", "not_at_turn", "at_turn")


@dataclass(frozen=True)
class Waiting:
    """A table before its match: the host on seat 0, `seated` on seat 1."""

    code: str
    host: Guest
    seated: Guest
    stranger: Guest

    @property
    def people(self) -> dict[str, Guest]:
        """By role; nobody is not among them."""
        return {"stranger": self.stranger, "seated": self.seated, "host": self.host}


async def waiting(server: Running, **options: object) -> Waiting:
    """A new one."""
    host, seated, stranger = [await server.guest() for _ in range(3)]
    code = (await host.get("POST", "/api/tables", {"preset": "classic", **options}))["table"]
    await seated.get("POST", f"/api/tables/{code}/seats", {"seat": 1})
    return Waiting(code, host, seated, stranger)


PLAYING: Final = ("nobody", "stranger", "removed", "left", "player", "host")
"""Those who may come to a table where a match is played; it may not be watched."""


@dataclass(frozen=True)
class Playing:
    """A match of the host and another person; one has left it, one was sent away before it."""

    code: str
    match: str
    people: dict[str, Guest]
    """By role; nobody is not among them."""


async def playing(server: Running) -> Playing:
    """A new one."""
    table = await waiting(server, visibility="private")
    left, removed = [await server.guest() for _ in range(2)]
    for guest, seat in ((left, 2), (removed, 3)):
        await guest.get("POST", f"/api/tables/{table.code}/seats", {"seat": seat})
    await table.host.get("DELETE", f"/api/tables/{table.code}/seats/3")
    await table.host.get("POST", f"/api/tables/{table.code}/start", {"bots": True})
    async with table.host.socket() as wire:
        await wire.send(t="sub", table=table.code)
        match = (await wire.get("snap"))["view"]["match"]["id"]
        await left.get("DELETE", f"/api/tables/{table.code}/seats/me")
    people = {**table.people, "left": left, "removed": removed, "player": table.seated}
    return Playing(table.code, match, people)
