"""OpenAI's Responses wire with the server tool `web_search`: the request, and what the answer proves.

Spoken by OpenAI, xAI, DeepSeek and Microsoft Foundry. Evidence that a search succeeded is a completed call of the tool,
or a reported count of searches; neither citations nor the number of sources are (xAI searches and reports 0 sources).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

import msgspec

from webseam.core.errors import Code, WebError
from webseam.core.text import one_line, redacted
from webseam.core.types import SearchResult, Usage
from webseam.providers.wires.asking import Answer, Ask, Question
from webseam.providers.wires.failures import PLAIN, ErrorFacts
from webseam.providers.wires.operators import with_sites
from webseam.providers.wires.responses_pages import is_call, pages_of, parts_of, prose_of
from webseam.providers.wires.responses_stream import ResponsesFold, told_fault
from webseam.providers.wires.rows import Row, count, mapping, number, source, text
from webseam.providers.wires.vendor import Streaming, Vendor, bearer

OptionsT = TypeVar("OptionsT", bound=msgspec.Struct)

CONTROLS: Final = frozenset({"include_domains", "country"})
"""What OpenAI's own tool honours."""

_TICKS_PER_DOLLAR: Final = 10**10  # xAI's unit of cost


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """What a vendor says to one question.

    Args:
        model: who searches.
        max_tokens: longest answer, thinking included.
        answer: whether the prose of a searched answer becomes `content`; without a search it always does, labelled.
        tool: the search tool as this vendor wants it; `search_tool` makes the usual one.
        extra: further fields of the body.
    """

    model: str
    max_tokens: int
    answer: bool
    tool: Mapping[str, Any]
    extra: Mapping[str, Any] = field(default_factory=dict)


def responses_vendor(
    manner: Callable[[Question[OptionsT]], Manner],
    *,
    native: Callable[[OptionsT], frozenset[str]] = lambda _options: frozenset(),
    key: Callable[[str], Mapping[str, str]] = bearer,
    facts: ErrorFacts = PLAIN,
    path: str = "responses",
) -> Vendor[OptionsT]:
    """A vendor on this wire.

    Args:
        manner: reads the question and its options.
        native: the controls that its tool honours; domains that it does not honour go into the prompt as `site:`.
        key: the header fields that prove who asks.
        facts: what its failures mean beyond HTTP's own words.
        path: below the base URL.
    """
    return Vendor(
        ask=lambda question: _ask(question, manner(question), native(question.options), path),
        read=lambda answer: _read(answer, passed_on=manner(answer.question).answer),
        native=native,
        key=key,
        facts=facts,
        one_list=True,
        stream=Streaming(fold=ResponsesFold),
    )


def search_tool(question: Question[OptionsT], native: frozenset[str], *, worldwide: bool = False) -> dict[str, Any]:
    """The tool with the controls that the vendor honours: one list of domains, and where to search from.

    Args:
        question: brings the controls.
        native: the controls that its tool honours.
        worldwide: say that no place is meant where none is asked: left to itself, OpenAI searches from the US.
    """
    controls = question.controls
    tool: dict[str, Any] = {"type": "web_search"}
    if controls.include_domains and "include_domains" in native:
        tool["filters"] = {"allowed_domains": list(controls.include_domains)}
    elif controls.exclude_domains and "exclude_domains" in native:
        tool["filters"] = {"excluded_domains": list(controls.exclude_domains)}
    if controls.country and "country" in native:
        tool["user_location"] = {"type": "approximate", "country": controls.country}
    elif worldwide:
        tool["user_location"] = {"type": "approximate"}
    return tool


def _ask(question: Question[OptionsT], manner: Manner, native: frozenset[str], path: str) -> Ask:
    controls = question.controls
    query = with_sites(
        question.query,
        () if "include_domains" in native else controls.include_domains,
        () if "exclude_domains" in native else controls.exclude_domains,
    )
    return Ask(
        path=path,
        json={
            "model": manner.model,
            "input": f"Search the web for this query: {query}",
            "tools": [manner.tool],
            "max_output_tokens": manner.max_tokens,
            **manner.extra,
        },
    )


# The answer --------------------------------------------------------------------------------------------


