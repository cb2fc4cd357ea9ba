"""Zhipu beside zai-sdk."""

from collections.abc import Mapping
from typing import Any, Final

from support.explained import names_itself, no_url, outcomes, refused
from support.fields import ANY, Difference
from support.oracle import SDK_SECONDS, Oracle, Question, Reading, listed
from support.vendor import says
from webseam.core.types import SearchControls, SearchRequest

DEFAULTS: Final = {"search_engine": "search_std", "search_intent": False, "content_size": "medium"}


def _ask(sdk: Any, url: str, key: str | None, arguments: Mapping[str, Any]) -> Any:
    with sdk.ZhipuAiClient(api_key=key, base_url=f"{url}/api/paas/v4", max_retries=0, timeout=SDK_SECONDS) as client:
        return client.web_search.web_search(**arguments)


def _read(answer: Any) -> dict[str, Any]:
    """Typed as one object; a list goes through as it is."""
    rows = listed(answer.search_result, url="link", title="title", snippet="content", published_at="publish_date")
    return {"sources": rows, "usage": {"calls": 1}}


def _home(sdk: Any) -> str:
    with sdk.ZhipuAiClient(api_key="any") as client:
        return str(client.base_url)


def _error(code: str) -> dict[str, Any]:
    return {"error": {"code": code, "message": "Told"}}


ORACLES = (
    Oracle(
        kind="zhipu",
        sdk="zai",
        ask=_ask,
        read=_read,
        home=_home,
        sending=(
            names_itself("source_type", "z-ai-sdk-python"),
            names_itself("x-request-sdk", "z-ai-sdk-python"),
            names_itself("x-source-channel", "python-sdk"),
            names_itself("zai-sdk-ver", ANY),
            Difference(
                field="header.content-type",
                ours="application/json",
                theirs="application/json; charset=UTF-8",
                why="JSON is UTF-8 and has no parameter for it (RFC 8259).",
            ),
        ),
        refusing=(
            Difference(
                field="too many at once.status",
                ours=429,
                theirs=400,
                why="Zhipu tells the limit on calls at once as a bad request; ours is the status that it means.",
            ),
        ),
        readings=(
            Reading(differences=(no_url(2),)),
            *outcomes("zhipu", "an intent that searched nothing"),
            Reading(name="no-hits", reply=says({"id": "x", "search_intent": None, "search_result": []})),
            refused("wrong-key", 401, _error("1000"), "WEB_PROVIDER_ERROR", "APIAuthenticationError"),
            refused("rate-limit", 429, _error("1302"), "WEB_RATE_LIMITED", "APIReachLimitError"),
        ),
        questions=(
            Question(
                name="plain",
                request=SearchRequest(query="kelp farming permits", max_results=5),
                arguments=DEFAULTS | {"search_query": "kelp farming permits", "count": 5},
            ),
            Question(
                name="one-domain",
                request=SearchRequest(query="kelp", controls=SearchControls(include_domains=("kelp.example",))),
                arguments=DEFAULTS | {"search_query": "kelp", "search_domain_filter": "kelp.example"},
            ),
            Question(
                name="every-option",
                request=SearchRequest(query="kelp"),
                options={"engine": "search-prime", "content_size": "high", "num_results": 7},
                arguments=DEFAULTS
                | {"search_query": "kelp", "search_engine": "search-prime", "content_size": "high", "count": 7},
            ),
        ),
    ),
)
