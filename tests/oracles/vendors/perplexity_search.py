"""Perplexity's Search API beside perplexityai."""

from collections.abc import Mapping
from typing import Any, Final

from support.explained import names_itself, no_object, no_url, odd, usual
from support.oracle import SDK_SECONDS, Oracle, Question, Reading, hinted, listed
from support.vendor import says
from webseam.core.types import SearchControls, SearchRequest

PARAMETERS: Final = "types.search_create_params:SearchCreateParams"


def _ask(sdk: Any, url: str, key: str | None, arguments: Mapping[str, Any]) -> Any:
    with sdk.Perplexity(api_key=key, base_url=url, max_retries=0, timeout=SDK_SECONDS) as client:
        return client.search.create(**arguments)


def _read(answer: Any) -> dict[str, Any]:
    rows = listed(answer.results, url="url", title="title", snippet="snippet", published_at="date")
    return {"sources": rows, "usage": {"calls": 1}}


def _home(sdk: Any) -> str:
    with sdk.Perplexity(api_key="any") as client:
        return str(client.base_url)


ORACLES = (
    Oracle(
        kind="perplexity-search",
        sdk="perplexity",
        ask=_ask,
        read=_read,
        sending=(names_itself("x-source", "perplexity-py"), names_itself("x-title", "Perplexity Python SDK")),
        home=_home,
        choices={
            "context": hinted(PARAMETERS, "search_context_size"),
            "search_mode": hinted(PARAMETERS, "search_mode"),
            "search_recency": hinted(PARAMETERS, "search_recency_filter"),
        },
        readings=(
            Reading(
                differences=(
                    odd("sources.1.snippet", "  "),
                    odd("sources.2.title", ["C"]),
                    odd("sources.2.snippet", 7),
                    odd("sources.2.published_at", 20260302),
                    no_url(3),
                    no_object(4, "no object"),
                )
            ),
            Reading(name="no-hits", reply=says({"id": "s-2", "results": []})),
            *usual({"error": {"message": "Invalid key", "code": 401}}, {"error": {"message": "Too fast", "code": 429}}),
        ),
        questions=(
            Question(
                name="plain",
                request=SearchRequest(query="kelp farming permits", max_results=5),
                arguments={"query": "kelp farming permits", "max_results": 5},
            ),
            Question(
                name="every-control",
                request=SearchRequest(
                    query="kelp",
                    controls=SearchControls(
                        include_domains=("kelp.example", "sea.example"),
                        published_after="2026-01-02",
                        published_before="2026-03-04",
                        country="SE",
                        language="sv-FI",
                    ),
                ),
                arguments={
                    "query": "kelp",
                    "search_domain_filter": ["kelp.example", "sea.example"],
                    "search_after_date_filter": "01/02/2026",
                    "search_before_date_filter": "03/04/2026",
                    "search_language_filter": ["sv"],
                    "country": "SE",
                },
            ),
            Question(
                name="excluded-domains",
                request=SearchRequest(query="kelp", controls=SearchControls(exclude_domains=("spam.example",))),
                arguments={"query": "kelp", "search_domain_filter": ["-spam.example"]},
            ),
            Question(
                name="every-option",
                request=SearchRequest(query="kelp"),
                options={"page_tokens": 300, "search_mode": "academic", "search_recency": "week", "num_results": 7},
                arguments={
                    "query": "kelp",
                    "max_results": 7,
                    "max_tokens_per_page": 300,
                    "search_mode": "academic",
                    "search_recency_filter": "week",
                },
            ),
            Question(
                name="context",
                request=SearchRequest(query="kelp"),
                options={"context": "high"},
                arguments={"query": "kelp", "search_context_size": "high"},
            ),
        ),
    ),
)
