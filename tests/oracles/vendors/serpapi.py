"""SerpApi beside serpapi."""

from collections.abc import Mapping
from typing import Any

from support.explained import ACCEPT, no_url, odd, outcomes, refused, tidied
from support.oracle import SDK_SECONDS, Oracle, Question, Reading, listed
from support.vendor import says
from webseam.core.types import SearchControls, SearchRequest


def _ask(sdk: Any, url: str, key: str | None, arguments: Mapping[str, Any]) -> Any:
    client = sdk.Client(api_key=key, timeout=SDK_SECONDS)
    client.BASE_DOMAIN = url
    with client.session:
        return client.search(dict(arguments))


def _read(answer: Any) -> dict[str, Any]:
    """The SDK hands the JSON on as it is."""
    found = answer.get("organic_results") or ()
    rows = listed(filter(None, found), url="link", title="title", snippet="snippet", published_at="date")
    return {"sources": rows, "usage": {"calls": 1}}


ORACLES = (
    Oracle(
        kind="serpapi",
        sdk="serpapi",
        ask=_ask,
        read=_read,
        sending=(ACCEPT,),
        home=lambda sdk: sdk.Client.BASE_DOMAIN,
        readings=(
            Reading(
                differences=(
                    tidied("sources.0.snippet", "All about kelp", "All about  kelp"),
                    odd("sources.2.published_at", 7),
                    odd("sources.2.title.a", 1),
                    no_url(3),
                )
            ),
            *outcomes("serpapi", "no hits, told in words", "no hits among"),
            Reading(
                name="no-hits",
                reply=says(
                    {
                        "search_metadata": {"status": "Success"},
                        "search_information": {"organic_results_state": "Fully empty"},
                        "error": "Google hasn't returned any results for this query.",
                    }
                ),
            ),
            refused("wrong-key", 401, {"error": "Invalid API key"}, "WEB_PROVIDER_ERROR", "HTTPError"),
            refused("too-fast", 429, {"error": "Too many an hour"}, "WEB_RATE_LIMITED", "HTTPError"),
            refused(
                "spent", 429, {"error": "Your account has run out of searches."}, "WEB_QUOTA_EXHAUSTED", "HTTPError"
            ),
        ),
        questions=(
            Question(
                name="plain",
                request=SearchRequest(query="kelp farming permits", max_results=5),
                arguments={"engine": "google", "q": "kelp farming permits", "num": 5},
            ),
            Question(
                name="every-control",
                request=SearchRequest(
                    query="kelp",
                    controls=SearchControls(
                        published_after="2026-01-02",
                        published_before="2026-03-04",
                        country="SE",
                        language="sv-FI",
                        safe_search="strict",
                    ),
                ),
                arguments={
                    "engine": "google",
                    "q": "kelp",
                    "gl": "se",
                    "hl": "sv",
                    "lr": "lang_sv",
                    "tbs": "cdr:1,cd_min:01/02/2026,cd_max:03/04/2026",
                    "safe": "active",
                },
            ),
            Question(
                name="every-option",
                request=SearchRequest(query="kelp"),
                options={"engine": "google_light", "num_results": 7, "time_range": "week", "location": "Bergen"},
                arguments={"engine": "google_light", "q": "kelp", "num": 7, "tbs": "qdr:w", "location": "Bergen"},
            ),
        ),
    ),
)
