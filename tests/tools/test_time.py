"""Time, abort and cancellation of a tool call (dsh-78, design 5 and 6, R187)."""

import asyncio
from typing import Any

import pytest

from support.tools import URL, ListedGate, ScriptedSearch, forever, found, plain, reading, searching
from webseam.core.call import Call
from webseam.core.deadline import Deadline
from webseam.core.errors import Code, WebError
from webseam.core.gate import AccessRequest, Verdict
from webseam.core.settings import SeamSettings, ToolSettings
from webseam.core.types import FetchRequest, FetchResult, SearchRequest, SearchResult
from webseam.core.web import Web
from webseam.tools.result import ToolResult
from webseam.tools.toolset import Toolset

SOON = 0.02


def code(result: ToolResult) -> str:
    assert result.is_error
    assert result.error is not None
    return str(result.error["code"])


@pytest.mark.req("tools:time:tool-timeout")
async def test_the_hosts_time_ends_a_call_that_hangs() -> None:
    tools, _ = searching(forever)
    result = await tools.call("web_search", {"query": "a"}, timeout=SOON)
    assert code(result) == "TOOL_TIMEOUT"
    assert "0.02 s" in result.text
    assert result.error is not None
    assert result.error["dispatched"] is True
    assert result.error["retryable"] is True


@pytest.mark.req("tools:time:tool-timeout")
async def test_the_hosts_time_holds_for_fetch_too() -> None:
    tools, _ = reading(forever)
    assert code(await tools.call("web_fetch", {"url": URL}, timeout=SOON)) == "TOOL_TIMEOUT"


@pytest.mark.req("tools:time:tool-timeout")
async def test_a_host_that_brings_its_own_call_sees_that_something_left() -> None:
    tools, _ = searching(found("https://a.test/"))
    own = Call()
    await tools.call("web_search", {"query": ""}, call=own)
    assert own.dispatch.sent is False
    await tools.call("web_search", {"query": "a"}, call=own)
    assert own.dispatch.sent is True


@pytest.mark.req("tools:time:tool-timeout-wins")
async def test_the_hosts_time_wins_over_whatever_the_provider_makes_of_its_cancellation() -> None:
    async def stubborn(_request: SearchRequest, _call: Call) -> SearchResult:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError as exc:
            raise WebError(Code.QUOTA_EXHAUSTED, "Empty.") from exc
        raise AssertionError

    async def late(_request: SearchRequest, _call: Call) -> SearchResult:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return found("https://a.test/")
        raise AssertionError

    for provider in (stubborn, late):
        tools, _ = searching(provider)
        assert code(await tools.call("web_search", {"query": "a"}, timeout=SOON)) == "TOOL_TIMEOUT"


@pytest.mark.req("tools:time:tool-timeout-wins")
async def test_an_answer_that_comes_after_the_hosts_time_is_a_timeout() -> None:
    now = [0.0]

    async def slow(_request: SearchRequest, _call: Call) -> SearchResult:
        now[0] += 10
        return found("https://a.test/")

    scripted = ScriptedSearch(answer=slow)
    web = Web(clock=lambda: now[0])
    web.register_search(scripted)
    tools = Toolset(web)
    assert code(await tools.call("web_search", {"query": "a"}, timeout=5)) == "TOOL_TIMEOUT"
    assert not (await tools.call("web_search", {"query": "a"}, timeout=15)).is_error


@pytest.mark.req("tools:time:seam-timeout")
async def test_without_a_host_time_the_seams_own_code_is_seen() -> None:
    tools, _ = searching(forever, seam=SeamSettings(search_seconds=SOON))
    assert code(await tools.call("web_search", {"query": "a"})) == "WEB_SEARCH_TIMEOUT"
    pages, _ = reading(forever, settings=SeamSettings(fetch_seconds=SOON))
    assert code(await pages.call("web_fetch", {"url": URL})) == "WEB_FETCH_TIMEOUT"


@pytest.mark.req("tools:time:seam-timeout")
async def test_a_longer_host_time_does_not_lengthen_the_seams() -> None:
    tools, _ = searching(forever, seam=SeamSettings(search_seconds=SOON))
    assert code(await tools.call("web_search", {"query": "a"}, timeout=60)) == "WEB_SEARCH_TIMEOUT"


@pytest.mark.req("tools:time:seam-timeout")
async def test_the_callers_deadline_replaces_the_seams_time() -> None:
    tools, _ = searching(forever)
    own = Call(deadline=Deadline.after(SOON))
    assert code(await tools.call("web_search", {"query": "a"}, call=own)) == "WEB_SEARCH_TIMEOUT"


