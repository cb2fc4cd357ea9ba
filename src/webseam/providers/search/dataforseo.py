"""DataForSEO: Google's result pages (POST /serp/google/organic/live/advanced). Facts: its Python client and help pages.

Nearly every failure comes as HTTP 200, with a code inside; the meaning of the rarer codes is recalled.
"""

from typing import Annotated, Final

import msgspec

from webseam.core.plugin import ProviderSpec
from webseam.core.text import one_line
from webseam.core.types import SearchResult, Source
from webseam.providers.wires.asking import Answer, Ask, Question
from webseam.providers.wires.controls import strict_only, unsupported
from webseam.providers.wires.countries import numeric
from webseam.providers.wires.days import google_span
from webseam.providers.wires.google_terms import WEB_SEARCH, written_in
from webseam.providers.wires.hits import first_text, hit, priced
from webseam.providers.wires.operators import sites_within
from webseam.providers.wires.rows import Row, mapping, number, numeral, text
from webseam.providers.wires.vendor import Vendor, basic, provider

QUERY_CHARS: Final = 700
"""Longest `keyword`, counted before its percent signs are escaped."""

MAX_RESULTS: Final = 200
"""Highest `depth` of live searches; every ten hits are billed as a page."""

_COUNTRY_BASE: Final = 2000
"""A country's `location_code` is this and its ISO 3166-1 number, as in Google's table of places."""

_NATIVE: Final = frozenset({"published_after", "published_before", "country", "language", "safe_search"})
_DONE: Final = 20000
_FAULTS: Final = 40000
_FOUND_NOTHING: Final = 40102
_ENGINE_FAILED: Final = frozenset({40101, 40103})
_TOLD: Final = (401, 402, 404)
_MEANT: Final = {40104: 403, 40202: 429, 40204: 403, 40207: 403, 40209: 429}
"""HTTP statuses of codes whose first three digits say another one: access, rate, too many at once."""


class DataForSeoOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[providers.dataforseo]`. Its key is `login:password`.

    `location_code` (2840: United States) and `language_code` hold where a request names none: it needs both.
    """

    base_url: str = "https://api.dataforseo.com/v3"
    location_code: Annotated[int, msgspec.Meta(ge=1)] = 2840
    language_code: Annotated[str, msgspec.Meta(min_length=2)] = "en"
    num_results: Annotated[int, msgspec.Meta(ge=1, le=MAX_RESULTS)] | None = None


def _ask(question: Question[DataForSeoOptions]) -> Ask:
    """One task in a list. `keyword` is percent-decoded there, and a plus sign is a space, so both are escaped."""
    options = question.options
    restricted = written_in(question.controls, question.provider, WEB_SEARCH)
    task = {
        "keyword": _query(question).replace("%", "%25").replace("+", "%2B"),
        "location_code": _location(question),
        "language_code": _language(question, restricted),
        "depth": question.wanted(MAX_RESULTS, options.num_results),
        "search_param": _parameters(question, restricted) or None,
    }
    return Ask(
        path="serp/google/organic/live/advanced",
        json=[{name: value for name, value in task.items() if value is not None}],
    )


def _query(question: Question[DataForSeoOptions]) -> str:
    """`site:` makes a search five times as dear: domains to exclude go along only where it is paid anyway."""
    if not question.controls.include_domains:
        return question.query
    return sites_within(QUERY_CHARS, question.query, question.controls, question.provider)


def _location(question: Question[DataForSeoOptions]) -> int:
    code = question.controls.country
    known = numeric(code or "")
    if code is not None and known is None:
        raise unsupported("country", code, "ISO 3166-1 has no such country.", question.provider)
    return question.options.location_code if known is None else _COUNTRY_BASE + known


def _language(question: Question[DataForSeoOptions], restricted: str | None) -> str:
    """Chinese by its script, any other language by its own code."""
    name = (restricted or "").removeprefix("lang_")
    return name if name.startswith("zh") else question.controls.language or question.options.language_code


def _parameters(question: Question[DataForSeoOptions], restricted: str | None) -> str:
    """Google's own parameters, as they stand in its URL; `safe=images` turns the filter off."""
    strict = strict_only(question.safe_search, question.provider)
    safe = None if strict is None else "active" if strict else "images"
    wanted = {"lr": restricted, "tbs": google_span(question.controls), "safe": safe}
    return "".join(f"&{name}={value}" for name, value in wanted.items() if value)


def _read(answer: Answer[DataForSeoOptions]) -> SearchResult:
    """The call has a code, and so has its task; of what Google shows, only its plain hits are sources."""
    _judge(answer, answer.row)
    task = mapping(next(iter(answer.rows("tasks")), None))
    usage = priced(number(answer.row.get("cost")), "USD")
    if numeral(task.get("status_code")) == _FOUND_NOTHING:
        return answer.result((), _source, usage=usage)
    _judge(answer, task)
    if task.get("status_code") != _DONE:
        raise answer.lacking("tasks")
    found = next(iter(answer.listed(task, "result")), None)
    hits = (row for row in answer.listed(found, "items") if mapping(row).get("type") in ("organic", None))
    return answer.result(hits, _source, notices=_notices(mapping(found)), usage=usage)


def _judge(answer: Answer[DataForSeoOptions], part: Row) -> None:
    """Raise what a code means; a part without a code is judged by its shape."""
    code = numeral(part.get("status_code"))
    if code is None or code < _FAULTS:
        return
    said = text(part.get("status_message"))
    raise answer.engines_failed(said) if code in _ENGINE_FAILED else answer.fault(_status(code), said)


def _status(code: int) -> int:
    """The HTTP status of a code: most start with it, and faults of a field or a path are no faults of access."""
    told = code // 100
    plain = told if told in _TOLD or 500 <= told < 600 else 400 if told < 500 else 500  # noqa: PLR2004 - RFC 9110
    return _MEANT.get(code, plain)


def _source(row: Row) -> Source | None:
    return hit(row, snippet=first_text(row, "description"), published_at=row.get("timestamp"))


def _notices(found: Row) -> tuple[str, ...]:
    """Google may have looked for something else than was asked."""
    spell = mapping(found.get("spell"))
    instead, how = text(spell.get("keyword")), text(spell.get("type"))
    if instead is None or how == "did_you_mean":
        return ()
    return (one_line(f"Google looked for {instead!r} instead ({(how or 'corrected').replace('_', ' ')})."),)


VENDOR: Final[Vendor[DataForSeoOptions]] = Vendor(
    ask=_ask, read=_read, native=lambda _: _NATIVE, key=basic, query_chars=QUERY_CHARS
)
SPEC = ProviderSpec(
    kind="dataforseo",
    capability="search",
    build=provider(VENDOR, DataForSeoOptions),
    options=DataForSeoOptions,
    key_env=("DATAFORSEO_CREDENTIALS",),
    summary="DataForSEO: Google's hits by place and language, with the cost of each call; its key is login:password.",
    controls=_NATIVE,
)
