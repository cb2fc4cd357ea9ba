"""Exa: a search API without a model (POST /search). Facts: Exa's OpenAPI description and Python SDK 2.28."""

from typing import Annotated, Final, Literal

import msgspec

from webseam.core.plugin import ProviderSpec
from webseam.core.text import one_line
from webseam.core.types import SearchResult, Source, Usage
from webseam.providers.wires.asking import Answer, Ask, Question
from webseam.providers.wires.controls import excluded_alone, strict_only
from webseam.providers.wires.hits import excerpts, priced
from webseam.providers.wires.known_facts import EXA
from webseam.providers.wires.rows import Row, items, mapping, number, source, text
from webseam.providers.wires.vendor import Vendor, provider

MAX_RESULTS: Final = 100
"""`numResults` of the ordinary plans; a larger one is HTTP 400."""

_NATIVE: Final = frozenset(
    {"include_domains", "exclude_domains", "published_after", "published_before", "country", "safe_search"}
)


class ExaOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[providers.exa]`. `num_results` holds when a request names no bound; `highlight_chars` None lets Exa decide."""

    base_url: str = "https://api.exa.ai"
    search_type: Literal["auto", "fast", "instant", "neural", "deep-lite", "deep", "deep-reasoning"] = "auto"
    num_results: Annotated[int, msgspec.Meta(ge=1, le=MAX_RESULTS)] | None = None
    highlight_chars: Annotated[int, msgspec.Meta(ge=1, le=100_000)] | None = None


def _ask(question: Question[ExaOptions]) -> Ask:
    """Exa takes one list of domains; with both asked the seam holds the exclusion on the results."""
    options, controls = question.options, question.controls
    highlights = {"maxCharacters": options.highlight_chars} if options.highlight_chars else True
    return Ask(
        path="search",
        json={
            "query": question.query,
            "type": options.search_type,
            "contents": {"highlights": highlights},
            "numResults": question.wanted(MAX_RESULTS, options.num_results),
            "startPublishedDate": controls.after and controls.after.isoformat(),
            "endPublishedDate": controls.before and controls.before.isoformat(),
            "userLocation": controls.country,
            "moderation": strict_only(question.safe_search, question.provider),
            "includeDomains": list(controls.include_domains) or None,
            "excludeDomains": list(excluded_alone(controls)) or None,
        },
    )


def _read(answer: Answer[ExaOptions]) -> SearchResult:
    """A hit without a highlight is kept, without a snippet; a well-formed answer is evidence."""
    rows = [] if _is_empty(answer) else answer.rows("results")
    return answer.result(rows, _source, notices=_notices(answer.row), usage=_usage(answer.row))


def _is_empty(answer: Answer[ExaOptions]) -> bool:
    """Exa leaves `results` out when there are none (dsh-54); a foreign object is no evidence of a search.

    Its errors bear a `requestId`, too, and a `tag`.
    """
    payload = answer.payload
    if not isinstance(payload, dict) or not answer.left_out("results"):
        return False
    return not payload or ("requestId" in payload and "tag" not in payload)


def _source(row: Row) -> Source | None:
    snippet = excerpts(map(text, items(row.get("highlights")))) or text(row.get("text"))
    return source(row, snippet=snippet, published_at=row.get("publishedDate"))


def _notices(payload: Row) -> tuple[str, ...]:
    """Remarks on the answer itself, such as a query that was relaxed; `warnings` are for developers and stay out."""
    notices = map(mapping, items(payload.get("notices")))
    told = (" ".join(filter(None, (text(one.get("code")), text(one.get("message"))))) for one in notices)
    return tuple(one_line(one) for one in told if one)


def _usage(payload: Row) -> Usage:
    return priced(number(mapping(payload.get("costDollars")).get("total")), "USD")


VENDOR: Final[Vendor[ExaOptions]] = Vendor(ask=_ask, read=_read, native=lambda _: _NATIVE, facts=EXA, one_list=True)
SPEC = ProviderSpec(
    kind="exa",
    capability="search",
    build=provider(VENDOR, ExaOptions),
    options=ExaOptions,
    key_env=("EXA_API_KEY",),
    summary="Exa search API: pages with highlights, dates and the cost of each call.",
    controls=_NATIVE,
    rests_on="sdk",
)
