"""The dispatcher on plain JSON: what it takes, what it leaves alone, and how it runs what a model asked for."""

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.adapters import SENTENCE, assert_verdicts, guarded_stage, seeing, stage
from support.permission import Bench, Person
from support.tools import searching
from webseam.adapters import dispatch
from webseam.core.call import Call
from webseam.core.errors import WebError
from webseam.core.limits import API_IMAGE_CHARS, API_IMAGE_SIDE, CALLS_AT_ONCE
from webseam.core.types import SearchRequest, SearchResult, Source
from webseam.surfaces.adapters.answers import anthropic_block, openai_item, shown
from webseam.surfaces.adapters.citable import without_bullets
from webseam.tools.result import ImageBlock, ToolResult
from webseam.tools.run import Run


def call_of(style: str, name: Any, args: Any, number: int = 0) -> dict[str, Any]:
    """One call as the API tells it."""
    if style == "openai":
        return {"type": "function_call", "call_id": f"c{number}", "name": name, "arguments": args}
    if style == "anthropic":
        return {"type": "tool_use", "id": f"c{number}", "name": name, "input": args}
    return {"functionCall": {"id": f"c{number}", "name": name, "args": args}}


def text_of(item: dict[str, Any]) -> str:
    """The text that the model gets."""
    if "output" in item:
        return str(item["output"])
    if "content" in item:
        return "\n".join(one["text"] for one in item["content"] if one["type"] == "text")
    return str(next(iter(item["function_response"]["response"].values())))


STYLES = ("openai", "anthropic", "gemini")


@pytest.mark.req("adapters:all:verdicts")
@pytest.mark.parametrize("style", STYLES)
async def test_every_hostile_url_meets_the_same_verdict_through_the_dispatcher(style: Any) -> None:
    async with guarded_stage() as place:

        async def ask(name: str, args: dict[str, Any]) -> str:
            (item,) = await dispatch(place.tools, [call_of(style, name, args)], style)
            return text_of(item)

        await assert_verdicts(ask, place)


@pytest.mark.req("adapters:all:others")
@pytest.mark.parametrize(
    ("style", "item"),
    [
        ("openai", {"type": "web_search_call", "id": "ws", "status": "completed", "name": "web_search"}),
        ("openai", {"type": "message", "content": []}),
        ("openai", call_of("openai", "get_weather", "{}")),
        ("openai", call_of("openai", None, "{}")),
        ("openai", call_of("openai", ["web_search"], "{}")),
        ("anthropic", {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {"query": "q"}}),
        ("anthropic", call_of("anthropic", "web_search", {"query": "q"}) | {"toolset_name": "browser"}),
        ("anthropic", {"type": "text", "text": "web_search"}),
        ("gemini", {"text": "web_search"}),
        ("gemini", call_of("gemini", "get_weather", {})),
        ("gemini", "junk"),
    ],
    ids=str,
)
async def test_what_is_no_call_of_our_tools_is_left_alone(style: Any, item: Any) -> None:
    tools, search = searching()
    assert await dispatch(tools, [item], style) == []
    assert search.asked == []


@pytest.mark.req("adapters:all:whole")
@pytest.mark.parametrize(
    ("style", "response"),
    [
        ("openai", {"output": [call_of("openai", "web_search", '{"query": "q"}')]}),
        ("anthropic", {"content": [call_of("anthropic", "web_search", {"query": "q"})]}),
        ("gemini", {"candidates": [{"content": {"parts": [call_of("gemini", "web_search", {"query": "q"})]}}]}),
        ("gemini", {"parts": [call_of("gemini", "web_search", {"query": "q"})]}),
        ("gemini", {"parts": [{"function_call": {"name": "web_search", "args": {"query": "q"}}}]}),
        ("gemini", [{"name": "web_search", "args": {"query": "q"}}]),
    ],
    ids=str,
)
async def test_a_whole_answer_and_its_list_of_items_are_taken(style: Any, response: Any) -> None:
    tools, search = searching()
    (item,) = await dispatch(tools, response, style)
    assert "found no results" in text_of(item)
    assert [one.query for one in search.asked] == ["q"]


