"""The Responses wire: evidence, pages, and a stream that is read as the same answer whole."""

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.vendor import build, says, staged
from webseam.core.call import Call
from webseam.core.errors import Code, WebError
from webseam.core.types import SearchControls, SearchResult
from webseam.net.vendor import VendorTransport
from webseam.providers.search import openai
from webseam.providers.wires.asking import Answer, Question
from webseam.providers.wires.controls import check
from webseam.providers.wires.responses_stream import ResponsesFold, told_fault
from webseam.testing import Reply

SEARCHED = {"type": "web_search_call", "status": "completed", "action": {"type": "search"}}


def message(text: str = "Kelp grows.", *annotations: Any) -> dict[str, Any]:
    return {"type": "message", "content": [{"type": "output_text", "text": text, "annotations": list(annotations)}]}


def cited(url: str, **more: Any) -> dict[str, Any]:
    return {"type": "url_citation", "url": url, **more}


async def searched(*output: Any, **more: Any) -> SearchResult:
    async with staged("openai", says({"status": "completed", "output": list(output), **more})) as stage:
        return await stage.web.search("kelp", max_results=50)


@pytest.mark.req("search:responses:evidence")
@pytest.mark.parametrize(
    "proof",
    [
        {"action": {"type": "search"}},
        {"action": None},
        {},
        {"action": {"type": "open_page", "url": None}},
        {"action": {"type": "find_in_page", "url": "https://kelp.example/", "pattern": "permit"}},
    ],
)
async def test_a_completed_call_of_the_tool_is_evidence(proof: dict[str, Any]) -> None:
    call = {"type": "web_search_call", "status": "completed", **proof}

    assert (await searched(call, message())).grounding == "searched"


@pytest.mark.req("search:responses:evidence")
@pytest.mark.parametrize(
    "claim",
    [
        (message("[kelp](https://kelp.example/)", cited("https://kelp.example/", start_index=0, end_index=29)),),
        ({**SEARCHED, "status": "in_progress"}, message()),
        ({**SEARCHED, "status": None}, message()),
        ({**SEARCHED, "type": "function_call"}, message()),
        ({"type": "web_search_call", "status": "failed", "action": {"type": "open_page"}}, message()),
    ],
)
async def test_citations_and_calls_that_did_not_complete_are_no_evidence(claim: tuple[Any, ...]) -> None:
    result = await searched(*claim, tools=[{"type": "web_search"}])

    assert (result.grounding, result.sources) == ("ungrounded", ())


@pytest.mark.req("search:responses:evidence")
async def test_a_search_that_failed_beside_none_that_succeeded_is_a_failure() -> None:
    with pytest.raises(WebError) as caught:
        await searched({**SEARCHED, "status": "failed"}, message())

    assert (caught.value.code, caught.value.retryable) == (Code.UPSTREAM_FAILED, True)


@pytest.mark.req("search:responses:pages")
async def test_pages_come_cited_first_then_opened_then_consulted_and_each_once() -> None:
    listed = {
        "type": "search",
        "sources": [{"type": "url", "url": f"https://{name}.example/"} for name in ("listed", "cited", "opened")],
    }
    opened = {"type": "open_page", "url": "https://opened.example/#ws_call_id=ws_1"}

    result = await searched(
        {**SEARCHED, "action": listed},
        {**SEARCHED, "action": opened},
        message(
            "Kelp.", cited("https://cited.example/?utm_source=openai"), cited("https://cited.example/", title="Cited")
        ),
    )

    assert [one.url for one in result.sources] == [f"https://{n}.example/" for n in ("cited", "opened", "listed")]
    assert [one.title for one in result.sources] == ["Cited", None, None]
    assert result.dropped == {}


@pytest.mark.req("search:responses:pages")
@pytest.mark.parametrize("title", [None, "", "2", " 17 ", 3, []])
async def test_a_title_is_the_vendors_own_and_never_the_number_of_a_citation(title: Any) -> None:
    result = await searched(SEARCHED, message("Kelp.", cited("https://kelp.example/", title=title)))

    assert result.sources[0].title is None


