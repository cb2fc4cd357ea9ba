"""Limits of the state that several processes share."""

from typing import Final

FLEET_SECONDS: Final = 2.0
"""How long the shared server may take for one step: a call is better off without it then."""

FLEET_REST_SECONDS: Final = 1.0
"""How long a shared server that failed is left alone: till then every call would wait for it in vain."""

FLEET_CONNECTIONS: Final = 32
"""Connections of one process to the shared server: a step takes well under a millisecond."""

FLEET_PREFIX_CHARS: Final = 64
"""Longest prefix of our keys on the shared server: it stands in front of each."""

FLIGHT_LEASE_SECONDS: Final = 3.0
"""How long others wait for a process that died while it asked for what they want; a living one renews its lease."""

FLIGHT_LOOK_SECONDS: Final = 0.05
"""Longest time between two looks at what another process asks for: a page costs about as much by itself."""

FLIGHT_TOLD_SECONDS: Final = 10.0
"""How long those who wait can learn how a request ended: they look twenty times a second."""

SHARED_PAGE_SECONDS: Final = 604_800.0
"""Longest time a page stays on the shared server, so that it can be confirmed: in a week most have changed."""

SHARED_PAGE_BYTES: Final = 8_000_000
"""Largest page kept on the shared server: a longer one would hold up every other step there, and miss its own time."""

SHARED_PAGES_BYTES: Final = 1_000_000_000
"""Pages kept on the shared server together: what a small one has of memory, half of it left for everything else."""

SHARED_PAGES_KEPT: Final = 100_000
"""Pages kept on the shared server: ten times those of one machine."""

SEARCH_CACHE_SECONDS: Final = 300.0
"""How long an answer to a search is used again where nothing else is configured: news change within minutes."""

SEARCH_FALLBACK_SECONDS: Final = 15.0
"""How long an answer is used again that another provider than the first one gave: the first may be back (R170)."""

SEARCHES_BYTES: Final = 32_000_000
"""Answers to searches kept in one place: some thousand."""

BUDGET_SECONDS: Final = 172_800.0
"""How long the sums of a day are kept: it can be looked at for a day after its end."""
