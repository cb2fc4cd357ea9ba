"""Blocking calls of a toolset: one event loop for all of them, in a thread of its own."""

import asyncio
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest

import webseam.adapters
from support.adapters import SENTENCE, stage
from support.permission import Bench
from support.tools import searching
from webseam.core.call import Call
from webseam.core.errors import WebError
from webseam.core.types import SearchRequest, SearchResult
from webseam.surfaces.adapters.framework import Caller, framework
from webseam.surfaces.adapters.own_loop import OwnLoop
from webseam.tools.run import Run


def threads() -> list[str]:
    return [one.name for one in threading.enumerate() if one.name == "webseam-tools"]


@pytest.mark.req("adapters:own-loop")
def test_a_thread_without_a_loop_waits_for_one_call_after_another() -> None:
    tools, search = searching()
    home = OwnLoop(Caller(tools=tools))

    answers = [home.answer("web_search", {"query": f"q{n}"}) for n in range(3)]

    assert [one.is_error for one in answers] == [False] * 3
    assert len(search.asked) == 3
    assert threads() == ["webseam-tools"]
    asyncio.run(tools.aclose())
    assert threads() == []


@pytest.mark.req("adapters:own-loop:one")
async def test_tools_made_anew_for_each_conversation_share_one_loop_and_leave_no_thread_behind() -> None:
    loops: set[asyncio.AbstractEventLoop] = set()
    runs = [Run() for _ in range(4)]

    async def answer(_request: SearchRequest, _call: Call) -> SearchResult:
        loops.add(asyncio.get_running_loop())
        return SearchResult(provider="scripted")

    bench = Bench()
    bench.search.answer = answer
    homes = [OwnLoop(Caller(tools=bench.tools, run=run)) for run in runs]
    await asyncio.gather(*(asyncio.to_thread(one.answer, "web_search", {"query": "q"}) for one in homes))
    left = threads()
    await bench.tools.aclose()

    assert (len(loops), left, [run.calls for run in runs]) == (1, ["webseam-tools"], [1] * 4)
    assert threads() == []


@pytest.mark.req("adapters:own-loop")
def test_calls_of_several_threads_run_at_the_same_time_on_one_loop() -> None:
    loops: set[asyncio.AbstractEventLoop] = set()
    all_there = asyncio.Event()
    begun = 0

    async def answer(_request: SearchRequest, _call: Call) -> SearchResult:
        nonlocal begun
        begun += 1
        loops.add(asyncio.get_running_loop())
        if begun == 4:
            all_there.set()
        await all_there.wait()
        return SearchResult(provider="scripted")

    tools, _ = searching(answer)
    home = OwnLoop(Caller(tools=tools))
    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(lambda n: home.answer("web_search", {"query": f"q{n}"}), range(4)))
    asyncio.run(tools.aclose())

    assert [one.is_error for one in done] == [False] * 4
    assert len(loops) == 1


@pytest.mark.req("adapters:own-loop")
async def test_a_thread_whose_own_loop_runs_may_wait_as_a_notebook_s_does() -> None:
    tools, _ = searching()
    home = OwnLoop(Caller(tools=tools))

    assert not home.answer("web_search", {"query": "q"}).is_error
    await tools.aclose()
    assert threads() == []


@pytest.mark.req("adapters:own-loop")
async def test_pages_are_fetched_over_one_connection_which_is_closed_with_the_tools() -> None:
    async with stage() as place:
        home = OwnLoop(Caller(tools=place.tools))
        for _ in range(3):
            page = await asyncio.to_thread(home.answer, "web_fetch", {"url": place.url})
            assert SENTENCE in page.text
        assert place.site.connections == 1

        await place.tools.aclose()
        while place.site.open:  # noqa: ASYNC110 - the end arrives at a server, not at an event of ours
            await asyncio.sleep(0)


@pytest.mark.req("adapters:own-loop")
async def test_long_pages_are_converted_on_this_loop_and_on_the_host_s() -> None:
    async with stage() as place:
        home, url = OwnLoop(Caller(tools=place.tools)), f"{place.site.url}/long"
        for _ in range(2):
            beside = asyncio.to_thread(home.answer, "web_fetch", {"url": url})
            pages = await asyncio.gather(beside, place.tools.call("web_fetch", {"url": url}))
            assert [SENTENCE in page.text for page in pages] == [True, True]


