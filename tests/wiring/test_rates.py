"""Turns within a rate: exact windows, the order of arrival, and nobody waits longer than promised."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.core import settle
from support.pools import in_jumping_time, loop_time
from webseam.core.shared import Rate
from webseam.testing import ManualClock
from webseam.wiring.rates import Turns, parse_rate


@dataclass(frozen=True, slots=True)
class Arrival:
    """Somebody who comes `after` the one before, and may be cancelled after waiting for `cancelled` seconds."""

    after: int
    patience: int
    cancelled: int | None = None


@dataclass(frozen=True, slots=True)
class Stay:
    """What came of an arrival; `given` None: refused, or cancelled."""

    came: float
    left: float
    given: float | None
    cancelled: bool


async def _visit(turns: Turns, arrival: Arrival) -> Stay:
    came = loop_time()
    task = asyncio.ensure_future(turns.take(arrival.patience))
    if arrival.cancelled is not None:
        asyncio.get_running_loop().call_later(arrival.cancelled, task.cancel)
    await asyncio.wait([task])
    cancelled = task.cancelled()
    return Stay(came, loop_time(), None if cancelled else task.result(), cancelled)


async def _stays(rate: Rate, arrivals: Sequence[Arrival], pauses: Sequence[tuple[int, int]] = ()) -> list[Stay]:
    turns = Turns(rate, loop_time)
    for moment, seconds in pauses:
        asyncio.get_running_loop().call_later(moment, turns.pause, seconds)
    visits = []
    for arrival in arrivals:
        await asyncio.sleep(arrival.after)
        visits.append(asyncio.create_task(_visit(turns, arrival)))
    return [await visit for visit in visits]


RATES = st.builds(Rate, st.integers(1, 4), st.sampled_from([1.0, 3.0, 8.0]))
PATIENT = st.builds(Arrival, st.integers(0, 3), st.integers(0, 12))
FICKLE = st.builds(Arrival, st.integers(0, 3), st.integers(0, 12), st.none() | st.integers(0, 6))
PAUSES = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 8)), max_size=2)


@pytest.mark.req("wiring:rate:window")
@settings(deadline=None)
@given(rate=RATES, arrivals=st.lists(FICKLE, max_size=14), pauses=PAUSES)
def test_no_window_of_the_period_holds_more_calls_than_the_rate(
    rate: Rate, arrivals: list[Arrival], pauses: list[tuple[int, int]]
) -> None:
    stays = in_jumping_time(_stays(rate, arrivals, pauses))
    given_at = sorted(stay.given for stay in stays if stay.given is not None)
    assert all(later - first >= rate.seconds for first, later in zip(given_at, given_at[rate.calls :], strict=False))


@pytest.mark.req("wiring:rate:fifo")
@settings(deadline=None)
@given(rate=RATES, arrivals=st.lists(FICKLE, max_size=14), pauses=PAUSES)
def test_turns_come_in_the_order_of_arrival_and_nobody_waits_longer_than_promised(
    rate: Rate, arrivals: list[Arrival], pauses: list[tuple[int, int]]
) -> None:
    stays = in_jumping_time(_stays(rate, arrivals, pauses))
    given_at = [stay.given for stay in stays if stay.given is not None]
    assert given_at == sorted(given_at)
    for stay, arrival in zip(stays, arrivals, strict=True):
        assert stay.left - stay.came <= arrival.patience
        assert stay.given is None or stay.given == stay.left


@pytest.mark.req("wiring:rate:fifo")
@settings(deadline=None)
@given(rate=RATES, arrivals=st.lists(PATIENT, max_size=14))
def test_each_turn_comes_as_soon_as_the_window_allows_and_a_refusal_comes_at_once(
    rate: Rate, arrivals: list[Arrival]
) -> None:
    given_at: list[float] = []
    expected: list[float | None] = []
    now = 0.0
    for arrival in arrivals:
        now += arrival.after
        soonest = max([now, *given_at[-1:]])
        if len(given_at) >= rate.calls:
            soonest = max(soonest, given_at[-rate.calls] + rate.seconds)
        fits = soonest <= now + arrival.patience
        expected.append(soonest if fits else None)
        given_at += [soonest] if fits else []

    stays = in_jumping_time(_stays(rate, arrivals))

    assert [stay.given for stay in stays] == expected
    assert all(stay.left == stay.came for stay in stays if stay.given is None)


@pytest.mark.req("wiring:rate:cancelled")
def test_a_cancelled_waiter_gives_its_place_to_the_next() -> None:
    arrivals = [Arrival(0, 0), Arrival(0, 10, cancelled=1), Arrival(0, 20)]
    first, second, third = in_jumping_time(_stays(Rate(1, 8.0), arrivals))
    assert (first.given, second.cancelled, second.left, third.given) == (0.0, True, 1.0, 8.0)


@pytest.mark.req("wiring:rate:cancelled")
async def test_a_caller_cancelled_in_the_moment_of_its_turn_gives_it_back() -> None:
    clock = ManualClock()
    turns = Turns(Rate(1, 60.0), clock)
    await turns.take(0)
    late, next_one = (asyncio.ensure_future(turns.take(200)) for _ in range(2))
    await settle()
    clock.advance(60)
    turns.pause(0)  # looks at the queue anew: the turn is given, and its owner has not run yet
    late.cancel()
    await settle()
    assert (late.cancelled(), next_one.result()) == (True, 60.0)


@pytest.mark.req("wiring:rate:pause")
def test_a_pause_holds_every_turn_and_tells_at_once_whom_it_makes_wait_too_long() -> None:
    arrivals = [Arrival(0, 0), Arrival(0, 2), Arrival(0, 20)]
    stays = in_jumping_time(_stays(Rate(1, 2.0), arrivals, [(1, 9)]))
    assert [(stay.given, stay.left) for stay in stays] == [(0.0, 0.0), (None, 1.0), (10.0, 10.0)]


@pytest.mark.req("wiring:rate:cancelled")
async def test_a_turn_that_was_not_used_is_there_for_the_next() -> None:
    turns = Turns(Rate(2, 60.0), ManualClock(5.0))
    assert (await turns.take(0), await turns.take(0), await turns.take(0)) == (5.0, 5.0, None)
    turns.give_back(5.0)
    assert (turns.wait(), await turns.take(0), turns.wait()) == (0.0, 5.0, 60.0)


@pytest.mark.req("wiring:rate:form")
@pytest.mark.parametrize(
    ("text", "calls", "seconds"),
    [("1/s", 1, 1.0), ("60/min", 60, 60.0), ("900/hour", 900, 3600.0), ("100000/day", 100_000, 86_400.0)],
)
def test_a_rate_is_read_as_it_is_written(text: str, calls: int, seconds: float) -> None:
    assert parse_rate(text) == Rate(calls, seconds)
    assert str(Rate(calls, seconds)) == text


@pytest.mark.req("wiring:rate:form")
@pytest.mark.parametrize("text", ["", "60", "0/s", "-1/s", "1.5/s", "60/m", "60 / min", "100001/s", "٦/s", "60/min/2"])
def test_what_is_no_rate_is_none(text: str) -> None:
    assert parse_rate(text) is None
