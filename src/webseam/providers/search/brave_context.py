"""Brave's context for models: pages with the passages that matter (POST /res/v1/llm/context). Facts: Brave, 2026."""

from dataclasses import replace
from typing import Annotated, Final, Literal

import msgspec

from webseam.core.plugin import ProviderSpec
from webseam.core.types import SearchResult, Source, Usage
from webseam.providers.wires import brave
from webseam.providers.wires.asking import Answer, Ask, Question
from webseam.providers.wires.clean import plain_text
from webseam.providers.wires.rows import Row, items, mapping, source, text
from webseam.providers.wires.vendor import Vendor, provider

MAX_RESULTS: Final = 50
"""Highest `maximum_number_of_urls`."""

_CONSIDERED: Final = 20
"""Hits that Brave takes passages from when `count` does not say more."""

_ISO: Final = 1  # of the three spellings of a page's date


class BraveContextOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[providers.brave-context]`. The token counts bound the passages, of all pages and of one."""

    base_url: str = "https://api.search.brave.com"
    num_results: Annotated[int, msgspec.Meta(ge=1, le=MAX_RESULTS)] | None = None
    max_tokens: Annotated[int, msgspec.Meta(ge=1024, le=32_768)] | None = None
    page_tokens: Annotated[int, msgspec.Meta(ge=512, le=8192)] | None = None
    threshold: Literal["strict", "balanced", "lenient"] | None = None


def _ask(question: Question[BraveContextOptions]) -> Ask:
    options, controls = question.options, question.controls
    brave.check_words(question.query, question.provider)
    wanted = question.wanted(MAX_RESULTS, options.num_results)
    return Ask(
        path="res/v1/llm/context",
        json={
            "q": question.query,
            "maximum_number_of_urls": wanted,
            "count": wanted if wanted and wanted > _CONSIDERED else None,
            "maximum_number_of_tokens": options.max_tokens,
            "maximum_number_of_tokens_per_url": options.page_tokens,
            "context_threshold_mode": options.threshold,
            "country": brave.country(controls, question.provider),
            "search_lang": brave.language(controls, question.provider),
            "freshness": brave.freshness(controls),
            "goggles": brave.goggles(controls),
        },
    )


def _read(answer: Answer[BraveContextOptions]) -> SearchResult:
    """Places and maps come without passages of the web, and are left aside."""
    empty = isinstance(answer.row.get("grounding"), dict) and answer.left_out("grounding", "generic")
    rows = [] if empty else answer.rows("grounding", "generic")
    told = mapping(answer.row.get("sources"))
    return answer.result(rows, lambda row: _source(row, told), usage=Usage(calls=1))


def _source(row: Row, told: Row) -> Source | None:
    """Passages and facts of a page stand apart, joined by its URL."""
    passages = filter(None, map(text, items(row.get("snippets"))))
    found = source(row, snippet="\n\n".join(passages) or None)
    if found is None:
        return None
    facts = mapping(told.get(found.url))
    age = items(facts.get("age"))
    published = text(age[_ISO]) if len(age) > _ISO else None
    return replace(found, title=plain_text(found.title or facts.get("title")), published_at=published)


VENDOR: Final[Vendor[BraveContextOptions]] = Vendor(
    ask=_ask,
    read=_read,
    native=lambda _: brave.NATIVE,
    key=brave.KEY,
    facts=brave.FACTS,
    one_list=True,
    query_chars=brave.QUERY_CHARS,
)
SPEC = ProviderSpec(
    kind="brave-context",
    capability="search",
    build=provider(VENDOR, BraveContextOptions),
    options=BraveContextOptions,
    key_env=("BRAVE_API_KEY", "BRAVE_SEARCH_API_KEY"),
    named_only=True,
    summary="Brave's context for models: pages with the passages that answer the query.",
    controls=brave.NATIVE,
)
