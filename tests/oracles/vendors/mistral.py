"""Mistral beside mistralai."""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

from support.explained import refused, tidied
from support.oracle import SDK_SECONDS, Oracle, Question, Reading, Streamed, listed
from support.oracle_wires import NO_STREAM, marks
from support.vendor import fixture, says
from webseam.core.types import SearchRequest


def _ask(sdk: Any, url: str, key: str | None, arguments: Mapping[str, Any]) -> Any:
    with sdk.Mistral(api_key=key, server_url=url, timeout_ms=int(SDK_SECONDS * 1_000)) as client:
        return client.beta.conversations.start(**arguments)


def _stream(sdk: Any, url: str, key: str | None, arguments: Mapping[str, Any]) -> tuple[Any, str]:
    """The events' data, folded into a message: the SDK has no accumulator."""
    with (
        sdk.Mistral(api_key=key, server_url=url, timeout_ms=int(SDK_SECONDS * 1_000)) as client,
        client.beta.conversations.start_stream(**arguments) as stream,
    ):
        events = [event.data for event in stream]
    content = [_chunk(event.content) for event in events if event.type == "message.output.delta"]
    outputs = [SimpleNamespace(type="message.output", content=content)]
    said = "".join(one.text for one in content if one.type == "text")
    return SimpleNamespace(outputs=outputs, usage=events[-1].usage), said


def _chunk(content: Any) -> Any:
    return SimpleNamespace(type="text", text=content) if isinstance(content, str) else content


def _read(answer: Any) -> dict[str, Any]:
    """The message after the search: its text, and each page that it refers to."""
    kinds = [entry.type for entry in answer.outputs]
    searched = kinds.index("tool.execution") if "tool.execution" in kinds else 0
    messages = [entry for entry in answer.outputs[searched:] if entry.type == "message.output"]
    chunks = [chunk for entry in messages for chunk in _chunks(entry.content)]
    pages: dict[str, Any] = {}
    for one in chunks:
        if one.type == "tool_reference" and one.tool == "web_search" and one.url:
            pages.setdefault(one.url, one)
    usage = answer.usage
    return {
        "content": "".join(one.text for one in chunks if one.type == "text"),
        "sources": listed(pages.values(), url="url", title="title", snippet="description"),
        "usage": {
            "calls": (usage.connectors or {}).get("web_search"),
            "input_tokens": usage.prompt_tokens,
            "output_tokens": usage.completion_tokens,
        },
    }


def _chunks(content: Any) -> list[Any]:
    return [] if isinstance(content, str) else list(content)


def _question(query: str, tool: str = "web_search", max_tokens: int = 4096) -> dict[str, Any]:
    return {
        "model": "mistral-medium-latest",
        "inputs": f"Search the web for this query: {query}",
        "tools": [{"type": tool}],
        "completion_args": {"max_tokens": max_tokens},
        "store": False,
    }


WHOLE = fixture("mistral")["replies"][0]["json"]
WHOLE["outputs"][-1]["content"].pop()  # null, which the SDK refuses
ORACLES = (
    Oracle(
        kind="mistral",
        sdk="mistralai.client",
        ask=_ask,
        read=_read,
        stream=_stream,
        streams=(
            Streamed(
                name="searched with hits",
                differences=(marks("Kelp needs one [1](https://kelp.example/k).", "Kelp needs one ."),),
            ),
            Streamed(name="searched with zero"),
            Streamed(name="answered"),
        ),
        reply=says(WHOLE),
        sending=(NO_STREAM,),
        home=lambda sdk: f"{sdk.sdkconfiguration.SERVERS[sdk.sdkconfiguration.SERVER_GLOBAL]}/v1",
        readings=(
            Reading(
                differences=(
                    marks(
                        "Kelp needs a permit [1](https://kelp.example/k). Ask first [2](https://sea.example/q)"
                        " [1](https://kelp.example/k) and see https://prose.example/.",
                        "Kelp needs a permit. Ask first  and see https://prose.example/.",
                    ),
                    tidied("sources.0.snippet", "Apply by May & pay", "Apply <b>by</b> May &amp; pay"),
                )
            ),
            refused("wrong-key", 401, {"message": "Unauthorized"}, "WEB_PROVIDER_ERROR", "SDKError"),
            refused("rate-limit", 429, {"message": "Too fast"}, "WEB_RATE_LIMITED", "SDKError"),
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
                options={"model": "mistral-large-latest", "max_tokens": 300, "premium": True},
                arguments=_question("kelp", "web_search_premium", 300) | {"model": "mistral-large-latest"},
            ),
        ),
    ),
)
