"""Google's Gemini beside google-genai, whole and streamed."""

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, Final

from support.explained import ACCEPT, broken, names_itself, outcomes, refused
from support.fields import ANY, Difference
from support.oracle import SDK_SECONDS, Oracle, Question, Reading, Streamed
from support.oracle_wires import marks
from support.vendor import fixture, says
from webseam.core.types import SearchControls, SearchRequest
from webseam.testing import Reply

REDIRECT: Final = "https://vertexaisearch.cloud.google.com/grounding-api-redirect/"
WHOLE: Final = json.loads(
    json.dumps(fixture("google")["replies"][0]["json"]).replace(REDIRECT, "https://kelp.example/")
)
"""The fixture's answer with pages in the place of redirects, which would be followed, and without its odd items."""
for _odd in ("groundingChunks", "groundingSupports"):
    WHOLE["candidates"][0]["groundingMetadata"][_odd].pop()


def _client(sdk: Any, url: str, key: str | None) -> Any:
    options = {"base_url": url, "timeout": int(SDK_SECONDS * 1_000), "retry_options": {"attempts": 1}}
    return sdk.Client(api_key=key, http_options=options)


def _ask(sdk: Any, url: str, key: str | None, arguments: Mapping[str, Any]) -> Any:
    with _client(sdk, url, key) as client:
        return [client.models.generate_content(**arguments)]


def _stream(sdk: Any, url: str, key: str | None, arguments: Mapping[str, Any]) -> tuple[Any, str]:
    with _client(sdk, url, key) as client:
        chunks = list(client.models.generate_content_stream(**arguments))
    return chunks, _said(chunks)


def _said(chunks: Iterable[Any]) -> str:
    contents = [chunk.candidates[0].content for chunk in chunks if chunk.candidates]
    parts = [part for content in contents for part in (content and content.parts) or ()]
    return "".join(part.text or "" for part in parts if not part.thought)


def _read(chunks: list[Any]) -> dict[str, Any]:
    grounds = [one.candidates[0].grounding_metadata for one in chunks if one.candidates]
    ground = next(filter(None, reversed(grounds)), None)
    pages = [one.web for one in (ground and ground.grounding_chunks) or () if one.web and one.web.uri]
    queries = [query for query in (ground and ground.web_search_queries) or () if query.strip()]
    usage = chunks[-1].usage_metadata
    return {
        "content": _said(chunks),
        "sources": [{"url": url, "title": title} for url, title in {one.uri: one.title for one in pages}.items()],
        "usage": {
            "calls": len(queries) or None,
            "input_tokens": _sum(usage and (usage.prompt_token_count, usage.tool_use_prompt_token_count)),
            "output_tokens": _sum(usage and (usage.candidates_token_count, usage.thoughts_token_count)),
        },
    }


def _sum(counts: Iterable[int | None] | None) -> int | None:
    return sum(filter(None, counts or ())) or None


def _failure(error: Any) -> dict[str, Any]:
    return {"kind": type(error).__name__, "status": error.code}


def _home(sdk: Any) -> str:
    with sdk.Client(api_key="any") as client:
        options = client._api_client._http_options
        return f"{str(options.base_url).rstrip('/')}/{options.api_version}"


def _question(query: str, **search: Any) -> dict[str, Any]:
    return {
        "model": "gemini-3.8-flash",
        "contents": {"role": "user", "parts": [{"text": f"Search the web for this query: {query}"}]},
        "config": {"tools": [{"google_search": search}], "max_output_tokens": 8192},
    }


def _answer(**grounding: Any) -> dict[str, Any]:
    content = {"role": "model", "parts": [{"text": "Kelp."}]}
    return {"candidates": [{"content": content, "finishReason": "STOP", "groundingMetadata": grounding}]}


def _error(status: int, word: str) -> dict[str, Any]:
    return {"error": {"code": status, "status": word, "message": "Told"}}


def _streamed(*chunks: Mapping[str, Any]) -> Reply:
    body = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks)
    return Reply(headers={"content-type": "text/event-stream"}, body=body.encode())


