"""Linkup beside linkup-sdk."""

from collections.abc import Mapping
from re import search
from typing import Any, Final

from support.explained import ACCEPT, refused, tidied
from support.oracle import SDK_SECONDS, Oracle, Question, Reading, hinted
from support.vendor import says
from webseam.core.types import SearchControls, SearchRequest

HITS: Final = {"depth": "standard", "output_type": "searchResults"}
KELP: Final = {"name": "Kelp & co", "url": "https://kelp.example/p", "favicon": ""}
FOUND: Final = {
    "results": [
        KELP | {"type": "text", "content": "A permit takes\n\nsix weeks &amp; a form."},
        {"type": "image", "name": "A leaf", "url": "https://kelp.example/leaf.jpg"},
        KELP | {"type": "text", "url": "https://sea.example/", "content": ""},
    ]
}

ANSWERED: Final = {"query": "kelp", "depth": "standard", "output_type": "sourcedAnswer"}
ANSWER: Final = {"answer": "Kelp needs a permit.", "sources": [KELP | {"snippet": "six weeks"}]}


def _ask(sdk: Any, url: str, key: str | None, arguments: Mapping[str, Any]) -> Any:
    return sdk.LinkupClient(api_key=key, base_url=f"{url}/v1").search(timeout=SDK_SECONDS, **arguments)


def _read(answer: Any) -> dict[str, Any]:
    rows: list[Any] = getattr(answer, "results", None) or getattr(answer, "sources", [])
    found = [
        {"url": one.url, "title": one.name, "snippet": getattr(one, "content", getattr(one, "snippet", None))}
        for one in rows
        if getattr(one, "type", "text") == "text"
    ]
    return {"content": getattr(answer, "answer", None), "sources": found, "usage": {"calls": 1}}


def _failure(error: Exception) -> dict[str, Any]:
    """The SDK tells the status in its text only."""
    told = search(r"\((\d{3})\)", str(error))
    return {"kind": type(error).__name__, "status": told and int(told[1])}


def _error(code: str) -> dict[str, Any]:
    return {"error": {"code": code, "message": "Told"}}


ORACLES = (
    Oracle(
        kind="linkup",
        sdk="linkup",
        ask=_ask,
        read=_read,
        failure=_failure,
        sending=(ACCEPT,),
        reply=says(FOUND),
        home=lambda sdk: sdk.LinkupClient(api_key="any")._base_url,
        choices={"depth": hinted(":LinkupClient.search", "depth")},
        readings=(
            Reading(
                differences=(
                    tidied(
                        "sources.0.snippet",
                        "A permit takes six weeks & a form.",
                        "A permit takes\n\nsix weeks &amp; a form.",
                    ),
                )
            ),
            Reading(name="answer", options={"answer": True}, reply=says(ANSWER), asked=ANSWERED),
            Reading(name="no-hits", reply=says({"results": []})),
            refused("wrong-key", 401, _error("UNAUTHORIZED"), "WEB_PROVIDER_ERROR", "LinkupAuthenticationError"),
            refused("ip", 403, _error("IP_NOT_WHITELISTED"), "WEB_PROVIDER_ERROR", "LinkupIpNotWhitelistedError"),
            refused("no-money", 402, _error("PAYMENT"), "WEB_QUOTA_EXHAUSTED", "LinkupPaymentRequiredError"),
            refused("bad-request", 400, _error("VALIDATION_ERROR"), "WEB_PROVIDER_ERROR", "LinkupInvalidRequestError"),
            refused("rate", 429, _error("TOO_MANY_REQUESTS"), "WEB_RATE_LIMITED", "LinkupTooManyRequestsError"),
            refused(
                "queue",
                429,
                _error("TASKS_QUEUE_LIMIT_EXCEEDED"),
                "WEB_RATE_LIMITED",
                "LinkupTasksQueueLimitExceededError",
            ),
            refused(
                "no-credit",
                429,
                _error("INSUFFICIENT_FUNDS_CREDITS"),
                "WEB_QUOTA_EXHAUSTED",
                "LinkupInsufficientCreditError",
            ),
            refused(
                "budget", 429, _error("EXCEED_BUDGET_LIMIT"), "WEB_QUOTA_EXHAUSTED", "LinkupBudgetLimitExceededError"
            ),
            refused(
                "deadline",
                504,
                _error("REQUEST_DEADLINE_EXCEEDED"),
                "WEB_PROVIDER_ERROR",
                "LinkupRequestDeadlineExceededError",
            ),
        ),
        questions=(
            Question(
                name="plain",
                request=SearchRequest(query="kelp farming permits", max_results=5),
                arguments=HITS | {"query": "kelp farming permits", "max_results": 5},
            ),
            Question(
                name="every-control",
                request=SearchRequest(
                    query="kelp",
                    controls=SearchControls(
                        include_domains=("kelp.example", "sea.example"),
                        exclude_domains=("spam.example",),
                        published_after="2026-01-02",
                        published_before="2026-03-04",
                    ),
                ),
                arguments=HITS
                | {
                    "query": "kelp",
                    "include_domains": ["kelp.example", "sea.example"],
                    "exclude_domains": ["spam.example"],
                    "from_date": "2026-01-02",
                    "to_date": "2026-03-04",
                },
            ),
            Question(
                name="every-option",
                request=SearchRequest(query="kelp"),
                options={"depth": "deep", "num_results": 7},
                arguments={"query": "kelp", "depth": "deep", "output_type": "searchResults", "max_results": 7},
            ),
        ),
    ),
)
