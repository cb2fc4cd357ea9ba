"""Bodies that list things for programs, made readable: feeds and sitemaps, told by their content. Pure."""

import re
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from webseam.core.types import FetchResult, PageMetadata, TextBody

Form: TypeAlias = Literal["feed", "json_feed", "sitemap"]

_HEAD_CHARS: Final = 4_096  # prologs of feeds with comments and stylesheets are shorter
_ROOT: Final = re.compile(
    r"(?>\ufeff?)(?>\s+|<\?[^>]{0,2000}>|<!--(?:(?!-->).){0,4000}-->|<!DOCTYPE[^>\[]{0,500}(?:\[[^\]]{0,4000}\]\s*)?>)*+"
    r"<(?:[\w.-]{1,40}:)?(rss|feed|RDF|urlset|sitemapindex)(?=[\s>])([^>]*)",
    re.DOTALL,
)
_ATOM: Final = ("http://www.w3.org/2005/Atom", "http://purl.org/atom/ns#")
_RDF: Final = ("http://purl.org/rss/1.0/", "http://my.netscape.com/rdf/simple/0.9/", "http://channel.netscape.com/rdf/")
_JSON_FEED: Final = re.compile(r'"version"\s*:\s*"https?:\\?/\\?/jsonfeed\.org\\?/version\\?/1')
_JSON_FEED_TYPE: Final = "application/feed+json"
_VERBATIM: Final = frozenset({"text/markdown", "text/x-markdown", "text/csv"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """Markdown of a feed or a sitemap.

    `left_out` counts entries that are not shown, `cut` says that text of an entry was, `malformed` that the XML is
    broken, so that parts may be missing.
    """

    text: str
    metadata: PageMetadata | None = None
    left_out: int = 0
    cut: bool = False
    malformed: bool = False


def form_of(page: FetchResult) -> Form | None:
    """What kind of list a body is; None for every other, and for Markdown and CSV, whatever they hold."""
    if not isinstance(page.body, TextBody) or page.media_type in _VERBATIM:
        return None
    text = page.body.content
    if text[:1] in ("{", "\ufeff", " ", "\n", "\r", "\t") and text[:_HEAD_CHARS].lstrip("\ufeff \n\r\t")[:1] == "{":
        named = page.media_type == _JSON_FEED_TYPE
        return "json_feed" if named or _JSON_FEED.search(text, 0, _HEAD_CHARS) else None
    return xml_form(text)


def xml_form(text: str) -> Literal["feed", "sitemap"] | None:
    """What a root element makes of XML: a feed, a sitemap, or neither."""
    found = _ROOT.match(text, 0, _HEAD_CHARS)
    if found is None:
        return None
    name, attributes = found[1], found[2]
    if name in ("urlset", "sitemapindex"):
        return "sitemap"
    namespaces = {"rss": ("",), "feed": _ATOM, "RDF": _RDF}[name]
    return "feed" if any(one in attributes for one in namespaces) else None


def listing(text: str, form: Form, *, url: str) -> Listing | None:
    """The list as Markdown; None when it is none after all, and stays as it is.

    Links are absolute against the feed's own base or `url`. Runs in the calling thread: XML feeds are slow to read.
    """
    if form == "sitemap":
        from webseam.content.sitemap import sitemap_listing  # noqa: PLC0415 - most pages need none of these

        return sitemap_listing(text, url=url)
    if form == "json_feed":
        from webseam.content.json_feed import json_feed_listing  # noqa: PLC0415 - see above

        return json_feed_listing(text, url=url)
    from webseam.content.feeds import feed_listing  # noqa: PLC0415 - see above

    return feed_listing(text, url=url)
