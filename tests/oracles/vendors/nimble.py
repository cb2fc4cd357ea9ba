"""Nimble beside nimble_python."""

from collections.abc import Mapping
from typing import Any

from support.explained import names_itself, no_object, no_url, odd, outcomes, tidied, usual
from support.fields import Difference
from support.oracle import SDK_SECONDS, Oracle, Question, Reading, hinted, listed
from support.vendor import says
from webseam.core.types import SearchControls, SearchRequest


def _ask(sdk: Any, url: str, key: str | None, arguments: Mapping[str, Any]) -> Any:
    with sdk.Nimble(api_key=key, base_url=url, max_retries=0, timeout=SDK_SECONDS) as client:
        return client.search(**arguments)


def _read(answer: Any) -> dict[str, Any]:
    """Dates stand in an object without types."""
    rows = listed(answer.results, url="url", title="title", snippet="content")
    for row, one in zip(rows, answer.results, strict=True):
        if isinstance(row, dict) and isinstance(one.additional_data, dict):
            row["published_at"] = one.additional_data.get("publish_date")
    return {"content": answer.answer, "sources": rows, "usage": {"calls": 1}}


def _home(sdk: Any) -> str:
    with sdk.Nimble(api_key="any") as client:
        return f"{str(client.base_url).rstrip('/')}/v2"


ORACLES = (
    Oracle(
        kind="nimble",
        sdk="nimble_python",
        ask=_ask,
        read=_read,
        home=_home,
        sending=(names_itself("x-client-source", "sdk"),),
        choices={
            "search_depth": hinted("types.client_search_params:ClientSearchParams", "search_depth"),
            "time_range": hinted("types.client_search_params:ClientSearchParams", "time_range"),
        },
        readings=(
            Reading(
                differences=(
                    tidied("sources.0.snippet", "A kelp permit & its fee.", "A <b>kelp</b> permit &amp; its fee."),
                    Difference(field="sources.1.snippet", ours="Only short.", why="No text: the description is one."),
                    Difference(field="content", theirs="Not asked for.", why="Nobody asked for this answer."),
                    odd("sources.2.title", 7),
                    no_url(3),
                    no_object(4, "no object"),
                )
            ),
            *outcomes("nimble", "an answer, asked for"),
            Reading(name="no-hits", reply=says({"request_id": "r", "total_results": 0, "results": []})),
            *usual({"success": "false", "message": "Unauthorized"}, {"detail": "Slow down"}),
        ),
        questions=(
            Question(
                name="plain",
                request=SearchRequest(query="kelp farming permits", max_results=5),
                arguments={"query": "kelp farming permits", "focus": "general", "max_results": 5},
            ),
            Question(
                name="every-control",
                request=SearchRequest(
                    query="kelp",
                    controls=SearchControls(
                        include_domains=("kelp.example", "sea.example"),
                        exclude_domains=("spam.example",),
                        published_after="2026-01-02",
                        published_before="2026-03-04",
                        country="SE",
                    ),
                ),
                arguments={
                    "query": "kelp",
                    "focus": "general",
                    "include_domains": ["kelp.example", "sea.example"],
                    "exclude_domains": ["spam.example"],
                    "start_date": "2026-01-02",
                    "end_date": "2026-03-04",
                    "country": "SE",
                },
            ),
            Question(
                name="every-option",
                request=SearchRequest(query="kelp"),
                options={
                    "focus": "news",
                    "search_depth": "lite",
                    "time_range": "week",
                    "locale": "sv",
                    "num_results": 7,
                    "answer": True,
                },
                arguments={
                    "query": "kelp",
                    "focus": "news",
                    "search_depth": "lite",
                    "time_range": "week",
                    "locale": "sv",
                    "max_results": 7,
                    "include_answer": True,
                },
            ),
        ),
    ),
)
