"""LlamaIndex, smolagents and Google ADK: their own agent loops over our adapters, for `support.agent_loops`."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

from support.adapters import needs
from support.agent_script import Script, Turns
from support.scripted import DONE, Use
from webseam import adapters
from webseam.tools.toolset import Toolset


async def llama_index(tools: Toolset, turns: Turns) -> list[str]:
    """A `FunctionAgent` that asks its model for whole answers."""
    return await _llama_index(tools, turns, streaming=False)


async def llama_index_streaming(tools: Toolset, turns: Turns) -> list[str]:
    """One that asks for them piece by piece, as it does unless it is told otherwise."""
    return await _llama_index(tools, turns, streaming=True)


async def _llama_index(tools: Toolset, turns: Turns, *, streaming: bool) -> list[str]:
    """It tells its model the answers of one turn in the order in which they came: sorted here."""
    workflow, mock = needs("llama_index.core.agent.workflow"), needs("llama_index.core.llms.mock")
    types = needs("llama_index.core.llms")
    blocks = needs("llama_index.core.base.llms.types")
    script = Script(turns)

    def say(given: Sequence[Any], **_more: Any) -> Any:
        told = [one.model_dump(mode="json") for one in given if one.role == "tool"]
        calls = script.next(sorted(told, key=lambda one: str(one["additional_kwargs"]["tool_call_id"])))
        asked = [
            blocks.ToolCallBlock(tool_call_id=key, tool_name=use.name, tool_kwargs=use.arguments) for key, use in calls
        ]
        return types.ChatMessage(role="assistant", blocks=asked or [types.TextBlock(text=DONE)])

    model = mock.MockFunctionCallingLLM(response_generator=say, is_chat_model=True)
    agent = workflow.FunctionAgent(tools=adapters.llama_index_tools(tools), llm=model, streaming=streaming)
    assert (await agent.run(user_msg="kelp?")).response.content == DONE
    return script.heard


async def smolagents(tools: Toolset, turns: Turns) -> list[str]:
    """A `ToolCallingAgent`, in a thread of its own, as all of it blocks."""
    return await _smolagents(tools, turns, lambda agent: agent.run("kelp?"))


async def smolagents_streaming(tools: Toolset, turns: Turns) -> list[str]:
    """The same, step by step."""
    return await _smolagents(tools, turns, lambda agent: list(agent.run("kelp?", stream=True))[-1].output)


async def _smolagents(tools: Toolset, turns: Turns, run: Callable[[Any], Any]) -> list[str]:
    library, models = needs("smolagents"), needs("smolagents.models")
    script = Script(turns)

    class Model(models.Model):  # type: ignore[misc,name-defined]  # loaded where it is installed
        def generate(self, given: list[Any], **_more: Any) -> Any:
            calls = script.next([one.content for one in given if one.role == "tool-response"])
            last = [("call_last", Use("final_answer", {"answer": DONE}))]
            asked = [
                models.ChatMessageToolCall(
                    function=models.ChatMessageToolCallFunction(name=use.name, arguments=use.arguments),
                    id=key,
                    type="function",
                )
                for key, use in calls or last
            ]
            return models.ChatMessage(role="assistant", content="", tool_calls=asked)

    offered = adapters.smolagents_tools(tools)
    agent = library.ToolCallingAgent(tools=offered, model=Model(model_id="scripted"), verbosity_level=-1)
    assert await asyncio.to_thread(run, agent) == DONE
    return script.heard


async def google_adk(tools: Toolset, turns: Turns) -> list[str]:
    """An `LlmAgent` under ADK's own runner."""
    return await _google_adk(tools, turns, "NONE")


async def google_adk_streaming(tools: Toolset, turns: Turns) -> list[str]:
    """The same, whose model is asked to stream."""
    return await _google_adk(tools, turns, "SSE")


async def _google_adk(tools: Toolset, turns: Turns, mode: str) -> list[str]:
    base, responses = needs("google.adk.models.base_llm", "adk"), needs("google.adk.models.llm_response", "adk")
    agents, runners = needs("google.adk.agents", "adk"), needs("google.adk.runners", "adk")
    genai, configs = needs("google.genai.types", "adk"), needs("google.adk.agents.run_config", "adk")
    script = Script(turns)

    class Model(base.BaseLlm):  # type: ignore[misc,name-defined]  # loaded where it is installed
        model: str = "scripted"

        async def generate_content_async(self, llm_request: Any, stream: bool = False) -> AsyncIterator[Any]:  # noqa: FBT001, FBT002 - ADK's own signature
            assert stream is (mode == "SSE")
            calls = script.next([one.model_dump(mode="json", exclude_none=True) for one in llm_request.contents])
            parts = [
                genai.Part(function_call=genai.FunctionCall(id=key, name=use.name, args=use.arguments))
                for key, use in calls
            ]
            content = genai.Content(role="model", parts=parts or [genai.Part(text=DONE)])
            yield responses.LlmResponse(content=content)

    agent = agents.LlmAgent(name="a", model=Model(), tools=adapters.google_adk_tools(tools))
    async with runners.InMemoryRunner(agent=agent, app_name="app") as runner:
        await runner.session_service.create_session(app_name="app", user_id="u", session_id="s")
        message = genai.Content(role="user", parts=[genai.Part(text="kelp?")])
        config = configs.RunConfig(streaming_mode=configs.StreamingMode[mode])
        start = {"user_id": "u", "session_id": "s", "new_message": message, "run_config": config}
        events = [one async for one in runner.run_async(**start)]
    assert events[-1].content.parts[0].text == DONE
    return script.heard
