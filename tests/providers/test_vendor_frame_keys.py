"""Keys on their way out: in a query, in an echo, in the pieces of a stream, in a repr."""

import json
import traceback
from typing import Any
from urllib.parse import quote, quote_plus

import pytest

from support.vendor import KEY, SPECS, HeldKey, build, facts_of, fixture, says, staged
from webseam.core.call import Call
from webseam.core.errors import Code, WebError
from webseam.core.events import RequestRecorded
from webseam.core.transport import VendorRequest
from webseam.core.types import SearchRequest, SearchResult
from webseam.net.vendor import VendorTransport
from webseam.testing import Reply, VendorServer

IN_QUERY = ["google-cse", "mojeek", "serpapi"]
STREAMED = [kind for kind in sorted(SPECS) if fixture(kind).get("streams")]
STREAM = {"content-type": "text/event-stream"}
ODD_KEY = "ab/cd+ef==?x&y%41:z"


async def outcome(kind: str, reply: Reply, **options: Any) -> SearchResult | WebError:
    async with staged(kind, reply, **options) as stage:
        try:
            return await stage.web.search("kelp", call=Call(progress=lambda _text: None))
        except WebError as error:
            return error


BROKEN_HEAD = Reply(headers={"bad header": "x"}, body=b"{}")


@pytest.mark.req("search:frame:key-forms")
@pytest.mark.parametrize("kind", IN_QUERY)
@pytest.mark.parametrize("ending", ["echoed", "malformed", "dropped", "redirected"])
async def test_a_key_in_a_query_is_seen_in_no_form_whatever_the_server_does(kind: str, ending: str) -> None:
    forms = (ODD_KEY, quote(ODD_KEY, safe=""), quote_plus(ODD_KEY))
    replies = {
        "echoed": says({"error": f"no such key: {forms[0]}, sent as ?api_key={forms[1]}"}, 401),
        "malformed": BROKEN_HEAD,
        "dropped": Reply(ending="dropped"),
        "redirected": Reply(status=302, headers={"location": f"/login?was={forms[1]}"}),
    }
    events: list[Any] = []
    async with staged(kind, replies[ending], secret=HeldKey(ODD_KEY), emit=events.append) as stage:
        with pytest.raises(WebError) as caught:
            await stage.web.search("kelp")
        assert ODD_KEY in facts_of(stage.server.requests[0])["query"].values()

    shown = repr(events) + "".join(traceback.format_exception(caught.value)) + json.dumps(caught.value.to_dict())
    assert not any(form in shown for form in forms)
    assert any(isinstance(event, RequestRecorded) for event in events)


@pytest.mark.req("search:frame:key-in-stream")
@pytest.mark.parametrize("kind", [kind for kind in STREAMED if kind != "mistral"])
async def test_a_short_key_in_the_error_of_a_stream_is_hidden(kind: str) -> None:
    told = {"type": "error", "error": {"type": "x", "code": 500, "message": "no access for k3y-abc9 today"}}
    reply = Reply(headers=STREAM, body=f"event: error\ndata: {json.dumps(told)}\n\n".encode())

    error = await outcome(kind, reply, secret=HeldKey("k3y-abc9"))

    assert isinstance(error, WebError)
    assert "no access for [redacted] today" in error.message
    assert "k3y-abc9" not in "".join(traceback.format_exception(error)) + repr(error)


@pytest.mark.req("search:frame:key-in-stream")
@pytest.mark.parametrize("kind", ["openrouter", "perplexity"])
async def test_a_key_that_comes_in_pieces_stands_in_no_result(kind: str) -> None:
    told: list[str] = []
    page = {"url": "https://kelp.example/a", "title": "Kelp"}
    cited = {"type": "url_citation", "url_citation": page}
    chunks: list[dict[str, Any]] = [{"choices": [{"delta": {"content": part}}]} for part in ("Key: ", KEY[:9], KEY[9:])]
    last = {"choices": [{"delta": {"annotations": [cited]}, "finish_reason": "stop"}], "search_results": [page]}
    body = "".join(f"data: {json.dumps(one)}\n\n" for one in (*chunks, last)) + "data: [DONE]\n\n"

    async with staged(kind, Reply(headers=STREAM, body=body.encode())) as stage:
        result = await stage.web.search("kelp", call=Call(progress=told.append, raw=True))

    assert result.content is not None
    assert "Key: [redacted]" in result.content
    assert KEY not in repr(result) + repr(told)


@pytest.mark.req("search:frame:repr")
def test_the_repr_of_a_request_shows_no_key() -> None:
    request = VendorRequest(
        provider="toy",
        method="GET",
        url=f"https://api.example/?key={KEY}",
        headers={"x-key": KEY},
        form={"key": KEY},
        secrets=(KEY,),
    )

    assert KEY not in repr(request)
    assert "toy" in repr(request)


@pytest.mark.req("search:frame:half-character")
@pytest.mark.parametrize("kind", sorted(set(SPECS) - {"exa-mcp"}))  # its session is opened before the query is sent
async def test_half_a_character_is_refused_before_anything_leaves(kind: str) -> None:
    transport = VendorTransport()
    async with VendorServer() as server:
        provider = build(kind, transport, base_url=server.url)
        with pytest.raises(WebError) as caught:
            await provider.search(SearchRequest(query="kelp \ud83c farm"), call=Call())
        await transport.aclose()

    assert (caught.value.code, caught.value.dispatched, server.connections) == (Code.INVALID_ARGS, False, 0)
