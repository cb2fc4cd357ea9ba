"""Foundry's Responses wire beside openai, whose clients Foundry's own SDK hands out."""

from typing import Any

from support.explained import UNGROUNDED, outcomes, usual
from support.fields import Difference
from support.oracle import Oracle, Question, Reading
from support.oracle_wires import Responses, marks, read_response
from support.vendor import KEY, fixture, says
from webseam.core.types import SearchControls, SearchRequest

KIND = "bing-grounding"
WIRE = Responses(f"{fixture(KIND).get('base_path', '')}/openai/v1")
WHOLE = fixture(KIND)["replies"][0]["json"]
SEARCH = {"id": "w", "type": "web_search_call", "status": "completed", "action": {"type": "search", "query": "k"}}
EMPTY = {"id": "r", "object": "response", "status": "completed", "output": [SEARCH]}


def _question(query: str, tool: dict[str, Any], **more: Any) -> dict[str, Any]:
    said = {"input": f"Search the web for this query: {query}", "model": "gpt-5.4-mini", "max_output_tokens": 8192}
    return said | {"tools": [tool]} | more


def _bing(**search: Any) -> dict[str, Any]:
    configurations = [{"project_connection_id": "kelp-bing", **search}]
    return {"type": "bing_grounding", "bing_grounding": {"search_configurations": configurations}}


ORACLES = (
    Oracle(
        kind=KIND,
        sdk="openai",
        ask=WIRE.ask,
        read=read_response,
        sending=(
            Difference(field="header.api-key", ours=KEY, why="Foundry takes its own keys in this header."),
            Difference(field="header.authorization", theirs=f"Bearer {KEY}", why="Foundry takes Entra's tokens here."),
        ),
        readings=(
            Reading(
                differences=(
                    marks(
                        "Permits open in May [1](https://kelp.example/p) and later [2](https://sea.example/q).",
                        WHOLE["output"][-1]["content"][0]["text"],
                    ),
                    Difference(
                        field="sources.1.url",
                        ours="https://sea.example/q",
                        theirs="https://www.bing.com/ck/a?u=a1aHR0cHM6Ly9zZWEuZXhhbXBsZS9x",
                        why="Bing's redirect is undone.",
                    ),
                    Difference(field="usage.calls", ours=1, why="The SDK has no type for Bing's own calls."),
                )
            ),
            *outcomes("bing-grounding", "answered without searching", differences=(UNGROUNDED,)),
            Reading(name="no-hits", reply=says(EMPTY)),
            *usual({"error": {"code": "401"}}, {"error": {"code": "429"}}),
        ),
        questions=(
            Question(
                name="plain",
                request=SearchRequest(query="kelp farming permits", max_results=5),
                options={"connection": ""},
                arguments=_question("kelp farming permits", {"type": "web_search"}),
            ),
            Question(
                name="every-control",
                request=SearchRequest(query="kelp", controls=SearchControls(country="SE")),
                options={"connection": ""},
                arguments=_question(
                    "kelp", {"type": "web_search", "user_location": {"type": "approximate", "country": "SE"}}
                ),
            ),
            Question(
                name="through-bing",
                request=SearchRequest(query="kelp", controls=SearchControls(country="CH", language="fr")),
                options={"connection": "kelp-bing", "num_results": 7, "model": "kelp", "max_tokens": 300},
                arguments=_question(
                    "kelp",
                    _bing(count=7, market="fr-CH", set_lang="fr"),
                    model="kelp",
                    max_output_tokens=300,
                ),
            ),
        ),
    ),
)
