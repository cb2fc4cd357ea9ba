"""Documents, feeds and pictures over the wire: known, capped, told in the answer."""

import io
import zipfile
from dataclasses import replace
from typing import Any

import pytest

from support.net import LOOPBACK, always, answer, http_web, serve
from support.office import DOCX, EPUB, XLSX, compound, core, docx, epub, locked_zip, package, paragraph, xlsx
from webseam.content.markdown import to_markdown
from webseam.content.metadata import metadata
from webseam.core.errors import Code, WebError
from webseam.core.limits import IMAGE_BYTES
from webseam.core.settings import ToolSettings
from webseam.core.types import DocumentBody, FetchResult, ImageBody, TextBody
from webseam.tools.toolset import Toolset

LETTER = docx(paragraph("Kelp", style="Heading1"), more={"docProps/core.xml": core("A letter", "Ann")})
RSS = b"<?xml version='1.0'?><rss version='2.0'><channel><title>News</title><item><title>One</title>"
RSS += b"</item></channel></rss>"
PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + (640).to_bytes(4, "big") + (480).to_bytes(4, "big") + bytes(40)
HUGE = PNG[:16] + (60_000).to_bytes(4, "big") * 2 + bytes(40)
PICTURES = replace(LOOPBACK, images=True)


async def fetched(data: bytes, *, kind: str | None = DOCX, settings: Any = LOOPBACK, **parts: Any) -> FetchResult:
    response = answer(data, content_type=kind, **parts)
    async with serve(always(response, close=True)) as server, http_web(settings) as web:
        return await web.fetch(server.url + "/x")


async def refused(data: bytes, **parts: Any) -> WebError:
    with pytest.raises(WebError) as caught:
        await fetched(data, **parts)
    return caught.value


@pytest.mark.req("office:known", "office:about")
@pytest.mark.parametrize(
    ("kind", "notes"),
    [
        (DOCX, []),
        ("application/octet-stream", []),
        ("application/zip", []),
        (None, []),
        ("text/html", ["type_mismatch"]),
    ],
)
async def test_a_document_is_known_by_its_header_or_its_first_file(kind: str | None, notes: list[str]) -> None:
    page = await fetched(LETTER, kind=kind)
    assert isinstance(page.body, DocumentBody)
    assert (page.body.content, page.media_type, page.truncated) == ("# Kelp", DOCX, False)
    assert [note.code for note in page.notes] == notes
    said = metadata(page)
    assert said is not None
    assert (said.title, said.author, said.published_at) == ("A letter", "Ann", "2026-01-02T03:04:05Z")
    assert to_markdown(page) == "# Kelp"


@pytest.mark.req("office:known")
@pytest.mark.parametrize(
    ("data", "kind"), [(epub(["<h1>Kelp</h1>"]), EPUB), (xlsx({"Kelp": [["a", "b"], ["c", "d"]]}), XLSX)]
)
async def test_the_type_told_is_what_the_package_holds(data: bytes, kind: str) -> None:
    page = await fetched(data, kind=None)
    assert isinstance(page.body, DocumentBody)
    assert "Kelp" in page.body.content
    assert page.media_type == kind


@pytest.mark.req("office:known")
async def test_an_office_type_over_plain_text_is_the_text() -> None:
    page = await fetched(b"a,b\n1,2\n", kind="application/vnd.ms-excel")
    assert page.body == TextBody(content="a,b\n1,2\n")
    assert [note.code for note in page.notes] == ["type_mismatch"]


@pytest.mark.req("office:known")
async def test_a_document_has_the_byte_cap_of_a_pdf() -> None:
    large = docx(paragraph("Kelp"), more={"word/media/a.bin": bytes(range(256)) * 800})
    assert len(large) < 300_000
    settings = replace(LOOPBACK, max_bytes=1_000, max_pdf_bytes=300_000)
    page = await fetched(large, settings=settings)
    assert isinstance(page.body, DocumentBody)
    error = await refused(LETTER, settings=replace(LOOPBACK, max_pdf_bytes=600), length=False)
    assert (error.code, "fetch.max_pdf_bytes" in str(error)) == (Code.FETCH_TOO_LARGE, True)


@pytest.mark.req("office:refused")
@pytest.mark.parametrize(
    ("data", "kind", "why"),
    [
        (locked_zip(), DOCX, "encrypted"),
        (LETTER[:400], DOCX, "damaged"),
        (package({"a.txt": "x"}), DOCX, "application/zip are not read"),
        (package({"a.txt": "x"}), "application/zip", "application/zip"),
        (compound("WordDocument"), "application/msword", "application/msword"),
        (compound("WordDocument"), "application/vnd.ms-excel", "application/msword are not read"),
        (compound("Workbook"), "application/vnd.ms-excel", "damaged"),
        (b"\x00\x01\x02" * 50, DOCX, "wordprocessingml"),
    ],
)
async def test_a_document_that_cannot_be_read_is_a_typed_error(data: bytes, kind: str, why: str) -> None:
    error = await refused(data, kind=kind)
    assert (error.code, why in str(error)) == (Code.UNSUPPORTED_CONTENT_TYPE, True), str(error)


