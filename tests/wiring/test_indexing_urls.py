"""Pages from the web into the index: through the real fetch provider, against servers on loopback."""

import asyncio
import gzip
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from support.index import found, urls
from support.net import Handler, Server, answer, http_web, paths, serve
from webseam.core.call import Call
from webseam.core.errors import WebError
from webseam.core.gate import AccessRequest, Verdict
from webseam.core.web import Web
from webseam.stores.index import LocalIndex
from webseam.wiring.indexing import IndexReport, index_sitemap, index_urls

HTML = "<title>{0}</title><p>All about <a href='/elsewhere'>{0}</a> and <b>more</b>.</p>"


def html(word: str) -> bytes:
    return answer(HTML.format(word).encode())


@asynccontextmanager
async def site(handler: Handler, folder: Path) -> AsyncIterator[tuple[Web, Server, LocalIndex]]:
    async with serve(handler) as server, http_web() as web:
        yield web, server, LocalIndex(folder / "index.sqlite3", read_only=False)


def codes(report: IndexReport) -> dict[str, str]:
    return {one.target.rpartition("/")[2]: one.code for one in report.skipped}


@pytest.mark.req("wiring:indexing:urls")
async def test_pages_are_fetched_and_found_as_plain_text(tmp_path: Path) -> None:
    pages = {
        "/a": html("kelp"),
        "/b.md": answer(b"# Crab *season*\n\nOpens in [May](https://x.test/).", content_type="text/markdown"),
        "/c.txt": answer(b"# oak, verbatim", content_type="text/plain"),
    }
    lines: list[str] = []
    async with site(paths(pages), tmp_path) as (web, server, index):
        asked = [server.url + path for path in pages]
        report = await index_urls(web, index, asked, progress=lines.append, now=lambda: "2026-11-30T00:00:00Z")
        assert report == IndexReport(indexed=tuple(asked))
        kelp = (await index.search("kelp", limit=1)).hits[0]
        crab = (await index.search("crab", limit=1)).hits[0]
        oak = (await index.search("oak", limit=1)).hits[0]
    assert (kelp.title, kelp.snippet) == ("kelp", "All about kelp and more.")
    assert (crab.title, crab.snippet) == ("Crab season", "Crab season Opens in May.")
    assert (oak.title, oak.snippet, oak.published_at) == (None, "# oak, verbatim", None)
    assert sorted(lines) == sorted(f"indexed {url}" for url in asked)
    assert (await index.stats()).updated_at == "2026-11-30T00:00:00Z"


@pytest.mark.req("wiring:indexing:one-line-each")
async def test_every_input_that_is_not_taken_in_says_why(tmp_path: Path) -> None:
    shell = b"<title>App</title><div id=root></div><script src=app.js></script>"
    pages = {
        "/good": html("kelp"),
        "/empty": answer(b"<title>nothing</title>"),
        "/blank.txt": answer(b"  \n", content_type="text/plain"),
        "/zip": answer(b"PK\3\4\0\0\0", content_type="application/zip"),
        "/app": answer(shell),
        "/bot": answer(b"<title>Just a moment...</title>", status=403, headers={"cf-mitigated": "challenge"}),
        "/bot200": answer(b"<title>Just a moment...</title>x", headers={"cf-mitigated": "challenge"}),
        "/away": answer(b"", status=302, headers={"Location": "https://elsewhere.test/"}),
    }
    lines: list[str] = []
    async with site(paths(pages), tmp_path) as (web, server, index):
        asked = [*(server.url + path for path in pages), f"{server.url}/gone", "no url", "http://10.0.0.1/"]
        report = await index_urls(web, index, asked, progress=lines.append)
    assert report.indexed == (f"{server.url}/good",)
    assert codes(report) == {
        "empty": "empty",
        "blank.txt": "empty",
        "zip": "WEB_UNSUPPORTED_CONTENT_TYPE",
        "app": "needs_javascript",
        "bot": "http_status",
        "bot200": "WEB_PROVIDER_BLOCKED",
        "away": "WEB_REDIRECT_BLOCKED",
        "gone": "http_status",
        "no url": "WEB_INVALID_URL",
        "": "WEB_BLOCKED_URL",
    }
    assert [one.target for one in report.skipped] == asked[1:]
    assert len(lines) == len(asked)


@pytest.mark.req("wiring:indexing:duplicates")
async def test_a_page_given_twice_is_fetched_once(tmp_path: Path) -> None:
    pages = {"/a": html("kelp"), "/old": answer(b"", status=301, headers={"Location": "/a"})}
    async with site(paths(pages), tmp_path) as (web, server, index):
        asked = [f"{server.url}/a", f"{server.url}/a#part", f"{server.url}/old"]
        report = await index_urls(web, index, asked, concurrency=1)
        assert report.indexed == (f"{server.url}/a",)
        assert [(one.target, one.code) for one in report.skipped] == [(asked[1], "duplicate"), (asked[2], "duplicate")]
        assert [request.target for request in server.requests] == ["/a", "/old", "/a"]


