"""Limits of permission, and of what a run remembers for it."""

from typing import Final

RUN_URLS: Final = 20_000
"""URLs that a run remembers of results and pages, and as many of the person's words; the oldest go first (4 MB)."""

RUN_URL_BYTES: Final = 120
"""What a remembered URL takes besides its characters (measured)."""

RUN_PAGE_URLS: Final = 1_000
"""URLs that a run takes from one text: more links than an answer of 40,000 characters holds."""

RUN_TEXT_CHARS: Final = 1_000_000
"""Characters of one text in which a run looks for URLs: 0.2 s for the slowest (measured); the rest is not read."""

RUN_SITES: Final = 1_000
"""Sites that a person allowed for one run; more answers than a person gives."""

DATA_PART_CHARS: Final = 24
"""Letters and digits in a row from which a part of a URL or query may be data: a key of 16 bytes in Base64 has 22."""

DATA_PART_BITS: Final = 3.2
"""Bits a character from which such a part is data: 94 % of random hexadecimal with 24 characters is (measured)."""

RUN_CALLS_MAX: Final = 1_000_000
"""Highest configurable `permission.max_calls`: more is no bound."""

RUN_COST_MAX: Final = 1_000_000.0
"""Highest configurable `permission.max_cost`, in US dollars: more is no bound."""
