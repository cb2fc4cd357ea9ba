"""LlamaIndex: its own agents, with a scripted model, through the adapter to a site on loopback."""

import asyncio
import sys
from collections.abc import Sequence
from typing import Any

import pytest

from support.adapters import SENTENCE, assert_verdicts, guarded_stage, needs, seeing, stage
from support.scripted import DONE, TOOLS, Turn, Use, asked, assert_researched, assert_stumbled, research, stumble
from webseam import Code, Run, Toolset, ToolSettings, Web, WebError
from webseam.adapters import llama_index_tools

workflow = needs("llama_index.core.agent.workflow")
mock = needs("llama_index.core.llms.mock")
types = needs("llama_index.core.base.llms.types")
calling = needs("llama_index.core.tools.calling")

# An agent of LlamaIndex looks at each of its attributes when it is made, the deprecated ones of pydantic among them.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:inspect")


class Script:
    """What a model says; `told` keeps the tools' answers as it last got them, `published` what it got of the tools."""

    def __init__(self, turns: list[Turn]) -> None:
        self.turns = list(turns)
        self.told: list[Any] = []
        self.published: list[dict[str, Any]] = []

    def __call__(self, messages: Sequence[Any], *, tools: Sequence[Any] = (), **_more: Any) -> Any:
        self.told = [message for message in messages if message.role == "tool"]
        self.published = [tool.metadata.to_openai_tool()["function"] for tool in tools]
        turn = self.turns.pop(0)
        if isinstance(turn, str):
            return types.ChatMessage(role="assistant", content=turn)
        call = types.ToolCallBlock(tool_call_id=turn.name, tool_name=turn.name, tool_kwargs=turn.arguments)
        return types.ChatMessage(role="assistant", blocks=[call])

    @property
    def texts(self) -> list[str]:
        return [message.content for message in self.told]


def _started(script: Script, tools: list[Any]) -> Any:
    model = mock.MockFunctionCallingLLM(response_generator=script, is_chat_model=True)
    return workflow.FunctionAgent(tools=tools, llm=model, streaming=False).run(user_msg="kelp?")


async def _run(script: Script, tools: list[Any]) -> Any:
    return await _started(script, tools)


@pytest.mark.req("adapters:llama-index:loop")
async def test_an_agent_searches_reads_and_answers() -> None:
    run = Run()
    async with stage() as here:
        script = Script(research(here))
        outcome = await _run(script, llama_index_tools(here.tools, run=run))

    assert outcome.response.content == DONE
    assert_researched(here, script.texts)
    assert run.has_read(here.url)


@pytest.mark.req("adapters:llama-index:schemas")
@pytest.mark.parametrize("settings", TOOLS.values(), ids=TOOLS.keys())
async def test_the_model_gets_our_definitions_as_they_are(settings: ToolSettings) -> None:
    async with stage(settings=settings) as here:
        script = Script([DONE])
        tools = llama_index_tools(here.tools)
        await _run(script, tools)
        ours = here.tools.definitions("openai")

    assert script.published == [{name: one[name] for name in ("name", "description", "parameters")} for one in ours]
    assert [tool.metadata.fn_schema.model_json_schema() for tool in tools] == [one["parameters"] for one in ours]


@pytest.mark.req("adapters:llama-index:errors")
async def test_a_failed_call_is_text_and_the_run_goes_on() -> None:
    async with stage() as here:
        script = Script(stumble(here))
        outcome = await _run(script, llama_index_tools(here.tools))

    assert outcome.response.content == DONE
    assert_stumbled(here, script.texts)
    refused, unread, page = (call.tool_output for call in outcome.tool_calls[-3:])
    assert [one.is_error for one in (refused, unread, page)] == [True, True, False]
    assert (refused.raw_output["error"]["code"], unread.raw_output["error"]["code"]) == (
        Code.BLOCKED_URL,
        Code.INVALID_URL,
    )


@pytest.mark.req("adapters:llama-index:errors")
@pytest.mark.parametrize("arguments", [{}, {"uri": "x"}, {"self": "x", "url": "y"}, {"url": 5}, {"args": []}], ids=str)
async def test_arguments_that_are_none_are_answered(arguments: dict[str, Any]) -> None:
    async with stage() as here:
        output = await calling.acall_tool(llama_index_tools(here.tools)[1], arguments)

    assert output.is_error
    assert output.content.endswith("(INVALID_ARGS)")


@pytest.mark.req("adapters:llama-index:structure")
async def test_the_host_gets_the_structured_result_beside_the_text() -> None:
    async with stage() as here:
        fetch = llama_index_tools(here.tools)[1]
        output = await fetch.acall(url=here.url, find="lease")
        by_place = await fetch.acall(here.url)

    assert SENTENCE in output.content
    assert SENTENCE in output.raw_output["structured"]["passages"][0]["text"]
    assert (output.tool_name, output.raw_input) == (
        "web_fetch",
        {"args": (), "kwargs": {"url": here.url, "find": "lease"}},
    )
    assert here.tools.view("web_fetch", {"url": here.url}, output.raw_output["meta"]) is not None
    assert SENTENCE in by_place.raw_output["structured"]["content"]


