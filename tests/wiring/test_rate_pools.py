"""Rates from configuration to the wire: turns, pauses, bounded waits, and calls that never left."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from support.core import DISPATCHED, failing, hits, outcome, page, refused, searching, told
from support.pools import GOOD, KEYS, SetKey, in_jumping_time, keys_used, loop_time, pooled, refusal
from webseam.core.call import Call
from webseam.core.errors import Code, WebError
from webseam.core.gate import AccessRequest, Verdict
from webseam.core.plugin import Seams
from webseam.core.shared import Rate
from webseam.core.types import SearchRequest, SearchResult
from webseam.core.web import Web
from webseam.testing import STALLED, ManualClock, ScriptedFetch, ScriptedSearch
from webseam.wiring.members import Member
from webseam.wiring.pools import Pool
from webseam.wiring.rates import Turns

ONE, TWO, _ = KEYS
DAY = 86_400.0


@pytest.mark.req("wiring:rate:refused")
async def test_a_call_without_a_turn_in_time_is_refused_before_anything_leaves(tmp_path: Path) -> None:
    clock = ManualClock()
    table = f"key = '{ONE}'\nrate = '1/day'"
    async with pooled(tmp_path, table, GOOD, GOOD, seams=Seams(clock=clock)) as (web, vendor):
        await web.search("kelp")
        clock.advance(400)
        error = await refused(web.search("kelp"))
        clock.advance(DAY - 400)
        assert (await web.search("kelp")).sources
    assert (error.code, error.dispatched, error.retryable) == (Code.RATE_LIMITED, False, True)
    assert error.retry_after == DAY - 400
    assert "providers.kelp.rate" in error.message
    assert "1/day" in error.message
    assert told(error.attempts) == [("kelp", "failed", Code.RATE_LIMITED, False)]
    assert len(vendor.requests) == 2


@pytest.mark.req("wiring:rate:per-key")
async def test_each_key_has_a_rate_of_its_own_and_the_first_free_turn_is_told(tmp_path: Path) -> None:
    clock = ManualClock()
    table = f"keys = {json.dumps(KEYS[:2])}\nrate = '1/day'"
    async with pooled(tmp_path, table, GOOD, GOOD, seams=Seams(clock=clock)) as (web, vendor):
        await web.search("kelp")
        clock.advance(100)
        result = await web.search("kelp")
        error = await refused(web.search("kelp"))
    assert len(result.attempts) == 1
    assert keys_used(vendor) == [ONE, TWO]
    assert error.retry_after == DAY - 100


@pytest.mark.req("wiring:rate:per-key")
async def test_the_capabilities_of_one_provider_share_the_rate_of_its_key(tmp_path: Path) -> None:
    table = f"key = '{ONE}'\nrate = '2/day'"
    async with pooled(tmp_path, table, GOOD, GOOD, seams=Seams(clock=ManualClock())) as (web, _vendor):
        await web.search("kelp")
        await web.fetch("https://kelp.test/")
        error = await refused(web.extract("https://kelp.test/"))
    assert (error.code, error.dispatched) == (Code.RATE_LIMITED, False)


@pytest.mark.req("wiring:rate:keyless")
async def test_a_vendor_without_a_key_has_a_rate_too(tmp_path: Path) -> None:
    async with pooled(tmp_path, "rate = '1/hour'", GOOD, key="optional", seams=Seams(clock=ManualClock())) as (
        web,
        vendor,
    ):
        await web.search("kelp")
        error = await refused(web.search("kelp"))
    assert (error.retry_after, len(vendor.requests)) == (3_600.0, 1)


@pytest.mark.req("wiring:rate:pause")
async def test_a_wait_that_the_vendor_asked_for_holds_the_key_back(tmp_path: Path) -> None:
    clock = ManualClock()
    table = f"key = '{ONE}'\nrate = '60/min'"
    async with pooled(tmp_path, table, refusal(429, retry_after="30"), GOOD, seams=Seams(clock=clock)) as (web, vendor):
        first = await refused(web.search("kelp"))
        clock.advance(20)
        second = await refused(web.search("kelp"))
        clock.advance(10)
        assert (await web.search("kelp")).sources
    assert (first.dispatched, first.retry_after) == (True, 30.0)
    assert (second.dispatched, second.retry_after) == (False, 10.0)
    assert len(vendor.requests) == 2


@pytest.mark.req("wiring:keys:all-fail")
async def test_the_next_turn_of_another_key_shortens_the_wait_that_is_told(tmp_path: Path) -> None:
    clock = ManualClock()
    table = f"keys = {json.dumps(KEYS[:2])}\nrate = '1/min'"
    replies = [GOOD, refusal(429, retry_after="600")]
    async with pooled(tmp_path, table, *replies, seams=Seams(clock=clock)) as (web, vendor):
        await web.search("kelp")
        clock.advance(20)
        error = await refused(web.search("kelp"))
    assert (error.status, error.retry_after, error.dispatched) == (429, 40.0, True)
    assert told(error.attempts) == [("kelp", "failed", Code.RATE_LIMITED, True)]
    assert keys_used(vendor) == [ONE, TWO]


@pytest.mark.req("wiring:keys:all-fail")
async def test_the_turns_of_keys_that_were_refused_are_no_wait_to_tell(tmp_path: Path) -> None:
    table = f"keys = {json.dumps(KEYS[:2])}\nrate = '1/min'"
    async with pooled(tmp_path, table, refusal(401), refusal(401), seams=Seams(clock=ManualClock())) as (web, _vendor):
        error = await refused(web.search("kelp"))
    assert (error.status, error.retry_after, error.retryable) == (401, None, False)


@pytest.mark.req("wiring:rate:refused")
async def test_a_key_that_is_not_set_has_no_turn_to_offer(tmp_path: Path) -> None:
    table = "keys_env = ['ONE', 'TWO']\nrate = '1/day'"
    async with pooled(tmp_path, table, GOOD, seams=Seams(clock=ManualClock()), ONE=ONE) as (web, _vendor):
        await web.search("kelp")
        error = await refused(web.search("kelp"))
    assert (error.code, error.retry_after) == (Code.RATE_LIMITED, DAY)


# Waiting, in time that jumps ---------------------------------------------------------------------------


def pool(*scripts: Sequence[Any], rate: Rate | None, patience: float) -> tuple[Web, list[ScriptedSearch]]:
    """A `Web` over a pool of scripted keys, on the loop's own time."""
    providers = [ScriptedSearch("kelp", script) for script in scripts]
    members = [
        Member(provider=one, secret=SetKey(), turns=None if rate is None else Turns(rate, loop_time))
        for one in providers
    ]
    web = Web(clock=loop_time)
    web.register_search(Pool(members, patience=patience, clock=loop_time))
    return web, providers


