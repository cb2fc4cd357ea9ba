"""DeepSeek's search API, without a model's turn (POST /v1/tools/search). Facts: public reports on it, autumn 2026."""

from dataclasses import replace
from typing import Annotated, Final

import msgspec

from webseam.core.plugin import ProviderSpec
from webseam.core.types import SearchResult, Source, Usage
from webseam.providers.wires.asking import Answer, Ask, Question
from webseam.providers.wires.clean import plain_text, unwrap
from webseam.providers.wires.controls import Checked, too_long
from webseam.providers.wires.operators import sites_within
from webseam.providers.wires.rows import Row, source
from webseam.providers.wires.vendor import Vendor, provider

QUERY_CHARS: Final = 128
"""Longest `query`, operators included; a longer one is HTTP 400."""

MAX_RESULTS: Final = 50
"""Highest `count`."""

_NATIVE: Final = frozenset({"published_after", "published_before", "language"})


class DeepSeekSearchApiOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[providers.deepseek-search-api]`. `num_results` holds when a request names no bound; DeepSeek's own is 10."""

    base_url: str = "https://api.deepseek.com"
    num_results: Annotated[int, msgspec.Meta(ge=1, le=MAX_RESULTS)] | None = None


def _ask(question: Question[DeepSeekSearchApiOptions]) -> Ask:
    """Days and language stand in the query, or nobody holds them; domains go in as they fit, and the seam holds them.

    A `site:` beside a second one stays out: no operator is known to join the two.
    """
    query = " ".join((question.query, *_operators(question.controls)))
    if len(query) > QUERY_CHARS:
        raise too_long(question.provider, len(query), QUERY_CHARS, "with the operators of its controls it has")
    controls = question.controls
    only = controls.include_domains if len(controls.include_domains) == 1 else ()
    sited = sites_within(QUERY_CHARS, query, replace(controls, include_domains=only), question.provider)
    return Ask(
        path="v1/tools/search",
        json={"query": sited, "count": question.wanted(MAX_RESULTS, question.options.num_results)},
    )


def _operators(controls: Checked) -> list[str]:
    """DeepSeek's own words for the days, inclusive, and the language."""
    asked = (("after", controls.after), ("before", controls.before), ("lang", controls.language))
    return [f"{name}:{value}" for name, value in asked if value is not None]


def _read(answer: Answer[DeepSeekSearchApiOptions]) -> SearchResult:
    return answer.result(answer.rows("results"), _source, usage=Usage(calls=1))


def _source(row: Row) -> Source | None:
    """`summary` is the longer extract, made for models."""
    snippet = plain_text(row.get("summary")) or plain_text(row.get("snippet"))
    found = source(row, snippet=snippet, published_at=row.get("date"))
    return found and replace(found, url=unwrap(found.url), title=plain_text(row.get("title")))


VENDOR: Final[Vendor[DeepSeekSearchApiOptions]] = Vendor(
    ask=_ask, read=_read, native=lambda _: _NATIVE, query_chars=QUERY_CHARS
)
SPEC = ProviderSpec(
    kind="deepseek-search-api",
    capability="search",
    build=provider(VENDOR, DeepSeekSearchApiOptions),
    options=DeepSeekSearchApiOptions,
    key_env=("DEEPSEEK_API_KEY",),
    named_only=True,
    summary="DeepSeek's search API, without a model's turn: pages with extracts and dates; queries of 128 characters.",
    controls=_NATIVE,
)
