"""What a page says about itself: title, author, dates, language, its other addresses. Read from the tree of the parse.

Where a page says one thing in several ways, the first of these that is not blank counts: HTML's own elements, JSON-LD,
OpenGraph, citation tags, Dublin Core, Twitter cards, microdata. `<meta>` counts wherever it stands, as for those who
invented these names; a `<link>` only in the head, where no comment of a reader can have put it.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from webseam.content.hygiene import clean_line
from webseam.content.json_ld import page_elements, page_facts
from webseam.content.links import absolute, base_of
from webseam.content.listings import form_of, listing
from webseam.content.signals import refresh_target
from webseam.core.dates import parse_day
from webseam.core.limits import (
    ALTERNATES,
    DESCRIPTION_CHARS,
    METADATA_ELEMENTS,
    SHOWN_LINE_CHARS,
    TITLE_CHARS,
    URL_CHARS,
)
from webseam.core.plain import to_plain
from webseam.core.types import DocumentBody, FetchResult, HtmlBody, PageMetadata, PdfBody, TextBody

if TYPE_CHECKING:
    from turbohtml import Document, Element

_Said: TypeAlias = dict[str, list[str]]

# Names of `<meta>`, and what comes from elsewhere: "html:", "ld:" (JSON-LD), "link:", "time:". The strongest first.
_SOURCES: Final[Mapping[str, tuple[str, ...]]] = {
    "title": ("html:title", "ld:title", "og:title", "citation_title", "dc.title", "dcterms.title", "twitter:title"),
    "description": (
        *("description", "ld:description", "og:description", "dc.description", "dcterms.description"),
        "twitter:description",
    ),
    "author": (
        *("author", "ld:author", "article:author", "citation_author", "dc.creator", "dcterms.creator"),
        *("twitter:creator", "parsely-author", "sailthru.author"),
    ),
    "published_at": (
        *("ld:published", "article:published_time", "og:published_time", "citation_publication_date"),
        *("citation_date", "citation_online_date", "dc.date.issued", "dcterms.issued", "dc.date.created"),
        *("dcterms.created", "dc.date", "dcterms.date", "date", "parsely-pub-date", "sailthru.date"),
        *("itemprop:datepublished", "time:published"),
    ),
    "modified_at": (
        *("ld:modified", "article:modified_time", "og:updated_time", "dc.date.modified", "dcterms.modified"),
        *("last-modified", "itemprop:datemodified", "time:modified"),
    ),
    "language": ("html:lang", "content-language", "ld:language", "og:locale", "dc.language", "dcterms.language"),
    "site_name": ("application-name", "ld:site", "og:site_name"),
    "canonical_url": ("link:canonical", "og:url"),
    "image_url": (
        *("ld:image", "og:image:secure_url", "og:image", "og:image:url", "twitter:image", "twitter:image:src"),
        *("link:image_src", "itemprop:image"),
    ),
    "markdown_url": ("link:markdown",),
    "llms_txt_url": ("link:llms-txt",),
    "refresh_url": ("html:refresh",),
}
_FEED_TYPES: Final = frozenset({"application/rss+xml", "application/atom+xml", "application/feed+json"})
_MARKDOWN_TYPES: Final = frozenset({"text/markdown", "text/x-markdown"})
_LLMS_TXT: Final = re.compile(r"/llms(?:-full)?\.txt(?:[?#]|\Z)")
_LANGUAGE: Final = re.compile(r"[a-z]{2,3}(?:-[a-z0-9]{1,8}){0,6}", re.IGNORECASE)
_YEAR: Final = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")
_ZERO_DATE: Final = re.compile(r"0{3}[01]-|-|1970-01-01[T ]00:00:00")  # what programs write for no date
_UNFILLED: Final = re.compile(  # a template's slot that nothing was put into, alone or beside others
    r"(?:(?:\{\{[^{}]*\}\}|\$\{[^{}]*\}|\{%[^{}]*%\}|<%[^<>]*%>|%[a-z_]+%|\[object object\])[\s|:,\u00b7\u2013-]*)+",
    re.IGNORECASE,
)
_NOTHING: Final = frozenset({"null", "undefined", "none", "nan", "false", "invalid date"})  # what programs write for it
_NO_NAME: Final = re.compile(r"https?://|www\.|@", re.IGNORECASE)  # a profile's address where a name belongs
_NOT_THE_PAGE: Final = "template,svg,math"
_RAW_CHARS: Final = 4_096  # of one value, before it is cleaned
_AUTHORS: Final = 8
_LONGEST_DATE: Final = 64
_LIMITS: Final[Mapping[str, int]] = {"title": TITLE_CHARS, "description": DESCRIPTION_CHARS}
_TIMES: Final = {"datepublished": "time:published", "datemodified": "time:modified"}


def metadata(page: FetchResult) -> PageMetadata | None:
    """What a fetched page says about itself; None for one that says nothing, for pictures and for text but feeds.

    Runs in the calling thread and converts no page. Every string is one clean line: no invisible characters, no
    chat-template token, titles and names of at most 300 characters, descriptions of 500, URLs of 2,048.
    """
    if isinstance(page.body, PdfBody | DocumentBody):
        return page.body.metadata
    if not isinstance(page.body, HtmlBody):
        return _of_listing(page)
    from turbohtml import parse  # noqa: PLC0415 - the HTML parser loads on first use

    doc = parse(page.body.content.removeprefix("\ufeff"), positions=False, scripting=True)
    return metadata_of(doc, base_of(doc, page.url))


def _of_listing(page: FetchResult) -> PageMetadata | None:
    form = form_of(page)
    made = listing(page.body.content, form, url=page.url) if form and isinstance(page.body, TextBody) else None
    return None if made is None else made.metadata


def metadata_of(doc: "Document", base: str) -> PageMetadata | None:
    """The metadata of a parsed page whose links mean `base`; must run before the tree is edited.

    Reads at most 500 `<meta>`, 500 `<link>` and 200,000 characters of JSON-LD. A date or language that a page gives
    twice in microdata, differently, is a list's and not its own: it counts as absent.
    """
    said: _Said = {}
    _read_title(doc, said)
    for meta in page_elements(doc, "meta")[:METADATA_ELEMENTS]:
        _read_meta(meta, said)
    links, feeds = list(_head_links(doc)), []
    for rel, kind, href in links:
        named = _link_key(rel, kind, href)
        if named == "feed":
            feeds.append(href)
        elif named:
            _say(said, named, href)
    for key, values in page_facts(doc).items():
        for value in values:
            _say(said, f"ld:{key}", value)
    _read_times(doc, said)
    found: dict[str, Any] = {name: _chosen(name, keys, said) for name, keys in _SOURCES.items()}
    return made_metadata(base, feeds=feeds, **found)


def made_metadata(base: str | None = None, *, feeds: Iterable[str] = (), **found: str | None) -> PageMetadata | None:
    """Metadata of raw strings, however a document said them: the one place where they are cleaned.

    Blank is absent, a URL that is not http(s) against `base` too; None when nothing is left.

    Args:
        base: the URL that relative ones mean.
        feeds: URLs of feeds.
        found: the other fields of `PageMetadata` by name.
    """
    cleaned: dict[str, Any] = {name: _cleaned(name, raw, base) for name, raw in found.items() if raw}
    urls = [url for raw in feeds if (url := _cleaned("feed_url", raw, base))]
    made = PageMetadata(feeds=tuple(dict.fromkeys(urls))[:ALTERNATES], **cleaned)
    return None if made == PageMetadata() else made


def packed_metadata(made: PageMetadata | None) -> dict[str, Any] | None:
    """Metadata as JSON, to pass between processes."""
    return None if made is None else to_plain(made)


def unpacked_metadata(plain: Mapping[str, Any] | None) -> PageMetadata | None:
    """The value that `packed_metadata` packed."""
    if plain is None:
        return None
    known = {one.name for one in fields(PageMetadata)}
    values: dict[str, Any] = {
        name: tuple(part) if name == "feeds" else part for name, part in plain.items() if name in known
    }
    return PageMetadata(**values)


def _cleaned(name: str, raw: str, base: str | None) -> str | None:
    if name.endswith("_url"):
        url = absolute(raw.strip(), base or raw.strip()) if len(raw) <= _RAW_CHARS else None
        return url if url and len(url) <= URL_CHARS and url.startswith("http") else None
    return clean_line(raw[:_RAW_CHARS], limit=_LIMITS.get(name, SHOWN_LINE_CHARS)) or None


def _chosen(name: str, keys: tuple[str, ...], said: _Said) -> str | None:
    for key in keys:
        values = said.get(key)
        if values and (value := _usable(name, key, values)):
            return value
    return None


def _usable(name: str, key: str, values: list[str]) -> str | None:
    """What one source says, where that is of the kind asked for."""
    if name == "author":
        names = [value for value in values if not _NO_NAME.match(value)]
        parted = "; " if any("," in one for one in names) else ", "  # "Doe, J; Roe, K"
        return parted.join(dict.fromkeys(names[:_AUTHORS])) or None
    if name in ("published_at", "modified_at"):
        several = key.startswith(("itemprop:", "time:")) and len(set(values)) > 1
        return None if several else next((value for value in values if _is_date(value)), None)
    if name == "language":
        tags = (value.replace("_", "-") for value in values)
        return next((tag for tag in tags if _LANGUAGE.fullmatch(tag)), None)
    return values[0]


def _is_date(text: str) -> bool:
    """Whether `text` names a day, or at least a year: no placeholder, nothing relative to a moment unknown."""
    if _ZERO_DATE.match(text):
        return False
    return len(text) <= _LONGEST_DATE and (parse_day(text) is not None or _YEAR.search(text) is not None)


def _read_title(doc: "Document", said: _Said) -> None:
    root = doc.root
    language = root.attr("lang") or root.attr("xml:lang") if root is not None else None
    _say(said, "html:lang", language)
    for title in doc.select("title")[:METADATA_ELEMENTS]:
        if title.closest(_NOT_THE_PAGE) is None:
            _say(said, "html:title", title.text)
            break


def _read_meta(meta: "Element", said: _Said) -> None:
    content = meta.attr("content")
    if not content:
        return
    for attribute, prefix in (("name", ""), ("property", ""), ("itemprop", "itemprop:"), ("http-equiv", "")):
        names = meta.attr(attribute)
        if names:
            for name in names.lower().split():
                _say_meta(said, prefix + name, content)


def _say_meta(said: _Said, name: str, content: str) -> None:
    if name == "refresh":
        _say(said, "html:refresh", refresh_target(content))
    else:
        _say(said, name.replace("dcterms:", "dcterms.").replace("dc:", "dc."), content)


def _say(said: _Said, key: str, value: str | None) -> None:
    value = value[:_RAW_CHARS].strip() if value else ""
    if value and _is_filled(key, value):
        said.setdefault(key, []).append(value)


def _is_filled(key: str, value: str) -> bool:
    """Whether somebody wrote `value`; a title that is a word for nothing is what readers see."""
    if key != "html:title" and value.lower() in _NOTHING:
        return False
    return not (value[-1] in "}>%]" and _UNFILLED.fullmatch(value[:SHOWN_LINE_CHARS]))


def _head_links(doc: "Document") -> Iterator[tuple[str, str, str]]:
    """Relations, type and target of the links in the head."""
    for link in doc.select("head>link")[:METADATA_ELEMENTS]:
        rel, href = link.attr("rel"), (link.attr("href") or "").strip()
        if rel and href:
            kind = (link.attr("type") or "").partition(";")[0].strip().lower()
            yield rel.lower(), kind, href


def _link_key(rel: str, kind: str, href: str) -> str | None:
    """What a link says: `feed`, the key of another source, or nothing of interest."""
    relations = rel.split()
    for named in ("canonical", "image_src"):
        if named in relations:
            return f"link:{named}"
    if "llms-txt" in relations or _LLMS_TXT.search(href):
        return "link:llms-txt"
    if "alternate" in relations and "stylesheet" not in relations:
        return "feed" if kind in _FEED_TYPES else "link:markdown" if kind in _MARKDOWN_TYPES else None
    return None


def _only_text(element: "Element") -> str | None:
    """The text of an element that holds nothing else: others may hold the whole page."""
    from turbohtml import Text  # noqa: PLC0415 - loaded by whoever parsed the tree

    child = element[0] if len(element) == 1 else None
    return child.data if isinstance(child, Text) else None


def _read_times(doc: "Document", said: _Said) -> None:
    """`<time>` that is marked as the page's own date."""
    for time in page_elements(doc, "time")[:METADATA_ELEMENTS]:
        names = (time.attr("itemprop") or "").lower().split()
        keys = [_TIMES[name] for name in names if name in _TIMES]
        if not keys and time.attr("pubdate") is not None:  # HTML5 drafts to 2011; blogs still have it
            keys = ["time:published"]
        for key in keys:
            _say(said, key, time.attr("datetime") or _only_text(time))
