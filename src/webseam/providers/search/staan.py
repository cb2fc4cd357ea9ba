"""Staan: the index of Qwant and Ecosia (POST /search/web). Facts: public clients that quote Staan's documentation."""

from dataclasses import replace
from itertools import chain
from typing import Annotated, Any, Final, Literal, TypeAlias, get_args

import msgspec

from webseam.core.plugin import ProviderSpec
from webseam.core.types import SearchResult, Source, Usage
from webseam.providers.wires.asking import Answer, Ask, Question
from webseam.providers.wires.clean import plain_text
from webseam.providers.wires.controls import at_most, excluded_alone, unsupported
from webseam.providers.wires.hits import excerpts, hit
from webseam.providers.wires.rows import Row, items, mapping
from webseam.providers.wires.vendor import Vendor, provider

QUERY_CHARS: Final = 400
"""Longest `q` of Staan; a longer one is HTTP 400."""

PAGE: Final = 10
"""Hits of one answer: `count` is fixed."""

MAX_RESULTS: Final = 40
"""The last `offset` that Staan takes is 30; each page is a request of its own, and billed."""

DOMAINS: Final = 10
"""Most entries of either list of domains."""

Market: TypeAlias = Literal[
    "fr-fr", "de-de", "en-us", "en-gb", "en-ca", "en-au", "en-in", "en-ie", "en-nz", "en-za", "en-sg", "en-fr"
]
_MARKETS: Final[tuple[Market, ...]] = get_args(Market)
_NATIVE: Final = frozenset({"include_domains", "exclude_domains", "country", "language"})


class StaanOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[providers.staan]`. `market` holds when neither country nor language is asked; Staan's own default is `fr-fr`.

    `num_results` over 10 costs a request for each 10 hits. `extra_snippets` is how many passages to add to a snippet.
    """

    base_url: str = "https://api.staan.ai/v2"
    market: Market = "en-us"
    num_results: Annotated[int, msgspec.Meta(ge=1, le=MAX_RESULTS)] | None = None
    extra_snippets: Annotated[int, msgspec.Meta(ge=1, le=10)] | None = None


def _ask(question: Question[StaanOptions]) -> Ask:
    """Staan takes one list of domains; with both asked the seam holds the exclusion on the results."""
    options, controls = question.options, question.controls
    excluded = excluded_alone(controls)
    at_most("include_domains", controls.include_domains, DOMAINS, question.provider)
    at_most("exclude_domains", excluded, DOMAINS, question.provider)
    return Ask(
        path="search/web",
        json={
            "q": question.query,
            "market": _market(question),
            "extra_snippets": True if options.extra_snippets else None,
            "max_snippets": options.extra_snippets,
            "include_domains": list(controls.include_domains) or None,
            "exclude_domains": list(excluded) or None,
        },
        wanted=question.wanted(MAX_RESULTS, options.num_results),
    )


def _market(question: Question[StaanOptions]) -> str:
    """A market is a language and a country; the one not asked is open, and the configured market goes first."""
    country, language, tag = question.controls.country, question.controls.language, question.controls.tag
    fits = [
        market
        for market in (question.options.market, *_MARKETS)
        if (language is None or market.startswith(f"{language}-"))
        and (country is None or market.endswith(f"-{country.lower()}"))
    ]
    if fits:
        return tag if tag in fits else fits[0]
    name, value = ("country", country) if country else ("language", language)
    known = f"Its markets are {', '.join(sorted(_MARKETS))}."
    raise unsupported(name, str(value), known, question.provider)


def _more(ask: Ask, payload: Any) -> Ask | None:
    """The next page, while hits are wanted and pages come full."""
    body = mapping(ask.json)
    following = int(body.get("offset", 0)) + PAGE
    if following >= (ask.wanted or PAGE) or len(_rows(payload) or ()) < PAGE:
        return None
    return replace(ask, json={**body, "offset": following})


def _rows(page: Any) -> list[Any] | None:
    rows = mapping(mapping(page).get("web")).get("results")
    return rows if isinstance(rows, list) else None


def _read(answer: Answer[StaanOptions]) -> SearchResult:
    """The first page must be one; a later page that is none leaves the answer short, and says so."""
    first, *later = answer.payload if isinstance(answer.payload, tuple) else (answer.payload,)
    rows = replace(answer, payload=first).rows("web", "results")
    more = [_rows(page) for page in later]
    found = chain(rows, *(page for page in more if page is not None))
    return answer.result(found, _source, truncated=None in more, usage=Usage(calls=1 + len(later)))


def _source(row: Row) -> Source | None:
    """A passage may repeat the snippet."""
    passages = (row.get("snippet"), *(mapping(one).get("chunk") for one in items(row.get("extra_snippets"))))
    joined = excerpts(dict.fromkeys(map(plain_text, passages)))
    return hit(row, snippet=joined, published_at=row.get("published_date"))


VENDOR: Final[Vendor[StaanOptions]] = Vendor(
    ask=_ask,
    read=_read,
    native=lambda _: _NATIVE,
    one_list=True,
    query_chars=QUERY_CHARS,
    more=_more,
    join=tuple,
)
SPEC = ProviderSpec(
    kind="staan",
    capability="search",
    build=provider(VENDOR, StaanOptions),
    options=StaanOptions,
    key_env=("STAAN_API_KEY",),
    summary="Staan search API: the European index of Qwant and Ecosia.",
    controls=_NATIVE,
)
