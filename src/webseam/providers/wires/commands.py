"""Queries that some engines obey instead of looking for them: a word that opens with a mark of command."""

import re
from typing import Final

_COMMAND: Final = re.compile(r"(?<!\S)[!\\:<]+")
"""DuckDuckGo's bangs and `\\`; SearXNG's engines (`!`), languages (`:`) and time limits (`<`), at any word."""


def without_commands(query: str) -> str:
    """The query without the marks: `!w kelp` is `w kelp`, so nobody is sent elsewhere. One of marks alone is quoted."""
    return _COMMAND.sub("", query).strip() or f'"{query.strip()}"'