@pytest.mark.req("tools:time:seam-timeout")
async def test_conversion_counts_against_the_time_of_the_fetch() -> None:
    class Slow:
        async def convert(self, _page: FetchResult, *, deadline: Deadline) -> Any:
            assert deadline.remaining < 1
            await asyncio.Event().wait()

    _, scripted = reading(plain("x"))
    web = Web(settings=SeamSettings(fetch_seconds=SOON))
    web.register_fetch(scripted)
    tools = Toolset(web, converter=Slow())
    assert code(await tools.call("web_fetch", {"url": URL})) == "WEB_FETCH_TIMEOUT"
    assert code(await tools.call("web_fetch", {"url": URL}, timeout=SOON / 2)) == "TOOL_TIMEOUT"


@pytest.mark.req("tools:time:checked")
@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf")])
async def test_a_host_time_that_is_none_is_an_error_result(seconds: float) -> None:
    tools, scripted = searching()
    assert code(await tools.call("web_search", {"query": "a"}, timeout=seconds)) == "INVALID_ARGS"
    assert scripted.asked == []


@pytest.mark.req("tools:abort:event")
async def test_an_abort_ends_a_running_call() -> None:
    abort = asyncio.Event()

    async def hang(_request: FetchRequest, _call: Call) -> FetchResult:
        abort.set()
        await asyncio.Event().wait()
        raise AssertionError

    tools, _ = reading(hang)
    result = await tools.call("web_fetch", {"url": URL}, abort=abort, timeout=60)
    assert code(result) == "WEB_ABORTED"
    assert result.error is not None
    assert result.error["dispatched"] is True


@pytest.mark.req("tools:abort:event")
async def test_a_call_that_was_aborted_before_asks_nobody() -> None:
    abort = asyncio.Event()
    abort.set()
    tools, scripted = searching()
    for given in ({"abort": abort}, {"call": Call(abort=abort)}):
        result = await tools.call("web_search", {"query": "a"}, **given)
        assert code(result) == "WEB_ABORTED"
        assert result.error is not None
        assert result.error["dispatched"] is False
    assert scripted.asked == []


@pytest.mark.req("tools:abort:event")
async def test_a_gate_that_waits_for_a_person_is_ended_too() -> None:
    class Waits:
        async def __call__(self, _request: AccessRequest, /) -> Verdict:
            await asyncio.Event().wait()
            raise AssertionError

    tools, _ = reading(plain("x"), gate=Waits())
    assert code(await tools.call("web_fetch", {"url": URL}, timeout=SOON)) == "TOOL_TIMEOUT"


@pytest.mark.req("tools:cancel:passes-through")
async def test_cancelling_the_task_cancels_the_provider_and_passes_through() -> None:
    running = asyncio.Event()
    ended: list[bool] = []

    async def hang(_request: SearchRequest, _call: Call) -> SearchResult:
        running.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(True)
        raise AssertionError

    tools, _ = searching(hang)
    task = asyncio.create_task(tools.call("web_search", {"query": "a"}, timeout=60))
    await running.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert ended == [True]


@pytest.mark.req("tools:errors:never-raises")
async def test_a_fault_in_a_converter_is_an_error_result() -> None:
    class Broken:
        async def convert(self, _page: FetchResult, *, deadline: Deadline) -> Any:
            raise ZeroDivisionError(str(deadline))

    _, scripted = reading(plain("x"))
    web = Web()
    web.register_fetch(scripted)
    result = await Toolset(web, converter=Broken()).call("web_fetch", {"url": URL})
    assert code(result) == "WEB_PROVIDER_ERROR"
    assert "ZeroDivisionError" in result.text


@pytest.mark.req("tools:errors:never-raises")
async def test_a_fault_in_a_provider_is_an_error_result() -> None:
    async def broken(_request: SearchRequest, _call: Call) -> SearchResult:
        raise KeyError("results")

    tools, _ = searching(broken)
    result = await tools.call("web_search", {"query": "a"})
    assert code(result) == "WEB_PROVIDER_ERROR"
    assert "KeyError" in result.text


@pytest.mark.req("tools:errors:text")
async def test_an_error_names_code_wait_and_bill() -> None:
    tools, _ = searching(WebError(Code.RATE_LIMITED, "Too many requests.", retry_after=30))
    result = await tools.call("web_search", {"query": "a"})
    assert result.text.startswith(
        "Error: the call failed (WEB_RATE_LIMITED). Wait 30 s before trying again. "
        "The failed call may have been billed."
    )
    assert result.structured is None
    assert result.error is not None
    assert result.error["retry_after"] == 30


