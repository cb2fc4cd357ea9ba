"""Exa beside exa-py."""

from collections.abc import Mapping
from typing import Any, Final

from support.explained import ACCEPT, named
from support.fields import ANY, Difference
from support.oracle import SDK_SECONDS, Oracle, Question, Reading
from support.vendor import KEY, says
from webseam.core.types import SearchControls, SearchRequest

HIGHLIGHTS: Final = {"type": "auto", "contents": {"highlights": True}}


def _ask(sdk: Any, url: str, key: str | None, arguments: Mapping[str, Any]) -> Any:
    return sdk.Exa(api_key=key, base_url=url, timeout=SDK_SECONDS).search(**arguments)


def _read(answer: Any) -> dict[str, Any]:
    rows = [
        {"url": one.url, "title": one.title, "snippet": one.highlights, "published_at": one.published_date}
        for one in answer.results
    ]
    cost = answer.cost_dollars
    return {"sources": rows, "usage": {"calls": 1} | ({"cost": cost.total, "currency": "USD"} if cost else {})}


def _failure(error: Any) -> dict[str, Any]:
    """The SDK raises a bare ValueError and tells the status in its text."""
    return {"kind": type(error).__name__, "status": int(str(error).split("status code ")[1][:3])}


SENDING = (
    ACCEPT,
    Difference(
        field="header.authorization",
        ours=f"Bearer {KEY}",
        why="Exa's OpenAPI description names both ways.",
    ),
    Difference(field="header.x-api-key", theirs=KEY, why="The other of the two ways to send the key."),
)
EXCERPTS = ["Kelp lines are set in spring.", "  ", "A permit takes six weeks."]
READINGS = (
    Reading(
        differences=(
            Difference(
                field="sources.0.snippet",
                ours="Kelp lines are set in spring. \u2026 A permit takes six weeks.",
                theirs=EXCERPTS,
                why="Excerpts are joined with an ellipsis, blank ones left out.",
            ),
            Difference(field="sources.3.title", theirs=ANY, why="A row without a URL is dropped and counted."),
        )
    ),
    Reading(name="no-hits", reply=says({"requestId": "r-1", "results": []})),
    Reading(
        name="wrong-key",
        fails=True,
        reply=says({"requestId": "r-2", "error": "Invalid API key", "tag": "INVALID_API_KEY"}, 401),
        differences=(named("WEB_PROVIDER_ERROR", "ValueError"),),
    ),
    Reading(
        name="no-credits",
        fails=True,
        reply=says({"requestId": "r-3", "error": "No credits", "tag": "NO_MORE_CREDITS"}, 402),
        differences=(named("WEB_QUOTA_EXHAUSTED", "ValueError"),),
    ),
)

ORACLES = (
    Oracle(
        kind="exa",
        sdk="exa_py",
        ask=_ask,
        read=_read,
        failure=_failure,
        sending=SENDING,
        readings=READINGS,
        home=lambda sdk: sdk.Exa(api_key="any").base_url,
        choices={"search_type": lambda sdk: sdk.api.SearchType},
        unequal=(
            Difference(
                field="search_type.lite", theirs=True, why="A beta that refuses some parameters; the SDK names no list."
            ),
        ),
        warns=(r"\[exa\] POST /search IGNORED_FIELD at /startCrawlDate",),  # the fixture's own warning
        questions=(
            Question(
                name="plain",
                request=SearchRequest(query="kelp farming permits", max_results=5),
                arguments=HIGHLIGHTS | {"query": "kelp farming permits", "num_results": 5},
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
                        safe_search="strict",
                    ),
                ),
                arguments=HIGHLIGHTS
                | {
                    "query": "kelp",
                    "include_domains": ["kelp.example", "sea.example"],
                    "start_published_date": "2026-01-02",
                    "end_published_date": "2026-03-04",
                    "user_location": "SE",
                    "moderation": True,
                },
            ),
            Question(
                name="excluded-domains",
                request=SearchRequest(query="kelp", controls=SearchControls(exclude_domains=("kelp.example",))),
                arguments=HIGHLIGHTS | {"query": "kelp", "exclude_domains": ["kelp.example"]},
            ),
            Question(
                name="bounded-highlights",
                request=SearchRequest(query="kelp"),
                options={"highlight_chars": 300, "num_results": 7, "search_type": "fast"},
                arguments={
                    "query": "kelp",
                    "num_results": 7,
                    "type": "fast",
                    "contents": {"highlights": {"max_characters": 300}},
                },
            ),
        ),
    ),
)
