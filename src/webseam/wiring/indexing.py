"""Fill the local index from URLs, sitemaps and folders. Every page comes through `Web.fetch`, so all its rules hold."""

import asyncio
from collections.abc import Callable, Iterable
from typing import Final

from webseam.content.index_text import html_title, markdown_title, markdown_to_plain
from webseam.content.markdown import html_to_markdown, plain_body
from webseam.core.call import Call
from webseam.core.errors import Code, WebError
from webseam.core.limits import INDEX_CONCURRENCY, INDEX_SITEMAP_URLS
from webseam.core.snapshots import snapshot_key
from webseam.core.together import together
from webseam.core.types import DocumentBody, FetchResult, HtmlBody, ImageBody, PdfBody, TextBody
from webseam.core.web import Web
from webseam.stores.index import Document, LocalIndex
from webseam.wiring.index_folder import index_folder
from webseam.wiring.index_report import IndexReport, Outcome, Skipped, Tell, refused, report, tell, utc_now
from webseam.wiring.sitemaps import read_sitemap

_MARKDOWN_TYPES: Final = ("text/markdown", "text/x-markdown")
_UNINDEXABLE: Final = (Code.INVALID_URL, Code.BLOCKED_URL)
_NOTES: Final = {
    "bot_challenge": (Code.PROVIDER_BLOCKED, "The site answered with a challenge instead of the page."),
    "needs_javascript": ("needs_javascript", "The page shows its text only with JavaScript, which is not run."),
}


async def index_urls(
    web: Web,
    index: LocalIndex,
    urls: Iterable[str],
    *,
    call: Call | None = None,
    concurrency: int = INDEX_CONCURRENCY,
    progress: Tell | None = None,
    now: Callable[[], str] = utc_now,
) -> IndexReport:
    """Fetch pages and take them in, each by itself: what was taken in stays when a later page fails.

    A page is kept under its final URL without fragment; one already there is replaced. Skipped with the reason: what
    cannot be fetched, any status but 2xx, challenges, pages without text, and an input that leads to a page of the
    same run.

    Args:
        web: fetches.
        index: takes in.
        urls: any number, read as they are needed.
        call: execution control for every fetch; without a deadline in it each fetch has its own.
        concurrency: fetches at once.
        progress: told each outcome as it comes.
        now: gives `indexed_at`.

    Raises:
        WebError: `INVALID_ARGS` for a concurrency below 1; what `LocalIndex.add` raises when the index cannot be
            written.
    """
    if concurrency < 1:
        raise WebError(Code.INVALID_ARGS, f"concurrency is {concurrency}; it must be 1 or more.")
    waiting = iter(enumerate(urls))
    outcomes: dict[int, Outcome] = {}
    known: set[str] = set()

    async def work() -> None:
        for number, url in waiting:
            outcomes[number] = await _index_url(web, index, url, known=known, call=call, now=now)
            tell(progress, outcomes[number])

    await together(work() for _ in range(concurrency))
    return report(outcomes[number] for number in sorted(outcomes))


async def index_sitemap(
    web: Web,
    index: LocalIndex,
    url: str,
    *,
    limit: int = INDEX_SITEMAP_URLS,
    call: Call | None = None,
    concurrency: int = INDEX_CONCURRENCY,
    progress: Tell | None = None,
    now: Callable[[], str] = utc_now,
) -> IndexReport:
    """Take in the pages of a sitemap, or of the sitemaps that a sitemap index lists; see `index_urls`.

    Only pages of the sitemap's own host; those of others are counted in one line. At most `limit` pages.
    """
    listing = await read_sitemap(web, url, limit=limit, call=call)
    for one in listing.skipped:
        tell(progress, one)
    pages = await index_urls(web, index, listing.urls, call=call, concurrency=concurrency, progress=progress, now=now)
    return IndexReport(indexed=pages.indexed, skipped=listing.skipped + pages.skipped)


async def _index_url(
    web: Web, index: LocalIndex, url: str, *, known: set[str], call: Call | None, now: Callable[[], str]
) -> Outcome:
    if not _first_time(url, known):
        return Skipped(target=url, code="duplicate", message="This page was given before.")
    try:
        page = await web.fetch(url, call=call)
    except WebError as exc:
        return refused(url, exc)
    final = snapshot_key(page.url)
    if final != snapshot_key(url) and not _first_time(final, known):
        return Skipped(target=url, code="duplicate", message=f"This leads to {final}, which was given before.")
    made = await asyncio.to_thread(_document, page, url, now())
    if isinstance(made, Skipped):
        return made
    try:
        await index.add([made])
    except WebError as exc:
        if exc.code not in _UNINDEXABLE:
            raise
        return refused(url, exc)
    return final


def _first_time(url: str, known: set[str]) -> bool:
    key = snapshot_key(url)
    fresh = key not in known
    known.add(key)
    return fresh


def _document(page: FetchResult, asked: str, now: str) -> Document | Skipped:
    """The page as the index keeps it, or why it is not worth keeping."""
    if not 200 <= page.status_code < 300:  # noqa: PLR2004 - RFC 9110 section 15.3: successful
        return Skipped(target=asked, code="http_status", message=f"The server answered {page.status_code}.")
    for note in page.notes:
        if note.code in _NOTES:
            code, message = _NOTES[note.code]
            return Skipped(target=asked, code=code, message=message)
    if isinstance(page.body, ImageBody):
        return Skipped(target=asked, code="not_text", message=f"This is {page.media_type or 'a picture'}, not text.")
    title, text = _words(page)
    if not text.strip():
        return Skipped(target=asked, code="empty", message="The page holds no text.")
    return Document(url=page.url, title=title, text=text, indexed_at=now)


def _words(page: FetchResult) -> tuple[str | None, str]:
    """Title and plain text. A title is the page's own or none."""
    match page.body:
        case HtmlBody(content=content):
            return html_title(content), markdown_to_plain(html_to_markdown(content, url=page.url).text)
        case DocumentBody(content=content):
            return markdown_title(content), markdown_to_plain(content)
        case TextBody(content=content) if page.media_type in _MARKDOWN_TYPES:
            return markdown_title(content), markdown_to_plain(content)
        case PdfBody(pages=pages, metadata=said):
            return said.title if said is not None else None, "\n\n".join(pages)
        case TextBody() | ImageBody():
            return None, plain_body(page)


__all__ = ["IndexReport", "Skipped", "index_folder", "index_sitemap", "index_urls"]
