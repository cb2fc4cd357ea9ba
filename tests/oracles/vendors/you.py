"""You.com beside youdotcom."""

from collections.abc import Mapping
from typing import Any, Final

from support.explained import names_itself, refused, tidied
from support.fields import ANY, Difference
from support.oracle import SDK_SECONDS, Oracle, Question, Reading, listed
from support.vendor import says
from webseam.core.types import SearchControls, SearchRequest

PLAIN: Final = {"knowledge": None, "extraction": None, "language": None}
"""Without what the SDK adds by itself."""
FOUND: Final[dict[str, Any]] = {
    "results": {
        "web": [
            {"url": "https://kelp.example/p", "title": "Permits &amp; kelp", "description": "Said in short."}
            | {
                "snippets": ["Kelp lines are <b>set</b> in spring.", " ", "Six weeks."],
                "page_age": "2026-03-02T10:00:00",
            },
            {"url": "https://sea.example/n", "title": "Sea", "description": "Only short.", "snippets": []},
        ],
        "news": [{"url": "https://news.example/k", "title": "News", "description": "It grows."}],
    },
    "metadata": {"search_uuid": "u-1", "query": "kelp", "latency": 0.4},
}


def _ask(sdk: Any, url: str, key: str | None, arguments: Mapping[str, Any]) -> Any:
    with sdk.You(api_key_auth=key, timeout_ms=int(SDK_SECONDS * 1_000)) as client:
        return client.search(server_url=url, **(PLAIN | dict(arguments)))


def _read(answer: Any) -> dict[str, Any]:
    """The first of each section, the second of each, and so on; the SDK parses days."""
    sections = [list(answer.results.web or ()), list(answer.results.news or ())]
    ranks = range(max(map(len, sections)))
    found = [section[rank] for rank in ranks for section in sections if rank < len(section)]
    rows = listed(found, url="url", title="title", snippet="snippets")
    dates = [{"published_at": one.page_age and one.page_age.isoformat()} for one in found]
    return {"sources": [row | day for row, day in zip(rows, dates, strict=True)], "usage": {"calls": 1}}


DESCRIBED = "Without excerpts the description is the snippet."
CRAWL = Difference(field="body.crawl_timeout", theirs=10, why="A default of the SDK, of no effect without extraction.")
COUNT = Difference(field="body.count", theirs=10, why="The SDK spells out You.com's default.")

ORACLES = (
    Oracle(
        kind="you",
        sdk="youdotcom",
        ask=_ask,
        read=_read,
        reply=says(FOUND),
        sending=(names_itself("x-client-info", ANY),),
        home=lambda sdk: sdk.models.SEARCH_OP_SERVERS[0],
        values={
            "country": ("country", lambda sdk: [one.value for one in sdk.models.Country]),
            "language": ("language", lambda sdk: [one.value for one in sdk.models.Language]),
        },
        readings=(
            Reading(
                differences=(
                    tidied("sources.0.title", "Permits & kelp", "Permits &amp; kelp"),
                    tidied(
                        "sources.0.snippet",
                        "Kelp lines are set in spring. \u2026 Six weeks.",
                        FOUND["results"]["web"][0]["snippets"],
                    ),
                    Difference(field="sources.1.snippet", ours="It grows.", why=DESCRIBED),
                    Difference(field="sources.2.snippet", ours="Only short.", why=DESCRIBED),
                )
            ),
            Reading(name="no-hits", reply=says({"results": {"web": [], "news": []}, "metadata": {"search_uuid": "u"}})),
            refused("wrong-key", 401, {"detail": "Invalid"}, "WEB_PROVIDER_ERROR", "UnauthorizedResponseError"),
            refused("no-credit", 402, {"detail": "Pay"}, "WEB_QUOTA_EXHAUSTED", "YouDefaultError"),
            refused("rate-limit", 429, {"detail": "Too fast"}, "WEB_RATE_LIMITED", "YouDefaultError"),
        ),
        questions=(
            Question(
                name="plain",
                differences=(CRAWL,),
                request=SearchRequest(query="kelp farming permits", max_results=5),
                arguments={"query": "kelp farming permits", "count": 5},
            ),
            Question(
                name="every-control",
                differences=(CRAWL, COUNT),
                request=SearchRequest(
                    query="kelp",
                    controls=SearchControls(
                        include_domains=("kelp.example", "sea.example"),
                        published_after="2026-01-02",
                        published_before="2026-03-04",
                        country="SE",
                        language="pt-BR",
                        safe_search="strict",
                    ),
                ),
                arguments={
                    "query": "kelp",
                    "include_domains": ["kelp.example", "sea.example"],
                    "freshness": "2026-01-02to2026-03-04",
                    "country": "SE",
                    "language": "pt-BR",
                    "safesearch": "strict",
                },
            ),
            Question(
                name="excluded-domains",
                differences=(CRAWL, COUNT),
                request=SearchRequest(query="kelp", controls=SearchControls(exclude_domains=("spam.example",))),
                arguments={"query": "kelp", "exclude_domains": ["spam.example"]},
            ),
            Question(
                name="every-option",
                request=SearchRequest(query="kelp"),
                options={"num_results": 7, "highlights": True},
                arguments={"query": "kelp", "count": 7, "extraction": {"extraction_mode": "highlights"}},
            ),
        ),
    ),
)
