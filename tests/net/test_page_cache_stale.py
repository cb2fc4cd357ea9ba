"""Pages beyond their time, errors, and clocks that are put back (RFC 9111 section 4.2.4, RFC 5861; R169, R170)."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from support.net import PUBLIC, Request, ScriptedResolver, Wire, always, answer, serve
from support.pages import CACHED, Clocks, cached_web, page, reading, text
from webseam.core.errors import WebError
from webseam.core.types import CacheFacts
from webseam.core.web import Web
from webseam.providers.fetch.http import HttpFetch

STALE = replace(CACHED, stale_if_error=600.0)


@pytest.mark.req("cache:stale:asked")
async def test_a_stale_page_stands_in_for_a_failing_server_only_when_asked_and_says_so() -> None:
    async with reading(page("one"), settings=STALE) as site:
        await site.read()
        site.clocks.passes(90)
        site.origin.pages["/"] = answer(b"<p>down</p>", status=503)
        stale = await site.read()
        site.clocks.passes(600)
        late = await site.read()

        assert (text(stale), stale.status_code, stale.cache) == ("one", 200, CacheFacts(age=90.0, stale=True))
        assert (late.status_code, late.cache) == (503, None)


class _OnlyOnce:
    """An origin that answers one request and hangs up at every later one."""

    def __init__(self) -> None:
        self.answered = False

    async def __call__(self, _request: Request, writer: Any) -> None:
        if self.answered:
            writer.close()
            return
        self.answered = True
        writer.write(page("one"))


@pytest.mark.req("cache:stale:asked")
async def test_a_server_that_cannot_be_reached_is_stood_in_for_when_asked() -> None:
    clocks = Clocks()
    async with serve(_OnlyOnce()) as server, cached_web(STALE, clocks) as web:
        await web.fetch(server.url)
        clocks.passes(61)

        assert (await web.fetch(server.url)).cache == CacheFacts(age=61.0, stale=True)


@pytest.mark.req("cache:stale:asked")
async def test_a_server_that_cannot_be_reached_is_an_error_when_not() -> None:
    clocks = Clocks()
    async with serve(_OnlyOnce()) as server, cached_web(CACHED, clocks) as web:
        await web.fetch(server.url)
        clocks.passes(61)
        with pytest.raises(WebError) as caught:
            await web.fetch(server.url)

        assert caught.value.code == "WEB_PROVIDER_ERROR"


@pytest.mark.req("cache:stale:asked")
async def test_a_refusal_of_ours_is_never_covered_by_a_stale_page() -> None:
    clocks, resolver, wire = Clocks(), ScriptedResolver({"site.test": [[PUBLIC], ["10.0.0.1"]]}), Wire()
    async with serve(always(page("one"), close=True)) as server:
        wire.default = server.port
        async with cached_web(STALE, clocks, resolver=resolver, make_socket=wire.make) as web:
            await web.fetch("http://site.test/")
            clocks.passes(61)
            with pytest.raises(WebError) as caught:
                await web.fetch("http://site.test/")

    assert caught.value.code == "WEB_BLOCKED_URL"


SINCE = {
    "a redirect to another site": answer(status=302, headers={"Location": "http://example.com/"}),
    "a redirect to a private address": answer(status=302, headers={"Location": "http://10.0.0.1/"}),
    "an archive": answer(b"PK\x03\x04" + bytes(40), content_type="application/zip"),
    "more than is read": answer(b"x" * 2_000),
}


@pytest.mark.req("cache:stale:superseded")
@pytest.mark.parametrize("since", SINCE)
async def test_what_a_server_has_taken_back_never_stands_in_for_it(since: str) -> None:
    async with reading(page("one"), settings=replace(STALE, max_bytes=1_000)) as site:
        await site.read()
        site.clocks.passes(90)
        site.origin.pages["/"] = SINCE[since]
        with pytest.raises(WebError):
            await site.read()
        site.origin.pages["/"] = answer(b"<p>down</p>", status=503)
        later = await site.read()

        assert (later.status_code, later.cache) == (503, None)


@pytest.mark.req("cache:retry-after")
async def test_a_delay_counts_from_when_it_was_said() -> None:
    slow = answer(b"<p>slow", status=503, headers={"Retry-After": "20", "Cache-Control": "max-age=30"})
    async with reading(slow) as site:
        first = await site.read()
        site.clocks.passes(15)
        again = await site.read()
        site.clocks.passes(10)
        late = await site.read()

        assert [one.retry_after for one in (first, again, late)] == [20.0, 5.0, 0.0]
        assert len(site.origin.asked) == 1


@pytest.mark.req("cache:stale:forbidden")
@pytest.mark.parametrize("control", ["max-age=1, must-revalidate", "no-cache"])
async def test_a_server_may_forbid_stale_use(control: str) -> None:
    async with reading(page("one", cache=control, ETag='"a"'), settings=STALE) as site:
        await site.read()
        site.clocks.passes(2)
        site.origin.pages["/"] = answer(b"<p>down</p>", status=503)

        assert (await site.read()).status_code == 503


@pytest.mark.req("cache:negative")
async def test_an_error_is_kept_for_half_a_minute_at_most() -> None:
    async with reading() as site:
        site.origin.pages["/gone"] = answer(b"<p>gone</p>", status=410, headers={"Cache-Control": "max-age=9999"})
        for path in ("/missing", "/gone"):
            await site.read(path)
            site.clocks.passes(29)
            assert (await site.read(path)).cache == CacheFacts(age=29.0)
            site.clocks.passes(1)
            assert (await site.read(path)).cache is None


@pytest.mark.req("cache:clock")
async def test_a_wall_clock_put_back_changes_nothing_in_memory() -> None:
    async with reading(page("one")) as site:
        await site.read()
        site.clocks.passes(61)
        site.clocks.wall -= 5_000

        assert (await site.read()).cache is None


@pytest.mark.req("cache:clock")
async def test_a_wall_clock_put_back_makes_a_page_on_disk_stale(tmp_path: Path) -> None:
    disk = replace(STALE, cache="disk")
    async with reading(page("one"), settings=disk, data_dir=tmp_path) as site:
        await site.read()
        site.clocks.wall -= 1
        site.origin.pages["/"] = answer(b"<p>down</p>", status=503)

        assert (await site.read()).status_code == 503


@pytest.mark.req("cache:clock")
async def test_a_clock_that_runs_backwards_ends_no_fetch() -> None:
    steps = iter(range(10**6, 0, -1))
    confirmed = answer(status=304, content_type=None, length=False, headers={"ETag": '"x"'})
    async with serve(_Confirming(confirmed)) as server:
        fetch = HttpFetch(settings=CACHED, clock=lambda: float(next(steps)))
        async with Web() as web:
            web.register_fetch(fetch)
            web.at_close(fetch.aclose)
            await web.fetch(server.url)
            again = await web.fetch(server.url)

    assert (text(again), again.cache) == ("one", CacheFacts(age=0.0, revalidated=True))


class _Confirming:
    """An origin that gives its page once and confirms it from then on."""

    def __init__(self, confirmed: bytes) -> None:
        self.confirmed = confirmed

    async def __call__(self, request: Request, writer: Any) -> None:
        writer.write(self.confirmed if "if-none-match" in request.headers else page("one", ETag='"x"'))
