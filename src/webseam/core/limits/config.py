"""Limits of configuration: sizes, and the highest values that may be set."""

from typing import Final

CONFIG_BYTES: Final = 262_144
"""A configuration or secrets file larger than this is something else."""

TIMEOUT_SECONDS_MAX: Final = 86_400.0
"""Highest configurable time: a day. A longer one is a typing error, and infinity is no deadline."""

CANCEL_AGAIN_SECONDS: Final = 1.0
"""After which a block that is over time is cancelled anew: one may be swallowed (`asyncio.wait_for` of Python 3.11)."""

MAX_RESULTS_MAX: Final = 100
"""Highest configurable `search.max_results`: the most that any vendor gives for one call."""

FETCH_BYTES_MAX: Final = 100_000_000
"""Highest configurable `fetch.max_bytes` and `fetch.max_pdf_bytes`: a body is held in memory, decoded and converted."""

MAX_REDIRECTS_MAX: Final = 20
"""Highest configurable `fetch.max_redirects`: where browsers stop (Fetch standard, HTTP-redirect fetch step 5)."""

ANSWER_CHARS_MAX: Final = 1_000_000
"""Highest configurable length of an answer: about 250,000 tokens, more than models take."""

KEY_CHARS: Final = 4_096
"""Longest key that `webseam keys set` takes: signed tokens stay below 2,000 characters, and a header has to hold it."""

KEYRING_SECONDS: Final = 10.0
"""For one answer of the system's keyring: time to unlock it. A dialog that nobody sees must not hang a call."""

KEYRING_REST_SECONDS: Final = 60.0
"""How long a keyring that gave no answer is not asked again: every provider and every name would wait in turn."""

FILE_SETTLED_SECONDS: Final = 2.0
"""A file that was changed less long ago is read again: FAT keeps the time of a change to 2 s, other systems closer."""

KEYS_REMEMBERED: Final = 1_000
"""Keys that are hidden from observers after they were rotated away: a call that runs may still tell of them."""
