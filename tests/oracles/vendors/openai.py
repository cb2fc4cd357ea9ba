"""OpenAI beside openai, whole and streamed."""

from typing import Any

from support.explained import UNGROUNDED, broken, outcomes
from support.fields import Difference
from support.oracle import Question, Reading, Streamed, events, hinted
from support.oracle_wires import (
    REFUSALS,
    Responses,
    asked,
    hosts_and_country,
    marks,
    nothing_found,
    paragraphs,
    plain_question,
    response,
    searched,
    streamed_both,
    streamed_response,
)
from support.vendor import fixture, says
from webseam.core.types import SearchRequest

WIRE = Responses("/v1")
ANYWHERE = {"user_location": {"type": "approximate"}}


def _question(query: str, **tool: Any) -> dict[str, Any]:
    told = {**ANYWHERE, **tool}
    return asked("gpt-5.4-mini", query, told, include=["web_search_call.action.sources"], store=False)


EMPTY = response(searched(queries=["k"]))
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
    {"type": "response.created", "sequence_number": 0, "response": response() | {"status": "in_progress"}},
    {"type": "error", "sequence_number": 1, "code": "rate_limit_exceeded", "message": "Slow down.", "param": None},
)
UNTOLD = Difference(
    field="status", ours=429, why="The SDK hands an error on as an event of any kind, and then misses the end."
)

ORACLES = (
    WIRE.oracle(
        "openai",
        streams=(
            *streamed_both(WHOLE, EMPTY, *FOUND, paragraphs(TOLD)),
            broken("error", "WEB_RATE_LIMITED", "RuntimeError", UNTOLD, reply=TOO_FAST),
            Streamed(name="no-search", reply=streamed_response(response(SAID))),
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
            nothing_found(EMPTY),
            Reading(name="no-search", reply=says(response(SAID))),
            *REFUSALS,
        ),
        home=lambda sdk: sdk.OpenAI(api_key="any").base_url,
        choices={"search_context": hinted("types.responses:WebSearchToolParam", "search_context_size")},
        warns=("Pydantic serializer warnings",),  # of the accumulator, over the fixture's odd sources
        questions=(
            plain_question(_question),
            hosts_and_country(_question),
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
