"""Google's Custom Search JSON API (GET /customsearch/v1). Closed to new customers; ends on 2027-01-01.

The fields are recalled from Google's reference.
"""

from dataclasses import replace
from typing import Annotated, Any, Final

import msgspec

from webseam.core.plugin import ProviderSpec
from webseam.core.types import ControlStatus, SearchResult, Source, Usage
from webseam.providers.wires.asking import Answer, Ask, Question
from webseam.providers.wires.clean import plain_text
from webseam.providers.wires.controls import EVERY_CONTROL, Checked, strict_only
from webseam.providers.wires.days import compact, span
from webseam.providers.wires.failures import ErrorFacts
from webseam.providers.wires.google_terms import CUSTOM_SEARCH, QUERY_CHARS, country, interface, written_in
from webseam.providers.wires.hits import hit
from webseam.providers.wires.operators import sites_within
from webseam.providers.wires.rows import Row, items, mapping, text
from webseam.providers.wires.vendor import Vendor, provider

MAX_RESULTS: Final = 10
"""Highest `num`."""

_DATES: Final = ("article:published_time", "datepublished", "date", "dc.date", "pubdate")
_SPENT: Final = frozenset({"dailylimitexceeded", "quotaexceeded"})
_HURRIED: Final = frozenset({"ratelimitexceeded", "userratelimitexceeded"})  # with HTTP 429 or 403


class GoogleCseOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[providers.google-cse]`. `cx` is the id of the search engine, from its control panel."""

    base_url: str = "https://www.googleapis.com"
    cx: str = ""
    num_results: Annotated[int, msgspec.Meta(ge=1, le=MAX_RESULTS)] | None = None


def _lacks(options: GoogleCseOptions) -> str | None:
    return None if options.cx.strip() else "no search engine is named; set its id as the option cx"


def _ask(question: Question[GoogleCseOptions]) -> Ask:
    options, controls = question.options, question.controls
    site, sense = _site(controls)
    days = span(controls)
    strict = strict_only(question.safe_search, question.provider)
    return Ask(
        method="GET",
        path="customsearch/v1",
        params={
            "cx": options.cx,
            "q": _query(question),
            "num": question.wanted(MAX_RESULTS, options.num_results),
            "siteSearch": site,
            "siteSearchFilter": sense,
            "sort": f"date:r:{compact(days[0])}:{compact(days[1])}" if days else None,
            "gl": country(controls),
            "hl": interface(controls, question.provider),
            "lr": written_in(controls, question.provider, CUSTOM_SEARCH),
            "safe": None if strict is None else "active" if strict else "off",
        },
    )


def _site(controls: Checked) -> tuple[str | None, str | None]:
    """The one domain that the field takes, and its sense: `i` includes, `e` excludes."""
    if controls.include_domains:
        return (controls.include_domains[0], "i") if len(controls.include_domains) == 1 else (None, None)
    return (controls.exclude_domains[0], "e") if len(controls.exclude_domains) == 1 else (None, None)


def _query(question: Question[GoogleCseOptions]) -> str:
    """What the field does not take of the domains goes as operators."""
    rest, sense = question.controls, _site(question.controls)[1]
    if sense == "i":
        rest = replace(rest, include_domains=())
    if sense == "e":
        rest = replace(rest, exclude_domains=())
    return sites_within(QUERY_CHARS, question.query, rest, question.provider)


def _read(answer: Answer[GoogleCseOptions]) -> SearchResult:
    """The list is left out when there are no hits; the count that comes with it is the evidence then."""
    empty = answer.left_out("items") and isinstance(answer.row.get("searchInformation"), dict)
    return answer.result(
        [] if empty else answer.rows("items"),
        _source,
        usage=Usage(calls=1),
        controls=_statuses(answer.question.controls),
    )


def _statuses(controls: Checked) -> dict[str, ControlStatus]:
    """Google itself holds one domain; the seam holds the rest."""
    included, excluded = len(controls.include_domains), len(controls.exclude_domains)
    statuses: dict[str, ControlStatus] = {}
    if included > 1:
        statuses["include_domains"] = "enforced"
    if excluded and (included or excluded > 1):
        statuses["exclude_domains"] = "enforced"
    return statuses


def _source(row: Row) -> Source | None:
    """Google's own fields hold no date; some pages declare one."""
    tags = next(iter(items(mapping(row.get("pagemap")).get("metatags"))), None)
    dates = (text(mapping(tags).get(name)) for name in _DATES)
    published = next(filter(None, dates), None)
    return hit(row, url="link", snippet=plain_text(row.get("snippet")), published_at=published)


def _spent(payload: Any) -> bool:
    """The day's quota and the minute's rate come with one status; only the reason tells them apart."""
    return not _SPENT.isdisjoint(_reasons(payload))


def _hurried(payload: Any) -> bool:
    """HTTP 403 may be a rate, too, and says nothing of the key then."""
    return not _HURRIED.isdisjoint(_reasons(payload))


def _reasons(payload: Any) -> frozenset[str]:
    errors = items(mapping(mapping(payload).get("error")).get("errors"))
    return frozenset((text(mapping(one).get("reason")) or "").lower() for one in errors)


_FACTS: Final = ErrorFacts(
    quota_words=("queries per day",), spent=_spent, hurried=_hurried, key_words=("api key not valid",)
)
VENDOR: Final[Vendor[GoogleCseOptions]] = Vendor(
    ask=_ask,
    read=_read,
    native=lambda _: EVERY_CONTROL,
    key=None,
    key_param="key",
    facts=_FACTS,
    query_chars=QUERY_CHARS,
    lacks=_lacks,
)
SPEC = ProviderSpec(
    kind="google-cse",
    capability="search",
    build=provider(VENDOR, GoogleCseOptions),
    options=GoogleCseOptions,
    key_env=("GOOGLE_CSE_API_KEY", "GOOGLE_SEARCH_API_KEY"),
    summary="Google Custom Search, for its present customers; it ends on 2027-01-01, and needs the option cx.",
    controls=EVERY_CONTROL,
    rests_on="recalled",
)
