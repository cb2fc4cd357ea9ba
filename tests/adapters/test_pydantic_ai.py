"""The pydantic-ai adapter under its own agent loop, with a scripted model."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from support.adapters import SENTENCE, TITLE, Stage, assert_verdicts, guarded_stage, needs, seeing, stage
from support.api_server import MESSAGE, function_call, playing, responses_answer
from support.permission import Bench
from webseam.adapters import pydantic_ai_toolset
from webseam.core.errors import WebError
from webseam.core.gate import AccessRequest, Verdict
from webseam.tools.run import Run

pydantic_ai = needs("pydantic_ai")
messages = needs("pydantic_ai.messages")
function = needs("pydantic_ai.models.function")
capabilities = needs("pydantic_ai.capabilities")


class Script:
    """A model that asks for `calls` in its first answer and is done in its second; `seen` keeps what it got."""

    def __init__(self, *calls: tuple[str, Any]) -> None:
        self.calls = calls
        self.definitions: list[Any] = []
        self.results: list[Any] = []
        self.turns = 0

    def __call__(self, history: list[Any], info: Any) -> Any:
        self.turns += 1
        self.definitions = info.function_tools
        if self.turns == 1:
            asked = [messages.ToolCallPart(*call, tool_call_id=f"c{n}") for n, call in enumerate(self.calls)]
            return messages.ModelResponse(asked)
        self.results = list(history[-1].parts)
        return messages.ModelResponse([messages.TextPart("done")])

    def model(self) -> Any:
        """One that searches and reads nothing by itself."""
        return function.FunctionModel(self, profile={"supported_native_tools": frozenset()})


async def run(place: Stage, *calls: tuple[str, Any], **options: Any) -> Script:
    script = Script(*calls)
    agent = pydantic_ai.Agent(script.model(), toolsets=[pydantic_ai_toolset(place.tools, **options)])
    assert (await agent.run("go")).output == "done"
    return script


@pytest.fixture
async def place() -> AsyncIterator[Stage]:
    async with stage() as made:
        yield made


@pytest.mark.req("adapters:pydantic-ai:loop")
async def test_an_agent_searches_and_reads_a_page_over_the_wire(place: Stage) -> None:
    script = await run(place, ("web_search", {"query": "kelp"}), ("web_fetch", f'{{"url": "{place.url}"}}'))

    search, page = script.results
    assert TITLE in search.content
    assert SENTENCE in page.content
    assert (search.outcome, page.outcome) == ("success", "success")
    assert page.metadata["structured"]["status_code"] == 200
    assert search.metadata["structured"]["sources"][0]["url"] == place.url
    assert place.fetched == ["/permits"]
    assert [request.query for request in place.search.asked] == ["kelp"]


@pytest.mark.req("adapters:all:schemas")
async def test_pydantic_ai_publishes_our_definitions_as_they_are(place: Stage) -> None:
    script = await run(place, ("web_search", {"query": "kelp"}))

    published = [(one.name, one.description, one.parameters_json_schema) for one in script.definitions]
    ours = [(one["name"], one["description"], one["parameters"]) for one in place.tools.definitions("openai")]
    assert published == ours


@pytest.mark.req("adapters:all:schemas", "adapters:all:errors")
async def test_an_openai_model_under_pydantic_ai_is_sent_our_definitions_and_texts(place: Stage) -> None:
    models, providers = needs("pydantic_ai.models.openai"), needs("pydantic_ai.providers.openai")
    call = function_call({"id": "c0", "name": "web_fetch", "args": {}}, '{"url": ')
    async with playing(responses_answer([call]), responses_answer([MESSAGE])) as api:
        client = providers.OpenAIProvider(base_url=f"{api.url}/v1", api_key="sk-test")
        model = models.OpenAIResponsesModel("gpt-5", provider=client)
        await pydantic_ai.Agent(model, toolsets=[pydantic_ai_toolset(place.tools)]).run("go")
        await client.client.close()

    first, second = api.received
    assert first["tools"] == place.tools.definitions("openai")
    said = "Error: The arguments are not valid JSON. Send one JSON object. (INVALID_ARGS)"
    assert json.loads(second["input"][-1]["output"]) == {"error": said}


@pytest.mark.req("adapters:all:errors")
@pytest.mark.parametrize(
    "args",
    ['{"url": ', "[]", "null", {"url": 7}, {"nope": 1}, {"self": 1, "ctx": 2}, {}, '{"url": "http://[::1"}'],
    ids=str,
)
async def test_bad_arguments_are_told_to_a_pydantic_ai_model_and_spend_no_retry(place: Stage, args: Any) -> None:
    script = await run(place, *[("web_fetch", args)] * 5)

    for part in script.results:
        assert part.outcome == "failed"
        assert part.content.startswith("Error: ")
        assert "(INVALID_ARGS)" in part.content or "(WEB_INVALID_URL)" in part.content
    assert place.fetched == []


@pytest.mark.req("adapters:pydantic-ai:local")
@pytest.mark.parametrize(
    ("capability", "name", "args"),
    [("WebSearch", "web_search", {"query": "kelp"}), ("WebFetch", "web_fetch", {"url": "PAGE"})],
)
async def test_one_tool_stands_in_where_a_model_has_none_of_its_own(
    place: Stage, capability: str, name: str, args: dict[str, str]
) -> None:
    script = Script((name, {key: place.url if value == "PAGE" else value for key, value in args.items()}))
    local = pydantic_ai_toolset(place.tools, names=[name])
    agent = pydantic_ai.Agent(script.model(), capabilities=[getattr(capabilities, capability)(local=local)])

    await agent.run("go")

    assert [one.name for one in script.definitions] == [name]
    assert TITLE in script.results[0].content


@pytest.mark.req("adapters:pydantic-ai:local")
async def test_both_tools_stand_in_side_by_side(place: Stage) -> None:
    script = Script(("web_search", {"query": "kelp"}), ("web_fetch", {"url": place.url}))
    search, fetch = (pydantic_ai_toolset(place.tools, names=[name]) for name in ("web_search", "web_fetch"))
    both = [capabilities.WebSearch(local=search), capabilities.WebFetch(local=fetch)]

    await pydantic_ai.Agent(script.model(), capabilities=both).run("go")

    assert [part.outcome for part in script.results] == ["success", "success"]


@pytest.mark.req("adapters:all:images")
async def test_a_picture_reaches_a_pydantic_ai_model() -> None:
    async with stage(fetch=seeing()) as place:
        script = await run(place, ("web_fetch", {"url": f"{place.site.url}/pixel.png"}))

    text, picture = script.results[0].content
    assert "1x1 image/png" in text
    assert (picture.media_type, picture.data[:4]) == ("image/png", b"\x89PNG")


@pytest.mark.req("adapters:all:cancel")
async def test_cancelling_a_pydantic_ai_run_ends_the_fetch(place: Stage) -> None:
    task = asyncio.create_task(run(place, ("web_fetch", {"url": f"{place.site.url}/slow"})))
    while not place.fetched:  # noqa: ASYNC110 - the request arrives at a server, not at an event of ours
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await place.site.closed.wait()


@pytest.mark.req("adapters:all:run")
async def test_a_denied_call_is_told_to_the_model_and_the_run_goes_on() -> None:
    async def nothing(_request: AccessRequest) -> Verdict:
        return Verdict(allowed=False, reason="Not today.")

    async with stage(gate=nothing) as place:
        script = await run(place, ("web_fetch", {"url": place.url}))

    assert "Not today." in script.results[0].content
    assert place.fetched == []


@pytest.mark.req("adapters:all:conversations")
async def test_one_pydantic_ai_agent_serves_conversations_with_a_run_each() -> None:
    bench, runs = Bench(), [Run(), Run()]
    toolset = pydantic_ai_toolset(bench.tools, run=lambda ctx: ctx.deps)
    for number, own in enumerate(runs):
        script = Script(*[("web_search", {"query": f"q{n}"}) for n in range(number + 1)])
        await pydantic_ai.Agent(script.model(), deps_type=Run, toolsets=[toolset]).run("go", deps=own)

    assert ([one.calls for one in runs], bench.run.calls) == ([1, 2], 0)


@pytest.mark.req("adapters:all:time")
async def test_the_host_s_seconds_hold_for_a_pydantic_ai_call(place: Stage) -> None:
    script = await run(place, ("web_fetch", {"url": f"{place.site.url}/slow"}), timeout=0.01)
    assert "(TOOL_TIMEOUT)" in script.results[0].content


@pytest.mark.req("adapters:pydantic-ai:local")
async def test_pydantic_ai_s_own_wrappers_hold_for_our_toolset(place: Stage) -> None:
    script = Script(("web_search", {"query": "kelp"}))
    asked = pydantic_ai_toolset(place.tools).filtered(lambda _ctx, one: one.name == "web_search").approval_required()
    agent = pydantic_ai.Agent(script.model(), toolsets=[asked], output_type=[str, pydantic_ai.DeferredToolRequests])

    waiting = await agent.run("go")

    assert [one.tool_name for one in waiting.output.approvals] == ["web_search"]
    assert place.search.asked == []


@pytest.mark.req("adapters:all:verdicts")
async def test_every_hostile_url_meets_the_same_verdict_through_pydantic_ai() -> None:
    async with guarded_stage() as place:
        toolset = pydantic_ai_toolset(place.tools)
        offered = await toolset.get_tools(None)

        async def ask(name: str, args: dict[str, Any]) -> str:
            try:
                answer = await toolset.call_tool(name, args, None, offered[name])
            except pydantic_ai.ToolFailed as failed:
                return str(failed.message)
            return str(answer.return_value)

        await assert_verdicts(ask, place)


@pytest.mark.req("adapters:pydantic-ai:local")
@pytest.mark.parametrize("names", ["web_serch", ["web_search", "web_serch"]], ids=str)
async def test_a_tool_that_is_not_on_is_refused_by_name(place: Stage, names: Any) -> None:
    with pytest.raises(WebError, match=r"'web_serch'.*web_search, web_fetch"):
        pydantic_ai_toolset(place.tools, names=names)
    assert list(await pydantic_ai_toolset(place.tools, names="web_fetch").get_tools(None)) == ["web_fetch"]