def _spelt(ours: str, theirs: str, day: str) -> tuple[Difference, Difference]:
    """One end of the span of days; protobuf's JSON takes both spellings of a name and of UTC."""
    span, why = "body.tools.0.googleSearch.timeRangeFilter", "Protobuf's JSON takes both spellings."
    return (
        Difference(field=f"{span}.{ours}", ours=f"{day}T00:00:00Z", why=why),
        Difference(field=f"{span}.{theirs}", theirs=f"{day}T00:00:00+00:00", why=why),
    )


OF_THE_SDK = (
    names_itself("x-goog-api-client", ANY),
    Difference(field="header.x-server-timeout", theirs="10", why="The SDK tells how long it waits."),
)
MARKED = marks(
    "Odling av sockert\xe5ng kr\xe4ver tillst\xe5nd \U0001f33f. [1](https://kelp.example/AAA) [2](https://kelp.example/BBB)"
    " Ans\xf6kan \xf6ppnar i maj. [2](https://kelp.example/BBB)",
    WHOLE["candidates"][0]["content"]["parts"][1]["text"],
)

ORACLES = (
    Oracle(
        kind="google",
        sdk="google.genai",
        ask=_ask,
        read=_read,
        stream=_stream,
        failure=_failure,
        reply=says(WHOLE),
        sending=(ACCEPT, *OF_THE_SDK),
        streaming=(
            Difference(
                field="header.accept", ours="text/event-stream", theirs="*/*", why="The SDK asks in the URL only."
            ),
            *OF_THE_SDK,
        ),
        streams=(
            Streamed(name="fixture", reply=_streamed(WHOLE), differences=(MARKED,)),
            Streamed(name="no-hits", reply=_streamed(_answer(webSearchQueries=["kelp"]))),
            broken(
                "an error without evidence",
                "WEB_RATE_LIMITED",
                "ClientError",
                Difference(field="retry_after", ours=21.0, why="The SDK leaves the wait in its details."),
            ),
            Streamed(name="no-search", reply=_streamed(_answer())),
        ),
        home=_home,
        readings=(
            Reading(differences=(MARKED,)),
            *outcomes("google", "no hits, and", "empty grounding", "a withheld answer after", "cut short"),
            Reading(name="no-hits", reply=says(_answer(webSearchQueries=["kelp"]))),
            Reading(name="no-search", reply=says(_answer())),
            refused("wrong-key", 401, _error(401, "UNAUTHENTICATED"), "WEB_PROVIDER_ERROR", "ClientError"),
            refused("rate-limit", 429, _error(429, "RESOURCE_EXHAUSTED"), "WEB_RATE_LIMITED", "ClientError"),
            refused("down", 503, _error(503, "UNAVAILABLE"), "WEB_PROVIDER_ERROR", "ServerError"),
        ),
        questions=(
            Question(
                name="plain",
                request=SearchRequest(query="kelp farming permits", max_results=5),
                arguments=_question("kelp farming permits"),
            ),
            Question(
                name="every-control",
                differences=(
                    *_spelt("startTime", "start_time", "2026-01-02"),
                    *_spelt("endTime", "end_time", "2026-03-05"),
                ),
                request=SearchRequest(
                    query="kelp",
                    controls=SearchControls(published_after="2026-01-02", published_before="2026-03-04"),
                ),
                arguments=_question(
                    "kelp",
                    time_range_filter={
                        "start_time": datetime(2026, 1, 2, tzinfo=UTC),
                        "end_time": datetime(2026, 3, 5, tzinfo=UTC),
                    },
                ),
            ),
            Question(
                name="every-option",
                request=SearchRequest(query="kelp"),
                options={"model": "gemini-4", "max_tokens": 300},
                arguments=_question("kelp")
                | {"model": "gemini-4", "config": {"tools": [{"google_search": {}}], "max_output_tokens": 300}},
            ),
        ),
    ),
)
