"""Serper: Google's results (POST /search). Its field list is recalled; requests follow a public client, 2026."""

from typing import Annotated, Final, Literal

import msgspec

from webseam.core.plugin import ProviderSpec
from webseam.core.types import SearchResult, Source, Usage
from webseam.providers.wires.asking import Answer, Ask, Question
from webseam.providers.wires.clean import plain_text
from webseam.providers.wires.days import google_span
from webseam.providers.wires.failures import ErrorFacts
from webseam.providers.wires.google_terms import QUERY_CHARS, TIMES, country, interface
from webseam.providers.wires.hits import hit, priced
from webseam.providers.wires.operators import sites_within
from webseam.providers.wires.rows import Row, number
from webseam.providers.wires.vendor import Vendor, in_header, provider

MAX_RESULTS: Final = 20
"""Highest `num` that is sure to be served; from 11 on a search costs two credits."""

_NATIVE: Final = frozenset({"published_after", "published_before", "country", "language"})
_FACTS: Final = ErrorFacts(quota_words=("not enough credits",))


class SerperOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[providers.serper]`. `time_range` limits every search that names no dates of its own."""

    base_url: str = "https://google.serper.dev"
    num_results: Annotated[int, msgspec.Meta(ge=1, le=MAX_RESULTS)] | None = None
    topic: Literal["search", "news"] = "search"
    time_range: Literal["hour", "day", "week", "month", "year"] | None = None
    location: str = ""
    autocorrect: bool = True


def _ask(question: Question[SerperOptions]) -> Ask:
    options, controls = question.options, question.controls
    return Ask(
        path=options.topic,
        json={
            "q": sites_within(QUERY_CHARS, question.query, controls, question.provider),
            "num": question.wanted(MAX_RESULTS, options.num_results),
            "gl": country(controls),
            "hl": interface(controls, question.provider),
            "tbs": google_span(controls) or TIMES.get(options.time_range or ""),
            "location": options.location or None,
            "autocorrect": None if options.autocorrect else False,
        },
    )


def _read(answer: Answer[SerperOptions]) -> SearchResult:
    """The list is left out when there are no hits; the parameters that it repeats are the evidence then."""
    payload = answer.row
    name = "news" if answer.question.options.topic == "news" else "organic"
    empty = answer.left_out(name) and isinstance(payload.get("searchParameters"), dict)
    return answer.result([] if empty else answer.rows(name), _source, usage=_usage(payload))


def _source(row: Row) -> Source | None:
    """Dates are what Google shows: `Mar 2, 2026`, `3 days ago`."""
    return hit(row, url="link", snippet=plain_text(row.get("snippet")), published_at=row.get("date"))


def _usage(payload: Row) -> Usage:
    """Serper bills in credits, not in money."""
    return priced(number(payload.get("credits")), "credits")


VENDOR: Final[Vendor[SerperOptions]] = Vendor(
    ask=_ask,
    read=_read,
    native=lambda _: _NATIVE,
    key=in_header("x-api-key"),
    facts=_FACTS,
    query_chars=QUERY_CHARS,
)
SPEC = ProviderSpec(
    kind="serper",
    capability="search",
    build=provider(VENDOR, SerperOptions),
    options=SerperOptions,
    key_env=("SERPER_API_KEY",),
    summary="Serper: Google's results by API, with the credits of each call.",
    controls=_NATIVE,
    rests_on="recalled",
)
