"""Limits of telemetry and of results shown in notebooks."""

from typing import Final

TELEMETRY_CONTENT_CHARS: Final = 8_000
"""Characters of one opted-in text in a span: collectors refuse messages over 4 MB, and a batch holds 512 spans."""

HTML_ROWS: Final = 50
"""Hits, notes and tries shown of one result in a notebook; the rest is counted."""

HTML_TEXT_CHARS: Final = 2_000
"""Characters of one text in a notebook: a card, not the page."""

HIDING_DEPTH: Final = 50
"""Nesting of data that is searched for keys before an observer gets it. No tool and no vendor asks for so much; what a
model nests deeper would end in a `RecursionError`, and its observer gets the name of its type."""

BASE64_CHARS_LEAST: Final = 8
"""Part of a key in base64 that is looked for where it stands inside something longer: a shorter one may be a word."""