async def _timed(web: Web, **options: Any) -> tuple[str, float]:
    ended = await outcome(web.search("kelp", **options))
    return (ended.code if isinstance(ended, WebError) else "ok"), loop_time()


@pytest.mark.req("wiring:rate:wait")
def test_calls_wait_for_their_turns_in_order_and_those_too_late_hear_it_at_once() -> None:
    async def run() -> list[tuple[str, float]]:
        web, _ = pool([hits("https://a.test/")], rate=Rate(2, 1.0), patience=2.0)
        return list(await asyncio.gather(*(_timed(web) for _ in range(8))))

    ok = [("ok", float(second)) for second in (0, 0, 1, 1, 2, 2)]
    assert in_jumping_time(run()) == [*ok, (Code.RATE_LIMITED, 0.0), (Code.RATE_LIMITED, 0.0)]


@pytest.mark.req("wiring:rate:wait")
def test_no_call_waits_for_a_turn_past_its_own_deadline() -> None:
    async def run() -> list[tuple[str, float]]:
        web, _ = pool([hits("https://a.test/")], rate=Rate(1, 4.0), patience=60.0)
        return [await _timed(web), await _timed(web, timeout=3.0), await _timed(web, timeout=5.0)]

    assert in_jumping_time(run()) == [("ok", 0.0), (Code.RATE_LIMITED, 0.0), ("ok", 4.0)]


@pytest.mark.req("wiring:rate:wait")
def test_the_waits_of_one_call_add_up_to_no_more_than_its_patience() -> None:
    async def run() -> tuple[tuple[float | None, float], list[int]]:
        limited = failing(Code.RATE_LIMITED, DISPATCHED)
        web, keys = pool([hits(), limited], [hits()], rate=Rate(1, 4.0), patience=3.0)
        await web.search("kelp")
        await asyncio.sleep(3)
        await web.search("kelp")
        ended = await outcome(web.search("kelp"))  # the first key's turn comes at 4, the second's at 7
        assert isinstance(ended, WebError)
        return (ended.retry_after, loop_time()), [len(one.script.requests) for one in keys]

    assert in_jumping_time(run()) == ((3.0, 4.0), [2, 1])


