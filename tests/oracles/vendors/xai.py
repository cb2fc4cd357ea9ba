"""xAI's Responses wire beside the SDK of those who made that wire: openai (xAI's own speaks gRPC only)."""

from typing import Any

from support.explained import UNGROUNDED, outcomes, usual
from support.fields import Difference
from support.oracle import Oracle, Question, Reading, Streamed
from support.oracle_wires import STREAM, Responses, marks, read_response, streamed_response
from support.vendor import fixture, says
from webseam.core.types import SearchControls, SearchRequest

WIRE = Responses("/v1")
WHOLE = fixture("xai")["replies"][0]["json"]
SEARCH = {"id": "w", "type": "web_search_call", "status": "completed", "action": {"type": "search", "query": "k"}}
EMPTY = {"id": "r", "object": "response", "status": "completed", "output": [SEARCH]}


def _question(query: str, **tool: Any) -> dict[str, Any]:
    return {
        "model": "grok-4.3",
        "input": f"Search the web for this query: {query}",
        "tools": [{"type": "web_search", **tool}],
        "max_output_tokens": 8192,
        "tool_choice": "required",
        "store": False,
    }


FOUND = (
    marks(
        "Kelp permits open in May [1](https://kelp.example/p) and farms wait [2](https://sea.example/q).",
        WHOLE["output"][-1]["content"][0]["text"],
    ),
    Difference(field="sources.0.title", theirs="1", why="The number of a citation is no title."),
    Difference(
        field="sources.3.url", ours="https://met.example/only", why="xAI's list of pages met is unknown to the SDK."
    ),
    Difference(field="usage.calls", ours=2, theirs=1, why="xAI counts its searches in a field that the SDK lacks."),
    Difference(field="usage.cost", ours=0.0123, why="xAI's ticks are unknown to the SDK."),
    Difference(field="usage.currency", ours="USD", why="xAI's ticks are unknown to the SDK."),
)

ORACLES = (
    Oracle(
        kind="xai",
        sdk="openai",
        ask=WIRE.ask,
        read=read_response,
        stream=WIRE.stream,
        streaming=(STREAM,),
        streams=(
            Streamed(name="fixture", reply=streamed_response(WHOLE), differences=FOUND),
            Streamed(name="no-hits", reply=streamed_response(EMPTY)),
        ),
        readings=(
            Reading(differences=FOUND),
            *outcomes("xai", "answered without searching", differences=(UNGROUNDED,)),
            *outcomes("xai", "incomplete"),
            Reading(name="no-hits", reply=says(EMPTY)),
            *usual({"error": {"code": "invalid_api_key"}}, {"error": {"code": "rate_limit_exceeded"}}),
        ),
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
                    filters={"allowed_domains": ["kelp.example", "sea.example"]},
                    user_location={"type": "approximate", "country": "SE"},
                ),
            ),
            Question(
                name="excluded-domains",
                request=SearchRequest(query="kelp", controls=SearchControls(exclude_domains=("spam.example",))),
                arguments=_question("kelp", filters={"excluded_domains": ["spam.example"]}),
            ),
            Question(
                name="every-option",
                request=SearchRequest(query="kelp"),
                options={"model": "grok-5", "max_tokens": 300},
                arguments=_question("kelp") | {"model": "grok-5", "max_output_tokens": 300},
            ),
        ),
    ),
)