def _read(answer: Answer[OptionsT], *, passed_on: bool) -> SearchResult:
    """Pages in this order: cited, opened, consulted; an incomplete answer is kept, marked."""
    provider = answer.question.provider
    fault = told_fault(answer.row, provider, facts=answer.facts, secrets=answer.secrets)
    if fault is not None:
        raise fault
    output: list[Row] = [item for item in answer.rows("output") if isinstance(item, dict)]
    done = [item for item in output if is_call(item) and item.get("status") == "completed"]
    reported = _reported(answer.row)
    searched = bool(done) or (reported or 0) > len(_failed(output))
    parts = parts_of(output, whole=not searched or answer.row.get("status") == "completed")
    if not searched:
        _refuse_empty(answer, output, parts)
    pages, odd = pages_of(parts, done, answer.row)
    said = prose_of(parts, list(pages)) if searched else prose_of(parts, [])
    return answer.result(
        [*({"url": url, "title": title} for url, title in pages.items()), *odd],
        source,
        grounding="searched" if searched else "ungrounded",
        content=said if passed_on or not searched else None,
        truncated=_reason(answer.row) is not None,
        notices=(*_notices(answer), *(["One of its searches failed."] if _failed(output) else [])),
        usage=_usage(answer.row, reported or sum(map(_is_search, done)) or None),
    )


def _refuse_empty(answer: Answer[OptionsT], output: list[Row], parts: list[Row]) -> None:
    """A search that failed, or a budget spent on thinking, is a failure and no ungrounded answer."""
    provider = answer.question.provider
    if _failed(output):
        raise WebError(
            Code.UPSTREAM_FAILED,
            f"The web search inside {provider} failed. Ask again, or use another provider.",
            provider=provider,
            dispatched=True,
        )
    reason = _reason(answer.row)
    if reason is not None and not prose_of(parts, []):
        raise WebError(
            Code.PROVIDER_ERROR,
            f"{provider} ended before it searched or said anything ({one_line(redacted(reason, answer.secrets))}). "
            f"Raise its max_tokens, or change the query.",
            provider=provider,
            dispatched=True,
        )


def _failed(output: list[Row]) -> list[Row]:
    """The searches that failed: a count of requests may hold them, too."""
    return [item for item in output if is_call(item) and item.get("status") == "failed" and _is_search(item)]


def _is_search(call: Row) -> bool:
    """Pages that were opened, or read again, are no searches; a call without an action is one (xAI, Foundry)."""
    return bool(mapping(call.get("action")).get("type", "search") == "search")


def _reported(payload: Row) -> int | None:
    """Searches by the vendor's own count: OpenAI's `tool_usage`, xAI's `usage`."""
    usage = mapping(payload.get("usage"))
    named = (mapping(usage.get(name)) for name in ("server_side_tool_usage", "server_side_tool_usage_details"))
    counts = (
        mapping(mapping(payload.get("tool_usage")).get("web_search")).get("num_requests"),
        usage.get("num_server_side_tools_used"),
        *(value for tools in named for name, value in tools.items() if "web_search" in name.lower()),
    )
    return next(filter(None, map(count, counts)), None)


def _reason(payload: Row) -> str | None:
    """Why the answer is not complete; one that runs in the background is no answer yet."""
    status = text(payload.get("status"))
    if status in ("queued", "in_progress"):
        return status
    if status != "incomplete":
        return None
    return text(mapping(payload.get("incomplete_details")).get("reason")) or "no reason given"


def _notices(answer: Answer[OptionsT]) -> tuple[str, ...]:
    reason = _reason(answer.row)
    return (f"The answer is incomplete: {one_line(redacted(reason, answer.secrets))}.",) if reason else ()


def _usage(payload: Row, calls: int | None) -> Usage:
    usage = mapping(payload.get("usage"))
    ticks = number(usage.get("cost_in_usd_ticks"))
    return Usage(
        calls=calls,
        cost=None if ticks is None else ticks / _TICKS_PER_DOLLAR,
        currency=None if ticks is None else "USD",
        input_tokens=count(usage.get("input_tokens")),
        output_tokens=count(usage.get("output_tokens")),
    )
