"""DeepSeek's Responses wire beside the SDK of those who made that wire: openai."""

from typing import Any

from support.explained import outcomes, usual
from support.fields import Difference
from support.oracle import Oracle, Question, Reading, Streamed
from support.oracle_wires import STREAM, Responses, read_response, streamed_response
from support.vendor import fixture, says
from webseam.core.types import SearchRequest

WIRE = Responses()
WHOLE = fixture("deepseek-responses")["replies"][0]["json"]
SEARCH = {"id": "w", "type": "web_search_call", "status": "completed", "action": {"type": "search", "queries": ["k"]}}
EMPTY = {"id": "r", "object": "response", "status": "completed", "output": [SEARCH]}


def _question(query: str, model: str = "deepseek-flash", max_tokens: int = 8192) -> dict[str, Any]:
    return {
        "model": model,
        "input": f"Search the web for this query: {query}",
        "tools": [{"type": "web_search"}],
        "max_output_tokens": max_tokens,
        "tool_choice": "auto",
    }


FOUND = (
    Difference(
        field="sources.0.url",
        ours="https://kelp.example/p",
        theirs="https://kelp.example/p#ws_call_id=ws_1",
        why="DeepSeek's own fragment is taken off.",
    ),
    Difference(
        field="sources.1.url",
        ours="https://kelp.example/p#permits",
        theirs="https://kelp.example/p#ws_call_id=ws_2",
        why="Without its fragment it is the page above.",
    ),
    Difference(
        field="sources.2.url", theirs="https://kelp.example/p#permits", why="It is the second page once two are one."
    ),
)

ORACLES = (
    Oracle(
        kind="deepseek-responses",
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
            *outcomes(
                "deepseek-responses", "searched, pages only in", "answered without searching", "only a page could not"
            ),
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
                name="every-option",
                request=SearchRequest(query="kelp"),
                options={"model": "deepseek-v4-pro", "max_tokens": 300},
                arguments=_question("kelp", "deepseek-v4-pro", 300),
            ),
        ),
    ),
)
