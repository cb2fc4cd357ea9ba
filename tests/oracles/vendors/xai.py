"""xAI's Responses wire beside the SDK of those who made that wire: openai (xAI's own speaks gRPC only)."""

from typing import Any

from support.explained import UNGROUNDED, outcomes
from support.fields import Difference
from support.oracle import Question, Reading
from support.oracle_wires import (
    REFUSALS,
    Responses,
    asked,
    hosts_and_country,
    marks,
    nothing_found,
    plain_question,
    response,
    searched,
    streamed_both,
)
from support.vendor import fixture
from webseam.core.types import SearchControls, SearchRequest

WIRE = Responses("/v1")
WHOLE = fixture("xai")["replies"][0]["json"]
EMPTY = response(searched(query="k"))


def _question(query: str, **tool: Any) -> dict[str, Any]:
    return asked("grok-4.3", query, tool, store=False)


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
    WIRE.oracle(
        "xai",
        streams=streamed_both(WHOLE, EMPTY, *FOUND),
        readings=(
            Reading(differences=FOUND),
            *outcomes("xai", "answered without searching", differences=(UNGROUNDED,)),
            *outcomes("xai", "incomplete"),
            nothing_found(EMPTY),
            *REFUSALS,
        ),
        questions=(
            plain_question(_question),
            hosts_and_country(_question),
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
