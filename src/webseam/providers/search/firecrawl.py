"""Firecrawl: a search API (POST /v2/search). Facts: Firecrawl's OpenAPI description and Python SDK 4.55."""

from typing import Annotated, Final, Literal

import msgspec

from webseam.core.plugin import ProviderSpec
from webseam.core.text import one_line
from webseam.core.types import SearchResult, Source, Usage
from webseam.providers.wires.asking import Answer, Ask, Question
from webseam.providers.wires.controls import excluded_alone, strict_only
from webseam.providers.wires.days import google_span
from webseam.providers.wires.failures import codes_of, message_of
from webseam.providers.wires.hits import first_text, hit, priced
from webseam.providers.wires.known_facts import FIRECRAWL
from webseam.providers.wires.rows import Row, number, text
from webseam.providers.wires.vendor import Vendor, provider

QUERY_CHARS: Final = 500
"""Longest query that Firecrawl takes."""

MAX_RESULTS: Final = 100
"""Highest `limit`."""

_ALWAYS: Final = frozenset({"include_domains", "exclude_domains", "country", "safe_search"})
_DAYS: Final = frozenset({"published_after", "published_before"})


class FirecrawlOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[providers.firecrawl]`. Without a country asked, Firecrawl searches from the United States.

    A server of one's own (`base_url`) takes any key.
    """

    base_url: str = "https://api.firecrawl.dev"
    source: Literal["web", "news"] = "web"
    num_results: Annotated[int, msgspec.Meta(ge=1, le=MAX_RESULTS)] | None = None


def _native(options: FirecrawlOptions) -> frozenset[str]:
    """Firecrawl filters by time among web pages only."""
    return _ALWAYS | _DAYS if options.source == "web" else _ALWAYS


def _ask(question: Question[FirecrawlOptions]) -> Ask:
    """Firecrawl takes one list of domains; with both asked the seam holds the exclusion on the results."""
    options, controls = question.options, question.controls
    excluded = excluded_alone(controls)
    return Ask(
        path="v2/search",
        json={
            "query": question.query,
            "sources": [{"type": options.source}],
            "limit": question.wanted(MAX_RESULTS, options.num_results),
            "tbs": google_span(controls) if options.source == "web" else None,
            "country": controls.country,
            "safe": strict_only(question.safe_search, question.provider),
            "includeDomains": list(controls.include_domains) or None,
            "excludeDomains": list(excluded) or None,
        },
    )


def _read(answer: Answer[FirecrawlOptions]) -> SearchResult:
    """Hits stand under `data` by their source, or in `data` itself on older servers; an error may come in a 200."""
    payload = answer.row
    success = str(payload.get("success")).lower()
    if success == "false":
        raise answer.told() or answer.fault(500, message_of(payload), *codes_of(payload))
    data = payload.get("data")
    if success != "true" or data is None:
        raise answer.lacking("data")
    rows = data if isinstance(data, list) else answer.listed(data, answer.question.options.source)
    return answer.result(rows, _source, notices=_notices(payload), usage=_usage(payload))


def _source(row: Row) -> Source | None:
    """A web page has a description, a news item a snippet and a date in words."""
    return hit(row, snippet=first_text(row, "description", "snippet"), published_at=row.get("date"))


def _notices(payload: Row) -> tuple[str, ...]:
    warning = text(payload.get("warning"))
    return () if warning is None else (one_line(warning),)


def _usage(payload: Row) -> Usage:
    """Firecrawl bills in credits."""
    return priced(number(payload.get("creditsUsed")), "credits")


VENDOR: Final[Vendor[FirecrawlOptions]] = Vendor(
    ask=_ask,
    read=_read,
    native=_native,
    facts=FIRECRAWL,
    one_list=True,
    query_chars=QUERY_CHARS,
)
SPEC = ProviderSpec(
    kind="firecrawl",
    capability="search",
    build=provider(VENDOR, FirecrawlOptions),
    options=FirecrawlOptions,
    key_env=("FIRECRAWL_API_KEY",),
    summary="Firecrawl search API: web pages or news with descriptions.",
    controls=_native(FirecrawlOptions()),
    rests_on="sdk",
)
