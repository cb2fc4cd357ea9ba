"""Anthropic beside anthropic, whole and streamed."""

from typing import Any

from support.explained import broken, no_object, no_url, outcomes, tidied, usual
from support.fields import ANY, Difference
from support.oracle import Oracle, Question, Reading, Streamed
from support.oracle_wires import STREAM, Messages, marks, paragraphs, read_message, stream_status
from support.vendor import says
from webseam.core.types import SearchControls, SearchRequest

WIRE = Messages()


def _question(query: str, max_uses: int = 5, **tool: Any) -> dict[str, Any]:
    said = {"type": "text", "text": f"Search the web for this query: {query}"}
    return {
        "model": "claude-haiku-5-5",
        "max_tokens": 4096,
        "messages": [{"role": "user", "content": [said]}],
        "tools": [{"type": "web_search_20250305", "name": "web_search", "max_uses": max_uses, **tool}],
    }


def _message(*content: Any, **usage: Any) -> dict[str, Any]:
    tokens = {"input_tokens": 9, "output_tokens": 4} | usage
    return {"id": "m", "type": "message", "role": "assistant", "content": list(content), "usage": tokens}


def _error(kind: str) -> dict[str, Any]:
    return {"type": "error", "error": {"type": kind, "message": "Told"}}


READINGS = (
    Reading(
        differences=(
            marks(
                "Permits open in May [1](https://kelp.example/p), see https://prose.example/only.",
                "Permits open in May, see https://prose.example/only.",
            ),
            tidied("sources.0.snippet", "It's open & free in May", "It&#x27;s open &amp; free in May"),
            no_url(2),
            no_object(3, "no object"),
            Difference(field="sources.4.*", theirs=ANY, why="A page found twice stands once; counted."),
            Difference(field="sources.5.url", theirs=ANY, why="An item of another type is no search result."),
        )
    ),
    *outcomes("anthropic", "a search that only started", "the answer ran out"),
    Reading(
        name="no-hits",
        reply=says(
            _message(
                {"type": "web_search_tool_result", "tool_use_id": "s", "content": []},
                server_tool_use={"web_search_requests": 1},
            )
        ),
    ),
    Reading(name="no-search", reply=says(_message({"type": "text", "text": "Kelp."}))),
    *usual(_error("authentication_error"), _error("rate_limit_error")),
)

HITS = Streamed(
    name="searched with hits",
    differences=(
        marks("Permits open in May [1](https://kelp.example/p).", "Permits open in May."),
        tidied("sources.0.snippet", "It's open in May", "It&#x27;s open in May"),
        paragraphs("I will look.\n\nPermits open in May."),
    ),
)

ORACLES = (
    Oracle(
        kind="anthropic",
        sdk="anthropic",
        ask=WIRE.ask,
        read=read_message,
        stream=WIRE.stream,
        streams=(
            HITS,
            Streamed(name="searched with zero"),
            Streamed(name="answered"),
            broken("an error event without evidence", "WEB_PROVIDER_ERROR", "APIStatusError", stream_status(529)),
            broken("a rate limit as an event", "WEB_RATE_LIMITED", "APIStatusError", stream_status(429)),
        ),
        streaming=(STREAM,),
        readings=READINGS,
        home=lambda sdk: f"{sdk.Anthropic(api_key='any', open_telemetry=False).base_url}/v1",
        questions=(
            Question(
                name="plain",
                request=SearchRequest(query="kelp farming permits", max_results=5),
                arguments=_question("kelp farming permits"),
            ),
            Question(
                name="every-control",
                request=SearchRequest(
                    query="kelp", controls=SearchControls(include_domains=("kelp.example", "sea.example"), country="SE")
                ),
                arguments=_question(
                    "kelp",
                    allowed_domains=["kelp.example", "sea.example"],
                    user_location={"type": "approximate", "country": "SE"},
                ),
            ),
            Question(
                name="excluded-domains",
                request=SearchRequest(query="kelp", controls=SearchControls(exclude_domains=("spam.example",))),
                arguments=_question("kelp", blocked_domains=["spam.example"]),
            ),
            Question(
                name="every-option",
                request=SearchRequest(query="kelp"),
                options={"model": "claude-opus-5", "max_tokens": 300, "max_uses": 2},
                arguments=_question("kelp", 2) | {"model": "claude-opus-5", "max_tokens": 300},
            ),
        ),
    ),
)
