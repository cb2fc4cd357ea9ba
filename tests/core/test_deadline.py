"""Deadlines are points in time; `Bounded` ends work on time, on abort, or on cancellation (design 6, dsh-29)."""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from math import inf
from typing import Any, TypeAlias

import pytest

from support.core import settle
from webseam.core.call import NEVER, Call, Dispatch
from webseam.core.deadline import Bounded, Deadline
from webseam.core.errors import Code, WebError
from webseam.testing import ManualClock

SHORT = 0.02


async def as_block(scope: Bounded, block: Callable[[], Coroutine[Any, Any, object]]) -> None:
    async with scope:
        await block()


async def as_work(scope: Bounded, block: Callable[[], Coroutine[Any, Any, object]]) -> None:
    await scope.of(block())


Within: TypeAlias = Callable[[Bounded, Callable[[], Coroutine[Any, Any, object]]], Coroutine[Any, Any, None]]


@pytest.fixture(params=[as_block, as_work])
def within(request: pytest.FixtureRequest) -> Within:
    """Either way to bound something."""
    way: Within = request.param
    return way


async def forever() -> None:
    await asyncio.Event().wait()


@pytest.mark.req("core:deadline:point")
def test_a_deadline_is_a_point_that_comes_nearer() -> None:
    clock = ManualClock(10.0)
    deadline = Deadline.after(5.0, clock=clock)
    assert (deadline.at, deadline.remaining, deadline.expired) == (15.0, 5.0, False)
    clock.advance(4.0)
    assert (deadline.remaining, deadline.expired) == (1.0, False)
    clock.advance(1.0)
    assert (deadline.remaining, deadline.expired) == (0.0, True)
    clock.advance(9.0)
    assert (deadline.remaining, deadline.expired) == (0.0, True)


@pytest.mark.req("core:deadline:point")
def test_a_part_may_only_be_sooner() -> None:
    clock = ManualClock()
    deadline = Deadline.after(5.0, clock=clock)
    assert deadline.sooner(2.0).at == 2.0
    assert deadline.sooner(9.0).at == 5.0
    assert Deadline(inf, clock).sooner(3.0).at == 3.0
    assert (NEVER.expired, NEVER.remaining) == (False, inf)


@pytest.mark.req("core:deadline:bounded")
async def test_a_block_that_ends_in_time_is_left_alone(within: Within) -> None:
    for deadline in (Deadline.after(30), NEVER):
        scope = Bounded(deadline, asyncio.Event())
        await within(scope, lambda: asyncio.sleep(0))
        assert not scope.fired


@pytest.mark.req("core:deadline:bounded")
async def test_an_error_of_the_block_passes_while_no_signal_fired(within: Within) -> None:
    async def own() -> None:
        raise OSError("own")

    with pytest.raises(OSError, match="own"):
        await within(Bounded(Deadline.after(30), asyncio.Event()), own)


@pytest.mark.req("core:cancel:through")
@pytest.mark.parametrize("waits", [False, True])
@pytest.mark.parametrize("ends", [None, OSError("own")])
async def test_a_cancellation_that_the_blocks_own_first_step_brings_about_is_one_from_outside(
    within: Within, ends: OSError | None, *, waits: bool
) -> None:
    went_on: list[str] = []

    async def block() -> None:
        task = asyncio.current_task()
        assert task is not None
        task.cancel()  # as an observer does who has seen enough
        if waits:
            await forever()
        if ends is not None:
            raise ends

    async def run() -> None:
        await within(Bounded(Deadline.after(30), asyncio.Event()), block)
        went_on.append("as if nothing had been")

    with pytest.raises(asyncio.CancelledError):
        await asyncio.ensure_future(run())
    assert went_on == []


@pytest.mark.req("core:deadline:bounded")
@pytest.mark.parametrize("by_abort", [False, True])
async def test_a_signal_replaces_whatever_the_block_makes_of_it(within: Within, *, by_abort: bool) -> None:
    abort = asyncio.Event()
    if by_abort:
        asyncio.get_running_loop().call_soon(abort.set)
    scope = Bounded(NEVER if by_abort else Deadline.after(SHORT), abort)

    async def mapping() -> None:
        try:
            await forever()
        except asyncio.CancelledError:
            raise OSError("mapped") from None

    with pytest.raises(TimeoutError) as caught:
        await within(scope, mapping)
    assert isinstance(caught.value.__cause__, OSError)
    assert scope.fired
    assert abort.is_set() is by_abort


