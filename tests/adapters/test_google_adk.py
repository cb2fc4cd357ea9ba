"""Google's ADK: its own runner, with a scripted model, through the adapter to a site on loopback."""

import asyncio
import sys
from collections.abc import AsyncIterator, Mapping
from typing import Any

import pytest

from support.adapters import PICTURE, SENTENCE, assert_verdicts, guarded_stage, needs, seeing, stage
from support.scripted import DONE, TOOLS, Turn, Use, asked, assert_researched, assert_stumbled, research, stumble
from webseam import Call, Permission, PermissionSettings, Run, SearchResult, ToolSettings, WebError
from webseam.adapters import google_adk_tools

base_llm = needs("google.adk.models.base_llm", "adk")
responses = needs("google.adk.models.llm_response", "adk")
adk_agents = needs("google.adk.agents", "adk")
runners = needs("google.adk.runners", "adk")
genai = needs("google.genai.types", "adk")
pydantic = needs("pydantic", "adk")


_Model: Any = base_llm.BaseLlm


class Scripted(_Model):
    """Says its turns; `told` keeps the tools' answers as it last got them, `published` what it got of the tools."""

    model: str = "scripted"
    turns: list[Any]
    told: list[Any] = pydantic.Field(default_factory=list)
    published: list[Any] = pydantic.Field(default_factory=list)

    async def generate_content_async(self, llm_request: Any, stream: bool = False) -> AsyncIterator[Any]:  # noqa: FBT001, FBT002 - ADK's own signature
        assert not stream
        parts = [part for content in llm_request.contents for part in content.parts]
        self.told = [part.function_response for part in parts if part.function_response is not None]
        self.published = [one for tool in llm_request.config.tools for one in tool.function_declarations]
        turn = self.turns.pop(0)
        part = genai.Part(text=turn) if isinstance(turn, str) else _call(turn)
        yield responses.LlmResponse(content=genai.Content(role="model", parts=[part]))

    @property
    def texts(self) -> list[str]:
        return ["".join(one.response.values()) for one in self.told]


def _call(use: Use) -> Any:
    return genai.Part(function_call=genai.FunctionCall(name=use.name, args=use.arguments))


def _model(turns: list[Turn]) -> Any:
    return Scripted(turns=[*turns])


async def _run(model: Any, tools: list[Any]) -> str:
    """The model's last words."""
    agent = adk_agents.LlmAgent(name="a", model=model, tools=tools)
    async with runners.InMemoryRunner(agent=agent, app_name="app") as runner:
        return await _session(runner, "s")


async def _session(runner: Any, name: str) -> str:
    await runner.session_service.create_session(app_name="app", user_id="u", session_id=name)
    message = genai.Content(role="user", parts=[genai.Part(text="kelp?")])
    words = ""
    async for event in runner.run_async(user_id="u", session_id=name, new_message=message):
        if event.is_final_response():
            words = event.content.parts[0].text
    return words


class _Context:
    """As much of ADK's tool context as a call needs."""

    class session:  # noqa: N801 - an attribute there
        id = "s"


@pytest.mark.req("adapters:google-adk:loop")
async def test_an_agent_searches_reads_and_answers() -> None:
    run = Run()
    async with stage() as here:
        model = _model(research(here))
        words = await _run(model, google_adk_tools(here.tools, run=run))

    assert words == DONE
    assert_researched(here, model.texts)
    assert [list(one.response) for one in model.told] == [["output"], ["output"]]
    assert run.has_read(here.url)


@pytest.mark.req("adapters:google-adk:schemas")
@pytest.mark.parametrize("settings", TOOLS.values(), ids=TOOLS.keys())
async def test_the_model_gets_our_definitions_as_they_are(settings: ToolSettings) -> None:
    async with stage(settings=settings) as here:
        model = _model([DONE])
        await _run(model, google_adk_tools(here.tools))

        assert [one.model_dump(exclude_none=True) for one in model.published] == here.tools.definitions("gemini")


@pytest.mark.req("adapters:google-adk:schemas")
async def test_what_a_host_writes_into_a_declaration_does_not_last() -> None:
    async with stage() as here:
        (search, _) = google_adk_tools(here.tools)
        search._get_declaration().parameters_json_schema["properties"].clear()

        assert search._get_declaration().model_dump(exclude_none=True) == here.tools.definitions("gemini")[0]