@pytest.mark.req("adapters:own-loop")
async def test_tools_that_were_closed_start_anew_with_the_next_call() -> None:
    tools, _ = searching()
    home = OwnLoop(Caller(tools=tools))
    for _ in range(2):
        assert not home.answer("web_search", {"query": "q"}).is_error
        await tools.aclose()
        assert threads() == []


@pytest.mark.req("adapters:own-loop:closing")
async def test_calls_that_meet_a_close_are_all_answered() -> None:
    tools, _ = searching()
    home, over, answered = OwnLoop(Caller(tools=tools)), threading.Event(), threading.Semaphore(0)

    def ask() -> set[str | None]:
        met: set[str | None] = set()
        while not over.is_set():
            error = home.answer("web_search", {"query": "q"}).error
            met.add(None if error is None else error["code"])
            answered.release()
        return met

    asking = [asyncio.create_task(asyncio.to_thread(ask)) for _ in range(3)]
    for _ in range(150):
        await asyncio.to_thread(answered.acquire)
        await tools.aclose()
    over.set()
    met = set().union(*await asyncio.gather(*asking))
    await tools.aclose()

    assert None in met
    assert met <= {None, "WEB_ABORTED"}


@pytest.mark.req("adapters:own-loop:closing")
async def test_a_close_ends_though_calls_begin_anew_meanwhile() -> None:
    tools, _ = searching()
    home, begun = OwnLoop(Caller(tools=tools)), 0

    async def begin_anew() -> None:
        nonlocal begun
        begun += 1
        assert not (await asyncio.to_thread(home.answer, "web_search", {"query": "q"})).is_error
        if begun < 3:
            tools.at_close(begin_anew)

    tools.at_close(begin_anew)
    await asyncio.to_thread(home.answer, "web_search", {"query": "q"})
    for closes in (1, 2, 3):
        await tools.aclose()
        assert begun == closes
    await tools.aclose()
    assert threads() == []


@pytest.mark.req("adapters:own-loop")
async def test_a_tool_that_waits_for_another_on_its_own_loop_is_told_instead_of_hanging() -> None:
    async def answer(_request: SearchRequest, _call: Call) -> SearchResult:
        inner = home.answer("web_search", {"query": "inner"})
        return SearchResult(provider="scripted", content=inner.text)

    tools, _ = searching(answer)
    home = OwnLoop(Caller(tools=tools))
    outer = home.answer("web_search", {"query": "outer"})
    await tools.aclose()

    assert "cannot wait for another one on its own event loop" in outer.text


@pytest.mark.req("adapters:own-loop:abort")
async def test_a_host_s_abort_signal_ends_a_blocking_call_and_refuses_the_next_one() -> None:
    stop, args = asyncio.Event(), {"query": "q"}
    async with stage() as place:
        home = OwnLoop(Caller(tools=place.tools, call=Call(abort=stop)))
        assert not (await asyncio.to_thread(home.answer, "web_search", args)).is_error
        slow = {"url": f"{place.site.url}/slow"}
        waiting = asyncio.create_task(asyncio.to_thread(home.answer, "web_fetch", slow))
        while not place.fetched:  # noqa: ASYNC110 - the request arrives at a server, not at an event of ours
            await asyncio.sleep(0)
        stop.set()
        ended, next_one = await waiting, await asyncio.to_thread(home.answer, "web_search", args)
        await place.site.closed.wait()

    for result, sent in ((ended, True), (next_one, False)):
        assert result.error is not None
        assert (result.error["code"], result.error["dispatched"]) == ("WEB_ABORTED", sent)


@pytest.mark.req("adapters:own-loop:ended")
@pytest.mark.parametrize("sent", [False, True])
async def test_a_search_that_closing_ends_says_whether_its_request_had_left(*, sent: bool) -> None:
    begun = threading.Event()

    async def hang(*_: object) -> Any:
        begun.set()
        await asyncio.Event().wait()

    bench = Bench(search="allow" if sent else "ask")
    bench.search.answer = hang
    ask = Caller(tools=bench.tools, run=Run(ask=hang), call=Call())
    waiting = asyncio.create_task(asyncio.to_thread(OwnLoop(ask).answer, "web_search", {"query": "q"}))
    await asyncio.to_thread(begun.wait)
    await bench.tools.aclose()
    result = await waiting

    assert ask.call is not None
    assert result.error is not None
    assert (result.error["code"], result.error["dispatched"], ask.call.dispatch.sent) == ("WEB_ABORTED", sent, sent)
    assert ("may have been billed" in result.text) is sent


