"""Turns over all who use one key: an exact window in the time of the state; one contract over all backends."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support.shared import Backend
from webseam.core.shared import Rate, Rates, Turn
from webseam.stores import steps
from webseam.stores.cells import CellRates, MemoryCells
from webseam.stores.server import Server
from webseam.stores.server_shared import ServerRates

HOUR = 3_600.0


def _moments(turns: list[Turn]) -> list[int]:
    return sorted(turn.moment for turn in turns if turn.moment is not None)


@pytest.mark.req("fleet:rates")
async def test_no_window_has_more_turns_than_the_rate_however_many_ask_at_once(backend: Backend) -> None:
    views, rate = [backend.rates, backend.again().rates], Rate(5, HOUR)
    turns = await asyncio.gather(*(views[at % 2].take("key", rate, 3 * HOUR + 60) for at in range(50)))

    moments = _moments(turns)
    assert len(moments) == 20
    period = int(HOUR * 1_000_000)
    assert all(later - earlier >= period for earlier, later in zip(moments, moments[5:], strict=False))
    assert moments[-1] - moments[0] < 3 * period + 60_000_000
    assert all(turn.wait > 3 * HOUR for turn in turns if turn.moment is None)
    assert (await backend.rates.take("other", rate, 0)).wait == 0


@pytest.mark.req("fleet:rates")
async def test_turns_come_in_the_order_of_asking(backend: Backend) -> None:
    turns = [await backend.rates.take("k", Rate(1, HOUR), 9 * HOUR) for _ in range(5)]
    assert [round(turn.wait / HOUR, 2) for turn in turns] == [0, 1, 2, 3, 4]


@pytest.mark.req("fleet:rates")
async def test_nobody_comes_before_somebody_who_asked_earlier(backend: Backend) -> None:
    rate = Rate(2, HOUR)
    turns = [await backend.rates.take("k", rate, 9 * HOUR) for _ in range(6)]
    for given_up in turns[2:5]:
        await backend.rates.give_back("k", given_up)
    assert (await backend.rates.take("k", rate, 9 * HOUR)).wait == pytest.approx(2 * HOUR, abs=60)


@pytest.mark.req("fleet:rates")
async def test_a_short_window_passes_by_itself(backend: Backend) -> None:
    rate = Rate(1, 0.02)
    first = await backend.rates.take("k", rate, 0)
    while (turn := await backend.rates.take("k", rate, 0)).moment is None:
        pass
    assert first.moment is not None
    assert turn.moment - first.moment >= 20_000


@pytest.mark.req("fleet:rates:pause")
async def test_an_unused_turn_is_another_s(backend: Backend) -> None:
    rate = Rate(1, HOUR)
    turn = await backend.rates.take("k", rate, 0)
    late = await backend.rates.take("k", rate, 60)
    assert (late.moment, turn.moment is None) == (None, False)
    await backend.again().rates.give_back("k", late)
    await backend.again().rates.give_back("k", turn)
    await backend.again().rates.give_back("k", turn)

    assert (await backend.rates.take("k", rate, 0)).moment is not None
    assert (await backend.rates.take("k", rate, 0)).moment is None


@pytest.mark.req("fleet:rates:pause")
async def test_a_pause_holds_for_all_and_the_longest_counts(backend: Backend) -> None:
    other = backend.again().rates
    assert await other.paused("k") == 0
    await backend.rates.pause("k", 2 * HOUR)
    await backend.rates.pause("k", HOUR)

    assert await other.paused("k") == pytest.approx(2 * HOUR, abs=60)
    assert (await other.take("k", Rate(9, 1), HOUR)).moment is None
    assert (await other.take("k", Rate(9, 1), 3 * HOUR)).wait == pytest.approx(2 * HOUR, abs=60)


_ACTIONS = st.one_of(
    st.tuples(st.just("take"), st.integers(1, 4), st.integers(0, 6)),
    st.tuples(st.just("pause"), st.integers(1, 5), st.just(0)),
    st.tuples(st.just("back"), st.integers(0, 9), st.just(0)),
)


@pytest.mark.req("fleet:rates", "fleet:rates:pause")
@given(st.lists(_ACTIONS, max_size=14))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_the_server_does_what_the_pure_steps_do(
    opened: Callable[..., Server], actions: list[tuple[str, int, int]]
) -> None:
    server = opened()
    for kind in ("rate", "pause"):
        await server.run("redis.call('DEL', KEYS[1])", [server.key(kind, "k")])
    pair: tuple[Rates, Rates] = (ServerRates(server), CellRates(MemoryCells()))
    taken: list[tuple[Turn, Turn]] = []
    for what, one, two in actions:
        if what == "take":
            theirs, ours = [await rates.take("k", Rate(one, 100 * HOUR), two * 60 * HOUR) for rates in pair]
            assert theirs.wait == pytest.approx(ours.wait, abs=60)
            assert (theirs.moment is None) == (ours.moment is None)
            taken.append((theirs, ours))
        elif what == "pause":
            for rates in pair:
                await rates.pause("k", one * 70 * HOUR)
        elif taken:
            turns = taken.pop(one % len(taken))
            for rates, turn in zip(pair, turns, strict=True):
                await rates.give_back("k", turn)
    await server.aclose()


@pytest.mark.req("fleet:rates")
@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 40), st.booleans()), max_size=40), st.integers(1, 4))
@settings(max_examples=200, deadline=None)
def test_no_order_of_taking_and_giving_back_lets_too_many_through(
    actions: list[tuple[int, int, bool]], calls: int
) -> None:
    rate, now, used = Rate(calls, 10e-6), 1_000, list[int]()
    state: Any = None
    for wait, patience, returned in actions:
        now += wait
        done = steps.take(state, now, rate=rate, patience=patience)
        state, moment = done.state, done.answer.moment
        if moment is not None and returned:
            state = steps.give_back(state, now, moment=moment).state
        elif moment is not None:
            used.append(moment)
    assert used == sorted(used)
    assert all(later - earlier >= 10 for earlier, later in zip(used, used[calls:], strict=False))


@pytest.mark.req("fleet:rates")
async def test_a_clock_that_is_put_back_holds_nobody_up_and_lets_nobody_through_early() -> None:
    wall = 1_800_000_000.0
    rates = CellRates(MemoryCells(now=lambda: wall))
    await rates.take("k", Rate(1, 10), 0)
    wall -= 3_600
    assert (await rates.take("k", Rate(1, 10), 0)).wait == pytest.approx(10)
    wall += 10
    assert (await rates.take("k", Rate(1, 10), 0)).moment is not None


@pytest.mark.req("fleet:rates")
async def test_the_server_s_clock_put_back_moves_what_it_has_seen(opened: Callable[..., Server]) -> None:
    server = opened()
    rates = ServerRates(server)
    await rates.take("k", Rate(1, 60), 0)
    await rates.pause("k", 30)
    shift = """
    local ahead = 3600 * 1000000
    local moment = redis.call('LINDEX', KEYS[1], 0)
    redis.call('LSET', KEYS[1], 0, string.format('%.0f', moment + ahead))
    for _, name in ipairs({'paused', 'seen'}) do
      redis.call('HSET', KEYS[2], name, string.format('%.0f', redis.call('HGET', KEYS[2], name) + ahead))
    end
    return 1
    """
    assert await server.run(shift, [server.key("rate", "k"), server.key("pause", "k")]) == 1

    assert (await rates.take("k", Rate(1, 60), 0)).wait == pytest.approx(60, abs=20)
    assert await rates.paused("k") == pytest.approx(30, abs=20)


@pytest.mark.req("fleet:rates")
async def test_nothing_stays_on_the_server_when_its_window_is_over(opened: Callable[..., Server]) -> None:
    server = opened()
    await ServerRates(server).take("k", Rate(1, 0.001), 0)
    names = [server.key(kind, "k") for kind in ("rate", "pause")]
    exists = partial(server.run, "return redis.call('EXISTS', KEYS[1], KEYS[2])", names)
    while await exists():
        pass
    assert (await ServerRates(server).take("k", Rate(1, 1), 0)).wait == 0
