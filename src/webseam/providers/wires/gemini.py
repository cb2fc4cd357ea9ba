"""Google's generateContent wire with grounding by Google Search: the request, and what the answer proves.

Evidence that a search succeeded is a non-blank query in `webSearchQueries`; neither chunks (other tools give them, too)
nor the box of search suggestions are. The links of an answer are redirects of Google's, followed in the end.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any, Final, TypeVar
from urllib.parse import quote

import msgspec

from webseam.core.errors import Code, WebError
from webseam.core.forms import Checked
from webseam.core.text import one_line, redacted
from webseam.core.types import SearchResult, Usage
from webseam.providers.wires.asking import Answer, Ask, Question
from webseam.providers.wires.citations import mark
from webseam.providers.wires.clean import unwrap
from webseam.providers.wires.days import FIRST
from webseam.providers.wires.failures import ErrorFacts
from webseam.providers.wires.gemini_links import followed
from webseam.providers.wires.gemini_marks import marked
from webseam.providers.wires.gemini_stream import GeminiFold, first_candidate, said_in, told_fault
from webseam.providers.wires.operators import with_sites
from webseam.providers.wires.rows import Row, count, items, mapping, source, text
from webseam.providers.wires.vendor import Streaming, Vendor
from webseam.providers.wires.waits import parts as error_parts

OptionsT = TypeVar("OptionsT", bound=msgspec.Struct)

CONTROLS: Final = frozenset({"published_after", "published_before"})
"""What the tool honours; domains go into the prompt as `site:`."""

_WHOLE: Final = "generateContent"
_STREAMED: Final = "streamGenerateContent"
_STOPPED: Final = frozenset({"STOP", "FINISH_REASON_UNSPECIFIED"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """What a vendor's options say about the wire.

    Args:
        model: who searches.
        max_tokens: longest answer, thinking included.
        answer: whether the prose of a searched answer becomes `content`; without a search it always does, labelled.
    """

    model: str
    max_tokens: int
    answer: bool


def _spent(payload: Any) -> bool:
    """Whether an error names a quota per day: it is no rate, though it comes with the same status."""
    details = (detail for part in error_parts(payload) for detail in items(part.get("details")))
    violations = (row for detail in details for row in items(mapping(detail).get("violations")))
    return any("perday" in (text(mapping(row).get("quotaId")) or "").lower() for row in violations)


_FACTS: Final = ErrorFacts(key_words=("api key not valid", "api key expired"), spent=_spent)  # keys: HTTP 400


def key_header(key: str) -> dict[str, str]:
    """The key in Google's own header: in the query it would stand in logs."""
    return {"x-goog-api-key": key}


def gemini_vendor(
    manner: Callable[[OptionsT], Manner],
    *,
    key: Callable[[str], Mapping[str, str]] = key_header,
) -> Vendor[OptionsT]:
    """A vendor on this wire.

    Args:
        manner: reads its options.
        key: the header fields that prove who asks.
    """
    return Vendor(
        ask=lambda question: _ask(question, manner(question.options)),
        read=lambda answer: _read(answer, passed_on=manner(answer.question.options).answer),
        native=lambda _: CONTROLS,
        key=key,
        facts=_FACTS,
        stream=Streaming(fold=GeminiFold, ask=_streamed),
        finish=lambda result, question, transport, call: followed(result, question.controls, transport, call),
    )


# The request -------------------------------------------------------------------------------------------


def _ask(question: Question[OptionsT], manner: Manner) -> Ask:
    controls = question.controls
    query = with_sites(question.query, controls.include_domains, controls.exclude_domains)
    name = quote(manner.model.removeprefix("models/"), safe="")
    return Ask(
        path=f"models/{name}:{_WHOLE}",
        json={
            "contents": [{"role": "user", "parts": [{"text": f"Search the web for this query: {query}"}]}],
            "tools": [{"googleSearch": _span(controls, question.today)}],
            "generationConfig": {"maxOutputTokens": manner.max_tokens},
        },
    )


def _streamed(ask: Ask) -> Ask:
    path = ask.path.removesuffix(_WHOLE) + _STREAMED
    return replace(ask, path=path, params={**ask.params, "alt": "sse"})


