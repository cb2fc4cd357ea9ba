"""One page, three faces: what `web_fetch`, `webseam fetch --json` and the library tell of it is the same."""

import asyncio
import json
import struct
import zlib
from typing import Any

import pytest

from support import office, pdf
from support.cli import Answer, Shell, site
from support.tools import schema_errors
from webseam.content.markdown import to_markdown
from webseam.content.metadata import metadata
from webseam.core.plain import to_plain
from webseam.core.types import FetchResult
from webseam.surfaces.cli.demo_files import handbook, news_feed
from webseam.tools.output import fetch_output
from webseam.tools.result import ToolResult
from webseam.tools.toolset import Toolset
from webseam.wiring.opening import open_web

SETTINGS = {"fetch": {"private_networks": ["127.0.0.0/8"], "images": True}}
LOCAL = '[fetch]\nprivate_networks = ["127.0.0.0/8"]\nimages = true\n'
SAME: tuple[str, ...] = (
    "status_code",
    "media_type",
    "charset",
    "charset_source",
    "received_bytes",
    "redirects",
    "retry_after",
)
SAME += ("truncated", "cut_by", "notes", "mostly_hidden", "fallback", "metadata", "view_mode", "left_out")


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


PNG = b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", struct.pack(">IIBBBBB", 3, 2, 8, 2, 0, 0, 0))
PNG += _chunk(b"IDAT", zlib.compress(b"\0" * 20)) + _chunk(b"IEND", b"")
ARTICLE = "<title>T</title><meta name=author content=Ann><nav><a href=/a>Menu</a></nav><main><h1>Head</h1><p>" + (
    "Some words of an article. " * 60 + "</p><p hidden>away</p></main>"
)
SITEMAP = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://a.test/x</loc></url></urlset>'
JSON_FEED = {"version": "https://jsonfeed.org/version/1.1", "title": "F", "items": [{"id": "1", "content_text": "one"}]}
HIDDEN = "<p>seen</p><div style='display:none'>" + "<p>words that a script reveals</p>" * 200 + "</div>"
SCRIPTED = "<title>App</title><div id=root></div><script src=/app.js></script><noscript>Enable JavaScript</noscript>"
MARKDOWN = b"# Head\n\nText with words.\n"

PAGES: dict[str, tuple[int, str, bytes]] = {
    "/html": (200, "text/html", ARTICLE.encode()),
    "/latin": (200, "text/html; charset=iso-8859-1", "<title>Caf\u00e9</title><p>Caf\u00e9".encode("latin-1")),
    "/large": (200, "text/html", b"<title>L</title>" + b"<h2>Part</h2><p>words of a page</p>" * 12_000),
    "/nothing": (200, "text/html", b""),
    "/blank": (200, "text/html", b"<title>t</title><p>&nbsp;</p>"),
    "/hidden": (200, "text/html", HIDDEN.encode()),
    "/scripted": (200, "text/html", SCRIPTED.encode()),
    "/refresh": (200, "text/html", b"<meta http-equiv=refresh content='0;url=/html'><title>r</title>"),
    "/gone": (410, "text/html", b"<h1>Gone</h1>"),
    "/plain": (200, "text/plain", b"# no heading\nplain words"),
    "/markdown": (200, "text/markdown", MARKDOWN),
    "/json": (200, "application/json", b'{"words": [1, 2.0]}'),
    "/csv": (200, "text/csv", b"a,b\n1,2\n"),
    "/feed": (200, "application/rss+xml", news_feed("https://a.test")),
    "/broken-feed": (200, "application/rss+xml", news_feed("https://a.test")[:3_000]),
    "/json-feed": (200, "application/feed+json", json.dumps(JSON_FEED).encode()),
    "/sitemap": (200, "application/xml", SITEMAP.encode()),
    "/pdf": (200, "application/pdf", handbook()),
    "/long-pdf": (200, "application/pdf", pdf.pdf([pdf.lines([f"words of page {at}"]) for at in range(103)])),
    "/pictures-pdf": (200, "application/pdf", pdf.pdf([b""])),
    "/named-html-pdf": (200, "text/html", handbook()),
    "/odt": (200, office.ODT, office.odt("<text:p>words</text:p>")),
    "/pptx": (200, office.PPTX, office.pptx([office.shape([(0, "words")])])),
    "/epub": (200, office.EPUB, office.epub(["<h1>C</h1><p>words</p>"])),
    "/picture": (200, "image/png", PNG),
}


def answer(path: str) -> Answer:
    if path == "/moved":
        return 302, {"Location": "/html"}, b""
    status, kind, body = PAGES[path]
    return status, {"Content-Type": kind, "Retry-After": "7"} if status != 200 else {"Content-Type": kind}, body


async def _seen(shell: Shell, url: str, view: str) -> tuple[ToolResult, ToolResult, FetchResult]:
    config = {**SETTINGS, "tools": {"fetch_view": view}}
    async with open_web(config=config, environ=shell.desk.environ, cwd=shell.desk.cwd) as web:
        tools = Toolset(web)
        try:
            shown = await tools.call("web_fetch", {"url": url})
            found = await tools.call("web_fetch", {"url": url, "find": "words"})
            return shown, found, await web.fetch(url)
        finally:
            await tools.aclose()


def _structured(result: ToolResult) -> dict[str, Any]:
    assert result.structured is not None, result.text
    assert schema_errors(json.loads(json.dumps(result.structured)), fetch_output()) == []
    assert schema_errors(dict(result.structured), fetch_output()) == []
    return dict(result.structured)


@pytest.mark.req("cli:fetch:faces", "tools:structured:schema")
@pytest.mark.parametrize("view", ["page", "main"])
@pytest.mark.parametrize("path", [*PAGES, "/moved"])
def test_every_kind_of_page_keeps_the_schema_and_is_told_alike_by_all(shell: Shell, path: str, view: str) -> None:
    shell.desk.user(LOCAL)
    with site(answer) as base:
        shown, found, page = asyncio.run(_seen(shell, base + path, view))
        told = _structured(shown)
        total = told["view"]["total"]
        size = () if told["view"]["end"] == total else ("--chars", str(told["view"]["end"]))
        record = shell.run("fetch", "--json", "--view", view, *size, base + path).json
    assert _structured(found)["digest"] == told["digest"]
    ours = {name: told[name] for name in SAME if told.get(name)}
    assert {name: record[name] for name in SAME if record.get(name)} == ours
    assert (record["total_chars"], record["body"]["kind"]) == (total, told["body_kind"])
    assert record["body"].get("page_count") == told.get("page_count")
    assert record["markdown"] == told["content"]
    assert record["removed"].get("hidden", 0) == told["hidden"]
    assert to_plain(metadata(page)) == told.get("metadata")
    assert len(to_markdown(page, view="main" if view == "main" else "page")) == total