@pytest.mark.req("wiring:indexing:urls")
async def test_a_page_is_kept_under_its_final_url_and_taken_in_anew(tmp_path: Path) -> None:
    pages = {"/a": html("kelp"), "/old": answer(b"", status=301, headers={"Location": "/a"})}
    async with site(paths(pages), tmp_path) as (web, server, index):
        assert (await index_urls(web, index, [f"{server.url}/old"])).indexed == (f"{server.url}/a",)
        pages["/a"] = html("crab")
        await index_urls(web, index, [f"{server.url}/a"])
        assert await found(index, "crab") == [f"{server.url}/a"]
        assert await found(index, "kelp") == []


@pytest.mark.req("wiring:indexing:rules")
async def test_the_gate_decides_about_every_page(tmp_path: Path) -> None:
    async def gate(request: AccessRequest) -> Verdict:
        return Verdict(allowed=request.target.endswith("/a"), reason="not that one")

    async with site(paths({"/a": html("kelp"), "/b": html("crab")}), tmp_path) as (web, server, index):
        asked = [f"{server.url}/a", f"{server.url}/b"]
        report = await index_urls(web, index, asked, call=Call(gate=gate))
        assert report.indexed == (asked[0],)
        assert codes(report) == {"b": "WEB_DENIED"}
        assert [request.target for request in server.requests] == ["/a"]


async def test_no_more_pages_are_fetched_at_once_than_asked(tmp_path: Path) -> None:
    running, most = 0, 0

    async def slow(_request: object, writer: asyncio.StreamWriter) -> None:
        nonlocal running, most
        running += 1
        most = max(most, running)
        for _ in range(20):
            await asyncio.sleep(0)
        running -= 1
        writer.write(html("kelp"))

    async with site(slow, tmp_path) as (web, server, index):
        report = await index_urls(web, index, [f"{server.url}/{n}" for n in range(9)], concurrency=2)
        assert [url.rpartition("/")[2] for url in report.indexed] == [str(n) for n in range(9)]
        assert most <= 2
        with pytest.raises(WebError, match="concurrency"):
            await index_urls(web, index, [], concurrency=0)


@pytest.mark.req("wiring:indexing:cancel")
async def test_cancelling_ends_the_run_and_keeps_what_was_taken_in(tmp_path: Path) -> None:
    arrived = asyncio.Event()

    async def handler(request: object, writer: asyncio.StreamWriter) -> None:
        if getattr(request, "target", "") == "/hang":
            arrived.set()
            await asyncio.Event().wait()
        writer.write(html("kelp"))

    async with site(handler, tmp_path) as (web, server, index):
        asked = [f"{server.url}/a", f"{server.url}/hang", f"{server.url}/b"]
        task = asyncio.create_task(index_urls(web, index, asked, concurrency=1))
        await arrived.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await found(index, "kelp") == [asked[0]]


async def test_an_index_that_cannot_be_written_ends_the_run(tmp_path: Path) -> None:
    (tmp_path / "index.sqlite3").write_text("not an index" * 99, encoding="utf-8")
    async with site(paths({"/a": html("kelp")}), tmp_path) as (web, server, index):
        with pytest.raises(WebError, match="not a webseam index"):
            await index_urls(web, index, [f"{server.url}/a"])


def xml(body: str) -> bytes:
    return answer(f'<?xml version="1.0"?>{body}'.encode(), content_type="application/xml")


