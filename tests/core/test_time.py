"""One deadline, one abort signal, and cancellation that passes through: design 6, dsh-28 to dsh-30, enso-16."""

import asyncio
from collections.abc import Callable
from math import inf, nan

import pytest

from support.core import DISPATCHED, bare, extract, failing, hits, page, refused, searching, settle, told
from webseam.core.call import Call
from webseam.core.deadline import Deadline
from webseam.core.errors import Code, WebError
from webseam.core.selection import FanOut
from webseam.core.settings import SeamSettings
from webseam.core.types import SearchRequest, SearchResult
from webseam.core.web import Web
from webseam.testing import STALLED, ManualClock, ScriptedExtract, ScriptedFetch, ScriptedSearch

SHORT = 0.02
"""Seconds of a deadline that a test waits out; nothing is asserted about the time it really takes."""


def taking(clock: ManualClock, seconds: float, end: SearchResult | Exception) -> Callable[..., object]:
    """A vendor that takes `seconds` of the manual clock, then answers or fails."""

    async def run(_request: SearchRequest, call: Call) -> SearchResult:
        call.dispatch.mark()
        clock.advance(seconds)
        if isinstance(end, Exception):
            raise end
        return end

    return run


def timed(clock: ManualClock, *steps: tuple[float, SearchResult | Exception], seconds: float = 60.0) -> Web:
    keys = ["x", "y", "z"][: len(steps)]
    web = Web(search=keys, clock=clock, settings=SeamSettings(search_seconds=seconds))
    for key, (takes, end) in zip(keys, steps, strict=True):
        web.register_search(ScriptedSearch(key, [taking(clock, takes, end)]))  # type: ignore[list-item]
    return web


@pytest.mark.req("core:deadline:route")
async def test_a_fast_failure_leaves_the_rest_of_the_time_to_the_next_member() -> None:
    clock, left = ManualClock(100.0), []

    async def look(_request: SearchRequest, call: Call) -> SearchResult:
        left.append(call.deadline.remaining)
        return hits()

    web = Web(search=["x", "y"], clock=clock)
    web.register_search(ScriptedSearch("x", [taking(clock, 1.0, failing())]))  # type: ignore[list-item]
    web.register_search(ScriptedSearch("y", [look]))
    result = await web.search("kelp")
    assert left == [59.0]
    assert [one.elapsed for one in result.attempts] == [1.0, 0.0]


@pytest.mark.req("core:deadline:route")
async def test_a_spent_budget_ends_the_route_before_the_next_attempt_starts() -> None:
    clock = ManualClock()
    web = timed(clock, (60.0, failing()), (0.0, hits()))
    error = await refused(web.search("kelp"))
    assert (error.code, error.dispatched) == (Code.SEARCH_TIMEOUT, True)
    assert [one.provider for one in error.attempts] == ["x"]


@pytest.mark.req("core:deadline:route")
async def test_a_budget_that_ran_out_with_an_ungrounded_answer_in_hand_keeps_the_answer() -> None:
    result = await timed(ManualClock(), (60.0, bare("Kept.")), (0.0, hits())).search("kelp")
    assert (result.provider, result.grounding, result.content) == ("x", "ungrounded", "Kept.")
    assert told(result.attempts) == [("x", "ungrounded", None, True), ("y", "skipped", Code.SEARCH_TIMEOUT, False)]


@pytest.mark.req("core:deadline:route")
async def test_an_answer_that_came_on_the_last_second_stands() -> None:
    assert (await timed(ManualClock(), (59.0, failing()), (1.0, hits())).search("kelp")).provider == "y"


@pytest.mark.req("core:deadline:stalled")
async def test_a_stalled_primary_leaves_nothing_to_the_next_member() -> None:
    stalled, spare = ScriptedSearch("x", [STALLED]), ScriptedSearch("y", [hits()])
    error = await refused(searching(stalled, spare, search=["x", "y"]).search("kelp", timeout=SHORT))
    assert (error.code, error.dispatched, error.retryable) == (Code.SEARCH_TIMEOUT, True, True)
    assert "search.timeout" in error.message
    assert told(error.attempts) == [("x", "failed", Code.SEARCH_TIMEOUT, True)]
    assert (stalled.script.cancelled, spare.script.requests) == (1, [])