@pytest.mark.req("adapters:all:renamed")
async def test_a_host_may_rename_its_tools() -> None:
    async with stage() as here:
        search = llama_index_tools(here.tools)[0]
        search.metadata.name = "find"
        output = await search.acall(query="kelp")

    assert (output.is_error, output.tool_name) == (False, "find")


@pytest.mark.req("adapters:llama-index:structure")
async def test_a_picture_reaches_the_model_as_a_picture() -> None:
    async with stage(fetch=seeing()) as here:
        script = Script([Use("web_fetch", {"url": f"{here.site.url}/pixel.png"}), DONE])
        await _run(script, llama_index_tools(here.tools))

    text, picture = script.told[0].blocks
    assert "image/png" in text.text
    assert (picture.block_type, picture.image_mimetype) == ("image", "image/png")


@pytest.mark.req("adapters:llama-index:cancel")
async def test_cancelling_the_run_closes_the_socket() -> None:
    async with stage() as here:
        script = Script([Use("web_fetch", {"url": f"{here.site.url}/slow"}), DONE])
        handler = _started(script, llama_index_tools(here.tools))
        await asked(here.site)
        await handler.cancel_run()
        await here.site.closed.wait()

    assert script.turns == [DONE]


@pytest.mark.req("adapters:llama-index:cancel")
async def test_cancelling_a_call_passes_through() -> None:
    async with stage() as here:
        task = asyncio.create_task(llama_index_tools(here.tools)[1].acall(url=f"{here.site.url}/slow"))
        await asked(here.site)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await here.site.closed.wait()


@pytest.mark.req("adapters:llama-index:verdicts")
async def test_hostile_urls_get_the_verdicts_that_they_get_everywhere() -> None:
    async with guarded_stage() as place:
        by_name = {tool.metadata.name: tool for tool in llama_index_tools(place.tools)}

        async def ask(name: str, arguments: dict[str, Any]) -> str:
            return str(await calling.acall_tool(by_name[name], arguments))

        await assert_verdicts(ask, place)


@pytest.mark.req("adapters:llama-index:blocking")
async def test_threads_that_block_share_one_loop() -> None:
    async with stage() as here:
        search, fetch = llama_index_tools(here.tools)
        pages = await asyncio.gather(*(asyncio.to_thread(fetch.call, url=here.url) for _ in range(4)))
        found = await asyncio.to_thread(search.call, query="kelp")

    assert all(SENTENCE in page.raw_output["structured"]["content"] for page in pages)
    assert found.raw_output["structured"]["sources"][0]["url"] == here.url


@pytest.mark.req("adapters:llama-index:blocking")
async def test_an_agent_that_writes_code_gets_functions_that_say_what_they_take() -> None:
    ran: dict[str, str] = {}

    async with stage() as here:
        tools = llama_index_tools(here.tools)
        functions = {tool.metadata.name: tool.real_fn for tool in tools}

        async def execute(code: str) -> str:
            await asyncio.to_thread(exec, code, {**functions, "ran": ran})
            return ran["page"]

        script = Script([f"<execute>ran['page'] = web_fetch('{here.url}', find='lease')</execute>", DONE])
        agent = workflow.CodeActAgent(
            tools=tools,
            llm=mock.MockFunctionCallingLLM(response_generator=script, is_chat_model=True),
            code_execute_fn=execute,
            streaming=False,
        )
        outcome = await agent.run(user_msg="kelp?")
        described = agent._get_tool_descriptions(tools)

    assert SENTENCE in ran["page"]
    assert "def web_fetch(url: str, offset: int | None = None, find: str | None = None) -> str:" in described
    assert outcome.response.content == DONE


@pytest.mark.req("adapters:llama-index:blocking")
def test_a_script_without_a_loop_may_call() -> None:
    tools = Toolset(Web())
    output = llama_index_tools(tools)[0].call("kelp")
    asyncio.run(tools.aclose())

    assert output.is_error
    assert output.raw_output["error"]["code"] == Code.PROVIDER_UNAVAILABLE


@pytest.mark.req("adapters:llama-index:timeout")
async def test_the_time_that_the_host_gives_holds_for_each_call() -> None:
    async with stage() as here:
        script = Script([Use("web_fetch", {"url": f"{here.site.url}/slow"}), DONE])
        outcome = await _run(script, llama_index_tools(here.tools, timeout=0.05))

    assert "TOOL_TIMEOUT" in script.texts[0]
    assert outcome.response.content == DONE


@pytest.mark.req("adapters:llama-index:missing")
async def test_without_the_library_the_error_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "llama_index.core.tools", None)
    async with stage() as here:
        with pytest.raises(WebError, match="pip install") as caught:
            llama_index_tools(here.tools)

    assert "llama-index-core" in caught.value.message