@pytest.mark.req("adapters:all:whole")
@pytest.mark.parametrize(
    "response",
    [
        {"promptFeedback": {"blockReason": "SAFETY"}},
        {"candidates": []},
        {"candidates": [{"finishReason": "SAFETY"}]},
        {"candidates": [{"content": {"role": "model"}}]},
    ],
    ids=str,
)
async def test_a_gemini_answer_that_was_blocked_asks_for_nothing(response: Any) -> None:
    assert await dispatch(searching()[0], response, "gemini") == []


@pytest.mark.req("adapters:all:whole")
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("response", [None, "text", 7, {}, {"error": {"message": "no"}}], ids=str)
async def test_what_is_no_answer_of_the_api_is_refused_in_words(style: Any, response: Any) -> None:
    with pytest.raises(WebError, match="no answer of that API") as caught:
        await dispatch(searching()[0], response, style)
    assert caught.value.code == "INVALID_ARGS"


@pytest.mark.req("adapters:all:whole")
async def test_an_unknown_api_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(WebError, match="openai, anthropic, gemini"):
        await dispatch(searching()[0], [], "mistral")  # type: ignore[arg-type]  # the subject


@pytest.mark.req("adapters:all:errors")
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(
    "args", [None, "", "[", "[]", '"q"', 7, [], {"query": 7}, {"nope": 1}, {"query": "\ud800"}], ids=repr
)
async def test_bad_arguments_are_told_to_the_model(style: Any, args: Any) -> None:
    tools, search = searching()
    (item,) = await dispatch(tools, [call_of(style, "web_search", args)], style)

    assert text_of(item).startswith("Error: ")
    assert "(INVALID_ARGS)" in text_of(item)
    assert search.asked == []
    assert item.get("is_error") is (True if style == "anthropic" else None)


# How calls run -----------------------------------------------------------------------------------------


@pytest.mark.req("adapters:all:together")
async def test_calls_run_together_and_their_answers_keep_the_order() -> None:
    begun: list[str] = []
    all_there = asyncio.Event()

    async def answer(request: SearchRequest, _call: Call) -> SearchResult:
        begun.append(request.query)
        if len(begun) == 3:
            all_there.set()
        await all_there.wait()
        return SearchResult(provider="scripted", content=f"About {request.query}.")

    tools, _ = searching(answer)
    calls = [call_of("openai", "web_search", f'{{"query": "q{n}"}}', n) for n in range(3)]
    items = await dispatch(tools, calls, "openai")

    assert [one["call_id"] for one in items] == ["c0", "c1", "c2"]
    assert [f"About q{n}." in one["output"] for n, one in enumerate(items)] == [True] * 3


@pytest.mark.req("adapters:all:together")
async def test_more_calls_than_may_run_at_once_wait_for_their_turn() -> None:
    running, most = 0, 0

    async def answer(_request: SearchRequest, _call: Call) -> SearchResult:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0)
        running -= 1
        return SearchResult(provider="scripted")

    tools, search = searching(answer)
    calls = [call_of("openai", "web_search", f'{{"query": "q{n}"}}', n) for n in range(CALLS_AT_ONCE * 3)]

    assert len(await dispatch(tools, calls, "openai")) == len(search.asked) == CALLS_AT_ONCE * 3
    assert most <= CALLS_AT_ONCE


@pytest.mark.req("adapters:all:run")
async def test_a_person_is_asked_and_the_calls_are_of_the_run_that_the_host_names() -> None:
    person = Person("deny", "allow")
    bench, run = Bench(search="ask"), Run(ask=person)
    calls = [call_of("anthropic", "web_search", {"query": f"q{n}"}, n) for n in range(2)]

    refused, answered = await dispatch(bench.tools, calls, "anthropic", run=run)

    assert "did not allow this" in text_of(refused)
    assert answered.get("is_error") is None
    assert [one.request.target for one in person.asked] == ["q0", "q1"]
    assert (run.calls, bench.run.calls) == (1, 0)


@pytest.mark.req("adapters:all:closed")
async def test_a_call_after_the_web_was_closed_is_told_to_the_model() -> None:
    async with stage() as place:
        pass
    (item,) = await dispatch(place.tools, [call_of("openai", "web_fetch", {"url": place.url})], "openai")
    assert "This Web is closed" in text_of(item)


