"""Text of HTML without a parser: the fallback for a page whose conversion was killed. Pure, linear, bounded."""

import html as entities
import re
from typing import Final

from webseam.core.limits import FALLBACK_CHARS

_UNSEEN: Final = re.compile(
    r"<(?:(script|style|template|noscript|iframe|object|svg|title|textarea)\b|!--)", re.IGNORECASE
)
_BLOCK: Final = re.compile(
    r"</?(?:p|div|br|li|ul|ol|dl|dt|dd|tr|table|h[1-6]|pre|blockquote|section|article|header|footer|main|nav|hr"
    r"|figure|form|option)\b[^<>]*>",
    re.IGNORECASE,
)
_CELL: Final = re.compile(r"</?(?:td|th)\b[^<>]*>", re.IGNORECASE)
_TAG: Final = re.compile(r"</?[a-z!?][^<>]*(?:>|\Z)", re.IGNORECASE)
_SPACES: Final = re.compile(r"[ \t\f\v]+")
_LINES: Final = re.compile(r"\s*\n\s*")


def plain_text(html: str) -> tuple[str, bool]:
    """The words of a page, a line per block, and whether the page was longer than is read here (256,000 characters).

    Scripts, styles and comments are left out. Invisible elements cannot be told without a parser and stay in.
    """
    head = html[:FALLBACK_CHARS]
    text = _TAG.sub("", _CELL.sub(" ", _BLOCK.sub("\n", _without_unseen(head))))
    lines = _LINES.sub("\n", _SPACES.sub(" ", entities.unescape(text)))
    return lines.strip(), len(html) > FALLBACK_CHARS


def _without_unseen(html: str) -> str:
    """Elements that hold no text for readers, and comments, cut out; one that never closes reaches to the end."""
    kept: list[str] = []
    at = 0
    while (opened := _UNSEEN.search(html, at)) is not None:
        kept.append(html[at : opened.start()])
        closing = re.compile(rf"</{opened[1]}\b[^<>]*>" if opened[1] else "-->", re.IGNORECASE)
        closed = closing.search(html, opened.end())
        at = closed.end() if closed else len(html)
    return " ".join((*kept, html[at:]))
