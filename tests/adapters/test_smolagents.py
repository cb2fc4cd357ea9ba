"""smolagents: its own agents, with a scripted model, through the adapter to a site on loopback."""

import asyncio
import subprocess
import sys
from typing import Any

import pytest

from support.adapters import SENTENCE, assert_verdicts, guarded_stage, needs, stage
from support.scripted import DONE, TOOLS, Turn, Use, asked, assert_researched, assert_stumbled, research, stumble
from webseam import Code, Run, Toolset, ToolSettings, Web, WebError
from webseam.adapters import smolagents_tools

smolagents = needs("smolagents")
models = needs("smolagents.models")


_Model: Any = smolagents.Model


class Scripted(_Model):
    """Says its turns; `told` keeps the tools' answers as it last got them, `published` the tools as it got them."""

    def __init__(self, turns: list[Turn | list[Use]]) -> None:
        super().__init__(model_id="scripted")
        self.turns = list(turns)
        self.told: list[str] = []
        self.published: list[dict[str, Any]] = []

    def generate(self, messages: list[Any], tools_to_call_from: list[Any] | None = None, **_more: Any) -> Any:
        self.told = [_text(message) for message in messages if message.role == "tool-response"]
        self.published = [models.get_tool_json_schema(tool)["function"] for tool in tools_to_call_from or []]
        turn = self.turns.pop(0)
        if isinstance(turn, str) and tools_to_call_from is None:
            return models.ChatMessage(role="assistant", content=turn)
        uses = [Use("final_answer", {"answer": turn})] if isinstance(turn, str) else turn
        calls = [_call(use, number) for number, use in enumerate(uses if isinstance(uses, list) else [uses])]
        return models.ChatMessage(role="assistant", content="", tool_calls=calls)


def _text(message: Any) -> str:
    return "".join(part["text"] for part in message.content)


def _call(use: Use, number: int) -> Any:
    function = models.ChatMessageToolCallFunction(name=use.name, arguments=use.arguments)
    return models.ChatMessageToolCall(function=function, id=f"call_{number}", type="function")


async def _run(model: Scripted, tools: list[Any], kind: str = "ToolCallingAgent") -> Any:
    agent = getattr(smolagents, kind)(tools=tools, model=model, verbosity_level=-1)
    return await asyncio.to_thread(agent.run, "kelp?")


def _answers(model: Scripted) -> list[str]:
    return [one.removeprefix("Observation:\n") for one in model.told]


@pytest.mark.req("adapters:smolagents:loop")
async def test_an_agent_searches_reads_and_answers() -> None:
    run = Run()
    async with stage() as here:
        model = Scripted([*research(here)])
        outcome = await _run(model, smolagents_tools(here.tools, run=run))

    assert outcome == DONE
    assert_researched(here, _answers(model))
    assert run.has_read(here.url)


@pytest.mark.req("adapters:smolagents:loop")
async def test_an_agent_that_writes_code_calls_by_place_and_by_name() -> None:
    async with stage() as here:
        code = f"print(web_search('kelp'))\nprint(web_fetch('{here.url}', find='lease'))\nfinal_answer('{DONE}')"
        model = Scripted([f"<code>\n{code}\n</code>"])
        outcome = await _run(model, smolagents_tools(here.tools), "CodeAgent")

    assert outcome == DONE
    assert here.fetched == ["/permits"]
    assert [request.query for request in here.search.asked] == ["kelp"]


@pytest.mark.req("adapters:smolagents:schemas")
@pytest.mark.parametrize("settings", TOOLS.values(), ids=TOOLS.keys())
async def test_the_model_gets_our_definitions_with_optional_ones_marked(settings: ToolSettings) -> None:
    async with stage(settings=settings) as here:
        model = Scripted([DONE])
        await _run(model, smolagents_tools(here.tools))
        ours = here.tools.definitions("openai")

    assert [one for one in model.published if one["name"] != "final_answer"] == [
        _as_smolagents_says(one) for one in ours
    ]


def _as_smolagents_says(ours: dict[str, Any]) -> dict[str, Any]:
    """Its form of a schema: optional ones are marked as `nullable`, and no schema is closed."""
    schema = ours["parameters"]
    marked = {name: {"nullable": True} for name in schema["properties"] if name not in schema["required"]}
    properties = {name: one | marked.get(name, {}) for name, one in schema["properties"].items()}
    told = {"type": "object", "properties": properties, "required": schema["required"]}
    return {"name": ours["name"], "description": ours["description"], "parameters": told}


@pytest.mark.req("adapters:smolagents:errors")
async def test_a_failed_call_is_text_and_the_run_goes_on() -> None:
    async with stage() as here:
        model = Scripted([*stumble(here)])
        outcome = await _run(model, smolagents_tools(here.tools))

    assert outcome == DONE
    assert_stumbled(here, _answers(model))


@pytest.mark.req("adapters:smolagents:errors")
@pytest.mark.parametrize(
    "arguments", [{}, {"uri": "x"}, {"url": 5}, {"url": "http://a.test/", "offset": "ten"}], ids=str
)
async def test_arguments_that_are_none_do_not_end_the_run(arguments: dict[str, Any]) -> None:
    async with stage() as here:
        model = Scripted([Use("web_fetch", arguments), DONE])
        assert await _run(model, smolagents_tools(here.tools)) == DONE

    assert here.fetched == []


