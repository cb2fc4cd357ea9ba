"""Tavily: a search API (POST /search), with a key or keyless. Facts: Tavily's Python SDK 0.8 and MCP server."""

from typing import Annotated, Final, Literal

import msgspec

from webseam.core.plugin import ProviderSpec
from webseam.core.types import SearchResult, Source, Usage
from webseam.providers.wires.asking import Answer, Ask, Question
from webseam.providers.wires.controls import at_most, unsupported
from webseam.providers.wires.countries import english_name
from webseam.providers.wires.hits import priced
from webseam.providers.wires.known_facts import TAVILY
from webseam.providers.wires.rows import Row, mapping, number, source, text
from webseam.providers.wires.vendor import Vendor, provider

QUERY_CHARS: Final = 400
"""Longest query that Tavily takes; a longer one is HTTP 400."""

MAX_RESULTS: Final = 20
"""Highest `max_results` of Tavily."""

INCLUDED_DOMAINS: Final = 300
EXCLUDED_DOMAINS: Final = 150
"""Tavily's caps on its two lists; past them the answer is empty, without a word (R142)."""

_ALWAYS: Final = frozenset({"include_domains", "exclude_domains", "published_after", "published_before"})


class TavilyOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[providers.tavily]`. `answer` asks for a generated answer besides the hits."""

    base_url: str = "https://api.tavily.com"
    search_depth: Literal["basic", "advanced", "fast", "ultra-fast"] = "basic"
    topic: Literal["general", "news", "finance"] = "general"
    num_results: Annotated[int, msgspec.Meta(ge=1, le=MAX_RESULTS)] | None = None
    answer: bool = False


def _native(options: TavilyOptions) -> frozenset[str]:
    """Tavily looks at a country only under the topic `general`."""
    return _ALWAYS | {"country"} if options.topic == "general" else _ALWAYS


def _ask(question: Question[TavilyOptions]) -> Ask:
    options, controls = question.options, question.controls
    at_most("include_domains", controls.include_domains, INCLUDED_DOMAINS, question.provider)
    at_most("exclude_domains", controls.exclude_domains, EXCLUDED_DOMAINS, question.provider)
    return Ask(
        path="search",
        json={
            "query": question.query,
            "search_depth": options.search_depth,
            "topic": options.topic,
            "include_answer": options.answer,
            "include_usage": True,
            "max_results": question.wanted(MAX_RESULTS, options.num_results),
            "include_domains": list(controls.include_domains) or None,
            "exclude_domains": list(controls.exclude_domains) or None,
            "start_date": controls.after and controls.after.isoformat(),
            "end_date": controls.before and controls.before.isoformat(),
            "country": _country(question),
        },
    )


def _country(question: Question[TavilyOptions]) -> str | None:
    code = question.controls.country
    if code is None or "country" not in _native(question.options):
        return None
    name = english_name(code)
    if name is None:
        why = "It takes countries by name and has none for this code."
        raise unsupported("country", code, why, question.provider)
    return name


def _read(answer: Answer[TavilyOptions]) -> SearchResult:
    content = text(answer.row.get("answer")) if answer.question.options.answer else None
    return answer.result(answer.rows("results"), _source, content=content, usage=_usage(answer.row))


def _source(row: Row) -> Source | None:
    return source(row, snippet=text(row.get("content")), published_at=row.get("published_date"))


def _usage(payload: Row) -> Usage:
    """Tavily bills in credits, not in money."""
    return priced(number(mapping(payload.get("usage")).get("credits")), "credits")


VENDOR: Final[Vendor[TavilyOptions]] = Vendor(
    ask=_ask,
    read=_read,
    native=_native,
    keyless={"X-Tavily-Access-Mode": "keyless"},
    facts=TAVILY,
    query_chars=QUERY_CHARS,
)
SPEC = ProviderSpec(
    kind="tavily",
    capability="search",
    build=provider(VENDOR, TavilyOptions),
    options=TavilyOptions,
    key_env=("TAVILY_API_KEY",),
    key_optional=True,
    summary="Tavily search API: pages with extracts; works without a key at a lower rate.",
    answer="option",
    controls=_native(TavilyOptions()),
    rests_on="sdk",
)
