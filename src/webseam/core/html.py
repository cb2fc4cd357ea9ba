"""Results as cards for a notebook: small HTML in which everything that others wrote is text."""

import re
from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from webseam.core.errors import WebError
from webseam.core.limits import HTML_ROWS, HTML_TEXT_CHARS
from webseam.core.types import (
    Attempt,
    CacheFacts,
    DocumentBody,
    ExtractResult,
    FetchResult,
    HtmlBody,
    ImageBody,
    Note,
    PdfBody,
    SearchResult,
    Source,
    TextBody,
    Usage,
)
from webseam.core.url import web_url

_UNSHOWN: Final = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"
)
"""Controls, which HTML has no place for; halves of surrogate pairs, which no message to a browser can hold; and what
turns text around: an unpaired PDI ends the isolation of the element that it stands in (UAX #9 BD9)."""

_CARD: Final = (
    '<div class="mathjax_ignore tex2jax_ignore" style="border:1px solid rgba(128,128,128,.5);border-radius:6px;'
    'padding:.5em .8em;max-width:60em;line-height:1.4;overflow-wrap:anywhere">'
)
"""Colours are the notebook's own, so that it fits light and dark; formulas of a page stay text."""

_FAINT: Final = '<div style="opacity:.7;font-size:90%">'
_LABEL: Final = '<span style="border:1px solid rgba(128,128,128,.5);border-radius:4px;padding:0 .3em">'
_PAGE: Final = '<pre style="white-space:pre-wrap;overflow:auto;max-height:20em;margin:.4em 0;background:none">'


def search_card(result: SearchResult) -> str:
    """Hits with links and snippets, the answer, and how they came about."""
    truncated = "more were found" if result.truncated else None
    return _card(
        _head(f"Search by {result.provider}", result.grounding),
        _page(result.content),
        _rows("ol", [_hit(one) for one in result.sources[:HTML_ROWS]], len(result.sources)),
        _facts(
            f"{len(result.sources)} {'result' if len(result.sources) == 1 else 'results'}",
            truncated,
            _kept(result.cache),
            *(f"{count} dropped: {why}" for why, count in [*result.dropped.items()][:HTML_ROWS]),
            *(f"{name}: {status}" for name, status in result.controls.items()),
            *_spent(result.usage),
        ),
        _notes(result.notices),
        _noted(result.notes),
        _tries(result.attempts),
    )


def fetch_card(result: FetchResult) -> str:
    """Where a page is, what it is, how it begins, and how it came."""
    return _card(
        _head(f"HTTP {result.status_code} by {result.provider}", result.body.kind),
        f"<div>{_link(result.url, result.url)}</div>",
        _page(_beginning(result)),
        _facts(
            result.media_type,
            result.charset,
            f"{result.received_bytes:,} bytes received",
            "cut" if result.truncated else None,
            _kept(result.cache),
        ),
        _notes(f"{one.status_code} to {one.url}" for one in result.redirects),
        _noted(result.notes),
        _tries(result.attempts),
    )


def extract_card(result: ExtractResult) -> str:
    """What an extractor made of a page."""
    return _card(
        _head(f"Extract by {result.provider}", None),
        f"<div>{_link(result.url, result.title or result.url)}</div>",
        _facts(result.author, result.published_at, "cut" if result.truncated else None, *_spent(result.usage)),
        _page(result.markdown),
        _noted(result.notes),
        _tries(result.attempts),
    )


def tool_card(text: str, *, code: str | None, images: int) -> str:
    """What a model reads of a tool's answer; `code` of the error, where it is one."""
    pictures = f"{images} {'picture' if images == 1 else 'pictures'}" if images else None
    return _card(_head("Tool result", code), _page(text), _facts(f"{len(text):,} characters", pictures))


# Parts -------------------------------------------------------------------------------------------------


def _card(*parts: str) -> str:
    return f"{_CARD}{''.join(parts)}</div>"


def _text(given: object) -> str:
    """Somebody's text: bounded, inert, and with a direction of its own that ends with it; a plugin may give no text."""
    text = given if isinstance(given, str) else repr(given)
    shown = _UNSHOWN.sub("\N{REPLACEMENT CHARACTER}", text[:HTML_TEXT_CHARS])
    more = f" \N{HORIZONTAL ELLIPSIS} ({len(text):,} characters)" if len(text) > HTML_TEXT_CHARS else ""
    return f"<bdi>{escape(shown)}</bdi>{more}"


def _head(title: str, label: str | None) -> str:
    shown = "" if label is None else f" {_LABEL}{_text(label)}</span>"
    return f"<div><b>{_text(title)}</b>{shown}</div>"


def _link(url: str, title: str) -> str:
    """A link, where the URL may be asked of the web; else the words alone."""
    try:
        href = web_url(url).href
    except (WebError, TypeError):  # a plugin may give what is no text
        return _text(title)
    return f'<a href="{escape(href)}" rel="noopener noreferrer nofollow" target="_blank">{_text(title)}</a>'


def _hit(source: Source) -> str:
    place = "" if source.title is None else f"{_FAINT}{_text(source.url)}</div>"
    dated = "" if source.published_at is None else f"{_FAINT}{_text(source.published_at)}</div>"
    snippet = "" if source.snippet is None else f"<div>{_text(source.snippet)}</div>"
    return f"{_link(source.url, source.title or source.url)}{place}{dated}{snippet}"


def _rows(kind: str, rows: Sequence[str], total: int) -> str:
    if not rows:
        return ""
    more = f"{_FAINT}and {total - len(rows):,} more</div>" if total > len(rows) else ""
    return f'<{kind} style="margin:.4em 0">{"".join(f"<li>{row}</li>" for row in rows)}</{kind}>{more}'


def _page(text: str | None) -> str:
    return f"{_PAGE}{_text(text)}</pre>" if text else ""


def _facts(*facts: str | None) -> str:
    told = " \N{MIDDLE DOT} ".join(_text(one) for one in facts if one)
    return f"{_FAINT}{told}</div>" if told else ""


def _notes(notes: Iterable[str]) -> str:
    listed = [*notes]
    return _rows("ul", [_text(one) for one in listed[:HTML_ROWS]], len(listed))


def _noted(notes: Iterable[Note]) -> str:
    return _notes(one.code if one.detail is None else f"{one.code}: {one.detail}" for one in notes)


def _kept(cache: CacheFacts | None) -> str | None:
    return None if cache is None else f"from the cache, {cache.age:g} s old"


def _tries(attempts: Sequence[Attempt]) -> str:
    """Told where there is something to tell: one good try is what everybody expects."""
    if len(attempts) == 1 and attempts[0].outcome == "ok":
        return ""
    return _notes(
        f"{one.provider}: {one.outcome if one.code is None else one.code}, {one.elapsed:.2f} s"
        + (", may have been billed" if one.may_be_billed else "")
        for one in attempts
    )


def _spent(usage: Usage | None) -> tuple[str, ...]:
    if usage is None or usage.cost is None:
        return ()
    return (f"{usage.cost:g} {usage.currency or ''}".strip(),)


def _beginning(result: FetchResult) -> str | None:
    match result.body:
        case HtmlBody(content=content) | TextBody(content=content) | DocumentBody(content=content):
            return content
        case PdfBody(pages=pages, page_count=count):
            return f"{count} pages\n\n{pages[0] if pages else ''}"
        case ImageBody(width=width, height=height):
            return f"{width} x {height} pixels"
