"""Bocha: a search API (POST /web-search). Facts: Bocha's MCP server; error codes are recalled."""

import re
from datetime import date
from typing import Annotated, Final, Literal

import msgspec

from webseam.core.plugin import ProviderSpec
from webseam.core.types import SearchResult, Source, Usage
from webseam.providers.wires.asking import Answer, Ask, Question
from webseam.providers.wires.days import span
from webseam.providers.wires.failures import ErrorFacts, message_of
from webseam.providers.wires.hits import first_text, hit
from webseam.providers.wires.rows import Row
from webseam.providers.wires.vendor import Vendor, provider

MAX_RESULTS: Final = 50
"""Highest `count` of Bocha."""

_NATIVE: Final = frozenset({"published_after", "published_before"})
_FACTS: Final = ErrorFacts(quota_words=("enough money", "insufficient balance"))  # under 403, by recollection
_FIRST_DAY: Final = date(1990, 1, 1)  # older than any page
_SUCCESS: Final = ("200", "")
_HTTP_ERROR: Final = re.compile(r"[45]\d\d", re.ASCII)


class BochaOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[providers.bocha]`. `freshness` holds for searches that name no days; `summary` asks for the long extract."""

    base_url: str = "https://api.bochaai.com/v1"
    freshness: Literal["noLimit", "oneDay", "oneWeek", "oneMonth", "oneYear"] = "noLimit"
    summary: bool = True
    num_results: Annotated[int, msgspec.Meta(ge=1, le=MAX_RESULTS)] | None = None


def _ask(question: Question[BochaOptions]) -> Ask:
    options = question.options
    return Ask(
        path="web-search",
        json={
            "query": question.query,
            "summary": options.summary,
            "freshness": _days(question) or options.freshness,
            "count": question.wanted(MAX_RESULTS, options.num_results),
        },
    )


def _days(question: Question[BochaOptions]) -> str | None:
    """One day or a range: an open range cannot be said, so it ends today, or begins before the web did."""
    days = span(question.controls, _FIRST_DAY, question.today)
    if days is None:
        return None
    first, last = days
    return str(first) if first == last else f"{first}..{last}"


def _read(answer: Answer[BochaOptions]) -> SearchResult:
    """`code` tells failures inside a success, as a number or as text; a success without pages found none."""
    code = str(answer.row.get("code") or "")
    if code not in _SUCCESS:
        told = message_of(answer.payload)
        raise answer.fault(int(code), told) if _HTTP_ERROR.fullmatch(code) else answer.refused(told or f"code {code}")
    data = answer.row.get("data")
    if not isinstance(data, dict):
        raise answer.lacking("data")
    return answer.result(answer.listed(data, "webPages", "value"), _source, usage=Usage(calls=1))


def _source(row: Row) -> Source | None:
    return hit(row, title="name", snippet=first_text(row, "summary", "snippet"), published_at=row.get("datePublished"))


VENDOR: Final[Vendor[BochaOptions]] = Vendor(ask=_ask, read=_read, native=lambda _: _NATIVE, facts=_FACTS)
SPEC = ProviderSpec(
    kind="bocha",
    capability="search",
    build=provider(VENDOR, BochaOptions),
    options=BochaOptions,
    key_env=("BOCHA_API_KEY",),
    summary="Bocha search API: Chinese and international pages with extracts and dates.",
    controls=_NATIVE,
)
