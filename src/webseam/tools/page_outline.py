"""The outline of a page that does not fit one answer: lines for the model within a share, all of it for the host."""

from collections.abc import Sequence
from typing import Any, Final, assert_never
from urllib.parse import urlsplit

from webseam.content.outline import Heading, outline, upper
from webseam.core.limits import OUTLINE_HEADINGS
from webseam.core.snapshots import Snapshot
from webseam.core.types import DocumentBody, HtmlBody, ImageBody, PdfBody, TextBody
from webseam.tools.budget import Budget

_FEW: Final = 3  # headings that begin to tell what a page holds
_SUFFIXES: Final = (".md", ".markdown", ".mdx")
_PLAIN_KINDS: Final = ("text/markdown", "text/x-markdown", "text/xml")


def headings_of(snapshot: Snapshot) -> tuple[Heading, ...]:
    """The headings of a page; none of a text in which `#` begins something else, such as source code."""
    return outline(snapshot.text) if _has_headings(snapshot) else ()


def _has_headings(snapshot: Snapshot) -> bool:
    page = snapshot.page
    match page.body:
        case HtmlBody():
            return snapshot.fallback is None
        case PdfBody() | DocumentBody():
            return True
        case TextBody():
            kind = page.media_type or "text/plain"
            if kind in _PLAIN_KINDS or not kind.startswith("text/"):
                return True
            return urlsplit(page.url).path.lower().endswith(_SUFFIXES)
        case ImageBody():
            return False
        case _:
            assert_never(page.body)


def outline_text(headings: Sequence[Heading], budget: Budget) -> str:
    """The upper levels, as many as fit into `budget` whole; where that tells next to nothing, a sample of one more.

    Empty where not even a few headings fit.
    """
    whole: list[Heading] = []
    for level in sorted({heading.level for heading in headings}):
        wider = [heading for heading in headings if heading.level <= level]
        if not budget.holds(_lines(wider, len(wider))):
            return _sample(wider, whole, budget)
        whole = wider
    return _lines(whole, len(whole)) if whole else ""


def _sample(wider: Sequence[Heading], whole: Sequence[Heading], budget: Budget) -> str:
    """`whole`, unless it is nearly empty: then every second of `wider`, or fourth, and so on."""
    if len(whole) < _FEW:
        step = 2
        while len(wider) >= _FEW * step:
            text = _lines(wider[::step], len(wider))
            if budget.holds(text):
                return text
            step *= 2
    return _lines(whole, len(whole)) if whole else ""


def _lines(headings: Sequence[Heading], total: int) -> str:
    many = "Outline of the whole page" if len(headings) == total else f"{len(headings):,} of {total:,} headings"
    return f"{many} (offset: heading):" + "".join(f"\n{outline_line(one)}" for one in headings)


def outline_line(heading: Heading) -> str:
    """A heading with its offset, set in by its level."""
    return f"{'  ' * (heading.level - 1)}- {heading.offset}: {heading.title}"


def outline_data(headings: Sequence[Heading]) -> list[dict[str, Any]]:
    """All headings with level and offset; of very many, the upper levels."""
    return [
        {"level": one.level, "title": one.title, "offset": one.offset} for one in upper(headings, most=OUTLINE_HEADINGS)
    ]
