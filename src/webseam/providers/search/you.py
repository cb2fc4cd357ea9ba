"""You.com: a search API (POST /v1/search), with a key or keyless. Facts: You.com's SDK 3.6 and public clients."""

from collections.abc import Iterator
from itertools import zip_longest
from typing import Annotated, Any, Final

import msgspec

from webseam.core.plugin import ProviderSpec
from webseam.core.types import SearchResult, Source, Usage
from webseam.providers.wires.asking import Answer, Ask, Question
from webseam.providers.wires.clean import plain_text
from webseam.providers.wires.controls import EVERY_CONTROL, Checked, at_most, excluded_alone, unsupported
from webseam.providers.wires.days import span
from webseam.providers.wires.hits import excerpts, hit
from webseam.providers.wires.languages import variant
from webseam.providers.wires.rows import Row, items, mapping
from webseam.providers.wires.vendor import Vendor, in_header, provider

MAX_RESULTS: Final = 100
"""Highest `count`, which holds for web pages and for news, each."""

DOMAINS: Final = 500
"""Most entries of either list of domains."""

KEYED_URL: Final = "https://ydc-index.io"
KEYLESS_URL: Final = "https://api.you.com"

_COUNTRIES: Final = """
AR AT AU BE BR CA CH CL CN DE DK ES FI FR GB HK ID IN IT JP KR MX MY NL NO NZ PH PL PT RU SA SE TR TW US ZA
"""
_KNOWN_COUNTRIES: Final = frozenset(_COUNTRIES.split())
_LANGUAGES: Final = """
AR BG BN CA CS DA DE EL EN EN-GB ES ET EU FI FR GL GU HE HI HR HU IS IT JA KN KO LT LV ML MR MS NB NL PA PL PT-BR PT-PT
RO RU SK SL SR SV TA TE TH TR UK VI ZH-HANS ZH-HANT
"""
_KNOWN_LANGUAGES: Final = frozenset(_LANGUAGES.split())


class YouOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[providers.you]`. `num_results` counts web pages and news, each; `highlights` asks for longer excerpts.

    Highlights need a key. Without one the question goes to You.com's keyless service, on a host of its own; a
    `base_url` that is set serves both.
    """

    base_url: str = KEYED_URL
    num_results: Annotated[int, msgspec.Meta(ge=1, le=MAX_RESULTS)] | None = None
    highlights: bool = False


def _place(options: YouOptions, question: Question[YouOptions] | None) -> str:
    keyless = question is not None and not question.keyed
    return KEYLESS_URL if keyless and options.base_url == KEYED_URL else options.base_url


def _ask(question: Question[YouOptions]) -> Ask:
    """You.com takes one list of domains, and answers both with HTTP 422."""
    options, controls = question.options, question.controls
    at_most("include_domains", controls.include_domains, DOMAINS, question.provider)
    at_most("exclude_domains", controls.exclude_domains, DOMAINS, question.provider)
    excluded = excluded_alone(controls)
    return Ask(
        path="v1/search" if question.keyed else "v1/agents/search",
        json={
            "query": question.query,
            "count": question.wanted(MAX_RESULTS, options.num_results),
            "freshness": _freshness(controls),
            "country": _country(question),
            "language": _language(question),
            "safesearch": question.safe_search,
            "include_domains": list(controls.include_domains) or None,
            "exclude_domains": list(excluded) or None,
            "extraction": {"extraction_mode": "highlights"} if options.highlights and question.keyed else None,
        },
    )


def _freshness(controls: Checked) -> str | None:
    days = span(controls)
    return None if days is None else f"{days[0]}to{days[1]}"


def _country(question: Question[YouOptions]) -> str | None:
    code = question.controls.country
    if code is not None and code not in _KNOWN_COUNTRIES:
        raise unsupported("country", code, "It is not among the countries it takes.", question.provider)
    return code


def _language(question: Question[YouOptions]) -> str | None:
    """A language, and its script or region where You.com tells them apart."""
    name = (variant(question.controls) or "").upper() or None
    if name is not None and name not in _KNOWN_LANGUAGES:
        why = "It is not among the languages it takes."
        raise unsupported("language", question.controls.tag or "", why, question.provider)
    return name


def _read(answer: Answer[YouOptions]) -> SearchResult:
    """Every section is left out when it is empty; `metadata` is then the evidence of a search."""
    results = answer.row.get("results")
    web, news = (answer.listed(results, name) for name in ("web", "news"))
    empty = bool(mapping(answer.row.get("metadata"))) and answer.left_out("results", "web")
    if not any(isinstance(mapping(results).get(name), list) for name in ("web", "news")) and not empty:
        raise answer.lacking("results")
    return answer.result(_by_rank(web, news), _source, usage=Usage(calls=1))


def _by_rank(web: list[Any], news: list[Any]) -> Iterator[Any]:
    """Two lists of equal standing as one: the first of each, the second of each, and so on."""
    absent = object()
    for pair in zip_longest(web, news, fillvalue=absent):
        yield from (one for one in pair if one is not absent)


def _source(row: Row) -> Source | None:
    highlights = items(mapping(row.get("contents")).get("highlights"))
    passages = excerpts(map(plain_text, highlights or items(row.get("snippets"))))
    return hit(row, snippet=passages or plain_text(row.get("description")), published_at=row.get("page_age"))


VENDOR: Final[Vendor[YouOptions]] = Vendor(
    ask=_ask,
    read=_read,
    native=lambda _: EVERY_CONTROL,
    key=in_header("x-api-key"),
    keyless={"accept-encoding": "identity"},  # the keyless service sends broken gzip
    place=_place,
    one_list=True,
)
SPEC = ProviderSpec(
    kind="you",
    capability="search",
    build=provider(VENDOR, YouOptions),
    options=YouOptions,
    key_env=("YDC_API_KEY",),
    key_optional=True,
    summary="You.com search API: pages and news with excerpts; works without a key for about 100 searches a day.",
    controls=EVERY_CONTROL,
    rests_on="sdk",
)