@pytest.mark.req("office:hostile")
async def test_a_workbook_that_spans_billions_of_cells_is_a_typed_error() -> None:
    far = xlsx({"A": [["a", "b"]]})
    sheet = (
        '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
        '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
        "</sheetData></worksheet>"
    )
    with zipfile.ZipFile(io.BytesIO(far)) as held:
        parts = {name: held.read(name) for name in held.namelist()}
    error = await refused(package({**parts, "xl/worksheets/sheet1.xml": sheet}), kind=XLSX)
    assert error.code == Code.UNSUPPORTED_CONTENT_TYPE


@pytest.mark.req("feeds:known")
@pytest.mark.parametrize(
    "kind", ["text/html", "text/html; charset=utf-8", "application/rss+xml", "text/xml", "text/plain"]
)
async def test_a_feed_is_a_list_for_the_model_and_verbatim_for_the_host(kind: str) -> None:
    response = answer(RSS, content_type=kind)
    async with serve(always(response, close=True)) as server, http_web() as web:
        tools = Toolset(web, settings=ToolSettings())
        try:
            page = await web.fetch(server.url + "/feed")
            result = await tools.call("web_fetch", {"url": server.url + "/feed"})
        finally:
            await tools.aclose()
    assert page.body == TextBody(content=RSS.decode())
    assert "# News\n\n## One" in result.text


@pytest.mark.req("feeds:known")
@pytest.mark.parametrize(
    "data", [b"<!doctype html><p>rss", b"<html><body>&lt;rss version=2.0&gt;", b"<?xml version='1.0'?><html>"]
)
async def test_html_that_mentions_feeds_is_html(data: bytes) -> None:
    assert (await fetched(data, kind="text/html")).body.kind == "html"


@pytest.mark.req("feeds:known")
@pytest.mark.parametrize("start", [b"", b"\n", b"\xef\xbb\xbf", b"<!-- news -->", b"<!DOCTYPE rss PUBLIC 'a' 'b'>"])
async def test_a_feed_called_html_is_known_however_it_begins(start: bytes) -> None:
    page = await fetched(start + RSS[RSS.index(b"<rss") :], kind="text/html")
    assert (page.body.kind, page.media_type) == ("text", "application/rss+xml")
    assert [note.code for note in page.notes] == ["type_mismatch"]


@pytest.mark.req("feeds:encoding")
@pytest.mark.parametrize(
    ("kind", "source"), [("application/xml", "meta"), ("text/xml; charset=windows-1251", "header")]
)
async def test_the_encoding_of_an_xml_declaration_is_read(kind: str, source: str) -> None:
    page = await fetched("<?xml version='1.0' encoding='windows-1251'?><rss><t>Ламинария".encode("cp1251"), kind=kind)
    assert isinstance(page.body, TextBody)
    assert page.body.content.endswith("Ламинария")
    assert (page.charset, page.charset_source) == ("windows-1251", source)


@pytest.mark.req("images:size")
async def test_a_picture_is_told_with_its_size() -> None:
    page = await fetched(PNG, kind="image/png", settings=PICTURES)
    assert page.body == ImageBody(data=PNG, width=640, height=480)
    assert to_markdown(page) == f"[image: 640x480 image/png, {len(PNG)} bytes]"


@pytest.mark.req("images:capped")
async def test_a_picture_over_its_caps_is_refused_with_type_and_size() -> None:
    error = await refused(HUGE, kind="image/png", settings=PICTURES)
    assert (error.code, "60,000 x 60,000 pixels" in str(error)) == (Code.FETCH_TOO_LARGE, True)
    settings = replace(PICTURES, max_bytes=2 * IMAGE_BYTES)
    long = await refused(PNG + bytes(IMAGE_BYTES), kind="image/png", settings=settings)
    assert (long.code, "image/png" in str(long)) == (Code.FETCH_TOO_LARGE, True)
    cut = await refused(PNG, kind="image/png", settings=replace(PICTURES, max_bytes=50), length=False)
    assert cut.code == Code.FETCH_TOO_LARGE
    off = await refused(PNG, kind="image/png")
    assert (off.code, "fetch.images" in str(off)) == (Code.UNSUPPORTED_CONTENT_TYPE, True)
