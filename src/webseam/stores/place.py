"""Where the local index lies; apart, so that configuration can name it without loading SQLite."""

from typing import Final

INDEX_FILE: Final = "index.sqlite3"
"""Name of the index in the data directory, where no other path is configured."""