@pytest.mark.req("adapters:own-loop:ended")
async def test_a_page_that_closing_ends_is_not_said_to_be_billed() -> None:
    async with stage() as place:
        args = {"url": f"{place.site.url}/slow"}
        home = OwnLoop(Caller(tools=place.tools))
        waiting = asyncio.create_task(asyncio.to_thread(home.answer, "web_fetch", args))
        while not place.fetched:  # noqa: ASYNC110 - the request arrives at a server, not at an event of ours
            await asyncio.sleep(0)
        await place.tools.aclose()
        result = await waiting

    assert result.text == "Error: The tools were closed while this call ran. (WEB_ABORTED) The request had been sent."


@pytest.mark.req("adapters:own-loop")
def test_an_interrupt_of_the_waiting_thread_ends_the_work() -> None:
    ended = threading.Event()
    main = threading.main_thread().ident
    assert main is not None

    async def answer(_request: SearchRequest, _call: Call) -> Any:
        signal.pthread_kill(main, signal.SIGINT)
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    tools, _ = searching(answer)
    home = OwnLoop(Caller(tools=tools))
    with pytest.raises(KeyboardInterrupt):
        home.answer("web_search", {"query": "q"})
    assert ended.wait(10)
    asyncio.run(tools.aclose())


@pytest.mark.req("adapters:all:own-faults")
@pytest.mark.parametrize("seconds", [0, -1, float("inf"), float("nan")])
def test_a_time_that_is_none_is_told_to_the_host_at_once(seconds: float) -> None:
    with pytest.raises(WebError, match="it must be a positive, finite number of seconds") as caught:
        Caller(tools=searching()[0], timeout=seconds)
    assert caught.value.code == "INVALID_ARGS"


@pytest.mark.req("adapters:all:own-faults")
async def test_what_the_host_s_own_function_for_the_run_raises_is_the_host_s_to_see() -> None:
    def which(context: Any) -> Run:
        raise KeyError(context)

    tools, search = searching()
    ask = Caller(tools=tools, run=which)
    with pytest.raises(KeyError, match="thread-1"):
        await ask("web_search", {"query": "q"}, "thread-1")
    with pytest.raises(KeyError, match="thread-1"):
        await asyncio.to_thread(OwnLoop(ask).answer, "web_search", {"query": "q"}, "thread-1")
    await tools.aclose()
    assert search.asked == []


# The public module -------------------------------------------------------------------------------------


@pytest.mark.req("adapters:names")
def test_the_public_module_loads_each_adapter_and_no_framework() -> None:
    code = (
        "import sys, webseam.adapters as a\n"
        "assert not any(one.startswith('webseam.surfaces') for one in sys.modules)\n"
        "for name in a.__all__: assert callable(getattr(a, name)), name\n"
        "assert set(a.__all__) <= set(dir(a))\n"
        "heavy = {'aiohttp', 'turbohtml', 'pydantic', 'langchain_core', 'openai', 'agents', 'google.genai'}\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True, timeout=50)  # noqa: S603 - our interpreter


@pytest.mark.req("adapters:names")
def test_an_adapter_that_does_not_exist_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="crewai_tools"):
        webseam.adapters.crewai_tools  # noqa: B018 - the subject


@pytest.mark.req("adapters:install")
def test_a_framework_that_is_not_there_is_named_with_the_line_that_installs_it() -> None:
    with pytest.raises(WebError, match=r'pip install "no-such-framework>=1"') as caught:
        framework("no-such-framework>=1", "no_such_framework")
    assert caught.value.code == "WEB_CONFIG_INVALID"


@pytest.mark.req("adapters:install")
@pytest.mark.parametrize(
    ("adapter", "blocked", "install"),
    [
        ("langchain_tools", "langchain_core.tools", "langchain-core"),
        ("pydantic_ai_toolset", "pydantic_ai", "pydantic-ai-slim"),
    ],
)
def test_each_adapter_says_what_it_needs(
    adapter: str, blocked: str, install: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, blocked, None)
    make = partial(getattr(webseam.adapters, adapter), searching()[0])
    with pytest.raises(WebError, match=f'pip install "{install}'):
        make()
