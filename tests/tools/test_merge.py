"""Several queries of one call (dsh-75 to dsh-77)."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from support.tools import Answer, found, inside, outside, searching
from webseam.core.call import Call
from webseam.core.errors import Code, WebError
from webseam.core.settings import SeamSettings, ToolSettings
from webseam.core.types import SearchRequest, SearchResult, Usage
from webseam.tools.merge import merged

THREE = ToolSettings(max_queries=3)


def urls(result: Any) -> list[str]:
    return [one["url"] for one in result.structured["sources"]]


@pytest.mark.req("tools:merge:round-robin")
async def test_hits_alternate_by_rank_in_query_order_without_repeats() -> None:
    tools, scripted = searching(
        tools=THREE,
        answers={
            "a": found("https://x.test/1", "https://x.test/2", "https://x.test/3"),
            "b": found("https://y.test/1"),
            "c": found("https://x.test/1", "https://z.test/2"),
        },
    )
    result = await tools.call("web_search", {"queries": ["a", "b", "c"]})
    assert urls(result) == [
        "https://x.test/1",
        "https://y.test/1",
        "https://x.test/2",
        "https://z.test/2",
        "https://x.test/3",
    ]
    assert {one.max_results for one in scripted.asked} == {SeamSettings().max_results}
    assert result.structured is not None
    assert result.structured["queries"] == ["a", "b", "c"]
    assert result.structured["truncated"] is False


@pytest.mark.req("tools:merge:cap")
async def test_a_new_source_left_out_by_the_cap_is_told() -> None:
    tools, _ = searching(
        tools=THREE,
        seam=SeamSettings(max_results=2),
        answers={"a": found("https://x.test/1", "https://x.test/2"), "b": found("https://y.test/1")},
    )
    result = await tools.call("web_search", {"queries": ["a", "b"]})
    assert urls(result) == ["https://x.test/1", "https://y.test/1"]
    assert result.structured is not None
    assert result.structured["truncated"] is True
    assert "(Showing 2 sources; more was left out." in outside(result.text)


@pytest.mark.req("tools:merge:cap")
def test_a_repeat_left_out_by_the_cap_is_no_cut() -> None:
    one = found("https://x.test/1", "https://x.test/2")
    assert merged(("a", "b"), [one, one], 2).truncated is False
    assert merged(("a", "b"), [one, replace(one, truncated=True)], 2).truncated is True


@pytest.mark.req("tools:merge:share")
@pytest.mark.parametrize("tokens", [0, 900])
async def test_long_answers_share_the_room_and_a_short_one_stays_whole(tokens: int) -> None:
    tools, _ = searching(
        tools=ToolSettings(max_queries=3, search_chars=4_000, search_tokens=tokens),
        answers={
            "a": found("https://x.test/1", content="Kelp grows. " * 1_000),
            "b": found("https://y.test/1", content="Short and whole."),
            "c": found("https://z.test/1", content="Tides turn. " * 1_000),
        },
    )
    result = await tools.call("web_search", {"queries": ["a", "b", "c"]})
    assert result.structured is not None
    first, second, third = result.structured["answer"].split("### ")[1:]
    assert second == "b\n\nShort and whole.\n\n"
    assert abs(len(first) - len(third)) < 30
    assert len(first) > 800
    assert first.rstrip().endswith("[cut]")
    assert third.endswith("[cut]")
    assert len(urls(result)) == 3


@pytest.mark.req("tools:merge:answers")
async def test_each_answer_stands_under_its_query() -> None:
    tools, _ = searching(
        tools=THREE,
        answers={
            "a [x](y)": found("https://x.test/1", content="First."),
            "b": found("https://y.test/1"),
            "c": found(content="Third."),
        },
    )
    result = await tools.call("web_search", {"queries": ["a [x](y)", "b", "c"]})
    assert inside(result.text).startswith("### a \\[x\\](y)\n\nFirst.\n\n### c\n\nThird.\n\nSources:")


@pytest.mark.req("tools:merge:answers")
async def test_no_answers_make_no_headings() -> None:
    tools, _ = searching(found("https://x.test/1"), tools=THREE)
    result = await tools.call("web_search", {"queries": ["a", "b"]})
    assert inside(result.text).startswith("Sources:")
    assert result.structured is not None
    assert "answer" not in result.structured


@pytest.mark.req("tools:merge:one")
async def test_one_query_passes_through_with_its_answer_unchanged() -> None:
    tools, _ = searching(found("https://x.test/1", content="Yes."), tools=THREE)
    assert inside((await tools.call("web_search", {"queries": ["a"]})).text).startswith("Yes.\n\nSources:")


@pytest.mark.req("tools:merge:concurrent")
async def test_queries_run_at_the_same_time() -> None:
    together = asyncio.Barrier(3)

    async def meet(_request: SearchRequest, _call: Call) -> SearchResult:
        await together.wait()
        return found("https://x.test/1")

    tools, _ = searching(meet, tools=THREE)
    assert not (await tools.call("web_search", {"queries": ["a", "b", "c"]})).is_error


@pytest.mark.req("tools:merge:failure")
async def test_the_first_failure_ends_the_others_and_is_the_one_reported() -> None:
    ended: list[str] = []
    waiting = asyncio.Event()

    async def hang(request: SearchRequest, _call: Call) -> SearchResult:
        waiting.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(request.query)
        raise AssertionError

    async def fail(_request: SearchRequest, _call: Call) -> SearchResult:
        await waiting.wait()
        raise WebError(Code.QUOTA_EXHAUSTED, "The account is empty.")

    tools, _ = searching(tools=THREE, answers={"a": hang, "b": fail, "c": found("https://x.test/1")})
    result = await tools.call("web_search", {"queries": ["a", "b", "c"]})
    assert result.is_error
    assert result.error is not None
    assert result.error["code"] == "WEB_QUOTA_EXHAUSTED"
    assert ended == ["a"]
    assert "x.test" not in result.text


@pytest.mark.req("tools:merge:abort")
async def test_an_abort_reaches_every_query() -> None:
    abort = asyncio.Event()
    running: list[str] = []
    ended: list[str] = []

    async def hang(request: SearchRequest, _call: Call) -> SearchResult:
        running.append(request.query)
        if len(running) == 2:
            abort.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(request.query)
        raise AssertionError

    tools, _ = searching(hang, tools=THREE)
    result = await tools.call("web_search", {"queries": ["a", "b"]}, abort=abort)
    assert result.error is not None
    assert result.error["code"] == "WEB_ABORTED"
    assert result.error["dispatched"] is True
    assert sorted(ended) == ["a", "b"]


@pytest.mark.req("tools:merge:honest")
async def test_a_query_that_was_not_searched_is_told_once() -> None:
    bare = SearchResult(provider="scripted", grounding="ungrounded", content="From memory.")
    answers: dict[str, Answer] = {"a": found("https://x.test/1"), "b": bare}
    tools, _ = searching(tools=ToolSettings(max_queries=2), answers=answers)
    text = (await tools.call("web_search", {"queries": ["a", "b"]})).text
    assert text.startswith("Left out: 1 answered without searching.\n")


@pytest.mark.req("tools:merge:honest")
def test_one_grounded_part_leaves_unbacked_answers_out_and_counts_them() -> None:
    bare = SearchResult(provider="p", grounding="ungrounded", content="From memory.")
    whole = merged(("a", "b"), [bare, found("https://x.test/1", content="Read.")], 8)
    assert whole.grounding == "searched"
    assert whole.content == "### b\n\nRead."
    assert whole.dropped == {"ungrounded_answer": 1}


@pytest.mark.req("tools:merge:honest")
def test_parts_without_any_search_stay_labelled() -> None:
    bare = SearchResult(provider="p", grounding="ungrounded", content="From memory.")
    whole = merged(("a", "b"), [bare, bare], 8)
    assert whole.grounding == "ungrounded"
    assert whole.content == "### a\n\nFrom memory.\n\n### b\n\nFrom memory."


@pytest.mark.req("tools:merge:sums")
def test_a_cost_that_one_part_does_not_report_makes_the_whole_unknown() -> None:
    told = found("https://x.test/1", usage=Usage(calls=1, cost=0.5, currency="USD"))
    whole = merged(("a", "b"), [told, found("https://x.test/2")], 8)
    assert whole.usage == Usage(calls=1)


@pytest.mark.req("tools:merge:sums")
def test_usage_drops_and_weakest_controls_are_added_up() -> None:
    one = SearchResult(
        provider="p",
        usage=Usage(calls=1, cost=0.5, currency="USD"),
        dropped={"duplicate": 1},
        controls={"country": "native"},
    )
    two = replace(one, usage=Usage(calls=2, cost=0.25, currency="USD"), controls={"country": "unsupported"})
    whole = merged(("a", "b"), [one, two], 8)
    assert whole.usage == Usage(calls=3, cost=0.75, currency="USD")
    assert whole.dropped == {"duplicate": 2}
    assert whole.controls == {"country": "unsupported"}
    assert whole.provider == "p"
