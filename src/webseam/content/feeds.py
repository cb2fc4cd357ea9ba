"""RSS, Atom and RDF feeds through feedparser, which reads all that is published; handed bytes, it fetches nothing.

Its own cleaning of HTML is off: it drops frames, maths and much else, and takes half of the time; ours follows.
"""

import io
import re
from collections.abc import Iterator
from typing import Any, Final
from xml.sax import SAXException

from webseam.content.feed_dates import iso_date
from webseam.content.feed_text import Enclosure, Entry, Feed, Text, listed
from webseam.content.listings import Listing
from webseam.core.limits import FEED_ENTRIES

_DECLARATION: Final = re.compile(r"[\ufeff\s]*<\?xml[^>]{0,500}\?>")
_END: Final = re.compile(r"</(?:[\w.-]{1,40}:)?(?:item|entry)\s*>")
_OPEN: Final = re.compile(r"<((?:[\w.-]{1,40}:)?(?:rss|feed|RDF|channel))(?=[\s>])")
_HTML: Final = frozenset({"text/html", "application/xhtml+xml"})
_LONG_TAG: Final = re.compile(r"<[^<>]{20000}")  # thousands of attributes, which take the parser minutes


def feed_listing(text: str, *, url: str) -> Listing | None:
    """A feed as Markdown, its newest entries first as it gives them; None when it is none, or has a monstrous tag.

    At most 200 entries are parsed: the parser is slow. Slow all the same: meant for a worker process.
    """
    from feedparser import parse  # type: ignore[import-untyped]  # noqa: PLC0415 - it has no types; 0.14 s to import

    if _LONG_TAG.search(text):
        return None
    head, total = _first_entries(_DECLARATION.sub("", text, count=1))
    headers = {"content-type": "application/xml; charset=utf-8", "content-location": url}
    read = parse(
        io.BytesIO(head.encode("utf-8", "replace")),
        response_headers=headers,
        resolve_relative_uris=False,
        sanitize_html=False,
    )
    if not read.get("version") and not read["entries"]:
        return None
    broken = bool(read["bozo"]) and isinstance(read.get("bozo_exception"), SAXException)
    entries = read["entries"][:FEED_ENTRIES]
    return listed(
        _feed(read["feed"]),
        (_entry(one) for one in entries),
        total=max(total, len(read["entries"])),
        url=url,
        malformed=broken,
    )


def _first_entries(text: str) -> tuple[str, int]:
    """The feed with at most as many entries as are shown, closed again, and how many it has."""
    ends = [found.end() for found in _END.finditer(text)]
    if len(ends) <= FEED_ENTRIES:
        return text, len(ends)
    head = text[: ends[FEED_ENTRIES - 1]]
    opened = [name for name in dict.fromkeys(_OPEN.findall(head[: head.find("<item")])) if f"</{name}>" not in head]
    return head + "".join(f"</{name}>" for name in reversed(opened)), len(ends)


def _feed(said: dict[str, Any]) -> Feed:
    return Feed(
        title=_text(said, "title"),
        description=_text(said, "subtitle"),
        url=_string(said, "link"),
        author=_author(said),
        language=_string(said, "language"),
        updated=_date(said, "updated", "published"),
    )


def _entry(said: dict[str, Any]) -> Entry:
    return Entry(
        title=_text(said, "title"),
        url=_string(said, "link"),
        date=_date(said, "published", "updated", "created"),
        author=_author(said),
        text=_content(said) or _text(said, "summary"),
        enclosures=tuple(dict.fromkeys(_enclosures(said))),
    )


def _content(said: dict[str, Any]) -> Text | None:
    """The fullest of the contents that are text."""
    given = dict.get(said, "content") or []
    texts = [_of_detail(one) for one in given]
    return max((one for one in texts if one is not None), key=lambda one: len(one.value), default=None)


def _text(said: dict[str, Any], name: str) -> Text | None:
    detail = dict.get(said, f"{name}_detail")
    return None if detail is None else _of_detail(detail)


def _of_detail(detail: dict[str, Any]) -> Text | None:
    value, kind = detail.get("value"), str(detail.get("type") or "")
    if not value or not (kind in _HTML or kind.startswith("text/")):
        return None
    return Text(value=value, html=kind in _HTML, base=detail.get("base") or None)


def _string(said: dict[str, Any], name: str) -> str | None:
    """What stands under exactly this name: the parser's own look-up takes one date for another, and warns."""
    value = dict.get(said, name)
    return value if isinstance(value, str) and value.strip() else None


def _author(said: dict[str, Any]) -> str | None:
    names = [one.get("name") for one in dict.get(said, "authors") or []]
    return ", ".join(dict.fromkeys(name for name in names if name)) or _string(said, "author")


def _date(said: dict[str, Any], *names: str) -> str | None:
    """The first of these dates; see `iso_date`."""
    written = next(filter(None, (_string(said, name) for name in names)), None)
    return None if written is None else iso_date(written)


def _enclosures(said: dict[str, Any]) -> Iterator[Enclosure]:
    for link in dict.get(said, "links") or []:
        if link.get("rel") == "enclosure" and link.get("href"):
            kind = link.get("type")
            said_type = None if kind == "text/html" else kind  # the parser's word for an Atom link without a type
            yield Enclosure(url=link["href"], type=said_type, size=_size(link.get("length")))
    for media in dict.get(said, "media_content") or []:
        if media.get("url"):
            yield Enclosure(url=media["url"], type=media.get("type"), size=_size(media.get("filesize")))


def _size(written: object) -> int | None:
    digits = str(written or "")
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 16 else None  # noqa: PLR2004 - a petabyte
