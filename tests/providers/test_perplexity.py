"""Perplexity Sonar: evidence, the fallback to citations, and the answer itself."""

from typing import Any

import pytest

from support.vendor import says, staged
from webseam.core.types import SearchControls, SearchResult

ROW = {"title": "Kelp", "url": "https://kelp.example/", "source": "web"}
ATTACHED = {"title": "notes.pdf", "url": "https://files.example/notes.pdf", "source": "attachment"}


def answer(content: Any = "Kelp grows.", **more: Any) -> dict[str, Any]:
    return {"choices": [{"finish_reason": "stop", "message": {"role": "assistant", "content": content}}], **more}


async def searched(payload: dict[str, Any]) -> SearchResult:
    async with staged("perplexity", says(payload)) as stage:
        return await stage.web.search("kelp")


@pytest.mark.req("search:perplexity:evidence")
@pytest.mark.parametrize(
    "proof",
    [
        {"search_results": [ROW]},
        {"search_results": [], "usage": {"num_search_queries": 2}},
        {"usage": {"num_search_queries": 1}},
        {"search_results": None, "usage": {"num_search_queries": 1}},
    ],
)
async def test_listed_pages_or_a_reported_search_are_evidence(proof: dict[str, Any]) -> None:
    assert (await searched(answer(**proof))).grounding == "searched"


@pytest.mark.req("search:perplexity:evidence")
@pytest.mark.parametrize(
    "claim",
    [
        {},
        {"search_results": []},
        {"search_results": [ATTACHED]},
        {"search_results": ["text", None]},
        {"usage": {"num_search_queries": 0}},
        {"usage": {"num_search_queries": "1"}},
        {"usage": None},
    ],
)
async def test_without_evidence_an_answer_is_labelled(claim: dict[str, Any]) -> None:
    result = await searched(answer("Kelp grows [1].", **claim))

    assert (result.grounding, result.sources, result.content) == ("ungrounded", (), "Kelp grows [1].")


@pytest.mark.req("search:perplexity:evidence")
async def test_citations_alone_prove_nothing_and_are_counted_as_dropped() -> None:
    result = await searched(answer(citations=["https://a.example/", "https://b.example/"]))

    assert (result.grounding, result.sources, result.dropped) == ("ungrounded", (), {"ungrounded": 2})


@pytest.mark.req("search:perplexity:citations")
async def test_citations_stand_in_only_where_the_results_are_absent() -> None:
    cited = {"citations": ["https://a.example/", "", 7, "https://b.example/"], "usage": {"num_search_queries": 1}}

    absent = await searched(answer(**cited))
    empty = await searched(answer(search_results=[], **cited))

    assert [one.url for one in absent.sources] == ["https://a.example/", "https://b.example/"]
    assert all(one.title is None and one.snippet is None for one in absent.sources)
    assert absent.dropped == {"malformed": 2}
    assert empty.sources == ()


@pytest.mark.req("search:perplexity:attachments")
async def test_an_attachment_is_no_source() -> None:
    result = await searched(answer(search_results=[ATTACHED, ROW]))

    assert [one.url for one in result.sources] == ["https://kelp.example/"]
    assert result.dropped == {"attachment": 1}


@pytest.mark.req("search:perplexity:answer")
@pytest.mark.parametrize(
    ("content", "shown"),
    [
        ("Kelp grows.", "Kelp grows."),
        ("<think>hm [1]</think>Kelp grows.", "Kelp grows."),
        ("\n<think>\nhm\n\n</think>\n\nKelp grows.\n", "Kelp grows."),
        ("<think>cut in the middle of a thought", None),
        ("The tag <think>x</think> stands inside.", "The tag <think>x</think> stands inside."),
        ("<thinking> is a word.", "<thinking> is a word."),
        ([{"type": "text", "text": "Kelp "}, {"type": "text", "text": "grows."}, None], "Kelp grows."),
        ("", None),
        ("  ", None),
        (None, None),
        (7, None),
    ],
)
async def test_the_answer_is_what_the_vendor_says_without_its_thinking(content: Any, shown: str | None) -> None:
    assert (await searched(answer(content, search_results=[ROW]))).content == shown


@pytest.mark.req("search:perplexity:answer")
@pytest.mark.parametrize("choices", [[], [None], [{}], [{"message": None}], ["odd"]])
async def test_an_answer_without_text_still_has_its_sources(choices: list[Any]) -> None:
    result = await searched({"choices": choices, "search_results": [ROW]})

    assert (result.content, len(result.sources)) == (None, 1)


@pytest.mark.req("search:perplexity:answer")
async def test_prose_that_is_not_wanted_is_still_passed_on_where_nothing_was_searched() -> None:
    async with staged("perplexity", says(answer()), says(answer(search_results=[ROW])), answer=False) as stage:
        unsearched, found = await stage.web.search("kelp"), await stage.web.search("kelp")

    assert (unsearched.grounding, unsearched.content) == ("ungrounded", "Kelp grows.")
    assert (found.grounding, found.content) == ("searched", None)


@pytest.mark.req("search:perplexity:evidence")
@pytest.mark.parametrize("listed", ["search_results", "citations"])
async def test_a_page_is_listed_without_the_tracking_around_it(listed: str) -> None:
    tracked = "https://kelp.example/?utm_source=openai"
    rows: dict[str, Any] = {"search_results": [{**ROW, "url": tracked}], "citations": [tracked]}
    result = await searched(answer(usage={"num_search_queries": 1}, **{listed: rows[listed]}))

    assert [one.url for one in result.sources] == ["https://kelp.example/"]


@pytest.mark.req("search:perplexity:answer")
@pytest.mark.parametrize(("reason", "cut"), [("length", True), ("stop", False), (None, False)])
async def test_an_answer_that_ran_out_of_tokens_is_marked(reason: str | None, *, cut: bool) -> None:
    payload = {"choices": [{"finish_reason": reason, "message": {"content": "Kelp"}}], "search_results": [ROW]}

    assert (await searched(payload)).truncated is cut


@pytest.mark.req("search:vendor:usage")
@pytest.mark.parametrize("cost", [None, {}, {"total_cost": None}, {"total_cost": "0.1"}, {"total_cost": -1}])
async def test_a_cost_that_was_not_reported_is_unknown_and_not_zero(cost: Any) -> None:
    result = await searched(answer(search_results=[ROW], usage={"cost": cost}))

    assert result.usage is not None
    assert (result.usage.cost, result.usage.currency, result.usage.calls) == (None, None, None)


@pytest.mark.req("search:perplexity:recency")
async def test_dates_of_a_request_replace_the_configured_recency() -> None:
    async with staged("perplexity", says(answer(search_results=[ROW])), search_recency="week") as stage:
        await stage.web.search("kelp", controls=SearchControls(published_after="2026-03-02"))

    sent = stage.server.requests[0].json
    assert "search_recency_filter" not in sent
    assert sent["search_after_date_filter"] == "03/02/2026"
