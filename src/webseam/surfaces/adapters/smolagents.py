"""smolagents: our tools as its `Tool`s, for agents that call functions and for agents that write code."""

from typing import Any

from webseam.core.call import Call
from webseam.surfaces.adapters.framework import Caller, framework
from webseam.surfaces.adapters.own_loop import OwnLoop
from webseam.surfaces.adapters.signature import arguments, signature
from webseam.tools.run import Run
from webseam.tools.toolset import Toolset


def smolagents_tools(
    tools: Toolset, *, run: Run | None = None, call: Call | None = None, timeout: float | None = None
) -> list[Any]:
    """The enabled tools for `smolagents.ToolCallingAgent(tools=...)` or `CodeAgent`, as `smolagents.Tool`s.

    smolagents calls from threads that wait: the work runs on one event loop in a thread of its own, which starts with
    the first call and ends with `tools.aclose()`; use `tools` through these alone. It sends the model all that a tool
    returns, so that is the text.

    Arguments and errors are those of every adapter (see `webseam.adapters`).
    """
    (library,) = framework("smolagents>=1.26", "smolagents")
    home = OwnLoop(Caller(tools=tools, run=run, call=call, timeout=timeout))
    return [_tool(library, published, home) for published in tools.definitions("openai")]


def _tool(library: Any, published: dict[str, Any], home: OwnLoop) -> Any:
    takes = signature(published["parameters"])

    class WebTool(library.Tool):
        """One tool; `forward` takes what `inputs` says, by place or by name, as code that a model writes does."""

        skip_forward_signature_validation = True
        name = published["name"]
        description = published["description"]
        inputs = _inputs(published["parameters"])
        output_type = "string"

        def forward(self, /, *args: Any, **kwargs: Any) -> str:
            return home.answer(published["name"], arguments(takes, args, kwargs)).text

    return WebTool()


def _inputs(schema: dict[str, Any]) -> dict[str, Any]:
    """The properties; smolagents marks the optional ones instead of listing the required ones."""
    return {
        name: one if name in schema["required"] else {**one, "nullable": True}
        for name, one in schema["properties"].items()
    }
