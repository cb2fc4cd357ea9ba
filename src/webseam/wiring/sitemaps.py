"""The pages that the sitemaps of a site list, read through the seam."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from webseam.content.sitemap import Sitemap, parse_sitemap
from webseam.core.call import Call
from webseam.core.errors import Code, WebError
from webseam.core.limits import INDEX_SITEMAP_FILES
from webseam.core.snapshots import snapshot_key
from webseam.core.types import HtmlBody, TextBody
from webseam.core.url import host_of
from webseam.core.web import Web
from webseam.wiring.index_report import Skipped, refused


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """Pages in the order listed, and what was left out."""

    urls: tuple[str, ...]
    skipped: tuple[Skipped, ...]


async def read_sitemap(web: Web, url: str, *, limit: int, call: Call | None = None) -> Listing:
    """Pages of a sitemap and of the sitemaps it lists, of its own host only.

    At most `limit` pages from at most `INDEX_SITEMAP_FILES` files. A file that fails is one line of `skipped`; pages
    of other hosts and pages beyond a bound are one line per file.

    Raises:
        WebError: `INVALID_ARGS` for a limit below 1.
    """
    if limit < 1:
        raise WebError(Code.INVALID_ARGS, f"The limit is {limit}; it must be 1 or more.")
    walk = _Walk(limit=limit, waiting=[url], known={snapshot_key(url)})
    while walk.waiting:
        await walk.read(web, walk.waiting.pop(0), call)
    return Listing(urls=tuple(walk.urls), skipped=tuple(walk.skipped))


_LEFT_OUT: Final = {
    "other_host": "URLs of other hosts were",
    "limit": "URLs beyond the limit were",
    Code.INVALID_URL: "entries that are no absolute URLs were",
}


@dataclass(slots=True, kw_only=True)
class _Walk:
    """The state of one reading."""

    limit: int
    waiting: list[str]
    known: set[str]
    hosts: set[str | None] = field(default_factory=set)
    urls: dict[str, None] = field(default_factory=dict)
    skipped: list[Skipped] = field(default_factory=list)

    async def read(self, web: Web, url: str, call: Call | None) -> None:
        try:
            page = await web.fetch(url, call=call)
        except WebError as exc:
            self.skipped.append(refused(url, exc))
            return
        if not 200 <= page.status_code < 300:  # noqa: PLR2004 - RFC 9110 section 15.3: successful
            self._skip(url, "http_status", f"The server answered {page.status_code}.")
        elif not isinstance(page.body, TextBody | HtmlBody):
            self._skip(url, "not_text", f"This is {page.media_type or 'no text'}, not a sitemap.")
        else:
            self.hosts = self.hosts or {host_of(url), host_of(page.url)}
            self._take(url, parse_sitemap(page.body.content), truncated=page.truncated)

    def _take(self, url: str, sitemap: Sitemap, *, truncated: bool) -> None:
        left: Counter[str] = Counter()
        for page in sitemap.pages:
            left[self._page(page)] += 1
        for further in sitemap.sitemaps:
            left[self._further(further)] += 1
        if truncated:
            self._skip(url, "truncated", "The sitemap is longer than a fetch may be; what follows the cut is left out.")
        elif sitemap.fault is not None:
            self._skip(url, "malformed", f"The sitemap was not read to its end: {sitemap.fault}.")
        for code, what in _LEFT_OUT.items():
            if left[code]:
                self._skip(url, code, f"{left[code]:,} {what} left out.")
        if not sitemap.pages and not sitemap.sitemaps and sitemap.fault is None:
            self._skip(url, "empty", "The sitemap lists nothing.")

    def _page(self, page: str) -> str:
        if (foreign := self._foreign(page)) is not None:
            return foreign
        if page not in self.urls and len(self.urls) >= self.limit:
            return "limit"
        self.urls[page] = None
        return "taken"

    def _further(self, url: str) -> str:
        key = snapshot_key(url)
        if (foreign := self._foreign(url)) is not None:
            return foreign
        if key in self.known:
            return "known"
        if len(self.known) >= INDEX_SITEMAP_FILES or len(self.urls) >= self.limit:
            return "limit"
        self.known.add(key)
        self.waiting.append(url)
        return "taken"

    def _foreign(self, url: str) -> str | None:
        host = host_of(url)
        if host is None:
            return Code.INVALID_URL
        return None if host in self.hosts else "other_host"

    def _skip(self, url: str, code: str, message: str) -> None:
        self.skipped.append(Skipped(target=url, code=code, message=message))
