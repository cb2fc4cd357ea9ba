"""The page cache with many calls at once, and with several processes: one request, one file (issue point 7)."""

import asyncio
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from support.net import Request, ScriptedResolver, always, serve
from support.pages import CACHED, Clocks, cached_web, page, reading, text
from webseam.core.call import Call, Dispatch
from webseam.core.errors import WebError
from webseam.core.events import CacheFailed, Event
from webseam.core.types import CacheFacts
from webseam.core.url import Url, web_url
from webseam.net.addresses import parse_address
from webseam.net.answer import Answer
from webseam.net.client import GuardedClient
from webseam.net.page_cache import PageCache
from webseam.stores.pages import MemoryPages

# Many at once -----------------------------------------------------------------------------------------------


class _Slow:
    """An origin that answers when told."""

    def __init__(self, response: bytes) -> None:
        self.response = response
        self.go = asyncio.Event()
        self.came = asyncio.Event()

    async def __call__(self, _request: Request, writer: Any) -> None:
        self.came.set()
        await self.go.wait()
        writer.write(self.response)


@pytest.mark.req("cache:flight:single")
async def test_calls_for_one_page_at_once_are_one_request() -> None:
    slow = _Slow(page("one"))
    async with serve(slow) as server, cached_web(CACHED, Clocks()) as web:
        calls = [asyncio.create_task(web.fetch(server.url)) for _ in range(20)]
        await slow.came.wait()
        slow.go.set()
        pages = await asyncio.gather(*calls)

        assert {text(one) for one in pages} == {"one"}
        assert len(server.requests) == 1


@pytest.mark.req("cache:flight:single")
async def test_a_page_that_cannot_be_kept_is_asked_for_by_each_call_at_once() -> None:
    slow = _Slow(page("one", cache="no-store"))
    async with serve(slow) as server, cached_web(CACHED, Clocks()) as web:
        calls = [asyncio.create_task(web.fetch(server.url)) for _ in range(5)]
        await slow.came.wait()
        slow.go.set()
        pages = await asyncio.gather(*calls)

        assert [one.cache for one in pages] == [None] * 5
        assert len(server.requests) == 5


@pytest.mark.req("cache:flight:cancelled")
async def test_a_cancelled_call_leaves_the_page_to_those_who_wait() -> None:
    slow = _Slow(page("one"))
    async with serve(slow) as server, cached_web(CACHED, Clocks()) as web:
        first = asyncio.create_task(web.fetch(server.url))
        await slow.came.wait()
        others = [asyncio.create_task(web.fetch(server.url)) for _ in range(3)]
        slow.came.clear()
        first.cancel()
        await asyncio.wait([first])
        await slow.came.wait()
        slow.go.set()
        pages = await asyncio.gather(*others)

        assert first.cancelled()
        assert {text(one) for one in pages} == {"one"}
        assert len(server.requests) == 2


def _client() -> GuardedClient:
    return GuardedClient(policy=None, resolver=ScriptedResolver({}), user_agent="t/1", connect_seconds=5, dns_seconds=5)


async def _sent(client: GuardedClient, url: Url, headers: Mapping[str, str]) -> Answer:
    judged = parse_address("127.0.0.1")
    return await client.send("GET", url, judged=judged, dispatch=Dispatch(), what="It", headers=headers)


async def _read_through(cache: PageCache, url: Url, ask: Any) -> bytes:
    """One call's way through the cache, as a fetcher goes it."""
    reply = await cache.send(url, Call(), ask)
    try:
        read, body = reply.body(9_999), b""
        while piece := await read():
            body += piece
        await cache.keep(reply, Call(), None)
    finally:
        reply.close()
    return body


@pytest.mark.req("cache:flight:cancelled")
async def test_a_call_cancelled_amid_the_body_leaves_the_page_to_one_of_those_who_wait() -> None:
    whole, head, go = page("one"), asyncio.Event(), asyncio.Event()

    async def halting(_request: Request, writer: Any) -> None:
        writer.write(whole[:-4])
        await writer.drain()
        await go.wait()
        writer.write(whole[-4:])

    async with serve(halting) as server:
        client, cache, url = _client(), PageCache(MemoryPages(), scope={}), web_url(server.url)

        async def ask(headers: Mapping[str, str]) -> Answer:
            answer = await _sent(client, url, headers)
            head.set()
            return answer

        first = asyncio.create_task(_read_through(cache, url, ask))
        await head.wait()
        others = [asyncio.create_task(_read_through(cache, url, ask)) for _ in range(5)]
        head.clear()
        first.cancel()
        await asyncio.wait([first])
        await head.wait()
        go.set()
        bodies = await asyncio.gather(*others)
        await client.aclose()

        assert first.cancelled()
        assert set(bodies) == {b"<p>one</p>"}
        assert len(server.requests) == 2


@pytest.mark.req("cache:fresh:age")
async def test_the_time_that_a_body_took_to_come_counts() -> None:
    clocks = Clocks()
    async with serve(always(page("one"))) as server:
        client, url = _client(), web_url(server.url)
        cache = PageCache(MemoryPages(clock=clocks.clock), scope={}, now=clocks.now)

        async def ask(headers: Mapping[str, str]) -> Answer:
            return await _sent(client, url, headers)

        slow = await cache.send(url, Call(), ask)
        clocks.passes(40)
        await cache.keep(slow, Call(), None)
        slow.close()
        kept = await cache.send(url, Call(), ask)
        await client.aclose()

        assert kept.cache == CacheFacts(age=40.0)


