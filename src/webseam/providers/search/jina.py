"""Jina: a search API (POST s.jina.ai) over Google's results. Facts: the source of Jina's Reader and its MCP server."""

import re
from typing import Annotated, Final

import msgspec

from webseam.core.plugin import ProviderSpec
from webseam.core.types import SearchResult, Source, Usage
from webseam.providers.wires.asking import Answer, Ask, Question
from webseam.providers.wires.controls import unsupported
from webseam.providers.wires.failures import message_of
from webseam.providers.wires.google_terms import interface
from webseam.providers.wires.hits import first_text, hit, priced
from webseam.providers.wires.operators import with_sites
from webseam.providers.wires.rows import Row, count, mapping, status_told, text
from webseam.providers.wires.vendor import Vendor, provider

MAX_RESULTS: Final = 20
"""Highest `num`."""

_NATIVE: Final = frozenset({"include_domains", "country", "language"})
_UNKNOWN_COUNTRIES: Final = frozenset({"BL", "BQ", "CW", "MF", "SS", "SX"})
"""Younger than its list, which else holds all of ISO 3166-1; a code outside of it is HTTP 400."""

_NOTHING_FOUND: Final = re.compile(r"(?:AssertionFailureError: )?No search results available for query", re.ASCII)
"""How the message of an HTTP 422 begins that means no hits; what follows is the query, so it may say anything."""


class JinaOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[providers.jina]`. `num_results` holds when a request names no bound."""

    base_url: str = "https://s.jina.ai/"
    num_results: Annotated[int, msgspec.Meta(ge=1, le=MAX_RESULTS)] | None = None


def _ask(question: Question[JinaOptions]) -> Ask:
    """Hits alone: with the pages' text an answer would cost several times as much. Exclusions go into the query."""
    controls = question.controls
    return Ask(
        json={
            "q": with_sites(question.query, (), controls.exclude_domains),
            "num": question.wanted(MAX_RESULTS, question.options.num_results),
            "site": list(controls.include_domains) or None,
            "gl": _country(question),
            "hl": interface(controls, question.provider),
        },
        headers={"x-respond-with": "no-content"},
    )


def _country(question: Question[JinaOptions]) -> str | None:
    code = question.controls.country
    if code in _UNKNOWN_COUNTRIES:
        raise unsupported("country", code, "It is not on its list of countries.", question.provider)
    return code and code.lower()


def _read(answer: Answer[JinaOptions]) -> SearchResult:
    """No hits come as HTTP 422 with a sentence; an error inside a success tells its status as `code`."""
    if answer.refusal is not None:
        if not _found_nothing(answer.row):
            raise answer.refusal
        return answer.nothing(_usage(answer.row))
    status = status_told(answer.row.get("code"))
    if status is not None:
        raise answer.fault(status, message_of(answer.payload))
    return answer.result(answer.rows("data"), _source, usage=_usage(answer.row))


def _found_nothing(payload: Row) -> bool:
    told = (text(payload.get(name)) for name in ("message", "readableMessage"))
    return any(_NOTHING_FOUND.match(one) for one in told if one)


def _source(row: Row) -> Source | None:
    return hit(row, snippet=first_text(row, "description", "content"), published_at=row.get("date"))


def _usage(payload: Row) -> Usage:
    """Jina bills in tokens, which it counts itself."""
    return priced(count(mapping(mapping(payload.get("meta")).get("usage")).get("tokens")), "tokens")


VENDOR: Final[Vendor[JinaOptions]] = Vendor(
    ask=_ask,
    read=_read,
    native=lambda _: _NATIVE,
    expected=frozenset({422}),
)
SPEC = ProviderSpec(
    kind="jina",
    capability="search",
    build=provider(VENDOR, JinaOptions),
    options=JinaOptions,
    key_env=("JINA_API_KEY",),
    summary="Jina search API: Google's results with snippets, billed in tokens.",
    controls=_NATIVE,
)
