"""PDFs over the wire: known, capped, read in a worker, told in the answer."""

import asyncio
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from support.net import LOOPBACK, always, answer, http_web, serve
from support.pdf import bomb, lines, pdf, recursive, run
from webseam.content.markdown import plain_body
from webseam.core.call import Call
from webseam.core.deadline import Deadline
from webseam.core.errors import Code, WebError
from webseam.core.settings import ToolSettings
from webseam.core.types import FetchResult, PageMetadata, PdfBody, TextBody
from webseam.tools.toolset import Toolset

HELLO = pdf([lines(["Hello"]), lines(["again"])])
PDF = "application/pdf"


def children() -> set[int]:
    """Process ids of this process's children."""
    listed = Path(f"/proc/self/task/{os.getpid()}/children").read_text(encoding="ascii")
    return {int(pid) for pid in listed.split()}


async def fetched(data: bytes, *, kind: str | None = PDF, settings: Any = LOOPBACK, **parts: Any) -> FetchResult:
    response = answer(data, content_type=kind, **parts)
    async with serve(always(response, close=True)) as server, http_web(settings) as web:
        return await web.fetch(server.url + "/x")


async def refused(data: bytes, **parts: Any) -> WebError:
    with pytest.raises(WebError) as caught:
        await fetched(data, **parts)
    return caught.value


def codes(page: FetchResult) -> list[str]:
    return [note.code for note in page.notes]


@pytest.mark.req("pdf:bytes", "pdf:text")
@pytest.mark.parametrize(
    ("kind", "length", "notes"),
    [
        (PDF, True, []),
        (PDF, False, []),
        ("application/octet-stream", True, []),
        (None, False, []),
        ("text/html; charset=utf-8", True, ["type_mismatch"]),
    ],
)
async def test_a_pdf_is_known_by_its_header_or_its_first_bytes(
    kind: str | None,
    length: bool,  # noqa: FBT001 - a row of the table
    notes: list[str],
) -> None:
    page = await fetched(HELLO, kind=kind, length=length)
    assert page.body == PdfBody(pages=("Hello", "again"), page_count=2)
    assert (page.media_type, page.truncated, page.received_bytes) == (PDF, False, len(HELLO))
    assert (page.charset, codes(page)) == (None, notes)


@pytest.mark.req("pdf:bytes")
@pytest.mark.parametrize("kind", [PDF, "application/octet-stream", "text/html"])
@pytest.mark.parametrize("length", [False, True])
async def test_a_pdf_may_be_longer_than_a_page(kind: str, *, length: bool) -> None:
    large = pdf([lines(["Hello"])]) + b"%" * 300_000
    settings = replace(LOOPBACK, max_bytes=200_000, max_pdf_bytes=400_000)
    if length and kind == "text/html":
        assert "fetch.max_bytes" in str(await refused(large, kind=kind, settings=settings))
    else:
        page = await fetched(large, kind=kind, length=length, settings=settings)
        assert page.body == PdfBody(pages=("Hello",), page_count=1)


@pytest.mark.req("pdf:bytes")
@pytest.mark.parametrize("kind", [PDF, "application/octet-stream"])
async def test_a_cap_smaller_than_one_read_holds_for_pages_and_not_for_pdf(kind: str) -> None:
    settings = replace(LOOPBACK, max_bytes=100)
    assert isinstance((await fetched(HELLO, kind=kind, length=False, settings=settings)).body, PdfBody)
    page = await fetched(b"kelp " * 1000, kind="application/octet-stream", length=False, settings=settings)
    assert (page.body, page.truncated, page.received_bytes) == (TextBody(content="kelp " * 20), True, 100)


