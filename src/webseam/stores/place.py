"""Where the local index lies, and what to do while it does not; apart, so that both go without loading SQLite."""

from typing import Final

INDEX_FILE: Final = "index.sqlite3"
"""Name of the index in the data directory, where no other path is configured."""

NOTHING_INDEXED: Final = "nothing is indexed yet: run `webseam index` with URLs, a sitemap or a folder"
