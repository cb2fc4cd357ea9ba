"""Brave's web search (GET /res/v1/web/search). Facts: Brave's own MCP server and agent skills, 2026."""

from typing import Annotated, Final

import msgspec

from webseam.core.plugin import ProviderSpec
from webseam.core.text import one_line
from webseam.core.types import SearchResult, Source, Usage
from webseam.providers.wires import brave
from webseam.providers.wires.asking import Answer, Ask, Question
from webseam.providers.wires.clean import plain_text
from webseam.providers.wires.hits import excerpts, hit
from webseam.providers.wires.rows import Row, items, mapping, text
from webseam.providers.wires.vendor import Vendor, provider

MAX_RESULTS: Final = 20
"""Highest `count`; a larger one is HTTP 422."""

_NATIVE: Final = brave.NATIVE | {"safe_search"}


class BraveOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[providers.brave]`. `extra_snippets` asks for up to five more excerpts a page, where the plan has them.

    `spellcheck` lets Brave mend the query; a notice tells that it did.
    """

    base_url: str = "https://api.search.brave.com"
    num_results: Annotated[int, msgspec.Meta(ge=1, le=MAX_RESULTS)] | None = None
    extra_snippets: bool = False
    spellcheck: bool = True


def _ask(question: Question[BraveOptions]) -> Ask:
    options, controls = question.options, question.controls
    brave.check_words(question.query, question.provider)
    return Ask(
        method="GET",
        path="res/v1/web/search",
        params={
            "q": question.query,
            "count": question.wanted(MAX_RESULTS, options.num_results),
            "country": brave.country(controls, question.provider),
            "search_lang": brave.language(controls, question.provider),
            "safesearch": question.safe_search,
            "freshness": brave.freshness(controls),
            "goggles": brave.goggles(controls),
            "result_filter": "web",
            "text_decorations": False,
            "spellcheck": options.spellcheck,
            "extra_snippets": options.extra_snippets or None,
        },
    )


def _read(answer: Answer[BraveOptions]) -> SearchResult:
    """Brave leaves `web` out when there are no hits; the type of the answer is the evidence then."""
    payload = answer.row
    empty = payload.get("type") == "search" and answer.left_out("web")
    return answer.result(
        [] if empty else answer.rows("web", "results"), _source, notices=_notices(payload), usage=Usage(calls=1)
    )


def _source(row: Row) -> Source | None:
    passages = map(plain_text, (row.get("description"), *items(row.get("extra_snippets"))))
    return hit(row, snippet=excerpts(passages), published_at=row.get("page_age"))


def _notices(payload: Row) -> tuple[str, ...]:
    query = mapping(payload.get("query"))
    altered = text(query.get("altered"))
    if altered is None or altered == text(query.get("original")):
        return ()
    return (one_line(f'Brave searched for "{altered}" instead.'),)


VENDOR: Final[Vendor[BraveOptions]] = Vendor(
    ask=_ask,
    read=_read,
    native=lambda _: _NATIVE,
    key=brave.KEY,
    facts=brave.FACTS,
    one_list=True,
    query_chars=brave.QUERY_CHARS,
)
SPEC = ProviderSpec(
    kind="brave",
    capability="search",
    build=provider(VENDOR, BraveOptions),
    options=BraveOptions,
    key_env=("BRAVE_API_KEY", "BRAVE_SEARCH_API_KEY"),
    summary="Brave web search: an index of its own, with excerpts and dates.",
    controls=_NATIVE,
)
