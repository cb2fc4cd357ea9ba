"""Mistral's models with their web search (POST /conversations). Facts: Mistral's Python SDK 3.7 and documentation."""

from collections.abc import Mapping
from typing import Annotated, Any, Final

import msgspec

from webseam.core.plugin import ProviderSpec
from webseam.core.types import SearchResult, Source, Usage
from webseam.providers.wires.asking import Answer, Ask, Question
from webseam.providers.wires.citations import mark
from webseam.providers.wires.clean import plain_text, unwrap
from webseam.providers.wires.conversations import ConversationFold
from webseam.providers.wires.failures import codes_of, message_of
from webseam.providers.wires.operators import with_sites
from webseam.providers.wires.rows import Row, count, items, mapping, source, status_told, text
from webseam.providers.wires.vendor import Streaming, Vendor, provider

_TOOL: Final = "web_search"
"""What the names of both search tools begin with; the premium one adds news agencies."""


class MistralOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[providers.mistral]`. `premium` searches news agencies too; `answer` passes the model's prose on."""

    base_url: str = "https://api.mistral.ai/v1"
    model: Annotated[str, msgspec.Meta(min_length=1)] = "mistral-medium-latest"
    max_tokens: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] = 4096
    premium: bool = False
    answer: bool = True


def _ask(question: Question[MistralOptions]) -> Ask:
    """Nothing is stored. The tool takes no controls: domains are named in the prompt, and the seam holds them."""
    options, controls = question.options, question.controls
    query = with_sites(question.query, controls.include_domains, controls.exclude_domains)
    return Ask(
        path="conversations",
        json={
            "model": options.model,
            "inputs": f"Search the web for this query: {query}",
            "tools": [{"type": f"{_TOOL}_premium" if options.premium else _TOOL}],
            "completion_args": {"max_tokens": options.max_tokens},
            "store": False,
        },
    )


def _read(answer: Answer[MistralOptions]) -> SearchResult:
    """References alone prove nothing; a finished execution of the tool, or a count of its calls, does."""
    status = status_told(answer.row.get("code"))
    if status is not None and "outputs" not in answer.row:
        raise answer.fault(status, message_of(answer.payload), *codes_of(answer.payload))
    outputs: list[Row] = [entry for entry in answer.rows("outputs") if isinstance(entry, dict)]
    done = [entry for entry in outputs if entry.get("type") == "tool.execution" and _has_searched(entry)]
    reported = _reported(answer.row)
    searched = bool(done) or bool(reported)
    messages = _messages(outputs, whole=not (searched and answer.broken))
    pages, odd = _pages(messages)
    usage = mapping(answer.row.get("usage"))
    return answer.result(
        [*pages.values(), *odd],
        _source,
        grounding="searched" if searched else "ungrounded",
        content=_prose(messages, list(pages) if searched else [])
        if answer.question.options.answer or not searched
        else None,
        usage=Usage(
            calls=reported or len(done) or None,
            input_tokens=count(usage.get("prompt_tokens")),
            output_tokens=count(usage.get("completion_tokens")),
        ),
    )


def _has_searched(entry: Row) -> bool:
    """A `completed_at` that is null belongs to an execution that never ended; an absent one says nothing."""
    return (text(entry.get("name")) or "").startswith(_TOOL) and entry.get("completed_at", "") is not None


def _reported(payload: Row) -> int:
    connectors = mapping(mapping(payload.get("usage")).get("connectors"))
    return sum(count(calls) or 0 for name, calls in connectors.items() if name.startswith(_TOOL))


def _messages(outputs: list[Row], *, whole: bool) -> list[list[Any]]:
    """The chunks of each message, from the first search on: what stands before it only announces it.

    A `whole` answer without a message after its search said it before; in half an answer it may still be to come.
    """
    kinds = [entry.get("type") for entry in outputs]
    start = kinds.index("tool.execution") if "tool.execution" in kinds else 0
    start = 0 if whole and "message.output" not in kinds[start:] else start
    said = (entry.get("content") for entry in outputs[start:] if entry.get("type") == "message.output")
    return [[{"type": "text", "text": one}] if isinstance(one, str) else items(one) for one in said]


def _pages(messages: list[list[Any]]) -> tuple[dict[str, Row], list[object]]:
    """Each page once, where it was first referred to, and the references that name none."""
    pages: dict[str, Row] = {}
    odd: list[object] = []
    for chunk in (chunk for message in messages for chunk in message if _is_reference(chunk)):
        url = text(chunk.get("url"))
        if url is None:
            odd.append(None)
        else:
            pages.setdefault(unwrap(url), {**chunk, "url": unwrap(url)})
    return pages, odd


def _is_reference(chunk: object) -> bool:
    """To a page; other tools refer to files."""
    row = mapping(chunk)
    return row.get("type") == "tool_reference" and str(row.get("tool", _TOOL)).startswith(_TOOL)


def _source(row: Row) -> Source | None:
    return source(row, snippet=plain_text(row.get("description")))


def _prose(messages: list[list[Any]], pages: list[str]) -> str | None:
    """What was said, with marks where the references stood."""
    numbers = {url: number for number, url in enumerate(pages, 1)}
    return "\n\n".join(filter(None, (_marked(message, numbers) for message in messages))) or None


def _marked(message: list[Any], numbers: Mapping[str, int]) -> str:
    said = ""
    for chunk in map(mapping, message):
        url = unwrap(text(chunk.get("url")) or "")
        if chunk.get("type") == "text" and isinstance(chunk.get("text"), str):
            said += chunk["text"]
        elif _is_reference(chunk) and url in numbers:
            said += ("" if said[-1:].isspace() else " ") + mark(numbers[url], url)
    return said.strip()


VENDOR: Final[Vendor[MistralOptions]] = Vendor(ask=_ask, read=_read, stream=Streaming(fold=ConversationFold))
SPEC = ProviderSpec(
    kind="mistral",
    capability="search",
    build=provider(VENDOR, MistralOptions),
    options=MistralOptions,
    key_env=("MISTRAL_API_KEY",),
    summary="Mistral's models with their web search: an answer with the pages that it refers to.",
    answer="option",
    rests_on="sdk",
)
