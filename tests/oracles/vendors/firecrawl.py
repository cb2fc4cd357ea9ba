"""Firecrawl beside firecrawl-py."""

from collections.abc import Mapping
from typing import Any, Final

from support.explained import ACCEPT, refused, tidied
from support.fields import ANY, Difference
from support.oracle import SDK_SECONDS, Oracle, Question, Reading, listed
from support.vendor import says
from webseam.core.types import SearchControls, SearchRequest

KELP: Final = {
    "url": "https://kelp.example/p",
    "title": "Permits &amp; kelp",
    "description": "Six weeks.",
    "position": 1,
}
NEWS: Final = {"url": "https://kelp.example/n", "title": "Kelp", "snippet": "In spring.", "date": "3 days ago"}


def _ask(sdk: Any, url: str, key: str | None, arguments: Mapping[str, Any]) -> Any:
    return sdk.v2.FirecrawlClient(api_key=key, api_url=url, timeout=SDK_SECONDS, max_retries=0).search(**arguments)


def _read(answer: Any) -> dict[str, Any]:
    web = listed(answer.web or (), url="url", title="title", snippet="description")
    news = listed(answer.news or (), url="url", title="title", snippet="snippet", published_at="date")
    return {"sources": web + news, "usage": {"calls": 1}}


def _found(**data: Any) -> Any:
    return says({"success": True, "id": "j", "creditsUsed": 2, "data": data})


LEFT_OUT = "The SDK leaves the credits out of what it hands on."
CREDITS = (
    Difference(field="usage.cost", ours=2.0, why=LEFT_OUT),
    Difference(field="usage.currency", ours="credits", why=LEFT_OUT),
)

ORACLES = (
    Oracle(
        kind="firecrawl",
        sdk="firecrawl",
        ask=_ask,
        read=_read,
        sending=(
            ACCEPT,
            Difference(field="body.origin", theirs=ANY, why="The SDK names itself and its version here."),
        ),
        reply=_found(web=[KELP, {"url": "https://sea.example/n"}]),
        home=lambda sdk: sdk.v2.FirecrawlClient(api_key="any").http_client.api_url,
        readings=(
            Reading(differences=(tidied("sources.0.title", "Permits & kelp", "Permits &amp; kelp"), *CREDITS)),
            Reading(name="news", options={"source": "news"}, reply=_found(news=[NEWS]), differences=CREDITS),
            Reading(name="no-hits", reply=_found(web=[]), differences=CREDITS),
            refused("wrong-key", 401, {"success": False, "error": "Bad"}, "WEB_PROVIDER_ERROR", "UnauthorizedError"),
            refused("no-credit", 402, {"success": False, "error": "No"}, "WEB_QUOTA_EXHAUSTED", "PaymentRequiredError"),
            refused("rate-limit", 429, {"success": False, "error": "Fast"}, "WEB_RATE_LIMITED", "RateLimitError"),
        ),
        questions=(
            Question(
                name="plain",
                request=SearchRequest(query="kelp farming permits", max_results=5),
                arguments={"query": "kelp farming permits", "limit": 5, "sources": ["web"]},
            ),
            Question(
                name="every-control",
                differences=(Difference(field="body.safe", ours=True, why="The SDK has no argument for it."),),
                request=SearchRequest(
                    query="kelp",
                    max_results=5,
                    controls=SearchControls(
                        include_domains=("kelp.example", "sea.example"),
                        published_after="2026-01-02",
                        published_before="2026-03-04",
                        country="SE",
                        safe_search="strict",
                    ),
                ),
                arguments={
                    "query": "kelp",
                    "limit": 5,
                    "sources": ["web"],
                    "include_domains": ["kelp.example", "sea.example"],
                    "tbs": "cdr:1,cd_min:01/02/2026,cd_max:03/04/2026",
                    "country": "SE",
                },
            ),
            Question(
                name="excluded-domains",
                request=SearchRequest(
                    query="kelp", max_results=5, controls=SearchControls(exclude_domains=("spam.example",))
                ),
                arguments={"query": "kelp", "limit": 5, "sources": ["web"], "exclude_domains": ["spam.example"]},
            ),
            Question(
                name="every-option",
                request=SearchRequest(query="kelp"),
                options={"source": "news", "num_results": 7},
                arguments={"query": "kelp", "limit": 7, "sources": ["news"]},
            ),
        ),
    ),
)
