"""Google's Agent Development Kit: our tools as its `BaseTool`s."""

from typing import Any

from webseam.core.call import Call
from webseam.surfaces.adapters.answers import file_bytes, shown
from webseam.surfaces.adapters.framework import Caller, WhichRun, framework
from webseam.tools.result import ToolResult
from webseam.tools.toolset import Toolset


def google_adk_tools(
    tools: Toolset, *, run: WhichRun = None, call: Call | None = None, timeout: float | None = None
) -> list[Any]:
    """The enabled tools for `google.adk.agents.LlmAgent(tools=...)`, as `google.adk.tools.BaseTool`s.

    The model gets the text as `output`, or as `error` where the call failed, and pictures as parts of the response; the
    run goes on after a failure. ADK sends the model all that a tool returns, so there is no structured result. Calls
    name their session in `Call.tags`, so that sessions of one agent do not mix up what they read.

    Arguments and errors are those of every adapter (see `webseam.adapters`); `run` may be a function from ADK's tool
    context.
    """
    adk, types = framework("google-adk>=2.13", "google.adk.tools", "google.genai.types")
    ask = Caller(tools=tools, run=run, call=call, timeout=timeout)
    return [_tool(adk, types, published, ask) for published in tools.definitions("gemini")]


def _tool(adk: Any, types: Any, published: dict[str, Any], ask: Caller) -> Any:
    class WebTool(adk.BaseTool):
        """One tool; its declaration is made anew at each request, since ADK may write into it."""

        def _get_declaration(self) -> Any:
            return types.FunctionDeclaration(**published).model_copy(deep=True)

        async def run_async(self, *, args: dict[str, Any], tool_context: Any) -> dict[str, Any]:
            asked = ask.tagged(session=tool_context.session.id)
            return _response(types, await asked(published["name"], args, tool_context))

    return WebTool(name=published["name"], description=published["description"])


def _response(types: Any, result: ToolResult) -> dict[str, Any]:
    """`output` or `error`, the keys that Gemini knows; ADK moves pictures from here to where the API wants them."""
    text, pictures = shown(result)
    parts = [types.Part.from_bytes(data=file_bytes(one), mime_type=one.media_type) for one in pictures]
    return {"error" if result.is_error else "output": text} | ({"images": parts} if parts else {})
