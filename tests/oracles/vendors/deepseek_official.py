"""DeepSeek's Messages wire beside the SDK of those who made that wire: anthropic."""

from typing import Any

from support.explained import broken, no_url, tidied, usual
from support.fields import ANY, Difference
from support.oracle import Oracle, Question, Reading, Streamed
from support.oracle_wires import STREAM, Messages, paragraphs, read_message, stream_status
from support.vendor import KEY, says
from webseam.core.types import SearchRequest

WIRE = Messages("/anthropic")


def _question(query: str, max_uses: int) -> dict[str, Any]:
    said = {"type": "text", "text": f"Search the web for this query: {query}"}
    return {
        "model": "deepseek-flash",
        "max_tokens": 4096,
        "messages": [{"role": "user", "content": [said]}],
        "tools": [{"type": "web_search_20250305", "name": "web_search", "max_uses": max_uses}],
        "thinking": {"type": "disabled"},
    }


def _reply(*content: Any) -> dict[str, Any]:
    usage = {"input_tokens": 9, "output_tokens": 4, "server_tool_use": {"web_search_requests": 1}}
    return {"id": "msg_2", "type": "message", "role": "assistant", "content": list(content), "usage": usage}


def _result(content: Any) -> dict[str, Any]:
    return {"type": "web_search_tool_result", "tool_use_id": "srv_1", "content": content}


SENDING = (
    Difference(
        field="header.anthropic-version",
        ours="2023-06-01",
        theirs="2026-10-21",
        why="DeepSeek's own client sends this one; the SDK names Anthropic's newest.",
    ),
    Difference(
        field="header.x-api-key", ours=KEY, why="DeepSeek documents this header; the bearer token goes with it."
    ),
)
UNASKED = Difference(field="content", theirs=ANY, why="`answer` is off: of a searched answer the pages are wanted.")
READINGS = (
    Reading(
        differences=(
            tidied("sources.0.snippet", "It's open in May", "It&#x27;s open in May"),
            UNASKED,
            Difference(field="sources.2.*", theirs=ANY, why="A page found twice stands once; counted."),
            no_url(3),
            Difference(field="sources.4.url", theirs=ANY, why="An item of another type is no search result."),
        )
    ),
    Reading(name="no-hits", reply=says(_reply(_result([])))),
    *usual(
        {"error": {"type": "authentication_error", "message": "Invalid key"}},
        {"error": {"type": "rate_limit_error", "message": "Too fast"}},
    ),
)
STREAMS = (
    Streamed(
        name="searched with hits",
        differences=(
            UNASKED,
            tidied("sources.0.snippet", "It's open in May", "It&#x27;s open in May"),
            paragraphs("I will look.\n\nPermits open in May."),
        ),
    ),
    Streamed(name="searched with zero", differences=(UNASKED,)),
    Streamed(name="answered"),
    broken("an error event without evidence", "WEB_PROVIDER_ERROR", "APIStatusError", stream_status(529)),
)

ORACLES = (
    Oracle(
        kind="deepseek-official",
        sdk="anthropic",
        ask=WIRE.ask,
        read=read_message,
        sending=SENDING,
        stream=WIRE.stream,
        streaming=(STREAM, *SENDING),
        streams=STREAMS,
        readings=READINGS,
        questions=(
            Question(name="plain", request=SearchRequest(query="kelp"), arguments=_question("kelp", 5)),
            Question(
                name="every-option",
                request=SearchRequest(query="kelp", max_results=5),
                options={"model": "deepseek-v4-pro", "max_tokens": 300, "max_uses": 2},
                arguments=_question("kelp", 2) | {"model": "deepseek-v4-pro", "max_tokens": 300},
            ),
        ),
    ),
)
