"""Limits of rate and key pools."""

from typing import Final

RATE_WAIT_SECONDS: Final = 5.0
"""How long a call waits for its turn where nothing else is configured: a model waits longer for a page to load."""

RATE_CALLS_MAX: Final = 100_000
"""Most calls of a configured rate: the moment of each is remembered for the period, 32 bytes each."""

RATED_HOSTS: Final = 10_000
"""Hosts whose turns are remembered by one process: each takes about a kilobyte."""

KEY_REST_SECONDS: Final = 60.0
"""How long a key that was called too often rests when its vendor names no wait: the usual window is a minute."""

KEY_SPENT_SECONDS: Final = 600.0
"""How long a key rests that was refused or has no quota left: till a person has acted, one call in ten minutes asks."""
