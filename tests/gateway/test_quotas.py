"""How much a tenant may use: rates, calls and cost of a day, places."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from support.cli import Shell
from support.gateway import CONFIG, Served, serving
from webseam.core.call import Call
from webseam.core.errors import Code, WebError
from webseam.core.gate import AccessRequest
from webseam.core.shared import Budget, Budgets, Rate, SharedError, Spent, Turn
from webseam.core.types import SearchRequest, SearchResult, Usage
from webseam.stores.cells import CellBudgets, CellRates, MemoryCells
from webseam.stores.cells_disk import CELLS_FILE
from webseam.surfaces.gateway.places import Places
from webseam.surfaces.gateway.problems import Problem
from webseam.wiring.quotas import Counters, Quota
from webseam.wiring.tenants import Policy

HITS = {"query": "hits"}
SEARCH = AccessRequest(kind="search", target="q")


class Clock:
    def __init__(self) -> None:
        self.now = 86_400.0 * 20_000 + 3_600.0

    def __call__(self) -> float:
        return self.now


def counted(clock: Clock) -> Counters:
    cells = MemoryCells(now=clock)
    return Counters(rates=CellRates(cells), budgets=CellBudgets(cells))


def quota(policy: Policy, clock: Clock, counters: Counters | None = None) -> Quota:
    own = counted(clock) if counters is None else counters
    return Quota("one", policy, counters=own, local=counted(clock), now=clock)


@pytest.mark.req("gateway:quota:rate")
async def test_a_rate_is_of_the_tenant_and_names_the_wait(shell: Shell) -> None:
    async with serving(shell) as served:
        one, same = served.token("one", Policy(rate="2/day")), served.token("one")
        other = served.token("two", Policy(rate="2/day"))
        for token in (one, same):
            assert (await served.ask("/v1/search", HITS, token=token)).status == 200
        got = await served.ask("/v1/search", HITS, token=one)
        assert (got.status, got.code) == (429, Code.RATE_LIMITED)
        assert 86_000 < int(got.headers["retry-after"]) <= 86_400
        tool = await served.ask("/v1/tools/web_search", HITS, token=same)
        assert tool.json["error"]["code"] == Code.RATE_LIMITED
        assert "Wait" in tool.json["text"]
        assert (await served.ask("/v1/search", HITS, token=other)).status == 200


@pytest.mark.req("gateway:quota:day")
async def test_the_calls_of_a_day_outlive_the_gateway(shell: Shell) -> None:
    clock = Clock()
    async with serving(shell, now=clock) as served:
        token = served.token("one", Policy(calls_per_day=2))
        assert (await served.ask("/v1/search", HITS, token=token)).status == 200
    async with serving(shell, now=clock) as served:
        assert (await served.ask("/v1/tools/web_search", HITS, token=token)).json["is_error"] is False
        got = await served.ask("/v1/search", HITS, token=token)
        assert (got.status, got.code) == (429, Code.BUDGET_EXHAUSTED)
        assert got.headers["retry-after"] == "82800"
        assert "2 calls" in got.json["detail"]
        clock.now += 82_800
        assert (await served.ask("/v1/search", HITS, token=token)).status == 200


@pytest.mark.req("gateway:quota:day")
async def test_several_queries_of_one_tool_call_are_several_calls(shell: Shell) -> None:
    async with serving(shell, CONFIG.replace("[tools]\n", "[tools]\nmax_queries = 3\n")) as served:
        token = served.token("one", Policy(calls_per_day=2))
        await served.ask("/v1/tools/web_search", {"queries": ["hits", "none"]}, token=token)
        over = await served.ask("/v1/tools/web_search", {"queries": ["hits"]}, token=token)
        assert over.json["error"]["code"] == Code.BUDGET_EXHAUSTED


@pytest.mark.req("gateway:quota:cost")
async def test_what_vendors_report_is_held_to_the_day_s_cost() -> None:
    clock = Clock()
    one = quota(Policy(cost_per_day=0.01), clock)
    assert (await one(SEARCH)).allowed
    await one.paid(Usage(cost=0.004, currency="USD"))
    await one.paid(Usage(cost=5.0, currency="credits"))
    await one.paid(Usage(cost=float("nan"), currency="USD"))
    await one.paid(Usage(cost=-1.0, currency="USD"))
    await one.paid(None)
    assert (await one(SEARCH)).allowed
    await one.paid(Usage(cost=0.006, currency="USD"))
    refused = await one(SEARCH)
    assert (refused.allowed, refused.code, refused.rule) == (False, Code.BUDGET_EXHAUSTED, "budget_of_day")
    assert "$0.01" in (refused.reason or "")
    assert refused.retry_after == 82_800.0
    assert await one.spent() == Spent(calls=2, cost=0.01)


@pytest.mark.req("gateway:quota:rate")
async def test_a_redirect_and_a_page_that_is_here_are_no_calls() -> None:
    one = quota(Policy(rate="1/day", calls_per_day=1), Clock())
    for request in (
        AccessRequest(kind="redirect", target="https://a.test/"),
        AccessRequest(kind="fetch", target="https://a.test/", kept=True),
    ):
        assert (await one(request)).allowed
    assert (await one(AccessRequest(kind="fetch", target="https://a.test/"))).allowed
    assert not (await one(SEARCH)).allowed


class Away:
    """Shared state that is away."""

    async def take(self, _key: str, _rate: Rate, _patience: float, /) -> Turn:
        raise SharedError("it is away")

    give_back = pause = paused = settle = spent = take

    async def spend(self, _key: str, _budget: Budget, _cost: float = 0.0, /) -> bool:
        raise SharedError("it is away")


@pytest.mark.req("gateway:quota:away")
async def test_while_the_shared_state_is_away_each_gateway_counts_by_itself() -> None:
    away: Any = Away()
    one = quota(Policy(rate="1/day"), Clock(), Counters(rates=away, budgets=away))
    assert (await one(SEARCH)).allowed
    refused = await one(SEARCH)
    assert (refused.allowed, refused.code, refused.rule) == (False, Code.RATE_LIMITED, "rate")


# Places --------------------------------------------------------------------------------------------------


@pytest.mark.req("gateway:places")
async def test_one_tenant_leaves_places_to_others_and_all_are_bounded() -> None:
    told: list[int] = []
    places = Places(most=3, most_each=2, told=told.append)
    with places.taken("one"), places.taken("one"):
        with pytest.raises(Problem) as full, places.taken("one"):
            pass
        assert (full.value.code, full.value.status, full.value.retry_after) == ("GATEWAY_BUSY", 503, 1.0)
        with places.taken("two"), pytest.raises(Problem), places.taken("three"):
            pass
    assert told == [1, 2, 3, 2, 1, 0]


@pytest.mark.req("gateway:drain")
async def test_draining_ends_with_the_last_call_or_with_its_time() -> None:
    places = Places()
    with places.taken("one"):
        assert await places.drain(0.01) is False
        with pytest.raises(Problem), places.taken("one"):
            pass
        waiting = asyncio.create_task(places.drain(10))
        await asyncio.sleep(0)
        assert not waiting.done()
    assert await waiting is True


class _Away:
    """State that cannot be used."""

    async def take(self, _key: str, _rate: Rate, _patience: float) -> Turn:
        raise SharedError("its file cannot be used")

    async def spend(self, _key: str, _budget: Budget) -> bool:
        raise SharedError("its file cannot be used")

    async def settle(self, _key: str, _cost: float) -> None:
        raise SharedError("its file cannot be used")


@pytest.mark.req("gateway:quota:unusable")
async def test_where_nothing_can_be_counted_no_call_is_made(shell: Shell) -> None:
    async with serving(shell) as served:
        token = served.token("one", Policy(calls_per_day=5))
        with sqlite3.connect(shell.desk.load().places.data / CELLS_FILE) as other:
            other.execute("CREATE TABLE mine(a)")
        other.close()
        got = await served.ask("/v1/search", HITS, token=token)
        assert (got.status, got.code) == (503, Code.CONFIG_INVALID)
        assert "cannot be counted" in got.json["detail"]
        assert (await served.ask("/v1/search", HITS, token=served.token("two"))).status == 200


@pytest.mark.req("gateway:quota:unusable")
async def test_an_answer_whose_cost_cannot_be_counted_is_given_all_the_same(caplog: pytest.LogCaptureFixture) -> None:
    away: Any = _Away()
    counters = Counters(rates=away, budgets=away)
    one = Quota("one", Policy(cost_per_day=1.0), counters=counters, local=counters, now=Clock())
    await one.paid(Usage(calls=1, cost=0.25, currency="USD"))
    assert "$0.25 was not counted" in caplog.text
    with pytest.raises(WebError, match="cannot be counted"):
        await one(SEARCH)


class _Slow:
    """Budgets that take their time."""

    def __init__(self, budgets: Budgets) -> None:
        self.asked, self.go = asyncio.Event(), asyncio.Event()
        self.spend, self.spent, self._settle = budgets.spend, budgets.spent, budgets.settle

    async def settle(self, key: str, cost: float, /) -> None:
        self.asked.set()
        await self.go.wait()
        await self._settle(key, cost)


@pytest.mark.req("gateway:quota:cost")
async def test_a_cost_is_counted_though_its_client_leaves_meanwhile() -> None:
    clock = Clock()
    own = counted(clock)
    slow = _Slow(own.budgets)
    one = quota(Policy(cost_per_day=1.0), clock, Counters(rates=own.rates, budgets=slow))
    paying = asyncio.create_task(one.paid(Usage(cost=0.75, currency="USD")))
    await slow.asked.wait()
    paying.cancel()
    with pytest.raises(asyncio.CancelledError):
        await paying
    slow.go.set()
    async with asyncio.timeout(20):
        while (await one.spent()).cost != 0.75:  # noqa: ASYNC110 - until it is counted
            await asyncio.sleep(0)


class _Paid:
    """A vendor that tells the cost of some answers; it waits for what is asked last."""

    id = "paid"

    def __init__(self) -> None:
        self.waits = asyncio.Event()

    def available(self) -> bool:
        return True

    async def search(self, request: SearchRequest, *, call: Call) -> SearchResult:
        del call
        if request.query == "waits":
            self.waits.set()
            await asyncio.Event().wait()
        usage = Usage(cost=0.6, currency="USD") if request.query == "costs" else None
        return SearchResult(provider="paid", grounding="searched", sources=(), usage=usage)


@asynccontextmanager
async def paying(shell: Shell) -> AsyncIterator[tuple[Served, _Paid]]:
    config = CONFIG.replace('provider = "odd"', 'provider = "paid"').replace("[tools]\n", "[tools]\nmax_queries = 3\n")
    async with serving(shell, config) as served:
        assert served.app is not None
        vendor = _Paid()
        served.app.house.web.register_search(vendor)
        yield served, vendor


@pytest.mark.req("gateway:quota:cost:parts")
async def test_a_cost_that_one_of_several_searches_reports_is_held_to_the_day(shell: Shell) -> None:
    async with paying(shell) as (served, _):
        token = served.token("one", Policy(cost_per_day=1.0))
        for _ in range(2):
            got = await served.ask("/v1/tools/web_search", {"queries": ["costs", "free"]}, token=token)
            assert not got.json["is_error"]
        refused = await served.ask("/v1/search", {"query": "free"}, token=token)
        assert refused.code == Code.BUDGET_EXHAUSTED
        assert served.app is not None
        told = served.app.house.meters.exposed(whole=True).decode()
        assert 'webseam_cost_total{currency="USD",tenant="one"} 1.2' in told


@pytest.mark.req("gateway:quota:cost:parts")
async def test_a_cost_reported_before_the_client_left_is_held_to_the_day(shell: Shell) -> None:
    async with paying(shell) as (served, vendor):
        token = served.token("one", Policy(cost_per_day=0.5))
        asked = {"queries": ["costs", "waits"]}
        leaving = asyncio.create_task(served.ask("/v1/tools/web_search", asked, token=token))
        await vendor.waits.wait()
        leaving.cancel()
        await asyncio.wait([leaving])
        async with asyncio.timeout(20):
            while (await served.ask("/v1/search", {"query": "free"}, token=token)).status == 200:  # noqa: ASYNC110 - until the gateway has noticed
                await asyncio.sleep(0)
        refused = await served.ask("/v1/search", {"query": "free"}, token=token)
        assert refused.code == Code.BUDGET_EXHAUSTED


class _Told(_Paid):
    """Another vendor, whose every answer costs a tenth."""

    id = "told"

    async def search(self, request: SearchRequest, *, call: Call) -> SearchResult:
        del request, call
        usage = Usage(cost=0.1, currency="USD")
        return SearchResult(provider="told", grounding="ungrounded", content="so they say", usage=usage)


@pytest.mark.req("gateway:quota:cost:parts")
@pytest.mark.parametrize("how", ["fanout", "route"])
async def test_a_cost_that_one_member_reports_is_recorded_and_held_to_the_day(shell: Shell, how: str) -> None:
    async with serving(shell, CONFIG.replace('provider = "odd"', f'{how} = ["told", "paid"]')) as served:
        assert served.app is not None
        for vendor in (_Told(), _Paid()):
            served.app.house.web.register_search(vendor)
        token = served.token("one", Policy(cost_per_day=0.15))
        for _ in range(2):
            assert (await served.ask("/v1/search", {"query": "free"}, token=token)).status == 200
        refused = await served.ask("/v1/search", {"query": "free"}, token=token)
        assert refused.code == Code.BUDGET_EXHAUSTED
        kept = [one for one in served.app.house.board.recent("one") if one.code is None]
    assert [dict(one.costs) for one in kept] == [{"USD": 10**8}] * 2
