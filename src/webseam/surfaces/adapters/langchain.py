"""LangChain and LangGraph: our tools as `BaseTool`s that give content for the model and an artifact for the host."""

from contextvars import ContextVar
from typing import Any

from webseam.core.call import Call
from webseam.surfaces.adapters.answers import content
from webseam.surfaces.adapters.framework import Caller, WhichRun, for_host, framework
from webseam.surfaces.adapters.own_loop import OwnLoop
from webseam.tools.result import ImageBlock, ToolResult
from webseam.tools.toolset import Toolset


def langchain_tools(
    tools: Toolset, *, run: WhichRun = None, call: Call | None = None, timeout: float | None = None
) -> list[Any]:
    """The enabled tools as `langchain_core.tools.BaseTool`s, for `create_agent`, `bind_tools` or a `ToolNode`.

    The content of the `ToolMessage` is the text, with pictures as image blocks where there are any; its artifact is a
    dict with `structured`, `error` and `meta`; its status is `error` for a failed call, and nothing is raised.

    `ainvoke` runs on the caller's event loop. `invoke` blocks: its work runs on one event loop in a thread of its own,
    which starts with the first such call and ends with `tools.aclose()`. Use one way or the other with one `Toolset`.

    Arguments and errors are those of every adapter (see `webseam.adapters`); `run` may be a function from LangChain's
    `RunnableConfig` (`lambda config: runs[config["configurable"]["thread_id"]]`).
    """
    kit, messages, runnables = framework(
        "langchain-core>=1.0", "langchain_core.tools", "langchain_core.messages", "langchain_core.runnables"
    )
    home = OwnLoop(Caller(tools=tools, run=run, call=call, timeout=timeout))
    return [_tool(kit, messages, runnables, published, home) for published in tools.definitions("openai")]


def _tool(kit: Any, messages: Any, runnables: Any, published: dict[str, Any], home: OwnLoop) -> Any:
    called: ContextVar[str | None] = ContextVar("called", default=None)

    class WebTool(kit.BaseTool):
        """One tool. Its arguments go whole to our own check, whatever a model calls them."""

        response_format: str = "content_and_artifact"

        def run(self, *args: Any, tool_call_id: str | None = None, **kwargs: Any) -> Any:
            called.set(tool_call_id)
            return super().run(*args, tool_call_id=tool_call_id, **kwargs)

        async def arun(self, *args: Any, tool_call_id: str | None = None, **kwargs: Any) -> Any:
            called.set(tool_call_id)
            return await super().arun(*args, tool_call_id=tool_call_id, **kwargs)

        def _run(self, /, **given: Any) -> tuple[Any, dict[str, Any]]:
            return self._answer(home.answer(published["name"], given, runnables.ensure_config()))

        async def _arun(self, /, **given: Any) -> tuple[Any, dict[str, Any]]:
            return self._answer(await home.ask(published["name"], given, runnables.ensure_config()))

        def _answer(self, result: ToolResult) -> tuple[Any, dict[str, Any]]:
            """Content and artifact; a failure is a whole message, for callbacks and traces are to see its status."""
            said, told, call_id = content(result, _words, _image), for_host(result), called.get()
            if result.is_error and call_id is not None:
                said = messages.ToolMessage(said, artifact=told, tool_call_id=call_id, name=self.name, status="error")
            return said, told

    return WebTool(name=published["name"], description=published["description"], args_schema=published["parameters"])


def _words(text: str) -> dict[str, str]:
    return {"type": "text", "text": text}


def _image(one: ImageBlock) -> dict[str, str]:
    return {"type": "image", "base64": one.data, "mime_type": one.media_type}
