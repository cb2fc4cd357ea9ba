"""JSON Feed 1 and 1.1 (jsonfeed.org/version/1.1)."""

import json
from collections.abc import Iterator
from typing import Any, Final

from webseam.content.feed_text import Enclosure, Entry, Feed, Text, listed
from webseam.content.listings import Listing
from webseam.core.limits import FEED_ENTRIES

_LARGEST: Final = 10**15


def json_feed_listing(text: str, *, url: str) -> Listing | None:
    """A JSON Feed as Markdown; None when it is none: then it is JSON, and stays as it is."""
    try:
        said = json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(said, dict) or not isinstance(said.get("items"), list):
        return None
    items = [item for item in said["items"] if isinstance(item, dict)]
    title, description = _string(said, "title"), _string(said, "description")
    feed = Feed(
        title=None if title is None else Text(value=title),
        description=None if description is None else Text(value=description),
        url=_string(said, "home_page_url"),
        author=_author(said),
        language=_string(said, "language"),
    )
    return listed(feed, map(_entry, items[:FEED_ENTRIES]), total=len(items), url=url)


def _entry(item: dict[str, Any]) -> Entry:
    title = _string(item, "title")
    return Entry(
        title=None if title is None else Text(value=title),
        url=_string(item, "url") or _string(item, "external_url"),
        date=_string(item, "date_published") or _string(item, "date_modified"),
        author=_author(item),
        text=_text(item),
        enclosures=tuple(_attachments(item)),
    )


def _text(item: dict[str, Any]) -> Text | None:
    html = _string(item, "content_html")
    if html is not None:
        return Text(value=html, html=True)
    plain = _string(item, "content_text") or _string(item, "summary")
    return None if plain is None else Text(value=plain)


def _author(said: dict[str, Any]) -> str | None:
    """Version 1.1 has `authors`, version 1 `author`."""
    given = said.get("authors")
    people = given if isinstance(given, list) else [said.get("author")]
    names = [_string(one, "name") for one in people if isinstance(one, dict)]
    return ", ".join(name for name in names if name) or None


def _attachments(item: dict[str, Any]) -> Iterator[Enclosure]:
    given = item.get("attachments")
    for one in given if isinstance(given, list) else []:
        url = _string(one, "url") if isinstance(one, dict) else None
        if url is not None:
            size = one.get("size_in_bytes")
            yield Enclosure(
                url=url,
                type=_string(one, "mime_type"),
                size=size if isinstance(size, int) and 0 < size < _LARGEST else None,
            )


def _string(said: dict[str, Any], name: str) -> str | None:
    value = said.get(name)
    return value if isinstance(value, str) and value.strip() else None
