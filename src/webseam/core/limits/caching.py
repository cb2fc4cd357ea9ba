"""Limits of the page cache."""

from typing import Final

PAGES_MEMORY_BYTES: Final = 64_000_000
"""Pages cached in one process: as much as the snapshots of what a model reads."""

PAGES_MADE_BYTES: Final = 32_000_000
"""Pages kept as they were made, beside their answers: some hundred ordinary ones, those that are read most."""

PAGES_DISK_BYTES: Final = 256_000_000
"""Pages cached in the file: a few thousand of ordinary size."""

PAGES_KEPT: Final = 10_000
"""Cached pages: small ones (redirects, errors) would else be many, and each write counts them all (0.6 ms)."""

PAGES_BUSY_SECONDS: Final = 0.25
"""How long the cache's file is waited for while another process writes: about what a page costs without a cache."""

PAGE_HEURISTIC_SECONDS: Final = 86_400.0
"""Longest freshness guessed from `Last-Modified` (RFC 9111 section 4.2.2 leaves it to us): pages change daily."""

PAGE_NEGATIVE_SECONDS: Final = 30.0
"""Longest freshness of an error, whatever its server says: a page made or mended meanwhile is seen soon (R170)."""

PAGE_LIFETIME_SECONDS: Final = 2_147_483_648.0
"""Greatest freshness told apart (RFC 9111 section 1.2.2)."""

VALIDATOR_CHARS: Final = 1_024
"""A longer `ETag` is not sent back: honest ones are hashes."""

CASSETTE_BYTES: Final = 500_000_000
"""Longest recording that is played: it is held in memory, decoded."""

NEAREST_CHARS: Final = 300
"""Of a request that a replay missed, and of the nearest recorded one: enough to see where they differ."""

NEAREST_KEY_CHARS: Final = 1_000
"""So much of each recorded request is compared for the nearest one: a file of 100,000 is gone through in seconds."""

SECRET_CHARS_LEAST: Final = 4
"""A shorter secret would blank common words in a recording."""
