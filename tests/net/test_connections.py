"""Connections of one client: waiting for a free one, idling, closing, and one event loop after another."""

import asyncio
import gc
import logging
from dataclasses import replace

import pytest

from support.net import (
    LOOPBACK,
    PUBLIC,
    Request,
    ScriptedResolver,
    Wire,
    always,
    answer,
    http_web,
    serve,
)
from webseam.core.call import Call
from webseam.core.errors import WebError
from webseam.core.gate import AccessRequest, Verdict
from webseam.core.settings import FetchSettings
from webseam.core.transport import VendorRequest
from webseam.core.types import FetchRequest, HtmlBody
from webseam.net.guard import CONNECTIONS_PER_HOST
from webseam.net.vendor import VendorTransport
from webseam.providers.fetch.http import HttpFetch

PAGE = answer(b"<p>x</p>")


class Held:
    """A handler that answers when told to, and says when every connection of a host is taken."""

    def __init__(self) -> None:
        self.full = asyncio.Event()
        self.go = asyncio.Event()
        self._seen = 0

    async def __call__(self, _request: Request, writer: asyncio.StreamWriter) -> None:
        self._seen += 1
        if self._seen == CONNECTIONS_PER_HOST:
            self.full.set()
        await self.go.wait()
        writer.write(PAGE)


@pytest.mark.req("net:http:queue")
async def test_waiting_for_a_free_connection_is_no_failure_of_the_host() -> None:
    held = Held()
    hasty = FetchSettings(private_networks=LOOPBACK.private_networks, connect_seconds=0.5, dns_seconds=0.5)
    async with serve(held) as server, http_web(hasty) as web:
        tasks = [asyncio.create_task(web.fetch(f"{server.url}/{n}")) for n in range(CONNECTIONS_PER_HOST + 5)]
        await held.full.wait()
        done, _ = await asyncio.wait(tasks, timeout=1.5)
        held.go.set()
        pages = await asyncio.gather(*tasks)

    assert not done
    assert {page.status_code for page in pages} == {200}
    assert server.connections == CONNECTIONS_PER_HOST


@pytest.mark.req("net:http:queue")
async def test_a_host_that_holds_its_connections_does_not_hold_others() -> None:
    held = Held()
    async with serve(held) as hostile, serve(always(PAGE)) as other, http_web() as web:
        stuck = [asyncio.create_task(web.fetch(f"{hostile.url}/{n}")) for n in range(50)]
        await held.full.wait()
        pages = await asyncio.gather(*(web.fetch(f"{other.url}/{n}") for n in range(50)))
        held.go.set()
        await asyncio.gather(*stuck)

    assert len(pages) == 50


@pytest.mark.req("net:http:closing")
async def test_closing_ends_every_request_in_flight_and_those_that_wait() -> None:
    held = Held()
    fetch = HttpFetch(settings=LOOPBACK)
    async with serve(held) as server:
        tasks = [
            asyncio.create_task(fetch.fetch(FetchRequest(url=server.url), call=Call()))
            for _ in range(CONNECTIONS_PER_HOST + 4)
        ]
        await held.full.wait()
        await fetch.aclose()
        ends = await asyncio.wait_for(asyncio.gather(*tasks, return_exceptions=True), 5)
        held.go.set()

    assert all(isinstance(end, WebError) and "closed" in end.message for end in ends)
    assert server.connections == CONNECTIONS_PER_HOST


@pytest.mark.req("net:http:closing")
async def test_a_fetch_that_waited_for_permission_while_its_fetcher_closed_opens_nothing() -> None:
    fetch = HttpFetch(settings=LOOPBACK)

    async def closing_gate(_request: AccessRequest) -> Verdict:
        await fetch.aclose()
        return Verdict(allowed=True)

    async with serve(always(PAGE)) as server:
        with pytest.raises(WebError, match="closed"):
            await fetch.fetch(FetchRequest(url=server.url), call=Call(gate=closing_gate))

    assert server.connections == 0


@pytest.mark.req("net:http:closing")
def test_one_fetcher_serves_one_event_loop_after_another_without_a_complaint(caplog: pytest.LogCaptureFixture) -> None:
    fetch = HttpFetch(settings=LOOPBACK)

    async def once(*, last: bool) -> int:
        async with serve(always(PAGE)) as server:
            page = await fetch.fetch(FetchRequest(url=server.url), call=Call())
        if last:
            await fetch.aclose()
        return page.status_code

    with caplog.at_level(logging.DEBUG, logger="asyncio"):
        assert [asyncio.run(once(last=False)), asyncio.run(once(last=False)), asyncio.run(once(last=True))] == [200] * 3
        gc.collect()
    assert "Unclosed" not in caplog.text


