"""Time and abort of a fetch: one deadline over everything, and nothing that outlives the caller."""

import asyncio

import pytest

from support.net import Handler, Request, always, answer, http_web, serve
from webseam.core.call import Call
from webseam.core.deadline import Deadline
from webseam.core.errors import WebError

PAGE = answer(b"<!doctype html><title>T</title><p>Hello, page.</p>")


def _stalls(first: bytes) -> Handler:
    async def handler(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(first)
        await writer.drain()
        await request.gone()

    return handler


STALLS = {
    "before the headers": b"",
    "in the headers": b"HTTP/1.1 200 OK\r\nContent-Type: te",
    "in the body": b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 50\r\n\r\nsome",
}


@pytest.mark.req("net:time:whole")
@pytest.mark.parametrize("where", STALLS)
async def test_one_deadline_covers_headers_and_body(where: str) -> None:
    async with serve(_stalls(STALLS[where])) as server, http_web() as web:
        with pytest.raises(WebError) as caught:
            await web.fetch(server.url, timeout=0.2)
        await server.closed.wait()

    assert caught.value.code == "WEB_FETCH_TIMEOUT"
    assert caught.value.dispatched is True
    assert server.open == 0


@pytest.mark.req("net:time:abort")
@pytest.mark.parametrize("where", STALLS)
async def test_the_callers_abort_ends_a_fetch_at_any_point_and_closes_its_socket(where: str) -> None:
    abort = asyncio.Event()

    async def stall(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(STALLS[where])
        await writer.drain()
        abort.set()
        await request.gone()

    async with serve(stall) as server, http_web() as web:
        with pytest.raises(WebError) as caught:
            await web.fetch(server.url, abort=abort)
        await server.closed.wait()

    assert caught.value.code == "WEB_ABORTED"
    assert caught.value.dispatched is True


@pytest.mark.req("net:time:abort")
async def test_an_aborted_call_starts_nothing() -> None:
    abort = asyncio.Event()
    abort.set()
    async with serve(always(PAGE)) as server, http_web() as web:
        with pytest.raises(WebError) as caught:
            await web.fetch(server.url, abort=abort)

    assert caught.value.code == "WEB_ABORTED"
    assert server.connections == 0


@pytest.mark.req("net:time:abort")
async def test_cancelling_the_task_closes_the_socket_and_passes_through() -> None:
    asked = asyncio.Event()

    async def stall(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(STALLS["in the body"])
        asked.set()
        await request.gone()

    async with serve(stall) as server, http_web() as web:
        task = asyncio.create_task(web.fetch(server.url))
        await asked.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await server.closed.wait()


@pytest.mark.req("net:time:whole")
async def test_a_spent_deadline_starts_nothing() -> None:
    async with serve(always(PAGE)) as server, http_web() as web:
        with pytest.raises(WebError) as caught:
            await web.fetch(server.url, call=Call(deadline=Deadline.after(-1)))

    assert caught.value.code == "WEB_FETCH_TIMEOUT"
    assert server.connections == 0
