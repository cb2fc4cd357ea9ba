"""Nimble: a search API (POST /search, version 2). Facts: Nimble's Python SDK and LiteLLM's mapping of version 2."""

from typing import Annotated, Final, Literal

import msgspec

from webseam.core.plugin import ProviderSpec
from webseam.core.types import SearchResult, Source, Usage
from webseam.providers.wires.asking import Answer, Ask, Question
from webseam.providers.wires.controls import at_most
from webseam.providers.wires.failures import message_of
from webseam.providers.wires.hits import first_text, hit
from webseam.providers.wires.rows import Row, mapping, text
from webseam.providers.wires.vendor import Vendor, provider

MAX_RESULTS: Final = 100
"""Highest `max_results` of Nimble."""

DOMAINS: Final = 50
"""Most entries of either list of domains."""

_NATIVE: Final = frozenset({"include_domains", "exclude_domains", "published_after", "published_before", "country"})


class NimbleOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[providers.nimble]`. `time_range` holds for searches that name no days; `answer` asks for a generated answer.

    `locale` is a preference for a language, no filter, so that a language is no control here. What is None is Nimble's
    own choice.
    """

    base_url: str = "https://sdk.nimbleway.com/v2"
    focus: Literal["general", "news", "coding", "academic"] = "general"
    search_depth: Literal["lite", "standard"] | None = None
    time_range: Literal["hour", "day", "week", "month", "year"] | None = None
    locale: str | None = None
    num_results: Annotated[int, msgspec.Meta(ge=1, le=MAX_RESULTS)] | None = None
    answer: bool = False


def _ask(question: Question[NimbleOptions]) -> Ask:
    options, controls = question.options, question.controls
    at_most("include_domains", controls.include_domains, DOMAINS, question.provider)
    at_most("exclude_domains", controls.exclude_domains, DOMAINS, question.provider)
    return Ask(
        path="search",
        json={
            "query": question.query,
            "focus": options.focus,
            "search_depth": options.search_depth,
            "max_results": question.wanted(MAX_RESULTS, options.num_results),
            "include_domains": list(controls.include_domains) or None,
            "exclude_domains": list(controls.exclude_domains) or None,
            "start_date": controls.after and controls.after.isoformat(),
            "end_date": controls.before and controls.before.isoformat(),
            "time_range": None if controls.after or controls.before else options.time_range,
            "country": controls.country,
            "locale": options.locale or None,
            "include_answer": options.answer or None,
        },
    )


def _read(answer: Answer[NimbleOptions]) -> SearchResult:
    """A failure may come as `success`, which is the text `"false"`; an answer without `results` is none."""
    if str(answer.row.get("success")).lower() == "false":
        raise answer.refused(message_of(answer.payload) or "it gave no reason")
    content = text(answer.row.get("answer")) if answer.question.options.answer else None
    return answer.result(answer.rows("results"), _source, content=content, usage=Usage(calls=1))


def _source(row: Row) -> Source | None:
    """Of the dates only `publish_date` is one; `publish_date_raw` reads "1 day ago"."""
    snippet = first_text(row, "content", "description")
    return hit(row, snippet=snippet, published_at=mapping(row.get("additional_data")).get("publish_date"))


VENDOR: Final[Vendor[NimbleOptions]] = Vendor(ask=_ask, read=_read, native=lambda _: _NATIVE)
SPEC = ProviderSpec(
    kind="nimble",
    capability="search",
    build=provider(VENDOR, NimbleOptions),
    options=NimbleOptions,
    key_env=("NIMBLE_API_KEY",),
    summary="Nimble search API: pages with extracts, by domain, day and country.",
    answer="option",
    controls=_NATIVE,
    rests_on="sdk",
)
