"""The page cache through the seam, against a raw server on loopback (RFC 9111; issue point 7, R167 to R170)."""

import gzip
from dataclasses import replace
from typing import Any

import pytest

from support.net import LOOPBACK, Request, always, answer, serve
from support.pages import CACHED, Clocks, cached_web, page, reading, text
from webseam.core.call import Call
from webseam.core.errors import WebError
from webseam.core.gate import AccessRequest, Verdict
from webseam.core.types import CacheFacts, FetchRequest
from webseam.providers.fetch.http import HttpFetch


def _when_matched(body: bytes, tag: str, **headers: str) -> Any:
    """A page with an entity tag, confirmed to whoever has it."""

    def made(request: Request) -> bytes:
        if request.headers.get("if-none-match") == tag:
            return answer(status=304, content_type=None, length=False, headers={"ETag": tag, **headers})
        return answer(body, headers={"ETag": tag, **headers})

    return made


# Fresh ------------------------------------------------------------------------------------------------------


@pytest.mark.req("cache:fresh:hit")
async def test_a_fresh_page_is_read_from_the_cache_with_its_age() -> None:
    async with reading(page("one", Link="<x>; rel=y")) as site:
        first = await site.read()
        site.clocks.passes(59)
        again = await site.read()

        assert first.cache is None
        assert again == replace(first, cache=CacheFacts(age=59.0), attempts=again.attempts)
        assert again.attempts[0].dispatched is False
        assert site.origin.targets == ["/"]


@pytest.mark.req("cache:fresh:expiry")
async def test_a_page_beyond_its_time_is_asked_for_anew() -> None:
    async with reading(page("one")) as site:
        await site.read()
        site.clocks.passes(60)
        site.origin.pages["/"] = page("two")
        again = await site.read()

        assert (text(again), again.cache) == ("two", None)


@pytest.mark.req("cache:off")
async def test_without_the_setting_nothing_is_kept() -> None:
    async with reading(page("one"), settings=LOOPBACK) as site:
        await site.read()
        assert (await site.read()).cache is None
        assert len(site.origin.asked) == 2


@pytest.mark.req("cache:bytes:derived")
async def test_a_coded_page_makes_the_same_result_from_the_cache() -> None:
    body = gzip.compress("<p>é kept</p>".encode("iso-8859-1") * 50)
    coded = answer(
        body,
        content_type="text/html; charset=iso-8859-1",
        headers={"Content-Encoding": "gzip", "Cache-Control": "max-age=9"},
    )
    async with reading(coded) as site:
        first = await site.read()
        again = await site.read()

        assert again == replace(first, cache=CacheFacts(age=0.0), attempts=again.attempts)
        assert again.received_bytes == len(body)
        assert (again.charset, again.charset_source) == ("windows-1252", "header")


@pytest.mark.req("cache:key:fragment")
async def test_two_fragments_of_a_page_are_one_request_and_each_keeps_its_own() -> None:
    async with reading(page("one")) as site:
        first = await site.read("/#a")
        again = await site.read("/#b")

        assert (first.url[-2:], again.url[-2:]) == ("#a", "#b")
        assert len(site.origin.asked) == 1


@pytest.mark.req("cache:redirect")
async def test_a_kept_redirect_is_followed_and_judged_without_asking() -> None:
    async with reading(page("one")) as site:
        moved = answer(status=301, headers={"Location": "/", "Cache-Control": "max-age=60"})
        site.origin.pages["/old"] = moved
        asked: list[tuple[str, str]] = []

        async def gate(request: AccessRequest) -> Verdict:
            asked.append((request.kind, request.target.removeprefix(site.server.url)))
            return Verdict(allowed=len(asked) < 4, reason="enough")

        first = await site.read("/old", call=Call(gate=gate))
        with pytest.raises(WebError) as caught:
            await site.read("/old", call=Call(gate=gate))
        again = await site.read("/old")

        assert caught.value.code == "WEB_DENIED"
        assert asked == [("fetch", "/old"), ("redirect", "/")] * 2
        assert again.redirects == first.redirects
        assert site.origin.targets == ["/old", "/"]


@pytest.mark.req("cache:gate")
async def test_the_gate_is_asked_before_a_kept_page_is_looked_at() -> None:
    async def gate(_request: AccessRequest) -> Verdict:
        return Verdict(allowed=False, reason="not now")

    async with reading(page("one")) as site:
        await site.read()
        with pytest.raises(WebError) as caught:
            await site.read(call=Call(gate=gate))

        assert caught.value.code == "WEB_DENIED"


# What is not kept -------------------------------------------------------------------------------------------


async def _requests(response: bytes, *, settings: Any = CACHED) -> int:
    async with reading(response, settings=settings) as site:
        for _ in range(2):
            try:
                await site.read()
            except WebError:
                continue
        return len(site.origin.asked)


CHALLENGE = answer(b"<p>Checking</p>", headers={"cf-mitigated": "challenge", "Cache-Control": "max-age=60"})


@pytest.mark.req("cache:unkept")
@pytest.mark.parametrize(
    "response",
    [
        page(cache="no-store, max-age=60"),
        page(cache="max-age=60", Vary="Accept, *"),
        page(cache=None),
        page(cache="s-maxage=60"),
        answer(b"<p>part</p>", status=206, headers={"Cache-Control": "max-age=60", "Content-Range": "bytes 0-9/99"}),
        answer(b"<p>fault</p>", status=500, headers={"Cache-Control": "no-store"}),
        answer(b"<p>busy</p>", status=503),
        answer(b"<p>cut", headers={"Cache-Control": "max-age=60", "Content-Encoding": "gzip"}),
        answer(
            gzip.compress(b"<p>half</p>" * 99)[:40], headers={"Cache-Control": "max-age=60", "Content-Encoding": "gzip"}
        ),
        answer(b"\x89PNG\r\n\x1a\n" + b"\0" * 40, content_type="image/png", headers={"Cache-Control": "max-age=60"}),
        CHALLENGE,
    ],
)
async def test_what_may_not_be_kept_is_asked_for_each_time(response: bytes) -> None:
    assert await _requests(response) == 2


