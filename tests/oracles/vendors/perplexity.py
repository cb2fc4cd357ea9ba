"""Perplexity Sonar beside perplexityai."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any, get_type_hints

from support.explained import named
from support.fields import ANY, Difference
from support.oracle import SDK_SECONDS, Oracle, Question, Reading, Streamed
from support.oracle_wires import STREAM, folded
from support.vendor import says
from webseam.core.types import SearchControls, SearchRequest


def _ask(sdk: Any, url: str, key: str | None, arguments: Mapping[str, Any]) -> Any:
    with sdk.Perplexity(api_key=key, base_url=url, max_retries=0, timeout=SDK_SECONDS) as client:
        return client.chat.completions.create(**arguments)


def _stream(sdk: Any, url: str, key: str | None, arguments: Mapping[str, Any]) -> tuple[Any, str]:
    with sdk.Perplexity(api_key=key, base_url=url, max_retries=0, timeout=SDK_SECONDS) as client:
        return folded(client.chat.completions.create(stream=True, **arguments))


def _read(answer: Any) -> dict[str, Any]:
    rows = [_row(one) for one in answer.search_results or ()]
    usage = answer.usage
    return {
        "content": answer.choices[0].message.content,
        "sources": rows,
        "usage": {
            "calls": usage.num_search_queries,
            "cost": usage.cost.total_cost if usage.cost else None,
            "currency": "USD" if usage.cost else None,
            "input_tokens": usage.prompt_tokens,
            "output_tokens": usage.completion_tokens,
        },
    }


def _row(one: Any) -> Any:
    if isinstance(one, str):
        return one
    return {"url": one.url, "title": one.title, "snippet": one.snippet, "published_at": one.date}


def _recency(sdk: Any) -> Any:
    parameters = import_module(f"{sdk.__name__}.types.chat.completion_create_params")
    return get_type_hints(parameters.CompletionCreateParamsBase)["search_recency_filter"]


def _home(sdk: Any) -> str:
    with sdk.Perplexity(api_key="any") as client:
        return str(client.base_url)


def _question(query: str) -> dict[str, Any]:
    return {"model": "sonar", "max_tokens": 1024, "messages": [{"role": "user", "content": query}]}


def _reply(content: Any, **more: Any) -> dict[str, Any]:
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": content}}
    return {"id": "c2", "model": "sonar", "created": 1790000000, "choices": [choice]} | more


NAMES_ITSELF = "The SDK names itself here; we do so in the user agent."
SENDING = (
    Difference(field="header.x-source", theirs="perplexity-py", why=NAMES_ITSELF),
    Difference(field="header.x-title", theirs="Perplexity Python SDK", why=NAMES_ITSELF),
)
ATTACHMENT = "An attachment of the conversation is no hit; dropped and counted."
READINGS = (
    Reading(
        differences=(
            Difference(
                field="content",
                ours="Kelp needs a permit [1][2].",
                theirs="<think>\nLook at [1].\n</think>\nKelp needs a permit [1][2].",
                why="The thinking before an answer is no part of it.",
            ),
            Difference(field="sources.2.*", theirs=ANY, why=ATTACHMENT),
            Difference(field="sources.3", theirs="no object", why="A row that is no object is dropped and counted."),
        )
    ),
    Reading(
        name="no-hits",
        reply=says(
            _reply(
                "Nothing.",
                search_results=[],
                usage={"num_search_queries": 1, "prompt_tokens": 3, "completion_tokens": 2},
            )
        ),
    ),
    Reading(
        name="wrong-key",
        fails=True,
        reply=says({"error": {"message": "Invalid API key", "type": "invalid_api_key", "code": 401}}, 401),
        differences=(named("WEB_PROVIDER_ERROR", "AuthenticationError"),),
    ),
    Reading(
        name="rate-limit",
        fails=True,
        reply=says({"error": {"message": "Too fast", "type": "rate_limit", "code": 429}}, 429),
        differences=(named("WEB_RATE_LIMITED", "RateLimitError"),),
    ),
)

ORACLES = (
    Oracle(
        kind="perplexity",
        sdk="perplexity",
        ask=_ask,
        read=_read,
        sending=SENDING,
        stream=_stream,
        streaming=(STREAM, *SENDING),
        streams=(
            Streamed(name="searched with hits"),
            Streamed(name="searched with zero"),
        ),
        readings=READINGS,
        home=_home,
        choices={"search_recency": _recency},
        questions=(
            Question(
                name="plain",
                request=SearchRequest(query="kelp farming permits", max_results=5),
                arguments=_question("kelp farming permits") | {"num_search_results": 5},
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
                        safe_search="strict",
                    ),
                ),
                arguments=_question("kelp")
                | {
                    "search_domain_filter": ["kelp.example", "sea.example"],
                    "search_after_date_filter": "01/02/2026",
                    "search_before_date_filter": "03/04/2026",
                    "search_language_filter": ["sv"],
                    "web_search_options": {"user_location": {"country": "SE"}},
                    "safe_search": True,
                },
            ),
            Question(
                name="excluded-domains",
                request=SearchRequest(query="kelp", controls=SearchControls(exclude_domains=("spam.example",))),
                arguments=_question("kelp") | {"search_domain_filter": ["-spam.example"]},
            ),
            Question(
                name="every-option",
                request=SearchRequest(query="kelp"),
                options={"model": "sonar-pro", "max_tokens": 300, "search_recency": "week"},
                arguments=_question("kelp")
                | {"model": "sonar-pro", "max_tokens": 300, "search_recency_filter": "week"},
            ),
        ),
    ),
)
