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


class _Waiting:
    """Work that waits so many times, at last for `last`, when it is `there`; `told` is what became of it."""

    def __init__(self) -> None:
        self.last: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.there = asyncio.Event()
        self.told: list[str] = []

    async def run(self, waits: int) -> str:
        try:
            for _ in range(waits - 1):
                await asyncio.sleep(0)
            self.there.set()
            await self.last
        except LookupError:
            return "heard"
        finally:
            self.told.append("cleaned")
        return "unheard"

    async def looked_after(self, waits: int) -> str:
        return await Begun(self.run(waits)).rest()


@pytest.mark.req("core:waiting")
@pytest.mark.parametrize("waits", [1, 2, 3])
async def test_a_failure_of_what_it_waits_for_reaches_the_work(waits: int) -> None:
    work = _Waiting()
    task = asyncio.create_task(work.looked_after(waits))
    await work.there.wait()
    work.last.set_exception(LookupError("no"))
    assert await task == "heard"


@pytest.mark.req("core:waiting")
@pytest.mark.parametrize("waits", [1, 2, 3])
async def test_a_cancellation_reaches_the_work_and_goes_on(waits: int) -> None:
    work = _Waiting()
    task = asyncio.create_task(work.looked_after(waits))
    await work.there.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert work.told == ["cleaned"]


@pytest.mark.req("core:waiting")
@pytest.mark.parametrize("times", [1, 2, 3])
async def test_work_that_heeds_no_cancellation_goes_on_to_its_end(times: int) -> None:
    async def work() -> int:
        heard = 0
        while heard < times:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                heard += 1
        await asyncio.sleep(0)
        return heard

    async def looked_after() -> int:
        return await Begun(work()).rest()

    task = asyncio.create_task(looked_after())
    while not task.done():
        await asyncio.sleep(0)
        if task.cancelling() < times:
            task.cancel()
    assert await task == times


@pytest.mark.req("core:waiting")
@pytest.mark.parametrize("waits", [1, 2])
def test_work_that_is_given_up_is_closed(waits: int) -> None:
    told: list[str] = []

    async def work() -> None:
        try:
            for _ in range(3):
                await asyncio.sleep(0)
        finally:
            told.append("closed")

    given_up = Begun(work()).rest()
    for _ in range(waits):
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