@pytest.mark.req("core:deadline:again")
@pytest.mark.parametrize("by_abort", [False, True])
async def test_a_block_that_goes_on_after_its_cancellation_is_cancelled_again(
    monkeypatch: pytest.MonkeyPatch, within: Within, *, by_abort: bool
) -> None:
    monkeypatch.setattr("webseam.core.deadline.CANCEL_AGAIN_SECONDS", SHORT)
    abort = asyncio.Event()
    if by_abort:
        abort.set()
    scope = Bounded(NEVER if by_abort else Deadline.after(SHORT), abort)

    async def swallowing() -> None:
        for _ in range(3):
            with suppress(asyncio.CancelledError):
                await forever()
        await forever()

    task = asyncio.ensure_future(within(scope, swallowing))
    await asyncio.wait((task,), timeout=30)
    assert task.done()
    assert isinstance(task.exception(), TimeoutError)
    assert (scope.fired, task.cancelling()) == (True, 0)


@pytest.mark.req("core:deadline:bounded")
async def test_an_error_after_the_deadline_is_the_deadline(within: Within) -> None:
    clock = ManualClock()

    async def late() -> None:
        clock.advance(5.0)
        raise OSError("too late to matter")

    with pytest.raises(TimeoutError):
        await within(Bounded(Deadline.after(5.0, clock=clock)), late)


class StopTheWorldError(BaseException):
    """Something that is no Exception, as KeyboardInterrupt and SystemExit are."""


@pytest.mark.req("core:errors:base-exception")
@pytest.mark.parametrize("cancelled_too", [False, True])
async def test_no_signal_replaces_what_is_no_exception(within: Within, *, cancelled_too: bool) -> None:
    clock = ManualClock()

    async def stop() -> None:
        clock.advance(5.0)
        if cancelled_too:
            task = asyncio.current_task()
            assert task is not None
            task.cancel()
        raise StopTheWorldError

    async def run() -> None:
        await within(Bounded(Deadline.after(5.0, clock=clock)), stop)

    with pytest.raises(StopTheWorldError):
        await asyncio.ensure_future(run())


@pytest.mark.req("core:deadline:bounded")
async def test_inner_and_outer_bounds_do_not_mistake_each_other(within: Within) -> None:
    inner, outer = Bounded(Deadline.after(30)), Bounded(Deadline.after(SHORT))
    with pytest.raises(TimeoutError):
        await within(outer, lambda: within(inner, forever))
    assert (inner.fired, outer.fired) == (False, True)
    inner, outer = Bounded(Deadline.after(SHORT)), Bounded(Deadline.after(30))
    async with outer:
        with pytest.raises(TimeoutError):
            await within(inner, forever)
    assert (inner.fired, outer.fired) == (True, False)


@pytest.mark.req("core:deadline:bounded")
async def test_abort_and_deadline_together_end_it_once(within: Within) -> None:
    abort = asyncio.Event()
    before = asyncio.all_tasks()
    asyncio.get_running_loop().call_soon(abort.set)
    with pytest.raises(TimeoutError):
        await within(Bounded(Deadline.after(0), abort), forever)
    await settle()
    assert asyncio.all_tasks() == before
    task = asyncio.current_task()
    assert task is not None
    assert task.cancelling() == 0


@pytest.mark.req("core:call:check")
def test_a_call_says_why_it_is_over_the_abort_first() -> None:
    abort = asyncio.Event()
    clock = ManualClock()
    call = Call(deadline=Deadline.after(1.0, clock=clock), abort=abort, dispatch=Dispatch(sent=True))
    call.check("fetch")
    clock.advance(1.0)
    with pytest.raises(WebError) as late:
        call.check("fetch")
    assert (late.value.code, late.value.dispatched) == (Code.FETCH_TIMEOUT, True)
    abort.set()
    with pytest.raises(WebError) as stopped:
        call.check("fetch")
    assert (stopped.value.code, stopped.value.dispatched) == (Code.ABORTED, True)


@pytest.mark.req("core:dispatch:above")
def test_a_mark_reaches_the_call_above_and_not_the_one_beside() -> None:
    call = Call()
    one, other = call.attempt(), call.attempt()
    one.attempt().dispatch.mark()
    assert (one.dispatch.sent, call.dispatch.sent, other.dispatch.sent) == (True, True, False)
