"""What a framework keeps of a conversation with our tools can be stored as it stores things, and taken up again."""

import copy
import json
import pickle
from typing import Any

import pytest

from support.adapters import SENTENCE, Stage, needs, seeing, stage
from support.scripted import DONE, Use
from webseam import adapters


def calls(place: Stage) -> list[Use]:
    """A page, a picture, and a failure, in one turn."""
    urls = (place.url, f"{place.site.url}/pixel.png", "no url")
    return [Use("web_fetch", {"url": url}) for url in urls]


@pytest.mark.req("adapters:all:kept")
async def test_a_pydantic_ai_history_goes_through_json_and_on() -> None:
    sdk, messages = needs("pydantic_ai"), needs("pydantic_ai.messages")
    function = needs("pydantic_ai.models.function")
    async with stage(fetch=seeing()) as place:
        asked = [messages.ToolCallPart(use.name, use.arguments) for use in calls(place)]
        said = iter([messages.ModelResponse(asked), *[messages.ModelResponse([messages.TextPart(DONE)])] * 2])
        heard: list[list[Any]] = []

        def say(history: list[Any], _info: Any) -> Any:
            heard.append(history)
            return next(said)

        agent = sdk.Agent(function.FunctionModel(say), toolsets=[adapters.pydantic_ai_toolset(place.tools)])
        stored = (await agent.run("kelp?")).all_messages_json()
        history = messages.ModelMessagesTypeAdapter.validate_json(stored)
        await agent.run("More?", message_history=history)

    told = [part for message in heard[-1] for part in message.parts if part.part_kind == "tool-return"]
    assert [part.outcome for part in told] == ["success", "success", "failed"]
    assert told[1].content[1].media_type == "image/png"
    assert SENTENCE in told[0].metadata["structured"]["content"]


@pytest.mark.req("adapters:all:kept")
async def test_a_langgraph_checkpoint_holds_content_artifact_and_status() -> None:
    agents, messages = needs("langchain.agents"), needs("langchain_core.messages")
    models, outputs = needs("langchain_core.language_models"), needs("langchain_core.outputs")
    memory = needs("langgraph.checkpoint.memory")
    said: list[Any] = []

    class Model(models.BaseChatModel):  # type: ignore[name-defined]  # loaded where it is installed
        @property
        def _llm_type(self) -> str:
            return "scripted"

        def bind_tools(self, _tools: Any, **_options: Any) -> Any:
            return self

        def _generate(self, *_args: Any, **_options: Any) -> Any:
            return outputs.ChatResult(generations=[outputs.ChatGeneration(message=said.pop(0))])

    async with stage(fetch=seeing()) as place:
        asked = [{"name": use.name, "args": use.arguments, "id": f"c{n}"} for n, use in enumerate(calls(place))]
        said += [messages.AIMessage("", tool_calls=asked), messages.AIMessage(DONE), messages.AIMessage(DONE)]
        tools = adapters.langchain_tools(place.tools)
        agent = agents.create_agent(Model(), tools, checkpointer=memory.MemorySaver())
        thread = {"configurable": {"thread_id": "one"}}
        await agent.ainvoke({"messages": "kelp?"}, thread)
        await agent.ainvoke({"messages": "More?"}, thread)
        state = await agent.aget_state(thread)

    page, picture, failure = (one for one in state.values["messages"] if one.type == "tool")
    assert (page.status, picture.status, failure.status) == ("success", "success", "error")
    assert SENTENCE in page.artifact["structured"]["content"]
    assert picture.content[1]["mime_type"] == "image/png"
    assert failure.artifact["error"]["code"] == "WEB_INVALID_URL"


@pytest.mark.req("adapters:all:kept")
async def test_what_the_openai_agents_sdk_is_given_can_be_copied_and_pickled() -> None:
    needs("agents")
    async with stage(fetch=seeing()) as place:
        fetch = adapters.openai_agents_tools(place.tools)[1]
        outputs = [await fetch.on_invoke_tool(None, json.dumps(use.arguments)) for use in calls(place)]

    for one in outputs:
        copies = copy.deepcopy(one), pickle.loads(pickle.dumps(one))  # noqa: S301 - of our own making
        assert [(made, made.result) for made in copies] == [(one, one.result)] * 2


@pytest.mark.req("adapters:all:kept")
async def test_an_openai_agents_session_and_state_hold_only_json() -> None:
    sdk, items = needs("agents"), needs("openai.types.responses")
    part = items.ResponseOutputText(text=DONE, type="output_text", annotations=[])
    done = items.ResponseOutputMessage(id="m", content=[part], role="assistant", status="completed", type="message")
    said: list[list[Any]] = []

    class Model(sdk.Model):  # type: ignore[name-defined]  # loaded where it is installed
        async def get_response(self, *_args: Any, **_request: Any) -> Any:
            return sdk.ModelResponse(output=said.pop(0), usage=sdk.Usage(), response_id=None)

        def stream_response(self, *_args: Any, **_request: Any) -> Any:
            raise AssertionError("the runner was asked for whole answers")

    async with stage(fetch=seeing()) as place:
        asked = [
            items.ResponseFunctionToolCall(
                call_id=f"c{number}", name=use.name, arguments=json.dumps(use.arguments), type="function_call"
            )
            for number, use in enumerate(calls(place))
        ]
        said += [asked, [done], [done]]
        agent = sdk.Agent(name="a", model=Model(), tools=adapters.openai_agents_tools(place.tools))
        session, config = sdk.SQLiteSession("one"), sdk.RunConfig(tracing_disabled=True)
        first = await sdk.Runner.run(agent, "kelp?", session=session, run_config=config)
        await sdk.Runner.run(agent, "More?", session=session, run_config=config)
        kept = [one for one in await session.get_items() if one.get("type") == "function_call_output"]
        session.close()

    assert SENTENCE in kept[0]["output"]
    assert kept[1]["output"][1]["type"] == "input_image"
    assert "WEB_INVALID_URL" in kept[2]["output"]
    assert SENTENCE in json.dumps(first.to_state().to_json())
