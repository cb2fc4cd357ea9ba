"""What the model-routed vendors' oracles share: the wires' SDKs, asked whole and streamed, and read under our names."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, Final

from support.explained import usual
from support.fields import Difference
from support.oracle import SDK_SECONDS, Oracle, Question, Reading, Streamed, events
from support.vendor import says
from webseam.core.types import SearchControls, SearchRequest
from webseam.testing import Reply

STREAM: Final = Difference(
    field="header.accept",
    ours="text/event-stream",
    theirs="application/json",
    why="The SDK asks for a stream in the body only.",
)

NO_STREAM: Final = Difference(field="body.stream", theirs=False, why="The SDK spells out that it wants no stream.")


def stream_status(
    ours: int, why: str = "The SDK tells the status of the stream; ours is the one that the error means."
) -> Difference:
    """The status of an error that comes in a stream that began as a success."""
    return Difference(field="status", ours=ours, theirs=200, why=why)


def marks(ours: str, theirs: str) -> Difference:
    """Prose with the citations placed, and as the SDK hands it on."""
    return Difference(field="content", ours=ours, theirs=theirs, why="Citations become marks that lead to the sources.")


def paragraphs(ours: str) -> Difference:
    """The text told on the way, where a message follows a message."""
    why = "What stands apart, between searches, is a paragraph."
    return Difference(field="told", ours=ours, theirs=ours.replace("\n\n", ""), why=why)


# Anthropic's Messages ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Messages:
    """The SDK anthropic against a vendor that speaks Messages below `path`."""

    path: str = ""

    def ask(self, sdk: Any, url: str, key: str | None, arguments: Mapping[str, Any]) -> Any:
        with self._client(sdk, url, key) as client:
            return client.messages.create(**arguments)

    def stream(self, sdk: Any, url: str, key: str | None, arguments: Mapping[str, Any]) -> tuple[Any, str]:
        with self._client(sdk, url, key) as client, client.messages.stream(**arguments) as stream:
            said = "".join(stream.text_stream)
            return stream.get_final_message(), said

    def _client(self, sdk: Any, url: str, key: str | None) -> Any:
        base = url + self.path
        return sdk.Anthropic(api_key=key, base_url=base, max_retries=0, timeout=SDK_SECONDS, open_telemetry=False)


def read_message(answer: Any) -> dict[str, Any]:
    """The text from the first search on, and rows of every result block, each with the first quotation of its URL."""
    kinds = [block.type for block in answer.content]
    searched = kinds.index("web_search_tool_result") if "web_search_tool_result" in kinds else 0
    texts = [block for block in answer.content[searched:] if block.type == "text"]
    cited = [one for block in texts for one in block.citations or () if one]
    blocks = [block for block in answer.content if block.type == "web_search_tool_result"]
    return {
        "content": "".join(block.text for block in texts),
        "sources": [_hit(row, cited) for block in blocks for row in block.content],
        "usage": _message_usage(answer.usage),
    }


def _hit(row: Any, cited: list[Any]) -> Any:
    if isinstance(row, str):
        return row
    quoted = next((one.cited_text for one in cited if one.url == row.url), None)
    title, age = getattr(row, "title", None), getattr(row, "page_age", None)
    return {"url": row.url, "title": title, "published_at": age, "snippet": quoted}


def _message_usage(usage: Any) -> dict[str, Any]:
    tools = usage.server_tool_use
    tokens = {"input_tokens": usage.input_tokens, "output_tokens": usage.output_tokens}
    return {"calls": tools and tools.web_search_requests, **tokens}


# OpenAI's chat completions ----------------------------------------------------------------------------


def folded(chunks: Iterable[Any]) -> tuple[Any, str]:
    """The chunks of a completion as the whole one: what is said adds up, of what is repeated the last one holds."""
    said, notes, last = "", [], SimpleNamespace(usage=None, search_results=None)
    for chunk in chunks:
        for delta in (choice.delta for choice in chunk.choices):
            said += delta.content or ""
            notes += [_nested(one) for one in getattr(delta, "annotations", None) or ()]
        for name in ("usage", "search_results"):
            setattr(last, name, getattr(chunk, name, None) or getattr(last, name))
    last.choices = [SimpleNamespace(message=SimpleNamespace(content=said, annotations=notes))]
    return last, said


def _nested(note: Mapping[str, Any]) -> Any:
    """A citation that the SDK hands on untyped."""
    return SimpleNamespace(type=note["type"], url_citation=SimpleNamespace(**note["url_citation"]))


# OpenAI's Responses ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Responses:
    """The SDK openai against a vendor that speaks Responses below `path`."""

    path: str = ""

    def ask(self, sdk: Any, url: str, key: str | None, arguments: Mapping[str, Any]) -> Any:
        with self._client(sdk, url, key) as client:
            return client.responses.create(**arguments)

    def stream(self, sdk: Any, url: str, key: str | None, arguments: Mapping[str, Any]) -> tuple[Any, str]:
        said = ""
        with self._client(sdk, url, key) as client, client.responses.stream(**arguments) as stream:
            for event in stream:
                said += event.delta if event.type == "response.output_text.delta" else ""
            return stream.get_final_response(), said

    def _client(self, sdk: Any, url: str, key: str | None) -> Any:
        return sdk.OpenAI(api_key=key, base_url=url + self.path, max_retries=0, timeout=SDK_SECONDS)

    def oracle(self, kind: str, **facts: Any) -> Oracle:
        """A vendor beside this SDK, whole and streamed; `facts` are what is the vendor's own."""
        return Oracle(
            kind=kind, sdk="openai", ask=self.ask, read=read_response, stream=self.stream, streaming=(STREAM,), **facts
        )


