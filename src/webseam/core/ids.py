"""Ids of calls and requests: unlike all others, and no secrets."""

import os
from random import Random
from typing import Final

_MILLISECONDS: Final = (1 << 48) - 1  # of UUIDv7 too (RFC 9562 section 5.7)
_source = Random()  # noqa: S311 - nothing is opened by an id; seeded by the system
"""Asking the system for each costs ten times as much."""

if hasattr(os, "register_at_fork"):  # a child would go on as its parent does
    os.register_at_fork(after_in_child=_source.seed)


def new_id(size: int) -> str:
    """So many random bytes, in hexadecimal digits."""
    return _source.randbytes(size).hex()


def timed_id(at: float) -> str:
    """An id of 24 hexadecimal digits that sorts by its time: the milliseconds since 1970, then 48 random bits.

    A database puts those behind the others; each random one would fall on a page of its own, which is then written. Two
    of one millisecond are the same once in 10^14 times.

    Args:
        at: seconds since 1970; before 1970 and after the year 10889 the id tells no time.
    """
    milliseconds = int(at * 1_000) & _MILLISECONDS
    return (milliseconds << 48 | _source.getrandbits(48)).to_bytes(12).hex()