@pytest.mark.req("search:responses:pages")
async def test_a_page_may_be_called_by_a_number() -> None:
    result = await searched(SEARCHED, message("Kelp.", cited("https://kelp.example/", title="1984")))

    assert result.sources[0].title == "1984"


@pytest.mark.req("search:citations:placed")
async def test_marks_take_the_place_of_the_vendors_pointers() -> None:
    text = "🌿 grows ([kelp.example](https://kelp.example/?utm_source=openai)), they say."
    start, end = text.index("(["), text.index("))") + 2

    result = await searched(
        SEARCHED, message(text, cited("https://kelp.example/?utm_source=openai", start_index=start, end_index=end))
    )

    assert result.content == "🌿 grows [1](https://kelp.example/), they say."


@pytest.mark.req("search:citations:kept")
@pytest.mark.parametrize(
    ("start", "end"), [(0, 4), (0, 10_000), (-1, 40), (40, 5), (None, 40), (0, None), ("0", "40"), (True, 40)]
)
async def test_offsets_that_point_elsewhere_leave_the_answer_as_it_was_said(start: Any, end: Any) -> None:
    text = "Kelp grows ([kelp.example](https://kelp.example/))."

    result = await searched(SEARCHED, message(text, cited("https://kelp.example/", start_index=start, end_index=end)))

    assert result.content == text
    assert [one.url for one in result.sources] == ["https://kelp.example/"]


@pytest.mark.req("search:responses:prose")
async def test_what_only_announces_the_search_is_no_part_of_the_answer() -> None:
    assert (await searched(message("I will look."), SEARCHED, message("Kelp"), message("grows."))).content == (
        "Kelp\n\ngrows."
    )
    assert (await searched(message("Kelp grows."), SEARCHED)).content == "Kelp grows."


@pytest.mark.req("search:responses:location")
async def test_no_place_is_meant_where_none_is_asked() -> None:
    async with staged("openai", says({"output": [SEARCHED]}), says({"output": [SEARCHED]})) as stage:
        await stage.web.search("kelp")
        await stage.web.search("kelp", controls=SearchControls(country="SE"))

    places = [one.json["tools"][0]["user_location"] for one in stage.server.requests]
    assert places == [{"type": "approximate"}, {"type": "approximate", "country": "SE"}]


SIX = tuple(f"d{number}.example" for number in range(6))


@pytest.mark.req("search:vendor-controls:unsupported")
@pytest.mark.parametrize(
    ("kind", "options", "controls"),
    [
        ("xai", {}, SearchControls(include_domains=SIX)),
        ("xai", {}, SearchControls(exclude_domains=SIX)),
        ("bing-grounding", {"connection": "kelp-bing"}, SearchControls(country="KE")),
        ("bing-grounding", {}, SearchControls(language="sv")),
        ("deepseek-responses", {}, SearchControls(country="SE")),
        ("openai", {}, SearchControls(language="sv")),
    ],
)
async def test_what_the_tool_cannot_honour_is_refused_before_anything_leaves(
    kind: str, options: dict[str, Any], controls: SearchControls
) -> None:
    async with staged(kind, says({"output": [SEARCHED]}), **options) as stage:
        with pytest.raises(WebError) as caught:
            await stage.web.search("kelp", controls=controls)

    assert (caught.value.code, caught.value.dispatched) == (Code.UNSUPPORTED_CONTROL, False)
    assert controls.asked()[0] in caught.value.message
    assert stage.server.connections == 0


@pytest.mark.req("search:vendor-controls:unsupported")
async def test_of_two_lists_only_the_one_that_is_sent_counts_against_the_cap() -> None:
    controls = SearchControls(include_domains=("kelp.example",), exclude_domains=SIX)
    async with staged("xai", says({"output": [SEARCHED]})) as stage:
        result = await stage.web.search("kelp", controls=controls)

    assert result.controls == {"include_domains": "native", "exclude_domains": "enforced"}


