"""DeepSeek's Responses wire beside the SDK of those who made that wire: openai."""

from typing import Any

from support.explained import outcomes
from support.fields import Difference
from support.oracle import Question, Reading
from support.oracle_wires import (
    REFUSALS,
    Responses,
    asked,
    nothing_found,
    plain_question,
    response,
    searched,
    streamed_both,
)
from support.vendor import fixture
from webseam.core.types import SearchRequest

WIRE = Responses()
WHOLE = fixture("deepseek-responses")["replies"][0]["json"]
EMPTY = response(searched(queries=["k"]))


def _question(query: str) -> dict[str, Any]:
    return asked("deepseek-flash", query, {}, tool_choice="auto")


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
    WIRE.oracle(
        "deepseek-responses",
        streams=streamed_both(WHOLE, EMPTY, *FOUND),
        readings=(
            Reading(differences=FOUND),
            *outcomes(
                "deepseek-responses", "searched, pages only in", "answered without searching", "only a page could not"
            ),
            nothing_found(EMPTY),
            *REFUSALS,
        ),
        questions=(
            plain_question(_question),
            Question(
                name="every-option",
                request=SearchRequest(query="kelp"),
                options={"model": "deepseek-v4-pro", "max_tokens": 300},
                arguments=_question("kelp") | {"model": "deepseek-v4-pro", "max_output_tokens": 300},
            ),
        ),
    ),
)
