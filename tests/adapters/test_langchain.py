"""The LangChain adapter under `create_agent`, LangGraph's own loop, with a scripted chat model."""

import asyncio
import threading
from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest

from support.adapters import SENTENCE, TITLE, Stage, assert_verdicts, guarded_stage, needs, seeing, stage
from support.permission import Bench, Person
from webseam.adapters import langchain_tools
from webseam.core.settings import ToolSettings
from webseam.tools.run import Run

agents = needs("langchain.agents")
fakes: Any = needs("langchain_core.language_models.fake_chat_models")
messages = needs("langchain_core.messages")
callbacks: Any = needs("langchain_core.callbacks")
convert = needs("langchain_core.utils.function_calling")


class Scripted(fakes.GenericFakeChatModel):
    """Answers with its messages in order; `bound` keeps what it was given as tools, in OpenAI's form."""

    bound: list[Any] = []  # noqa: RUF012 - a pydantic field, copied for each model

    def bind_tools(self, tools: Sequence[Any], **_options: Any) -> Any:
        self.bound.extend(map(convert.convert_to_openai_tool, tools))
        return self


def asking(*calls: tuple[str, dict[str, Any]]) -> Any:
    """A model that asks for `calls`, and is done once it has the answers."""
    asked = [{"name": name, "args": args, "id": f"c{n}", "type": "tool_call"} for n, (name, args) in enumerate(calls)]
    turns = [messages.AIMessage("", tool_calls=asked), messages.AIMessage("done")]
    return Scripted(messages=iter(turns))


def results(state: dict[str, Any]) -> list[Any]:
    assert state["messages"][-1].content == "done"
    return [one for one in state["messages"] if isinstance(one, messages.ToolMessage)]


async def run(place: Stage, *calls: tuple[str, dict[str, Any]], **options: Any) -> list[Any]:
    agent = agents.create_agent(asking(*calls), langchain_tools(place.tools, **options))
    return results(await agent.ainvoke({"messages": "go"}))


@pytest.fixture
async def place() -> AsyncIterator[Stage]:
    async with stage() as made:
        yield made


@pytest.mark.req("adapters:langchain:loop")
async def test_a_langchain_agent_searches_and_reads_a_page_over_the_wire(place: Stage) -> None:
    search, page = await run(place, ("web_search", {"query": "kelp"}), ("web_fetch", {"url": place.url}))

    assert TITLE in search.content
    assert SENTENCE in page.content
    assert (search.status, page.status) == ("success", "success")
    assert search.artifact["structured"]["sources"][0]["url"] == place.url
    assert page.artifact["structured"]["status_code"] == 200
    assert place.fetched == ["/permits"]


@pytest.mark.req("adapters:langchain:blocking")
async def test_a_langchain_agent_may_be_invoked_in_a_blocking_way(place: Stage) -> None:
    calls = [("web_fetch", {"url": place.url}), ("web_fetch", {"url": place.url}), ("web_search", {"query": "kelp"})]
    agent = agents.create_agent(asking(*calls), langchain_tools(place.tools))

    state = await asyncio.to_thread(agent.invoke, {"messages": "go"})

    assert [TITLE in one.content for one in results(state)] == [True, True, True]
    assert "webseam-tools" in [thread.name for thread in threading.enumerate()]
    await place.tools.aclose()
    assert "webseam-tools" not in [thread.name for thread in threading.enumerate()]


@pytest.mark.req("adapters:all:schemas")
@pytest.mark.parametrize(
    "settings",
    [ToolSettings(extract=True), ToolSettings(max_queries=3, search_controls=("country",))],
    ids=["all", "many"],
)
async def test_langchain_publishes_our_definitions_as_they_are(settings: ToolSettings) -> None:
    async with stage(settings=settings) as place:
        model = asking()
        model.bind_tools(langchain_tools(place.tools))

    wanted = [
        {"name": one["name"], "description": one["description"], "parameters": one["parameters"]}
        for one in place.tools.definitions("openai")
    ]
    assert [one["function"] for one in model.bound] == wanted


@pytest.mark.req("adapters:all:errors")
@pytest.mark.parametrize(
    "args",
    [
        {},
        {"url": 7},
        {"self": 1},
        {"config": {}},
        {"run_manager": 1},
        {"tool_call_id": "x"},
        {"callbacks": 1},
        {"args": [1]},
        {"url": "http://[::1"},
    ],
    ids=str,
)
async def test_bad_arguments_are_told_to_a_langchain_model(place: Stage, args: dict[str, Any]) -> None:
    agent = agents.create_agent(asking(("web_fetch", args)), langchain_tools(place.tools))
    (awaited,) = await run(place, ("web_fetch", args))
    (waited,) = results(await asyncio.to_thread(agent.invoke, {"messages": "go"}))

    for part in (awaited, waited):
        assert part.content.startswith("Error: ")
        assert part.status == "error"
        assert part.artifact["error"]["code"] in ("INVALID_ARGS", "WEB_INVALID_URL")
    assert place.fetched == []


