"""`search.cache` through the whole `Web`, in memory, on disk and on a server: one contract (issue 7, point 3)."""

import asyncio
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from support.fleet import HIT, gateway, searches
from support.pages import Clocks
from support.pools import KEYS, refusal
from support.redis import StateServer, any_server, state_server
from webseam.core.call import Call, ModelRef
from webseam.core.deadline import Deadline
from webseam.core.errors import Code, WebError
from webseam.core.events import AttemptDispatched, CacheAnswered, Emit, Event
from webseam.core.gate import AccessRequest, Verdict
from webseam.core.leading import Leading
from webseam.core.limits import SEARCH_FALLBACK_SECONDS
from webseam.core.plugin import Seams
from webseam.core.tape import Asked
from webseam.core.types import Attempt, CacheFacts, SearchControls, SearchRequest, SearchResult, Source
from webseam.stores.cells import CellFlights, MemoryCells
from webseam.stores.pages import MemoryPages
from webseam.stores.pages_disk import DiskPages
from webseam.surfaces.cli.events_text import line_of
from webseam.testing.vendor_server import Reply, VendorServer
from webseam.tools.toolset import Toolset
from webseam.wiring.caching import SEARCHES_FILE
from webseam.wiring.search_cache import SearchCache, kept_seconds

OTHER = Reply.json({"url": "https://other.test/"})


@pytest.fixture
def state(tmp_path: Path) -> Iterator[StateServer]:
    with state_server(tmp_path, any_server()) as server:
        yield server


@pytest.fixture(params=["memory", "disk", "fleet"])
def kept(request: pytest.FixtureRequest) -> Callable[..., dict[str, Any]]:
    """Settings that keep searches in each place."""

    def config(vendor: VendorServer, **sections: Any) -> dict[str, Any]:
        made = searches(vendor, cache=request.param, **sections)
        if request.param == "fleet":
            made["fleet"] = {"url": request.getfixturevalue("state").url}
        return made

    return config


def _urls(result: SearchResult) -> list[str]:
    return [one.url for one in result.sources]


# Hits --------------------------------------------------------------------------------------------------------


@pytest.mark.req("search-cache:hit")
async def test_the_same_question_is_answered_again_and_says_so(
    tmp_path: Path, kept: Callable[..., dict[str, Any]]
) -> None:
    async with VendorServer(HIT) as vendor, gateway(tmp_path, kept(vendor)) as web:
        first, second = await web.search("kelp"), await web.search("kelp")

    assert (first.cache, len(first.attempts)) == (None, 1)
    assert second.cache == CacheFacts(age=0.0)
    assert (second.attempts, second.usage and second.usage.calls) == ((), 0)
    assert _urls(first) == _urls(second) == ["https://kelp.test/"]
    assert second == replace(first, attempts=(), usage=second.usage, cache=second.cache)
    assert len(vendor.requests) == 1


@pytest.mark.req("search-cache:event")
async def test_an_observer_hears_that_no_provider_was_asked(tmp_path: Path) -> None:
    heard: list[Event] = []
    async with VendorServer(HIT) as vendor, gateway(tmp_path, searches(vendor, cache="memory")) as web:
        await web.search("kelp", call=Call(emit=heard.append))
        asked = [type(one).__name__ for one in heard]
        heard.clear()
        await web.search("kelp", call=Call(emit=heard.append))

    assert "CacheAnswered" not in asked
    assert heard == [CacheAnswered(capability="search", age=0.0)]
    assert line_of(heard[0]) == "search is answered from the cache, 0 s old"


@pytest.mark.req("search-cache:hit")
@pytest.mark.parametrize("cache", ["disk", "fleet"])
async def test_another_process_of_the_same_place_reads_it_too(tmp_path: Path, state: StateServer, cache: str) -> None:
    env = {"WEBSEAM_DATA_DIR": str(tmp_path / "data")}
    async with VendorServer(HIT) as vendor:
        config = searches(vendor, cache=cache, fleet={"url": state.url})
        async with gateway(tmp_path, config, env=env) as one, gateway(tmp_path, config, env=env) as two:
            assert (await one.search("kelp")).cache is None
            assert (await two.search("kelp")).cache is not None


@pytest.mark.req("search-cache:hit")
async def test_a_model_is_told_that_the_answer_is_stored(tmp_path: Path) -> None:
    async with VendorServer(HIT) as vendor, gateway(tmp_path, searches(vendor)) as web:
        tools = Toolset(web)
        first, second = [await tools.call("web_search", {"query": "kelp"}) for _ in range(2)]

    assert "stored answer" not in first.text
    assert "This is a stored answer, 0 s old." in second.text
    assert second.structured is not None
    assert second.structured["cache"] == {"age": 0.0, "stale": False, "revalidated": False}


