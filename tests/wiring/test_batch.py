"""The engine of batches: bounds in all and for each host, order within a host, nothing left running."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webseam.wiring.batch import Ended, HostLine, Pace, run_batch

urls = st.lists(
    st.builds(
        lambda host, n: f"https://{host}.test/{n}" if host else f"no url {n}",
        st.sampled_from(("a", "b", "c", "")),
        st.integers(0, 9),
    ),
    max_size=40,
)


@pytest.mark.req("cli2:batch:pace")
@given(inputs=urls, per_host=st.integers(1, 4), order=st.randoms())
def test_every_input_is_taken_once_in_its_hosts_order_and_within_the_bound(
    inputs: list[str], per_host: int, order: Random
) -> None:
    line = HostLine(inputs, per_host=per_host, host=lambda one: one.split("/")[2] if "//" in one else None)
    out: list[str] = []
    taken: list[str] = []
    while True:
        one = line.take()
        if one is not None:
            out.append(one)
            taken.append(one)
            most = Counter(each.split("/")[2] for each in out if "//" in each)
            assert all(count <= per_host for count in most.values())
        if not out:
            break
        if one is None or order.random() < 0.5:
            line.done(out.pop(order.randrange(len(out))))
    assert sorted(taken) == sorted(inputs)
    for host in "abc":
        assert [one for one in taken if f"//{host}." in one] == [one for one in inputs if f"//{host}." in one]


@pytest.mark.req("cli2:batch:pace")
async def test_a_slow_host_holds_up_nobody_else() -> None:
    release = asyncio.Event()
    over: list[str] = []
    running: set[str] = set()

    async def work(one: str) -> str:
        running.add(one)
        if "slow" in one:
            await release.wait()
        running.discard(one)
        return one

    def ended(one: Ended[str, str]) -> None:
        over.append(one.input)
        slow = sum("slow" in each for each in running)
        assert slow <= 2
        if sum("fast" in each for each in over) == 20:
            release.set()

    inputs = [*(f"https://slow.test/{n}" for n in range(10)), *(f"https://fast.test/{n}" for n in range(20))]
    await run_batch(inputs, work, ended=ended, pace=Pace(concurrency=4, per_host=2))
    assert [one for one in over[:20] if "slow" in one] == []
    assert sorted(over) == sorted(inputs)


@pytest.mark.req("cli2:batch:pace")
async def test_never_more_than_so_many_are_in_flight() -> None:
    now, most = 0, 0

    async def work(_one: str) -> None:
        nonlocal now, most
        now += 1
        most = max(most, now)
        await asyncio.sleep(0)
        now -= 1

    await run_batch(
        [f"https://h{n}.test/" for n in range(50)], work, ended=lambda _: None, pace=Pace(concurrency=3, per_host=9)
    )
    assert most == 3


async def _stops(stop: Callable[[], object], error: type[BaseException]) -> list[str]:
    left: list[str] = []

    async def work(one: str) -> str:
        try:
            if one.endswith("/0"):
                return one
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            left.append(one)
            raise
        return one

    def ended(_one: Ended[str, str]) -> None:
        stop()

    with pytest.raises(error):
        await run_batch([f"https://h{n}.test/{n}" for n in range(6)], work, ended=ended)
    return left


def _fail() -> None:
    raise OSError("disk full")


@pytest.mark.req("cli2:batch:stopped")
async def test_nothing_runs_on_when_a_line_cannot_be_written() -> None:
    assert len(await _stops(_fail, OSError)) == 5


@pytest.mark.req("cli2:batch:stopped")
async def test_nothing_runs_on_when_the_batch_is_cancelled() -> None:
    task = asyncio.ensure_future(
        _stops(lambda: task.cancel(), asyncio.CancelledError)  # noqa: PLW0108 - the task is not there yet
    )
    assert len(await task) == 5


@pytest.mark.req("cli2:batch:arriving")
async def test_inputs_without_an_end_are_asked_for_as_they_are_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webseam.wiring.batch.BATCH_AHEAD", 10)
    over: list[str] = []
    given = 0

    async def endless() -> AsyncIterator[list[str]]:
        nonlocal given
        while True:
            assert given - len(over) <= 10 + 4 + 2  # those that wait, those in flight, and the next two
            given += 2
            yield [f"https://h{given % 7}.test/{given}", f"no url {given}"]

    def ended(one: Ended[str, str]) -> None:
        over.append(one.input)
        if len(over) == 200:
            raise OSError("enough")

    with pytest.raises(OSError, match="enough"):
        await run_batch(endless(), lambda one: asyncio.sleep(0, one), ended=ended, pace=Pace(concurrency=4))
    assert len(set(over)) == 200


@pytest.mark.req("cli2:batch:busy")
async def test_a_host_that_rests_holds_up_nobody_else_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webseam.wiring.batch.BATCH_PAUSE_SECONDS", 0.05)
    over: list[str] = []
    inputs = [*(f"https://busy.test/{n}" for n in range(4)), *(f"https://free.test/{n}" for n in range(8)), "no url"]
    await run_batch(
        inputs,
        lambda one: asyncio.sleep(0, one),
        ended=lambda one: over.append(one.input),
        pace=Pace(per_host=1),
        pause=lambda one: 86_400.0 if one in ("https://busy.test/0", "no url") else None,
    )
    assert over[-3:] == [f"https://busy.test/{n}" for n in (1, 2, 3)]
    assert sorted(over) == sorted(inputs)


@pytest.mark.req("cli2:batch:pace")
async def test_no_inputs_are_no_work() -> None:
    await run_batch([], lambda one: asyncio.sleep(0, one), ended=lambda _: pytest.fail("nothing ends"))
