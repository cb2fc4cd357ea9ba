"""Perplexity Sonar: an answer with the pages behind it (POST /chat/completions). Facts: Perplexity's SDK 0.46."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Any, Final, Literal

import msgspec

from webseam.core.plugin import ProviderSpec
from webseam.core.types import SearchResult, Source, Usage
from webseam.providers.wires.asking import Answer, Ask, Question
from webseam.providers.wires.chat import ChatFold, answer_fault, incomplete, message, prose, usage_of
from webseam.providers.wires.clean import unwrap
from webseam.providers.wires.controls import EVERY_CONTROL, strict_only
from webseam.providers.wires.perplexity_filters import american_day, domain_filter, language_filter
from webseam.providers.wires.rows import Row, count, items, mapping, number, source, text
from webseam.providers.wires.vendor import Streaming, Vendor, provider

_THINKING: Final = re.compile(r"\A\s*<think>.*?(?:</think>|\Z)", re.DOTALL)


class PerplexityOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[providers.perplexity]`. `answer` passes the generated prose on.

    `search_recency` limits every search that names no dates of its own.
    """

    base_url: str = "https://api.perplexity.ai"
    model: Annotated[str, msgspec.Meta(min_length=1)] = "sonar"
    max_tokens: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] = 1024
    search_recency: Literal["hour", "day", "week", "month", "year"] | None = None
    answer: bool = True


def _ask(question: Question[PerplexityOptions]) -> Ask:
    options, controls = question.options, question.controls
    dated = controls.after is not None or controls.before is not None
    return Ask(
        path="chat/completions",
        json={
            "model": options.model,
            "max_tokens": options.max_tokens,
            "messages": [{"role": "user", "content": question.query}],
            "num_search_results": question.max_results,
            "search_domain_filter": domain_filter(controls, question.provider),
            "search_recency_filter": None if dated else options.search_recency,
            "search_after_date_filter": american_day(controls.after),
            "search_before_date_filter": american_day(controls.before),
            "search_language_filter": language_filter(controls, question.provider),
            "web_search_options": {"user_location": {"country": controls.country}} if controls.country else None,
            "safe_search": strict_only(question.safe_search, question.provider),
        },
    )


def _read(answer: Answer[PerplexityOptions]) -> SearchResult:
    """An answer that reports no search and lists no page is `ungrounded`, and its prose always passed on, labelled."""
    fault = answer_fault(answer)
    if fault is not None:
        raise fault
    answer.rows("choices")
    payload = answer.row
    searched = _searched(payload)
    passed_on = answer.question.options.answer or not searched
    rows, read = _rows(payload)
    web = [row for row in rows if not isinstance(row, dict) or _is_web(row)]
    result = answer.result(
        web,
        read,
        grounding="searched" if searched else "ungrounded",
        content=_answer(message(payload).get("content")) if passed_on else None,
        truncated=incomplete(payload) is not None,
        usage=_usage(payload),
    )
    attached = len(rows) - len(web)
    return replace(result, dropped={**result.dropped, "attachment": attached}) if attached else result


def _searched(payload: Row) -> bool:
    """A reported search, or web pages listed as its results; citations and `[1]` marks prove nothing."""
    if count(mapping(payload.get("usage")).get("num_search_queries")):
        return True
    return any(_is_web(row) for row in items(payload.get("search_results")))


def _is_web(row: object) -> bool:
    """An attachment of the conversation is listed among the results, too, but nobody searched for it."""
    return isinstance(row, dict) and row.get("source") != "attachment"


def _rows(payload: Row) -> tuple[list[Any], Callable[[Row], Source | None]]:
    """`search_results`, even when empty; the bare `citations` only where that list is absent (dsh-58)."""
    if payload.get("search_results") is None:
        return [{"url": url} for url in items(payload.get("citations"))], _source
    return items(payload["search_results"]), _source


def _source(row: Row) -> Source | None:
    found = source(row, snippet=text(row.get("snippet")), published_at=row.get("date"))
    return found and replace(found, url=unwrap(found.url))


def _answer(content: object) -> str | None:
    """The answer without the thinking that reasoning models put before it."""
    said = prose(content)
    return text(_THINKING.sub("", said)) if said else None


def _usage(payload: Row) -> Usage:
    usage = mapping(payload.get("usage"))
    cost = number(mapping(usage.get("cost")).get("total_cost"))
    return usage_of(payload, calls=count(usage.get("num_search_queries")), cost=cost)


VENDOR: Final[Vendor[PerplexityOptions]] = Vendor(
    ask=_ask,
    read=_read,
    native=lambda _: EVERY_CONTROL,
    one_list=True,
    stream=Streaming(fold=ChatFold),
)
SPEC = ProviderSpec(
    kind="perplexity",
    capability="search",
    build=provider(VENDOR, PerplexityOptions),
    options=PerplexityOptions,
    key_env=("PERPLEXITY_API_KEY",),
    summary="Perplexity Sonar: a generated answer with the pages behind it.",
    answer="option",
    controls=EVERY_CONTROL,
    rests_on="sdk",
)
