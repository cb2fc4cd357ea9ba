"""One dispatcher for the vendors' APIs: from a model's answer to what goes back, without any of their packages."""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Literal, TypeAlias

from webseam.core.call import Call
from webseam.core.errors import Code, WebError
from webseam.core.limits import CALLS_AT_ONCE
from webseam.surfaces.adapters.answers import anthropic_block, gemini_part, openai_item
from webseam.surfaces.adapters.framework import Caller
from webseam.tools.result import ToolResult
from webseam.tools.run import Run
from webseam.tools.toolset import Toolset

Style: TypeAlias = Literal["openai", "anthropic", "gemini"]


@dataclass(frozen=True, slots=True)
class _Asked:
    """A call in a model's answer, and how its answer goes back."""

    name: object
    args: object
    item: Callable[[ToolResult], dict[str, Any]]


async def dispatch(
    tools: Toolset,
    response: object,
    style: Style,
    *,
    run: Run | None = None,
    call: Call | None = None,
    timeout: float | None = None,
) -> list[dict[str, Any]]:
    """Run the calls of our tools in a model's answer, together; what to send back, in the order of the calls.

    Calls of other tools, and those that the vendor runs itself, are left alone. A failed call is an item too: its text
    tells the model what to do. At most 16 calls run at a time. Cancelling ends all of them.

    Args:
        tools: whose tools are ours.
        response: what the API answered, as the vendor's SDK or plain JSON gives it, or its list of items alone.
        style: `openai` (Responses), `anthropic` (Messages) or `gemini`.
        run: the run that the calls are of, where `tools` serve several.
        call: execution control of each call. A deadline in it is a point in time; for seconds use `timeout`.
        timeout: seconds for each call.

    Returns:
        `openai`: `function_call_output` items, to append to the input behind the answer's own. `anthropic`:
        `tool_result` blocks, the content of the next user message. `gemini`: parts with a `function_response`, those of
        the next user content. Empty when there was nothing to run.

    Raises:
        WebError: `INVALID_ARGS` for an unknown style, a response that is none of that API, or a `timeout` that is no
            time.
    """
    read = _READERS.get(style)
    if read is None:
        raise WebError(Code.INVALID_ARGS, f"There is no API {style!r}. Choose one of: {', '.join(_READERS)}.")
    ours = {one["name"] for one in tools.definitions("openai")}
    asked = [one for one in read(response) if isinstance(one.name, str) and one.name in ours]
    return await _answered(asked, Caller(tools=tools, run=run, call=call, timeout=timeout))


async def _answered(asked: Sequence[_Asked], ask: Caller) -> list[dict[str, Any]]:
    turn = asyncio.Semaphore(CALLS_AT_ONCE)

    async def answer(one: _Asked) -> dict[str, Any]:
        async with turn:
            return one.item(await ask(str(one.name), one.args))

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(answer(one)) for one in asked]
    return [task.result() for task in tasks]


# Reading what a model answered ------------------------------------------------------------------------


def _openai(response: object) -> Iterator[_Asked]:
    for item in _items(response, "output"):
        if _part(item, "type") == "function_call":
            yield _Asked(_part(item, "name"), _part(item, "arguments"), _openai_item(item))


def _openai_item(item: object) -> Callable[[ToolResult], dict[str, Any]]:
    call_id, caller = str(_part(item, "call_id")), _plain(_part(item, "caller"))
    return lambda result: openai_item(call_id, result) | ({} if caller is None else {"caller": caller})


def _anthropic(response: object) -> Iterator[_Asked]:
    """A call that names a toolset is of one that the vendor defines, whatever the tool in it is called."""
    for block in _items(response, "content"):
        if _part(block, "type") == "tool_use" and _part(block, "toolset_name") is None:
            yield _Asked(_part(block, "name"), _part(block, "input"), _anthropic_item(block))


def _anthropic_item(block: object) -> Callable[[ToolResult], dict[str, Any]]:
    """Code that the model wrote and the vendor runs reads text; only the model itself cites."""
    call_id, caller = str(_part(block, "id")), _part(_part(block, "caller"), "type")
    return partial(anthropic_block, call_id, citable=caller in (None, "direct"))


def _gemini(response: object) -> Iterator[_Asked]:
    for part in _gemini_parts(response):
        asked = _part(part, "function_call", "functionCall") or part  # the SDK's own list has the bare calls
        if _part(asked, "name") is not None:
            yield _Asked(_part(asked, "name"), _part(asked, "args") or {}, _gemini_item(asked))


def _gemini_parts(response: object) -> Sequence[object]:
    """Those of the first candidate, which a conversation goes on with; a blocked answer has none, or nothing in it."""
    if isinstance(response, list | tuple):
        return response
    if _part(response, "candidates") is None and _part(response, "parts") is not None:
        return _items(response, "parts")
    if _part(response, "candidates") is None and _part(response, *_OF_A_BLOCKED_ANSWER) is not None:
        return []
    candidates = _items(response, "candidates")
    return (_part(_part(candidates[0], "content"), "parts") or []) if candidates else []


def _gemini_item(asked: object) -> Callable[[ToolResult], dict[str, Any]]:
    name, call_id = str(_part(asked, "name")), _part(asked, "id")
    return partial(gemini_part, name, call_id)


_READERS: Final[Mapping[str, Callable[[object], Iterator[_Asked]]]] = {
    "openai": _openai,
    "anthropic": _anthropic,
    "gemini": _gemini,
}

_OF_A_BLOCKED_ANSWER: Final = ("prompt_feedback", "promptFeedback", "usage_metadata", "usageMetadata")


def _items(response: object, name: str) -> Sequence[object]:
    """The items of a response, or the list that was given instead of one.

    Raises:
        WebError: `INVALID_ARGS`, when it has none.
    """
    items = response if isinstance(response, list | tuple) else _part(response, name)
    if isinstance(items, list | tuple):
        return items
    raise WebError(
        Code.INVALID_ARGS,
        f"This is no answer of that API: a {type(response).__name__} without a list {name!r}. Give the whole response.",
    )


def _part(value: object, *names: str) -> Any:
    """A field of an SDK's object or of plain JSON; None where it is not there."""
    for name in names:
        found = value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)
        if found is not None:
            return found
    return None


def _plain(value: Any) -> Any:
    """An SDK's object as plain JSON."""
    return value.model_dump(exclude_none=True) if hasattr(value, "model_dump") else value
