"""Work that often ends without waiting, and ids (design 6)."""

import asyncio
import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webseam.core.ids import new_id, timed_id
from webseam.core.waiting import Begun


async def _at_once() -> int:
    return 7


async def _fails() -> int:
    raise LookupError("no")


async def _later() -> int:
    for _ in range(3):
        await asyncio.sleep(0)
    future: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    asyncio.get_running_loop().call_soon(future.set_result, 8)
    return await future


@pytest.mark.req("core:waiting")
async def test_work_that_does_not_wait_is_looked_after_by_nobody() -> None:
    begun = Begun(_at_once())
    assert (begun.waits, begun.value) == (False, 7)
    with pytest.raises(LookupError):
        Begun(_fails())


@pytest.mark.req("core:waiting")
async def test_work_that_waits_often_comes_to_its_end() -> None:
    begun = Begun(_later())
    assert begun.waits
    assert await begun.rest() == 8


@pytest.mark.req("core:waiting")
async def test_a_failure_of_what_it_waits_for_reaches_the_work() -> None:
    future: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    async def work() -> str:
        try:
            await future
        except LookupError:
            return await _after()
        return "nothing"

    async def _after() -> str:
        await asyncio.sleep(0)
        return "heard"

    asyncio.get_running_loop().call_soon(future.set_exception, LookupError("no"))
    assert await Begun(work()).rest() == "heard"


@pytest.mark.req("core:waiting")
async def test_a_cancellation_reaches_the_work_and_goes_on() -> None:
    told: list[str] = []
    waits = asyncio.Event()

    async def work() -> None:
        waits.set()
        try:
            await asyncio.Event().wait()
        finally:
            told.append("cleaned")

    async def looked_after() -> None:
        await Begun(work()).rest()

    task = asyncio.create_task(looked_after())
    await waits.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert told == ["cleaned"]


@pytest.mark.req("core:waiting")
def test_work_that_is_given_up_is_closed() -> None:
    told: list[str] = []

    async def work() -> None:
        try:
            await asyncio.sleep(0)
        finally:
            told.append("closed")

    given_up = Begun(work()).rest()
    given_up.send(None)
    given_up.close()
    assert told == ["closed"]


@pytest.mark.req("core:ids")
def test_ids_are_unlike_one_another() -> None:
    made = {new_id(8) for _ in range(10_000)}
    assert (len(made), {len(one) for one in made}) == (10_000, {16})
    assert len(new_id(16)) == 32
    assert int(new_id(16), 16) >= 0


@pytest.mark.req("core:ids")
@given(st.lists(st.floats(0, 250_000_000_000), min_size=2), st.floats(-1e12, 1e12))
def test_ids_of_entries_sort_by_their_time_and_are_as_long_at_any(times: list[float], odd: float) -> None:
    made = [timed_id(at) for at in sorted(times)]
    assert [one[:12] for one in made] == sorted(one[:12] for one in made)
    assert {len(one) for one in (*made, timed_id(odd))} == {24}
    assert len({timed_id(odd) for _ in range(100)}) == 100


@pytest.mark.req("core:ids")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_process_goes_on_with_other_ids() -> None:
    forks = (
        "import os\nfrom webseam.core.ids import new_id, timed_id\nnew_id(16)\nchild = os.fork()\n"
        "if child:\n    os.waitpid(child, 0)\nos.write(1, new_id(16).encode() + b'\\n')\n"
    )
    ran = subprocess.run([sys.executable, "-c", forks], capture_output=True, text=True, check=True)  # noqa: S603 - ours
    assert len(set(ran.stdout.split())) == 2