@pytest.mark.req("wiring:rate:cancelled")
def test_a_cancelled_call_gives_its_place_to_the_next() -> None:
    async def run() -> tuple[str, float]:
        web, _ = pool([hits()], rate=Rate(1, 4.0), patience=5.0)
        await web.search("kelp")
        first, second = (asyncio.ensure_future(_timed(web)) for _ in range(2))
        await asyncio.sleep(1)
        first.cancel()
        await asyncio.wait([first])
        assert (await second)[0] == Code.RATE_LIMITED  # behind the first its turn would have come at 8
        return await _timed(web)

    assert in_jumping_time(run()) == ("ok", 4.0)


@pytest.mark.req("wiring:rate:cancelled")
def test_a_failure_before_anything_left_costs_no_turn() -> None:
    async def run() -> list[tuple[str, float]]:
        web, _ = pool([failing(), failing(), hits()], rate=Rate(1, 4.0), patience=0.0)
        return [await _timed(web) for _ in range(4)]

    error = (Code.PROVIDER_ERROR, 0.0)
    assert in_jumping_time(run()) == [error, error, ("ok", 0.0), (Code.RATE_LIMITED, 0.0)]


@pytest.mark.req("wiring:rate:refused")
def test_a_failure_that_says_it_had_left_costs_its_turn_though_nobody_marked_it() -> None:
    async def silently(_request: SearchRequest, _call: Call) -> SearchResult:
        raise failing(dispatched=DISPATCHED)

    async def run() -> list[tuple[str, float]]:
        web, _ = pool([silently], rate=Rate(1, 4.0), patience=0.0)
        return [await _timed(web) for _ in range(2)]

    assert in_jumping_time(run()) == [(Code.PROVIDER_ERROR, 0.0), (Code.RATE_LIMITED, 0.0)]


@pytest.mark.req("wiring:keys:all-rest")
def test_a_key_that_worked_while_it_rested_rests_no_longer() -> None:
    async def run() -> list[tuple[str, float]]:
        far, near = (failing(Code.RATE_LIMITED, DISPATCHED, retry_after=wait) for wait in (8.0, 7.0))
        web, _ = pool([far, hits()], [near, hits()], rate=None, patience=5.0)
        ends = [await _timed(web), await _timed(web)]
        await asyncio.sleep(3)
        return [*ends, await _timed(web)]

    assert in_jumping_time(run()) == [(Code.RATE_LIMITED, 0.0), ("ok", 0.0), ("ok", 3.0)]


@pytest.mark.req("wiring:keys:all-rest")
def test_a_resting_key_is_waited_for_where_that_is_soon_enough() -> None:
    async def run() -> tuple[tuple[str, float], tuple[str, float], list[int]]:
        soon, later = (failing(Code.RATE_LIMITED, DISPATCHED, retry_after=wait) for wait in (3.0, 4.0))
        web, keys = pool([later, hits()], [soon, hits()], rate=None, patience=5.0)
        return await _timed(web), await _timed(web), [len(one.script.requests) for one in keys]

    assert in_jumping_time(run()) == ((Code.RATE_LIMITED, 0.0), ("ok", 3.0), [1, 2])


@pytest.mark.req("wiring:keys:signal")
def test_cancelling_the_task_passes_through_a_pool_and_asks_no_further_key() -> None:
    async def run() -> list[int]:
        web, keys = pool([STALLED], [hits()], rate=Rate(1, 4.0), patience=5.0)
        work = asyncio.ensure_future(web.search("kelp"))
        await asyncio.sleep(1)
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work
        return [len(one.script.requests) for one in keys]

    assert in_jumping_time(run()) == [1, 0]


@pytest.mark.req("wiring:keys:signal")
def test_a_fault_in_a_later_key_still_tells_the_tries_before_it() -> None:
    async def run() -> WebError | SearchResult:
        web, _ = pool([failing(status=401, dispatched=DISPATCHED)], [KeyError("rows")], rate=None, patience=0.0)
        return await outcome(web.search("kelp"))

    error = in_jumping_time(run())
    assert isinstance(error, WebError)
    assert isinstance(error.__cause__, KeyError)
    assert told(error.attempts) == [("kelp", "failed", Code.PROVIDER_ERROR, True)] * 2