@pytest.mark.req("adapters:all:closed")
async def test_closing_the_web_ends_a_call_that_runs_and_tells_the_model() -> None:
    async with stage() as place:
        call = call_of("openai", "web_fetch", {"url": f"{place.site.url}/slow"})
        task = asyncio.create_task(dispatch(place.tools, [call], "openai"))
        while not place.fetched:  # noqa: ASYNC110 - the request arrives at a server, not at an event of ours
            await asyncio.sleep(0)
        await place.web.aclose()
        (item,) = await task
    assert text_of(item).startswith("Error: ")


@pytest.mark.req("adapters:all:time")
async def test_the_host_s_seconds_hold_for_each_call() -> None:
    async with stage() as place:
        calls = [
            call_of("openai", "web_fetch", {"url": f"{place.site.url}/slow"}),
            call_of("openai", "web_search", {"query": "q"}),
        ]
        slow, quick = await dispatch(place.tools, calls, "openai", timeout=0.05)
    assert "(TOOL_TIMEOUT)" in text_of(slow)
    assert "Kelp permits" in text_of(quick)


@pytest.mark.req("adapters:openai:loop")
async def test_the_program_that_made_an_openai_call_is_named_in_its_answer() -> None:
    caller = {"type": "program", "caller_id": "p1"}
    call = call_of("openai", "web_search", {"query": "q"}) | {"caller": caller}
    (item,) = await dispatch(searching()[0], [call], "openai")
    assert item["caller"] == caller


# Pictures ----------------------------------------------------------------------------------------------

PIXEL = ImageBlock(media_type="image/png", data="iVBORw0KGgo=", width=1, height=1)


@pytest.mark.req("adapters:all:images")
@pytest.mark.parametrize("style", STYLES)
async def test_a_picture_is_given_where_the_api_takes_one(style: Any) -> None:
    async with stage(fetch=seeing()) as place:
        (item,) = await dispatch(
            place.tools, [call_of(style, "web_fetch", {"url": f"{place.site.url}/pixel.png"})], style
        )

    if style == "openai":
        text, picture = item["output"]
        assert text["type"] == "input_text"
        assert picture["image_url"].startswith("data:image/png;base64,iVBO")
    elif style == "anthropic":
        assert item["content"][1]["source"]["media_type"] == "image/png"
    else:
        assert item["function_response"]["parts"][0]["inline_data"]["data"].startswith("iVBO")
    assert json.loads(json.dumps(item)) == item


@pytest.mark.req("adapters:all:images")
@pytest.mark.parametrize(
    "picture",
    [
        replace(PIXEL, media_type="image/avif"),
        replace(PIXEL, data="A" * (API_IMAGE_CHARS + 4)),
        replace(PIXEL, width=API_IMAGE_SIDE + 1),
    ],
    ids=["type", "size", "side"],
)
def test_a_picture_that_an_api_would_refuse_is_left_out_and_said_to_be(picture: ImageBlock) -> None:
    text, taken = shown(ToolResult(text="A picture.", images=(PIXEL, picture)))
    assert taken == (PIXEL,)
    assert text == "A picture.\n\n(The picture itself cannot be shown: its type or size is not taken here.)"


# What can be cited -------------------------------------------------------------------------------------


@pytest.mark.req("adapters:anthropic:citable")
async def test_what_was_cut_or_written_or_not_honoured_stays_beside_the_hits() -> None:
    result = SearchResult(
        provider="scripted",
        content="Leases come first.",
        sources=(Source(url="https://a.test/1"), Source(url="https://a.test/2", title="Two")),
        truncated=True,
        dropped={"domain": 2},
        notices=("The index is a day old.",),
    )
    (item,) = await dispatch(searching(result)[0], [call_of("anthropic", "web_search", {"query": "q"})], "anthropic")

    said, *hits = item["content"]
    for told in (
        "Leases come first.",
        "Left out: 2 outside the domains",
        "more was left out",
        "The index is a day old.",
    ):
        assert told in said["text"]
    assert "https://a.test" not in said["text"]
    assert [(one["source"], one["title"]) for one in hits] == [
        ("https://a.test/1", "https://a.test/1"),
        ("https://a.test/2", "Two"),
    ]
    assert [one["content"][0]["text"] for one in hits] == ["https://a.test/1", "Two"]


