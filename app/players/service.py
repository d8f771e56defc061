"""Guests, sessions and the few things a player may change about itself.

A token is 32 random bytes, told once; the database keeps its SHA-256, so that a stolen backup
signs nobody in.
"""

import base64
import hashlib
from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta
from typing import Final
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from app.infra.clock import Clock
from app.infra.db import Database
from app.infra.errors import AppError
from app.infra.ids import new_id
from app.infra.rng import Rng
from app.players import repository
from app.players.models import AVATARS, LOCALES, Player, PlayerRef, Session
from app.players.names import clean_name, guest_name
from app.players.ports import Doormen, Levels

TOKEN_BYTES: Final = 32
SESSION_LIFE: Final = timedelta(days=400)
"""Since it was last seen: browsers keep no cookie longer than 400 days."""
SEEN_EVERY: Final = timedelta(days=1)
"""`seen_at` is written at most this often: reading must not write each time."""


@dataclass(frozen=True, slots=True)
class Account:
    """A player as it sees itself. Points are of experience (rules.md §7)."""

    id: UUID
    name: str
    avatar: str
    locale: str | None
    guest: bool
    xp: int
    level: int
    level_from: int
    level_to: int

    @property
    def ref(self) -> PlayerRef:
        """What tables are told."""
        return PlayerRef(self.id, self.name, self.avatar, self.level)


@dataclass(frozen=True, slots=True)
class Signed:
    """Who asks, and with which session."""

    account: Account
    token_hash: bytes


def hash_of(token: str) -> bytes:
    """What the database knows of a token."""
    return hashlib.sha256(token.encode()).digest()


class Players:
    """The service; one a process."""

    def __init__(self, db: Database, clock: Clock, rng: Rng, levels: Levels) -> None:
        self._db = db
        self._clock = clock
        self._rng = rng
        self._levels = levels
        self.doormen: Doormen | None = None
        """Set by `main.py`: the hub is made after the services."""

    async def new_guest(self, name: str | None, locale: str | None) -> tuple[Account, str]:
        """A guest and the token of its first session; AppError ``bad_name``."""
        random = self._rng.random()
        now = self._clock.now()
        token = base64.urlsafe_b64encode(self._rng.token_bytes(TOKEN_BYTES)).rstrip(b"=").decode()
        player = Player(
            id=new_id(self._clock, self._rng),
            name=guest_name(locale, random) if name is None else clean_name(name),
            avatar=random.choice(AVATARS),
            locale=_known_locale(locale),
            guest=True,
            created_at=now,
        )
        first = Session(token_hash=hash_of(token), player_id=player.id, created_at=now, seen_at=now)
        async with self._db.unit_of_work() as session:
            await repository.add(session, player, first)
            return await _account(self._levels, session, player), token

    async def authenticate(self, token: str) -> Signed | None:
        """Who holds this token; None if its session is over or never was."""
        token_hash = hash_of(token)
        now = self._clock.now()
        async with self._db.unit_of_work() as session:
            found = await repository.by_token(session, token_hash, now - SESSION_LIFE)
            if found is None:
                return None
            player, seen_at = found
            if now - seen_at > SEEN_EVERY:
                await repository.touch(session, token_hash, now)
            return Signed(await _account(self._levels, session, player), token_hash)

    async def ref(self, player_id: UUID) -> PlayerRef:
        """What tables are told of a player now; AppError ``player_not_found``."""
        async with self._db.unit_of_work() as session:
            player = await repository.by_id(session, player_id)
            if player is None:
                raise AppError("player_not_found")
            return (await _account(self._levels, session, player)).ref

    async def still_alive(self, token_hashes: Collection[bytes]) -> set[bytes]:
        """Those sessions that are not over (the sockets' recheck: one query for many)."""
        async with self._db.unit_of_work() as session:
            return await repository.alive(session, token_hashes, self._clock.now() - SESSION_LIFE)

    async def change(
        self, player_id: UUID, *, name: str | None, avatar: str | None, locale: str | None
    ) -> Account:
        """Change what is not None; AppError ``bad_name``, ``invalid``, ``player_not_found``."""
        async with self._db.unit_of_work() as session:
            player = await repository.by_id(session, player_id)
            if player is None:
                raise AppError("player_not_found")
            if name is not None:
                player.name = clean_name(name)
            if avatar is not None:
                if avatar not in AVATARS:
                    raise AppError("invalid")
                player.avatar = avatar
            if locale is not None:
                player.locale = _known_locale(locale)
            return await _account(self._levels, session, player)

    async def sign_out(self, signed: Signed) -> None:
        """End this session; its sockets are told at once."""
        async with self._db.unit_of_work() as session:
            await repository.end_session(session, signed.token_hash)
        if self.doormen is not None:
            self.doormen.sessions_ended(signed.account.id, signed.token_hash)

    async def sign_out_everywhere(self, player_id: UUID) -> None:
        """End all sessions of the player; all its sockets are told at once."""
        async with self._db.unit_of_work() as session:
            await repository.end_sessions(session, player_id)
        if self.doormen is not None:
            self.doormen.sessions_ended(player_id, None)


async def _account(levels: Levels, session: AsyncSession, player: Player) -> Account:
    level = await levels(session, player.id)
    return Account(
        id=player.id,
        name=player.name,
        avatar=player.avatar,
        locale=player.locale,
        guest=player.guest,
        xp=level.xp,
        level=level.level,
        level_from=level.level_from,
        level_to=level.level_to,
    )


def _known_locale(locale: str | None) -> str | None:
    tag = (locale or "").replace("_", "-").partition("-")[0].lower()
    return tag if tag in LOCALES else None
