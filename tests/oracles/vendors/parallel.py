"""Parallel beside parallel-web."""

from collections.abc import Mapping
from typing import Any

from support.explained import no_url, odd, tidied, usual
from support.oracle import SDK_SECONDS, Oracle, Question, Reading, hinted, listed
from support.vendor import says
from webseam.core.types import SearchControls, SearchRequest


def _ask(sdk: Any, url: str, key: str | None, arguments: Mapping[str, Any]) -> Any:
    with sdk.Parallel(api_key=key, base_url=url, max_retries=0, timeout=SDK_SECONDS) as client:
        return client.search(**arguments)


def _read(answer: Any) -> dict[str, Any]:
    rows = listed(answer.results, url="url", title="title", snippet="excerpts", published_at="publish_date")
    return {"sources": rows, "usage": {"calls": 1}}


def _home(sdk: Any) -> str:
    with sdk.Parallel(api_key="any") as client:
        return str(client.base_url)


def _question(query: str, **settings: Any) -> dict[str, Any]:
    return {"search_queries": [query], "mode": "advanced", "advanced_settings": settings}


ORACLES = (
    Oracle(
        kind="parallel",
        sdk="parallel",
        ask=_ask,
        read=_read,
        home=_home,
        choices={"mode": hinted("types.client_search_params:ClientSearchParams", "mode")},
        readings=(
            Reading(
                differences=(
                    tidied(
                        "sources.0.snippet",
                        "## Permits A permit takes *six* weeks. \u2026 It is free.",
                        ["## Permits\n\nA permit takes *six* weeks.", " ", 7, "It is free."],
                    ),
                    tidied("sources.0.title", "Permits & kelp", "Permits &amp; kelp"),
                    odd("sources.2.title", ["odd"]),
                    odd("sources.2.snippet", "odd"),
                    odd("sources.2.published_at", 20260302),
                    no_url(3),
                )
            ),
            Reading(name="no-hits", reply=says({"search_id": "s", "session_id": "s", "results": []})),
            *usual({"type": "error", "error": {"message": "Bad key"}}, {"error": {"message": "Too fast"}}),
        ),
        questions=(
            Question(
                name="plain",
                request=SearchRequest(query="kelp farming permits", max_results=5),
                arguments=_question("kelp farming permits", max_results=5),
            ),
            Question(
                name="every-control",
                request=SearchRequest(
                    query="kelp",
                    controls=SearchControls(
                        include_domains=("kelp.example", "sea.example"), published_after="2026-01-02", country="SE"
                    ),
                ),
                arguments=_question(
                    "kelp",
                    location="SE",
                    source_policy={"include_domains": ["kelp.example", "sea.example"], "after_date": "2026-01-02"},
                ),
            ),
            Question(
                name="excluded-domains",
                request=SearchRequest(query="kelp", controls=SearchControls(exclude_domains=("spam.example",))),
                arguments=_question("kelp", source_policy={"exclude_domains": ["spam.example"]}),
            ),
            Question(
                name="every-option",
                request=SearchRequest(query="kelp"),
                options={"mode": "fast", "num_results": 7, "excerpt_chars": 300},
                arguments=_question("kelp", max_results=7, excerpt_settings={"max_chars_per_result": 300})
                | {"mode": "fast"},
            ),
        ),
    ),
)
