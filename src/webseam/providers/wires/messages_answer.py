"""What a message of Anthropic's wire proves, and the pages and prose in it.

Evidence that a search succeeded is a `web_search_tool_result` whose content is a list, or a reported count of searches;
a `server_tool_use` alone is a search that may have failed (enso-3).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any, Final, TypeVar

import msgspec

from webseam.core.errors import Code, WebError
from webseam.core.text import one_line, redacted
from webseam.core.types import SearchResult, Source, Usage
from webseam.providers.wires.asking import Answer
from webseam.providers.wires.citations import mark
from webseam.providers.wires.clean import plain_text, unwrap
from webseam.providers.wires.messages_stream import text_of, told_fault
from webseam.providers.wires.rows import Row, count, items, mapping, source, text

OptionsT = TypeVar("OptionsT", bound=msgspec.Struct)

_CUT_SHORT: Final = frozenset({"max_tokens", "pause_turn", "refusal", "model_context_window_exceeded"})
_ERROR_CODES: Final[Mapping[str, Code]] = {
    "too_many_requests": Code.RATE_LIMITED,
    "unavailable": Code.UPSTREAM_FAILED,
}


def read_answer(answer: Answer[OptionsT], *, passed_on: bool) -> SearchResult:
    """The result of a whole message. URLs count only from result blocks, never from prose (dsh-65).

    Args:
        answer: as it came.
        passed_on: whether the prose of a searched answer becomes `content`; without a search it always does, labelled.

    Raises:
        WebError: an error told in a success, another shape, or every search of the answer failed.
    """
    fault = told_fault(answer.row, answer.question.provider, facts=answer.facts, secrets=answer.secrets)
    if fault is not None:
        raise fault
    blocks: list[Row] = [block for block in answer.rows("content") if isinstance(block, dict)]
    results = [block.get("content") for block in blocks if block.get("type") == "web_search_tool_result"]
    lists = [content for content in results if isinstance(content, list) and not _is_only_failures(content)]
    failures = [_told(failed, answer.secrets) for failed in _failed(results)]
    if failures and not lists:
        raise _search_failed(answer.question.provider, *failures[0])
    usage = _usage(answer.row)
    searched = bool(lists) or bool(usage.calls)
    stopped = text(answer.row.get("stop_reason"))
    remarks = [f"One of its searches failed: {reason}." for _, reason in failures]
    if stopped in _CUT_SHORT and not answer.broken:  # what broke off is told by its own remark
        remarks.append(f"The answer is incomplete: {stopped}.")
    result = answer.result(
        _hits(lists),
        _reader(_snippets(blocks)),
        grounding="searched" if searched else "ungrounded",
        truncated=stopped in _CUT_SHORT,
        notices=tuple(dict.fromkeys(remarks)),
        usage=usage,
    )
    result = _folded(result)
    return replace(result, content=_prose(blocks, result.sources) if passed_on or not searched else None)


def _is_only_failures(content: list[Any]) -> bool:
    return bool(content) and all(map(_is_failure, content))


def _is_failure(item: object) -> bool:
    return mapping(item).get("type") == "web_search_tool_result_error"


def _failed(results: list[Any]) -> Iterator[Row]:
    """What stands in the place of hits; a gateway may put it into a list of its own."""
    for content in results:
        yield from [content] if isinstance(content, dict) else filter(_is_failure, items(content))


def _told(failed: Row, secrets: tuple[str, ...]) -> tuple[Code, str]:
    told = text(failed.get("error_code"))
    reason = one_line(redacted(told or "no reason given", secrets), limit=60)
    return _ERROR_CODES.get((told or "").lower(), Code.PROVIDER_ERROR), reason


def _search_failed(provider: str, code: Code, reason: str) -> WebError:
    return WebError(
        code,
        f"The web search inside {provider} failed: {reason}. Ask again, or use another provider.",
        provider=provider,
        dispatched=True,
    )


def _usage(payload: Row) -> Usage:
    usage = mapping(payload.get("usage"))
    return Usage(
        calls=count(mapping(usage.get("server_tool_use")).get("web_search_requests")),
        input_tokens=count(usage.get("input_tokens")),
        output_tokens=count(usage.get("output_tokens")),
    )


def _hits(lists: list[list[Any]]) -> Iterator[Any]:
    """Result rows in order; what is no object goes on, to be counted, and foreign items are no rows."""
    for content in lists:
        for item in content:
            if not isinstance(item, dict) or item.get("type", "web_search_result") == "web_search_result":
                yield item


def _snippets(blocks: list[Row]) -> dict[str, str]:
    """The first quotation per URL among the citations of the answer (dsh-66); the vendor escapes it as HTML."""
    quoted: dict[str, str] = {}
    for block in blocks:
        if block.get("type") != "text":
            continue
        for citation in map(mapping, items(block.get("citations"))):
            url, said = text(citation.get("url")), plain_text(citation.get("cited_text"))
            if url and said:
                quoted.setdefault(unwrap(url), said)
    return quoted


def _reader(snippets: Mapping[str, str]) -> Callable[[Row], Source | None]:
    def read(row: Row) -> Source | None:
        found = source(row, published_at=row.get("page_age"))
        if found is None:
            return None
        url = unwrap(found.url)
        return replace(found, url=url, snippet=snippets.get(url))

    return read


def _folded(result: SearchResult) -> SearchResult:
    """Each URL once, where it stood first: several searches of one answer find the same pages.

    What the vendor left out there, a title or a date, it may have given when it named the page again.
    """
    unique: dict[str, Source] = {}
    for one in result.sources:
        first = unique.get(one.url, one)
        unique[one.url] = replace(
            first, title=first.title or one.title, published_at=first.published_at or one.published_at
        )
    kept = tuple(unique.values())
    repeats = len(result.sources) - len(kept)
    return replace(result, sources=kept, dropped={**result.dropped, "duplicate": repeats}) if repeats else result


def _prose(blocks: list[Row], sources: Sequence[Source]) -> str | None:
    """The text from the first search's return on; what stands apart, between searches, is a paragraph."""
    numbers = {one.url: number for number, one in enumerate(sources, 1)}
    kinds = [block.get("type") for block in blocks]
    start = kinds.index("web_search_tool_result") if "web_search_tool_result" in kinds else 0
    runs = groupby(blocks[start:], key=lambda block: block.get("type") == "text")
    said = ("".join(_marked(block, numbers) for block in run).strip() for is_text, run in runs if is_text)
    return "\n\n".join(filter(None, said)) or None


def _marked(block: Row, numbers: Mapping[str, int]) -> str:
    """What a block says, and after it marks that lead to the sources which the vendor names for just this block."""
    said = text_of(block, "text")
    bare = said.rstrip()
    cited = (unwrap(text(mapping(one).get("url")) or "") for one in items(block.get("citations")))
    marks = " ".join(mark(numbers[url], url) for url in dict.fromkeys(cited) if url in numbers)
    return f"{bare} {marks}{said[len(bare) :]}" if bare and marks else said
