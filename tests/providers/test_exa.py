"""Exa: snippets, notices, cost, and answers without results."""

from typing import Any

import pytest

from support.vendor import says, staged
from webseam.core.types import SearchResult


async def searched(payload: Any, **options: Any) -> SearchResult:
    async with staged("exa", says(payload), **options) as stage:
        return await stage.web.search("kelp")


@pytest.mark.req("search:exa:highlights")
@pytest.mark.parametrize(
    ("row", "snippet"),
    [
        ({"highlights": ["one", "two"]}, "one \u2026 two"),
        ({"highlights": ["", "  ", None, 7, "two"]}, "two"),
        ({"highlights": []}, None),
        ({"highlights": None}, None),
        ({"highlights": "text"}, None),
        ({}, None),
        ({"highlights": [], "text": "the page"}, "the page"),
    ],
)
async def test_a_snippet_is_the_highlights_joined_and_a_hit_without_one_is_kept(
    row: dict[str, Any], snippet: str | None
) -> None:
    result = await searched({"results": [{"url": "https://kelp.example/", **row}]})

    assert [(one.url, one.snippet) for one in result.sources] == [("https://kelp.example/", snippet)]


@pytest.mark.req("search:exa:no-results")
@pytest.mark.parametrize("payload", [{}, {"requestId": "r"}, {"requestId": "r", "results": None}, {"results": []}])
async def test_an_answer_without_results_is_a_search_without_hits(payload: Any) -> None:
    result = await searched(payload)

    assert (result.grounding, result.sources) == ("searched", ())


@pytest.mark.req("search:exa:notices")
@pytest.mark.parametrize(
    ("notices", "told"),
    [
        ([{"code": "RESTRICTIONS_RELAXED", "message": "no page\nmatched"}], ("RESTRICTIONS_RELAXED no page matched",)),
        ([{"message": "only words"}, {"code": "ONLY_CODE"}], ("only words", "ONLY_CODE")),
        ([{}, None, 7, {"code": 3}], ()),
        ({}, ()),
        (None, ()),
    ],
)
async def test_a_relaxed_query_is_told_as_a_notice(notices: Any, told: tuple[str, ...]) -> None:
    result = await searched({"results": [], "notices": notices, "warnings": [{"message": "for developers"}]})

    assert result.notices == told


@pytest.mark.req("search:vendor:usage")
@pytest.mark.parametrize(
    ("reported", "cost", "currency"),
    [
        ({"total": 0.007}, 0.007, "USD"),
        ({"total": 0}, 0.0, "USD"),
        ({}, None, None),
        ({"total": "0.007"}, None, None),
        (None, None, None),
        ({"total": -1}, None, None),
        ({"total": True}, None, None),
        ({"total": 10**400}, None, None),
    ],
)
async def test_the_cost_is_what_the_vendor_reports_and_otherwise_unknown(
    reported: Any, cost: float | None, currency: str | None
) -> None:
    result = await searched({"results": [], "costDollars": reported})

    assert result.usage is not None
    assert (result.usage.calls, result.usage.cost, result.usage.currency) == (1, cost, currency)


@pytest.mark.req("search:vendor:guarantees")
async def test_urls_that_are_no_web_pages_and_repeats_are_dropped_and_counted() -> None:
    urls = ("https://a.example/", "javascript:alert(1)", "ftp://a.example/", "https://a.example/", "relative")

    result = await searched({"results": [{"url": url} for url in urls]})

    assert [one.url for one in result.sources] == ["https://a.example/"]
    assert result.dropped == {"invalid_url": 3, "duplicate": 1}
