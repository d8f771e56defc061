"""Addresses as keyed hashes: enough to see that two are the same, useless to find out which.

An address of this machine itself says nothing (a proxy stands there, or a developer), so it is
nobody's.
"""

import hashlib
import hmac
from ipaddress import ip_address
from typing import Final

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.ext.asyncio import AsyncSession

from app.infra.rng import Rng
from app.lobby.models import HouseSecret
from app.players.limiter import address_key

NAME: Final = "addresses"
KEY_BYTES: Final = 32
HASH_BYTES: Final = 16


async def key_of_the_house(session: AsyncSession, rng: Rng) -> bytes:
    """The key that all processes share; made by whoever comes first."""
    await session.execute(
        upsert(HouseSecret)
        .values(name=NAME, value=rng.token_bytes(KEY_BYTES))
        .on_conflict_do_nothing()
    )
    value = await session.scalar(select(HouseSecret.value).where(HouseSecret.name == NAME))
    if value is None:
        raise LookupError("the house has no key")
    return value


def address_hash(key: bytes, host: str | None) -> bytes | None:
    """The hash of an address (of a network, for IPv6); None for one that says nothing."""
    if host is None or _is_this_machine(host):
        return None
    return hmac.digest(key, address_key(host).encode(), hashlib.sha256)[:HASH_BYTES]


def _is_this_machine(host: str) -> bool:
    try:
        address = ip_address(host)
    except ValueError:
        return True  # no address at all, such as a Unix socket's
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address).is_loopback
