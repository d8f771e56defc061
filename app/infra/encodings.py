"""Which encodings of a body a client reads."""

import re
from typing import Final

_REFUSED: Final = re.compile(r"\s*q\s*=\s*0(\.0*)?\s*", re.IGNORECASE)


def reads_gzip(accept_encoding: str) -> bool:
    """Whether `Accept-Encoding` names gzip without refusing it by a weight of nought (RFC 9110,
    12.5.3). Who names `*` alone gets the plain form, which everybody reads."""
    for part in accept_encoding.split(","):
        coding, _, weight = part.partition(";")
        if coding.strip().lower() == "gzip":
            return _REFUSED.fullmatch(weight) is None
    return False
