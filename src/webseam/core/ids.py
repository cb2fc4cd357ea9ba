"""Ids of calls and requests: unlike all others, and no secrets."""

import os
from random import Random

_source = Random()  # noqa: S311 - nothing is opened by an id; seeded by the system
"""Asking the system for each costs ten times as much."""

if hasattr(os, "register_at_fork"):  # a child would go on as its parent does
    os.register_at_fork(after_in_child=_source.seed)


def new_id(size: int) -> str:
    """So many random bytes, in hexadecimal digits."""
    return f"{_source.getrandbits(8 * size):0{2 * size}x}"
