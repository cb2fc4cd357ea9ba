"""Marginalia: a search API (GET /search) over small, old-fashioned sites. Facts: its documentation and source."""

from typing import Annotated, Final

import msgspec

from webseam.core.plugin import ProviderSpec
from webseam.core.text import one_line
from webseam.core.types import SafeSearch, SearchResult, Source, Usage
from webseam.providers.wires.asking import Answer, Ask, Question
from webseam.providers.wires.clean import plain_text
from webseam.providers.wires.failures import ErrorFacts
from webseam.providers.wires.hits import hit
from webseam.providers.wires.operators import with_sites
from webseam.providers.wires.rows import Row, text
from webseam.providers.wires.vendor import Vendor, in_header, provider

MAX_RESULTS: Final = 100
"""Highest `count`, and highest `dc`."""

_NATIVE: Final = frozenset({"language", "safe_search"})
_FACTS: Final = ErrorFacts(quota_words=("daily limit",))  # both limits are HTTP 429, told apart in plain text
_TIERS: Final[dict[SafeSearch, int]] = {"off": 0, "moderate": 1, "strict": 2}
"""Off, dangerous sites out, adult sites and gambling out, too: the documentation has two of them, the source all."""


class MarginaliaOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[providers.marginalia]`. `filter` names a filter that was set up for the key."""

    base_url: str = "https://api2.marginalia-search.com"
    num_results: Annotated[int, msgspec.Meta(ge=1, le=MAX_RESULTS)] | None = None
    filter: Annotated[str, msgspec.Meta(pattern=r"\A[A-Za-z0-9_-]{0,64}\Z")] = ""


def _ask(question: Question[MarginaliaOptions]) -> Ask:
    """One domain goes into the query, then with more hits a domain than the usual two; the seam holds all others."""
    controls = question.controls
    one = controls.include_domains if len(controls.include_domains) == 1 else ()
    return Ask(
        path="search",
        method="GET",
        params={
            "query": with_sites(question.query, one),
            "count": question.wanted(MAX_RESULTS, question.options.num_results),
            "dc": MAX_RESULTS if one else None,
            "nsfw": None if question.safe_search is None else _TIERS[question.safe_search],
            "lang": controls.language,
            "filter": question.options.filter or None,
        },
    )


def _read(answer: Answer[MarginaliaOptions]) -> SearchResult:
    return answer.result(answer.rows("results"), _source, notices=_notices(answer.row), usage=Usage(calls=1))


def _source(row: Row) -> Source | None:
    return hit(row, snippet=plain_text(row.get("description")))


def _notices(payload: Row) -> tuple[str, ...]:
    """A free key's results may not be used commercially, and every answer says so."""
    terms = text(payload.get("license"))
    return () if terms is None else (one_line(f"Marginalia gives these results under this licence: {terms}"),)


VENDOR: Final[Vendor[MarginaliaOptions]] = Vendor(
    ask=_ask,
    read=_read,
    native=lambda _: _NATIVE,
    key=in_header("api-key"),
    facts=_FACTS,
)
SPEC = ProviderSpec(
    kind="marginalia",
    capability="search",
    build=provider(VENDOR, MarginaliaOptions),
    options=MarginaliaOptions,
    key_env=("MARGINALIA_API_KEY",),
    summary="Marginalia search API: independent index of small and text-heavy sites.",
    controls=_NATIVE,
)
