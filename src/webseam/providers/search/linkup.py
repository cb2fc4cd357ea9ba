"""Linkup: a search API (POST /v1/search), with or without an answer. Facts: Linkup's Python SDK 0.24."""

from typing import Annotated, Any, Final, Literal

import msgspec

from webseam.core.plugin import ProviderSpec
from webseam.core.types import SearchResult, Source, Usage
from webseam.providers.wires.asking import Answer, Ask, Question
from webseam.providers.wires.controls import at_most
from webseam.providers.wires.failures import codes_of
from webseam.providers.wires.hits import first_text, hit
from webseam.providers.wires.known_facts import LINKUP
from webseam.providers.wires.rows import Row, mapping, text
from webseam.providers.wires.vendor import Vendor, provider

MAX_RESULTS: Final = 100
"""Linkup documents no cap on `maxResults`; the seam asks nobody for more."""

INCLUDED_DOMAINS: Final = 100
"""Most entries of `includeDomains`."""

_NOTHING_FOUND: Final = "search_query_no_result"  # comes as HTTP 400
_NATIVE: Final = frozenset({"include_domains", "exclude_domains", "published_after", "published_before"})


class LinkupOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[providers.linkup]`. `answer` asks for a generated answer with its sources, in place of hits with long texts."""

    base_url: str = "https://api.linkup.so/v1"
    depth: Literal["flash", "fast", "standard", "deep"] = "standard"
    num_results: Annotated[int, msgspec.Meta(ge=1, le=MAX_RESULTS)] | None = None
    answer: bool = False


def _ask(question: Question[LinkupOptions]) -> Ask:
    options, controls = question.options, question.controls
    at_most("include_domains", controls.include_domains, INCLUDED_DOMAINS, question.provider)
    return Ask(
        path="search",
        json={
            "q": question.query,
            "depth": options.depth,
            "outputType": "sourcedAnswer" if options.answer else "searchResults",
            "maxResults": question.wanted(MAX_RESULTS, options.num_results),
            "fromDate": controls.after and controls.after.isoformat(),
            "toDate": controls.before and controls.before.isoformat(),
            "includeDomains": list(controls.include_domains) or None,
            "excludeDomains": list(controls.exclude_domains) or None,
        },
    )


def _read(answer: Answer[LinkupOptions]) -> SearchResult:
    """No hits come as an error with a code of its own, and are none; every other error is one."""
    if answer.refusal is not None:
        if _NOTHING_FOUND not in codes_of(answer.payload):
            raise answer.refusal
        return answer.nothing(Usage(calls=1))
    if answer.question.options.answer:
        rows, content = answer.rows("sources"), text(answer.row.get("answer"))
    else:
        rows, content = answer.rows("results"), None
    return answer.result(filter(_is_page, rows), _source, content=content, usage=Usage(calls=1))


def _is_page(row: Any) -> bool:
    """Pictures come in the same list; what is no object at all is left to be counted."""
    return mapping(row).get("type") != "image"


def _source(row: Row) -> Source | None:
    """A hit has its text in `content`, a source of an answer in `snippet`; neither has a date."""
    return hit(row, title="name", snippet=first_text(row, "content", "snippet"))


VENDOR: Final[Vendor[LinkupOptions]] = Vendor(
    ask=_ask,
    read=_read,
    native=lambda _: _NATIVE,
    facts=LINKUP,
    expected=frozenset({400}),
)
SPEC = ProviderSpec(
    kind="linkup",
    capability="search",
    build=provider(VENDOR, LinkupOptions),
    options=LinkupOptions,
    key_env=("LINKUP_API_KEY",),
    summary="Linkup search API: pages with long extracts, or an answer with its sources.",
    answer="option",
    controls=_NATIVE,
    rests_on="sdk",
)