@pytest.mark.req("net:http:closing")
async def test_connections_end_with_the_event_loop_that_they_belong_to() -> None:
    async with serve(always(PAGE)) as server:
        fetch = HttpFetch(settings=LOOPBACK)
        request = FetchRequest(url=server.url)
        await asyncio.to_thread(lambda: asyncio.run(fetch.fetch(request, call=Call())))

        while server.open:  # noqa: ASYNC110 - the end arrives at a server, not at an event of ours
            await asyncio.sleep(0)
        await fetch.aclose()


@pytest.mark.req("net:http:reuse")
async def test_a_clean_connection_is_reused_for_its_origin() -> None:
    async with serve(always(PAGE)) as server, http_web() as web:
        for _ in range(5):
            await web.fetch(server.url)

    assert server.connections == 1
    assert len(server.requests) == 5


@pytest.mark.req("net:http:reuse")
async def test_a_second_answer_that_came_unasked_is_never_paired_with_a_later_request() -> None:
    evil = answer(b"<p>smuggled</p>")

    async def glued(request: Request, writer: asyncio.StreamWriter) -> None:
        if request.target == "/first":
            writer.write(answer(b"<p>first</p>"))
            await writer.drain()
            await asyncio.sleep(0)
            writer.write(evil)
        else:
            writer.write(answer(b"<p>second</p>"))

    async with serve(glued) as server, http_web() as web:
        first = await web.fetch(server.url + "/first")
        second = await web.fetch(server.url + "/second")

    assert first.body == HtmlBody(content="<p>first</p>")
    assert second.body == HtmlBody(content="<p>second</p>")


@pytest.mark.req("net:http:reuse")
async def test_a_body_that_was_cut_closes_its_connection() -> None:
    big = always(answer(b"a" * 5000, content_type="text/plain", length=False), close=True)
    async with serve(big) as server, http_web(replace(LOOPBACK, max_bytes=1000)) as web:
        await web.fetch(server.url)
        await web.fetch(server.url)

    assert server.connections == 2


@pytest.mark.req("net:http:reuse")
async def test_an_idle_connection_that_is_written_to_is_closed_unread() -> None:
    idle = asyncio.Event()
    gone = asyncio.Event()

    async def chatter(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(PAGE)
        await idle.wait()
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        await request.gone()
        gone.set()

    async with serve(chatter) as server, http_web() as web:
        await web.fetch(server.url)
        idle.set()
        await asyncio.wait_for(gone.wait(), 5)


@pytest.mark.req("net:http:failures")
@pytest.mark.parametrize(
    ("answers", "told"),
    [
        ([PUBLIC], "the connection was refused"),
        ([PUBLIC, "2606:2800::1"], "the connection was refused"),
        ([PUBLIC, "93.184.215.15", "2606:2800::1", "2606:2800::2"], "none of the host's addresses accepts"),
    ],
)
async def test_addresses_that_all_refuse_are_told_so_and_nothing_was_dispatched(answers: list[str], told: str) -> None:
    wire = Wire(default=None)
    resolver = ScriptedResolver({"*": [answers]})
    async with http_web(FetchSettings(), resolver=resolver, make_socket=wire.make) as web:
        with pytest.raises(WebError, match=told) as caught:
            await web.fetch("http://a.example/")

    assert caught.value.dispatched is False
    assert sorted(wire.dialled) == sorted(answers)


@pytest.mark.req("net:http:failures")
async def test_a_dead_first_address_does_not_cost_the_fetch() -> None:
    dead, alive = "2606:2800::1", PUBLIC
    async with serve(always(PAGE)) as server:
        wire = Wire(routes={dead: "timeout", alive: server.port})
        resolver = ScriptedResolver({"*": [[dead, alive]]})
        async with http_web(FetchSettings(), resolver=resolver, make_socket=wire.make) as web:
            page = await web.fetch("http://a.example/")

    assert page.status_code == 200
    assert wire.dialled == [dead, alive]


@pytest.mark.req("net:vendor:bounds")
async def test_a_vendor_whose_name_does_not_resolve_in_time_is_a_failure_of_the_vendor(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("webseam.net.vendor.DNS_SECONDS", 0.05)
    transport = VendorTransport(resolver=ScriptedResolver({"*": [{"delay_s": 30, "answers": [PUBLIC]}]}))
    with pytest.raises(WebError, match=r"acme.*did not resolve") as caught:
        await transport.send(VendorRequest(provider="acme", method="GET", url="https://api.acme.example/"), call=Call())
    await transport.aclose()

    assert caught.value.code == "WEB_PROVIDER_ERROR"
    assert caught.value.dispatched is False