@pytest.mark.req("adapters:smolagents:errors")
async def test_too_many_arguments_are_told_to_code_that_a_model_wrote() -> None:
    async with stage() as here:
        code = ["web_fetch('http://a.test/', 0, None, 'more')", f"final_answer('{DONE}')"]
        model = Scripted([f"<code>\n{line}\n</code>" for line in code])
        assert await _run(model, smolagents_tools(here.tools), "CodeAgent") == DONE

    assert "too many positional arguments" in model.told[0]


@pytest.mark.req("adapters:smolagents:errors")
@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("web_fetch()", "The argument 'url' is missing."),
        ("web_fetch('http://a.test/', uri='b')", "There is no argument 'uri'. This tool takes: url, offset, find."),
    ],
)
async def test_code_that_a_model_wrote_reads_our_own_words_about_its_arguments(code: str, told: str) -> None:
    async with stage() as here:
        model = Scripted([f"<code>\nprint({code})\n</code>", f"<code>\nfinal_answer('{DONE}')\n</code>"])
        assert await _run(model, smolagents_tools(here.tools), "CodeAgent") == DONE

    assert f"Error: {told}" in model.told[0]


@pytest.mark.req("adapters:all:renamed")
async def test_a_host_may_rename_its_tools() -> None:
    async with stage() as here:
        offered = smolagents_tools(here.tools)
        offered[1].name = "read"
        model = Scripted([Use("read", {"url": here.url}), DONE])
        assert await _run(model, offered) == DONE

    assert here.fetched == ["/permits"]


@pytest.mark.req("adapters:smolagents:verdicts")
async def test_hostile_urls_get_the_verdicts_that_they_get_everywhere() -> None:
    async with guarded_stage() as place:
        by_name = {tool.name: tool for tool in smolagents_tools(place.tools)}

        async def ask(name: str, arguments: dict[str, Any]) -> str:
            return await asyncio.to_thread(by_name[name], **arguments, sanitize_inputs_outputs=True)

        await assert_verdicts(ask, place)


@pytest.mark.req("adapters:smolagents:threads")
async def test_calls_of_one_turn_run_side_by_side_on_one_loop() -> None:
    async with stage() as here:
        model = Scripted([[Use("web_fetch", {"url": here.url}) for _ in range(4)], DONE])
        await _run(model, smolagents_tools(here.tools))

    assert here.fetched == ["/permits"] * 4
    assert model.told[0].count(SENTENCE) == 4


@pytest.mark.req("adapters:smolagents:threads")
async def test_a_notebook_whose_loop_runs_may_call() -> None:
    tools = Toolset(Web())
    text = smolagents_tools(tools)[0]("kelp")  # in the thread of the running loop, as a cell does
    await tools.aclose()

    assert Code.PROVIDER_UNAVAILABLE in text


@pytest.mark.req("adapters:smolagents:close")
async def test_closing_the_tools_ends_what_runs() -> None:
    async with stage() as here:
        model = Scripted([Use("web_fetch", {"url": f"{here.site.url}/slow"}), DONE])
        running = asyncio.create_task(_run(model, smolagents_tools(here.tools)))
        await asked(here.site)
        await here.tools.aclose()
        outcome = await running
        await here.site.closed.wait()

    assert outcome == DONE
    assert "WEB_ABORTED" in model.told[0]


@pytest.mark.req("adapters:smolagents:close")
async def test_tools_work_again_after_they_were_closed() -> None:
    async with stage() as here:
        fetch = smolagents_tools(here.tools)[1]
        first = await asyncio.to_thread(fetch, here.url)
        await here.tools.aclose()
        second = await asyncio.to_thread(fetch, here.url)

    assert SENTENCE in first
    assert SENTENCE in second


_FORGETFUL = """
from webseam import Toolset, Web
from webseam.adapters import smolagents_tools

print(smolagents_tools(Toolset(Web()))[0]("kelp"))
"""


@pytest.mark.req("adapters:smolagents:close")
def test_a_script_that_closes_nothing_ends() -> None:
    command = [sys.executable, "-W", "error", "-c", _FORGETFUL]
    done = subprocess.run(command, capture_output=True, text=True, timeout=50, check=False)  # noqa: S603 - our own words

    assert (done.returncode, done.stderr) == (0, "")
    assert "WEB_PROVIDER_UNAVAILABLE" in done.stdout


@pytest.mark.req("adapters:smolagents:timeout")
async def test_the_time_that_the_host_gives_holds_for_each_call() -> None:
    async with stage() as here:
        model = Scripted([Use("web_fetch", {"url": f"{here.site.url}/slow"}), DONE])
        outcome = await _run(model, smolagents_tools(here.tools, timeout=0.05))

    assert "TOOL_TIMEOUT" in model.told[0]
    assert outcome == DONE


@pytest.mark.req("adapters:smolagents:missing")
async def test_without_the_library_the_error_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "smolagents", None)
    async with stage() as here:
        with pytest.raises(WebError, match="pip install") as caught:
            smolagents_tools(here.tools)

    assert "smolagents" in caught.value.message