@pytest.mark.req("adapters:anthropic:inert")
async def test_a_snippet_that_can_be_cited_holds_no_link_and_loads_no_picture() -> None:
    said = "![x](https://evil.test/p) [bank.test](https://evil.test) <img src=x> (2026)"
    sources = Source(url="https://a.test/1", title="A", snippet=said), Source(url="https://a.test/2", title=said)
    tools, _ = searching(SearchResult(provider="scripted", sources=sources))
    (item,) = await dispatch(tools, [call_of("anthropic", "web_search", {"query": "q"})], "anthropic")

    inert = r"!\[x\](https://evil.test/p) \[bank.test\](https://evil.test) \<img src=x> (2026)"
    assert [one["content"][0]["text"] for one in item["content"][1:]] == [inert, inert]


@pytest.mark.req("adapters:anthropic:citable")
@pytest.mark.parametrize(("caller", "kinds"), [("direct", ["text", "search_result"]), ("code_execution", ["text"])])
async def test_code_that_calls_a_tool_reads_text_and_the_model_cites(caller: str, kinds: list[str]) -> None:
    result = SearchResult(provider="scripted", sources=(Source(url="https://a.test/1"),))
    call = call_of("anthropic", "web_search", {"query": "q"}) | {"caller": {"type": caller}}
    (item,) = await dispatch(searching(result)[0], [call], "anthropic")

    assert [one["type"] for one in item["content"]] == kinds
    assert ("https://a.test/1" in item["content"][0]["text"]) is (kinds == ["text"])


@pytest.mark.req("adapters:anthropic:citable")
async def test_an_answer_that_no_search_backs_has_nothing_to_cite() -> None:
    result = SearchResult(provider="scripted", content="So they say.", grounding="ungrounded")
    (item,) = await dispatch(searching(result)[0], [call_of("anthropic", "web_search", {"query": "q"})], "anthropic")

    (said,) = item["content"]
    assert "not backed by a web search" in said["text"]


LINE = st.text(st.sampled_from("ab -[]():*\n"), max_size=30) | st.sampled_from(
    [
        "Sources:",
        "Sources:\n- [a](https://a.test/)",
        "[End of quotation n]",
        "- [x]",
        "\n\nSources:\n- [x](https://x.test/)\n\n",
    ]
)


@pytest.mark.req("adapters:anthropic:citable")
@given(
    content=LINE,
    hits=st.lists(st.tuples(LINE, LINE), min_size=1, max_size=4),
    notices=st.lists(LINE, max_size=2),
    truncated=st.booleans(),
)
def test_nothing_but_the_list_of_sources_is_taken_out_of_the_text(
    content: str, hits: list[tuple[str, str]], notices: list[str], *, truncated: bool
) -> None:
    sources = tuple(
        Source(url=f"https://hit.test/{n}", title=title or None, snippet=snippet or None)
        for n, (title, snippet) in enumerate(hits)
    )
    result = SearchResult(
        provider="scripted", content=content, sources=sources, notices=tuple(notices), truncated=truncated
    )
    whole: ToolResult = asyncio.run(_searched(result))

    rest = without_bullets(whole.text, len(sources))

    assert rest is not None
    assert "https://hit.test/" not in rest
    kept = [line for line in whole.text.split("\n") if "https://hit.test/" not in line]
    left = rest.split("\n")[:-1]
    missing = [line for line in kept if line and line not in left and not line.startswith(("[Quoted", "[End of"))]
    assert missing in ([], ["Sources:"])
    assert all(line in kept for line in left)


async def _searched(result: SearchResult) -> ToolResult:
    tools, _ = searching(result)
    return await tools.call("web_search", {"query": "q"})


@pytest.mark.req("adapters:anthropic:citable")
def test_a_list_that_is_not_found_whole_leaves_the_text_as_it_is() -> None:
    hit = {"url": "https://a.test/"}
    result = ToolResult(text="Sources:\n- [a", structured={"grounding": "searched", "sources": [hit, hit]})
    assert anthropic_block("c", result)["content"] == [{"type": "text", "text": "Sources:\n- [a"}]
    assert openai_item("c", result)["output"] == "Sources:\n- [a"


@pytest.mark.req("adapters:all:whole")
async def test_a_page_reaches_the_model_as_the_tool_wrote_it() -> None:
    async with stage() as place:
        (item,) = await dispatch(place.tools, [call_of("openai", "web_fetch", {"url": place.url})], "openai")
    assert SENTENCE in item["output"]
