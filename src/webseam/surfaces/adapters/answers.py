"""How each vendor's API takes the answer of a tool: OpenAI Responses, Anthropic Messages, Gemini."""

import base64
from collections.abc import Callable, Mapping
from typing import Any, Final

from webseam.core.limits import API_IMAGE_CHARS, API_IMAGE_SIDE
from webseam.surfaces.adapters.citable import without_bullets
from webseam.tools.links import escape_text
from webseam.tools.result import ImageBlock, ToolResult

_PICTURES: Final = frozenset({"image/gif", "image/jpeg", "image/png", "image/webp"})
"""What all three take."""


def openai_item(call_id: str, result: ToolResult) -> dict[str, Any]:
    """A `function_call_output` item."""
    output = content(result, _openai_text, _openai_image)
    return {"type": "function_call_output", "call_id": call_id, "output": output}


def anthropic_block(call_id: str, result: ToolResult, *, citable: bool = True) -> dict[str, Any]:
    """A `tool_result` block; the hits of a search are `search_result` blocks with citations on, where `citable`."""
    text, pictures = shown(result)
    hits = _hits(result) if citable else []
    rest = without_bullets(text, len(hits)) if hits else None
    content: list[dict[str, Any]] = [{"type": "text", "text": text if rest is None else rest}]
    content += [] if rest is None else hits
    content += [
        {"type": "image", "source": {"type": "base64", "media_type": one.media_type, "data": one.data}}
        for one in pictures
    ]
    block = {"type": "tool_result", "tool_use_id": call_id, "content": content}
    return block | {"is_error": True} if result.is_error else block


def gemini_part(name: str, call_id: str | None, result: ToolResult) -> dict[str, Any]:
    """A part with a `function_response`; its pictures are base64 text, which the SDK and plain JSON both take."""
    text, pictures = shown(result)
    response: dict[str, Any] = {"name": name, "response": {"error" if result.is_error else "output": text}}
    if call_id is not None:
        response["id"] = call_id
    if pictures:
        response["parts"] = [{"inline_data": {"mime_type": one.media_type, "data": one.data}} for one in pictures]
    return {"function_response": response}


def shown(result: ToolResult) -> tuple[str, tuple[ImageBlock, ...]]:
    """The text, and the pictures that every API takes; the text says of the others that they are not there.

    One that an API refuses would end the whole request, and with it the agent's loop.
    """
    taken = tuple(one for one in result.images if _is_taken(one))
    left = len(result.images) - len(taken)
    note = "\n\n(The picture itself cannot be shown: its type or size is not taken here.)" if left else ""
    return result.text + note, taken


def content(result: ToolResult, words: Callable[[str], Any], picture: Callable[[ImageBlock], Any]) -> str | list[Any]:
    """The text alone; in a list with its pictures where there are any, each part made by what the host's API takes."""
    text, pictures = shown(result)
    return [words(text), *map(picture, pictures)] if pictures else text


def data_url(picture: ImageBlock) -> str:
    """The picture as a `data:` URL."""
    return f"data:{picture.media_type};base64,{picture.data}"


def file_bytes(picture: ImageBlock) -> bytes:
    """The picture as a file holds it."""
    return base64.b64decode(picture.data)


def _openai_text(text: str) -> dict[str, str]:
    return {"type": "input_text", "text": text}


def _openai_image(one: ImageBlock) -> dict[str, str]:
    return {"type": "input_image", "image_url": data_url(one), "detail": "auto"}


def _is_taken(one: ImageBlock) -> bool:
    fits = len(one.data) <= API_IMAGE_CHARS and max(one.width, one.height) <= API_IMAGE_SIDE
    return fits and one.media_type in _PICTURES


def _hits(result: ToolResult) -> list[dict[str, Any]]:
    """The sources of a search, as `search_result` blocks; none of an answer that no search backs."""
    structured = result.structured or {}
    if structured.get("grounding") != "searched":
        return []
    return [_hit(one) for one in structured["sources"]]


def _hit(source: Mapping[str, str]) -> dict[str, Any]:
    """The API wants a title and a text; what is not given is the URL, never invented.

    A host shows the text that is cited, as Markdown perhaps: nothing in it is a link or loads a picture.
    """
    dated = f"({source['published_at']})" if "published_at" in source else ""
    text = escape_text(f"{source.get('snippet', '')} {dated}".strip() or source.get("title", "")) or source["url"]
    return {
        "type": "search_result",
        "source": source["url"],
        "title": source.get("title") or source["url"],
        "content": [{"type": "text", "text": text}],
        "citations": {"enabled": True},
    }