@pytest.mark.req("cache:unkept")
async def test_a_page_cut_by_the_cap_is_not_kept() -> None:
    chunked = answer(length=False, headers={"Transfer-Encoding": "chunked", "Cache-Control": "max-age=60"})
    body = b"40\r\n" + b"x" * 64 + b"\r\n0\r\n\r\n"
    assert await _requests(chunked + body, settings=replace(CACHED, max_bytes=63)) == 2
    assert await _requests(chunked + body, settings=replace(CACHED, max_bytes=64)) == 1


@pytest.mark.req("cache:unkept")
async def test_a_page_that_breaks_off_is_not_kept() -> None:
    def broken(_request: Request) -> bytes:
        return answer(b"<p>half</p>", headers={"Cache-Control": "max-age=60"}).replace(b"Length: 11", b"Length: 9999")

    async def handler(request: Request, writer: Any) -> None:
        writer.write(broken(request))
        await writer.drain()
        writer.close()

    async with serve(handler) as server, cached_web(CACHED, Clocks()) as web:
        notes = [(await web.fetch(server.url)).notes[0].code for _ in range(2)]
        assert notes == ["incomplete", "incomplete"]
        assert len(server.requests) == 2


@pytest.mark.req("cache:unkept")
async def test_a_page_that_may_no_longer_be_kept_is_forgotten() -> None:
    async with reading(page(cache="max-age=1", ETag='"a"')) as site:
        await site.read()
        site.clocks.passes(2)
        site.origin.pages["/"] = page("two", cache="no-store")
        await site.read()
        await site.read()

        assert ["if-none-match" in request.headers for request in site.origin.asked] == [False, True, False]


# Asking again -----------------------------------------------------------------------------------------------


@pytest.mark.req("cache:revalidate:confirmed")
async def test_a_confirmed_page_is_served_and_fresh_again() -> None:
    made = _when_matched(b"<p>one</p>", '"v1"', Cache_Control="max-age=60")
    async with reading(made) as site:
        site.origin.pages["/"] = _when_matched(b"<p>one</p>", '"v1"', **{"Cache-Control": "max-age=60"})
        await site.read()
        site.clocks.passes(61)
        again = await site.read()
        site.clocks.passes(5)
        third = await site.read()

        assert (text(again), again.status_code, again.cache) == ("one", 200, CacheFacts(age=0.0, revalidated=True))
        assert again.media_type == "text/html"
        assert third.cache == CacheFacts(age=5.0)
        assert len(site.origin.asked) == 2


@pytest.mark.req("cache:revalidate:confirmed")
async def test_no_cache_means_ask_each_time_and_last_modified_is_enough_to_ask() -> None:
    changed = "Tue, 01 Sep 2026 10:00:00 GMT"

    def made(request: Request) -> bytes:
        if request.headers.get("if-modified-since") == changed.lower():
            return answer(status=304, content_type=None, length=False)
        return page("one", cache="no-cache", Last_Modified=changed)

    async with reading(made) as site:
        await site.read()
        again = [await site.read() for _ in range(2)]

        assert [one.cache and one.cache.revalidated for one in again] == [True, True]
        assert len(site.origin.asked) == 3


@pytest.mark.req("cache:revalidate:changed")
async def test_a_changed_page_takes_the_place_of_the_kept_one() -> None:
    async with reading(_when_matched(b"<p>one</p>", '"v1"')) as site:
        await site.read()
        site.origin.pages["/"] = _when_matched(b"<p>two</p>", '"v2"')
        changed, again = await site.read(), await site.read()

        assert (text(changed), changed.cache) == ("two", None)
        assert again.cache == CacheFacts(age=0.0, revalidated=True)
        assert site.origin.asked[-1].headers["if-none-match"] == '"v2"'


@pytest.mark.req("cache:revalidate:changed")
async def test_a_304_about_another_version_is_not_believed() -> None:
    def made(request: Request) -> bytes:
        if "if-none-match" in request.headers:
            return answer(status=304, content_type=None, length=False, headers={"ETag": '"other"'})
        return page(f"{len(site.origin.asked)}", cache="max-age=0", ETag='"v1"')

    async with reading(made) as site:
        await site.read()
        again = await site.read()

        assert (text(again), again.cache) == ("3", None)


@pytest.mark.req("cache:revalidate:confirmed")
async def test_a_304_that_forbids_keeping_is_used_once() -> None:
    async with reading(_when_matched(b"<p>one</p>", '"v1"')) as site:
        await site.read()
        site.origin.pages["/"] = _when_matched(b"<p>one</p>", '"v1"', **{"Cache-Control": "no-store"})
        again = await site.read()
        await site.read()

        assert text(again) == "one"
        assert "if-none-match" not in site.origin.asked[2].headers


@pytest.mark.req("cache:off")
async def test_a_closed_fetcher_gives_no_kept_page() -> None:
    fetch = HttpFetch(settings=CACHED)
    async with serve(always(page("one"))) as server:
        request = FetchRequest(url=server.url)
        await fetch.fetch(request, call=Call())
        assert (await fetch.fetch(request, call=Call())).cache is not None
        await fetch.aclose()
        with pytest.raises(WebError) as caught:
            await fetch.fetch(request, call=Call())

    assert caught.value.code == "WEB_PROVIDER_UNAVAILABLE"
