"""DeepSeek over the Messages wire: what counts as evidence, and what becomes of the model's prose."""

from typing import Any

import pytest

from support.vendor import good, says, staged
from webseam.core.errors import Code, WebError
from webseam.core.settings import SeamSettings
from webseam.core.types import SearchResult
from webseam.core.web import Web
from webseam.testing import Reply

HIT = {"type": "web_search_result", "url": "https://kelp.example/", "title": "Kelp"}
PROSE = {"type": "text", "text": "Kelp grows, see https://invented.example/."}
STARTED = {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "kelp"}}


def found(*items: Any) -> dict[str, Any]:
    return {"type": "web_search_tool_result", "tool_use_id": "s1", "content": list(items)}


def failed(code: Any) -> dict[str, Any]:
    error = {"type": "web_search_tool_result_error", "error_code": code}
    return {"type": "web_search_tool_result", "tool_use_id": "s1", "content": error}


def message(*blocks: Any, **more: Any) -> Reply:
    return says({"type": "message", "role": "assistant", "content": list(blocks), **more})


async def searched(*blocks: Any, options: dict[str, Any] | None = None, **more: Any) -> SearchResult:
    async with staged("deepseek-official", message(*blocks, **more), **(options or {})) as stage:
        return await stage.web.search("kelp")


COUNTED = {"usage": {"server_tool_use": {"web_search_requests": 1}}}


@pytest.mark.req("search:deepseek:evidence")
@pytest.mark.parametrize(
    ("blocks", "more"),
    [
        ([STARTED, found(HIT)], {}),
        ([STARTED, found()], {}),
        ([STARTED, found(None)], {}),
        ([STARTED, failed("unavailable"), found(HIT)], {}),
        ([PROSE], COUNTED),
    ],
    ids=["a list", "an empty list", "a list of nothing", "one of two failed", "a reported count"],
)
async def test_a_result_list_or_a_reported_count_is_evidence(blocks: list[Any], more: dict[str, Any]) -> None:
    assert (await searched(*blocks, **more)).grounding == "searched"


@pytest.mark.req("search:deepseek:evidence")
@pytest.mark.parametrize(
    ("blocks", "more"),
    [
        ([PROSE], {}),
        ([STARTED, PROSE], {}),
        ([STARTED], {}),
        ([], {}),
        ([PROSE], {"usage": {"server_tool_use": {"web_search_requests": 0}}}),
        ([PROSE], {"usage": {"server_tool_use": {"web_search_requests": "1"}}}),
        ([PROSE], {"usage": {"server_tool_use": {"web_search_requests": True}}}),
        ([{"type": "web_search_tool_result"}, PROSE], {}),
        ([{"type": "text", "text": "x", "citations": [{"url": "https://a.example/", "cited_text": "x"}]}], {}),
    ],
)
async def test_prose_with_urls_or_a_search_that_only_started_is_labelled_ungrounded(
    blocks: list[Any], more: dict[str, Any]
) -> None:
    result = await searched(*blocks, **more)

    assert (result.grounding, result.sources) == ("ungrounded", ())
    assert result.attempts[-1].outcome == "ungrounded"


@pytest.mark.req("search:deepseek:prose")
async def test_prose_is_passed_on_when_it_is_all_there_is() -> None:
    result = await searched({"type": "text", "text": "Kelp "}, {"type": "text", "text": "grows."})

    assert result.content == "Kelp grows."


@pytest.mark.req("search:deepseek:prose")
async def test_prose_of_a_searched_answer_is_passed_on_only_when_asked_for() -> None:
    blocks = [{"type": "text", "text": "Let me look."}, STARTED, found(HIT), PROSE]

    plain = await searched(*blocks)
    asked = await searched(*blocks, options={"answer": True})

    assert plain.content is None
    assert asked.content == PROSE["text"]
    assert [one.url for one in asked.sources] == ["https://kelp.example/"], "never a URL of the prose"


FAILURES = {
    "too_many_requests": Code.RATE_LIMITED,
    "unavailable": Code.UPSTREAM_FAILED,
    "max_uses_exceeded": Code.PROVIDER_ERROR,
    "query_too_long": Code.PROVIDER_ERROR,
    "a_new_code": Code.PROVIDER_ERROR,
}


@pytest.mark.req("search:deepseek:failed-search")
@pytest.mark.parametrize("told", FAILURES)
async def test_when_every_search_failed_the_call_failed(told: str) -> None:
    with pytest.raises(WebError) as caught:
        await searched(STARTED, failed(told), PROSE)

    assert (caught.value.code, caught.value.dispatched) == (FAILURES[told], True)
    assert told in caught.value.message


@pytest.mark.req("search:deepseek:failed-search")
async def test_a_failed_search_without_a_reason_is_still_an_error() -> None:
    with pytest.raises(WebError) as caught:
        await searched(failed(None), **COUNTED)

    assert caught.value.code == Code.PROVIDER_ERROR


@pytest.mark.req("search:deepseek:snippets")
async def test_a_snippet_is_the_first_quotation_of_that_url_unescaped() -> None:
    cited = [
        {"url": "https://kelp.example/", "cited_text": "  "},
        {"url": "https://kelp.example/", "cited_text": "It&#x27;s &lt;wet&gt; &amp; cold"},
        {"url": "https://kelp.example/", "cited_text": "later"},
        {"url": "https://uncited.example/", "cited_text": "of a page that is no result"},
        "odd",
        {"cited_text": "without a URL"},
    ]
    result = await searched(found(HIT), {"type": "text", "text": "t", "citations": cited}, {"type": "text"})

    assert [(one.url, one.snippet) for one in result.sources] == [("https://kelp.example/", "It's <wet> & cold")]


@pytest.mark.req("search:deepseek:cut")
@pytest.mark.parametrize(("reason", "cut"), [("max_tokens", True), ("pause_turn", True), ("end_turn", False)])
async def test_an_answer_that_the_vendor_cut_is_marked(reason: str, *, cut: bool) -> None:
    assert (await searched(found(HIT), stop_reason=reason)).truncated is cut


@pytest.mark.req("search:deepseek:evidence")
async def test_in_error_mode_an_answer_without_a_search_is_refused_by_the_seam() -> None:
    async with staged("deepseek-official", message(PROSE), settings=SeamSettings(ungrounded="error")) as stage:
        with pytest.raises(WebError) as caught:
            await stage.web.search("kelp")

    assert (caught.value.code, caught.value.dispatched) == (Code.SEARCH_UNGROUNDED, True)


@pytest.mark.req("search:deepseek:evidence")
async def test_a_route_moves_on_from_an_ungrounded_answer_to_a_vendor_that_searches() -> None:
    async with staged("deepseek-official", message(PROSE)) as first, staged("exa", good("exa")) as second:
        web = Web(search=["deepseek-official", "exa"])
        web.register_search(first.provider)
        web.register_search(second.provider)
        result = await web.search("kelp")

    assert (result.provider, result.grounding) == ("exa", "searched")
    assert [(one.provider, one.outcome) for one in result.attempts] == [
        ("deepseek-official", "ungrounded"),
        ("exa", "ok"),
    ]
