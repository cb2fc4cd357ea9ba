"""Citations of pages in a chat-completions message: `url_citation` annotations, nested or flat."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from webseam.providers.wires.chat import prose
from webseam.providers.wires.citations import pointed
from webseam.providers.wires.clean import unwrap
from webseam.providers.wires.rows import Row, items, mapping, text

Pages: TypeAlias = Mapping[str | int, Any]
"""Citations by page; what names no page stands under its place among the citations."""


def citations(message: Row) -> list[Any]:
    """The citations of pages; others are of files, and what is no object is an odd one, to be counted."""
    kept = (
        one for one in items(message.get("annotations")) if mapping(one).get("type", "url_citation") == "url_citation"
    )
    return [mapping(mapping(one).get("url_citation")) or one for one in kept]


def pages_of(cited: Sequence[Any]) -> Pages:
    """Each page once, as it was cited first."""
    pages: dict[str | int, Any] = {}
    for at, row in enumerate(cited):
        url = text(mapping(row).get("url"))
        pages.setdefault(at if url is None else unwrap(url), row)
    return pages


def marked(content: object, cited: Sequence[Any], pages: Pages) -> str | None:
    """What was said; where the vendor's own pointers to `pages` stood, marks lead to them. Offsets count characters."""
    if not isinstance(content, str):
        return prose(content)
    numbers = {url: number for number, url in enumerate((one for one in pages if isinstance(one, str)), 1)}
    return text(pointed(content, map(mapping, cited), numbers))
