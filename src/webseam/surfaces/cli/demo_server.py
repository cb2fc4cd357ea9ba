"""The demo's web: a small real site on loopback, in one place for its pages and in one for the bytes of HTTP."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib.resources import files
from typing import Final

from webseam.surfaces.cli.demo_files import handbook, news_feed

HTML: Final = "text/html; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer of the site."""

    body: bytes
    content_type: str = HTML
    status: str = "200 OK"
    location: str = ""


_FILES: Final = {
    "/": ("index.html", HTML),
    "/guide/starting.html": ("starting.html", HTML),
    "/permits.html": ("permits.html", HTML),
    "/reference/lines.html": ("lines.html", HTML),
    "/history.html": ("history.html", "text/html"),
    "/forum.html": ("forum.html", HTML),
    "/storm.html": ("storm.html", HTML),
    "/nursery.html": ("nursery.html", HTML),
    "/recipes.md": ("recipes.md", "text/markdown; charset=utf-8"),
    "/prices.json": ("prices.json", "application/json"),
}
_LOG_DAYS: Final = 240


def tide_log() -> str:
    """The long page: an entry a day, longer than one answer of `web_fetch`."""
    entries = []
    for day in range(1, _LOG_DAYS + 1):
        high, low, knots = 31 + day * 7 % 13, 4 + day * 5 % 9, 1 + day * 3 % 4
        found = "two buoys replaced" if day % 11 == 0 else "nothing to report"
        entries.append(
            f"<h2>Day {day}</h2><p>High water {high / 10:.1f} m, low water {low / 10:.1f} m, current {knots} knots at "
            f"the north skerry. Line {day % 19 + 1} checked: {found}.</p>"
        )
    title = "Tide log of the season"
    return f"<!doctype html><html lang=en><title>{title}</title><body><h1>{title}</h1>{''.join(entries)}</body></html>"


def _pages() -> dict[str, Reply]:
    folder = files("webseam.surfaces.cli") / "demo_site"
    pages = {path: Reply((folder / name).read_bytes(), kind) for path, (name, kind) in _FILES.items()}
    russian = pages["/history.html"].body.decode("utf-8").encode("windows-1251")
    pages["/history.html"] = Reply(russian, "text/html")
    pages["/log/tides.html"] = Reply(tide_log().encode())
    pages["/permit"] = Reply(b"", status="301 Moved Permanently", location="/permits.html")
    pages["/handbook.pdf"] = Reply(handbook(), "application/pdf")
    pages["/chart.zip"] = Reply(b"PK\x03\x04" + bytes(200), "application/zip")
    return pages


def _sitemap(base: str, paths: list[str]) -> Reply:
    rows = "".join(f"<url><loc>{base}{path}</loc></url>" for path in paths)
    head = '<?xml version="1.0" encoding="UTF-8"?>'
    body = f'{head}<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{rows}</urlset>'
    return Reply(body.encode(), "application/xml")


@asynccontextmanager
async def demo_site() -> AsyncIterator[str]:
    """The site on a free port of 127.0.0.1; yields its URL."""
    pages = _pages()

    async def connection(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                path = head.split(b" ", 2)[1].decode("ascii", "replace").partition("?")[0]
                writer.write(_response(pages.get(path) or _missing(path)))
                await writer.drain()
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, ConnectionError):
            pass  # the client has left
        finally:
            writer.close()

    server = await asyncio.start_server(connection, "127.0.0.1", 0)
    base = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    pages["/news.xml"] = Reply(news_feed(base), "application/rss+xml")
    pages["/sitemap.xml"] = _sitemap(base, [*_FILES, "/log/tides.html"])
    try:
        yield base
    finally:
        server.close()


def _missing(path: str) -> Reply:
    body = f"<!doctype html><title>Not found</title><h1>Not found</h1><p>There is no page {path!r} here.</p>"
    return Reply(body.encode(), status="404 Not Found")


def _response(reply: Reply) -> bytes:
    lines = [f"HTTP/1.1 {reply.status}", f"Content-Type: {reply.content_type}", f"Content-Length: {len(reply.body)}"]
    if reply.location:
        lines.append(f"Location: {reply.location}")
    return "\r\n".join(lines).encode("ascii") + b"\r\n\r\n" + reply.body
