"""OpenRouter beside openrouter, and beside openai, which has types for the citations."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from support.explained import broken, refused, tidied, usual
from support.fields import ANY, Difference
from support.oracle import SDK_SECONDS, Oracle, Question, Reading, Streamed, hinted, listed
from support.oracle_wires import NO_STREAM, STREAM, folded, marks
from support.vendor import fixture, says
from webseam.core.types import SearchControls, SearchRequest


def _ask(sdk: Any, url: str, key: str | None, arguments: Mapping[str, Any]) -> Any:
    with sdk.OpenRouter(api_key=key, server_url=f"{url}/api/v1", timeout_ms=int(SDK_SECONDS * 1_000)) as client:
        return client.chat.send(**arguments)


def _ask_openai(sdk: Any, url: str, key: str | None, arguments: Mapping[str, Any]) -> Any:
    with sdk.OpenAI(api_key=key, base_url=f"{url}/api/v1", max_retries=0, timeout=SDK_SECONDS) as client:
        return client.chat.completions.create(**arguments)


def _stream_openai(sdk: Any, url: str, key: str | None, arguments: Mapping[str, Any]) -> tuple[Any, str]:
    with sdk.OpenAI(api_key=key, base_url=f"{url}/api/v1", max_retries=0, timeout=SDK_SECONDS) as client:
        return folded(client.chat.completions.create(stream=True, **arguments))


def _with_extra(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """openai takes what it does not know apart."""
    return {name: value for name, value in arguments.items() if name != "plugins"} | {
        "extra_body": {"plugins": arguments["plugins"]}
    }


def _read(answer: Any) -> dict[str, Any]:
    message, usage = answer.choices[0].message, answer.usage
    return {
        "content": message.content,
        "sources": _pages(getattr(message, "annotations", ())),
        "usage": {
            "calls": _searches(getattr(usage, "server_tool_use_details", None)),
            "cost": usage.cost,
            "currency": "USD",
            "input_tokens": usage.prompt_tokens,
            "output_tokens": usage.completion_tokens,
        },
    }


def _pages(annotations: Iterable[Any]) -> list[Any]:
    pages: dict[str, Any] = {}
    for one in annotations:
        if getattr(one, "type", None) == "url_citation" and one.url_citation.url:
            pages.setdefault(one.url_citation.url, one.url_citation)
    return listed(pages.values(), url="url", title="title", snippet="content")


def _searches(details: Any) -> Any:
    """openai has no type for the count, and hands it on as it is."""
    return details["web_search_requests"] if isinstance(details, dict) else details and details.web_search_requests


def _question(query: str, **plugin: Any) -> dict[str, Any]:
    return {
        "model": "openrouter/auto",
        "max_tokens": 4096,
        "messages": [{"role": "user", "content": f"Search the web for this query: {query}"}],
        "plugins": [{"id": "web", **plugin}],
    }


def _error(status: int) -> dict[str, Any]:
    return {"error": {"code": status, "message": "Told"}}


WHOLE = fixture("openrouter")["replies"][0]["json"] | {"system_fingerprint": None}
PROSE = marks(
    "Kelp needs a permit [1](https://kelp.example/k), see https://prose.example/only.",
    WHOLE["choices"][0]["message"]["content"],
)
QUESTIONS = (
    Question(
        name="plain",
        request=SearchRequest(query="kelp farming permits", max_results=5),
        arguments=_question("kelp farming permits", max_results=5),
    ),
    Question(
        name="every-control",
        request=SearchRequest(
            query="kelp", controls=SearchControls(include_domains=("kelp.example", "sea.example"), country="SE")
        ),
        options={"engine": "native"},
        arguments=_question(
            "kelp",
            engine="native",
            include_domains=["kelp.example", "sea.example"],
            user_location={"type": "approximate", "country": "SE"},
        ),
    ),
    Question(
        name="excluded-domains",
        request=SearchRequest(query="kelp", controls=SearchControls(exclude_domains=("spam.example",))),
        arguments=_question("kelp", exclude_domains=["spam.example"]),
    ),
    Question(
        name="every-option",
        request=SearchRequest(query="kelp"),
        options={"model": "kelp/large", "max_tokens": 300, "engine": "exa", "num_results": 7},
        arguments=_question("kelp", engine="exa", max_results=7) | {"model": "kelp/large", "max_tokens": 300},
    ),
)

ORACLES = (
    Oracle(
        kind="openrouter",
        sdk="openrouter",
        ask=_ask,
        read=_read,
        reply=says(WHOLE),
        sending=(NO_STREAM,),
        home=lambda sdk: sdk.sdkconfiguration.SERVERS[sdk.sdkconfiguration.SERVER_PRODUCTION],
        choices={"engine": hinted("components.websearchplugin:WebSearchPlugin", "engine")},
        readings=(
            Reading(
                differences=(
                    PROSE,
                    Difference(field="sources.*", ours=ANY, why="The SDK has no type for citations; openai has."),
                )
            ),
            refused("wrong-key", 401, _error(401), "WEB_PROVIDER_ERROR", "UnauthorizedResponseError"),
            refused("no-credit", 402, _error(402), "WEB_QUOTA_EXHAUSTED", "PaymentRequiredResponseError"),
            refused("rate-limit", 429, _error(429), "WEB_RATE_LIMITED", "TooManyRequestsResponseError"),
        ),
        questions=QUESTIONS,
    ),
    Oracle(
        kind="openrouter",
        sdk="openai",
        ask=_ask_openai,
        read=_read,
        stream=_stream_openai,
        streaming=(STREAM,),
        streams=(
            Streamed(name="searched with hits"),
            Streamed(name="searched with zero"),
            Streamed(name="answered"),
            broken(
                "a rate limit in a chunk",
                "WEB_RATE_LIMITED",
                "APIError",
                Difference(field="status", ours=429, why="The SDK leaves the code in the body."),
            ),
        ),
        questions=tuple(replace(one, arguments=_with_extra(one.arguments)) for one in QUESTIONS),
        readings=(
            Reading(
                differences=(
                    PROSE,
                    tidied("sources.0.snippet", "Apply by May & pay", "Apply <strong>by</strong> May &amp; pay"),
                    Difference(
                        field="sources.1.url",
                        ours="https://sea.example/q",
                        theirs="https://sea.example/q?utm_source=openai",
                        why="The vendor's own tracking is taken off.",
                    ),
                )
            ),
            *usual(_error(401), _error(429)),
        ),
    ),
)
