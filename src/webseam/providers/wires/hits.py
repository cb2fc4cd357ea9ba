"""A hit and its price out of a vendor's row: text cleaned, the URL unwrapped, what is missing absent."""

from collections.abc import Iterable
from typing import Final

from webseam.core.types import Source, Usage
from webseam.providers.wires.clean import plain_text, unwrap
from webseam.providers.wires.rows import Row, text

_GAP: Final = " \u2026 "


def hit(
    row: Row, *, url: str = "url", title: str = "title", snippet: str | None = None, published_at: object = None
) -> Source | None:
    """A source from a row whose text may hold HTML; `url` and `title` name its fields. None without a URL."""
    address = text(row.get(url))
    if address is None:
        return None
    return Source(
        url=unwrap(address), title=plain_text(row.get(title)), snippet=snippet, published_at=text(published_at)
    )


def first_text(row: Row, *names: str) -> str | None:
    """The plain text of the first of these fields that says something."""
    return next(filter(None, (plain_text(row.get(name)) for name in names)), None)


def excerpts(passages: Iterable[str | None]) -> str | None:
    """Passages of one page as one snippet, with an ellipsis where the page goes on between them."""
    return _GAP.join(filter(None, passages)) or None


def priced(cost: float | None, currency: str) -> Usage:
    """One call and what the vendor says it cost, in its own unit; a price that is not reported has no unit either."""
    return Usage(calls=1, cost=cost, currency=None if cost is None else currency)
