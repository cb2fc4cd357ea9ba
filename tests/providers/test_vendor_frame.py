"""The frame under every vendor against servers that break off, flood, lie about their type, and echo keys."""

import asyncio
import gzip
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest

from support.net import ScriptedResolver
from support.vendor import KEY, SPECS, HeldKey, build, fixture, good, replies_of, staged
from webseam.core.call import Call
from webseam.core.deadline import Deadline
from webseam.core.errors import Code, WebError
from webseam.core.plugin import Seams
from webseam.core.types import SearchRequest, SearchResult
from webseam.core.web import Web
from webseam.net.vendor import VendorTransport
from webseam.providers.wires.messages_stream import MessagesFold
from webseam.testing import Reply, VendorServer
from webseam.wiring.transport import LazyTransport

KINDS = [kind for kind in sorted(SPECS) if fixture(kind).get("streams")]
STREAM = {"content-type": "text/event-stream"}


def whole(kind: str) -> Reply:
    """The first stream of this vendor's fixture that ends in a whole, searched answer."""
    cases = (case for case in fixture(kind)["streams"] if "result" in case and len(case["replies"]) == 1)
    found = (one for one in cases if "text" in one["replies"][0] and one["result"].get("grounding") == "searched")
    (reply,) = replies_of(next(one for one in found if not one["result"].get("truncated")))
    return replace(reply, headers=STREAM)


def watched(**more: Any) -> Call:
    return Call(progress=lambda _text: None, **more)


async def outcome(kind: str, reply: Reply, **options: Any) -> SearchResult | WebError:
    async with staged(kind, reply, **options) as stage:
        try:
            return await stage.web.search("kelp", call=watched())
        except WebError as error:
            return error


