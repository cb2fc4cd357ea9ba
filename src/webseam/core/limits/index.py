"""Limits of the local index."""

from typing import Final

INDEX_PASSAGE_CHARS: Final = 280
"""Characters of one passage of a local snippet, two at most: a long sentence around what was asked."""

INDEX_TITLE_WEIGHT: Final = 4.0
"""How much more a word counts in a title: enough to beat a page that only mentions it a few times."""

INDEX_RESULTS: Final = 20
"""Hits given when nobody asked for a number; the vendors' usual cap."""

INDEX_MAX_RESULTS: Final = 100
"""Most hits of one local search: each costs the reading of its page for a snippet."""

INDEX_QUERY_TERMS: Final = 32
"""Terms of a query that are looked for: a question has fewer, and each one is a walk through the index."""

INDEX_WORD_CHARS: Final = 64
"""Characters of a word that tell it apart; longer ones are data (SQLite FTS5 itself stops at 32,768 bytes)."""

INDEX_CONCURRENCY: Final = 4
"""Pages fetched at once for the index: a sitemap is one host, and a browser opens six connections to one."""

INDEX_SITEMAP_URLS: Final = 50_000
"""Pages taken from one sitemap and what it lists: what the protocol (sitemaps.org) allows one file."""

INDEX_SITEMAP_FILES: Final = 500
"""Sitemaps read from one sitemap index; the protocol allows 50,000 of 50,000 pages each."""

INDEX_FILE_BYTES: Final = 5_000_000
"""A larger file in a folder is skipped: the same bound as for a fetched page."""

INDEX_BATCH: Final = 50
"""Files taken in together: one transaction costs about as much as writing ten pages."""

INDEX_BUSY_SECONDS: Final = 10.0
"""How long a writer waits for another one: a batch of a hundred pages takes about one second."""
