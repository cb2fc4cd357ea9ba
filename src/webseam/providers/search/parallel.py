"""Parallel: a search API (POST /v1/search) with excerpts chosen for a model. Facts: Parallel's Python SDK 1.3."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

import msgspec

from webseam.core.plugin import ProviderSpec
from webseam.core.text import one_line
from webseam.core.types import SearchResult, Source, Usage
from webseam.providers.wires.asking import Answer, Ask, Question
from webseam.providers.wires.clean import plain_text
from webseam.providers.wires.controls import Checked, at_most, excluded_alone
from webseam.providers.wires.hits import excerpts, hit
from webseam.providers.wires.rows import Row, items, mapping, text
from webseam.providers.wires.vendor import Vendor, in_header, provider

MAX_RESULTS: Final = 100
"""Parallel documents no cap on `max_results`; the seam asks nobody for more."""

DOMAINS: Final = 200
"""Most entries of both lists of domains together; only one of them is sent."""

_NATIVE: Final = frozenset({"include_domains", "exclude_domains", "published_after", "country"})


class ParallelOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[providers.parallel]`. `excerpt_chars` bounds the excerpts of one page; None lets Parallel decide."""

    base_url: str = "https://api.parallel.ai"
    mode: Literal["turbo", "fast", "basic", "advanced"] = "advanced"
    num_results: Annotated[int, msgspec.Meta(ge=1, le=MAX_RESULTS)] | None = None
    excerpt_chars: Annotated[int, msgspec.Meta(ge=1, le=100_000)] | None = None


def _ask(question: Question[ParallelOptions]) -> Ask:
    options, controls = question.options, question.controls
    at_most("include_domains", controls.include_domains, DOMAINS, question.provider)
    at_most("exclude_domains", excluded_alone(controls), DOMAINS, question.provider)
    settings = {
        "max_results": question.wanted(MAX_RESULTS, options.num_results),
        "location": controls.country,
        "source_policy": _policy(controls),
        "excerpt_settings": {"max_chars_per_result": options.excerpt_chars} if options.excerpt_chars else None,
    }
    return Ask(
        path="v1/search",
        json={"search_queries": [question.query], "mode": options.mode, "advanced_settings": _given(settings)},
    )


def _policy(controls: Checked) -> Mapping[str, Any] | None:
    """Parallel ignores what to exclude once it is told what to include; the day is inclusive."""
    excluded = excluded_alone(controls)
    return _given(
        {
            "include_domains": list(controls.include_domains) or None,
            "exclude_domains": list(excluded) or None,
            "after_date": controls.after and controls.after.isoformat(),
        }
    )


def _given(fields: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Without what is absent; None when nothing is left."""
    return {name: value for name, value in fields.items() if value is not None} or None


def _read(answer: Answer[ParallelOptions]) -> SearchResult:
    return answer.result(answer.rows("results"), _source, notices=_notices(answer.row), usage=Usage(calls=1))


def _source(row: Row) -> Source | None:
    passages = excerpts(map(plain_text, items(row.get("excerpts"))))
    return hit(row, snippet=passages, published_at=row.get("publish_date"))


def _notices(payload: Row) -> tuple[str, ...]:
    told = (text(mapping(one).get("message")) for one in items(payload.get("warnings")))
    return tuple(one_line(one) for one in told if one)


VENDOR: Final[Vendor[ParallelOptions]] = Vendor(
    ask=_ask,
    read=_read,
    native=lambda _: _NATIVE,
    key=in_header("x-api-key"),
    one_list=True,
)
SPEC = ProviderSpec(
    kind="parallel",
    capability="search",
    build=provider(VENDOR, ParallelOptions),
    options=ParallelOptions,
    key_env=("PARALLEL_API_KEY",),
    summary="Parallel search API: pages with excerpts chosen for a model, and dates.",
    controls=_NATIVE,
    rests_on="sdk",
)