@pytest.mark.req("search:vendor:available")
def test_bing_needs_the_endpoint_of_a_project() -> None:
    provider = build("bing-grounding", VendorTransport(), base_url="")

    assert not provider.available()
    assert "providers.bing-grounding.base_url" in provider.unavailable_reason()


@pytest.mark.req("search:responses:reported-error")
@pytest.mark.parametrize(
    ("payload", "code", "status"),
    [
        ({"type": "error", "code": "server_error", "message": "m"}, Code.PROVIDER_ERROR, 500),
        ({"type": "error", "error": {"code": "rate_limit_exceeded", "message": "m"}}, Code.RATE_LIMITED, 429),
        ({"type": "error", "error": {"type": "insufficient_quota", "message": "m"}}, Code.QUOTA_EXHAUSTED, 429),
        ({"type": "error", "error": "m"}, Code.PROVIDER_ERROR, 500),
        ({"type": "error"}, Code.PROVIDER_ERROR, 500),
        ({"status": "failed", "error": None}, Code.PROVIDER_ERROR, 500),
        ({"status": "cancelled"}, Code.PROVIDER_ERROR, 500),
        ({"output": [], "error": {"code": 529, "message": "m"}}, Code.PROVIDER_ERROR, 529),
        ({"output": [], "error": {"code": "404", "message": "m"}}, Code.PROVIDER_ERROR, 404),
        ({"output": [], "error": {"code": 7, "message": "m"}}, Code.PROVIDER_ERROR, 500),
    ],
)
def test_an_error_told_in_a_success_is_the_error_it_would_have_been(payload: Any, code: Code, status: int) -> None:
    fault = told_fault(payload, "openai")

    assert fault is not None
    assert (fault.code, fault.status, fault.dispatched) == (code, status, True)


@pytest.mark.req("search:responses:reported-error")
@pytest.mark.parametrize("payload", [{}, {"output": []}, {"output": [], "error": None}, {"status": "completed"}])
def test_an_answer_that_tells_no_error_is_none(payload: Any) -> None:
    assert told_fault(payload, "openai") is None


# Streams -----------------------------------------------------------------------------------------------


def streamed(output: list[Any], *, whole: bool) -> list[dict[str, Any]]:
    """The events of a response; `whole` says that the terminal one lists its output."""
    events: list[dict[str, Any]] = [{"type": "response.created", "response": {"status": "in_progress"}}]
    for at, item in enumerate(output):
        parts = item.get("content", []) if isinstance(item, dict) else []
        for number, part in enumerate(parts):
            place = {"output_index": at, "content_index": number}
            events += [{"type": "response.output_text.delta", **place, "delta": one} for one in part["text"]]
            events += [
                {"type": "response.output_text.annotation.added", **place, "annotation": one}
                for one in part["annotations"]
            ]
        events.append({"type": "response.output_item.done", "output_index": at, "item": item})
    last = {"status": "completed", "output": output if whole else []}
    return [*events, {"type": "response.completed", "response": last}]


def question() -> Question[openai.OpenAIOptions]:
    return Question(
        provider="openai",
        query="kelp",
        max_results=None,
        controls=check(SearchControls(), "openai"),
        safe_search=None,
        options=openai.OpenAIOptions(),
        keyed=True,
        today=date(2026, 11, 30),
    )


def read(payload: Any) -> SearchResult | str:
    try:
        return openai.VENDOR.read(Answer(question=question(), payload=payload))
    except WebError as error:
        return error.code


