"""pydantic-ai: our tools as one of its toolsets, for an agent, `WebSearch(local=...)` and `WebFetch(local=...)`."""

from collections.abc import Iterable
from typing import Any

from webseam.core.call import Call
from webseam.surfaces.adapters.answers import content, file_bytes
from webseam.surfaces.adapters.framework import Caller, WhichRun, chosen, for_host, framework
from webseam.surfaces.adapters.unread import Unchecked, Unread
from webseam.tools.result import ImageBlock
from webseam.tools.toolset import Toolset


def pydantic_ai_toolset(
    tools: Toolset,
    *,
    names: Iterable[str] | None = None,
    run: WhichRun = None,
    call: Call | None = None,
    timeout: float | None = None,
) -> Any:
    """The enabled tools as a `pydantic_ai.toolsets.AbstractToolset`: `Agent(toolsets=[...])`, `WebSearch(local=...)`.

    The model gets the text, and pictures where there are any; the host finds `structured` and `meta` in the metadata of
    the tool's return part. A failed call is a return part whose `outcome` is `failed`: the run goes on, and no retry is
    spent.

    Arguments and errors are those of every adapter (see `webseam.adapters`); `run` may be a function from pydantic-ai's
    `RunContext` (`lambda ctx: ctx.deps.run`). `names` chooses some of the tools, such as `["web_search"]` for
    `WebSearch(local=...)`; `INVALID_ARGS` is raised for one that is not on.
    """
    return _toolset(chosen(tools, names), Caller(tools=tools, run=run, call=call, timeout=timeout))


def _toolset(published: list[dict[str, Any]], ask: Caller) -> Any:
    kit: Any
    sdk, kit = framework("pydantic-ai-slim>=2.60", "pydantic_ai", "pydantic_ai.toolsets")

    class WebToolset(kit.AbstractToolset):
        """Publishes our definitions as they are."""

        id = "webseam:" + ",".join(one["name"] for one in published)

        async def get_tools(self, _ctx: Any) -> dict[str, Any]:
            return {one["name"]: self._tool(one) for one in published}

        def _tool(self, one: dict[str, Any]) -> Any:
            definition = sdk.ToolDefinition(
                name=one["name"], description=one["description"], parameters_json_schema=one["parameters"]
            )
            return kit.ToolsetTool(toolset=self, tool_def=definition, max_retries=1, args_validator=Unchecked())

        async def call_tool(self, name: str, tool_args: dict[str, Any], ctx: Any, _tool: Any) -> Any:
            result = await ask(name, tool_args.sent if isinstance(tool_args, Unread) else tool_args, ctx)
            if result.is_error:
                raise sdk.ToolFailed(result.text)
            return sdk.ToolReturn(content(result, str, self._file), metadata=for_host(result))

        def _file(self, one: ImageBlock) -> Any:
            return sdk.BinaryContent(file_bytes(one), media_type=one.media_type)

    return WebToolset()