@pytest.mark.req("search-cache:off")
async def test_nothing_is_kept_by_default(tmp_path: Path) -> None:
    async with VendorServer(HIT, HIT) as vendor:
        config = searches(vendor)
        del config["search"]["cache"]
        async with gateway(tmp_path, config) as web:
            assert [(await web.search("kelp")).cache for _ in range(2)] == [None, None]
    assert len(vendor.requests) == 2


@pytest.mark.req("search-cache:hit")
async def test_whoever_listens_hears_a_stored_answer_whole() -> None:
    cache = SearchCache(MemoryPages(), choices={}, scope={}, seconds=60)
    answer = SearchResult(provider="p", content="Kelp.", sources=(Source(url="https://kelp.test/"),))
    heard: list[str] = []

    async def live(_call: Call) -> SearchResult:
        return answer

    asked = Asked(capability="search", request=SearchRequest(query="kelp"))
    for _ in range(2):
        result = await cache(asked, live, Call(progress=heard.append))
    assert (result.content, heard) == ("Kelp.", ["Kelp."])


@pytest.mark.req("search-cache:negative")
@pytest.mark.parametrize(("uses", "asked"), [(True, 2), (False, 1)])
async def test_what_the_caller_s_own_credentials_opened_is_never_kept(*, uses: bool, asked: int) -> None:
    cache = SearchCache(MemoryPages(), choices={}, scope={}, seconds=60)
    calls = 0

    async def live(call: Call) -> SearchResult:
        nonlocal calls
        calls += 1
        assert call.model is not None
        assert call.model.auth is not None
        assert not uses or await call.model.auth() == "token"
        return GOOD

    async def auth() -> str:
        return "token"

    question = Asked(capability="search", request=SearchRequest(query="kelp"), model="v/a/m")
    for _ in range(2):
        await cache(question, live, Call(model=ModelRef(provider="v", api="a", id="m", auth=auth)))
    assert calls == asked


# The key -----------------------------------------------------------------------------------------------------


@pytest.mark.req("search-cache:key")
async def test_whatever_changes_the_question_is_another_question(tmp_path: Path) -> None:
    ways: list[dict[str, Any]] = [
        {"query": "kelp"},
        {"query": "kelp farms"},
        {"query": "kelp", "max_results": 3},
        {"query": "kelp", "controls": SearchControls(language="de")},
        {"query": "kelp", "controls": SearchControls(exclude_domains=("bad.example",))},
        {"query": "kelp", "call": Call(tags={"tenant": "a"})},
        {"query": "kelp", "call": Call(tags={"tenant": "b"})},
        {"query": "kelp", "call": Call(autonomous=True)},
    ]
    async with VendorServer(*[HIT] * len(ways)) as vendor, gateway(tmp_path, searches(vendor)) as web:
        first = [(await web.search(**way)).cache for way in ways]
        second = [(await web.search(**way)).cache for way in ways]

    assert first == [None] * len(ways)
    assert None not in second
    assert len(vendor.requests) == len(ways)


@pytest.mark.req("search-cache:key")
async def test_a_run_or_a_trace_does_not_part_what_is_kept(tmp_path: Path) -> None:
    async with VendorServer(HIT) as vendor, gateway(tmp_path, searches(vendor)) as web:
        await web.search("kelp", call=Call(tags={"tenant": "a", "run": "1"}))
        assert (await web.search("kelp", call=Call(tags={"tenant": "a", "run": "2"}))).cache is not None


@pytest.mark.req("search-cache:key")
async def test_other_options_of_a_provider_or_another_route_find_nothing(tmp_path: Path) -> None:
    env = {"WEBSEAM_DATA_DIR": str(tmp_path / "data")}
    async with VendorServer(HIT) as one, VendorServer(OTHER, OTHER) as two:
        routed = searches(two, cache="disk")
        routed["search"] = {"route": ["kelp"], "cache": "disk"}
        found = []
        for config in (searches(one, cache="disk"), searches(two, cache="disk"), routed):
            async with gateway(tmp_path, config, env=env) as web:
                found += _urls(await web.search("kelp"))

    assert found == ["https://kelp.test/", "https://other.test/", "https://other.test/"]


# What is not kept --------------------------------------------------------------------------------------------


