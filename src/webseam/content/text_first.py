"""Big pages that begin with text, made cheap to parse. Pure."""

import re
from typing import Final

from webseam.core.limits import TEXT_FIRST_CHARS, TEXT_FIRST_REACH

_BEFORE: Final = re.compile(
    r"(?:\s|<!--(?!-?>)(?:(?!--!?>).)*--!?>|<!doctype\b[^>]*>|<html\b(?:[^>\"']|\"[^\"]*\"|'[^']*')*>)*"
    r"(?!<(?:[a-z/!?]|\Z)|&(?:#|tab;|newline;)|[\s\0]|\Z)",
    re.IGNORECASE | re.DOTALL,
)
"""Up to the first character of text; only what says nothing of the head or the body may stand before it.
What may be read as white space, or as nothing, does not make a body either."""


def with_body(html: str) -> str:
    """`html`, with the `<body>` spelled out where a page of more than 256,000 characters begins with text.

    The page means the same. Such text passes through up to five insertion modes (HTML section 13.2.6.4), and the parser
    copies it for each, four bytes a character: 10 MB of plain text take 200 MB to parse so, and 1 MB behind the tag
    (measured).
    """
    head = _BEFORE.match(html, 0, TEXT_FIRST_REACH) if len(html) > TEXT_FIRST_CHARS else None
    return html if head is None else f"{head[0]}<body>{html[head.end() :]}"
