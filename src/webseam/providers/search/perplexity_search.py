"""Perplexity's Search API: pages with long extracts, no model (POST /search). Facts: Perplexity's SDK 0.46."""

from typing import Annotated, Any, Final, Literal

import msgspec

from webseam.core.plugin import ProviderSpec
from webseam.core.types import SearchResult, Source, Usage
from webseam.providers.wires.asking import Answer, Ask, Question
from webseam.providers.wires.perplexity_filters import american_day, domain_filter, language_filter
from webseam.providers.wires.rows import Row, source, text
from webseam.providers.wires.vendor import Vendor, provider

MAX_RESULTS: Final = 20
"""Highest `max_results`; more is for the search of people only."""

_NATIVE: Final = frozenset(
    {"include_domains", "exclude_domains", "published_after", "published_before", "country", "language"}
)


class PerplexitySearchOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[providers.perplexity-search]`. `page_tokens` bounds each extract; None lets `context` decide.

    `search_recency` limits every search that names no dates of its own.
    """

    base_url: str = "https://api.perplexity.ai"
    num_results: Annotated[int, msgspec.Meta(ge=1, le=MAX_RESULTS)] | None = None
    page_tokens: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] | None = None
    context: Literal["low", "medium", "high"] | None = None
    search_mode: Literal["web", "academic", "sec"] | None = None
    search_recency: Literal["hour", "day", "week", "month", "year"] | None = None


def _ask(question: Question[PerplexitySearchOptions]) -> Ask:
    options, controls = question.options, question.controls
    dated = controls.after is not None or controls.before is not None
    return Ask(
        path="search",
        json={
            "query": question.query,
            "max_results": question.wanted(MAX_RESULTS, options.num_results),
            "max_tokens_per_page": options.page_tokens,
            "search_context_size": None if options.page_tokens else options.context,
            "search_mode": options.search_mode,
            "search_domain_filter": domain_filter(controls, question.provider),
            "search_recency_filter": None if dated else options.search_recency,
            "search_after_date_filter": american_day(controls.after),
            "search_before_date_filter": american_day(controls.before),
            "search_language_filter": language_filter(controls, question.provider),
            "country": controls.country,
        },
    )


def _read(answer: Answer[PerplexitySearchOptions]) -> SearchResult:
    return answer.result(_flat(answer.rows("results")), _source, usage=Usage(calls=1))


def _flat(rows: list[Any]) -> list[Any]:
    """Older answers hold a list for each query that was asked."""
    return [one for row in rows for one in (row if isinstance(row, list) else [row])]


def _source(row: Row) -> Source | None:
    return source(row, snippet=text(row.get("snippet")), published_at=row.get("date"))


VENDOR: Final[Vendor[PerplexitySearchOptions]] = Vendor(ask=_ask, read=_read, native=lambda _: _NATIVE, one_list=True)
SPEC = ProviderSpec(
    kind="perplexity-search",
    capability="search",
    build=provider(VENDOR, PerplexitySearchOptions),
    options=PerplexitySearchOptions,
    key_env=("PERPLEXITY_API_KEY",),
    named_only=True,
    summary="Perplexity's search API: pages with long extracts and dates, without an answer.",
    controls=_NATIVE,
    rests_on="sdk",
)