@pytest.mark.req("core:deadline:stalled")
async def test_each_capability_has_its_own_timeout_code_and_setting() -> None:
    web = Web()
    web.register_fetch(ScriptedFetch("f", [STALLED]))
    web.register_extract(ScriptedExtract("e", [STALLED]))
    fetch = await refused(web.fetch("https://a.test/", timeout=SHORT))
    extraction = await refused(web.extract("https://a.test/", timeout=SHORT))
    assert (fetch.code, extraction.code) == (Code.FETCH_TIMEOUT, Code.EXTRACT_TIMEOUT)
    assert "fetch.timeout" in fetch.message
    assert "extract.timeout" in extraction.message


@pytest.mark.req("core:deadline:call-wins")
async def test_a_deadline_in_the_call_wins_over_a_timeout() -> None:
    clock, seen = ManualClock(), []

    async def look(_request: SearchRequest, call: Call) -> SearchResult:
        seen.append(call.deadline)
        return hits()

    web = searching(ScriptedSearch("x", [look]), clock=clock, settings=SeamSettings(search_seconds=7.0))
    mine = Deadline.after(5.0, clock=clock)
    await web.search("kelp", call=Call(deadline=mine), timeout=99.0)
    await web.search("kelp", call=Call(), timeout=9.0)
    await web.search("kelp", call=Call())
    await web.search("kelp")
    assert [one.at for one in seen] == [5.0, 9.0, 7.0, 7.0]
    assert seen[0] is mine


@pytest.mark.req("core:arguments:timeout")
@pytest.mark.parametrize("timeout", [0, -1, -0.0, nan, inf, -inf])
async def test_a_timeout_that_is_no_positive_finite_number_is_refused(timeout: float) -> None:
    one = ScriptedSearch("x", [hits()])
    web = searching(one)
    web.register_fetch(ScriptedFetch("f", [page()]))
    web.register_extract(ScriptedExtract("e", [extract()]))
    for work in (
        web.search("kelp", timeout=timeout),
        web.fetch("https://a.test/", timeout=timeout),
        web.extract("https://a.test/", timeout=timeout),
    ):
        error = await refused(work)
        assert (error.code, "timeout is" in error.message) == (Code.INVALID_ARGS, True)
    assert one.script.requests == []


@pytest.mark.req("core:deadline:spent")
async def test_a_call_whose_deadline_is_spent_starts_nothing() -> None:
    one = ScriptedSearch("x", [hits()])
    error = await refused(searching(one).search("kelp", call=Call(deadline=Deadline.after(0))))
    assert (error.code, error.dispatched, one.script.requests) == (Code.SEARCH_TIMEOUT, False, [])


@pytest.mark.req("core:signals:inner-timeout")
@pytest.mark.parametrize("own", [TimeoutError("inner"), failing(Code.SEARCH_TIMEOUT)], ids=["foreign", "coded"])
async def test_a_timeout_of_the_providers_own_is_no_deadline_while_time_is_left(own: Exception) -> None:
    web = searching(ScriptedSearch("x", [own]), ScriptedSearch("y", [hits()]), search=["x", "y"])
    result = await web.search("kelp")
    assert result.provider == "y"
    expected = own.code if isinstance(own, WebError) else Code.PROVIDER_ERROR
    assert result.attempts[0].code == expected


def mapping_cancellation(error: Exception) -> Callable[..., object]:
    """A vendor client that turns the cancellation of its wait into an error of its own."""

    async def run(_request: SearchRequest, call: Call) -> SearchResult:
        call.dispatch.mark()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            raise error from None
        return hits()

    return run


MAPPED = [OSError("reset"), TimeoutError(), failing(Code.PROVIDER_ERROR), failing(Code.ABORTED), ValueError("wrapped")]


@pytest.mark.req("core:signals:told-by-signal")
@pytest.mark.parametrize("mapped", MAPPED, ids=repr)
async def test_which_signal_fired_is_told_from_the_signal_whatever_a_provider_makes_of_it(mapped: Exception) -> None:
    web = searching(ScriptedSearch("x", [mapping_cancellation(mapped)]))  # type: ignore[list-item]
    late = await refused(web.search("kelp", timeout=SHORT))
    assert (late.code, late.dispatched) == (Code.SEARCH_TIMEOUT, True)
    abort = asyncio.Event()
    asyncio.get_running_loop().call_soon(abort.set)
    stopped = await refused(web.search("kelp", abort=abort))
    assert (stopped.code, stopped.dispatched) == (Code.ABORTED, True)