@pytest.mark.req("search-cache:negative")
async def test_an_error_is_never_kept(tmp_path: Path, kept: Callable[..., dict[str, Any]]) -> None:
    async with VendorServer(refusal(500), HIT) as vendor, gateway(tmp_path, kept(vendor)) as web:
        with pytest.raises(WebError):
            await web.search("kelp")
        assert (await web.search("kelp")).cache is None
        assert (await web.search("kelp")).cache is not None


@pytest.mark.req("search-cache:negative")
async def test_a_raw_payload_is_neither_kept_nor_read_from_what_is(tmp_path: Path) -> None:
    async with VendorServer(HIT, HIT, HIT) as vendor, gateway(tmp_path, searches(vendor)) as web:
        for raw in (True, False, True):
            assert (await web.search("kelp", call=Call(raw=raw))).cache is None


OK = Attempt(provider="p", outcome="ok")
GOOD = SearchResult(provider="p", sources=(Source(url="https://kelp.test/"),), attempts=(OK,))


@pytest.mark.req("search-cache:negative", "search-cache:fallback")
@pytest.mark.parametrize(
    ("result", "seconds"),
    [
        (GOOD, 300.0),
        (replace(GOOD, content="Kelp is a brown alga."), 300.0),
        (replace(GOOD, truncated=True), 300.0),
        (replace(GOOD, sources=(), content="Kelp."), 300.0),
        (replace(GOOD, sources=()), 0.0),
        (replace(GOOD, grounding="ungrounded", sources=(), content="Kelp."), 0.0),
        (replace(GOOD, content="Kelp is a", truncated=True), 0.0),
        (replace(GOOD, raw={}), 0.0),
        (replace(GOOD, attempts=(Attempt(provider="q", outcome="failed"), OK)), SEARCH_FALLBACK_SECONDS),
        (replace(GOOD, attempts=(Attempt(provider="q", outcome="skipped"), OK)), SEARCH_FALLBACK_SECONDS),
        (replace(GOOD, attempts=(Attempt(provider="q", outcome="ungrounded"), OK)), SEARCH_FALLBACK_SECONDS),
        (replace(GOOD, attempts=(Attempt(provider="p", outcome="failed"), OK)), 300.0),
    ],
)
def test_how_long_an_answer_is_kept(result: SearchResult, seconds: float) -> None:
    assert kept_seconds(result, 300.0) == seconds
    assert kept_seconds(result, 5.0) == min(5.0, seconds)


@pytest.mark.req("search-cache:fallback")
async def test_a_stand_in_does_not_hide_the_first_provider_for_long(tmp_path: Path) -> None:
    clocks = Clocks()
    seams = Seams(clock=clocks.clock, now=clocks.now)
    async with VendorServer(refusal(503), HIT) as first, VendorServer(OTHER) as second:
        config = searches(first)
        config["search"] = {"route": ["kelp", "spare"], "cache": "memory"}
        config["providers"]["spare"] = {"kind": "kelp", "base_url": second.url, "key": KEYS[1]}
        async with gateway(tmp_path, config, seams=seams) as web:
            assert _urls(await web.search("kelp")) == ["https://other.test/"]
            assert (await web.search("kelp")).cache is not None
            clocks.passes(SEARCH_FALLBACK_SECONDS)
            assert _urls(await web.search("kelp")) == ["https://kelp.test/"]


# Time --------------------------------------------------------------------------------------------------------


@pytest.mark.req("search-cache:expiry")
@pytest.mark.parametrize("cache", ["memory", "disk"])
async def test_an_answer_beyond_its_time_is_asked_for_anew(tmp_path: Path, cache: str) -> None:
    clocks = Clocks()
    seams = Seams(clock=clocks.clock, now=clocks.now)
    async with VendorServer(HIT, HIT) as vendor:
        config = searches(vendor, cache=cache, search={"cache_seconds": 60})
        async with gateway(tmp_path, config, seams=seams) as web:
            await web.search("kelp")
            clocks.passes(59)
            assert (await web.search("kelp")).cache == CacheFacts(age=59.0)
            clocks.passes(1)
            assert (await web.search("kelp")).cache is None


@pytest.mark.req("search-cache:expiry")
async def test_a_clock_that_is_put_back_finds_nothing_on_disk(tmp_path: Path) -> None:
    clocks = Clocks()
    seams = Seams(clock=clocks.clock, now=clocks.now)
    async with (
        VendorServer(HIT, HIT) as vendor,
        gateway(tmp_path, searches(vendor, cache="disk"), seams=seams) as web,
    ):
        await web.search("kelp")
        clocks.wall -= 3_600
        assert (await web.search("kelp")).cache is None


