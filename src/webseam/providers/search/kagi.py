"""Kagi: a search API (POST /api/v1/search). Facts: Kagi's documentation of 2026 and public clients of version 1."""

from typing import Annotated, Final

import msgspec

from webseam.core.plugin import ProviderSpec
from webseam.core.types import SearchResult, Source, Usage
from webseam.providers.wires.asking import Answer, Ask, Question
from webseam.providers.wires.controls import strict_only
from webseam.providers.wires.failures import ErrorFacts, codes_of, message_of
from webseam.providers.wires.hits import first_text, hit
from webseam.providers.wires.operators import with_sites
from webseam.providers.wires.rows import Row, items, mapping, text
from webseam.providers.wires.vendor import Vendor, provider

MAX_RESULTS: Final = 40
"""Highest `limit` that Kagi's public clients send."""

_NATIVE: Final = frozenset({"published_after", "safe_search"})
_FACTS: Final = ErrorFacts(quota_words=("insufficient credit",))


class KagiOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[providers.kagi]`. `num_results` holds when a request names no bound."""

    base_url: str = "https://kagi.com/api/v1"
    num_results: Annotated[int, msgspec.Meta(ge=1, le=MAX_RESULTS)] | None = None


def _ask(question: Question[KagiOptions]) -> Ask:
    """Domains go into the query, which Kagi narrows by; the seam holds them."""
    controls = question.controls
    return Ask(
        path="search",
        json={
            "query": with_sites(question.query, controls.include_domains, controls.exclude_domains),
            "workflow": "search",
            "limit": question.wanted(MAX_RESULTS, question.options.num_results),
            "filters": {"after": controls.after.isoformat()} if controls.after else None,
            "safe_search": strict_only(question.safe_search, question.provider),
        },
    )


def _read(answer: Answer[KagiOptions]) -> SearchResult:
    """Hits stand under `data.search`, which is left out when there are none; any `error` may come in a 200."""
    error = answer.row.get("error")
    if items(error) or text(error):
        raise answer.fault(400, message_of(answer.payload), *codes_of(answer.payload))
    data = answer.row.get("data")
    rows = mapping(data).get("search")
    if not isinstance(data, dict) or not (isinstance(rows, list) or _is_empty(answer)):
        raise answer.lacking("data.search")
    return answer.result(items(rows), _source, usage=Usage(calls=1))


def _is_empty(answer: Answer[KagiOptions]) -> bool:
    """Every answer of Kagi's says in `meta` which search it was: without hits that is the evidence of one."""
    return bool(mapping(answer.row.get("meta"))) and answer.left_out("data", "search")


def _source(row: Row) -> Source | None:
    return hit(row, snippet=first_text(row, "snippet"), published_at=row.get("time"))


VENDOR: Final[Vendor[KagiOptions]] = Vendor(ask=_ask, read=_read, native=lambda _: _NATIVE, facts=_FACTS)
SPEC = ProviderSpec(
    kind="kagi",
    capability="search",
    build=provider(VENDOR, KagiOptions),
    options=KagiOptions,
    key_env=("KAGI_API_KEY",),
    summary="Kagi search API: ad-free results with snippets and dates.",
    controls=_NATIVE,
    rests_on="recalled",
)