@pytest.mark.req("pdf:bytes")
async def test_a_declared_length_over_the_cap_is_refused_naming_its_setting() -> None:
    settings = replace(LOOPBACK, max_pdf_bytes=500)
    for kind in (PDF, "application/octet-stream"):
        error = await refused(HELLO, kind=kind, settings=settings)
        assert (error.code, "fetch.max_pdf_bytes" in str(error)) == (Code.FETCH_TOO_LARGE, True)
    text = await refused(b"kelp " * 300, kind="application/octet-stream", settings=replace(LOOPBACK, max_bytes=500))
    assert (text.code, "fetch.max_bytes" in str(text)) == (Code.FETCH_TOO_LARGE, True)


@pytest.mark.req("pdf:bytes", "pdf:broken")
async def test_a_pdf_over_the_cap_without_a_length_says_that_it_was_cut() -> None:
    error = await refused(HELLO, length=False, settings=replace(LOOPBACK, max_pdf_bytes=500))
    assert (error.code, "fetch.max_pdf_bytes" in str(error)) == (Code.FETCH_TOO_LARGE, True)


@pytest.mark.req("pdf:broken")
async def test_a_pdf_whose_transfer_broke_off_may_be_tried_again() -> None:
    whole = answer(HELLO, content_type=PDF)
    async with serve(always(whole[: len(whole) - len(HELLO) // 2], close=True)) as server, http_web() as web:
        with pytest.raises(WebError) as caught:
            await web.fetch(server.url + "/x")
    assert (caught.value.code, caught.value.retryable) == (Code.PROVIDER_ERROR, True)


@pytest.mark.req("workers:start")
async def test_a_worker_that_cannot_start_is_not_blamed_on_the_pdf(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nonexistent/python")
    error = await refused(HELLO)
    assert (error.code, "no worker process could be started" in str(error)) == (Code.PROVIDER_ERROR, True)


@pytest.mark.req("pdf:broken")
@pytest.mark.parametrize("data", [b"no pdf at all", HELLO[: len(HELLO) // 2], b"%PDF-1.7 "])
async def test_a_damaged_pdf_is_refused(data: bytes) -> None:
    error = await refused(data)
    assert (error.code, "damaged" in str(error)) == (Code.UNSUPPORTED_CONTENT_TYPE, True)


@pytest.mark.req("pdf:broken")
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux holds a process to its address space")
@pytest.mark.parametrize("data", [bomb(), recursive()], ids=["bomb", "recursive"])
async def test_a_hostile_pdf_ends_in_an_error_and_the_next_is_read(data: bytes) -> None:
    pages = iter([answer(data, content_type=PDF), answer(HELLO, content_type=PDF)])

    async def serving(_request: Any, writer: asyncio.StreamWriter) -> None:
        writer.write(next(pages))

    before = children()
    async with serve(serving) as server, http_web() as web:
        with pytest.raises(WebError) as caught:
            await web.fetch(server.url + "/x")
        assert caught.value.code == Code.UNSUPPORTED_CONTENT_TYPE
        assert isinstance((await web.fetch(server.url + "/x")).body, PdfBody)
    assert children() == before


@pytest.mark.req("pdf:broken")
async def test_a_deadline_that_ends_while_a_pdf_is_read_is_a_timeout() -> None:
    async with serve(always(answer(recursive(), content_type=PDF))) as server, http_web() as web:
        with pytest.raises(WebError) as caught:
            await web.fetch(server.url + "/x", call=Call(deadline=Deadline.after(0.2)))
    assert caught.value.code == Code.FETCH_TIMEOUT


@pytest.mark.req("pdf:encrypted")
async def test_a_password_is_named_as_the_reason() -> None:
    error = await refused(pdf([lines(["Hello"])], user=b"secret"))
    assert (error.code, "encrypted" in str(error)) == (Code.UNSUPPORTED_CONTENT_TYPE, True)
    assert (await fetched(pdf([lines(["Hello"])], owner=b"x"))).body == PdfBody(pages=("Hello",), page_count=1)


@pytest.mark.req("pdf:no-text")
async def test_a_pdf_without_text_says_so() -> None:
    page = await fetched(pdf([b"0 0 99 99 re f", b""]))
    assert (page.body, codes(page)) == (PdfBody(pages=("", ""), page_count=2), ["no_text_layer"])


@pytest.mark.req("pdf:unmapped")
async def test_a_font_without_meanings_is_flagged_with_its_share() -> None:
    page = await fetched(pdf([run("Hello", 50, 700, font="F2") + run("Hello", 50, 600)]))
    (note,) = page.notes
    assert (note.code, note.detail) == ("unmapped_fonts", "42% of the characters")


@pytest.mark.req("pdf:info")
async def test_what_the_file_says_about_itself_is_in_the_body() -> None:
    page = await fetched(pdf([lines(["x"])], info=b"/Title (Kelp) /ModDate (D:2026)"))
    assert isinstance(page.body, PdfBody)
    assert page.body.metadata == PageMetadata(title="Kelp", modified_at="2026")


@pytest.mark.req("pdf:capped", "pdf:marks", "pdf:info")
async def test_a_model_reads_marked_pages_and_is_told_of_the_rest() -> None:
    long = pdf([lines([f"Text of {at}"]) for at in range(1, 104)], info=b"/Title (Kelp)")
    async with serve(always(answer(long, content_type=PDF))) as server, http_web() as web:
        result = await Toolset(web).call("web_fetch", {"url": server.url + "/x"})
    assert "--- page 7 of 103 ---\n\nText of 7\n\n--- page 8 of 103 ---" in result.text
    assert "Not all pages of the PDF were read" in result.text
    assert "byte limit" not in result.text
    data = result.structured
    assert data is not None
    assert (data["page_count"], data["truncated"], data["cut_by"]) == (103, True, ["pages"])
    assert data["metadata"]["title"] == "Kelp"


@pytest.mark.req("pdf:lazy")
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="counts processes through /proc")
async def test_no_process_starts_for_a_page_that_is_no_pdf() -> None:
    before = children()
    async with serve(always(answer(b"<p>Hello"))) as server, http_web() as web:
        await web.fetch(server.url + "/x")
        assert children() == before


@pytest.mark.req("pdf:lazy", "workers:close")
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="counts processes through /proc")
async def test_closing_ends_the_workers_of_a_fetcher() -> None:
    before = children()
    async with serve(always(answer(HELLO, content_type=PDF))) as server, http_web() as web:
        await web.fetch(server.url + "/x")
        assert len(children() - before) == 1
    assert children() == before


@pytest.mark.req("pdf:bytes")
@pytest.mark.parametrize("count", [2, 101])
async def test_a_kept_pdf_is_read_anew_from_its_bytes(count: int) -> None:
    data = pdf([lines([f"Text of {at}"]) for at in range(count)])
    response = answer(data, content_type=PDF, headers={"Cache-Control": "max-age=600"})
    async with serve(always(response)) as server, http_web(replace(LOOPBACK, cache="memory")) as web:
        first, second = await web.fetch(server.url + "/x"), await web.fetch(server.url + "/x")
        assert len(server.requests) == 1
    assert (second.body, second.truncated, first.truncated) == (first.body, count > 100, count > 100)
    assert second.cache is not None


@pytest.mark.req("pdf:text")
async def test_following_the_offsets_gives_every_character_once() -> None:
    data = pdf([lines([f"Line {row} of {at}, and words" for row in range(30)]) for at in range(60)])
    parts: list[str] = []
    async with serve(always(answer(data, content_type=PDF))) as server, http_web() as web:
        page, tools = await web.fetch(server.url + "/x"), Toolset(web, settings=ToolSettings(fetch_chars=9_000))
        offset: int | None = 0
        while offset is not None:
            result = await tools.call("web_fetch", {"url": server.url + "/x", "offset": offset})
            assert result.structured is not None
            parts.append(result.structured["content"])
            offset = result.structured["view"]["next_offset"]
        await tools.aclose()
    assert len(parts) > 3
    assert "".join(parts) == plain_body(page)
