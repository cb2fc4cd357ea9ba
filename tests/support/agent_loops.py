"""Each framework's own agent loop over our adapter, in each way that it has to run one, with a scripted model."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from typing import Any, Final

from support import agent_loops_more as more
from support.adapters import needs
from support.agent_script import Loop, Script, Start, Turns, without
from support.scripted import DONE, Use
from webseam import adapters
from webseam.tools.toolset import Toolset


async def pydantic_ai(tools: Toolset, turns: Turns) -> list[str]:
    """`Agent.run`."""

    async def run(agent: Any) -> Any:
        return (await agent.run("kelp?")).output

    return await _pydantic_ai(tools, turns, run)


async def pydantic_ai_streaming(tools: Toolset, turns: Turns) -> list[str]:
    """`Agent.run_stream`."""

    async def run(agent: Any) -> Any:
        async with agent.run_stream("kelp?") as streamed:
            return await streamed.get_output()

    return await _pydantic_ai(tools, turns, run)


async def _pydantic_ai(tools: Toolset, turns: Turns, run: Start) -> list[str]:
    sdk, messages = needs("pydantic_ai"), needs("pydantic_ai.messages")
    function = needs("pydantic_ai.models.function")
    script = Script(turns)

    def asked(history: list[Any]) -> list[tuple[str, Use]]:
        given = messages.ModelMessagesTypeAdapter.dump_python(history[-1:], mode="json")
        return script.next([without(part, "timestamp") for part in given[0]["parts"]])

    def say(history: list[Any], _info: Any) -> Any:
        calls = [messages.ToolCallPart(use.name, use.arguments, tool_call_id=key) for key, use in asked(history)]
        return messages.ModelResponse(calls or [messages.TextPart(DONE)])

    async def stream(history: list[Any], _info: Any) -> AsyncIterator[Any]:
        calls = enumerate(asked(history))
        deltas = {
            number: function.DeltaToolCall(name=use.name, json_args=json.dumps(use.arguments), tool_call_id=key)
            for number, (key, use) in calls
        }
        yield deltas or DONE

    model = function.FunctionModel(say, stream_function=stream)
    assert await run(sdk.Agent(model, toolsets=[adapters.pydantic_ai_toolset(tools)])) == DONE
    return script.heard


async def langchain(tools: Toolset, turns: Turns) -> list[str]:
    """`create_agent(...).ainvoke`, which is LangGraph's loop."""
    return await _langchain(tools, turns, lambda agent: agent.ainvoke({"messages": "kelp?"}))


async def langchain_blocking(tools: Toolset, turns: Turns) -> list[str]:
    """The same by `invoke`, in a thread of its own."""
    return await _langchain(tools, turns, lambda agent: asyncio.to_thread(agent.invoke, {"messages": "kelp?"}))


async def langchain_streaming(tools: Toolset, turns: Turns) -> list[str]:
    """The same by `astream`, message for message."""

    async def run(agent: Any) -> Any:
        chunks = agent.astream({"messages": "kelp?"}, stream_mode="messages")
        return {"messages": [message async for message, _ in chunks]}

    return await _langchain(tools, turns, run)


async def _langchain(tools: Toolset, turns: Turns, run: Start) -> list[str]:
    agents, messages = needs("langchain.agents"), needs("langchain_core.messages")
    models, outputs = needs("langchain_core.language_models"), needs("langchain_core.outputs")
    script = Script(turns)

    class Model(models.BaseChatModel):  # type: ignore[misc,name-defined]  # loaded where it is installed
        @property
        def _llm_type(self) -> str:
            return "scripted"

        def bind_tools(self, _tools: Any, **_options: Any) -> Any:
            return self

        def _generate(self, given: list[Any], *_args: Any, **_options: Any) -> Any:
            calls = script.next([without(one.model_dump(mode="json"), "id") for one in given if one.type == "tool"])
            asked = [{"name": use.name, "args": use.arguments, "id": key} for key, use in calls]
            message = messages.AIMessage("" if asked else DONE, tool_calls=asked)
            return outputs.ChatResult(generations=[outputs.ChatGeneration(message=message)])

    state = await run(agents.create_agent(Model(), adapters.langchain_tools(tools)))
    assert state["messages"][-1].content == DONE
    return script.heard


async def openai_agents(tools: Toolset, turns: Turns) -> list[str]:
    """`Runner.run`; what the model is given is what the SDK would send."""
    sdk = needs("agents")
    return await _openai_agents(tools, turns, lambda start: sdk.Runner.run(**start))


async def openai_agents_streaming(tools: Toolset, turns: Turns) -> list[str]:
    """`Runner.run_streamed`."""
    sdk = needs("agents")

    async def run(start: Any) -> Any:
        streamed = sdk.Runner.run_streamed(**start)
        assert [one async for one in streamed.stream_events()]
        return streamed

    return await _openai_agents(tools, turns, run)


async def _openai_agents(tools: Toolset, turns: Turns, run: Start) -> list[str]:
    sdk, items = needs("agents"), needs("openai.types.responses")
    script = Script(turns)

    def say(given: Any) -> list[Any]:
        calls = [
            items.ResponseFunctionToolCall(
                call_id=key, name=use.name, arguments=json.dumps(use.arguments), type="function_call"
            )
            for key, use in script.next(given)
        ]
        return calls or [_openai_message(items)]

    class Model(sdk.Model):  # type: ignore[misc,name-defined]  # loaded where it is installed
        async def get_response(self, *_args: Any, **request: Any) -> Any:
            return sdk.ModelResponse(output=say(request["input"]), usage=sdk.Usage(), response_id=None)

        async def stream_response(self, _system: Any, given: Any, *_args: Any, **_request: Any) -> AsyncIterator[Any]:
            fixed = {"object": "response", "tool_choice": "auto", "tools": [], "parallel_tool_calls": True}
            response = items.Response(id="r", created_at=0, model="m", output=say(given), **fixed)
            yield items.ResponseCompletedEvent(type="response.completed", response=response, sequence_number=0)

    agent = sdk.Agent(name="a", model=Model(), tools=adapters.openai_agents_tools(tools))
    config = sdk.RunConfig(tracing_disabled=True)
    given = [{"role": "user", "content": "kelp?"}]
    outcome = await run({"starting_agent": agent, "input": given, "run_config": config})
    assert outcome.final_output == DONE
    return script.heard


def _openai_message(items: Any) -> Any:
    part = items.ResponseOutputText(text=DONE, type="output_text", annotations=[])
    return items.ResponseOutputMessage(id="m", content=[part], role="assistant", status="completed", type="message")


LOOPS: Final[Mapping[str, Loop]] = {
    "pydantic-ai": pydantic_ai,
    "pydantic-ai-streaming": pydantic_ai_streaming,
    "langchain": langchain,
    "langchain-blocking": langchain_blocking,
    "langchain-streaming": langchain_streaming,
    "openai-agents": openai_agents,
    "openai-agents-streaming": openai_agents_streaming,
    "llama-index": more.llama_index,
    "llama-index-streaming": more.llama_index_streaming,
    "smolagents": more.smolagents,
    "smolagents-streaming": more.smolagents_streaming,
    "google-adk": more.google_adk,
    "google-adk-streaming": more.google_adk_streaming,
}
