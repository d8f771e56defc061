"""What players send and get over REST."""

from typing import Literal, Self
from uuid import UUID

from pydantic import BaseModel, Field

from app.infra.rest import Sent
from app.players.service import Account

Avatar = Literal["jc", "jd", "jh", "js", "kc", "kd", "kh", "ks", "qc", "qd", "qh", "qs"]
NAME = Field(default=None, max_length=100, description="2 to 20 letters, digits, spaces, . ' - _")
LOCALE = Field(default=None, max_length=35, description="A language tag such as `es-UY`.")


class NewGuest(Sent):
    """A guest may bring a name; without one it gets a friendly one in its language."""

    name: str | None = NAME
    locale: str | None = LOCALE


class Changes(Sent):
    """What is left out stays as it is."""

    name: str | None = NAME
    avatar: Avatar | None = None
    locale: str | None = LOCALE


class OwnProfile(BaseModel):
    """A player as it sees itself; levels as rules.md §7."""

    id: UUID
    name: str
    avatar: str
    locale: str | None
    guest: bool
    xp: int
    level: int
    level_from: int
    level_to: int

    @classmethod
    def of(cls, account: Account) -> Self:
        """From the service's record."""
        return cls(
            id=account.id,
            name=account.name,
            avatar=account.avatar,
            locale=account.locale,
            guest=account.guest,
            xp=account.xp,
            level=account.level,
            level_from=account.level_from,
            level_to=account.level_to,
        )


class Guest(BaseModel):
    """A new guest with the token of its session (`Authorization: Bearer …`); told only now."""

    player: OwnProfile
    token: str


class Me(BaseModel):
    """The asking player."""

    player: OwnProfile