WORDS = st.text(st.sampled_from("kelp 🌿.[]()"), max_size=12)
URLS = st.sampled_from(["https://a.example/", "https://b.example/?utm_source=openai", "no url", ""])
CITED = st.fixed_dictionaries(
    {"type": st.just("url_citation"), "url": URLS},
    optional={"title": WORDS, "start_index": st.integers(0, 12), "end_index": st.integers(0, 12)},
)
PARTS = st.fixed_dictionaries(
    {"type": st.just("output_text"), "text": WORDS, "annotations": st.lists(CITED, max_size=2)}
)
ACTIONS = st.fixed_dictionaries(
    {"type": st.sampled_from(["search", "open_page", "find_in_page"])},
    optional={"url": URLS, "sources": st.lists(st.fixed_dictionaries({"type": st.just("url"), "url": URLS}))},
)
ITEMS = st.one_of(
    st.fixed_dictionaries({"type": st.just("message"), "content": st.lists(PARTS, max_size=2)}),
    st.fixed_dictionaries(
        {"type": st.just("web_search_call"), "status": st.sampled_from(["completed", "failed"]), "action": ACTIONS}
    ),
)


@pytest.mark.req("search:responses:fold")
@given(output=st.lists(ITEMS, max_size=4), whole=st.booleans())
def test_a_stream_is_read_as_the_same_answer_whole(output: list[Any], *, whole: bool) -> None:
    fold = ResponsesFold("openai")
    for event in streamed(output, whole=whole):
        assert not fold.ended
        fold.take("message", event)

    assert fold.ended
    assert read(fold.payload()) == read({"status": "completed", "output": output})


@pytest.mark.req("search:responses:fold")
@given(output=st.lists(ITEMS, max_size=4), cut=st.integers(0, 40))
def test_a_stream_cut_anywhere_never_says_more_than_the_whole(output: list[Any], cut: int) -> None:
    fold = ResponsesFold("openai")
    for event in streamed(output, whole=True)[:cut]:
        fold.take("message", event)

    part, full = read(fold.payload()), read({"status": "completed", "output": output})
    if isinstance(part, SearchResult) and isinstance(full, SearchResult):
        assert full.grounding == "searched" or part.grounding == "ungrounded"
        assert {one.url for one in part.sources} <= {one.url for one in full.sources}


FIELDS = """
type output output_index content_index delta item annotation annotations content text url title status action sources
response error code message start_index end_index usage tool_usage citations
"""
JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(FIELDS.split()), inner, max_size=5),
)
EVENTS = """
response.created response.completed response.failed response.incomplete response.output_item.done error odd
response.output_text.delta response.output_text.annotation.added
"""
TYPED = st.builds(
    lambda kind, fields: {**fields, "type": kind},
    st.sampled_from(EVENTS.split()),
    st.dictionaries(st.sampled_from(FIELDS.split()), JUNK | st.integers(0, 2), max_size=5),
)


@pytest.mark.req("search:responses:any")
@settings(deadline=None)
@given(events=st.lists(TYPED, max_size=6), body=JUNK)
def test_whatever_comes_is_a_result_or_a_web_error(events: list[dict[str, Any]], body: Any) -> None:
    fold = ResponsesFold("openai")
    for event in events:
        with suppress(WebError):
            fold.take("message", event)

    for payload in (fold.payload(), body):
        found = read(payload)
        assert isinstance(found, str) or found.grounding == "searched" or not found.sources


@pytest.mark.req("search:responses:fold")
@pytest.mark.parametrize("cut", [b"", b"\n\n", b": ping\n\n"])
async def test_progress_tells_paragraphs_apart(cut: bytes) -> None:
    events = streamed([SEARCHED, message("Kelp "), message("grows.")], whole=True)
    body = cut.join(b"data: " + json.dumps(event).encode() + b"\n\n" for event in events)
    told: list[str] = []
    tell: Callable[[str], None] = told.append
    async with staged("openai", Reply(headers={"content-type": "text/event-stream"}, body=body)) as stage:
        async with asyncio.timeout(10):
            result = await stage.web.search("kelp", call=Call(progress=tell))

    assert (told[-1], result.content) == ("Kelp\n\ngrows.", "Kelp\n\ngrows.")