@pytest.mark.req("core:signals:told-by-signal")
async def test_a_dispatch_that_only_the_providers_error_told_is_not_lost_to_the_signal() -> None:
    async def run(_request: SearchRequest, _call: Call) -> SearchResult:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            raise failing(dispatched=DISPATCHED) from None
        return hits()

    error = await refused(searching(ScriptedSearch("x", [run])).search("kelp", timeout=SHORT))
    assert (error.code, error.dispatched, error.attempts[0].dispatched) == (Code.SEARCH_TIMEOUT, True, True)


@pytest.mark.req("core:signals:swallowed")
async def test_a_provider_that_swallows_the_cancellation_does_not_get_away_with_an_answer() -> None:
    async def run(_request: SearchRequest, _call: Call) -> SearchResult:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return hits("https://late.test/")
        return hits()

    spare = ScriptedSearch("y", [hits()])
    web = searching(ScriptedSearch("x", [run]), spare, search=["x", "y"])
    assert (await refused(web.search("kelp", timeout=SHORT))).code == Code.SEARCH_TIMEOUT
    assert spare.script.requests == []


@pytest.mark.req("core:abort:before")
async def test_an_abort_set_beforehand_starts_nothing_and_judges_no_url() -> None:
    abort = asyncio.Event()
    abort.set()
    one = ScriptedSearch("x", [hits()])
    assert (await refused(searching(one).search("kelp", abort=abort))).code == Code.ABORTED
    assert (await refused(searching(one, search=["x"]).search("kelp", call=Call(abort=abort)))).code == Code.ABORTED
    assert one.script.requests == []
    error = await refused(Web().fetch("no url at all", abort=abort))
    assert (error.code, error.dispatched) == (Code.ABORTED, False)


@pytest.mark.req("core:abort:during")
@pytest.mark.parametrize("dispatched", [False, True])
@pytest.mark.parametrize("choice", ["x", ["x", "y"], FanOut(("x", "z"))], ids=["one", "route", "fanout"])
async def test_an_abort_during_the_call_says_whether_the_request_had_left(choice: object, *, dispatched: bool) -> None:
    before, abort = asyncio.all_tasks(), asyncio.Event()

    async def run(_request: SearchRequest, call: Call) -> SearchResult:
        if dispatched:
            call.dispatch.mark()
        abort.set()
        await asyncio.Event().wait()
        return hits()

    spare, quick = ScriptedSearch("y", [hits()]), ScriptedSearch("z", [failing()])
    web = searching(ScriptedSearch("x", [run]), spare, quick, search=choice)
    error = await refused(web.search("kelp", abort=abort))
    assert (error.code, error.dispatched, error.exit_code) == (Code.ABORTED, dispatched, 6)
    assert spare.script.requests == []
    await settle()
    assert asyncio.all_tasks() == before


@pytest.mark.req("core:abort:between")
@pytest.mark.parametrize("first", [failing(dispatched=DISPATCHED), bare()], ids=["failed", "ungrounded"])
async def test_an_abort_between_two_members_ends_the_route_with_an_answer_in_hand_or_not(
    first: SearchResult | Exception,
) -> None:
    abort = asyncio.Event()
    second = ScriptedSearch("y", [hits()])
    web = searching(ScriptedSearch("x", [first]), second, search=["x", "y"], emit=lambda _event: None)

    def tell(event: object) -> None:
        if type(event).__name__ == "AttemptEnded":
            abort.set()

    error = await refused(web.search("kelp", call=Call(emit=tell), abort=abort))
    assert (error.code, error.dispatched, second.script.requests) == (Code.ABORTED, True, [])
    assert [(one.provider, one.outcome) for one in error.attempts][1:] == [("y", "skipped")]


@pytest.mark.req("core:abort:during")
async def test_an_unset_abort_signal_changes_nothing_and_leaves_no_task() -> None:
    before, abort = asyncio.all_tasks(), asyncio.Event()
    assert (await searching(ScriptedSearch("x", [hits()])).search("kelp", abort=abort)).provider == "x"
    await settle()
    assert asyncio.all_tasks() == before
