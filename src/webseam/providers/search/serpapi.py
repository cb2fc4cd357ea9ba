"""SerpApi: Google's results (GET /search). Facts: SerpApi's Python SDK 1.2 and its page on search errors."""

from typing import Annotated, Final, Literal

import msgspec

from webseam.core.plugin import ProviderSpec
from webseam.core.types import SearchResult, Source, Usage
from webseam.providers.wires.asking import Answer, Ask, Question
from webseam.providers.wires.clean import plain_text
from webseam.providers.wires.controls import strict_only
from webseam.providers.wires.days import google_span
from webseam.providers.wires.failures import ErrorFacts
from webseam.providers.wires.google_terms import (
    QUERY_CHARS,
    TIMES,
    WEB_SEARCH,
    country,
    interface,
    written_in,
)
from webseam.providers.wires.hits import hit
from webseam.providers.wires.operators import sites_within
from webseam.providers.wires.rows import Row, mapping, text
from webseam.providers.wires.vendor import Vendor, provider

MAX_RESULTS: Final = 100
"""Highest `num`; Google itself now gives ten a page, whatever is asked."""

_NATIVE: Final = frozenset({"published_after", "published_before", "country", "language", "safe_search"})
_FACTS: Final = ErrorFacts(quota_words=("run out of searches", "plan limit"), key_words=("invalid api key",))
_EMPTY_STATE: Final = "fully empty"
_EMPTY_WORDS: Final = "returned any results"


class SerpApiOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[providers.serpapi]`. `time_range` limits every search that names no dates of its own."""

    base_url: str = "https://serpapi.com"
    engine: Literal["google", "google_light"] = "google"
    num_results: Annotated[int, msgspec.Meta(ge=1, le=MAX_RESULTS)] | None = None
    time_range: Literal["hour", "day", "week", "month", "year"] | None = None
    location: str = ""


def _ask(question: Question[SerpApiOptions]) -> Ask:
    """`hl` makes Google answer in a language, `lr` keeps other languages out."""
    options, controls = question.options, question.controls
    strict = strict_only(question.safe_search, question.provider)
    return Ask(
        method="GET",
        path="search",
        params={
            "engine": options.engine,
            "q": sites_within(QUERY_CHARS, question.query, controls, question.provider),
            "num": question.wanted(MAX_RESULTS, options.num_results),
            "gl": country(controls),
            "hl": interface(controls, question.provider),
            "lr": written_in(controls, question.provider, WEB_SEARCH),
            "tbs": google_span(controls) or TIMES.get(options.time_range or ""),
            "safe": None if strict is None else "active" if strict else "off",
            "location": options.location or None,
        },
    )


def _read(answer: Answer[SerpApiOptions]) -> SearchResult:
    """An `error` beside `Success` and an empty state says that Google found nothing; any other one is a failure."""
    payload = answer.row
    if not payload.get("organic_results") and _is_empty(payload):
        return answer.nothing(Usage(calls=1))
    fault = text(payload.get("error"))
    if fault is not None and payload.get("organic_results") is None:
        raise answer.fault(503, fault)
    return answer.result(answer.rows("organic_results"), _source, usage=Usage(calls=1))


def _is_empty(payload: Row) -> bool:
    if _word(mapping(payload.get("search_metadata")).get("status")) != "success":
        return False
    state = _word(mapping(payload.get("search_information")).get("organic_results_state"))
    return state == _EMPTY_STATE or _EMPTY_WORDS in _word(payload.get("error")) or not payload.get("error")


def _word(value: object) -> str:
    return (text(value) or "").lower()


def _source(row: Row) -> Source | None:
    """Dates are what Google shows: `Mar 2, 2026`, `3 days ago`."""
    return hit(row, url="link", snippet=plain_text(row.get("snippet")), published_at=row.get("date"))


VENDOR: Final[Vendor[SerpApiOptions]] = Vendor(
    ask=_ask,
    read=_read,
    native=lambda _: _NATIVE,
    key=None,
    key_param="api_key",
    facts=_FACTS,
    query_chars=QUERY_CHARS,
)
SPEC = ProviderSpec(
    kind="serpapi",
    capability="search",
    build=provider(VENDOR, SerpApiOptions),
    options=SerpApiOptions,
    key_env=("SERPAPI_API_KEY", "SERPAPI_KEY"),
    summary="SerpApi: Google's results by API.",
    controls=_NATIVE,
    rests_on="sdk",
)
