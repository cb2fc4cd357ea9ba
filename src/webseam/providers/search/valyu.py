"""Valyu: a search API (POST /search). Facts: Valyu's Python SDK 2.13."""

from typing import Annotated, Final, Literal

import msgspec

from webseam.core.plugin import ProviderSpec
from webseam.core.text import one_line
from webseam.core.types import SearchResult, Source, Usage
from webseam.providers.wires.asking import Answer, Ask, Question
from webseam.providers.wires.controls import excluded_alone, unsupported
from webseam.providers.wires.hits import first_text, hit, priced
from webseam.providers.wires.rows import Row, number, text
from webseam.providers.wires.vendor import Vendor, in_header, provider

MAX_RESULTS: Final = 100
"""Highest `max_num_results` that the SDK lets through."""

_NATIVE: Final = frozenset({"include_domains", "exclude_domains", "published_after", "published_before", "country"})

_COUNTRIES: Final = """
AR AT AU BE BR CA CH CL CN DE DK ES FI FR GB HK ID IN IT JP KR MX MY NL NO NZ PH PL PT RU SA SE TR TW US ZA
"""
_KNOWN_COUNTRIES: Final = frozenset(_COUNTRIES.split())


class ValyuOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[providers.valyu]`. `max_price` bounds what a search may cost, in US dollars per thousand results."""

    base_url: str = "https://api.valyu.ai/v1"
    search_type: Literal["web", "news", "proprietary", "all"] = "web"
    response_length: Literal["short", "medium", "large"] = "short"
    max_price: Annotated[float, msgspec.Meta(gt=0)] | None = None
    num_results: Annotated[int, msgspec.Meta(ge=1, le=MAX_RESULTS)] | None = None


def _ask(question: Question[ValyuOptions]) -> Ask:
    options, controls = question.options, question.controls
    excluded = list(excluded_alone(controls)) or None
    return Ask(
        path="search",
        json={
            "query": question.query,
            "search_type": options.search_type,
            "response_length": options.response_length,
            "is_tool_call": True,
            "max_price": options.max_price,
            "max_num_results": question.wanted(MAX_RESULTS, options.num_results),
            "included_sources": list(controls.include_domains) or None,
            "excluded_sources": excluded,
            "start_date": controls.after and controls.after.isoformat(),
            "end_date": controls.before and controls.before.isoformat(),
            "country_code": _country(question),
        },
    )


def _country(question: Question[ValyuOptions]) -> str | None:
    """The code, where Valyu knows it: the SDK lets no other through."""
    code = question.controls.country
    if code is not None and code not in _KNOWN_COUNTRIES:
        raise unsupported("country", code, "It is not among the countries it takes.", question.provider)
    return code


def _read(answer: Answer[ValyuOptions]) -> SearchResult:
    """An `error` text beside an empty list of results is how Valyu says that it found nothing."""
    rows = answer.rows("results")
    told = text(answer.row.get("error"))
    if told and not rows:
        return answer.nothing(_usage(answer.row), notices=(one_line(told),))
    return answer.result(rows, _source, usage=_usage(answer.row))


def _source(row: Row) -> Source | None:
    return hit(row, snippet=first_text(row, "content", "description"), published_at=row.get("publication_date"))


def _usage(payload: Row) -> Usage:
    return priced(number(payload.get("total_deduction_dollars")), "USD")


VENDOR: Final[Vendor[ValyuOptions]] = Vendor(
    ask=_ask, read=_read, native=lambda _: _NATIVE, key=in_header("x-api-key"), one_list=True
)
SPEC = ProviderSpec(
    kind="valyu",
    capability="search",
    build=provider(VENDOR, ValyuOptions),
    options=ValyuOptions,
    key_env=("VALYU_API_KEY",),
    summary="Valyu search API: pages with long extracts, dates and the cost of each call.",
    controls=_NATIVE,
    rests_on="sdk",
)