@pytest.mark.req("cache:flight:cancelled")
async def test_who_waits_keeps_its_own_deadline() -> None:
    slow = _Slow(page("one"))
    async with serve(slow) as server, cached_web(CACHED, Clocks()) as web:
        first = asyncio.create_task(web.fetch(server.url))
        await slow.came.wait()
        with pytest.raises(WebError) as caught:
            await web.fetch(server.url, timeout=0.05)
        slow.go.set()

        assert caught.value.code == "WEB_FETCH_TIMEOUT"
        assert text(await first) == "one"


@pytest.mark.req("cache:flight:single")
async def test_a_failed_request_is_each_waiting_calls_own_failure() -> None:
    async def refuse(_request: Request, writer: Any) -> None:
        writer.close()

    async with serve(refuse) as server, cached_web(CACHED, Clocks()) as web:
        ends = await asyncio.gather(*(web.fetch(server.url) for _ in range(4)), return_exceptions=True)

        assert {one.code for one in ends if isinstance(one, WebError)} == {"WEB_PROVIDER_ERROR"}
        assert len(ends) == 4


# On disk ----------------------------------------------------------------------------------------------------


@pytest.mark.req("cache:disk:shared")
async def test_what_one_process_kept_another_reads(tmp_path: Path) -> None:
    disk, clocks = replace(CACHED, cache="disk"), Clocks()
    async with reading(page("one"), settings=disk, clocks=clocks, data_dir=tmp_path) as site:
        await site.read()
        clocks.passes(7)
        async with cached_web(disk, clocks, data_dir=tmp_path) as other:
            again = await other.fetch(site.server.url)

        assert (text(again), again.cache) == ("one", CacheFacts(age=7.0))
        assert len(site.origin.asked) == 1


@pytest.mark.req("cache:disk:own")
async def test_the_file_holds_neither_what_was_asked_for_nor_cookies(tmp_path: Path) -> None:
    async with reading(settings=replace(CACHED, cache="disk"), data_dir=tmp_path) as site:
        site.origin.pages["/private?token=hunter2"] = page("one", Set_Cookie="session=opensesame")
        await site.read("/private?token=hunter2")
        assert (await site.read("/private?token=hunter2")).cache is not None

    held = (tmp_path / "pages.sqlite3").read_bytes()
    assert b"<p>one</p>" in held
    assert b"hunter2" not in held
    assert b"opensesame" not in held


@pytest.mark.req("cache:disk:shared")
async def test_a_real_second_process_reads_the_page(tmp_path: Path) -> None:
    disk, clocks = replace(CACHED, cache="disk"), Clocks()
    async with reading(page("one", cache="max-age=9999"), settings=disk, clocks=clocks, data_dir=tmp_path) as site:
        await site.read()
        script = (
            "import asyncio, pathlib\n"
            "from webseam import Web\n"
            "from webseam.core.settings import FetchSettings\n"
            "from webseam.providers.fetch.http import HttpFetch\n"
            "async def main():\n"
            "    settings = FetchSettings(private_networks=('127.0.0.0/8',), cache='disk')\n"
            f"    folder = pathlib.Path({str(tmp_path)!r})\n"
            f"    fetch = HttpFetch(settings=settings, data_dir=folder, now=lambda: {clocks.wall})\n"
            "    web = Web()\n"
            "    web.register_fetch(fetch)\n"
            f"    print((await web.fetch({site.server.url!r})).cache)\n"
            "    await fetch.aclose()\n"
            "asyncio.run(main())\n"
        )
        other = await asyncio.create_subprocess_exec(sys.executable, "-c", script, stdout=asyncio.subprocess.PIPE)
        out, _ = await other.communicate()

        assert out.decode().strip() == "CacheFacts(age=0.0, stale=False, revalidated=False)"
        assert len(site.origin.asked) == 1


@pytest.mark.req("cache:key:scope")
@pytest.mark.parametrize(
    ("settings", "provider"),
    [
        (replace(CACHED, cache="disk"), {"user_agent": "other/1"}),
        (replace(CACHED, cache="disk", private_networks=("127.0.0.1/32",)), {}),
        (replace(CACHED, cache="disk", max_bytes=5_000), {}),
    ],
)
async def test_another_agent_policy_or_cap_never_sees_a_kept_page(
    settings: Any, provider: dict[str, Any], tmp_path: Path
) -> None:
    disk, clocks = replace(CACHED, cache="disk"), Clocks()
    async with reading(page("one"), settings=disk, clocks=clocks, data_dir=tmp_path) as site:
        await site.read()
        async with cached_web(settings, clocks, data_dir=tmp_path, **provider) as other:
            again = await other.fetch(site.server.url)

        assert again.cache is None
        assert len(site.origin.asked) == 2


@pytest.mark.req("cache:disk:trouble")
async def test_a_store_that_cannot_be_used_is_told_and_the_page_is_fetched(tmp_path: Path) -> None:
    (tmp_path / "pages.sqlite3").mkdir()
    told: list[Event] = []
    async with reading(page("one"), settings=replace(CACHED, cache="disk"), data_dir=tmp_path) as site:
        got = await site.read(call=Call(emit=told.append))

        assert text(got) == "one"
        reasons = [one.reason for one in told if isinstance(one, CacheFailed)]
        assert len(reasons) == 2
        assert str(tmp_path) not in "".join(reasons)


@pytest.mark.req("cache:disk:trouble")
async def test_a_file_needs_a_folder() -> None:
    with pytest.raises(WebError) as caught:
        async with cached_web(replace(CACHED, cache="disk"), Clocks()):
            pass

    assert caught.value.code == "WEB_CONFIG_INVALID"
