"""Every limit of webseam with its reason: the one place for numbers, shown by `webseam config show`."""

from typing import Final

# Search ------------------------------------------------------------------------------------------------
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

# Fetch -------------------------------------------------------------------------------------------------
FETCH_SECONDS: Final = 30.0
"""Every hop, the body, decoding and conversion together (dsh-24)."""

EXTRACT_SECONDS: Final = 60.0
"""A vendor's extraction renders pages; as long as a search."""

DNS_SECONDS: Final = 5.0
"""The resolver's own default for one try (resolv.conf(5) `timeout`)."""

CONNECT_SECONDS: Final = 5.0
"""TCP and TLS of one hop; a reachable host answers within one retransmission (3 s, RFC 6298)."""

CONNECT_STAGGER_SECONDS: Final = 0.25
"""Delay before the next address is tried beside the first (RFC 8305 section 5)."""

URL_CHARS: Final = 2_048
"""Unicode code points of a URL, inclusive (dsh-24); longer ones carry data, not addresses."""

FETCH_BYTES: Final = 5_000_000
"""Wire bytes and, separately, decoded bytes of a body (dsh-24)."""

PDF_BYTES: Final = 20_000_000
"""The same cap for PDF, whose bytes are mostly fonts and pictures."""

MAX_REDIRECTS: Final = 5
"""Hops followed within one site (dsh-24, RFC 9110 section 15.4 leaves the number to us)."""

HEADER_BYTES: Final = 64_000
"""All header fields of one response together; one field may fill it."""

HEADER_LINES: Final = 256
"""Header fields of one response."""

ADDRESSES_JUDGED: Final = 64
"""Most answers of one look-up; a longer set is refused unseen."""

ADDRESSES_DIALLED: Final = 4
"""Most judged addresses tried for one hop: n refusing addresses cost n(n+1)/2 dials in aiohttp (measured)."""

CONTENT_CODINGS: Final = 2
"""Stacked content codings undone (RFC 9110 section 8.4 allows any number; each multiplies a bomb)."""

CODED_BODY_RATIO_CHUNK: Final = 65_536
"""Most bytes one decoder step may put out, so that a bomb is seen while it opens."""

ZSTD_WINDOW_LOG: Final = 23
"""8 MB window: what RFC 9659 allows a content coding to ask for."""

INFORMATIONAL_BYTES: Final = 256_000
"""Bytes a server may send before its final header block ends: ends a flood of 1xx answers in milliseconds."""

RETRY_AFTER_SECONDS: Final = 86_400.0
"""Longest `Retry-After` reported; a server's larger number is clamped."""

VENDOR_BYTES: Final = 10_000_000
"""Body of one vendor API response."""

VENDOR_ERROR_BYTES: Final = 65_536
"""Body of one vendor error that is read for its message."""

MESSAGE_CHARS: Final = 300
"""Characters of text chosen by a server that may stand in an error message, on one line."""

# Conversion --------------------------------------------------------------------------------------------
INLINE_CONVERSION_BYTES: Final = 256_000
"""A page up to this size converts in about 2 ms where it stands; the parser holds the GIL in a thread too."""

WORKER_SECONDS: Final = 5.0
"""Wall clock of one conversion in a worker process; the slowest hostile page measured took 0.6 s."""

WORKER_MEMORY_BYTES: Final = 1_073_741_824
"""Address space of a worker; a million attributes need 139 MB, and the interpreter maps about 300."""

WORKER_COUNT: Final = 2
"""Conversion workers kept; each is one core's worth of parsing."""

MARKDOWN_GROWTH: Final = 12
"""Markdown longer than this many times its HTML is cut: the worst honest growth measured is 11."""

BASE_HREF_CHARS: Final = 2_048
"""A longer `<base href>` is ignored: 160 kB of it made 100 MB of Markdown (measured)."""

# Tools -------------------------------------------------------------------------------------------------
FETCH_ANSWER_CHARS: Final = 40_000
"""Characters of one fetch answer, about 10,000 tokens; the rest is reached by `offset`."""

TITLE_CHARS: Final = 300
"""Characters of a title, on one line."""

SNAPSHOT_SECONDS: Final = 900.0
"""How long a fetched page is kept for `offset`; as long as a model works on one page."""

SNAPSHOT_BYTES: Final = 64_000_000
"""Memory all kept pages may use together; the oldest go first."""

# Local index -------------------------------------------------------------------------------------------
INDEX_SNIPPET_TOKENS: Final = 40
"""Tokens of a local snippet (SQLite FTS5 takes 1 to 64)."""