@pytest.mark.req("search-cache:expiry")
async def test_the_server_forgets_an_answer_by_itself(tmp_path: Path, state: StateServer) -> None:
    async with VendorServer(HIT) as vendor:
        config = searches(vendor, cache="fleet", fleet={"url": state.url}, search={"cache_seconds": 100})
        async with gateway(tmp_path, config) as web:
            await web.search("kelp")
        with state.client() as client:
            (key,) = client.keys("webseam:1:search:*")
            assert 90_000 < client.pttl(key) <= 100_000
            assert b"kelp" not in key.split(b":")[-1]


# Permission and guarantees -----------------------------------------------------------------------------------


@pytest.mark.req("search-cache:gate")
async def test_the_gate_is_asked_before_what_is_kept(tmp_path: Path) -> None:
    asked = []

    async def gate(request: AccessRequest) -> Verdict:
        asked.append(request.target)
        return Verdict(allowed=len(asked) < 2)

    async with VendorServer(HIT) as vendor, gateway(tmp_path, searches(vendor), gate=gate) as web:
        await web.search("kelp")
        with pytest.raises(WebError) as caught:
            await web.search("kelp")
    assert (caught.value.code, asked) == (Code.DENIED, ["kelp", "kelp"])


def _env(data: Path) -> dict[str, str]:
    return {"WEBSEAM_DATA_DIR": str(data)}


def _forged(plain: object) -> Callable[[bytes], bytes]:
    return lambda _body: json.dumps(plain).encode()


@pytest.mark.req("search-cache:gate")
async def test_what_others_wrote_into_the_store_is_held_to_the_guarantees(tmp_path: Path) -> None:
    sources = [{"url": "javascript:alert(1)"}, {"url": "https://me:pw@kelp.test/"}, {"url": "https://bad.example/"}]
    forged = {"provider": "kelp", "sources": sources, "attempts": [], "raw": {"a": 1}, "usage": {"cost": 9.0}}
    controls = SearchControls(exclude_domains=("bad.example",))
    data = tmp_path / "data"
    async with VendorServer(HIT) as vendor, gateway(tmp_path, searches(vendor, cache="disk"), env=_env(data)) as web:
        await web.search("kelp", controls=controls)
        await _rewrite(data, _forged(forged))
        result = await web.search("kelp", controls=controls)

    assert _urls(result) == ["https://kelp.test/"]
    assert result.dropped == {"invalid_url": 1, "domain": 1}
    assert (result.raw, result.usage and result.usage.cost) == (None, None)