async def hanging(_request: SearchRequest, call: Call) -> SearchResult:
    call.dispatch.mark()
    await asyncio.Event().wait()
    raise AssertionError


@pytest.mark.req("tools:errors:billed")
@pytest.mark.parametrize("end", ["host", "abort", "seam"])
async def test_a_search_ended_by_time_or_abort_says_that_it_may_have_been_billed(end: str) -> None:
    abort = asyncio.Event()
    tools, _ = searching(hanging)
    asyncio.get_running_loop().call_later(0.05, abort.set)
    how: dict[str, dict[str, Any]] = {
        "host": {"timeout": 0.05},
        "abort": {"abort": abort},
        "seam": {"call": Call(deadline=Deadline.after(0.05))},
    }
    result = await tools.call("web_search", {"query": "a"}, **how[end])
    assert result.error is not None
    assert result.error["dispatched"] is True
    assert result.text.endswith(") The failed call may have been billed.")


@pytest.mark.req("tools:errors:billed")
async def test_a_failed_query_tells_of_the_bill_of_its_siblings() -> None:
    answered = asyncio.Event()

    async def paid(_request: SearchRequest, call: Call) -> SearchResult:
        call.dispatch.mark()
        answered.set()
        return found("https://a.test/")

    async def unsent(_request: SearchRequest, _call: Call) -> SearchResult:
        await answered.wait()
        raise WebError(Code.PROVIDER_ERROR, "The connection was refused.")

    class Both(ScriptedSearch):
        async def search(self, request: SearchRequest, *, call: Call) -> SearchResult:
            return await (paid if request.query == "a" else unsent)(request, call)

    web = Web(tools=ToolSettings(max_queries=2))
    web.register_search(Both())
    result = await Toolset(web).call("web_search", {"queries": ["a", "b"]})
    assert code(result) == "WEB_PROVIDER_ERROR"
    assert "The failed call may have been billed." in result.text


@pytest.mark.req("tools:errors:billed")
async def test_a_vendors_own_word_about_bills_does_not_stand_for_ours() -> None:
    tools, _ = searching(WebError(Code.QUOTA_EXHAUSTED, "You are billed monthly."))
    text = (await tools.call("web_search", {"query": "a"})).text
    assert "The failed call may have been billed. What was reported:" in text


@pytest.mark.req("tools:errors:text")
async def test_each_cause_of_no_results_has_a_code_of_its_own() -> None:
    unset = Toolset(Web())
    blocked, _ = searching(WebError(Code.PROVIDER_BLOCKED, "A captcha."))
    empty, _ = searching(found())
    codes = [code(await tools.call("web_search", {"query": "a"})) for tools in (unset, blocked)]
    assert codes == ["WEB_PROVIDER_UNAVAILABLE", "WEB_PROVIDER_BLOCKED"]
    assert not (await empty.call("web_search", {"query": "a"})).is_error


@pytest.mark.req("tools:errors:text")
async def test_the_seams_setup_codes_reach_the_model() -> None:
    web = Web()
    web.register_search(ScriptedSearch(id="one"))
    web.register_search(ScriptedSearch(id="two"))
    assert code(await Toolset(web).call("web_search", {"query": "a"})) == "WEB_PROVIDER_AMBIGUOUS"
    missing = Toolset(Web(search="tavly"))
    assert code(await missing.call("web_search", {"query": "a"})) == "WEB_PROVIDER_CONFIGURED_MISSING"


@pytest.mark.req("tools:permission:denied")
async def test_a_denied_search_is_refused_before_it_leaves() -> None:
    gate = ListedGate(denied={"a"})
    tools, scripted = searching()
    result = await tools.call("web_search", {"query": "a"}, call=Call(gate=gate))
    assert code(result) == "WEB_DENIED"
    assert result.text == "Error: This target is on the block list. (WEB_DENIED)"
    assert scripted.asked == []


@pytest.mark.req("tools:concurrency:twenty")
async def test_twenty_calls_at_once_do_not_mix() -> None:
    together = asyncio.Barrier(20)

    async def meet(request: FetchRequest, _call: Call) -> FetchResult:
        await together.wait()
        return plain(f"body of {request.url}", url=request.url)

    urls = [f"https://a.test/{number}" for number in range(20)]
    tools, scripted = reading(plain("x"))
    scripted.pages |= {url: [meet] for url in urls}
    results = await asyncio.gather(*(tools.call("web_fetch", {"url": url}) for url in urls))
    for url, result in zip(urls, results, strict=True):
        assert result.structured is not None
        assert result.structured["content"] == f"body of {url}"
        assert result.structured["url"] == url
