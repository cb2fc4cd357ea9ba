"""Anthropic's Messages wire with the server tool `web_search`: the body, and what the answer proves.

Spoken by Anthropic and by DeepSeek. Evidence that a search succeeded is a `web_search_tool_result` whose content is a
list, or a reported count of searches; a `server_tool_use` alone is a search that may have failed (enso-3).
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from html import unescape
from typing import Any, Final

from webseam.core.errors import Code, WebError
from webseam.core.text import one_line, redacted
from webseam.core.types import Source, Usage
from webseam.providers.wires.json_api import lacking
from webseam.providers.wires.rows import Row, count, items, mapping, source, sources, text

WEB_SEARCH_TOOL: Final = "web_search_20250305"
"""The basic version: later ones may consume results in code and drop the blocks that are our evidence."""

_CUT_SHORT: Final = frozenset({"max_tokens", "pause_turn", "model_context_window_exceeded"})
_ERROR_CODES: Final[Mapping[str, Code]] = {
    "too_many_requests": Code.RATE_LIMITED,
    "unavailable": Code.UPSTREAM_FAILED,
}


def search_body(*, model: str, max_tokens: int, max_uses: int, query: str) -> dict[str, Any]:
    """The body that asks for one web search: one user message, one server tool."""
    return {
        "model": model,
        "max_tokens": max_tokens,
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": f"Search the web for this query: {query}"}]}
        ],
        "tools": [{"type": WEB_SEARCH_TOOL, "name": "web_search", "max_uses": max_uses}],
    }


def key_headers(key: str, version: str) -> dict[str, str]:
    """The key in Anthropic's own header and as a bearer token, which gateways in between look for (dsh-64)."""
    return {"x-api-key": key, "authorization": f"Bearer {key}", "anthropic-version": version}


@dataclass(frozen=True, slots=True, kw_only=True)
class MessagesAnswer:
    """What came back, read block by block; `prose` is the model's own text, from its first search on."""

    searched: bool
    sources: tuple[Source, ...]
    prose: str | None
    cut_short: bool
    usage: Usage
    dropped: Counter[str] = field(default_factory=Counter)


def read_answer(payload: Row, provider: str, secrets: tuple[str, ...]) -> MessagesAnswer:
    """Read a whole (not streamed) Messages response; `secrets` stay out of its errors.

    Raises:
        WebError: `WEB_PROVIDER_ERROR` for another shape. When every search failed: `WEB_RATE_LIMITED`,
            `WEB_UPSTREAM_FAILED` or `WEB_PROVIDER_ERROR` by the vendor's error code.
    """
    if not isinstance(payload.get("content"), list):
        raise lacking(provider, payload, "content", secrets)
    blocks: list[Row] = [block for block in payload["content"] if isinstance(block, dict)]
    results = [block.get("content") for block in blocks if block.get("type") == "web_search_tool_result"]
    lists = [content for content in results if isinstance(content, list)]
    failed = next((content for content in results if isinstance(content, dict)), None)
    if failed is not None and not lists:
        raise _search_failed(provider, text(failed.get("error_code")), secrets)
    usage = mapping(payload.get("usage"))
    reported = count(mapping(usage.get("server_tool_use")).get("web_search_requests"))
    dropped: Counter[str] = Counter()
    found = _first_of_each(sources(_hits(lists), _reader(_snippets(blocks)), dropped), dropped)
    return MessagesAnswer(
        searched=bool(lists) or bool(reported),
        sources=found,
        prose=_prose(blocks),
        cut_short=text(payload.get("stop_reason")) in _CUT_SHORT,
        usage=Usage(
            calls=reported,
            input_tokens=count(usage.get("input_tokens")),
            output_tokens=count(usage.get("output_tokens")),
        ),
        dropped=dropped,
    )


def _search_failed(provider: str, told: str | None, secrets: tuple[str, ...]) -> WebError:
    reason = one_line(redacted(told or "no reason given", secrets), limit=60)
    return WebError(
        _ERROR_CODES.get(told or "", Code.PROVIDER_ERROR),
        f"The web search inside {provider} failed: {reason}. Ask again, or use another provider.",
        provider=provider,
        dispatched=True,
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
            url, said = text(citation.get("url")), text(citation.get("cited_text"))
            if url and said:
                quoted.setdefault(url, unescape(said))
    return quoted


def _reader(snippets: Mapping[str, str]) -> Callable[[Row], Source | None]:
    def read(row: Row) -> Source | None:
        return source(row, snippet=snippets.get(text(row.get("url")) or ""), published_at=row.get("page_age"))

    return read


def _first_of_each(found: tuple[Source, ...], dropped: Counter[str]) -> tuple[Source, ...]:
    """Each URL once, where it stood first: several searches of one answer find the same pages."""
    unique = {one.url: one for one in reversed(found)}
    kept = tuple(one for one in found if unique[one.url] is one)
    if len(kept) < len(found):
        dropped["duplicate"] += len(found) - len(kept)
    return kept


def _prose(blocks: list[Row]) -> str | None:
    """The text blocks as one text, without what the model said before its first search came back."""
    kinds = [block.get("type") for block in blocks]
    start = kinds.index("web_search_tool_result") if "web_search_tool_result" in kinds else 0
    parts = (block.get("text") for block in blocks[start:] if block.get("type") == "text")
    return text("".join(part for part in parts if isinstance(part, str)))
