"""*Play now*: tickets become tables.

A ticket belongs to a connection (a socket, or a request that waits) and dies with it. The process
that has the connection keeps the ticket's row alive, matches the tickets of the wishes it knows of
(``alone_with`` lets one process at a time do so) and fetches their answers; who is brought together
sits at a table whose match has begun, in the very transaction that answers the tickets (D2). The
rows are the truth, so any number of processes may do this side by side.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from app.infra import metrics
from app.infra.clock import Clock
from app.infra.config import Timing
from app.infra.db import Database
from app.infra.errors import AppError
from app.infra.ids import new_id
from app.infra.logging import get_logger
from app.infra.rng import Rng
from app.infra.tasks import TaskOwner
from app.lobby import addresses, matching, parties, tickets
from app.lobby.latecomers import Latecomers
from app.lobby.matching import EQUAL, Seating, Ticket, Wish
from app.lobby.places import Asked, Listener, Place
from app.lobby.rules import rules_for
from app.players.models import PlayerRef
from app.tables import sitting
from app.tables.events import Options
from app.tables.seats import Opening
from app.tables.service import Tables

log = get_logger(__name__)

MOST: Final = 64
"""Tickets that are looked at for one table."""
TIDY_MS: Final = 60_000
"""How often old parties are looked for."""

WAITING = metrics.gauge("rebelote_tickets", "People of this process who look for a game.")
MATCHED = metrics.counter("rebelote_matched_total", "Tables opened for tickets, by people.")


class Matchmaker:
    """One a process; ``await run()``, ``drain()``, ``await close()``."""

    def __init__(
        self, db: Database, tables: Tables, clock: Clock, rng: Rng, timing: Timing
    ) -> None:
        self._db = db
        self._tables = tables
        self._clock = clock
        self._rng = rng
        self._timing = timing
        self._owner = new_id(clock, rng)
        self._tasks = TaskOwner("matchmaker")
        self._late = Latecomers(db, tables)
        self._mine: dict[UUID, Place] = {}
        self._wake = asyncio.Event()
        self._beaten_ms = self._tidied_ms = -TIDY_MS
        self._draining = False
        self._key = b""

    # Its own life

    async def run(self) -> None:
        """Start; returns when it runs."""
        async with self._db.unit_of_work() as session:
            self._key = await addresses.key_of_the_house(session, self._rng)
        self._tasks.start(self._loop(), "loop")

    def drain(self) -> None:
        """Tell everybody to look elsewhere, and take nobody any more."""
        self._draining = True
        for place in list(self._mine.values()):
            self._end(place)
            place.cancelled(_draining())

    async def close(self) -> None:
        """Drain, end the tasks, and leave no ticket behind."""
        self.drain()
        await self._tasks.close()

        async def work() -> None:
            async with self._db.unit_of_work() as session:
                await tickets.drop_all(session, self._owner)

        await self._guarded(work)

    def hash_of(self, host: str | None) -> bytes | None:
        """What is kept of an address; None for one that says nothing."""
        return addresses.address_hash(self._key, host)

    # Tickets

    async def enter(
        self, player: PlayerRef, asked: Asked, host: str | None, listener: Listener
    ) -> UUID:
        """Look for a game; the key for ``leave``. The listener hears at once if there is a seat:
        one's own at a table of this game that waits or plays, or a bot's at a running one.

        AppError ``unknown_preset``, ``bad_options``, ``busy_elsewhere`` (with the ``table``),
        ``rated_pause``, ``party_incomplete``, ``draining``.
        """
        if self._draining:
            raise _draining()
        key = new_id(self._clock, self._rng)
        place = await self._place(player, asked, key, listener)
        if await self._seated_already(place):
            return key
        if await self._late.seat(place, await self._late.tables(place.wish)):
            return key
        old = self._mine.get(player.id)
        if old is not None and old.same_as(place):
            old.listeners[key] = listener
            listener.queued(old, max(1, old.told))
            return key
        self._mine[player.id] = place
        WAITING.set(len(self._mine))
        if old is not None:
            old.cancelled(AppError("queued_elsewhere"))
        await self._queue(place, key, self.hash_of(host))
        return key

    async def _place(self, player: PlayerRef, asked: Asked, key: UUID, listener: Listener) -> Place:
        rules = rules_for(asked.preset, asked.target, rated=asked.rated)
        usual = self._timing.fill
        wait_ms = min(usual if asked.wait_ms is None else asked.wait_ms, self._timing.queue_longest)
        party, partner = None, None
        if asked.party:
            if rules.players != 4:
                raise AppError("bad_options", message="Partners need a game of four.")
            async with self._db.unit_of_work() as session:
                party = await parties.whole_party_of(session, player.id)
                partner = await tickets.wish_of_party(session, party, player.id)
        place = Place(
            conn=new_id(self._clock, self._rng),
            player=player,
            wish=Wish(asked.preset, rules.target, asked.speed, asked.rated),
            wait_ms=wait_ms,
            patient=wait_ms > usual,
            party=party,
            since_ms=self._clock.monotonic_ms(),
            listeners={key: listener},
            together=party is None,
        )
        place.follow(partner)
        if place.wish.rated:
            await self._tables.rated_pause(player.id)
        return place

    async def _seated_already(self, place: Place) -> bool:
        """Whether the person has a seat at a table of this game, which it is told then. AppError
        ``busy_elsewhere`` if the game there is another."""
        async with self._db.unit_of_work() as session:
            code = await sitting.active_seat(session, place.player.id)
        if code is None:
            return False
        for own in await self._tables.seats_of(place.player.id):
            if own.code == code and own.preset == place.wish.preset:
                place.matched(code, own.seat)
                return True
        raise AppError("busy_elsewhere", facts={"table": code})

    async def _queue(self, place: Place, key: UUID, address: bytes | None) -> None:
        """Write the row; who came to wait as well hears if that fails."""
        try:
            answered = await self._write(place, address)
        except BaseException as error:
            self._end(place)
            place.listeners.pop(key, None)
            place.cancelled(error if isinstance(error, AppError) else AppError("unavailable"))
            raise
        if self._mine.get(place.player.id) is not place:
            # Meanwhile a round has brought its answer, or it was left or taken over: its row may
            # have been written after it was dropped.
            self._end(place)
        elif answered is None:
            place.queued, place.told = True, max(1, place.told)
            place.since_ms = self._clock.monotonic_ms()
            for listener in place.listeners.values():
                listener.queued(place, place.told)
            self._wake.set()
        else:
            self._end(place)
            place.matched(answered.code, answered.seat)

    async def _write(self, place: Place, address: bytes | None) -> tickets.Answered | None:
        async with self._db.unit_of_work() as session:
            if place.party is not None:
                # One partner after the other: two who press at once shall not miss each other.
                await parties.hold(session, place.party)
                asked = place.wish
                place.follow(await tickets.wish_of_party(session, place.party, place.player.id))
                if place.wish.rated and not asked.rated:
                    raise AppError("conflict")  # chosen in this moment: nobody looked at pauses
            if not place.wish.rated:
                address = None  # not needed, so not kept
            ticket = Ticket(
                place.player, EQUAL, 0, place.wait_ms, place.patient, place.party, address
            )
            life = self._timing.ticket_life
            if await tickets.enter(session, place.wish, ticket, place.conn, self._owner, life):
                place.told = (await tickets.counts(session)).get(place.wish, 1)
                return None
            return await tickets.fetch_one(session, place.player.id)

    def leave(self, key: UUID) -> bool:
        """A window is gone, or asks no more; with the last one the ticket dies. False if there was
        nothing to leave."""
        for place in self._mine.values():
            if place.listeners.pop(key, None) is not None:
                if not place.listeners:
                    self._end(place)
                return True
        return False

    def _end(self, place: Place) -> None:
        """Forget a place, and its row soon after."""
        if self._mine.get(place.player.id) is place:
            del self._mine[place.player.id]
        WAITING.set(len(self._mine))
        if not self._tasks.closed:
            self._tasks.start(self._drop(place), "drop")

    async def _drop(self, place: Place) -> None:
        async def work() -> None:
            async with self._db.unit_of_work() as session:
                await tickets.drop(session, place.player.id, place.conn)

        await self._guarded(work)

    # The loop

    async def _loop(self) -> None:
        while True:
            with_nobody = not self._mine
            wait_s = None if with_nobody else self._next_look_ms() / 1000
            try:
                async with asyncio.timeout(wait_s):
                    await self._wake.wait()
            except TimeoutError:
                pass
            self._wake.clear()
            await self._guarded(self._round)

    def _next_look_ms(self) -> int:
        now = self._clock.monotonic_ms()
        ends = [place.since_ms + place.wait_ms - now for place in self._mine.values()]
        soon = min((end for end in ends if end >= 0), default=self._timing.queue_tick)
        return max(5, min(soon, self._timing.queue_tick))

    async def _guarded(self, work: Callable[[], Awaitable[None]]) -> None:
        """Whatever a round breaks on ends neither loop nor clean-up: rows die by themselves."""
        try:
            await work()
        except Exception as error:
            log.error("matchmaker_failed", exc_info=error)

    async def _round(self) -> None:
        """One look at all tickets of this process."""
        now = self._clock.monotonic_ms()
        if now - self._beaten_ms >= self._timing.ticket_life // 3:
            self._beaten_ms = now
            await self._beat()
        if now - self._tidied_ms >= TIDY_MS:
            self._tidied_ms = now
            async with self._db.unit_of_work() as session:
                await parties.forget_old(session, self._timing.party_life)
        for wish in {place.wish for place in self._mine.values() if place.queued}:
            while await self._match(wish):
                await self._fetch()
            await self._offer_late(wish)
        await self._fetch()
        await self._tell()

    async def _beat(self) -> None:
        places = [place for place in self._mine.values() if place.queued]
        async with self._db.unit_of_work() as session:
            alive = await tickets.beat(session, self._owner, self._timing.ticket_life)
            # Looked at now, for who came meanwhile: a place is here before its row is there.
            if left := alive - {place.conn for place in self._mine.values()}:
                await tickets.drop_conns(session, self._owner, left)
        for place in places:
            if place.conn not in alive and self._mine.get(place.player.id) is place:
                await self._lost(place)

    async def _lost(self, place: Place) -> None:
        """Somebody else has ended this ticket: say why."""
        self._end(place)
        try:
            if not await self._seated_already(place):
                why = "queued_elsewhere" if place.party is None else "party_incomplete"
                place.cancelled(AppError(why))
        except AppError as error:
            place.cancelled(error)

    async def _match(self, wish: Wish) -> bool:
        """Open one table for a wish, if there is one to open. True: look again."""
        try:
            async with self._db.unit_of_work() as session:
                opening = await self._open(session, wish)
        except AppError as error:  # one of them sat down elsewhere in this moment: look again soon
            log.info("match_put_off", code=error.code)
            return False
        if opening is None:
            return False
        self._tables.opened(opening)
        return True

    async def _open(self, session: AsyncSession, wish: Wish) -> Opening | None:
        if not await tickets.alone_with(session, wish):
            return None
        found = await self._waiting(session, wish)
        players = rules_for(wish.preset, wish.target).players
        seating = matching.form(found, players, rated=wish.rated)
        if seating is None:
            return None
        rated = seating.rated
        options = Options(
            preset=wish.preset,
            rules=rules_for(wish.preset, wish.target, rated=rated),
            speed=wish.speed,
            rated=rated,
            fill=True,
            spectators=True,
            latecomers=not rated,
        )
        sitting_down = [None if ticket is None else ticket.player for ticket in seating.seats]
        opening = await self._tables.open_in(session, sitting_down, options)
        await self._answer(session, opening.after.code, seating, rated=rated)
        MATCHED.add(people=str(len(seating.people)))
        return opening

    async def _waiting(self, session: AsyncSession, wish: Wish) -> list[Ticket]:
        """Who waits with a wish; who sat down elsewhere meanwhile waits no more."""
        found = await tickets.take(session, wish, MOST)
        busy = await sitting.busy(session, [ticket.player.id for ticket in found])
        if busy:
            await tickets.drop_people(session, busy)
            self._beaten_ms = -self._timing.ticket_life  # look at once whose ticket is gone
        return [ticket for ticket in found if ticket.player.id not in busy]

    async def _answer(
        self, session: AsyncSession, code: str, seating: Seating, *, rated: bool
    ) -> None:
        seats = {
            ticket.player.id: seat
            for seat, ticket in enumerate(seating.seats)
            if ticket is not None
        }
        await tickets.answer(session, code, seats)
        if rated:  # a rematch may set them anew
            for ticket in seating.people:
                await sitting.note_address(session, code, ticket.player.id, ticket.address)

    async def _fetch(self) -> None:
        async with self._db.unit_of_work() as session:
            answered = await tickets.fetch(session, self._owner)
        for each in answered:
            place = self._mine.get(each.player)
            if place is not None and place.conn == each.conn:
                del self._mine[each.player]
                place.matched(each.code, each.seat)
        WAITING.set(len(self._mine))

    async def _tell(self) -> None:
        if not self._mine:
            return
        async with self._db.unit_of_work() as session:
            with_parties = any(place.party is not None for place in self._mine.values())
            whole = await tickets.whole_parties(session) if with_parties else set()
            counts = await tickets.counts(session)  # second: whoever is together is counted
        for place in self._mine.values():
            if not place.queued:
                continue
            people = max(1, counts.get(place.wish, 0))
            together = place.party is None or place.party in whole
            if together and not place.together:
                place.since_ms = self._clock.monotonic_ms()
            if (people, together) != (place.told, place.together):
                place.told, place.together = people, together
                for listener in place.listeners.values():
                    listener.queued(place, people)

    async def _offer_late(self, wish: Wish) -> None:
        codes = await self._late.tables(wish)
        for place in list(self._mine.values()) if codes else ():
            here = place.queued and self._mine.get(place.player.id) is place  # not gone meanwhile
            if here and place.wish == wish and await self._late.seat(place, codes):
                self._end(place)


def _draining() -> AppError:
    return AppError("draining", retry_after=2)
