"""Whatever JSON a vendor sends: a result that keeps its promises, or a WebError; never anything else."""

import asyncio
import json
from collections.abc import Coroutine, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.vendor import KEY, MCP_GREETING, SPECS, build, fixture
from webseam.core.call import Call
from webseam.core.errors import WebError
from webseam.core.limits import MESSAGE_CHARS, RETRY_AFTER_SECONDS
from webseam.core.text import is_text
from webseam.core.transport import VendorRequest, VendorResponse
from webseam.core.types import SearchRequest, SearchResult
from webseam.providers.wires.failures import failure

KINDS = sorted(SPECS)


class Canned:
    """A transport that answers with the given responses, in order."""

    def __init__(self, *responses: VendorResponse) -> None:
        self.responses = list(responses)

    async def send(self, request: VendorRequest, *, call: Call) -> VendorResponse:
        assert request.provider
        call.dispatch.mark()
        return self.responses.pop(0)

    def stream(self, request: VendorRequest, *, call: Call) -> Any:
        raise AssertionError(f"{request.provider} streams without anybody to see it: {call}")

    async def location(self, url: str, *, call: Call) -> str | None:
        assert url
        call.check()
        return None


FIELDS = """
results search_results choices message content citations url title snippet highlights text type usage cost date
error detail code retry_after server_tool_use web_search_requests cited_text notices costDollars total result
finish_reason stop_reason error_code published_date page_age requestId jsonrpc id isError loc msg tag
"""
NAMES = st.sampled_from(FIELDS.split())
WORDS = st.one_of(
    st.text(st.characters(exclude_categories=()), max_size=12),  # half characters too, which JSON escapes can carry
    st.sampled_from(["https://a.example/", "web_search_tool_result", "web_search_result", "text", "2.0", "attachment"]),
)
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), WORDS)
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=5))
HITS = st.lists(st.dictionaries(NAMES, VALUES, max_size=4) | VALUES, max_size=4)
BODIES = st.one_of(
    VALUES,
    st.dictionaries(NAMES, VALUES, max_size=8),
    st.fixed_dictionaries({"results": HITS}, optional={"usage": VALUES, "costDollars": VALUES, "notices": HITS}),
    st.fixed_dictionaries({"choices": HITS}, optional={"search_results": HITS, "citations": VALUES, "usage": VALUES}),
    st.fixed_dictionaries({"content": HITS}, optional={"usage": VALUES, "stop_reason": VALUES}),
    st.fixed_dictionaries({"id": st.just(2), "result": st.fixed_dictionaries({"content": HITS})}),
)


@pytest.mark.req("search:vendor:lenient-rows")
@settings(deadline=None, max_examples=150)
@pytest.mark.parametrize("kind", KINDS)
@given(body=BODIES)
def test_any_json_is_a_result_or_a_web_error(kind: str, body: Any) -> None:
    greeting = [VendorResponse(status=one.status, headers=one.headers, body=one.body) for one in MCP_GREETING]
    reply = VendorResponse(status=200, headers={}, body=json.dumps(body).encode())
    transport = Canned(*(greeting if kind == "exa-mcp" else []), reply)
    options: dict[str, Any] = {"answer": True} if kind in ("tavily", "deepseek-official") else {}
    provider = build(kind, transport, base_url="https://vendor.example/api", **options)

    outcome = asyncio.run(_outcome(provider.search(SearchRequest(query="kelp"), call=Call())))

    if isinstance(outcome, WebError):
        assert (outcome.dispatched, outcome.provider) == (True, kind)
    else:
        _assert_sound(outcome)


JSON_KINDS = [kind for kind in KINDS if "json" in fixture(kind)["replies"][-1]]


@pytest.mark.req("search:vendor:lenient-rows")
@settings(deadline=None, max_examples=40)
@pytest.mark.parametrize("kind", JSON_KINDS)
@given(data=st.data())
def test_a_good_answer_with_anything_in_any_place_is_a_result_or_a_web_error(kind: str, data: st.DataObject) -> None:
    body = {"": fixture(kind)["replies"][-1]["json"]}
    for _ in range(data.draw(st.integers(1, 4))):
        holder, key = data.draw(st.sampled_from(list(_places(body))))
        if isinstance(key, str) and key and data.draw(st.booleans()):
            del holder[key]
        else:
            holder[key] = data.draw(VALUES)
    reply = VendorResponse(status=200, headers={}, body=json.dumps(body[""]).encode())
    provider = build(kind, Canned(reply, *[reply] * 4), base_url="https://vendor.example/api")

    outcome = asyncio.run(_outcome(provider.search(SearchRequest(query="kelp"), call=Call())))

    if isinstance(outcome, WebError):
        assert (outcome.dispatched, outcome.provider) == (True, kind)
    else:
        _assert_sound(outcome)


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Each place inside a JSON value, as what holds it and the key or number there."""
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from _places(value[key])


async def _outcome(search: Coroutine[Any, Any, SearchResult]) -> SearchResult | WebError:
    try:
        return await search
    except WebError as error:
        return error


def _assert_sound(result: SearchResult) -> None:
    assert result.grounding == "searched" or not result.sources
    assert result.content is None or result.content.strip()
    for source in result.sources:
        assert source.url == source.url.strip() != ""
        for value in (source.title, source.snippet, source.published_at):
            assert value is None or (value.strip() and is_text(value))
    assert all(count > 0 for count in result.dropped.values())
    usage = result.usage
    assert usage is None or (usage.cost is None) is (usage.currency is None)


@pytest.mark.req("search:vendor-error:message")
@settings(deadline=None)
@given(
    status=st.integers(300, 599),
    body=st.binary(max_size=60) | VALUES.map(lambda value: json.dumps(value).encode()),
    wait=st.text(max_size=30),
    milliseconds=st.text(max_size=8) | st.integers().map(str),
)
def test_any_failure_is_one_line_with_a_sane_wait(status: int, body: bytes, wait: str, milliseconds: str) -> None:
    headers = {"retry-after": wait, "retry-after-ms": milliseconds, "date": wait}

    error = failure(VendorResponse(status=status, headers=headers, body=body), provider="kelp", secrets=(KEY,))

    assert f"HTTP {status}" in error.message
    assert len(error.message) <= MESSAGE_CHARS + 200
    assert error.message == " ".join(error.message.split())
    assert error.retry_after is None or 0 <= error.retry_after <= RETRY_AFTER_SECONDS


@pytest.mark.req("search:vendor-error:not-json")
@pytest.mark.parametrize("depth", [3, 100, 900])
def test_a_message_at_the_bottom_of_a_well_is_not_fetched(depth: int) -> None:
    body = b'{"error":' * depth + b'"deep"' + b"}" * depth

    error = failure(VendorResponse(status=400, headers={}, body=body), provider="kelp")

    assert ("deep" in error.message) is (depth == 3)
