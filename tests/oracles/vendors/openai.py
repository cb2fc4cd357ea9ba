"""OpenAI beside openai, whole and streamed."""

from typing import Any

from support.explained import UNGROUNDED, broken, outcomes, usual
from support.fields import Difference
from support.oracle import Oracle, Question, Reading, Streamed, events, hinted
from support.oracle_wires import STREAM, Responses, marks, paragraphs, read_response, streamed_response
from support.vendor import fixture, says
from webseam.core.types import SearchControls, SearchRequest

WIRE = Responses("/v1")
ANYWHERE = {"user_location": {"type": "approximate"}}


def _question(query: str, **tool: Any) -> dict[str, Any]:
    return {
        "model": "gpt-5.4-mini",
        "input": f"Search the web for this query: {query}",
        "tools": [{"type": "web_search", **ANYWHERE, **tool}],
        "max_output_tokens": 8192,
        "tool_choice": "required",
        "include": ["web_search_call.action.sources"],
        "store": False,
    }


def _response(*output: Any) -> dict[str, Any]:
    return {"id": "r", "object": "response", "status": "completed", "output": list(output)}


SEARCH = {"id": "w", "type": "web_search_call", "status": "completed", "action": {"type": "search", "queries": ["k"]}}
SAID = {"id": "m", "type": "message", "content": [{"type": "output_text", "text": "Kelp.", "annotations": []}]}

WHOLE = fixture("openai")["replies"][0]["json"]
PROSE = WHOLE["output"][-1]["content"][0]["text"]
TOLD = f"Let me look that up.\n\n{PROSE}"
TRACKING = "The vendor's own tracking is taken off."
FOUND = (
    marks(
        "Kelp permits open in May [1](https://kelp.example/p). Sea farms wait \U0001f33f [2](https://sea.example/q?a=1).",
        PROSE,
    ),
    Difference(
        field="sources.0.url",
        ours="https://kelp.example/p",
        theirs="https://kelp.example/p?utm_source=openai",
        why=TRACKING,
    ),
    Difference(
        field="sources.1.url",
        ours="https://sea.example/q?a=1",
        theirs="https://sea.example/q?a=1&utm_source=openai",
        why=TRACKING,
    ),
    Difference(
        field="sources.3.url",
        ours="https://only-read.example/r",
        theirs="https://only-read.example/r#ws_call_id=ws_1",
        why=TRACKING,
    ),
)

TOO_FAST = events(
    {"type": "response.created", "sequence_number": 0, "response": _response() | {"status": "in_progress"}},
    {"type": "error", "sequence_number": 1, "code": "rate_limit_exceeded", "message": "Slow down.", "param": None},
)
UNTOLD = Difference(
    field="status", ours=429, why="The SDK hands an error on as an event of any kind, and then misses the end."
)

ORACLES = (
    Oracle(
        kind="openai",
        sdk="openai",
        ask=WIRE.ask,
        read=read_response,
        stream=WIRE.stream,
        streaming=(STREAM,),
        streams=(
            Streamed(name="fixture", reply=streamed_response(WHOLE), differences=(*FOUND, paragraphs(TOLD))),
            Streamed(name="no-hits", reply=streamed_response(_response(SEARCH))),
            broken("error", "WEB_RATE_LIMITED", "RuntimeError", UNTOLD, reply=TOO_FAST),
            Streamed(name="no-search", reply=streamed_response(_response(SAID))),
        ),
        readings=(
            Reading(differences=FOUND),
            *outcomes("openai", "answered without searching", differences=(UNGROUNDED,)),
            *outcomes(
                "openai",
                "no hits, and",
                "only opened a page",
                "one of its searches failed",
                "only a page could not",
                "incomplete",
                "not whole yet",
            ),
            Reading(name="no-hits", reply=says(_response(SEARCH))),
            Reading(name="no-search", reply=says(_response(SAID))),
            *usual({"error": {"code": "invalid_api_key"}}, {"error": {"code": "rate_limit_exceeded"}}),
        ),
        home=lambda sdk: sdk.OpenAI(api_key="any").base_url,
        choices={"search_context": hinted("types.responses:WebSearchToolParam", "search_context_size")},
        warns=("Pydantic serializer warnings",),  # of the accumulator, over the fixture's odd sources
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
                name="every-option",
                request=SearchRequest(query="kelp"),
                options={"model": "gpt-5.4", "max_tokens": 300, "search_context": "high", "live": False},
                arguments=_question("kelp", search_context_size="high", external_web_access=False)
                | {"model": "gpt-5.4", "max_output_tokens": 300},
            ),
        ),
    ),
)