def _span(controls: Checked, today: date) -> dict[str, Any]:
    """Inclusive days as Google's half-open span, which ends at the midnight after; it takes both ends or neither."""
    if controls.after is None and controls.before is None:
        return {}
    last = controls.before or max(today, controls.after or FIRST)
    end = last + timedelta(days=1) if last < date.max else last
    return {"timeRangeFilter": {"startTime": _midnight(controls.after or FIRST), "endTime": _midnight(end)}}


def _midnight(day: date) -> str:
    return f"{day.isoformat()}T00:00:00Z"


# The answer --------------------------------------------------------------------------------------------


def _read(answer: Answer[OptionsT], *, passed_on: bool) -> SearchResult:
    """Chunks in order, each page once; what was withheld or cut is marked, and is an error where nothing is left."""
    told = mapping(next(iter(items(answer.payload)), answer.payload))  # an error may come in a list of one
    fault = told_fault(told, answer.question.provider, facts=answer.facts, secrets=answer.secrets)
    if fault is not None:
        raise fault
    _refuse_blocked(answer)
    if not answer.rows("candidates"):
        raise answer.lacking("candidates")
    candidate = first_candidate(answer.row)
    grounding = mapping(candidate.get("groundingMetadata"))
    queries = {query for query in map(text, items(grounding.get("webSearchQueries"))) if query}
    parts = items(mapping(candidate.get("content")).get("parts"))
    said = text("".join(map(said_in, parts)))
    stopped = _stopped(candidate, answer.secrets)
    if stopped and not said and not queries:
        raise _silent(answer.question.provider, stopped)
    marks, rows = _pages(items(grounding.get("groundingChunks")))
    if queries and passed_on:
        said = text(marked(list(map(said_in, parts)), items(grounding.get("groundingSupports")), marks))
    return answer.result(
        rows,
        source,
        grounding="searched" if queries else "ungrounded",
        content=said if passed_on or not queries else None,
        truncated=stopped is not None,
        notices=(f"The answer is incomplete: {stopped}.",) if stopped else (),
        usage=_usage(answer.row, len(queries)),
    )


def _refuse_blocked(answer: Answer[OptionsT]) -> None:
    reason = text(mapping(answer.row.get("promptFeedback")).get("blockReason"))
    if reason is not None and not items(answer.row.get("candidates")):
        raise _silent(answer.question.provider, one_line(redacted(reason, answer.secrets), limit=60))


def _silent(provider: str, reason: str) -> WebError:
    advice = "Raise its max_tokens." if reason == "MAX_TOKENS" else "Change the query, or use another provider."
    return WebError(
        Code.PROVIDER_ERROR,
        f"{provider} neither searched nor said anything ({reason}). {advice}",
        provider=provider,
        dispatched=True,
    )


def _stopped(candidate: Row, secrets: tuple[str, ...]) -> str | None:
    """Why the answer is not whole; None where it came to its own end."""
    reason = text(candidate.get("finishReason"))
    return None if reason is None or reason in _STOPPED else one_line(redacted(reason, secrets), limit=60)


def _pages(chunks: list[Any]) -> tuple[dict[int, str], list[object]]:
    """The mark of each chunk that is a web page, and the rows; a chunk of another tool (maps, retrieval) is no page.

    Pages count from 1 in order, repeats under their first number: the seam folds them. The title is, as Google gives
    it, mostly just the domain.
    """
    marks: dict[int, str] = {}
    numbers: dict[str, int] = {}
    rows: list[object] = []
    for at, chunk in enumerate(chunks):
        if isinstance(chunk, dict) and "web" not in chunk:
            continue
        web = mapping(mapping(chunk).get("web"))
        url = unwrap(text(web.get("uri")) or "") or None
        rows.append({"url": url, "title": web.get("title")})
        if url is not None:
            marks[at] = mark(numbers.setdefault(url, len(numbers) + 1), url)
    return marks, rows


def _usage(payload: Row, queries: int) -> Usage:
    """Google counts the tokens of what it searched apart, and thoughts apart from the answer."""
    usage = mapping(payload.get("usageMetadata"))
    return Usage(
        calls=queries or None,
        input_tokens=_sum(usage, "promptTokenCount", "toolUsePromptTokenCount"),
        output_tokens=_sum(usage, "candidatesTokenCount", "thoughtsTokenCount"),
    )


def _sum(usage: Row, *names: str) -> int | None:
    known = [value for value in (count(usage.get(name)) for name in names) if value is not None]
    return sum(known) if known else None
