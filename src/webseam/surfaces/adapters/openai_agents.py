"""The OpenAI Agents SDK: our tools as its `FunctionTool`s."""

from typing import Any

from webseam.core.call import Call
from webseam.surfaces.adapters.answers import data_url, shown
from webseam.surfaces.adapters.framework import Caller, WhichRun, for_host, framework
from webseam.tools.result import ToolResult
from webseam.tools.toolset import Toolset


class _Text(str):
    """The text for the model, which knows what it was made from."""

    __slots__ = ("result",)
    result: ToolResult


class _Parts(list[Any]):
    """Text and pictures for the model, which know what they were made from."""

    result: ToolResult


def openai_agents_tools(
    tools: Toolset,
    *,
    strict: bool = False,
    run: WhichRun = None,
    call: Call | None = None,
    timeout: float | None = None,
) -> list[Any]:
    """The enabled tools for `agents.Agent(tools=...)`, as `agents.FunctionTool`s.

    The model gets the text, and pictures where there are any. The host finds `structured`, `error` and `meta` of the
    result in `ToolCallOutputItem.custom_data`, which is not sent to the model. A failure is text; the run goes on.

    Arguments and errors are those of every adapter (see `webseam.adapters`); `run` may be a function from the SDK's
    tool context (`lambda context: context.context.run`). `strict` publishes the schemas of OpenAI's strict mode for
    every tool, as `Toolset.definitions` makes them.
    """
    (sdk,) = framework("openai-agents>=0.24", "agents")
    ask = Caller(tools=tools, run=run, call=call, timeout=timeout)
    return [_tool(sdk, published, ask) for published in tools.definitions("openai", strict=strict)]


def _tool(sdk: Any, published: dict[str, Any], ask: Caller) -> Any:
    async def invoke(context: Any, arguments: str) -> Any:
        result = await ask(published["name"], arguments, context)
        text, pictures = shown(result)
        shots = [sdk.ToolOutputImage(image_url=data_url(one)) for one in pictures]
        output = _Parts([sdk.ToolOutputText(text=text), *shots]) if shots else _Text(text)
        output.result = result
        return output

    return sdk.FunctionTool(
        name=published["name"],
        description=published["description"],
        params_json_schema=published["parameters"],
        strict_json_schema=published["strict"],
        on_invoke_tool=invoke,
        custom_data_extractor=_for_the_host,
    )


def _for_the_host(context: Any) -> dict[str, Any] | None:
    """What stands beside the text; nothing where a guardrail of the host has put its own words in place of ours."""
    return for_host(context.output.result) if isinstance(context.output, _Text | _Parts) else None