def urlset(*locations: str) -> bytes:
    rows = "".join(f"<url><loc>\n {one} </loc><i:image><i:loc>/p.png</i:loc></i:image></url>" for one in locations)
    return xml(f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:i="urn:i">{rows}</urlset>')


def mapindex(*locations: str) -> bytes:
    rows = "".join(f"<sitemap><loc>{one}</loc></sitemap>" for one in locations)
    return xml(f'<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{rows}</sitemapindex>')


@pytest.mark.req("wiring:indexing:sitemap")
async def test_a_sitemap_index_leads_to_the_pages_of_its_sitemaps(tmp_path: Path) -> None:
    pages: dict[str, bytes] = {"/a": html("kelp"), "/b": html("crab"), "/c?x=1&y=2": html("oak")}
    async with site(paths(pages), tmp_path) as (web, server, index):
        base = server.url
        pages["/sitemap.xml"] = mapindex(f"{base}/one.xml", f"{base}/two.txt", f"{base}/sitemap.xml", f"{base}/no.xml")
        pages["/one.xml"] = urlset(f"{base}/a", f"{base}/c?x=1&amp;y=2", "https://other.test/x", "relative")
        pages["/two.txt"] = answer(f"{base}/b\n{base}/a\n".encode(), content_type="text/plain")
        report = await index_sitemap(web, index, f"{base}/sitemap.xml")
    assert report.indexed == (f"{base}/a", f"{base}/c?x=1&y=2", f"{base}/b")
    assert [(one.target.rpartition("/")[2], one.code) for one in report.skipped] == [
        ("one.xml", "other_host"),
        ("one.xml", "WEB_INVALID_URL"),
        ("no.xml", "http_status"),
    ]
    assert urls(await index.search("oak", limit=1)) == [f"{base}/c?x=1&y=2"]


@pytest.mark.req("wiring:indexing:sitemap-gzip")
@pytest.mark.parametrize(
    ("content_type", "coding"),
    [
        ("application/gzip", {}),
        ("application/x-gzip", {"Content-Encoding": "gzip"}),
        ("text/xml", {"Content-Encoding": "gzip"}),
    ],
)
async def test_a_sitemap_may_be_packed_with_gzip(tmp_path: Path, content_type: str, coding: dict[str, str]) -> None:
    pages: dict[str, bytes] = {"/a": html("kelp")}
    async with site(paths(pages), tmp_path) as (web, server, index):
        packed = gzip.compress(f"<urlset><url><loc>{server.url}/a</loc></url></urlset>".encode())
        pages["/sitemap.xml.gz"] = answer(packed, content_type=content_type, headers=coding)
        pages["/data.gz"] = answer(gzip.compress(b"\0\1\2\3" * 500), content_type="application/gzip")
        report = await index_sitemap(web, index, f"{server.url}/sitemap.xml.gz")
        assert report == IndexReport(indexed=(f"{server.url}/a",))
        (binary,) = (await index_urls(web, index, [f"{server.url}/data.gz"])).skipped
        assert binary.code == "WEB_UNSUPPORTED_CONTENT_TYPE"
        assert "application/gzip" in binary.message


@pytest.mark.req("wiring:indexing:sitemap-bounds")
async def test_a_sitemap_gives_at_most_so_many_pages_and_counts_the_rest(tmp_path: Path) -> None:
    pages = {f"/{n}": html("kelp") for n in range(5)}
    async with site(paths(pages), tmp_path) as (web, server, index):
        pages["/s.xml"] = urlset(*(f"{server.url}/{n}" for n in range(5)))
        report = await index_sitemap(web, index, f"{server.url}/s.xml", limit=3)
        assert len(report.indexed) == 3
        assert [(one.code, one.message) for one in report.skipped] == [
            ("limit", "2 URLs beyond the limit were left out.")
        ]
        with pytest.raises(WebError, match="limit"):
            await index_sitemap(web, index, f"{server.url}/s.xml", limit=0)


@pytest.mark.req("wiring:indexing:sitemap-entities")
@pytest.mark.parametrize(
    "prologue",
    [
        '<!DOCTYPE urlset [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;">]>',
        '<!DOCTYPE urlset [<!ENTITY a SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE urlset SYSTEM "http://127.0.0.1:1/evil.dtd">',
    ],
)
async def test_a_sitemap_with_entities_is_refused(tmp_path: Path, prologue: str) -> None:
    async with site(paths({"/s.xml": xml(f"{prologue}<urlset><url><loc>&a;</loc></url></urlset>")}), tmp_path) as (
        web,
        server,
        index,
    ):
        report = await index_sitemap(web, index, f"{server.url}/s.xml")
        assert [(one.code, "document type" in one.message) for one in report.skipped] == [("malformed", True)]
        assert report.indexed == ()
        assert len(server.requests) == 1


@pytest.mark.req("wiring:indexing:sitemap-malformed")
async def test_a_broken_sitemap_gives_the_pages_before_the_break_and_says_so(tmp_path: Path) -> None:
    pages: dict[str, bytes] = {"/a": html("kelp"), "/none.xml": xml("<urlset/>"), "/page": html("page")}
    async with site(paths(pages), tmp_path) as (web, server, index):
        pages["/s.xml"] = xml(f"<urlset><url><loc>{server.url}/a</loc></url><url><loc>{server.url}/b</wrong>")
        report = await index_sitemap(web, index, f"{server.url}/s.xml")
        assert report.indexed == (f"{server.url}/a",)
        assert codes(report) == {"s.xml": "malformed"}
        assert codes(await index_sitemap(web, index, f"{server.url}/none.xml")) == {"none.xml": "empty"}
        assert set(codes(await index_sitemap(web, index, f"{server.url}/page")).values()) <= {"empty", "malformed"}
        assert codes(await index_sitemap(web, index, f"{server.url}/missing")) == {"missing": "http_status"}
        assert codes(await index_sitemap(web, index, "nonsense")) == {"nonsense": "WEB_INVALID_URL"}