def asked(model: str, query: str, tool: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """A search as the SDK's arguments; `tool` is what the search tool is told."""
    return {
        "model": model,
        "input": f"Search the web for this query: {query}",
        "tools": [{"type": "web_search", **tool}],
        "max_output_tokens": 8192,
        "tool_choice": "required",
        **more,
    }


def plain_question(asking: Callable[[str], Mapping[str, Any]]) -> Question:
    """Nothing but a query and a bound that the vendor is not told."""
    query = "kelp farming permits"
    return Question(name="plain", request=SearchRequest(query=query, max_results=5), arguments=asking(query))


def hosts_and_country(asking: Callable[..., Mapping[str, Any]]) -> Question:
    """The two controls of OpenAI's own search tool."""
    hosts = ("kelp.example", "sea.example")
    return Question(
        name="every-control",
        request=SearchRequest(query="kelp", controls=SearchControls(include_domains=hosts, country="SE")),
        arguments=asking(
            "kelp",
            filters={"allowed_domains": list(hosts)},
            user_location={"type": "approximate", "country": "SE"},
        ),
    )


def response(*output: Mapping[str, Any]) -> dict[str, Any]:
    """A whole response of these items."""
    return {"id": "r", "object": "response", "status": "completed", "output": list(output)}


def searched(**action: Any) -> dict[str, Any]:
    """The item of a search that is over and names no page."""
    return {"id": "w", "type": "web_search_call", "status": "completed", "action": {"type": "search", **action}}


def streamed_both(whole: Mapping[str, Any], empty: Mapping[str, Any], *found: Difference) -> tuple[Streamed, Streamed]:
    """The fixture's answer and a search without hits, as streams."""
    return (
        Streamed(name="fixture", reply=streamed_response(whole), differences=found),
        Streamed(name="no-hits", reply=streamed_response(empty)),
    )


def nothing_found(empty: Mapping[str, Any]) -> Reading:
    """A search without hits, whole."""
    return Reading(name="no-hits", reply=says(empty))


REFUSALS: Final = usual({"error": {"code": "invalid_api_key"}}, {"error": {"code": "rate_limit_exceeded"}})
"""The two failures that every vendor of this wire has."""


def read_response(answer: Any) -> dict[str, Any]:
    """The last message, and pages in the order cited, opened, consulted, each once with its first title."""
    messages = [item for item in answer.output if item.type == "message"]
    parts = [part for part in messages[-1].content if part.type == "output_text"] if messages else []
    calls = [item for item in answer.output if item.type == "web_search_call" and item.status == "completed"]
    pages: dict[str, str | None] = {}
    for one in (*_cited(parts), *_consulted(calls)):
        pages[one.url] = pages.get(one.url) or getattr(one, "title", None)
    return {
        "content": "".join(part.text for part in parts),
        "sources": [{"url": url, "title": title} for url, title in pages.items()],
        "usage": _response_usage(answer, calls),
    }


def _cited(parts: list[Any]) -> list[Any]:
    return [one for part in parts for one in part.annotations if one.type == "url_citation" and _has_url(one)]


def _consulted(calls: list[Any]) -> list[Any]:
    actions = [getattr(call, "action", None) for call in calls]
    opened = [one for one in actions if _has_url(one)]
    listed = [one for action in actions for one in getattr(action, "sources", None) or ()]
    return opened + [one for one in listed if _has_url(one)]


def _has_url(one: Any) -> bool:
    return isinstance(getattr(one, "url", None), str)


def _response_usage(answer: Any, calls: list[Any]) -> dict[str, Any]:
    searches = [one for one in calls if getattr(getattr(one, "action", None), "type", "search") == "search"]
    tools, usage = getattr(answer, "tool_usage", None), answer.usage
    reported = tools and tools.web_search.num_requests
    tokens = {name: getattr(usage, name, None) for name in ("input_tokens", "output_tokens")}
    return {"calls": reported or len(searches) or None, **tokens}


def streamed_response(response: Mapping[str, Any]) -> Reply:
    """A whole response as the stream that would have brought it, with all events that the SDK's accumulator wants.

    Each item gets an id of its own, which fixtures do not always give.
    """
    response = {**response, "output": [{**item, "id": f"item_{at}"} for at, item in enumerate(response["output"])]}
    began = {**response, "status": "in_progress", "output": [], "usage": None}
    made: list[dict[str, Any]] = [{"type": "response.created", "response": began}]
    for at, item in enumerate(response["output"]):
        parts = item.get("content", []) if item["type"] == "message" else []
        made.append(_event("output_item.added", at, item={**item, "content": []} if parts else item))
        for place, part in enumerate(parts):
            made += _part_events(at, place, item["id"], part)
        made.append(_event("output_item.done", at, item=item))
    made.append({"type": "response.completed", "response": response})
    return events(*({**one, "sequence_number": number} for number, one in enumerate(made)))


def _event(kind: str, at: int, **fields: Any) -> dict[str, Any]:
    return {"type": f"response.{kind}", "output_index": at, **fields}


def _part_events(at: int, place: int, item: str, part: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    where = {"content_index": place, "item_id": item}
    said, notes = part["text"], part["annotations"]
    yield _event("content_part.added", at, **where, part={**part, "text": "", "annotations": []})
    for start in range(0, len(said), 7):
        yield _event("output_text.delta", at, **where, delta=said[start : start + 7], logprobs=[])
    for number, note in enumerate(notes):
        yield _event("output_text.annotation.added", at, **where, annotation_index=number, annotation=note)
    yield _event("output_text.done", at, **where, text=said, logprobs=[])
    yield _event("content_part.done", at, **where, part=part)
