"""LlamaIndex: our tools as its `FunctionTool`s, published with our own schemas."""

from typing import Any

from webseam.core.call import Call
from webseam.surfaces.adapters.answers import file_bytes, shown
from webseam.surfaces.adapters.framework import Caller, for_host, framework, publishing
from webseam.surfaces.adapters.own_loop import OwnLoop
from webseam.surfaces.adapters.signature import arguments, as_function, signature
from webseam.tools.result import ToolResult
from webseam.tools.run import Run
from webseam.tools.toolset import Toolset


def llama_index_tools(
    tools: Toolset, *, run: Run | None = None, call: Call | None = None, timeout: float | None = None
) -> list[Any]:
    """The enabled tools for LlamaIndex's agents, as `llama_index.core.tools.FunctionTool`s.

    The model gets the text, and pictures where there are any. The host finds `structured`, `error` and `meta` of the
    result in `ToolOutput.raw_output`. A failure is text with `is_error`; the run goes on.

    Agents await `acall`. What blocks (`call`, and the plain functions that `CodeActAgent` takes) runs on an event loop
    in a thread of its own, which ends with `tools.aclose()`. Do one or the other with one `Toolset`.

    Arguments and errors are those of every adapter (see `webseam.adapters`).
    """
    library, llms, pydantic = framework(
        "llama-index-core>=0.14", "llama_index.core.tools", "llama_index.core.llms", "llama_index.core.bridge.pydantic"
    )
    home = OwnLoop(Caller(tools=tools, run=run, call=call, timeout=timeout))
    return [_tool(library, llms, pydantic, published, home) for published in tools.definitions("openai")]


def _tool(library: Any, llms: Any, pydantic: Any, published: dict[str, Any], home: OwnLoop) -> Any:
    name, takes = published["name"], signature(published["parameters"])

    class WebTool(library.FunctionTool):
        """One tool: what the model sent goes to it unread, so that faults in it are told in one way."""

        async def acall(self, /, *args: Any, **kwargs: Any) -> Any:
            asked = arguments(takes, args, kwargs)
            return _output(library, llms, self.metadata.name, asked, await home.ask(name, asked))

        def call(self, /, *args: Any, **kwargs: Any) -> Any:
            asked = arguments(takes, args, kwargs)
            return _output(library, llms, self.metadata.name, asked, home.answer(name, asked))

    function = as_function(published, takes, lambda asked: home.answer(name, asked).text)
    return WebTool(fn=function, metadata=_metadata(library, pydantic, published))


def _metadata(library: Any, pydantic: Any, published: dict[str, Any]) -> Any:
    """Publishes our schema whole, where LlamaIndex would leave out that it is closed; it validates nothing."""
    arguments_model = publishing(pydantic.BaseModel, "model_json_schema", published["parameters"])
    metadata = publishing(library.ToolMetadata, "get_parameters_dict", published["parameters"])
    return metadata(description=published["description"], name=published["name"], fn_schema=arguments_model)


def _output(library: Any, llms: Any, name: str, asked: dict[str, Any], result: ToolResult) -> Any:
    text, pictures = shown(result)
    shots = [llms.ImageBlock(image=file_bytes(one), image_mimetype=one.media_type) for one in pictures]
    blocks = [llms.TextBlock(text=text), *shots]
    taken = {"args": (), "kwargs": asked}
    return library.ToolOutput(
        blocks=blocks, tool_name=name, raw_input=taken, raw_output=for_host(result), is_error=result.is_error
    )
