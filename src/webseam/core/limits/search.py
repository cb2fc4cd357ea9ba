"""Limits of searching: calls, answers of vendors and models."""

from typing import Final

SEARCH_SECONDS: Final = 60.0
"""Whole route, fallbacks included: two full attempts in a row look like a hung run to a 90 s watchdog (enso-16)."""

SEARCH_MAX_RESULTS: Final = 8
"""Results a model asked for reads; the vendors' own defaults lie between 5 and 10."""

SEARCH_SNIPPET_CHARS: Final = 1_000
"""Characters of one snippet shown to the model; some vendors send whole page extracts as snippets."""

SEARCH_ANSWER_CHARS: Final = 20_000
"""Characters of one search answer shown to the model, sources included."""

QUERY_CHARS: Final = 4_096
"""A query longer than this is a prompt, not a query (R150); vendors cap between 70 and 4,096 characters."""

MAX_QUERIES: Final = 10
"""Highest configurable `tools.max_queries`: each query is a billed call."""

LIVE_SECONDS: Final = 30.0
"""One trial of a vendor by `webseam doctor --live`: half a search's time, as no fallback follows."""

LIVE_MAX_RESULTS: Final = 3
"""Results asked for in such a trial: enough to see the mapping, and some vendors bill by result."""

LINKS_FOLLOWED: Final = 20
"""Redirect links of one answer that are followed to the pages behind them: twice what a grounded answer cites."""

LINK_SECONDS: Final = 3.0
"""How long all of them together may take: one HEAD each, at once; a link that is not followed still works."""

VENDOR_BYTES: Final = 10_000_000
"""Body of one vendor API response."""

VENDOR_ERROR_BYTES: Final = 65_536
"""Body of one vendor error that is read for its message."""
