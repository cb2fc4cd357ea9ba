"""The OpenAI Agents SDK: its own runner, with a scripted model, through the adapter to a site on loopback."""

import asyncio
import json
import sys
from copy import deepcopy
from typing import Any

import pytest

from support.adapters import PICTURE, SENTENCE, assert_verdicts, guarded_stage, needs, seeing, stage
from support.scripted import DONE, TOOLS, Turn, Use, asked, assert_researched, assert_stumbled, research, stumble
from webseam import Code, Permission, PermissionSettings, Run, ToolSettings, WebError
from webseam.adapters import openai_agents_tools

agents = needs("agents")
responses = needs("agents.models.openai_responses")
completions = needs("agents.models.chatcmpl_converter")
items = needs("openai.types.responses")


_Model: Any = agents.Model


class Scripted(_Model):
    """Says its turns; `inputs` keeps what it was given at each, and `published` the tools as they go over the wire."""

    def __init__(self, turns: list[Turn]) -> None:
        self.turns = list(turns)
        self.inputs: list[list[Any]] = []
        self.published: list[Any] = []

    async def get_response(self, *_args: Any, **request: Any) -> Any:
        self.inputs.append(deepcopy(request["input"]))
        self.published = responses.Converter.convert_tools(request["tools"], []).tools
        turn = self.turns.pop(0)
        output = _message(turn) if isinstance(turn, str) else _call(turn, len(self.inputs))
        return agents.ModelResponse(output=[output], usage=agents.Usage(), response_id=None)

    def stream_response(self, *_args: Any, **_request: Any) -> Any:
        raise AssertionError("the runner was asked for whole answers")

    @property
    def told(self) -> list[Any]:
        """The tools' answers, as the last turn got them."""
        return [item["output"] for item in self.inputs[-1] if item.get("type") == "function_call_output"]


def _message(text: str) -> Any:
    part = items.ResponseOutputText(text=text, type="output_text", annotations=[])
    return items.ResponseOutputMessage(id="m", content=[part], role="assistant", status="completed", type="message")


def _call(turn: Use, number: int) -> Any:
    return items.ResponseFunctionToolCall(
        call_id=f"call_{number}", name=turn.name, arguments=json.dumps(turn.arguments), type="function_call"
    )


async def _run(model: Scripted, tools: list[Any], context: Any = None) -> Any:
    config = agents.RunConfig(tracing_disabled=True)
    return await agents.Runner.run(
        agents.Agent(name="a", model=model, tools=tools), "kelp?", context=context, run_config=config
    )


def _custom(outcome: Any) -> list[Any]:
    return [item.custom_data for item in outcome.new_items if item.type == "tool_call_output_item"]


@pytest.mark.req("adapters:openai-agents:loop")
async def test_an_agent_searches_reads_and_answers() -> None:
    run = Run()
    async with stage() as here:
        model = Scripted(research(here))
        outcome = await _run(model, openai_agents_tools(here.tools, run=run))

    assert outcome.final_output == DONE
    assert_researched(here, model.told)
    assert run.has_read(here.url)


@pytest.mark.req("adapters:openai-agents:schemas")
@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("settings", TOOLS.values(), ids=TOOLS.keys())
async def test_the_model_gets_our_definitions_as_they_are(settings: ToolSettings, *, strict: bool) -> None:
    async with stage(settings=settings) as here:
        model = Scripted([DONE])
        await _run(model, openai_agents_tools(here.tools, strict=strict))

        assert model.published == here.tools.definitions("openai", strict=strict)


@pytest.mark.req("adapters:openai-agents:errors")
async def test_a_failed_call_is_text_and_the_run_goes_on() -> None:
    async with stage() as here:
        model = Scripted(stumble(here))
        outcome = await _run(model, openai_agents_tools(here.tools))

    assert outcome.final_output == DONE
    assert_stumbled(here, model.told)
    assert [data.get("error", {}).get("code") for data in _custom(outcome)] == [
        Code.BLOCKED_URL,
        Code.INVALID_URL,
        None,
    ]


@pytest.mark.req("adapters:openai-agents:errors")
@pytest.mark.parametrize("arguments", ["", "{", "[]", "null", '{"uri": "x"}', '{"url": 5}'])
async def test_arguments_that_are_none_are_answered(arguments: str) -> None:
    async with stage() as here:
        fetch = openai_agents_tools(here.tools)[1]
        assert (await fetch.on_invoke_tool(None, arguments)).endswith("(INVALID_ARGS)")


