"""Players and their sessions: the rows, and the small reference that other rooms pass around."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from sqlalchemy import CheckConstraint, DateTime, ForeignKey, LargeBinary
from sqlalchemy.orm import Mapped, mapped_column

from app.infra.db import Base

AVATARS: Final = ("jc", "jd", "jh", "js", "kc", "kd", "kh", "ks", "qc", "qd", "qh", "qs")
"""The courts of the deck; `static/avatars/<id>.svg`. A bot's avatar is `bot`."""
LOCALES: Final = ("en", "es", "fr", "pt")


@dataclass(frozen=True, slots=True)
class PlayerRef:
    """A person as a table knows it: who it is, and what its seat shows."""

    id: UUID
    name: str
    avatar: str
    level: int = 0


class Player(Base):
    """A person, guest or (later) registered. Never deleted while a match remembers it."""

    __tablename__ = "player"
    __table_args__ = (CheckConstraint("char_length(name) BETWEEN 2 AND 20", name="name"),)

    id: Mapped[UUID] = mapped_column(primary_key=True)
    name: Mapped[str]
    avatar: Mapped[str]
    locale: Mapped[str | None]
    guest: Mapped[bool]
    created_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))


class Session(Base):
    """A signed-in browser or program. The row holds the token's SHA-256, never the token."""

    __tablename__ = "session"

    token_hash: Mapped[bytes] = mapped_column(LargeBinary, primary_key=True)
    player_id: Mapped[UUID] = mapped_column(ForeignKey("player.id", ondelete="CASCADE"), index=True)
    created_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    seen_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
