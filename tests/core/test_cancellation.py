"""Cancelling the task passes through untouched, and nothing but WebError leaves a provider: design 6."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from support.core import failing, hits, page, refused, searching, settle
from webseam.core.call import Call
from webseam.core.errors import Code
from webseam.core.selection import FanOut
from webseam.core.types import SearchRequest, SearchResult
from webseam.core.web import Web
from webseam.testing import STALLED, ScriptedFetch, ScriptedSearch

CHOICES = [
    pytest.param("x", id="one"),
    pytest.param(["x", "y"], id="route"),
    pytest.param(FanOut(("x", "z")), id="fanout"),
]


async def cancelled(work: Awaitable[object]) -> None:
    """Run `work` in a task, cancel it once it waits, and see the cancellation come out."""
    task = asyncio.ensure_future(work)
    await settle()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


@pytest.mark.req("core:cancel:through")
@pytest.mark.parametrize("with_abort", [False, True])
@pytest.mark.parametrize("choice", CHOICES)
async def test_cancelling_the_task_cancels_the_provider_and_leaves_no_task(choice: Any, *, with_abort: bool) -> None:
    before = asyncio.all_tasks()
    stalled, spare = ScriptedSearch("x", [STALLED]), ScriptedSearch("y", [hits()])
    web = searching(stalled, spare, ScriptedSearch("z", [STALLED]), search=choice)
    await cancelled(web.search("kelp", abort=asyncio.Event() if with_abort else None))
    assert (stalled.script.cancelled, spare.script.requests) == (1, [])
    await settle()
    assert asyncio.all_tasks() == before


@pytest.mark.req("core:cancel:through")
async def test_the_providers_clean_up_runs_to_its_end_before_the_cancellation_passes() -> None:
    steps: list[str] = []

    async def run(_request: SearchRequest, _call: Call) -> SearchResult:
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            steps.append("closed")
        return hits()

    await cancelled(searching(ScriptedSearch("x", [run])).search("kelp"))
    assert steps == ["closed"]


@pytest.mark.req("core:cancel:through")
@pytest.mark.parametrize("waits", [False, True])
@pytest.mark.parametrize("choice", CHOICES[:2])
async def test_a_host_may_cancel_its_task_from_within_a_callback(choice: Any, *, waits: bool) -> None:
    async def run(_request: SearchRequest, call: Call) -> SearchResult:
        call.tell("Kelp is")
        if waits:
            await asyncio.sleep(0)
        return hits()

    def progress(_text: str) -> None:
        task.cancel()

    spare = ScriptedSearch("y", [hits()])
    web = searching(ScriptedSearch("x", [run]), spare, search=choice)
    task = asyncio.ensure_future(web.search("kelp", call=Call(progress=progress)))
    with pytest.raises(asyncio.CancelledError):
        await task
    assert spare.script.requests == []


def making_of_it(end: SearchResult | Exception) -> Callable[..., Awaitable[SearchResult]]:
    async def run(_request: SearchRequest, _call: Call) -> SearchResult:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            if isinstance(end, Exception):
                raise end from None
            return end
        return hits()

    return run


@pytest.mark.req("core:cancel:swallowed")
@pytest.mark.parametrize(
    "end", [hits(), failing(), OSError("reset"), TimeoutError()], ids=lambda one: type(one).__name__
)
@pytest.mark.parametrize("choice", CHOICES)
async def test_a_provider_cannot_swallow_the_callers_cancellation_and_no_later_member_is_billed(
    choice: Any, end: SearchResult | Exception
) -> None:
    spare = ScriptedSearch("y", [hits()])
    web = searching(ScriptedSearch("x", [making_of_it(end)]), spare, ScriptedSearch("z", [STALLED]), search=choice)
    await cancelled(web.search("kelp"))
    assert spare.script.requests == []


@pytest.mark.req("core:cancel:through")
async def test_a_caller_may_search_again_after_it_was_cancelled_once() -> None:
    web = searching(ScriptedSearch("x", [STALLED, hits("https://a.test/")]))
    second: list[SearchResult] = []

    async def stubborn() -> None:
        try:
            await web.search("kelp")
        except asyncio.CancelledError:
            second.append(await web.search("kelp"))
            raise

    await cancelled(stubborn())
    assert second[0].sources[0].url == "https://a.test/"


@pytest.mark.req("core:cancel:own")
async def test_a_cancellation_nobody_asked_for_is_the_providers_failure() -> None:
    web = searching(
        ScriptedSearch("x", [making_cancel]), ScriptedSearch("y", [hits("https://a.test/")]), search=["x", "y"]
    )
    result = await web.search("kelp")
    assert [(one.outcome, one.code) for one in result.attempts] == [("failed", Code.PROVIDER_ERROR), ("ok", None)]


async def making_cancel(_request: SearchRequest, _call: Call) -> SearchResult:
    """Waits for work of its own that somebody else cancelled."""
    work = asyncio.ensure_future(asyncio.Event().wait())
    work.cancel()
    await work
    return hits()


@pytest.mark.req("core:errors:foreign")
@pytest.mark.parametrize(
    "foreign", [ValueError("api-key-1234567890"), OSError("10.0.0.7 refused"), KeyError("results")]
)
async def test_a_foreign_exception_becomes_a_provider_error_with_its_cause_and_without_its_words(
    foreign: Exception,
) -> None:
    error = await refused(searching(ScriptedSearch("x", [foreign])).search("kelp"))
    assert (error.code, error.provider, error.dispatched) == (Code.PROVIDER_ERROR, "x", True)
    assert error.__cause__ is foreign
    assert str(foreign) not in error.message
    assert type(foreign).__name__ in error.message


class Odd:
    """A provider that returns what it should not."""

    id = "odd"

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def available(self) -> bool:
        return True

    async def search(self, _request: object, *, call: Call) -> Any:
        call.dispatch.mark()
        return self.answer

    async def fetch(self, _request: object, *, call: Call) -> Any:
        call.dispatch.mark()
        return self.answer


@pytest.mark.req("core:errors:misfit")
@pytest.mark.parametrize("answer", [None, {}, "text", [], 0])
async def test_a_provider_that_returns_no_result_has_failed(answer: Any) -> None:
    web = searching(Odd(answer))
    web.register_fetch(Odd(answer))
    for work in (web.search("kelp"), web.fetch("https://a.test/")):
        error = await refused(work)
        assert (error.code, error.provider, error.dispatched) == (Code.PROVIDER_ERROR, "odd", True)


@pytest.mark.req("core:errors:misfit")
async def test_a_page_is_no_search_result_and_a_route_goes_on() -> None:
    web = Web(fetch=["odd", "http"])
    web.register_fetch(Odd(hits()))
    web.register_fetch(ScriptedFetch("http", [page()]))
    result = await web.fetch("https://a.test/")
    assert [(one.outcome, one.code) for one in result.attempts] == [("failed", Code.PROVIDER_ERROR), ("ok", None)]


class StopTheWorldError(BaseException):
    """Something that is no Exception, as KeyboardInterrupt and SystemExit are."""


@pytest.mark.req("core:errors:base-exception")
@pytest.mark.parametrize("choice", ["x", ["x", "y"]], ids=["one", "route"])
async def test_what_is_no_exception_is_never_swallowed(choice: Any) -> None:
    async def run(_request: SearchRequest, _call: Call) -> SearchResult:
        raise StopTheWorldError

    spare = ScriptedSearch("y", [hits()])
    with pytest.raises(StopTheWorldError):
        await searching(ScriptedSearch("x", [run]), spare, search=choice).search("kelp", abort=asyncio.Event())
    assert spare.script.requests == []


@pytest.mark.req("core:errors:base-exception")
def test_a_keyboard_interrupt_ends_the_program() -> None:
    async def run(_request: SearchRequest, _call: Call) -> SearchResult:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        asyncio.run(searching(ScriptedSearch("x", [run])).search("kelp"))