@pytest.mark.req("adapters:openai-agents:structure")
async def test_the_host_gets_the_structured_result_beside_the_text() -> None:
    async with stage() as here:
        outcome = await _run(Scripted(research(here)), openai_agents_tools(here.tools))

    search, page = _custom(outcome)
    assert search["structured"]["sources"][0]["url"] == here.url
    assert SENTENCE in page["structured"]["content"]
    assert here.tools.view("web_fetch", {"url": here.url}, page["meta"]) is not None


@pytest.mark.req("adapters:openai-agents:structure")
async def test_a_picture_reaches_the_model_as_a_picture() -> None:
    async with stage(fetch=seeing()) as here:
        model = Scripted([Use("web_fetch", {"url": f"{here.site.url}/pixel.png"}), DONE])
        outcome = await _run(model, openai_agents_tools(here.tools))

    ((text, picture),) = model.told
    assert text["type"] == "input_text"
    assert picture["image_url"].startswith("data:image/png;base64,")
    assert _custom(outcome)[0]["structured"]["body_kind"] == "image"
    assert len(picture["image_url"]) > len(PICTURE)


@pytest.mark.req("adapters:openai-agents:structure")
async def test_a_model_that_takes_no_pictures_gets_the_text_alone() -> None:
    async with stage(fetch=seeing()) as here:
        model = Scripted([Use("web_fetch", {"url": f"{here.site.url}/pixel.png"}), DONE])
        await _run(model, openai_agents_tools(here.tools))
    (told,) = (one for one in completions.Converter.items_to_messages(model.inputs[-1]) if one["role"] == "tool")

    assert [part["type"] for part in told["content"]] == ["text"]
    assert "image/png" in told["content"][0]["text"]


@pytest.mark.req("adapters:openai-agents:structure")
async def test_words_of_a_guardrail_in_place_of_ours_carry_nothing_of_ours() -> None:
    @agents.tool_output_guardrail
    def never(_data: Any) -> Any:
        return agents.ToolGuardrailFunctionOutput.reject_content("withheld")

    async with stage() as here:
        tools = openai_agents_tools(here.tools)
        tools[1].tool_output_guardrails = [never]
        model = Scripted([Use("web_fetch", {"url": here.url}), DONE])
        outcome = await _run(model, tools)

    assert model.told == ["withheld"]
    assert _custom(outcome) == [None]


@pytest.mark.req("adapters:openai-agents:cancel")
async def test_cancelling_the_run_closes_the_socket() -> None:
    async with stage() as here:
        model = Scripted([Use("web_fetch", {"url": f"{here.site.url}/slow"}), DONE])
        task = asyncio.create_task(_run(model, openai_agents_tools(here.tools)))
        await asked(here.site)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await here.site.closed.wait()

    assert len(model.inputs) == 1


@pytest.mark.req("adapters:openai-agents:verdicts")
async def test_hostile_urls_get_the_verdicts_that_they_get_everywhere() -> None:
    async with guarded_stage() as place:
        by_name = {tool.name: tool for tool in openai_agents_tools(place.tools)}

        async def ask(name: str, arguments: dict[str, Any]) -> str:
            return str(await by_name[name].on_invoke_tool(None, json.dumps(arguments)))

        await assert_verdicts(ask, place)


@pytest.mark.req("adapters:openai-agents:conversations")
async def test_conversations_of_one_agent_have_runs_of_their_own() -> None:
    first, second = Run(), Run()
    async with stage(gate=Permission(PermissionSettings(unseen="deny"))) as here:
        first.saw(f"Read {here.url}, please.")
        turns: list[Turn] = [Use("web_fetch", {"url": here.url}), DONE]
        model = Scripted([*turns, *turns])
        tools = openai_agents_tools(here.tools, run=lambda context: context.context)
        await _run(model, tools, first)
        allowed = model.told
        await _run(model, tools, second)

    assert SENTENCE in allowed[0]
    assert "WEB_DENIED" in model.told[0]
    assert here.fetched == ["/permits"]


@pytest.mark.req("adapters:openai-agents:timeout")
async def test_the_time_that_the_host_gives_holds_for_each_call() -> None:
    async with stage() as here:
        model = Scripted([Use("web_fetch", {"url": f"{here.site.url}/slow"}), DONE])
        outcome = await _run(model, openai_agents_tools(here.tools, timeout=0.05))

    assert "TOOL_TIMEOUT" in model.told[0]
    assert outcome.final_output == DONE


@pytest.mark.req("adapters:openai-agents:missing")
async def test_without_the_sdk_the_error_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "agents", None)
    async with stage() as here:
        with pytest.raises(WebError, match="pip install") as caught:
            openai_agents_tools(here.tools)

    assert "openai-agents" in caught.value.message