@pytest.mark.req("adapters:langchain:status")
async def test_callbacks_and_traces_see_a_failed_call_as_failed(place: Stage) -> None:
    class Seen(callbacks.BaseCallbackHandler):
        ended: list[Any] = []  # noqa: RUF012 - one handler, one list

        def on_tool_end(self, output: Any, **_more: Any) -> None:
            self.ended.append(output)

    seen = Seen()
    (fetch,) = (one for one in langchain_tools(place.tools) if one.name == "web_fetch")
    call = {"name": "web_fetch", "args": {"url": "http://[::1"}, "id": "c", "type": "tool_call"}
    config = {"callbacks": [seen]}
    answers = [await fetch.ainvoke(call, config), await asyncio.to_thread(fetch.invoke, call, config)]

    assert [one.status for one in (*seen.ended, *answers)] == ["error"] * 4
    assert seen.ended == answers
    assert [(one.tool_call_id, one.name, one.artifact["error"]["code"]) for one in answers] == [
        ("c", "web_fetch", "WEB_INVALID_URL")
    ] * 2
    assert (await fetch.ainvoke(call["args"])).startswith("Error: ")


@pytest.mark.req("adapters:all:renamed")
async def test_a_host_may_rename_its_langchain_tools(place: Stage) -> None:
    search, _ = langchain_tools(place.tools)
    call = {"name": "find", "args": {"query": "kelp"}, "id": "c", "type": "tool_call"}
    renamed = search.model_copy(update={"name": "find"})

    for answer in (await renamed.ainvoke(call), await asyncio.to_thread(renamed.invoke, call)):
        assert (TITLE in answer.content, answer.name) == (True, "find")


@pytest.mark.req("adapters:all:images")
async def test_a_picture_reaches_a_langchain_model() -> None:
    async with stage(fetch=seeing()) as place:
        (answer,) = await run(place, ("web_fetch", {"url": f"{place.site.url}/pixel.png"}))

    text, picture = answer.content_blocks
    assert "1x1 image/png" in text["text"]
    assert (picture["type"], picture["mime_type"], picture["base64"][:4]) == ("image", "image/png", "iVBO")


@pytest.mark.req("adapters:all:cancel")
async def test_cancelling_a_langchain_run_ends_the_fetch(place: Stage) -> None:
    task = asyncio.create_task(run(place, ("web_fetch", {"url": f"{place.site.url}/slow"})))
    while not place.fetched:  # noqa: ASYNC110 - the request arrives at a server, not at an event of ours
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await place.site.closed.wait()


@pytest.mark.req("adapters:langchain:blocking")
async def test_closing_the_tools_ends_a_call_that_a_thread_waits_for(place: Stage) -> None:
    (fetch,) = (one for one in langchain_tools(place.tools) if one.name == "web_fetch")
    call = {"name": "web_fetch", "args": {"url": f"{place.site.url}/slow"}, "id": "c", "type": "tool_call"}
    waiting = asyncio.create_task(asyncio.to_thread(fetch.invoke, call))
    while not place.fetched:  # noqa: ASYNC110 - the request arrives at a server, not at an event of ours
        await asyncio.sleep(0)

    await place.tools.aclose()

    answer = await waiting
    assert answer.artifact["error"] == {
        "code": "WEB_ABORTED",
        "message": "The tools were closed while this call ran.",
        "dispatched": True,
        "retryable": False,
    }


@pytest.mark.req("adapters:all:run", "adapters:langchain:blocking")
async def test_a_person_is_asked_about_blocking_calls_that_run_together() -> None:
    person = Person("allow", "deny", "allow")
    bench, run = Bench(search="ask"), Run(ask=person)
    calls = [("web_search", {"query": f"q{n}"}) for n in range(3)]
    agent = agents.create_agent(asking(*calls), langchain_tools(bench.tools, run=run))

    state = await asyncio.to_thread(agent.invoke, {"messages": "go"})
    await bench.tools.aclose()

    assert sorted(one.status for one in results(state)) == ["error", "success", "success"]
    assert (len(person.asked), run.calls, bench.run.calls) == (3, 2, 0)


@pytest.mark.req("adapters:all:conversations")
async def test_one_langchain_agent_serves_conversations_with_a_run_each() -> None:
    bench, runs = Bench(), {"a": Run(), "b": Run()}
    offered = langchain_tools(bench.tools, run=lambda config: runs[config["configurable"]["thread_id"]])
    calls = [("web_search", {"query": "one"}), ("web_search", {"query": "two"})]
    for thread, some in (("a", calls), ("b", calls[:1])):
        for invoked in (False, True):
            agent, config = agents.create_agent(asking(*some), offered), {"configurable": {"thread_id": thread}}
            if invoked:
                await asyncio.to_thread(agent.invoke, {"messages": "go"}, config)
            else:
                await agent.ainvoke({"messages": "go"}, config)
    await bench.tools.aclose()

    assert (runs["a"].calls, runs["b"].calls, bench.run.calls) == (4, 2, 0)


@pytest.mark.req("adapters:all:time")
async def test_the_host_s_seconds_hold_for_a_langchain_call(place: Stage) -> None:
    (answer,) = await run(place, ("web_fetch", {"url": f"{place.site.url}/slow"}), timeout=0.01)
    assert "(TOOL_TIMEOUT)" in answer.content


@pytest.mark.req("adapters:all:verdicts")
async def test_every_hostile_url_meets_the_same_verdict_through_langchain() -> None:
    async with guarded_stage() as place:
        by_name = {one.name: one for one in langchain_tools(place.tools)}

        async def ask(name: str, args: dict[str, Any]) -> str:
            call = {"name": name, "args": args, "id": "c", "type": "tool_call"}
            return str((await by_name[name].ainvoke(call)).content)

        await assert_verdicts(ask, place)