@pytest.mark.req("search-cache:gate")
@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null", b'{"provider": 7}', b'{"sources": []}', b"[" * 99_999])
async def test_a_damaged_answer_is_not_there(tmp_path: Path, body: bytes) -> None:
    data = tmp_path / "data"
    async with (
        VendorServer(HIT, OTHER) as vendor,
        gateway(tmp_path, searches(vendor, cache="disk"), env=_env(data)) as web,
    ):
        await web.search("kelp")
        await _rewrite(data, lambda _old: body)
        assert _urls(await web.search("kelp")) == ["https://other.test/"]


async def _rewrite(data: Path, change: Callable[[bytes], bytes]) -> None:
    """Change every kept answer, its sum included."""
    import sqlite3  # noqa: PLC0415 - only here

    connection = sqlite3.connect(data / SEARCHES_FILE)
    keys = [key for (key,) in connection.execute("SELECT key FROM pages")]
    connection.close()
    store = DiskPages(data / SEARCHES_FILE)
    for key in keys:
        page = await store.get(key)
        assert page is not None
        await store.put(key, replace(page, body=change(page.body)))


def _dispatched() -> tuple[asyncio.Event, Emit]:
    """Set when the first request may have left, and the observer that sets it."""
    came = asyncio.Event()

    def emit(event: Event) -> None:
        if isinstance(event, AttemptDispatched):
            came.set()

    return came, emit


# At once -----------------------------------------------------------------------------------------------------


@pytest.mark.req("search-cache:flight")
async def test_equal_searches_at_once_are_one_request(tmp_path: Path, kept: Callable[..., dict[str, Any]]) -> None:
    async with VendorServer(HIT) as vendor, gateway(tmp_path, kept(vendor)) as web:
        results = await asyncio.gather(*(web.search("kelp") for _ in range(20)))

    assert sum(one.cache is None for one in results) == 1
    assert len(vendor.requests) == 1


@pytest.mark.req("search-cache:flight")
async def test_equal_searches_on_two_gateways_are_one_request(tmp_path: Path, state: StateServer) -> None:
    async with VendorServer(HIT) as vendor:
        config = searches(vendor, cache="fleet", fleet={"url": state.url})
        async with gateway(tmp_path, config) as one, gateway(tmp_path, config) as two:
            results = await asyncio.gather(*((one, two)[at % 2].search("kelp") for at in range(20)))

    assert sum(one.cache is None for one in results) == 1
    assert len(vendor.requests) == 1


@pytest.mark.req("search-cache:flight")
@pytest.mark.parametrize("how", ["cancelled", "late", "aborted"])
async def test_a_search_that_ends_early_leaves_the_question_to_those_who_wait(tmp_path: Path, how: str) -> None:
    held = Reply(ending="held")
    came, emit = _dispatched()
    async with VendorServer(held, HIT) as vendor, gateway(tmp_path, searches(vendor), emit=emit) as web:
        abort = asyncio.Event()
        time = Deadline.after(1 if how == "late" else 60)
        first = asyncio.create_task(web.search("kelp", call=Call(deadline=time), abort=abort))
        await came.wait()
        others = [asyncio.create_task(web.search("kelp")) for _ in range(3)]
        await asyncio.sleep(0)
        if how == "cancelled":
            first.cancel()
        elif how == "aborted":
            abort.set()
        results = await asyncio.gather(*others)
        await asyncio.wait([first])

    assert [_urls(one) for one in results] == [["https://kelp.test/"]] * 3
    assert first.cancelled() or isinstance(first.exception(), WebError)
    assert len(vendor.requests) == 2


@pytest.mark.req("search-cache:flight")
async def test_whoever_waits_keeps_its_own_time(tmp_path: Path) -> None:
    held = Reply(ending="held")
    came, emit = _dispatched()
    async with VendorServer(held) as vendor, gateway(tmp_path, searches(vendor), emit=emit) as web:
        first = asyncio.create_task(web.search("kelp"))
        await came.wait()
        with pytest.raises(WebError) as caught:
            await web.search("kelp", call=Call(deadline=Deadline.after(0.02)))
        abort = asyncio.Event()
        abort.set()
        with pytest.raises(WebError) as stopped:
            await web.search("kelp", abort=abort)
        first.cancel()
        await asyncio.wait([first])
    assert (caught.value.code, caught.value.dispatched) == (Code.SEARCH_TIMEOUT, False)
    assert stopped.value.code == Code.ABORTED


@pytest.mark.req("fleet:flight:lease", "search-cache:flight")
async def test_whoever_lost_the_lead_meanwhile_keeps_nothing() -> None:
    shift, cells = 0.0, MemoryCells(now=lambda: 1.8e9 + shift)
    store, leading = MemoryPages(), Leading(CellFlights(cells))
    cache = SearchCache(store, choices={}, scope={}, seconds=60, leading=leading)
    asked = Asked(capability="search", request=SearchRequest(query="kelp"))
    results = [replace(GOOD, provider="slow"), replace(GOOD, provider="quick")]

    async def quick(_call: Call) -> SearchResult:
        return results[1]

    async def slow(_call: Call) -> SearchResult:
        nonlocal shift
        shift = 3_600.0
        other = SearchCache(store, choices={}, scope={}, seconds=60, leading=Leading(CellFlights(cells)))
        assert (await other(asked, quick, Call())).provider == "quick"
        return results[0]

    assert (await cache(asked, slow, Call())).provider == "slow"
    assert (await cache(asked, slow, Call())).provider == "quick"
    await leading.aclose()


# A store that cannot be used ---------------------------------------------------------------------------------


@pytest.mark.req("fleet:away:local")
async def test_a_server_that_is_away_costs_the_search_nothing_but_a_note(tmp_path: Path, state: StateServer) -> None:
    state.stop()
    async with VendorServer(HIT) as vendor:
        config = searches(vendor, cache="fleet", fleet={"url": state.url})
        async with gateway(tmp_path, config) as web:
            made = await Toolset(web).call("web_search", {"query": "kelp"})

    assert "What gateways share could not be used" in made.text
    assert made.structured is not None
    assert made.structured["notes"] == [{"code": "shared_state_away"}]
    assert made.structured["sources"] == [{"url": "https://kelp.test/"}]


@pytest.mark.req("fleet:away:refuse")
async def test_where_it_is_to_refuse_no_vendor_is_asked(tmp_path: Path, state: StateServer) -> None:
    state.stop()
    async with VendorServer(HIT) as vendor:
        config = searches(vendor, cache="fleet", fleet={"url": state.url, "when_away": "refuse"})
        async with gateway(tmp_path, config) as web:
            with pytest.raises(WebError) as caught:
                await web.search("kelp")
    assert caught.value.code == Code.PROVIDER_UNAVAILABLE
    assert vendor.requests == []
