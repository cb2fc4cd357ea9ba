"""Valyu beside valyu."""

from collections.abc import Mapping
from typing import Any, Final

from support.explained import ACCEPT, names_itself, refused
from support.fields import ANY, Difference
from support.oracle import SDK_SECONDS, Oracle, Question, Reading, hinted, listed
from support.vendor import says
from webseam.core.types import SearchControls, SearchRequest

WEB: Final = {"search_type": "web", "response_length": "short"}
ROW: Final = {"source": "web", "price": 0.0015, "length": 9, "description": "A table of harvests"}
KELP: Final = ROW | {"title": "Kelp", "url": "https://kelp.example/k", "publication_date": "2026-03-02"}
FOUND: Final = {
    "success": True,
    "error": "",
    "tx_id": "tx_1",
    "query": "kelp",
    "results": [
        KELP | {"content": "Apply in spring."},
        KELP | {"content": [{"row": 1}], "url": "https://sea.example/n", "publication_date": None},
    ],
    "results_by_source": {"web": 2, "proprietary": 0},
    "total_deduction_dollars": 0.0015,
    "total_characters": 900,
}


def _ask(sdk: Any, url: str, key: str | None, arguments: Mapping[str, Any]) -> Any:
    """The SDK raises nothing; a refusal is an answer with `success` false."""
    client = sdk.Valyu(api_key=key, base_url=f"{url}/v1", timeout=SDK_SECONDS, max_rate_limit_retries=0)
    answer = client.search(**arguments)
    if not answer.success:
        raise LookupError(answer)
    return answer


def _read(answer: Any) -> dict[str, Any]:
    rows = listed(answer.results, url="url", title="title", snippet="content", published_at="publication_date")
    return {"sources": rows, "usage": {"calls": 1, "cost": answer.total_deduction_dollars, "currency": "USD"}}


def _failure(error: Exception) -> dict[str, Any]:
    limit = error.args[0].rate_limit
    return {"kind": error.args[0].tx_id, "retry_after": limit and limit.retry_after}


def _unasked(name: str, theirs: Any) -> Difference:
    return Difference(field=f"body.{name}", theirs=theirs, why="The SDK spells out a default; we leave it to Valyu.")


def _status(number: int) -> Difference:
    return Difference(field="status", ours=number, why="The SDK tells the status in its id only.")


SENDING = (
    ACCEPT,
    names_itself("x-valyu-sdk", "valyu-py"),
    names_itself("x-valyu-sdk-version", ANY),
    _unasked("relevance_threshold", 0.5),
    _unasked("fast_mode", theirs=False),
    _unasked("url_only", theirs=False),
    _unasked("include_abstracts", theirs=False),
)
UNBOUNDED = (_unasked("max_num_results", 10),)
TABLE = "The rows of a table are no text; its description is."
TOO_FAST = {"error": "rate_limited", "message": "Slow down", "retry_after": 2, "plan": "p"}

ORACLES = (
    Oracle(
        kind="valyu",
        sdk="valyu",
        ask=_ask,
        read=_read,
        failure=_failure,
        sending=SENDING,
        reply=says(FOUND),
        home=lambda sdk: sdk.Valyu(api_key="any").base_url,
        choices={
            "response_length": hinted(":Valyu.search", "response_length"),
            "search_type": lambda sdk: sdk.types.response.SearchType,
        },
        values={"country": ("country_code", lambda sdk: sdk.types.SUPPORTED_COUNTRY_CODES)},
        unequal=(
            Difference(field="response_length.max", theirs=True, why="Whole pages are no extracts."),
            Difference(field="country.ALL", theirs=True, why="No country asked says the same."),
        ),
        readings=(
            Reading(
                differences=(
                    Difference(field="sources.1.snippet", ours="A table of harvests", why=TABLE),
                    Difference(field="sources.1.snippet.0.row", theirs=1, why=TABLE),
                )
            ),
            Reading(name="no-hits", reply=says(FOUND | {"results": [], "error": "No results found"})),
            refused("wrong-key", 401, {"error": "Bad key"}, "WEB_PROVIDER_ERROR", "error-401", _status(401)),
            refused("no-credit", 402, {"error": "No credit"}, "WEB_QUOTA_EXHAUSTED", "error-402", _status(402)),
            refused("rate-limit", 429, TOO_FAST, "WEB_RATE_LIMITED", "error-429", _status(429)),
        ),
        questions=(
            Question(
                name="plain",
                request=SearchRequest(query="kelp farming permits", max_results=5),
                arguments=WEB | {"query": "kelp farming permits", "max_num_results": 5},
            ),
            Question(
                name="every-control",
                differences=UNBOUNDED,
                request=SearchRequest(
                    query="kelp",
                    controls=SearchControls(
                        include_domains=("kelp.example", "sea.example"),
                        published_after="2026-01-02",
                        published_before="2026-03-04",
                        country="SE",
                    ),
                ),
                arguments=WEB
                | {
                    "query": "kelp",
                    "included_sources": ["kelp.example", "sea.example"],
                    "start_date": "2026-01-02",
                    "end_date": "2026-03-04",
                    "country_code": "SE",
                },
            ),
            Question(
                name="excluded-domains",
                differences=UNBOUNDED,
                request=SearchRequest(query="kelp", controls=SearchControls(exclude_domains=("spam.example",))),
                arguments=WEB | {"query": "kelp", "excluded_sources": ["spam.example"]},
            ),
            Question(
                name="every-option",
                request=SearchRequest(query="kelp"),
                options={"search_type": "news", "response_length": "large", "max_price": 20, "num_results": 7},
                arguments={
                    "query": "kelp",
                    "search_type": "news",
                    "response_length": "large",
                    "max_price": 20,
                    "max_num_results": 7,
                },
            ),
        ),
    ),
)