@asynccontextmanager
async def served(kind: str, *chunks: bytes) -> AsyncIterator[Any]:
    """A provider of this kind whose vendor sends these bytes to every request, one write each, and closes."""

    async def play(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        try:
            for chunk in chunks:
                writer.write(chunk)
                await writer.drain()
        except ConnectionError:
            pass  # the client has what it wants
        writer.close()

    transport = VendorTransport(resolver=ScriptedResolver({}))
    async with await asyncio.start_server(play, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        try:
            yield build(kind, transport, base_url=f"http://127.0.0.1:{port}")
        finally:
            await transport.aclose()


# What is no stream -------------------------------------------------------------------------------------


@pytest.mark.req("search:frame:no-stream")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("headers", [{}, STREAM, {"content-type": "text/plain"}], ids=["none", "stream", "text"])
async def test_plain_json_is_taken_at_its_word_whatever_type_it_is_sent_as(kind: str, headers: dict[str, str]) -> None:
    async with staged(kind, *replies_of(fixture(kind))) as stage:
        expected = await stage.web.search("kelp")
    result = await outcome(kind, replace(good(kind), headers=headers))

    assert isinstance(result, SearchResult)
    assert (result.sources, result.content) == (expected.sources, expected.content)


@pytest.mark.req("search:frame:no-stream")
@pytest.mark.parametrize("kind", KINDS)
async def test_a_stream_that_is_sent_as_json_is_a_stream(kind: str) -> None:
    as_stream = await outcome(kind, whole(kind))
    as_json = await outcome(kind, replace(whole(kind), headers={"content-type": "application/json"}))

    assert isinstance(as_stream, SearchResult)
    assert isinstance(as_json, SearchResult)
    assert (as_json.sources, as_json.content) == (as_stream.sources, as_stream.content)


@pytest.mark.req("search:frame:no-stream")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("headers", [{"content-type": "text/html"}, STREAM], ids=["html", "stream"])
async def test_a_page_in_the_place_of_a_stream_is_named_as_what_it_is(kind: str, headers: dict[str, str]) -> None:
    error = await outcome(kind, Reply(headers=headers, body=b"\xef\xbb\xbf\n <!doctype html><p>Log in"))

    assert isinstance(error, WebError)
    assert (error.code, error.dispatched) == (Code.PROVIDER_ERROR, True)
    assert "a body that is not JSON (HTTP 200" in error.message


@pytest.mark.req("search:frame:no-stream")
@pytest.mark.parametrize("kind", KINDS)
async def test_no_content_in_the_place_of_a_stream_is_told_with_its_status(kind: str) -> None:
    error = await outcome(kind, Reply(status=204))

    assert isinstance(error, WebError)
    assert "an empty body (HTTP 204)" in error.message


@pytest.mark.req("search:frame:no-stream")
@pytest.mark.parametrize("kind", KINDS)
async def test_a_stream_in_a_coding_that_nobody_knows_is_refused_at_once(kind: str) -> None:
    reply = replace(whole(kind), headers=STREAM | {"content-encoding": "kelp"}, ending="held-halfway")
    async with staged(kind, reply) as stage:
        with pytest.raises(WebError, match="cannot be decompressed"):
            await stage.web.search("kelp", call=watched())
        await stage.server.released.wait()


@pytest.mark.req("search:frame:no-stream")
async def test_an_error_in_plain_json_behind_the_type_of_a_stream_is_that_error() -> None:
    body = json.dumps({"error": {"message": "no credit", "code": 402}}).encode()

    error = await outcome("openrouter", Reply(headers=STREAM, body=body))

    assert isinstance(error, WebError)
    assert error.code == Code.QUOTA_EXHAUSTED


# Time --------------------------------------------------------------------------------------------------


@pytest.mark.req("search:frame:prompt-end")
@pytest.mark.parametrize("kind", KINDS)
async def test_an_abort_is_heeded_at_the_next_event_though_the_whole_answer_is_here(kind: str) -> None:
    abort = asyncio.Event()
    told: list[str] = []

    def stop(text: str) -> None:
        told.append(text)
        abort.set()

    async with staged(kind, whole(kind)) as stage:
        with pytest.raises(WebError) as caught:
            await stage.web.search("kelp", call=Call(progress=stop, abort=abort))

    assert (caught.value.code, caught.value.dispatched, len(told)) == (Code.ABORTED, True, 1)


@pytest.mark.req("search:frame:prompt-end")
@pytest.mark.parametrize("kind", KINDS)
async def test_a_deadline_that_passes_in_a_callback_is_heeded_at_the_next_event(kind: str) -> None:
    now = [0.0]

    def slow(_text: str) -> None:
        now[0] += 100

    async with staged(kind, whole(kind)) as stage:
        call = Call(progress=slow, deadline=Deadline(60, clock=lambda: now[0]))
        with pytest.raises(WebError) as caught:
            await stage.web.search("kelp", call=call)

    assert (caught.value.code, caught.value.dispatched, now) == (Code.SEARCH_TIMEOUT, True, [100.0])


@pytest.mark.req("search:frame:fair")
@pytest.mark.parametrize("coding", ["identity", "gzip"])
async def test_a_flood_of_events_in_one_piece_lets_other_tasks_run(coding: str) -> None:
    event = {"type": "response.output_text.delta", "output_index": 0, "content_index": 0, "delta": "kelp"}
    flood = f"data: {json.dumps(event)}\n\n".encode() * 20_000
    body = gzip.compress(flood) if coding == "gzip" else flood
    turns = 0
    begun = asyncio.Event()

    async def others() -> None:
        nonlocal turns
        await begun.wait()
        while True:
            turns += 1
            await asyncio.sleep(0)

    task = asyncio.create_task(others())
    async with staged("openai", Reply(headers=STREAM | {"content-encoding": coding}, body=body)) as stage:
        with pytest.raises(WebError):
            await stage.web.search("kelp", call=Call(progress=lambda _text: begun.set()))
    task.cancel()

    assert turns >= len(flood) // 65_536


@pytest.mark.req("search:frame:fair")
async def test_each_citation_of_a_flood_is_kept_once_in_the_same_list() -> None:
    events: list[dict[str, Any]] = [
        {"type": "message_start", "message": {}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": "", "citations": None}},
        *(
            {"type": "content_block_delta", "index": 0, "delta": {"type": "citations_delta", "citation": {"n": n}}}
            for n in range(3)
        ),
    ]
    fold = MessagesFold("anthropic")
    lists = []
    for event in events:
        fold.take("message", event)
        lists.append(next((block.get("citations") for block in fold.payload()["content"]), None))

    assert lists[-1] == [{"n": 0}, {"n": 1}, {"n": 2}]
    assert lists[-1] is lists[-2]


# Broken off --------------------------------------------------------------------------------------------


HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n"


def framed(body: bytes, cut: int, framing: str) -> bytes:
    """The first `cut` bytes of a body, lost in this framing."""
    sent = body[:cut]
    if framing == "close":
        return HEAD + b"connection: close\r\n\r\n" + sent
    if framing == "length":
        return HEAD + b"content-length: %d\r\n\r\n" % len(body) + sent
    chunk = b"%x\r\n%b\r\n" % (cut, sent) if cut else b""
    return HEAD + b"transfer-encoding: chunked\r\n\r\n" + chunk + (b"zz\r\n" if framing == "garbage" else b"")


async def ended(provider: Any) -> SearchResult | WebError:
    try:
        result: SearchResult = await provider.search(SearchRequest(query="kelp"), call=watched())
    except WebError as error:
        return error
    return result


@pytest.mark.req("search:frame:cut-anywhere")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("framing", ["close", "length", "chunked", "garbage"])
async def test_a_stream_lost_at_any_byte_never_passes_for_more_than_came(kind: str, framing: str) -> None:
    body = whole(kind).body.rstrip() + b"\n\n"
    expected = await outcome(kind, whole(kind))
    assert isinstance(expected, SearchResult)
    for cut in range(0, len(body), max(1, len(body) // 40)):
        async with served(kind, framed(body, cut, framing)) as provider:
            result = await ended(provider)
        if isinstance(result, WebError):
            assert (result.code, result.dispatched) == (Code.PROVIDER_ERROR, True)
            continue
        assert result.grounding == "searched"
        assert result.truncated or (result.sources, result.content) == (expected.sources, expected.content)
        assert result.truncated == bool(result.notices)


@pytest.mark.req("search:frame:drip")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("coding", [b"identity", b"gzip"])
async def test_a_stream_reads_the_same_byte_by_byte(kind: str, coding: bytes) -> None:
    expected = await outcome(kind, whole(kind))
    body = whole(kind).body.replace(b"\n", b"\r\n")
    data = gzip.compress(body) if coding == b"gzip" else body
    head = HEAD + b"transfer-encoding: chunked\r\ncontent-encoding: " + coding + b"\r\n\r\n"
    drops = [b"1\r\n%b\r\n" % data[at : at + 1] for at in range(len(data))]
    async with served(kind, head, *drops, b"0\r\n\r\n") as provider:
        result = await provider.search(SearchRequest(query="kelp"), call=watched())

    assert isinstance(expected, SearchResult)
    assert (result.sources, result.content, result.truncated) == (expected.sources, expected.content, False)


# Life --------------------------------------------------------------------------------------------------


class WaitingKey(HeldKey):
    """A credential source that answers when it is let."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = asyncio.Event()
        self.let = asyncio.Event()

    async def resolve(self) -> str:
        self.asked.set()
        await self.let.wait()
        return KEY


@pytest.mark.req("search:frame:closed")
@pytest.mark.parametrize("used", [False, True], ids=["never used", "used"])
async def test_a_call_that_waits_for_its_key_while_its_web_closes_sends_nothing(used: bool) -> None:  # noqa: FBT001 - a table
    transport, secret = LazyTransport(seams=Seams()), WaitingKey()
    async with VendorServer(good("exa"), good("exa")) as server:
        web = Web()
        web.at_close(transport.aclose)
        web.register_search(build("exa", transport, secret=secret, base_url=server.url))
        if used:
            secret.let.set()
            await web.search("kelp")
            secret.let.clear()
            secret.asked.clear()
        search = asyncio.create_task(web.search("kelp"))
        await secret.asked.wait()
        await web.aclose()
        secret.let.set()
        with pytest.raises(WebError, match="closed") as caught:
            await search

    assert (caught.value.code, caught.value.dispatched) == (Code.PROVIDER_UNAVAILABLE, False)
    assert len(server.requests) == int(used)


@pytest.mark.req("search:frame:closed")
async def test_a_closed_transport_follows_no_link() -> None:
    transport = VendorTransport()
    await transport.aclose()

    assert await transport.location("https://1.1.1.1/", call=Call()) is None