@pytest.mark.req("wiring:keys:signal")
async def test_a_deadline_that_is_spent_asks_no_further_key() -> None:
    clock = ManualClock()

    async def slow(_request: SearchRequest, _call: Call) -> SearchResult:
        clock.advance(60)
        raise failing(Code.RATE_LIMITED, DISPATCHED)

    spare = ScriptedSearch("kelp", [hits()])
    members = [Member(provider=one, secret=SetKey()) for one in (ScriptedSearch("kelp", [slow]), spare)]
    web = searching(Pool(members, patience=5.0, clock=clock), clock=clock)
    error = await refused(web.search("kelp", timeout=60.0))
    assert told(error.attempts) == [("kelp", "failed", Code.SEARCH_TIMEOUT, True)]
    assert spare.script.requests == []


@pytest.mark.req("wiring:keys:provider")
@pytest.mark.parametrize("asks_gate", [True, False])
async def test_a_pooled_fetcher_asks_the_gate_itself_when_its_provider_does(*, asks_gate: bool) -> None:
    asked: list[str] = []

    async def gate(request: AccessRequest) -> Verdict:
        asked.append(request.target)
        return Verdict(allowed=True)

    fetcher = ScriptedFetch("http", [page()], asks_gate=asks_gate)
    web = Web(gate=gate)
    web.register_fetch(Pool([Member(provider=fetcher, secret=SetKey())], patience=0.0, clock=loop_time))
    await web.fetch("https://kelp.test")
    assert asked == ([] if asks_gate else ["https://kelp.test/"])
    assert fetcher.script.requests[0].url == ("https://kelp.test" if asks_gate else "https://kelp.test/")


@pytest.mark.req("wiring:keys:shared-error")
def test_an_error_that_its_provider_raises_again_is_not_changed() -> None:
    limited = failing(Code.RATE_LIMITED, DISPATCHED, retry_after=9.0)

    async def run() -> WebError | SearchResult:
        web, _ = pool([limited], [failing(status=401, dispatched=DISPATCHED), limited], rate=None, patience=0.0)
        return await outcome(web.search("kelp"))

    error = in_jumping_time(run())
    assert isinstance(error, WebError)
    assert (limited.attempts, len(error.attempts)) == ((), 2)


@pytest.mark.req("wiring:rate:moves-on")
def test_a_call_whose_key_is_paused_while_it_waits_takes_the_turn_of_another_key() -> None:
    async def slow(_request: SearchRequest, call: Call) -> SearchResult:
        call.dispatch.mark()
        await asyncio.sleep(2)
        raise failing(Code.RATE_LIMITED, DISPATCHED, retry_after=60.0)

    async def run() -> list[tuple[str, float]]:
        web, _ = pool([slow], [hits()], rate=Rate(1, 4.0), patience=10.0)
        first = asyncio.ensure_future(_timed(web))
        await asyncio.sleep(1)
        second = await _timed(web)  # takes the second key's turn
        third = asyncio.ensure_future(_timed(web))  # waits for the first key, whose turn would come at 4
        return [await first, second, await third]

    assert in_jumping_time(run()) == [("ok", 5.0), ("ok", 1.0), ("ok", 9.0)]


@pytest.mark.req("wiring:keys:signal")
def test_an_abort_while_a_call_waits_for_its_second_key_tells_that_nothing_left_for_that_one() -> None:
    async def run() -> WebError | SearchResult:
        limited = failing(Code.RATE_LIMITED, DISPATCHED)
        web, _ = pool([hits(), limited], [hits()], rate=Rate(1, 4.0), patience=9.0)
        await web.search("kelp")
        await asyncio.sleep(3)
        await web.search("kelp")
        abort = asyncio.Event()
        work = asyncio.ensure_future(outcome(web.search("kelp", abort=abort)))
        await asyncio.sleep(2)  # at 4 the first key was refused, at 7 the second has its turn
        abort.set()
        return await work

    error = in_jumping_time(run())
    assert isinstance(error, WebError)
    assert (error.code, error.dispatched) == (Code.ABORTED, True)
    assert told(error.attempts) == [
        ("kelp", "failed", Code.RATE_LIMITED, True),
        ("kelp", "failed", Code.ABORTED, False),
    ]


@pytest.mark.req("wiring:rate:refused")
async def test_a_turn_that_comes_within_a_second_is_not_told_as_none_at_all(tmp_path: Path) -> None:
    clock = ManualClock()
    table = f"key = '{ONE}'\nrate = '1/s'\nrate_wait = 0"
    async with pooled(tmp_path, table, GOOD, seams=Seams(clock=clock)) as (web, _):
        await web.search("kelp")
        clock.advance(0.75)
        error = await refused(web.search("kelp"))
    assert error.retry_after == 0.25
    assert "in 1 s" in error.message
