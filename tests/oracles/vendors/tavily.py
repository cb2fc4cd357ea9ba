"""Tavily beside tavily-python, with a key and without."""

from collections.abc import Mapping
from functools import partial
from typing import Any, get_type_hints

from support.explained import ACCEPT, named
from support.fields import ANY, Difference
from support.oracle import SDK_SECONDS, Oracle, Question, Reading
from support.vendor import says
from webseam.core.types import SearchControls, SearchRequest

DEFAULTS = {"search_depth": "basic", "topic": "general", "include_answer": False, "include_usage": True}


def _ask(sdk: Any, url: str, key: str | None, arguments: Mapping[str, Any]) -> Any:
    with sdk.TavilyClient(api_key=key, api_base_url=url) as client:
        return client.search(timeout=SDK_SECONDS, **arguments)


def _read(answer: Any) -> dict[str, Any]:
    rows = [
        {"url": one.get("url"), "title": one.get("title"), "snippet": one.get("content")}
        | {"published_at": one.get("published_date")}
        for one in answer["results"]
    ]
    return {"content": answer.get("answer"), "sources": rows, "usage": {"cost": answer["usage"]["credits"]}}


def _failure(error: Any) -> dict[str, Any]:
    return {"kind": type(error).__name__, "retry_after": getattr(error, "retry_after_seconds", None)}


def _values(name: str, sdk: Any) -> Any:
    return get_type_hints(sdk.TavilyClient.search)[name]


def _home(sdk: Any) -> str:
    with sdk.TavilyClient(api_key="any") as client:
        return str(client.base_url)


def _status(number: int) -> Difference:
    return Difference(field="status", ours=number, why="The SDK tells the status by the class of its exception only.")


SOURCE = "header.x-client-source"
NAMES_ITSELF = "The SDK names itself here; we do so in the user agent."
USAGE = (
    Difference(field="usage.calls", ours=1, why="One request is one call, also where the vendor counts in credits."),
    Difference(
        field="usage.currency", ours="credits", why="The unit of Tavily's number, which the reply leaves unsaid."
    ),
)
SPENT = {"usage": {"credits": 1}}
READINGS = (
    Reading(
        differences=(
            *USAGE,
            Difference(field="sources.1.title", theirs=7, why="A title that is no text is no title."),
            Difference(field="sources.2.title", theirs=ANY, why="A row without a URL is dropped and counted."),
        )
    ),
    Reading(name="no-hits", reply=says({"query": "kelp", "results": []} | SPENT), differences=USAGE),
    Reading(
        name="answer",
        options={"answer": True},
        reply=says(
            {"answer": "Kelp needs a permit.", "results": [{"url": "https://kelp.example/", "title": "K"}]} | SPENT
        ),
        differences=USAGE,
    ),
    Reading(
        name="wrong-key",
        fails=True,
        reply=says({"detail": {"error": "Unauthorized"}}, 401),
        differences=(_status(401), named("WEB_PROVIDER_ERROR", "InvalidAPIKeyError")),
    ),
    Reading(
        name="plan-limit",
        fails=True,
        reply=says({"detail": {"error": "This exceeds your plan"}}, 432),
        differences=(_status(432), named("WEB_QUOTA_EXHAUSTED", "ForbiddenError")),
    ),
    Reading(
        name="rate-limit",
        fails=True,
        reply=says({"detail": {"error": "Too fast"}}, 429),
        differences=(_status(429), named("WEB_RATE_LIMITED", "UsageLimitExceededError")),
    ),
    Reading(
        name="keyless-limit",
        fails=True,
        key=None,
        reply=says(
            {"error": {"code": "keyless_limit", "message": "Slow down", "window": "hour", "retry_after_seconds": 40}},
            432,
        ),
        differences=(_status(432), named("WEB_RATE_LIMITED", "TavilyKeylessLimitError")),
    ),
)

ORACLES = (
    Oracle(
        kind="tavily",
        sdk="tavily",
        ask=_ask,
        read=_read,
        failure=_failure,
        readings=READINGS,
        sending=(ACCEPT,),
        home=_home,
        choices={name: partial(_values, name) for name in ("search_depth", "topic")},
        questions=(
            Question(
                name="plain",
                differences=(Difference(field=SOURCE, theirs="tavily-python", why=NAMES_ITSELF),),
                request=SearchRequest(query="kelp farming permits", max_results=5),
                arguments=DEFAULTS | {"query": "kelp farming permits", "max_results": 5},
            ),
            Question(
                name="keyless",
                key=None,
                differences=(Difference(field=SOURCE, theirs="tavily-python-keyless", why=NAMES_ITSELF),),
                request=SearchRequest(query="kelp", max_results=5),
                arguments=DEFAULTS | {"query": "kelp", "max_results": 5},
            ),
            Question(
                name="every-control",
                differences=(Difference(field=SOURCE, theirs="tavily-python", why=NAMES_ITSELF),),
                request=SearchRequest(
                    query="kelp",
                    controls=SearchControls(
                        include_domains=("kelp.example", "sea.example"),
                        exclude_domains=("spam.example",),
                        published_after="2026-01-02",
                        published_before="2026-03-04",
                        country="SE",
                    ),
                ),
                arguments=DEFAULTS
                | {
                    "query": "kelp",
                    "include_domains": ["kelp.example", "sea.example"],
                    "exclude_domains": ["spam.example"],
                    "start_date": "2026-01-02",
                    "end_date": "2026-03-04",
                    "country": "sweden",
                },
            ),
            Question(
                name="every-option",
                differences=(Difference(field=SOURCE, theirs="tavily-python", why=NAMES_ITSELF),),
                request=SearchRequest(query="kelp"),
                options={"answer": True, "search_depth": "advanced", "topic": "news", "num_results": 7},
                arguments=DEFAULTS
                | {
                    "query": "kelp",
                    "search_depth": "advanced",
                    "topic": "news",
                    "include_answer": True,
                    "max_results": 7,
                },
            ),
        ),
    ),
)