@pytest.mark.req("adapters:google-adk:errors")
async def test_a_failed_call_is_text_and_the_run_goes_on() -> None:
    async with stage() as here:
        model = _model(stumble(here))
        words = await _run(model, google_adk_tools(here.tools))

    assert words == DONE
    assert_stumbled(here, model.texts)
    assert [list(one.response) for one in model.told] == [["error"], ["error"], ["output"]]


@pytest.mark.req("adapters:google-adk:errors")
@pytest.mark.parametrize("arguments", [{}, {"uri": "x"}, {"url": 5}], ids=str)
async def test_arguments_that_are_none_are_answered(arguments: dict[str, Any]) -> None:
    async with stage() as here:
        model = _model([Use("web_fetch", arguments), DONE])
        assert await _run(model, google_adk_tools(here.tools)) == DONE

    assert model.told[0].response["error"].endswith("(INVALID_ARGS)")


@pytest.mark.req("adapters:google-adk:pictures")
async def test_a_picture_reaches_the_model_as_a_picture() -> None:
    async with stage(fetch=seeing()) as here:
        model = _model([Use("web_fetch", {"url": f"{here.site.url}/pixel.png"}), DONE])
        await _run(model, google_adk_tools(here.tools))

    (told,) = model.told
    assert list(told.response) == ["output"]
    assert [(part.inline_data.mime_type, part.inline_data.data) for part in told.parts] == [("image/png", PICTURE)]


@pytest.mark.req("adapters:google-adk:cancel")
async def test_cancelling_the_run_closes_the_socket() -> None:
    async with stage() as here:
        model = _model([Use("web_fetch", {"url": f"{here.site.url}/slow"}), DONE])
        task = asyncio.create_task(_run(model, google_adk_tools(here.tools)))
        await asked(here.site)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await here.site.closed.wait()

    assert model.turns == [DONE]


@pytest.mark.req("adapters:google-adk:verdicts")
async def test_hostile_urls_get_the_verdicts_that_they_get_everywhere() -> None:
    async with guarded_stage() as place:
        by_name = {tool.name: tool for tool in google_adk_tools(place.tools)}

        async def ask(name: str, arguments: dict[str, Any]) -> str:
            response = await by_name[name].run_async(args=arguments, tool_context=_Context())
            return "".join(response.values())

        await assert_verdicts(ask, place)


@pytest.mark.req("adapters:google-adk:sessions")
async def test_sessions_of_one_agent_have_runs_of_their_own() -> None:
    runs = {"a": Run(), "b": Run()}
    seen_only = Permission(PermissionSettings(unseen="deny"))
    async with stage(gate=seen_only) as here:
        runs["a"].saw(f"Read {here.url}, please.")
        model = _model([Use("web_fetch", {"url": here.url}), DONE, Use("web_fetch", {"url": here.url}), DONE])
        tools = google_adk_tools(here.tools, run=lambda context: runs[context.session.id])
        agent = adk_agents.LlmAgent(name="a", model=model, tools=tools)
        async with runners.InMemoryRunner(agent=agent, app_name="app") as runner:
            await _session(runner, "a")
            allowed = model.texts
            await _session(runner, "b")

    assert SENTENCE in allowed[0]
    assert "WEB_DENIED" in model.texts[0]
    assert here.fetched == ["/permits"]


@pytest.mark.req("adapters:google-adk:sessions")
async def test_calls_name_their_session_beside_the_tags_of_the_host() -> None:
    tags: list[Mapping[str, str]] = []

    async def answer(_request: Any, call: Call) -> SearchResult:
        tags.append(call.tags)
        return SearchResult(provider="scripted")

    async with stage() as here:
        here.search.answer = answer
        model = _model([Use("web_search", {"query": "kelp"}), DONE])
        await _run(model, google_adk_tools(here.tools, call=Call(tags={"tenant": "t"})))

    assert tags == [{"session": "s", "tenant": "t"}]


@pytest.mark.req("adapters:google-adk:timeout")
async def test_the_time_that_the_host_gives_holds_for_each_call() -> None:
    async with stage() as here:
        model = _model([Use("web_fetch", {"url": f"{here.site.url}/slow"}), DONE])
        assert await _run(model, google_adk_tools(here.tools, timeout=0.05)) == DONE

    assert "TOOL_TIMEOUT" in model.texts[0]


@pytest.mark.req("adapters:google-adk:missing")
async def test_without_the_kit_the_error_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "google.adk.tools", None)
    async with stage() as here:
        with pytest.raises(WebError, match="pip install") as caught:
            google_adk_tools(here.tools)

    assert "google-adk" in caught.value.message
