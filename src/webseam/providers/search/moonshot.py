"""Moonshot: the search service of Kimi Code (POST /search). Facts: Kimi's command line; its errors are recalled.

The tool `$web_search` of Moonshot's chat models is left out: it names no pages, so nothing could be cited.
"""

from typing import Annotated, Final

import msgspec

from webseam.core.plugin import ProviderSpec
from webseam.core.types import SearchResult, Source, Usage
from webseam.providers.wires.asking import Answer, Ask, Question
from webseam.providers.wires.failures import ErrorFacts
from webseam.providers.wires.hits import first_text, hit
from webseam.providers.wires.rows import Row
from webseam.providers.wires.vendor import Vendor, provider

MAX_RESULTS: Final = 20
"""Highest `limit` that Kimi's own client sends."""

USUAL_RESULTS: Final = 5
"""What Kimi's own client sends when nobody asks for more; it never leaves `limit` out."""

SECONDS: Final = 30
"""`timeout_seconds` of Kimi's own client: how long the service may look; our deadline ends the call in any case."""

_FACTS: Final = ErrorFacts(quota_codes=frozenset({"exceeded_current_quota_error"}))


class MoonshotOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[providers.moonshot]`. A key of Kimi Code is needed; outside of China it may want https://api.kimi.ai/coding/v1.

    `crawl` lets the service read each page, which is slow, and gives their text where a snippet would stand.
    """

    base_url: str = "https://api.kimi.com/coding/v1"
    num_results: Annotated[int, msgspec.Meta(ge=1, le=MAX_RESULTS)] = USUAL_RESULTS
    crawl: bool = False


def _ask(question: Question[MoonshotOptions]) -> Ask:
    return Ask(
        path="search",
        json={
            "text_query": question.query,
            "limit": question.wanted(MAX_RESULTS, question.options.num_results),
            "enable_page_crawling": question.options.crawl,
            "timeout_seconds": SECONDS,
        },
    )


def _read(answer: Answer[MoonshotOptions]) -> SearchResult:
    return answer.result(answer.rows("search_results"), _source, usage=Usage(calls=1))


def _source(row: Row) -> Source | None:
    """`content` is empty unless the pages were read."""
    return hit(row, snippet=first_text(row, "content", "snippet"), published_at=row.get("date"))


VENDOR: Final[Vendor[MoonshotOptions]] = Vendor(ask=_ask, read=_read, facts=_FACTS)
SPEC = ProviderSpec(
    kind="moonshot",
    capability="search",
    build=provider(VENDOR, MoonshotOptions),
    options=MoonshotOptions,
    key_env=("KIMI_WEB_SEARCH_API_KEY", "KIMI_API_KEY"),
    summary="Moonshot: the search service of Kimi Code, with snippets and dates.",
)
