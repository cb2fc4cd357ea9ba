"""The extractor that is this machine: the seam's own fetch, one question of the gate, and the main content."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from support.tools import ListedGate, ScriptedFetch, forever, html, plain
from support.vendor import HeldKey
from webseam import Call, Kit, Permission, PermissionSettings, Run, Seams, Web
from webseam.core.deadline import Deadline
from webseam.core.errors import Code, WebError
from webseam.core.settings import FetchSettings
from webseam.core.types import CacheFacts, FetchRequest, FetchResult, ImageBody, Note, PdfBody
from webseam.providers.extract.local import SPEC, LocalExtract, LocalExtractOptions

URL = "https://kelp.example/permits"
PROSE = "".join(
    f"<p>Kelp farms need a permit, which takes six weeks, and number {n} is no exception.</p>" for n in range(9)
)
ARTICLE = (
    "<html><head><title>Permits</title><meta name=author content='A. Diver'>"
    "<meta property='article:published_time' content='2026-03-02'></head><body>"
    f"<nav><a href=/a>Home</a> <a href=/b>Shop</a></nav><article><h1>Permits</h1>{PROSE}</article>"
    "<footer>Imprint and much else</footer></body></html>"
)


def local(*pages: Any, url: str = URL, view: Any = "main", **web: Any) -> tuple[Web, ScriptedFetch]:
    """A seam whose extractor reads through its own fetch, as wiring builds it."""
    fetch = ScriptedFetch(pages={url: list(pages)})
    seam = Web(**web)
    seam.register_fetch(fetch)
    kit = Kit(
        id="local",
        options=LocalExtractOptions(view=view),
        secret=HeldKey(None),
        transport=None,  # type: ignore[arg-type]  # it asks no vendor
        fetch=FetchSettings(),
        data_dir=Path("unused"),
        seams=Seams(),
        on_close=seam.at_close,
        read=seam.page_for,
    )
    provider: Any = SPEC.build(kit)
    seam.register_extract(provider)
    return seam, fetch


async def refused(web: Web, url: str = URL, **more: Any) -> WebError:
    async with web:
        with pytest.raises(WebError) as caught:
            await web.extract(url, **more)
    return caught.value


@pytest.mark.req("extract:local")
async def test_it_gives_the_main_content_and_what_the_page_says_of_itself() -> None:
    web, fetch = local(html(ARTICLE, url=URL))
    async with web:
        result = await web.extract(URL)
    assert (result.title, result.author, result.published_at) == ("Permits", "A. Diver", "2026-03-02")
    assert "permit, which takes six weeks" in result.markdown
    assert "Imprint" not in result.markdown
    assert "Shop" not in result.markdown
    assert (result.provider, result.url, result.truncated, result.notes) == ("local", URL, False, ())
    assert (result.usage and result.usage.cost, fetch.asked) == (0.0, [URL])


@pytest.mark.req("extract:local")
async def test_the_whole_page_is_an_option_and_is_told_where_no_main_content_is_found() -> None:
    web, _ = local(html(ARTICLE, url=URL), view="page")
    async with web:
        result = await web.extract(URL)
    assert "Imprint" in result.markdown
    assert result.notes == ()
    web, _ = local(html("<p>Short</p>", url=URL))
    async with web:
        result = await web.extract(URL)
    assert (result.markdown.strip(), result.notes) == ("Short", (Note(code="whole_page"),))


@pytest.mark.req("extract:local")
async def test_text_and_pdf_are_read_too_and_notes_and_cuts_are_passed_on() -> None:
    web, _ = local(plain("Kelp.", url=URL, truncated=True, notes=(Note(code="incomplete"),)))
    async with web:
        result = await web.extract(URL)
    assert (result.markdown, result.truncated, result.notes) == ("Kelp.", True, (Note(code="incomplete"),))
    web, _ = local(FetchResult(provider="f", url=URL, status_code=200, body=PdfBody(pages=("One",), page_count=1)))
    async with web:
        assert "One" in (await web.extract(URL)).markdown


@pytest.mark.req("extract:stored")
@pytest.mark.parametrize(
    ("cache", "notes"),
    [
        (CacheFacts(age=300.4), (Note(code="stored_copy", detail="300 s old"),)),
        (CacheFacts(age=9.0, stale=True, revalidated=True), (Note(code="stored_copy", detail="9 s old"),)),
        (CacheFacts(age=9.0, revalidated=True), ()),
        (None, ()),
    ],
)
async def test_a_page_from_the_cache_is_told_as_the_copy_that_it_is(cache: Any, notes: tuple[Note, ...]) -> None:
    web, _ = local(plain("Kelp.", url=URL, cache=cache))
    async with web:
        assert (await web.extract(URL)).notes == notes


@pytest.mark.req("extract:local:none")
async def test_the_wait_that_a_page_asks_for_is_passed_on() -> None:
    error = await refused(local(html("<p>Busy</p>", url=URL, status_code=429, retry_after=30.0))[0])
    assert (error.retry_after, error.retryable) == (30.0, True)


@pytest.mark.req("extract:local:none")
@pytest.mark.parametrize(
    ("page", "code", "says", "again"),
    [
        (html("<p>Gone</p>", url=URL, status_code=404), Code.PROVIDER_ERROR, "HTTP 404", False),
        (html("<p>Busy</p>", url=URL, status_code=503), Code.PROVIDER_ERROR, "HTTP 503", True),
        (
            html("<p>Wait</p>", url=URL, status_code=403, notes=(Note(code="bot_challenge"),)),
            Code.PROVIDER_BLOCKED,
            "bot check",
            False,
        ),
        (html("<p> </p>", url=URL), Code.PROVIDER_ERROR, "no text", False),
        (
            FetchResult(provider="f", url=URL, status_code=200, body=ImageBody(data=b"x", width=1, height=1)),
            Code.UNSUPPORTED_CONTENT_TYPE,
            "picture",
            False,
        ),
    ],
)
async def test_what_is_no_page_to_read_is_an_error(page: FetchResult, code: str, says: str, again: bool) -> None:  # noqa: FBT001 - a row
    error = await refused(local(page)[0])
    assert (error.code, error.provider, error.dispatched, error.retryable) == (code, "local", True, again)
    assert says in error.message
    assert error.status is None


@pytest.mark.req("extract:local:fetch")
async def test_a_failed_fetch_keeps_its_code_and_the_try_is_the_extractors() -> None:
    told = WebError(Code.ROBOTS_DISALLOWED, "robots.txt does not allow it.", provider="scripted")
    error = await refused(local(told)[0])
    assert (error.code, error.message) == (Code.ROBOTS_DISALLOWED, "robots.txt does not allow it.")
    assert [(one.provider, one.code) for one in error.attempts] == [("local", Code.ROBOTS_DISALLOWED)]


@pytest.mark.req("extract:local:fetch")
@pytest.mark.parametrize("url", ["https://me:pw@kelp.example/", "ftp://kelp.example/", "kelp"])
async def test_the_rules_of_urls_are_those_of_a_fetch(url: str) -> None:
    web, fetch = local(html(ARTICLE))
    assert (await refused(web, url)).code in (Code.BLOCKED_URL, Code.INVALID_URL)
    assert fetch.asked == []


@pytest.mark.req("extract:gate:once")
async def test_the_gate_is_asked_once_about_the_page_and_about_where_it_led() -> None:
    gate = ListedGate()
    web, _ = local(html(ARTICLE, url="https://www.kelp.example/permits"), gate=gate)
    async with web:
        result = await web.extract(URL)
    assert result.url == "https://www.kelp.example/permits"
    assert gate.asked == [("extract", URL), ("redirect", "https://www.kelp.example/permits")]


@pytest.mark.req("extract:gate:once")
async def test_an_extraction_is_one_call_of_a_run() -> None:
    run = Run()
    web, _ = local(html(ARTICLE, url=URL), gate=Permission(PermissionSettings(max_calls=1), run=run))
    async with web:
        await web.extract(URL)
    assert run.calls == 1


@pytest.mark.req("extract:gate:final")
async def test_where_it_led_may_be_denied_and_then_the_tries_are_told() -> None:
    gate = ListedGate(denied={"https://bad.example/"})
    error = await refused(local(html(ARTICLE, url="https://bad.example/"), gate=gate)[0])
    assert (error.code, error.dispatched) == (Code.DENIED, True)
    assert [one.provider for one in error.attempts] == ["local"]


@pytest.mark.req("extract:time")
async def test_a_page_that_never_comes_ends_at_the_extractions_own_time() -> None:
    error = await refused(local(forever)[0], timeout=0.05)
    assert (error.code, error.provider) == (Code.EXTRACT_TIMEOUT, "local")


@pytest.mark.req("extract:time")
async def test_abort_and_cancellation_reach_the_fetch() -> None:
    started, ended = asyncio.Event(), asyncio.Event()

    async def hang(_request: FetchRequest, _call: Call) -> FetchResult:
        started.set()
        try:
            await asyncio.get_running_loop().create_future()
        finally:
            ended.set()
        return html(ARTICLE)

    web, _ = local(hang)
    abort = asyncio.Event()
    task = asyncio.create_task(web.extract(URL, abort=abort))
    await started.wait()
    abort.set()
    with pytest.raises(WebError) as caught:
        await task
    assert caught.value.code == Code.ABORTED
    assert ended.is_set()
    started.clear()
    task = asyncio.create_task(web.extract(URL, call=Call(deadline=Deadline.after(30))))
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


@pytest.mark.req("extract:local")
async def test_without_a_fetch_to_read_through_it_is_unavailable() -> None:
    provider = LocalExtract("local", None)
    assert (provider.available(), provider.unavailable_reason()) == (
        False,
        "it was built without a fetch to read through",
    )
    web = Web()
    web.register_extract(provider)
    assert (await refused(web)).code == Code.PROVIDER_UNAVAILABLE
