"""Limits of configuration: sizes, and the highest values that may be set."""

from typing import Final

CONFIG_BYTES: Final = 262_144
"""A configuration or secrets file larger than this is something else."""

TIMEOUT_SECONDS_MAX: Final = 86_400.0
"""Highest configurable time: a day. A longer one is a typing error, and infinity is no deadline."""

MAX_RESULTS_MAX: Final = 100
"""Highest configurable `search.max_results`: the most that any vendor gives for one call."""

FETCH_BYTES_MAX: Final = 100_000_000
"""Highest configurable `fetch.max_bytes` and `fetch.max_pdf_bytes`: a body is held in memory, decoded and converted."""

MAX_REDIRECTS_MAX: Final = 20
"""Highest configurable `fetch.max_redirects`: where browsers stop (Fetch standard, HTTP-redirect fetch step 5)."""

ANSWER_CHARS_MAX: Final = 1_000_000
"""Highest configurable length of an answer: about 250,000 tokens, more than models take."""
